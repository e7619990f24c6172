"""The outcome of a run of random walks that estimate the solution of a linear system, and the system."""

from suite.documents.accepted import MAX_SIGMA, VARIANCE_TOLERANCE
from suite.documents.checks import (
    ABOVE_0, COUNT, COUNT_ABOVE_0, NUMBER, TEXT, Maybe, Ruled, Value, is_number, one_of,
)  # fmt: skip


def _is_point(value):
    return type(value) is list and len(value) == 2 and type(value[0]) is int and value[0] > 0 and (value[1] is None or is_number(value[1]))

POINT = Value("[transitions, relative error]", _is_point)
WORST = {"index": COUNT, "of": COUNT_ABOVE_0, "sigma": NUMBER, "limit": ABOVE_0}
RATIO = {"value": NUMBER, "sd": NUMBER, "low": NUMBER, "high": NUMBER}
VERDICT = {
    "functionals": Maybe(WORST), "chi_squared": Maybe(RATIO), "degrees_of_freedom": COUNT, "groups": Maybe(WORST),
    "dispersion": Maybe(RATIO), "replayed": Maybe(COUNT_ABOVE_0),
}  # fmt: skip
FIELDS = {
    "entries": COUNT_ABOVE_0, "judged_entries?": Maybe(COUNT_ABOVE_0), "histories": COUNT_ABOVE_0, "bits": COUNT,
    "length": {"mean": NUMBER, "exact": Maybe(NUMBER), "sigma": Maybe(NUMBER)}, "no_estimate": Maybe(TEXT),
    "error": Maybe({"relative": NUMBER, "predicted": NUMBER, "systematic": NUMBER}),
    "residual": Maybe({"relative": NUMBER, "predicted": NUMBER, "sigma": NUMBER}), "verdict": VERDICT, "variance": Maybe(NUMBER),
    "merit": Maybe({"k": NUMBER, "transitions_to_1pct": NUMBER}), "trace": Maybe([POINT]),
}  # fmt: skip
OF_ESTIMATE = ("error", "residual", "variance", "merit", "judged_entries")


def _estimate_or_not(outcome):
    """An estimate has a variance. Without one there are no errors."""
    if outcome["no_estimate"] is None:
        return "has neither a variance nor a reason why there is no estimate" if outcome["variance"] is None else None
    return next((f"has {name}, but no estimate" for name in OF_ESTIMATE if outcome.get(name) is not None), None)


def _judged_of_all(outcome):
    judged, entries = outcome.get("judged_entries"), outcome["entries"]
    return f"has {judged} judged entries of {entries}" if judged and judged > entries else None

TABLE = Ruled(FIELDS, (_estimate_or_not, _judged_of_all))
PROBLEM = {
    "system": TEXT, "rhs": Maybe(TEXT), "n": COUNT_ABOVE_0, "entries_of_h": COUNT, "method": one_of("adjoint", "forward"),
    "sampling": TEXT, "sweeps?": Maybe(COUNT), "steps": Maybe(COUNT_ABOVE_0), "cutoff": Maybe(ABOVE_0), "histories": COUNT_ABOVE_0, "bytes": COUNT,
    "prepare_ms": NUMBER,
}  # fmt: skip


# Of a run


def _beyond_a_verdict(run):
    """What no verdict passes: a distance beyond its limit, or a sum of squares outside of its limits."""
    outcome = run["outcome"]
    length, verdict = outcome["length"]["sigma"], outcome["verdict"]
    if length is not None and abs(length) > MAX_SIGMA:
        return f"has length.sigma {length:g}, more than a verdict passes"
    for name in ("functionals", "groups"):
        worst = verdict[name]
        if worst and abs(worst["sigma"]) > worst["limit"]:
            return f"has {name}.sigma {worst['sigma']:g}, more than its limit {worst['limit']:g}"
    for name, tolerance in (("chi_squared", 0), ("dispersion", VARIANCE_TOLERANCE)):
        ratio = verdict[name]
        if ratio and not (1 - tolerance) * ratio["low"] <= ratio["value"] <= (1 + tolerance) * ratio["high"]:
            return f"has {name} {ratio['value']:g}, outside of what a verdict passes"

def _replayed_on_a_gpu(run):
    """Histories of a GPU are compared with those of the host. On the CPU they are the same code."""
    if (run["blocks"] is None) != (run["outcome"]["verdict"]["replayed"] is None):
        return "is of a CPU, but has replayed histories" if run["blocks"] is None else "is of a GPU, but has no replayed histories"

RULES = _beyond_a_verdict, _replayed_on_a_gpu


# What a run says


def seconds_to_1pct(run):
    """Time to a relative error of 1 %; None if the variance is infinite or not known."""
    merit = run["outcome"]["merit"]
    return merit["transitions_to_1pct"] / run["per_ns"]["median"] / 1e9 if merit else None


def measured_seconds_to_1pct(run):
    """The same, but not less than a launch of the run takes."""
    seconds = seconds_to_1pct(run)
    launch = run["problem"]["histories"] * run["outcome"]["length"]["mean"] / run["per_ns"]["median"] / 1e9
    return seconds and max(seconds, launch)


def is_judged_in_part(run):
    """Whether the verdict is on some entries only; older results do not say."""
    judged = run["outcome"].get("judged_entries")
    return judged is not None and judged < run["outcome"]["entries"]


def has_estimate(run):
    return run["outcome"]["no_estimate"] is None
