"""Profiles, profile.json: read and check them, turn them into tables, and say what limits a version.

A profile has the head of a result, with ncu's version in the context, and
kernels, a row each. scripts/profile writes it; ncu.py says what its figures are.
"""

import ncu
import results
import tables

GUIDE = "https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#metrics-decoder"

TITLES = {
    ncu.ISSUE_SLOTS: "issue slots",
    "alu": "ALU",
    "fma": "FMA",
    "fmaheavy": "FMA heavy",
    "fmalite": "FMA lite",
    "xu": "XU",
    "lsu": "LSU",
    "tensor": "Tensor",
}

ABOUT_LIMIT = """The limit is the busiest unit (issue slots or a pipe). Limit, compute (SM) and memory throughput are shares
of the maximum of the whole GPU during the kernel. IPC is instructions per cycle in which an SM had work, of the most
possible. Active lanes are thread instructions per warp instruction, of 32."""

ABOUT_PIPES = f"""Shares of the maximum of the whole GPU during the kernel. FMA is the mean of FMA heavy (float and integer
multiply-add) and FMA lite (float alone) on a GPU that has both. In brackets: a stall's share of the time between two
instructions of a warp. A warp that was "not selected" could have issued, but another one did. Terms:
[Kernel Profiling Guide]({GUIDE})."""

ABOUT_MEMORY = """Used bytes: how many of the 32 bytes of each sector the loads and stores of global memory touch."""

_COUNT = (int,)
_TEXT = (str,)
_NUMBER = (int, float)
_ABSENT = (type(None),)
_FIGURE = _NUMBER + _ABSENT

_KERNEL_FIELDS = {
    "version": _TEXT, "kernel": _TEXT, "iters": _COUNT, "blocks": _COUNT, "threads": _COUNT,
    "samples": _COUNT + _ABSENT, "block_limiter": _TEXT + _ABSENT, "pipes": (dict,), "stalls": (list,),
    "limit": (dict, *_ABSENT),
} | dict.fromkeys([*ncu.FIGURES, "issue_pct", "thread_instructions_per_sample"], _FIGURE)  # fmt: skip
_PIPE_FIELDS = dict.fromkeys(ncu.PIPES, _FIGURE)
_STALL_FIELDS = {"reason": _TEXT, "share": _NUMBER}
_LIMIT_FIELDS = {"name": _TEXT, "pct": _NUMBER}


# Reading


def load(path):
    """Read and check the profile at path."""
    return results.load(path, check)


def check(document):
    """Refuse what is no profile. Any figure may be null: not every GPU counts everything."""
    results.check_head(document, "kernels")
    results.check_fields(document["context"], {"device": (dict,), "ncu": _TEXT}, "context")
    if not document["kernels"]:
        raise results.ResultError("holds no kernels")
    for kernel in document["kernels"]:
        check_kernel(kernel)
    results.check_unique(document["kernels"], "version", "kernel")


def check_kernel(kernel):
    results.check_fields(kernel, {"version": _TEXT}, "a kernel")
    version = kernel["version"]
    if not results.is_step(kernel):
        raise results.ResultError(f"a kernel has the unknown kind of version '{tables.one_line(version)}'")
    if results.has_failed(kernel):
        results.check_failed(kernel)
        return
    results.check_fields(kernel, _KERNEL_FIELDS, version)
    results.check_fields(kernel["pipes"], _PIPE_FIELDS, f"{version}.pipes")
    for stall in kernel["stalls"]:
        results.check_fields(stall, _STALL_FIELDS, f"{version}.stalls")
    if kernel["limit"] is not None:
        results.check_fields(kernel["limit"], _LIMIT_FIELDS, f"{version}.limit")


# What a profile says


def sections(document):
    """The tables of a profile, each with its explanation, as parts of a page: a row a kernel."""
    kernels = document["kernels"]
    return [
        source_line(document["context"]),
        table(LIMIT_COLUMNS, kernels),
        ABOUT_LIMIT,
        table(PIPE_COLUMNS, kernels),
        ABOUT_PIPES,
        table(MEMORY_COLUMNS, kernels),
        ABOUT_MEMORY,
    ]


