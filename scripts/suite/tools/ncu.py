"""Nsight Compute: the metrics to request, the parser of ncu's output, and the rows of a profile.

The metrics are explained in the Kernel Profiling Guide (chapter "Metrics Decoder",
<https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#metrics-decoder>).
Rows follow these rules:

- "fma" is a logical pipe of two physical pipes: "fmaheavy" (float and integer
  multiply-add) and "fmalite" (float only). Its utilisation is their mean, so the
  busier of the two limits a kernel. Compute capability 7.5 and 8.0 have one pipe:
  "fma" has its utilisation, and the other two are null.
- The utilisation of a pipe comes from its active cycles if ncu counts them, because
  some instructions take a pipe for several cycles (IMAD.WIDE takes FMA heavy for
  two). For XU and LSU ncu counts only instructions.
- Shared memory and L1 share a data pipe, so their utilisations add up to 100 % at most: "shared memory" has the accesses of
  shared memory, "L1" those of global and local memory.
- Utilisations are shares of all cycles of the whole GPU, as in ncu's section "Compute
  Workload Analysis": a kernel that leaves 131 of 132 SMs idle is far from any limit.
  Instructions per cycle, occupancy and L1 throughput are relative to the cycles in
  which an SM had work, as in ncu.
- Instructions by class are those of threads whose predicate was true, so they may add up to fewer than all thread
  instructions. ncu counts them by changing the code of the kernel, one more time that it runs.
- The share of a stall reason is relative to the time between two instructions of a
  warp, as in ncu's rule for warp stalls. All states add up to that time. "selected"
  (issuing) is the only state that is no stall. "not_selected" counts as a stall: the
  warp could have issued, but another warp did.
"""

import csv
import re
from typing import NamedTuple

from suite.documents import schema
from suite.documents.profile import CLASSES, ISSUE_SLOTS, PIPES
from suite.processes import ProgramError

# Issue slots and pipes, and the metrics for their utilisation, the best first.
_UTILISATIONS = {
    ISSUE_SLOTS: ("sm__inst_issued", "sm__issue_active"),
    "alu": ("sm__pipe_alu_cycles_active", "sm__inst_executed_pipe_alu"),
    "fma": ("sm__pipe_fma_cycles_active", "sm__inst_executed_pipe_fma"),
    "fmaheavy": ("sm__pipe_fmaheavy_cycles_active", "sm__inst_executed_pipe_fmaheavy"),
    "fmalite": ("sm__pipe_fmalite_cycles_active", "sm__inst_executed_pipe_fmalite"),
    "xu": ("sm__inst_executed_pipe_xu",),
    "lsu": ("sm__inst_executed_pipe_lsu",),
    "tensor": ("sm__pipe_tensor_cycles_active", "sm__inst_executed_pipe_tensor"),
}

