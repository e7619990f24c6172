"""The figure of merit of each version, <ladder>-merit.json: the time to an estimate with a given standard deviation."""

import math

from suite.documents import means
from suite.documents.checks import ABOVE_0, COUNT_ABOVE_0, INTERVAL, NO_ROW, NUMBER, TEXT, Maybe, Ruled, one_of, or_failed
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

SD = {"hits": "pi_sd", "means": "sd"}  # the field of a standard deviation, by what a ladder estimates
ROW = {"version": TEXT, "title": TEXT, "soundness": TEXT, "per_ns": INTERVAL, "bias": NUMBER, "times": [time_table]}
TRIED = {"seconds": ABOVE_0, "work": COUNT_ABOVE_0, "launches": COUNT_ABOVE_0}
OF_HITS = {"independent": INDEPENDENT, "variance_ratio": Maybe(SPREAD)}
OF_MEANS = {"independent": TEXT, "variance_ratio": Maybe(means.RATIO), "variance": ABOVE_0, "steps": COUNT_ABOVE_0}
ROWS = {"hits": (OF_HITS, (no_known_ratio,)), "means": (OF_MEANS, ())}


def _of_ladder(ladder):
    if ladder.outcome not in ROWS:
        return {"row": NO_ROW}
    own, rules = ROWS[ladder.outcome]
    tried = TRIED | {SD[ladder.outcome]: ABOVE_0}
    return {"row": or_failed(Ruled(ROW | own | {"tried": [tried]}, rules))}

DOCUMENT = Document("rows", None, schema=2, by_ladder=_of_ladder)


# What a row says. That of a version in such a file, or the outcome of a run.


def is_scrambled(row):
    """Whether only whole launches are independent of each other."""
    return row["independent"] == "launches"


def is_dependent(row):
    """Whether samples depend on each other within a block."""
    return row["independent"] == "blocks"


def variance_of_unit(row):
    """Variance of the estimate, times the units of work. Of a mean it is stored for each number.

    Of pi: 16 P (1 - P), times the known ratio where samples are dependent.
    """
    if "variance" in row:
        return row["variance"] * row["steps"]
    hits = math.pi + row["bias"]  # 4 P
    return hits * (4 - hits) * (row["variance_ratio"]["known"] if is_dependent(row) else 1)


def sd_of(record):
    """The standard deviation of the estimate of a run that was tried, or of an outcome; None if it is not known."""
    return record["pi_sd"] if "pi_sd" in record else record["sd"]


def time_to(decimals, row):
    """A row's time to a standard deviation of 10^-decimals, None if there is none."""
    return next((time for time in row["times"] if decimals_of(time) == decimals), None)


def decimals_of(time):
    return round(-math.log10(time["target"]))
