"""The same work as others would write it, <ladder>-peers.json.

A peer prints one JSON object. Of a ladder whose outcome is a solution it is a solver of one system, A x = b:

  peer        its name, such as cusparse_cg_lap2d
  package     with its version; "this suite" for our own
  method      "cg", "bicgstab", "jacobi", "ldlt", "lu", or "mcsa": Monte Carlo synthetic acceleration
  system      its name
  processor   "gpu" or "cpu": where the iterations ran
  tolerance   of the norm of the residual b - A x, over that of b
  reached     whether the last point is within the tolerance
  prepare_ms  time before the first iteration: upload, analysis of the matrix, tables
  points      how far a solve from x = 0 is after some iterations, whose numbers ascend; a direct solver has one point:
    iterations  of a stationary or a Krylov method, outer ones of mcsa; 1 of a direct solver
    ms          times of several solves of so many iterations, without the preparation
    residual    ||b - A x|| / ||b||, computed from x
    error       ||x - x*|| / ||x*||, x* the exact solution
"""

import math
import statistics

from suite.documents.checks import (
    ABOVE_0, COUNT, COUNT_ABOVE_0, FLAG, INTERVAL, NO_ROW, NUMBER, TEXT, Ruled, filled, has_failed, one_of,
)  # fmt: skip
from suite.documents.document import Document

SLACK = 1.01  # a solver knows its residual but to rounding
POINT = {"iterations": COUNT_ABOVE_0, "ms": filled([ABOVE_0]), "residual": NUMBER, "error": NUMBER}


def _not_ascending(solver):
    numbers = [point["iterations"] for point in solver["points"]]
    return None if all(one < other for one, other in zip(numbers, numbers[1:])) else "has points whose iterations do not ascend"


def _wrong_end(solver):
    residual, tolerance = solver["points"][-1]["residual"], solver["tolerance"]
    if solver["reached"] != (residual <= SLACK * tolerance):
        return f"says reached: {str(solver['reached']).lower()}, with a last residual of {residual:.3g} and a tolerance of {tolerance:g}"

SOLVER = {
    "peer": TEXT, "package": TEXT, "method": TEXT, "system": TEXT, "processor": one_of("gpu", "cpu"), "tolerance": ABOVE_0,
    "reached": FLAG, "prepare_ms": NUMBER, "points": filled([POINT]),
}  # fmt: skip

# What a peer prints, what is stored of it, and of a version of the ladder.
EVERY = {"peer": TEXT, "package": TEXT, "generator": TEXT, "samples_per_launch": COUNT_ABOVE_0, "ms": [ABOVE_0]}
PRINTED = {
    "hits": EVERY | {"hits": COUNT, "samples": COUNT_ABOVE_0},
    "means": EVERY | {"estimate": NUMBER, "sd": ABOVE_0, "numbers": COUNT_ABOVE_0},
    "solution": SOLVER,
}
RATED = {"per_ns": INTERVAL}
STORED = {
    "hits": PRINTED["hits"] | RATED, "means": PRINTED["means"] | RATED, "solution": Ruled(SOLVER, (_not_ascending, _wrong_end)),
}  # fmt: skip
RUN = {"version": TEXT, "title": TEXT, "generator": TEXT, "soundness": TEXT, "per_ns": INTERVAL}


def _of_ladder(ladder):
    if ladder.outcome not in STORED:
        return {"row": NO_ROW}

    def row_table(row):
        """The table of a peer: of one that was not installed, that failed, or that measured."""
        if "missing" in row:
            return {"peer": TEXT, "missing": TEXT}
        return {"peer": TEXT, "error": TEXT} if has_failed(row) else STORED[ladder.outcome]

    return {"row": row_table}

DOCUMENT = Document("peers", None, key=("peer",), schema=2, fields={"runs": [RUN]}, by_ladder=_of_ladder)


# What a solver says


def is_solver(row):
    """Whether a row of peers is a solver that ran."""
    return "points" in row


def ms_of(point):
    return statistics.median(point["ms"])


def ms_to_tolerance(solver):
    """The time of a solve; None if it did not reach the tolerance."""
    return ms_of(solver["points"][-1]) if solver["reached"] else None


def ms_to_error(solver, target=0.01):
    """The time of the first iteration within this error: between two points the logarithm of the error is a straight line.

    None if it was not reached.
    """
    points = solver["points"]
    for before, after in zip([None, *points], points):
        if after["error"] <= target:
            return ms_of(after) if before is None else _between(before, after, target)


def _between(before, after, target):
    lowest = after["error"] or target  # an exact solution has no logarithm
    part = math.log(before["error"] / target) / math.log(before["error"] / lowest)
    between = after["iterations"] - before["iterations"]
    part = min(1, math.ceil(part * between) / between)
    return ms_of(before) + part * (ms_of(after) - ms_of(before))