# The fields of a row and their sources, the best first. A source is a list of metrics; the field is their sum.
_SOURCES = {
    "duration_ms": [["gpu__time_duration.sum"]],
    "compute_throughput_pct": [["sm__throughput.avg.pct_of_peak_sustained_elapsed"]],
    "memory_throughput_pct": [["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"]],
    "achieved_occupancy_pct": [["sm__warps_active.avg.pct_of_peak_sustained_active"]],
    "waves_per_sm": [["launch__waves_per_multiprocessor"]],
    "registers": [["launch__registers_per_thread"]],
    "ipc": [["sm__inst_executed.avg.per_cycle_active"]],
    "ipc_max": [["sm__inst_executed.avg.peak_sustained"], ["device__attribute_max_ipc_per_multiprocessor"]],
    "shared_throughput_pct": [["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed"]],
    "l1_data_pct": [
        ["l1tex__data_pipe_lsu_wavefronts_mem_lgds.sum.pct_of_peak_sustained_elapsed"],
        ["l1tex__data_pipe_lsu_wavefronts_mem_lg.sum.pct_of_peak_sustained_elapsed"],  # before Hopper
    ],
    "l2_tags_pct": [["lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed"]],
    "l2_atomics_pct": [["lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed"]],
    "l1_throughput_pct": [["l1tex__throughput.avg.pct_of_peak_sustained_active"]],
    "dram_throughput_pct": [["dram__bytes.sum.pct_of_peak_sustained_elapsed"]],
    "dram_bytes": [
        ["dram__bytes_read.sum", "dram__bytes_write.sum"],
        ["dram__bytes_op_read.sum", "dram__bytes_op_write.sum"],
        ["dram__bytes.sum"],
    ],
    "bytes_per_sector": [["smsp__sass_average_data_bytes_per_sector_mem_global.ratio"]],
    "divergent_branches": [["smsp__sass_branch_targets_threads_divergent.sum"]],
    "thread_instructions": [["smsp__thread_inst_executed.sum"], ["thread_inst_executed"]],
    **{f"{name} instructions": [[f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"]] for name in CLASSES},
    "active_lanes": [
        ["smsp__average_thread_inst_executed_per_inst_executed.ratio"],
        ["smsp__thread_inst_executed_per_inst_executed.ratio"],
    ],
    **{
        name: [[f"{base}.avg.pct_of_peak_sustained_elapsed"] for base in bases] for name, bases in _UTILISATIONS.items()
    },
}

# Resources that can limit the number of blocks on an SM.
_LIMITERS = {
    "registers": "launch__occupancy_limit_registers",
    "shared memory": "launch__occupancy_limit_shared_mem",
    "warps": "launch__occupancy_limit_warps",
    "blocks": "launch__occupancy_limit_blocks",
}

_STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active(?:\.ratio)?")
_NO_STALL = "selected"
_CYCLES_PER_INSTRUCTION = "smsp__average_warp_latency_per_inst_issued.ratio"
_STALLS_LISTED = 3


class Kernel(NamedTuple):
    """A profiled kernel. Values are numbers: times in ms, sizes in bytes, others in ncu's units."""

    name: str
    blocks: int | None
    threads: int | None
    values: dict


# Requesting metrics


def tool_version(text):
    """The version in the output of `ncu --version`, such as 2025.3.1.0."""
    found = re.search(r"^Version (\S+)", text, re.MULTILINE)
    return found[1] if found else "unknown"


def known_metrics(text):
    """The metrics in the output of `ncu --query-metrics`: base names, without suffixes such as .sum."""
    return set(re.findall(r"^(\S+__\S+) +(?:Counter|Ratio|Throughput)\b", text, re.MULTILINE))


def metrics_to_request(known):
    """The metrics for a profile, from those that this ncu knows for this device.

    --query-metrics does not list metrics without a counter: launch__ and device__. If known is empty because ncu gave
    no list, the first source of each field is requested.
    """
    sources = [source for alternatives in _SOURCES.values() for source in _first_known(alternatives, known)]
    return list(dict.fromkeys([*sources, *_LIMITERS.values(), *_stall_metrics(known)]))


def missing_fields(known):
    """The fields without a source in this ncu on this device."""
    return [field for field, alternatives in _SOURCES.items() if not _first_known(alternatives, known)]


def _first_known(alternatives, known):
    """The first source with only known metrics, or an empty one."""
    for source in alternatives:
        if not known or all(
            metric.startswith(("launch__", "device__")) or metric.partition(".")[0] in known for metric in source
        ):
            return source
    return []


def _stall_metrics(known):
    names = sorted(name for name in known if _STALL.fullmatch(name))
    wanted = [f"{name}.ratio" for name in names if not _is_part_of_another(name, names)]
    return [*wanted, _CYCLES_PER_INSTRUCTION] if wanted else []


def _is_part_of_another(name, names):
    """Whether this reason, such as mio_throttle_pipe_mio, is part of a broader one, such as mio_throttle."""
    reason = _STALL.fullmatch(name)[1]
    return any(reason.startswith(f"{_STALL.fullmatch(other)[1]}_") for other in names)


# Parsing


def complaint(text):
    """ncu's last error message, or ""."""
    errors = re.findall(r"^==ERROR== +(.+)", text, re.MULTILINE)
    return errors[-1].strip() if errors else ""


def parse(text):
    """The kernels in the output of `ncu --csv --page raw`, in launch order."""
    lines = text.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith('"ID",')), None)
    if start is None:
        raise ProgramError(complaint(text) or "no table in ncu's output")
    table = [line for line in lines[start:] if line.startswith('"')]
    try:
        names, *rows = csv.reader(table, strict=True)
    except csv.Error:  # a quote that is not closed
        rows = [[]]
    if len(rows) < 2 or any(len(row) != len(names) for row in rows) or not table[-1].endswith('"'):
        raise ProgramError("ncu's output breaks off within its table")
    units, *kernels = rows
    return [_kernel(names, units, row) for row in kernels]


def _kernel(names, units, row):
    cells = dict(zip(names, row))
    return Kernel(
        name=short_name(cells.get("Kernel Name", "")),
        blocks=_volume(cells.get("Grid Size")),
        threads=_volume(cells.get("Block Size")),
        values={name: _value(cell, unit) for name, unit, cell in zip(names, units, row)},
    )


def short_name(signature):
    """A kernel's name without return type, namespace, template arguments and parameters."""
    text = signature.replace("(anonymous namespace)::", "")
    while re.search(r"<[^<>]*>", text):
        text = re.sub(r"<[^<>]*>", "", text)
    return text.partition("(")[0].split("::")[-1].split(" ")[-1] or signature


def _volume(text):
    """The product of a shape such as (1024, 1, 1)."""
    sizes = re.findall(r"\d+", (text or "").replace(",", " "))
    if len(sizes) != 3:
        return None
    return int(sizes[0]) * int(sizes[1]) * int(sizes[2])


def _value(cell, unit):
    """A cell's number, with times in ms and sizes in bytes; None if it is no number."""
    number = _number(cell)
    if number is None:
        return None
    time = re.fullmatch(r"([num]?)s(?:econd)?", unit)
    if time:
        return number / {"n": 1e6, "u": 1e3, "m": 1, "": 1e-3}[time[1]]
    size = re.fullmatch(r"([KMGT]?)byte(?:/block)?", unit)
    return number * {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}[size[1]] if size else number


def _number(cell):
    text = cell.replace(",", "")
    if not re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text):
        return None  # empty, "nan", "n/a", a word
    return int(text) if text.lstrip("-").isdigit() else float(text)


