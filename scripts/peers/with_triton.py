"""Triton: a kernel with Philox that keeps everything in registers. Each draw of four words makes two samples."""

import report

triton = report.require("triton")
from on_torch import timed, torch

tl = triton.language

LANES = 512  # of a program, 4 to a thread
STEPS = 4096
PROGRAMS_PER_SM = 64  # several whole waves on any GPU


@triton.jit(do_not_specialize=["first_seed"])
def count_hits(total, first_seed, STEPS: tl.constexpr, LANES: tl.constexpr):
    """Add a program's hits to the total; each step has its own seed and each lane its own offset."""
    lane = tl.program_id(0) * LANES + tl.arange(0, LANES)
    hits = tl.zeros((LANES,), tl.int32)
    for step in range(STEPS):
        x0, y0, x1, y1 = tl.rand4x(first_seed + step, lane)
        hits += (x0 * x0 + y0 * y0 <= 1).to(tl.int32) + (x1 * x1 + y1 * y1 <= 1).to(tl.int32)
    tl.atomic_add(total, tl.sum(hits).to(tl.int64))


def main():
    programs = PROGRAMS_PER_SM * torch.cuda.get_device_properties("cuda").multi_processor_count

    def launch(number):
        total = torch.zeros((), dtype=torch.int64, device="cuda")
        count_hits[(programs,)](total, number * STEPS, STEPS, LANES)
        return total

    report.measure(
        timed(launch),
        peer="triton",
        package=f"triton {triton.__version__}",
        generator="Philox4x32-10",
        samples_per_launch=2 * programs * LANES * STEPS,
    )


if __name__ == "__main__":
    main()
