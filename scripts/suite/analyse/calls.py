"""Times of calls or launches against samples, from the runs of a study, and where GPU programs overtake the CPU."""

import math

from suite import naming, numerals
from suite.documents import records


def curves(document):
    """The rows of each version, by samples: the time of a call, of its phases, and of the launch alone.

    Where no whole call was timed, the launch alone stands for the call.
    """
    found = {}
    runs = records.succeeded(document["runs"]) if document else []
    is_whole = any(run["call"] for run in runs)
    alone = {(run["version"], run["work"]): run["kernel_ms"]["median"] for run in runs if is_whole and not run["call"]}
    for run in runs:
        if run["call"] == is_whole:
            phases = {name: ms["median"] for name, ms in run.get("phases_ms", {}).items()}
            row = {"samples": run["work"], "call_ms": run["kernel_ms"], "phases_ms": phases}
            found.setdefault(run["version"], []).append(row | {"kernel_ms": alone.get((run["version"], run["work"]))})
    return {version: sorted(rows, key=lambda row: row["samples"]) for version, rows in found.items()}


def crossings(found):
    """Where the calls of each GPU program overtake those of each CPU program."""
    points = {version: [(row["samples"], row["call_ms"]["median"]) for row in rows] for version, rows in found.items()}
    bases = [version for version in found if naming.is_cpu({"version": version})]
    return {
        version: {base: overtaking(points[version], points[base]) for base in bases}
        for version in found
        if version not in bases
    }


def overtaking(curve, base):
    """Where a curve falls below the base for good, and whether it crosses it there. None if it does not."""
    first, last = max(curve[0][0], base[0][0]), min(curve[-1][0], base[-1][0])
    samples = sorted({point[0] for point in curve + base if first <= point[0] <= last})
    gaps = [log_time(curve, count) - log_time(base, count) for count in samples]
    if not gaps or gaps[-1] >= 0:
        return None
    behind = max((i for i, gap in enumerate(gaps) if gap >= 0), default=None)
    if behind is None:
        return {
            "crosses": False,
            "samples": samples[0],
            "ms": numerals.six_digits(math.exp(log_time(curve, samples[0]))),
        }
    x, y = math.log(samples[behind]), math.log(samples[behind + 1])
    part = gaps[behind] / (gaps[behind] - gaps[behind + 1])
    crossing = math.exp(x + part * (y - x))
    return {
        "crosses": True,
        "samples": numerals.six_digits(crossing),
        "ms": numerals.six_digits(math.exp(log_time(curve, crossing))),
    }


def log_time(curve, samples):
    """The logarithm of the time. Between two points the logarithms are interpolated linearly."""
    left = max((point for point in curve if point[0] <= samples), default=curve[0])
    right = min((point for point in curve if point[0] >= samples), default=curve[-1])
    if left[0] == right[0]:
        return math.log(left[1])
    part = math.log(samples / left[0]) / math.log(right[0] / left[0])
    return (1 - part) * math.log(left[1]) + part * math.log(right[1])
