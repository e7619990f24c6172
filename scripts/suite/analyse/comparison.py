"""The comparison of two result files: reading, ratios of rates with their intervals, and verdicts."""

import os
import statistics
import subprocess
import sys
from typing import NamedTuple

from suite.analyse import order_statistics
from suite.documents import checks, result
from suite.ladders import pi

SAME, FASTER, SLOWER, UNCLEAR = "SAME", "FASTER", "SLOWER", "UNCLEAR"
MARGIN = 1.01
TAIL = 0.0125  # error probability of each of the four bounds

ONE_NUMBER = ("sm_clock_mhz", "per_joule")


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
    try:
        check_figures(document)
    except checks.ResultError as error:
        raise checks.ResultError(f"{origin}: {error}") from None
    return Side(origin, document["context"], {run["version"]: run for run in document["runs"]})


def read(name):
    """The document from a file, from standard input or from git; a file comes before REV:PATH."""
    if name == "-":
        return result.parse(decoded(standard_input(), "standard input"), "standard input")
    if os.path.exists(name) or ":" not in name or name.startswith("-"):
        return result.load(name)
    return result.parse(decoded(from_git(name), name), name)


def standard_input():
    if sys.stdin is None:
        raise checks.ResultError("standard input: closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise checks.ResultError(f"standard input: {error.strerror}") from None


def from_git(name):
    """The bytes of REV:PATH."""
    command = ["git", "cat-file", "blob", name]
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise checks.ResultError(f"{name}: no such file, and git cannot be run: {error.strerror}") from None
    if process.returncode != 0:
        words = process.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise checks.ResultError(f"{name}: git: {words[0].removeprefix('fatal: ')}")
    return process.stdout


def decoded(data, origin):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise checks.ResultError(f"{origin}: not JSON: not even text") from None


def check_figures(document):
    """Refuse figures that documents/result.py accepts but that this command cannot use. They may be absent."""
    device = document["context"]["device"]
    if device:
        check_positive(device["multiprocessors"], "context.device.multiprocessors")
    for run in document["runs"]:
        if not checks.has_failed(run):
            check_run(run)


def check_run(run):
    version = run["version"]
    for bound in ("low", "high"):
        check_positive(run["per_ns"][bound], f"{version}.per_ns.{bound}")
    for name in ONE_NUMBER:
        if run.get(name) is not None:
            check_positive(run[name], f"{version}.{name}")
    times = run.get("kernel_ms")
    if times is not None and type(times) is not list:
        raise checks.ResultError(f"{version}.kernel_ms is not a list of times")
    for time in times or []:
        check_positive(time, f"{version}.kernel_ms")


def check_positive(value, where):
    if result.positive(value) is None:
        raise checks.ResultError(f"{where} is not a plausible positive number")


# Comparing


def compare_sides(a, b):
    """The rows of all versions: CPU rows first, then by number, a step before its ablations."""
    versions = sorted(dict.fromkeys([*a.runs, *b.runs]), key=pi.order)
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
    return run if run and not checks.has_failed(run) else None


def state(a, b):
    """Why the version cannot be compared."""
    present = {name: run for name, run in (("A", a), ("B", b)) if run}
    failed = [name for name, run in present.items() if checks.has_failed(run)]
    if len(present) == 2:
        return f"failed in {' and '.join(failed)}"
    return f"only in {''.join(present)}{', failed' if failed else ''}"


def bounds(run):
    """Lower and upper bound of the median rate, each with error probability TAIL; None with too few times."""
    times = run.get("kernel_ms") or []
    ends = order_statistics.interval(times, TAIL)
    if ends is None:
        return None
    samples = run["per_ns"]["median"] * statistics.median(times)  # in 1e6 a launch
    return samples / ends[1], samples / ends[0]


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
