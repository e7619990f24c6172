"""Two results compared, version by version: those of two revisions, or of two devices.

Rates are compared as they are, per clock and SM, and per joule. Seed and shape of a launch fix the hits, on every device; runs stop
after different numbers of launches, so two runs of a version are compared after the first launches, where both tell their
hits: along their traces, and at their ends.
"""

from typing import NamedTuple

from suite import naming
from suite.documents import records

SAME, FASTER, SLOWER, UNCLEAR = "SAME", "FASTER", "SLOWER", "UNCLEAR"
MARGIN = 1.01


class Side(NamedTuple):
    """A result file: its name in texts, its ladder, its context, its runs by version, its unit of work."""

    origin: str
    suite: str
    context: dict
    runs: dict
    unit: str


class Row(NamedTuple):
    """A version: its successful runs, ratio and interval if they exist, and its verdict or state."""

    version: str
    a: dict | None
    b: dict | None
    ratio: float | None
    interval: tuple | None
    verdict: str


# Figures of a run, and their ratios


def over(other, base):
    """How many times as large a figure is as another; None where one of them is not known."""
    return other / base if other and base else None


def per_clock_of(run, device):
    """Units of work per clock and SM of a run; None where one of these is not known, or the host's clock timed the run."""
    if run.get("clock") == "wall" or device is None:
        return None
    return per_clock(run["per_ns"]["median"], run.get("sm_clock_mhz"), device["multiprocessors"])


def per_clock(rate, clock_mhz, multiprocessors):
    """A rate in units of work per nanosecond over clock and SMs; None where one of them is not known."""
    if None in map(records.positive, (rate, clock_mhz, multiprocessors)):
        return None
    return float(rate) * 1e3 / (float(clock_mhz) * float(multiprocessors))


def per_joule_of(run):
    """Units of work per joule, in 1e9; None where it is not known."""
    value = run.get("per_joule")
    return value / 1e9 if value else None


# Ratios of rates, and verdicts


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
    interval = interval_of_ratio(records.rate_bounds(base), records.rate_bounds(other))
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


# The same hits


class Point(NamedTuple):
    """The hits of two runs after as many samples."""

    samples: int
    first: int
    second: int


class Agreement(NamedTuple):
    """The versions of two results: those with the same hits, those with others, and those that cannot be compared."""

    same: list
    different: dict  # the first point at which the hits differ, by version
    of_other_launches: list  # with another seed or grid
    at_no_point: list  # with no number of samples after which both tell their hits


def agreement(first, second):
    """How the versions agree that both lists of runs have and that count hits."""
    found = Agreement([], {}, [], [])
    others = {run["version"]: run for run in second if counts_hits(run)}
    for run in sorted(filter(counts_hits, first), key=lambda run: naming.order(run["version"])):
        if run["version"] in others:
            _add(found, run, others[run["version"]])
    return found


def _add(found, run, other):
    version, points = run["version"], points_of_both(run, other)
    different = next((point for point in points if point.first != point.second), None)
    if shape_of(run) != shape_of(other):
        found.of_other_launches.append(version)
    elif different:
        found.different[version] = different
    elif points:
        found.same.append(version)
    else:
        found.at_no_point.append(version)


def hits_text(found, first, second):
    """How versions agree, in one line, with names for the results; "" where both have no version that counts hits."""
    parts = [
        f"the same in {', '.join(found.same)}" if found.same else "",
        *(f"DIFFERENT in {version}: after {point.samples:,} samples {point.first:,} in {first}, {point.second:,} in {second}"
          for version, point in found.different.items()),
        f"not compared, as seed or grid differ: {', '.join(found.of_other_launches)}" if found.of_other_launches else "",
        f"not compared, as no number of samples is in both: {', '.join(found.at_no_point)}" if found.at_no_point else "",
    ]  # fmt: skip
    known = "; ".join(filter(None, parts))
    return f"Hits of the first launches: {known}." if known else ""


def counts_hits(run):
    return not records.has_failed(run) and "hits" in run["outcome"]


def shape_of(run):
    """What fixes the hits of a launch. The threads of a CPU share its streams in any way."""
    return [run.get(name) for name in ("seed", "blocks", "streams" if naming.is_cpu(run) else "threads", "iters")]


def points_of_both(run, other):
    """Where both runs tell their hits, in order."""
    first, second = hits_after(run), hits_after(other)
    return [Point(samples, first[samples], second[samples]) for samples in sorted(first.keys() & second.keys())]


def hits_after(run):
    """The hits of the first samples, by their number."""
    outcome = run["outcome"]
    return dict(map(tuple, outcome["trace"] or [])) | {outcome["samples"]: outcome["hits"]}
