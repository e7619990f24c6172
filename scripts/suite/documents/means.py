"""The outcome of a run that estimates a mean: a price, or the mean square of normals."""

from suite import student
from suite.documents.accepted import FEWEST_DEPENDENT, MAX_SIGMA
from suite.documents.checks import COUNT_ABOVE_0, NUMBER, TEXT, Maybe, Ruled, Value, filled, is_number


def _is_point(value):
    return type(value) is list and len(value) == 2 and type(value[0]) is int and value[0] > 0 and is_number(value[1])

NOT_NEGATIVE = Value("a number that is not negative", lambda value: is_number(value) and value >= 0)
SHARE = Value("a number from 0 to 1", lambda value: is_number(value) and 0 <= value <= 1)
NONE_BAD = Value("0", lambda value: value == 0 and type(value) is int)
POINT = Value("[work, estimate]", _is_point)
DEPENDENT = BLOCKS, LAUNCHES = "blocks", "launches"

NO_VARIANCE = 1e-12  # up to which numbers count as equal

KNOWN = {"value": NUMBER, "sd": NOT_NEGATIVE}
STATISTIC = {
    "name": TEXT, "mean": NUMBER, "sd": Maybe(NOT_NEGATIVE), "exact": NUMBER, "exact_sd": NOT_NEGATIVE, "sigma": Maybe(NUMBER),
    "variance": Maybe(NUMBER), "exact_variance": Maybe(NOT_NEGATIVE), "variance_sigma": Maybe(NUMBER),
}  # fmt: skip
POSITIVE = {"share": SHARE, "exact": SHARE, "exact_sd": NOT_NEGATIVE, "sigma": Maybe(NUMBER)}
RATIO = {"value": NOT_NEGATIVE, "plain": NOT_NEGATIVE}


def _repeated_name(statistics):
    names = [statistic["name"] for statistic in statistics]
    return next((f"has {name} twice" for name in names if names.count(name) > 1), None)

FIELDS = {
    "quantity": TEXT, "number": TEXT, "numbers": COUNT_ABOVE_0, "steps": COUNT_ABOVE_0, "estimate": NUMBER,
    "sd": Maybe(NOT_NEGATIVE), "reference": KNOWN | {"how": TEXT}, "bias": KNOWN, "sigma": Maybe(NUMBER), "plain": NUMBER,
    "statistics": Ruled(filled([STATISTIC]), (_repeated_name,)), "positive": Maybe(POSITIVE), "bad": NONE_BAD,
    "independent": TEXT, "variance_ratio": Maybe(RATIO), "trace": Maybe([POINT]),
}  # fmt: skip


def _nothing_independent(outcome):
    known = (outcome["number"], *DEPENDENT)
    return None if outcome["independent"] in known else f"has independent {outcome['independent']}, not {' or '.join(known)}"

TABLE = Ruled(FIELDS, (_nothing_independent,))


# Of a run


def _sigma_missing(run):
    """There is an error estimate, but not of constant numbers or of too few launches."""
    outcome = run["outcome"]
    is_estimated = outcome["independent"] != LAUNCHES or run["launches"] >= FEWEST_DEPENDENT
    if outcome["sigma"] is None and is_estimated and not is_constant(outcome):
        return "has no sigma"


def _sigma_of_no_verdict(run):
    """A distance that no verdict passes, of the estimate or of what is checked beside it."""
    outcome, degrees = run["outcome"], degrees_of_freedom(run)
    if is_constant(outcome):
        return None
    found = [("sigma", outcome["sigma"], degrees), ("positive.sigma", (outcome["positive"] or {}).get("sigma"), None)]
    for statistic in outcome["statistics"]:
        found += [(f"{statistic['name']}.sigma", statistic["sigma"], degrees)]
        found += [(f"{statistic['name']}.variance_sigma", statistic["variance_sigma"], None)]
    for name, sigma, freedom in found:
        if sigma is not None and student.is_beyond(sigma, MAX_SIGMA, freedom):
            return f"has {name} {sigma:g}, more than a verdict passes"

RULES = _sigma_missing, _sigma_of_no_verdict


def degrees_of_freedom(run):
    """Of the standard deviation of a run's estimate; None where it is known or all numbers are independent."""
    units = {LAUNCHES: run["launches"], BLOCKS: run["launches"] * (run["blocks"] or 1)}.get(run["outcome"]["independent"])
    return max(1, units - 1) if units else None


# What an outcome says


def is_constant(outcome):
    """Whether every number is the same: then there is no error to estimate, and only rounding differs from the reference."""
    variances = [statistic[name] or 0 for statistic in outcome["statistics"] for name in ("variance", "exact_variance")]
    return outcome["independent"] == outcome["number"] and max(variances) <= NO_VARIANCE


def variance_of_one(outcome):
    """Variance of the estimate times its numbers; None without an error estimate."""
    return None if outcome["sd"] is None else outcome["sd"] ** 2 * outcome["numbers"]
