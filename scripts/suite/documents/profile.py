"""Profiles, <ladder>-profile.json: what Nsight Compute counted, a row a kernel, and what limits a version.

A profile has the head of a result, with ncu's version in the context, and
kernels. suite/measure/ncu.py says what the figures mean.
"""

from suite.documents import checks
from suite.documents.checks import COUNT, LIST, NUMBER, TEXT, Maybe, Value, filled, or_failed
from suite.documents.document import CONTEXT, DEVICE, Document
from suite import naming

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

# What Nsight Compute gives as a number, or not: no GPU counts everything.
FIGURES = (
    "duration_ms", "compute_throughput_pct", "memory_throughput_pct", "achieved_occupancy_pct", "waves_per_sm", "registers",
    "ipc", "ipc_max", "issue_pct", "shared_throughput_pct", "l1_throughput_pct", "dram_bytes", "bytes_per_sector",
    "divergent_branches", "thread_instructions", "thread_instructions_per_sample", "active_lanes",
)
YOUNGER = ("dram_throughput_pct", "l1_data_pct", "l2_tags_pct", "l2_atomics_pct")  # figures that older profiles lack  # fmt: skip
COUNTED = Value("a step or an ablation", lambda value: naming.is_version(value) and not value.startswith("cpu_"))
KERNEL = {
    "version": COUNTED, "kernel": TEXT, "iters": COUNT, "blocks": COUNT, "threads": COUNT, "samples": Maybe(COUNT),
    "block_limiter": Maybe(TEXT), "pipes": dict.fromkeys(PIPES, Maybe(NUMBER)),
    "stalls": [{"reason": TEXT, "share": NUMBER}],
    "instructions_by_class?": dict.fromkeys(CLASSES, Maybe(NUMBER)),  # per unit of work; older profiles have none
} | dict.fromkeys((*FIGURES, *(f"{name}?" for name in YOUNGER)), Maybe(NUMBER))  # fmt: skip
DOCUMENT = Document(
    "kernels", or_failed(KERNEL, checks.FAILED | {"version": COUNTED}), key=("version", "kernel"),
    fields={"context": CONTEXT | {"device": DEVICE, "ncu": TEXT}, "kernels": filled(LIST)},
)  # fmt: skip


# What a profile says


def kernels_of(document):
    """What was counted, a row a kernel."""
    return checks.succeeded(document["kernels"])


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
