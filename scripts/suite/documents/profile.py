"""Profiles, <ladder>-profile.json: what Nsight Compute counted, a row a kernel, and what limits a version.

A profile has the head of a result, with ncu's version in the context, and
kernels. suite/measure/ncu.py says what the figures mean.
"""

from suite.documents import checks
from suite.documents.checks import COUNT, LIST, NUMBER, TEXT, Maybe, filled, or_failed
from suite.documents.document import CONTEXT, DEVICE, Document
from suite.documents.result import STEP

ISSUE_SLOTS = "issue slots"
# What instructions compete for, as tables have it.
TITLES = {
    ISSUE_SLOTS: "issue slots",
    "alu": "ALU",
    "fma": "FMA",
    "fmaheavy": "FMA heavy",
    "fmalite": "FMA lite",
    "xu": "XU",
    "lsu": "LSU",
    "tensor": "Tensor",
}
PIPES = tuple(name for name in TITLES if name != ISSUE_SLOTS)

# What Nsight Compute gives as a number, or not: no GPU counts everything.
FIGURES = (
    "duration_ms", "compute_throughput_pct", "memory_throughput_pct", "achieved_occupancy_pct", "waves_per_sm", "registers",
    "ipc", "ipc_max", "issue_pct", "shared_throughput_pct", "l1_throughput_pct", "dram_bytes", "bytes_per_sector",
    "divergent_branches", "thread_instructions", "thread_instructions_per_sample", "active_lanes",
)  # fmt: skip
KERNEL = {
    "version": STEP, "kernel": TEXT, "iters": COUNT, "blocks": COUNT, "threads": COUNT, "samples": Maybe(COUNT),
    "block_limiter": Maybe(TEXT), "pipes": dict.fromkeys(PIPES, Maybe(NUMBER)),
    "stalls": [{"reason": TEXT, "share": NUMBER}], "limit": Maybe({"name": TEXT, "pct": NUMBER}),
} | dict.fromkeys(FIGURES, Maybe(NUMBER))  # fmt: skip
DOCUMENT = Document(
    "kernels", or_failed(KERNEL, checks.FAILED | {"version": STEP}), key=("version", "kernel"),
    fields={"context": CONTEXT | {"device": DEVICE, "ncu": TEXT}, "kernels": filled(LIST)},
)  # fmt: skip


# What a profile says


def kernels_of(document):
    """What was counted, a row a kernel."""
    return checks.succeeded(document["kernels"])


def limit_of(document, version):
    """What limits a version: name and percentage; None if that is not known.

    Of several kernels the longest of those that draw samples counts.
    """
    kernels = [row for row in kernels_of(document) if row["version"] == version and row["samples"] is not None]
    return max(kernels, key=lambda row: row["duration_ms"] or 0)["limit"] if kernels else None


def limit_title(limit):
    """The name of a limit as tables have it: "FMA heavy" for fmaheavy."""
    return TITLES.get(limit["name"], limit["name"])
