"""Profiles as tables."""

from suite import markdown, numerals
from suite.documents.profile import PIPES, TITLES, limit_title
from suite.render import tables

GUIDE = "https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#metrics-decoder"

ABOUT_LIMIT = """The limit is the busiest unit (issue slots or a pipe). Limit, compute (SM) and memory throughput are shares
of the maximum of the whole GPU during the kernel. IPC is instructions per cycle in which an SM had work, of the most
possible. Active lanes are thread instructions per warp instruction, of 32."""

ABOUT_PIPES = f"""Shares of the maximum of the whole GPU during the kernel. FMA is the mean of FMA heavy (float and integer
multiply-add) and FMA lite (float alone) on a GPU that has both. In brackets: a stall's share of the time between two
instructions of a warp. A warp that was "not selected" could have issued, but another one did. Terms:
[Kernel Profiling Guide]({GUIDE})."""

ABOUT_MEMORY = """Used bytes: how many of the 32 bytes of each sector the loads and stores of global memory touch."""


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


def source_line(context):
    return f"Counted by Nsight Compute {markdown.one_line(context['ncu'])} in one launch of each version, clocks not locked."


def table(columns, kernels):
    """A Markdown table; columns are (title, alignment, cell of a kernel)."""
    titles, alignments, cells = zip(*columns)
    return markdown.table(titles, alignments, [tables.cells_of(kernel, cells) for kernel in kernels])


# Cells


def name(kernel):
    return markdown.one_line(f"{kernel['version']}: {kernel['kernel']}")


def limit(kernel):
    found = kernel["limit"]
    return f"{limit_title(found)} {found['pct']:.1f} %" if found else markdown.NONE


def ipc(kernel):
    most = kernel["ipc_max"]
    return markdown.shown(kernel["ipc"], "{:.2f}") + ("" if most is None else f" of {most:g}")


def pipe(key):
    return lambda kernel: markdown.shown(kernel["pipes"][key], "{:.1f}")


def stalls(kernel):
    found = [f"{stall['reason'].replace('_', ' ')} ({100 * stall['share']:.0f} %)" for stall in kernel["stalls"]]
    return markdown.one_line(", ".join(found)) or markdown.NONE


def dram(kernel):
    """Bytes of DRAM traffic to three digits, in the largest unit that leaves at least one of them."""
    size = kernel["dram_bytes"]
    if size is None:
        return markdown.NONE
    unit, scale = next((pair for pair in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)) if size >= pair[1]), ("bytes", 1))
    return f"{numerals.three_digits(size / scale)} {unit}"


def field(key, form):
    return lambda kernel: markdown.shown(kernel[key], form)

LEFT, RIGHT = markdown.LEFT, markdown.RIGHT
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
    *((f"{TITLES[key]} (%)", RIGHT, pipe(key)) for key in PIPES),
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
