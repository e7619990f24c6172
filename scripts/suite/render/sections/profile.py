"""What limits each step: the tables of its profile, and the chart of its units."""

from collections import Counter

from suite import markdown, numerals
from suite.documents import records
from suite.documents.profile import CLASSES, ISSUE_SLOTS, MEMORIES, kernels_of, limit_of, limit_title, utilisation
from suite.markdown import LEFT, RIGHT
from suite.render import cells, sources

HEADING = "What limits each step"

GUIDE = "https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#metrics-decoder"

ABOUT_LIMIT = """--iters is what a thread draws. The limit is the busiest unit: issue slots, a pipe or a memory. Limit, compute (SM) and memory throughput are shares
of the maximum of the whole GPU during the kernel. IPC is the instructions of an SM per cycle in which it
had work; after "of" stands the most possible. Active lanes are thread instructions per warp instruction, at most 32."""

ABOUT_PARTS = """ Of a kernel that a launch starts several times, once for each part of its samples, one start was counted, and divided
by all samples."""

ABOUT_STALLS = f"""In brackets: the share of a stall in the time between two instructions of a warp. A warp that was "not selected" could have issued, but another one did. Terms:
[Kernel Profiling Guide]({GUIDE})."""

ABOUT_MEMORY = """Shared memory and L1 share a data pipe, so they add up to 100 % at most; "shared memory" stands for its own
accesses, "L1" for those of global and local memory. A share above 100 % is that of a kernel of a few microseconds, whose counters
come from several runs. Used bytes: of the 32 bytes of each sector, those that loads and stores of global memory touch."""


ABOUT_CLASSES = """Thread instructions per {unit} by class, as Nsight Compute sorts opcodes. A thread whose predicate was false does not
count."""


def section(device, site):
    """The tables of the profile, each with its explanation: a row a kernel."""
    if device.profile is None:
        return []
    kernels, ncu = device.profile["kernels"], markdown.escaped(device.profile["context"]["ncu"])
    source = f"Nsight Compute {ncu} counted one launch of each version. Clocks were not locked."
    return [
        f"{source} {sources.data(device, 'profile')}",
        folded(
            "Limits", limit_columns(site.ladder), kernels, ABOUT_LIMIT + (ABOUT_PARTS if site.ladder.phases else "")
        ),
        folded("Stalls", [NAME, ("Largest stalls", LEFT, stalls)], kernels, ABOUT_STALLS),
        folded("Memory", memory_columns(kernels), kernels, ABOUT_MEMORY),
        *classes(kernels_of(device.profile), site.ladder),
    ]


def folded(title, columns, kernels, about, **words):
    """A table of kernels with its explanation."""
    return markdown.folded(title, "\n\n".join([cells.table_of_rows(columns, kernels), sources.filled(about, **words)]))


def classes(kernels, ladder):
    """The instructions of each kernel by class, where they were counted."""
    counted = [kernel for kernel in kernels if any(kernel["instructions_by_class"].values())]
    found = [name for name in CLASSES if any(kernel["instructions_by_class"][name] for kernel in counted)]
    columns = [NAME, *((capitalised(CLASSES[name]), RIGHT, of_class(name)) for name in found)]
    return [folded("Instructions by class", columns, counted, ABOUT_CLASSES, unit=ladder.unit)] if counted else []


def of_class(name):
    return lambda kernel: markdown.shown(kernel["instructions_by_class"][name], "{:,.2f}")


# Cells


def name(kernel):
    return markdown.escaped(f"{kernel['version']}: {kernel['kernel']}")


def limit(kernel):
    found = limit_of(kernel)
    return f"{limit_title(found)} {found['pct']:.1f} %" if found else markdown.NONE


def ipc(kernel):
    most = kernel["ipc_max"]
    return markdown.shown(kernel["ipc"], "{:.2f}") + ("" if most is None else f" of {most:g}")


def stalls(kernel):
    found = [f"{stall['reason'].replace('_', ' ')} ({100 * stall['share']:.0f} %)" for stall in kernel["stalls"]]
    return markdown.escaped(", ".join(found)) or markdown.NONE


def dram(kernel):
    """Bytes of DRAM traffic to three digits, in the largest unit that leaves at least one of them."""
    size = kernel["dram_bytes"]
    if size is None:
        return markdown.NONE
    unit, scale = next((pair for pair in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)) if size >= pair[1]), ("bytes", 1))
    return f"{numerals.three_digits(size / scale)} {unit}"


def field(key, form):
    return lambda kernel: markdown.shown(kernel.get(key), form)


# Columns

NAME = ("Kernel", LEFT, name)


