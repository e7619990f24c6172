"""Which runs have the same random numbers: seed and generator fix the streams, whatever the device.

A seed is one draw. The deviations of runs that share it are not independent, and to add their samples up is to count some twice.
"""

from suite import naming
from suite.analyse import comparison
from suite.documents import records


def streams_of(run):
    """What fixes the random streams of a run, its generator and its seed; None of a failure, or where the seed is not stored."""
    if records.has_failed(run) or run.get("seed") is None:
        return None
    return run["generator"], run["seed"]


def seeds_of(runs):
    """The seeds of these runs, each once."""
    return sorted({streams[1] for streams in map(streams_of, runs) if streams})


def sharing(runs):
    """The versions that draw from the same streams, in groups of two or more."""
    groups = records.grouped((streams_of(run), run["version"]) for run in filter(streams_of, in_order(runs)))
    return [versions for versions in groups.values() if len(versions) > 1]


def alike(runs):
    """The versions that count the same hits of the same random numbers, in groups of two or more."""
    groups = []
    for run in filter(comparison.counts_hits, in_order(runs)):
        own = next((group for group in groups if _counts_the_same(group[0], run)), None)
        if own is None:
            groups.append([run])
        else:
            own.append(run)
    return [[run["version"] for run in group] for group in groups if len(group) > 1]


def _counts_the_same(run, other):
    points = comparison.points_of_both(run, other)
    is_of_one_draw = streams_of(run) is not None and streams_of(run) == streams_of(other)
    return is_of_one_draw and bool(points) and all(point.first == point.second for point in points)


def in_both(first, second):
    """The versions that draw from the same streams in both of these lists of runs."""
    others = {run["version"]: streams_of(run) for run in second}
    return [
        run["version"] for run in in_order(first) if streams_of(run) and streams_of(run) == others.get(run["version"])
    ]


def in_order(runs):
    return sorted(runs, key=lambda run: naming.order(run["version"]))
