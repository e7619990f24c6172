"""The figure of merit of each version, merit.json: the time to an estimate of pi with a given standard deviation."""

import math

from suite.documents import checks, files

SCHEMA = 2
MEASURED, COMPUTED, NEVER = HOWS = "measured", "computed", "never"


def load(path):
    return files.load(path, check)


def check(document):
    """Refuse what is no record of the figure of merit."""
    checks.check_head(document, "rows", SCHEMA)
    number = (int, float)
    fields = {
        "version": (str,), "title": (str,), "soundness": (str,), "independent": (str,), "per_ns": (dict,),
        "variance_ratio": (dict, type(None)), "bias": number, "times": (list,), "tried": (list,),
    }  # fmt: skip
    for row in checks.checked_failures(document["rows"]):
        checks.check_fields(row, fields, "a row")
        version = row["version"]
        checks.check_interval(row["per_ns"], f"{version}.per_ns")
        if is_dependent(row) or row["variance_ratio"]:
            checks.check_fields(row["variance_ratio"], {"ratio": number, "sd": number}, f"{version}.variance_ratio")
        for time in row["times"]:
            check_time(time, version)
        for run in row["tried"]:
            checks.check_above_0(run, ("seconds", "pi_sd", "work", "launches"), f"a run of {version}")
    checks.check_unique(document["rows"])


def check_time(time, version):
    """Refuse what is no time to a standard deviation."""
    where = f"a time of {version}"
    checks.check_above_0(time, ("target",), where)
    if time.get("how") not in HOWS:
        raise checks.ResultError(f"{where} is not one of {', '.join(HOWS)}")
    if time["how"] != NEVER:
        checks.check_above_0(time, ("seconds", "samples"), where)


# What a row says. That of a version in merit.json, or the outcome of a run.


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