def limit_columns(ladder):
    return [
        NAME,
        ("--iters", RIGHT, field("iters", "{:,}")),
        ("Time (ms)", RIGHT, field("duration_ms", "{:,.3f}")),
        ("Limit", LEFT, limit),
        ("Compute (SM) (%)", RIGHT, field("compute_throughput_pct", "{:.1f}")),
        ("Memory (%)", RIGHT, field("memory_throughput_pct", "{:.1f}")),
        ("IPC", RIGHT, ipc),
        (f"Thread instructions per {ladder.unit}", RIGHT, field("thread_instructions_per_sample", "{:,.2f}")),
        ("Active lanes", RIGHT, field("active_lanes", "{:.1f}")),
    ]


def memory_columns(kernels):
    """Memories without a figure of any kernel have no column."""
    memories = [
        (name, figure) for name, figure in MEMORIES.items() if any(kernel.get(figure) is not None for kernel in kernels)
    ]
    return [
        NAME,
        ("Registers", RIGHT, field("registers", "{}")),
        ("Blocks of an SM limited by", LEFT, field("block_limiter", "{}")),
        ("Waves per SM", RIGHT, field("waves_per_sm", "{:.2f}")),
        ("Achieved occupancy (%)", RIGHT, field("achieved_occupancy_pct", "{:.1f}")),
        ("L1 unit (%)", RIGHT, field("l1_throughput_pct", "{:.1f}")),
        *((f"{capitalised(name)} (%)", RIGHT, field(figure, "{:.1f}")) for name, figure in memories),
        ("DRAM", RIGHT, dram),
        ("Used bytes per sector", RIGHT, field("bytes_per_sector", "{:.3g}")),
        ("Divergent branches", RIGHT, field("divergent_branches", "{:,}")),
    ]


# Chart

SHORT = 0.02  # of a step's time
IDLE_PCT, LATENCY_PCT = 5, 40  # a unit that is not drawn, and one whose kernel mostly waits
RANGE = 6  # of the times on the axis
UNITS = {
    "issue slots": (ISSUE_SLOTS,), "ALU": ("alu",), "FMA": ("fma", "fmaheavy", "fmalite"), "XU": ("xu",), "tensor": ("tensor",),
    "memory": ("lsu", *MEMORIES),
}  # fmt: skip


def chart(device, site):
    """The time of a unit of work in each step, and for how much of it the units of the GPU are busy; None without a profile."""
    rates = {version: rate["median"] for version, rate in cells.rates_of(device.result["runs"]).items()}
    kernels = long_kernels(kernels_of(device.profile), rates) if device.profile else []
    rows = [
        bar(kernel, label, kernel["share"] * 1e3 / rates[kernel["version"]])
        for kernel, label in zip(kernels, labels(kernels))
    ]
    if not any(row["busy"] for row in rows):
        return None
    shortest, unit = min(row["time"] for row in rows), site.ladder.unit
    longest = max(row["time"] for row in rows if row["time"] <= RANGE * shortest)
    cut = " A bar with a gap is longer than drawn." if any(row["time"] > longest for row in rows) else ""
    return {
        "chart": "units",
        "title": sources.chart_title(site.ladder, device.name, f"where the time of a {unit} goes"),
        "note": f"Coloured: for how much of the time a unit is busy; of FMA and memory the busiest part.{cut} "
        f"Latency: none is busy for {LATENCY_PCT} %, the kernel waits.",
        "unit": unit,
        "rows": rows,
        "longest": longest,
    }


def bar(kernel, label, time):
    busy, limit = utilisation(kernel), limit_of(kernel)
    most = {name: max(busy[part] or 0 for part in parts) for name, parts in UNITS.items()}
    is_busy = limit and limit["pct"] >= LATENCY_PCT
    text = f"{limit_title(limit)} {numerals.percent_text(limit['pct'])} %" if is_busy else "latency"
    return {
        "label": label,
        "time": numerals.six_digits(time),
        "text": f"{numerals.three_digits(time)} ps: {text}",
        "busy": {name: pct for name, pct in most.items() if pct >= IDLE_PCT},
    }


def long_kernels(kernels, rates):
    """Those of steps that take a part of their step's time that matters, with that part; without the set-up of generators."""
    own = [row for row in kernels if row["version"] in rates and row["samples"] is not None]
    times = records.grouped((row["version"], row["duration_ms"] or 0) for row in own)
    whole = [sum(times[row["version"]]) for row in own]
    shared = [row | {"share": (row["duration_ms"] or 0) / total if total else 1} for row, total in zip(own, whole)]
    return [row for row in shared if row["share"] >= SHORT]


def labels(kernels):
    """The version of each kernel, with its name if several kernels of the version are shown."""
    several = Counter(row["version"] for row in kernels)
    return [f"{row['version']} {row['kernel']}" if several[row["version"]] > 1 else row["version"] for row in kernels]


def capitalised(text):
    return text[0].upper() + text[1:]
