"""Profiles, <ladder>-profile.json: what Nsight Compute counted, a row a kernel, and what limits a version.

suite/tools/ncu.py says what the figures mean.
"""

from suite.documents import records

ISSUE_SLOTS = "issue slots"
# Memories, and the figure of each.
MEMORIES = {
    "shared memory": "shared_throughput_pct",
    "L1": "l1_data_pct",
    "L2 tags": "l2_tags_pct",
    "L2 atomics": "l2_atomics_pct",
    "DRAM": "dram_throughput_pct",
}
# Issue slots and pipes, which instructions compete for, and memories, as tables have it.
TITLES = {
    ISSUE_SLOTS: "issue slots",
    "alu": "ALU",
    "fma": "FMA",
    "fmaheavy": "FMA heavy",
    "fmalite": "FMA lite",
    "xu": "XU",
    "lsu": "LSU",
    "tensor": "Tensor",
} | {name: name for name in MEMORIES}
# Classes of instructions, as Nsight Compute sorts opcodes, and as tables have them.
CLASSES = {
    "integer": "integer",
    "bit": "bits",
    "fp16": "half",
    "fp32": "float",
    "fp64": "double",
    "conversion": "conversion",
    "memory": "memory",
    "control": "control",
    "inter_thread_communication": "between threads",
    "uniform": "uniform",
    "misc": "other",
}
PIPES = tuple(name for name in TITLES if name != ISSUE_SLOTS and name not in MEMORIES)


# What a profile says


def kernels_of(document):
    """What was counted, a row a kernel."""
    return records.succeeded(document["kernels"])


def limit_of(kernel):
    """What limits a kernel: the busiest unit, by name and percentage; None if nothing is known."""
    known = {name: pct for name, pct in utilisation(kernel).items() if pct is not None}
    name = max(known, key=known.get, default=None)
    return {"name": name, "pct": known[name]} if known else None


def utilisation(kernel):
    """How busy each unit was, in percent; None where Nsight Compute did not say."""
    memories = {name: kernel.get(figure) for name, figure in MEMORIES.items()}
    return {ISSUE_SLOTS: kernel["issue_pct"]} | {name: kernel["pipes"][name] for name in PIPES} | memories


def main_kernel(document, version):
    """The kernel that takes most of a version's time: the longest of those that draw samples; None if none was counted."""
    kernels = [row for row in kernels_of(document) if row["version"] == version and row["samples"] is not None]
    return max(kernels, key=lambda row: row["duration_ms"] or 0, default=None)


def limit_title(limit):
    """The name of a limit as tables have it: "FMA heavy" for fmaheavy."""
    return TITLES.get(limit["name"], limit["name"])
