"""Triton: a kernel with Philox that keeps everything in registers. Each draw of four words makes two samples."""

import report

triton = report.require("triton")
from on_torch import FACTS, PROGRAMS, timed_sums

tl = triton.language

LANES = 512  # of a program, 4 to a thread
STEPS = 4096


@triton.jit(do_not_specialize=["first_seed"])
def count_hits(total, first_seed, STEPS: tl.constexpr, LANES: tl.constexpr):
    """Add a program's hits to the total; each step has its own seed and each lane its own offset."""
    lane = tl.program_id(0) * LANES + tl.arange(0, LANES)
    hits = tl.zeros((LANES,), tl.int32)
    for step in range(STEPS):
        x0, y0, x1, y1 = tl.rand4x(first_seed + step, lane)
        hits += (x0 * x0 + y0 * y0 <= 1).to(tl.int32) + (x1 * x1 + y1 * y1 <= 1).to(tl.int32)
    tl.atomic_add(total, tl.sum(hits).to(tl.int64))


enqueue = lambda total, number: count_hits[(PROGRAMS,)](total, number * STEPS, STEPS, LANES)
FACTS |= {"peer": "triton", "package": f"triton {triton.__version__}"}
report.measure(timed_sums(enqueue), samples_per_launch=2 * PROGRAMS * LANES * STEPS, **FACTS)
