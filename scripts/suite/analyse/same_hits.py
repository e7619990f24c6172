"""Whether two results count the same hits: seed and shape of a launch fix them, on every device.

Runs stop after different numbers of launches, so two runs of a version are compared after the first launches, where both
tell their hits: along their traces, and at their ends.
"""

from typing import NamedTuple

from suite.documents import records
from suite import naming


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
            add(found, run, others[run["version"]])
    return found


def add(found, run, other):
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


def text(found, first, second):
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
