"""The figure of merit of each version, <ladder>-merit.json: the time to an estimate of pi with a given standard deviation."""

import math

from suite.documents.checks import ABOVE_0, COUNT_ABOVE_0, INTERVAL, NUMBER, TEXT, Maybe, Ruled, one_of, or_failed
from suite.documents.document import Document
from suite.documents.result import INDEPENDENT, SPREAD

MEASURED, COMPUTED, NEVER = HOWS = "measured", "computed", "never"


def time_table(time):
    """The table of a time to a standard deviation."""
    table = {"target": ABOVE_0, "how": one_of(*HOWS)}
    return table if time.get("how") == NEVER else table | {"seconds": ABOVE_0, "samples": COUNT_ABOVE_0}


def no_known_ratio(row):
    """What a row, or the outcome of a run, lacks that the variance of dependent samples is computed from."""
    if is_dependent(row) and (row["variance_ratio"] or {}).get("known") is None:
        return "has no known variance_ratio"

ROW = {
    "version": TEXT, "title": TEXT, "soundness": TEXT, "independent": INDEPENDENT, "per_ns": INTERVAL,
    "variance_ratio": Maybe(SPREAD), "bias": NUMBER, "times": [time_table],
    "tried": [{"seconds": ABOVE_0, "pi_sd": ABOVE_0, "work": COUNT_ABOVE_0, "launches": COUNT_ABOVE_0}],
}  # fmt: skip
DOCUMENT = Document("rows", or_failed(Ruled(ROW, (no_known_ratio,))), schema=2)


# What a row says. That of a version in such a file, or the outcome of a run.


def is_scrambled(row):
    """Whether only whole launches are independent of each other."""
    return row["independent"] == "launches"


def is_dependent(row):
    """Whether samples depend on each other within a block."""
    return row["independent"] == "blocks"


def variance_of_one(row):
    """Variance of the estimate, times the samples: 16 P (1 - P), times the known ratio where samples are dependent."""
    hits = math.pi + row["bias"]  # 4 P
    return hits * (4 - hits) * (row["variance_ratio"]["known"] if is_dependent(row) else 1)


def time_to(decimals, row):
    """A row's time to a standard deviation of 10^-decimals, None if there is none."""
    return next((time for time in row["times"] if decimals_of(time) == decimals), None)


def decimals_of(time):
    return round(-math.log10(time["target"]))
