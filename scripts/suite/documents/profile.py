"""Profiles, profile.json: what Nsight Compute counted, a row a kernel, and what limits a version.

A profile has the head of a result, with ncu's version in the context, and
kernels. suite/measure/ncu.py says what the figures mean.
"""

from suite.documents import checks, files
from suite.documents.checks import ABSENT, COUNT, NUMBER, TEXT
from suite.ladders import pi

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
_FIGURE = NUMBER + ABSENT
_KERNEL_FIELDS = {
    "version": TEXT, "kernel": TEXT, "iters": COUNT, "blocks": COUNT, "threads": COUNT,
    "samples": COUNT + ABSENT, "block_limiter": TEXT + ABSENT, "pipes": (dict,), "stalls": (list,),
    "limit": (dict, *ABSENT),
} | dict.fromkeys(FIGURES, _FIGURE)  # fmt: skip
_PIPE_FIELDS = dict.fromkeys(PIPES, _FIGURE)
_STALL_FIELDS = {"reason": TEXT, "share": NUMBER}
_LIMIT_FIELDS = {"name": TEXT, "pct": NUMBER}


def load(path):
    """Read and check the profile at path."""
    return files.load(path, check)


def check(document):
    """Refuse what is no profile. Any figure may be null: not every GPU counts everything."""
    checks.check_head(document, "kernels")
    checks.check_fields(document["context"], {"device": (dict,), "ncu": TEXT}, "context")
    if not document["kernels"]:
        raise checks.ResultError("holds no kernels")
    for kernel in document["kernels"]:
        check_kernel(kernel)
    checks.check_unique(document["kernels"], "version", "kernel")


def check_kernel(kernel):
    checks.check_fields(kernel, {"version": TEXT}, "a kernel")
    version = kernel["version"]
    if not pi.is_step(kernel):
        raise checks.ResultError(f"a kernel has the unknown kind of version '{version}'")
    if checks.has_failed(kernel):
        checks.check_failed(kernel)
        return
    checks.check_fields(kernel, _KERNEL_FIELDS, version)
    checks.check_fields(kernel["pipes"], _PIPE_FIELDS, f"{version}.pipes")
    for stall in kernel["stalls"]:
        checks.check_fields(stall, _STALL_FIELDS, f"{version}.stalls")
    if kernel["limit"] is not None:
        checks.check_fields(kernel["limit"], _LIMIT_FIELDS, f"{version}.limit")


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
