"""Time against samples, sweep.json."""

from suite.documents import checks, files


def load(path):
    return files.load(path, check)


def check(document):
    """Refuse what is no sweep."""
    checks.check_head(document, "points")
    for point in document["points"]:
        checks.check_fields(point, {"version": (str,), "samples": (int,), "ms": (dict,)}, "a point")
        checks.check_interval(point["ms"], f"{point['version']} at {point['samples']} samples: ms")
        if point["samples"] < 1:
            raise checks.ResultError(f"{point['version']} has a point without samples")
    checks.check_unique(document["points"], "version", "samples")