def kernels_of(document):
    """What was counted, a row a kernel."""
    return results.succeeded(document["kernels"])


def limit_of(document, version):
    """What limits a version: name and percentage; None if that is not known.

    Of several kernels the longest of those that draw samples counts.
    """
    kernels = [row for row in kernels_of(document) if row["version"] == version and row["samples"] is not None]
    return max(kernels, key=lambda row: row["duration_ms"] or 0)["limit"] if kernels else None


def limit_title(limit):
    """The name of a limit as tables have it: "FMA heavy" for fmaheavy."""
    return TITLES.get(limit["name"], limit["name"])


def source_line(context):
    return f"Counted by Nsight Compute {tables.one_line(context['ncu'])} in one launch of each version, clocks not locked."


def table(columns, kernels):
    """A Markdown table; columns are (title, alignment, cell of a kernel)."""
    titles, alignments, cells = zip(*columns)
    return tables.markdown(titles, alignments, [tables.cells_of(kernel, cells) for kernel in kernels])


# Cells


def name(kernel):
    return tables.one_line(f"{kernel['version']}: {kernel['kernel']}")


def limit(kernel):
    found = kernel["limit"]
    return f"{limit_title(found)} {found['pct']:.1f} %" if found else tables.NONE


def ipc(kernel):
    most = kernel["ipc_max"]
    return tables.shown(kernel["ipc"], "{:.2f}") + ("" if most is None else f" of {most:g}")


def pipe(key):
    return lambda kernel: tables.shown(kernel["pipes"][key], "{:.1f}")


def stalls(kernel):
    found = [f"{stall['reason'].replace('_', ' ')} ({100 * stall['share']:.0f} %)" for stall in kernel["stalls"]]
    return tables.one_line(", ".join(found)) or tables.NONE


def dram(kernel):
    """Bytes of DRAM traffic to three digits, in the largest unit that leaves at least one of them."""
    size = kernel["dram_bytes"]
    if size is None:
        return tables.NONE
    unit, scale = next((pair for pair in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)) if size >= pair[1]), ("bytes", 1))
    return f"{tables.three_digits(size / scale)} {unit}"


def field(key, form):
    return lambda kernel: tables.shown(kernel[key], form)


LEFT, RIGHT = tables.LEFT, tables.RIGHT
NAME = ("Kernel", LEFT, name)

LIMIT_COLUMNS = [
    NAME,
    ("Samples per thread", RIGHT, field("iters", "{:,}")),
    ("Time (ms)", RIGHT, field("duration_ms", "{:.3f}")),
    ("Limit", LEFT, limit),
    ("Compute (SM) (%)", RIGHT, field("compute_throughput_pct", "{:.1f}")),
    ("Memory (%)", RIGHT, field("memory_throughput_pct", "{:.1f}")),
    ("IPC", RIGHT, ipc),
    ("Thread instructions per sample", RIGHT, field("thread_instructions_per_sample", "{:,.2f}")),
    ("Active lanes", RIGHT, field("active_lanes", "{:.1f}")),
]

PIPE_COLUMNS = [
    NAME,
    ("Issue slots (%)", RIGHT, field("issue_pct", "{:.1f}")),
    *((f"{TITLES[key]} (%)", RIGHT, pipe(key)) for key in ncu.PIPES),
    ("Largest stalls", LEFT, stalls),
]

MEMORY_COLUMNS = [
    NAME,
    ("Registers", RIGHT, field("registers", "{}")),
    ("Blocks of an SM limited by", LEFT, field("block_limiter", "{}")),
    ("Waves per SM", RIGHT, field("waves_per_sm", "{:.2f}")),
    ("Achieved occupancy (%)", RIGHT, field("achieved_occupancy_pct", "{:.1f}")),
    ("Shared memory (%)", RIGHT, field("shared_throughput_pct", "{:.1f}")),
    ("L1 (%)", RIGHT, field("l1_throughput_pct", "{:.1f}")),
    ("DRAM", RIGHT, dram),
    ("Used bytes per sector", RIGHT, field("bytes_per_sector", "{:.3g}")),
    ("Divergent branches", RIGHT, field("divergent_branches", "{:,}")),
]
