"""Columns of ladders that estimate a mean: rates beside the rate, and what the variance of the estimate is worth."""

from suite import numerals
from suite.documents import records
from suite.markdown import NONE, RIGHT
from suite.render import cells, sources

VARIANCE_NOTE = """Variance: of the price, divided by the variance of the price from as many plain paths. Precision: the rate divided by the
variance, relative to {first}. It says how many times as fast a step reaches the same standard deviation."""
CONSTANT_NOTE = """{constant} walks the path with constant numbers instead of random ones. A step with a quarter of its rate takes four times as
long, and most of the difference is the time of the random numbers."""
SECOND_NOTE = "{title}: the rate with --{option}, which also writes every {unit} to memory."


def columns(device, ladder):
    """Those of a table of a ladder's steps; none for a ladder that counts hits."""
    return [*second_column(device, ladder), *constant_column(device, ladder), *variance_columns(device, ladder)]


def notes(ladder):
    """What the columns mean."""
    found, second = [], ladder.second_rate
    if second:
        found += [SECOND_NOTE.format(title=second.title.capitalize(), option=second.option, unit=ladder.unit)]
    if ladder.constant:
        found += [sources.filled(CONSTANT_NOTE, constant=ladder.constant)]
    return found + (
        [sources.filled(VARIANCE_NOTE, first=ladder.first)] if ladder.targets and is_of_means(ladder) else []
    )


def is_of_means(ladder):
    return ladder.outcome == "means"


# A second rate


def second_column(device, ladder):
    if not ladder.second_rate:
        return []
    rates = {run["version"]: run["per_ns"] for run in second_runs(device, ladder)}

    def cell(run):
        second = rates.get(ladder.second(run["version"]))
        return numerals.rate_text(second) if second else NONE

    return [(f"{ladder.rate}, {ladder.second_rate.title}", RIGHT, cell)]


def second_runs(device, ladder):
    """The runs of the versions that stand beside their steps."""
    runs = records.succeeded(device.ablations["runs"]) if device.ablations and ladder.second_rate else []
    return [run for run in runs if ladder.is_second(run["version"])]


# Without random numbers


def constant_column(device, ladder):
    if not ladder.constant:
        return []
    constant = cells.rates_of(device.result["runs"]).get(ladder.constant)

    def cell(run):
        if not constant or "per_ns" not in run:
            return NONE
        return f"{numerals.percent_text(100 * run['per_ns']['median'] / constant['median'])} %"

    return [(f"% of {ladder.constant}", RIGHT, cell)]


# Precision


def variance_columns(device, ladder):
    if not (is_of_means(ladder) and ladder.targets):
        return []
    first = next((run for run in device.result["runs"] if run["version"] == ladder.first), None)
    precision = (f"Precision (× {ladder.first})", RIGHT, precision_over(first))
    return [("Price", RIGHT, price), ("Variance", RIGHT, variance), precision]


def price(run):
    return NONE if records.has_failed(run) else estimate_text(run["outcome"])


def estimate_text(outcome):
    """An estimate with its standard deviation, which constant numbers do not have."""
    return numerals.with_sd(outcome["estimate"], outcome["sd"], 2) if outcome["sd"] else f"{outcome['estimate']:.6g}"


def variance(run):
    """Relative to plain paths; where what is independent are pairs of paths, it is not known."""
    is_known = has_error(run) and (run["outcome"]["variance_ratio"] or not run["outcome"]["number"].startswith("pairs"))
    return numerals.ratio_text(ratio_of(run["outcome"])) if is_known else NONE


def precision_over(first):
    """The rate of plain paths that would give the same precision, relative to the first step. Of paths of other lengths: none."""

    def cell(run):
        if not (first and has_error(first) and has_error(run) and run["outcome"]["steps"] == first["outcome"]["steps"]):
            return NONE
        return numerals.three_digits(effective_rate(run) / effective_rate(first))

    return cell


def has_error(run):
    return not records.has_failed(run) and bool(run["outcome"]["sd"])


def ratio_of(record):
    """The variance of a price over that of as many plain paths; of an outcome, or a row of merit."""
    return record["variance_ratio"]["value"] if record["variance_ratio"] else 1


def effective_rate(run):
    return run["per_ns"]["median"] / ratio_of(run["outcome"])
