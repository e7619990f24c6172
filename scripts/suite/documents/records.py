"""What programs record: runs that failed, documents of one build merged, and what a run says of its device."""

import decimal
import json
import re
import statistics

from suite import numerals, order_statistics
from suite.documents.schema import ResultError

SHARED_CONTEXT = ("commit", "dirty", "host", "compiler", "flags", "device", "driver", "runtime")

# What a study keeps of a run, and of its outcome.
KEPT = (
    "version", "title", "generator", "soundness", "blocks", "threads", "iters", "work", "launches", "batch", "stopped", "call", "kernel_ms",
    "phases_ms", "per_ns", "outcome", "team", "problem", "sm_clock_mhz", "throttle", "warnings",
)  # fmt: skip
LEFT_OUT = ("expected", "trace", "statistics", "positive", "reference", "verdict")

# Warps that a multiprocessor holds at most, by compute capability: CUDA C++ Programming Guide, "Technical Specifications per
# Compute Capability".
MOST_WARPS = {"7.5": 32, "8.0": 64, "8.6": 48, "8.7": 48, "8.9": 48, "9.0": 64, "10.0": 64, "10.3": 64, "12.0": 48, "12.1": 48}


# Rows that failed


def failed_row(version, error):
    """The row of a version that failed, in any document."""
    return {"version": version, "error": str(error)}


def has_failed(row):
    """Whether a row says why there is no result, and not what was measured."""
    return "error" in row


def succeeded(rows):
    """The rows of what did not fail."""
    return [row for row in rows if not has_failed(row)]


# Merging


def merge(first, second):
    """The runs of both documents under the context that both share.

    A version is kept once, first come: on a machine with one core the serial
    run and the one on all cores are the same.
    """
    known = {run["version"] for run in first["runs"]}
    added = [run for run in second["runs"] if run["version"] not in known]
    context = _merge_contexts(first["context"], second["context"], second["runs"][0]["version"])
    return first | {"context": context, "runs": first["runs"] + added}


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


# Runs of a study


def thinned(run, options, *kept):
    """What a study stores of a run with these options: the summary of its times, and of its outcome what is kept, too."""
    row = {name: run[name] for name in KEPT if run.get(name) is not None and run[name] != {}}
    row["options"] = " ".join(map(str, options))
    row["kernel_ms"] = summary(run["kernel_ms"])
    if "phases_ms" in row:
        row["phases_ms"] = {name: {"median": numerals.six_digits(statistics.median(times))} for name, times in row["phases_ms"].items() if times}
    if "team" in row:
        row["team"] = run["team"] | {"wall_ms": summary(run["team"]["wall_ms"])}
    row["outcome"] = {name: value for name, value in run["outcome"].items() if name not in LEFT_OUT or name in kept}
    return row


def summary(times):
    """The median of times with its interval and range, and their mean, to six digits."""
    found = order_statistics.summary(times) | {"mean": statistics.fmean(times)}
    return {name: numerals.six_digits(value) for name, value in found.items()}


# What a run says


def total_per_ns(run):
    """All work over all time of the timings of a run; None where not every time is stored."""
    times, work = run.get("kernel_ms"), run.get("work_of_timings")
    if "total" in run["per_ns"] or not isinstance(times, list):
        return run["per_ns"].get("total")
    return (sum(work) / sum(times) if work else run["work"] / statistics.fmean(times)) / 1e6


def rate_text(run):
    """The rate of a run with its interval; the median alone where too few timings give none, as their range is no interval."""
    has_interval = not isinstance(run.get("kernel_ms"), list) or len(run["kernel_ms"]) >= order_statistics.FEWEST
    return (numerals.rate_text if has_interval else numerals.median_text)(run["per_ns"])


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
