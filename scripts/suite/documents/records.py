"""What programs record: runs that failed, documents of one build merged, what is kept of a run, and what it says."""

import decimal
import itertools
import json
import re
import statistics

from suite import numerals, order_statistics
from suite.documents.schema import ResultError
from suite.processes import NO_GPU, Lacking

SHARED_CONTEXT = ("commit", "dirty", "host", "compiler", "flags", "device", "driver", "runtime")

DIGITS = 9  # that are kept of a run beside the ladder

# What a study keeps of a run, besides what it needs of its outcome.
KEPT = (
    "version", "title", "generator", "soundness", "blocks", "threads", "iters", "work", "launches", "batch", "stopped", "call", "kernel_ms",
    "phases_ms", "per_ns", "team", "problem", "sm_clock_mhz", "throttle", "warnings",
)  # fmt: skip
COMPARED_TAIL = 0.0125  # error probability of each bound of a rate that is compared with another

# Warps that a multiprocessor holds at most, by compute capability: CUDA C++ Programming Guide, "Technical Specifications per
# Compute Capability".
MOST_WARPS = {
    "7.5": 32,
    **dict.fromkeys(("8.6", "8.7", "8.9", "12.0", "12.1"), 48),
    **dict.fromkeys(("8.0", "9.0", "10.0", "10.3"), 64),
}


def grouped(pairs):
    """The values of each key, in order."""
    found = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


# Rows that failed


def failed_row(version, error):
    """The row of a version that failed, in any document."""
    return {"version": version, "error": str(error)} | ({"exit": NO_GPU} if isinstance(error, Lacking) else {})


def has_failed(row):
    """Whether a row says why there is no result, and not what was measured."""
    return "error" in row


def is_failure(row):
    """Whether it has failed, but for want of a library or of shared memory: a GPU that was lost meanwhile is a failure."""
    return has_failed(row) and (row.get("exit") != NO_GPU or "no usable GPU" in (row["error"] or ""))


def failed_word(row):
    """What tables say of a row that has failed."""
    return "failed" if is_failure(row) else "not run"


def succeeded(rows):
    """The rows of what did not fail."""
    return [row for row in rows if not has_failed(row)]


# Merging


def merge(first, second):
    """The runs of both documents under the context that both share."""
    context = _merge_contexts(first["context"], second["context"], second["runs"][0]["version"])
    return first | {"context": context, "runs": first["runs"] + second["runs"]}


def _merge_contexts(first, second, version):
    if first is None or second is None:
        return first or second
    return first | {field: _agreed(field, first[field], second[field], version) for field in SHARED_CONTEXT}


def _agreed(field, first, second, version):
    """The value both have; null, which CPU programs give for the GPU's facts, gives way to a value."""
    if first is None or second is None:
        return second if first is None else first
    if first != second:
        field, first, second = _difference(field, first, second)
        raise ResultError(
            f"mixed contexts: {field} is {json.dumps(first)} in the runs before {version}, {json.dumps(second)} in it"
        )
    return first


def _difference(field, first, second):
    """Narrow a difference between two records down to the first of their fields that differs."""
    if type(first) is not dict or type(second) is not dict:
        return field, first, second
    name = next(name for name in first | second if first.get(name) != second.get(name))
    return f"{field}.{name}", first.get(name), second.get(name)


# Thinning: what is kept of the times of a run


def of_step(run):
    """What is kept of a run of a ladder: of its phases the median times, and that of the time that no phase has."""
    phases = {name: times for name, times in run["phases_ms"].items() if times}
    if not any(type(times) is list for times in phases.values()):
        return run
    rest = [whole - sum(parts) for whole, *parts in zip(run["kernel_ms"], *phases.values())]
    medians = {name: {"median": statistics.median(times)} for name, times in phases.items()}
    return run | {"phases_ms": medians, "other_ms": round(statistics.median(rest), 9)}


def of_ablation(run):
    """What is kept of a run beside the ladder: also of its launches only the summary, and the trace only if it counts hits."""
    run = of_step(run)
    if type(run["kernel_ms"]) is not list:
        return run
    outcome = run["outcome"] if "hits" in run["outcome"] else run["outcome"] | {"trace": None}
    rate = run["per_ns"] | {"bounds": rate_bounds(run)}
    kept = {name: value for name, value in run.items() if name != "work_of_timings"}
    return to_digits(kept | {"kernel_ms": summary(run["kernel_ms"]), "outcome": outcome}) | {"per_ns": rate}


def of_study(run, options, *kept):
    """What a study stores of a run with these options: the summary of its times, and of its outcome the fields that it needs."""
    row = {name: run[name] for name in KEPT if run.get(name) is not None and run[name] != {}}
    row["options"] = " ".join(map(str, options))
    row["kernel_ms"] = summary(run["kernel_ms"])
    if "team" in row:
        row["team"] = {name: value for name, value in run["team"].items() if name != "members"} | {
            "wall_ms": summary(run["team"]["wall_ms"])
        }
    if kept:
        row["outcome"] = {name: value for name, value in run["outcome"].items() if name in kept}
    return row


def to_digits(value):
    """A record with nine digits of every number that is not whole."""
    match value:
        case dict():
            return {name: to_digits(part) for name, part in value.items()}
        case list():
            return [to_digits(part) for part in value]
        case float():
            return float(f"{value:.{DIGITS}g}")
    return value


def summary(times):
    """The median of times with its interval and range, and their mean, to six digits; and how many there are."""
    found = order_statistics.summary(times) | {"mean": statistics.fmean(times)}
    return {name: numerals.six_digits(value) for name, value in found.items()} | {"count": len(times)}


# What a run says


def rate_bounds(run):
    """Lower and upper bound of the median rate, each with error probability COMPARED_TAIL; None with too few times."""
    times = run["kernel_ms"]
    if type(times) is not list:
        return run["per_ns"].get("bounds")
    times = [ms / work for ms, work in zip(times, run.get("work_of_timings") or itertools.repeat(1))]
    ends = order_statistics.interval(times, COMPARED_TAIL)
    if ends is None:
        return None
    samples = run["per_ns"]["median"] * statistics.median(times)  # in 1e6 for each time
    return [samples / ends[1], samples / ends[0]]


def rate_text(run):
    """The rate of a run with its interval; the median alone where too few timings give none, as their range is no interval."""
    count = timings(run)
    return (numerals.median_text if count is not None and count < order_statistics.FEWEST else numerals.rate_text)(
        run["per_ns"]
    )


def timings(run):
    """How many timings a run has; None where it does not tell."""
    times = run.get("kernel_ms", {})
    return len(times) if type(times) is list else times.get("count")


def typical_ms(run):
    """The median time of a launch."""
    times = run["kernel_ms"]
    return statistics.median(times) if type(times) is list else times["median"]


def shortest_ms(run):
    """The time of the fastest launch."""
    times = run["kernel_ms"]
    return min(times) if type(times) is list else times["min"]


def positive(value):
    """The value if it is a number that a measurement can give, otherwise None."""
    is_number = isinstance(value, (int, float, decimal.Decimal)) and type(value) is not bool
    return value if is_number and 1e-30 < value < 1e30 else None


def commit_text(context):
    """The commit of a context, and whether it was changed; None if it is unknown."""
    if context["commit"] is None:
        return None
    return f"{context['commit']:.12}{' with uncommitted changes' if context['dirty'] else ''}"


def device_slug(name):
    """The folder name of a device: lower case, one dash for anything else."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