# Rows


def rows(run, output):
    """A row for each kernel of a version, from the record of the profiled run and ncu's output.

    A set-up kernel comes first and draws no samples. Of one name the longest counts, with its share of the work.
    """
    kernels = parse(output)
    set_up = 1 if "seed" in run["phases_ms"] and len(kernels) > 1 else 0
    names = [kernel.name for kernel in kernels[set_up:]]
    rows = [_row(kernel, run, None) for kernel in kernels[:set_up]]
    rows += [_row(kernel, run, run["work"] // names.count(kernel.name)) for kernel in kernels[set_up:]]
    longest = {row["kernel"]: row for row in sorted(rows, key=lambda row: row["duration_ms"] or 0)}
    return [longest[name] for name in dict.fromkeys(row["kernel"] for row in rows)]


def _row(kernel, run, samples):
    figures = {field: _figure(kernel.values, alternatives) for field, alternatives in _SOURCES.items()}
    found = figures | {
        "version": run["version"],
        "kernel": kernel.name,
        "iters": run["iters"],
        "blocks": kernel.blocks or run["blocks"],
        "threads": kernel.threads or run["threads"],
        "samples": samples,
        "block_limiter": _block_limiter(kernel.values),
        "issue_pct": figures[ISSUE_SLOTS],
        "pipes": {pipe: figures[pipe] for pipe in PIPES},
        "stalls": _stalls(kernel.values),
        "bytes_per_sector": figures["bytes_per_sector"] or None,  # 0: no access at all
        "thread_instructions_per_sample": _per(figures["thread_instructions"], samples),
        "instructions_by_class": {name: _per(figures[f"{name} instructions"], samples) for name in CLASSES},
    }
    return {field: found[field] for field in schema.definitions()["kernel"]["properties"] if field in found}


def _per(count, samples):
    """A count for a unit of work; None where either is not known, or nothing was drawn."""
    return round(count / samples, 3) if count is not None and samples else None


def _figure(values, alternatives):
    """The value of the first source with all metrics present, or None."""
    for source in alternatives:
        numbers = [values.get(metric) for metric in source]
        if None not in numbers:
            return sum(numbers)
    return None


def _block_limiter(values):
    """The resource that limits the blocks on an SM. Resources with equal limits are joined by "and"."""
    limits = {name: values.get(metric) for name, metric in _LIMITERS.items() if values.get(metric) is not None}
    least = min(limits.values(), default=None)
    return " and ".join(name for name, limit in limits.items() if limit == least) or None


def _stalls(values):
    """The largest stall reasons, with their shares of the time between two instructions of a warp."""
    states = {_STALL.fullmatch(name)[1]: value for name, value in values.items() if value and _STALL.fullmatch(name)}
    total = values.get(_CYCLES_PER_INSTRUCTION) or sum(states.values())
    reasons = sorted((-value, reason) for reason, value in states.items() if reason != _NO_STALL)
    return [{"reason": reason, "share": round(-value / total, 3)} for value, reason in reasons[:_STALLS_LISTED]]
