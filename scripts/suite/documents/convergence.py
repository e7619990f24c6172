"""Estimates against samples, convergence.json."""

from suite.documents import checks, files


def load(path):
    return files.load(path, check)


def check(document):
    """Refuse what is no record of convergence."""
    checks.check_head(document, "curves")
    for curve in checks.checked_failures(document["curves"]):
        fields = {"version": (str,), "title": (str,), "bias": (int, float), "points": (list,)}
        checks.check_fields(curve, fields, "a curve")
        for point in curve["points"]:
            if not is_point(point):
                raise checks.ResultError(f"{curve['version']} has a point that is not [samples, hits]")
    checks.check_unique(document["curves"])


def is_point(point):
    """Whether it is [samples, hits]."""
    if type(point) is not list or [type(count) for count in point] != [int, int]:
        return False
    samples, hits = point
    return 0 <= hits <= samples and samples > 0
