"""The comparison of two result files: reading, ratios of rates with their intervals, and verdicts."""

import os
import statistics
import subprocess
import sys
from typing import NamedTuple

from suite import order_statistics
from suite.documents import kinds, records
from suite.documents.schema import ResultError
from suite import naming

SAME, FASTER, SLOWER, UNCLEAR = "SAME", "FASTER", "SLOWER", "UNCLEAR"
MARGIN = 1.01
TAIL = 0.0125  # error probability of each of the four bounds


class Side(NamedTuple):
    """A result file: its name in texts, its context, its runs by version."""

    origin: str
    context: dict
    runs: dict


class Row(NamedTuple):
    """A version: its successful runs, ratio and interval if they exist, and its verdict or state."""

    version: str
    a: dict | None
    b: dict | None
    ratio: float | None
    interval: tuple | None
    verdict: str


# Reading


def load(name):
    """Read and check the result that an argument names."""
    document = read(name)
    origin = "standard input" if name == "-" else name
    return Side(origin, document["context"], {run["version"]: run for run in document["runs"]})


def read(name):
    """The document from a file, from standard input or from git; a file comes before REV:PATH."""
    if name == "-":
        return kinds.RESULT.parse(decoded(standard_input(), "standard input"), "standard input")
    if os.path.exists(name) or ":" not in name or name.startswith("-"):
        return kinds.RESULT.load(name)
    return kinds.RESULT.parse(decoded(from_git(name), name), name)


def standard_input():
    if sys.stdin is None:
        raise ResultError("standard input: closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise ResultError(f"standard input: {error.strerror}") from None


def from_git(name):
    """The bytes of REV:PATH."""
    command = ["git", "cat-file", "blob", name]
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise ResultError(f"{name}: no such file, and git cannot be run: {error.strerror}") from None
    if process.returncode != 0:
        words = process.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise ResultError(f"{name}: git: {words[0].removeprefix('fatal: ')}")
    return process.stdout


def decoded(data, origin):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ResultError(f"{origin}: not JSON: not even text") from None


# Comparing


def compare_sides(a, b):
    """The rows of all versions: CPU rows first, then by number, a step before its ablations."""
    versions = sorted(dict.fromkeys([*a.runs, *b.runs]), key=naming.order)
    return [compare(version, a.runs.get(version), b.runs.get(version)) for version in versions]


def compare(version, a, b):
    """The row of a version, from its runs in A and B or None."""
    base, other = succeeded(a), succeeded(b)
    if not (base and other):
        return Row(version, base, other, None, None, state(a, b))
    ratio = other["per_ns"]["median"] / base["per_ns"]["median"]
    interval = interval_of_ratio(bounds(base), bounds(other))
    return Row(version, base, other, ratio, interval, verdict(interval))


def succeeded(run):
    return run if run and not records.has_failed(run) else None


def state(a, b):
    """Why the version cannot be compared."""
    present = {name: run for name, run in (("A", a), ("B", b)) if run}
    failed = [name for name, run in present.items() if records.has_failed(run)]
    if len(present) == 2:
        return f"failed in {' and '.join(failed)}"
    return f"only in {''.join(present)}{', failed' if failed else ''}"


def bounds(run):
    """Lower and upper bound of the median rate, each with error probability TAIL; None with too few times."""
    times = times_of_work(run)
    ends = order_statistics.interval(times, TAIL)
    if ends is None:
        return None
    samples = run["per_ns"]["median"] * statistics.median(times)  # in 1e6 for each time
    return samples / ends[1], samples / ends[0]


def times_of_work(run):
    """The times of equal work: of launches, or of a unit where launches differ in their work."""
    if run.get("work_of_timings") is None:
        return run["kernel_ms"]
    return [ms / work for ms, work in zip(run["kernel_ms"], run["work_of_timings"])]


def interval_of_ratio(base, other):
    """The interval of the ratio other/base, from the bounds of both."""
    if base is None or other is None:
        return None
    return other[0] / base[1], other[1] / base[0]


def verdict(interval):
    """The verdict on an interval of the ratio."""
    if interval is None:
        return UNCLEAR
    low, high = interval
    if 1 / MARGIN <= low and high <= MARGIN:
        return SAME
    if low > 1:
        return FASTER
    return SLOWER if high < 1 else UNCLEAR
