"""The same work in other packages, from the rows of a study: packages, solvers, and the versions beside them."""

import math

from suite import naming
from suite.documents import records


def versions(document):
    """The runs of versions of the ladder."""
    return [run for run in records.succeeded(document["runs"]) if naming.is_version(run["version"])]


def packages(document):
    """The rows of other packages: what they measured, or why they did not."""
    return [row for row in document["runs"] if not naming.is_version(row["version"])]


def is_solver(row):
    """Whether a row is a solver that ran."""
    return "points" in row


def ms_to_tolerance(solver):
    """The time of a solve; None if it did not reach the tolerance."""
    return solver["points"][-1]["ms"] if solver["reached"] else None


def ms_to_error(solver, target=0.01):
    """The time of the first iteration within this error: between two points the logarithm of the error is a straight line.

    None if it was not reached.
    """
    points = solver["points"]
    for before, after in zip([None, *points], points):
        if after["error"] <= target:
            return after["ms"] if before is None else _between(before, after, target)


def _between(before, after, target):
    lowest = after["error"] or target  # an exact solution has no logarithm
    part = math.log(before["error"] / target) / math.log(before["error"] / lowest)
    between = after["iterations"] - before["iterations"]
    part = min(1, math.ceil(part * between) / between)
    return before["ms"] + part * (after["ms"] - before["ms"])
