"""The figure of merit: the time to an estimate with a given standard deviation, from the runs of a study.

The first run of a version, without options, tells its rate, variance and bias. With them the time to a target follows; others
are runs that were timed to reach one.
"""

import itertools
import math

from suite import numerals
from suite.documents import records
from suite.ladder import MEANS

MEASURED, COMPUTED, NEVER = "measured", "computed", "never"
FEWEST_DEPENDENT = 16  # blocks or launches that give an error estimate where samples within one depend on each other


def rows(document, ladder):
    """What the runs of each version come to: its rate, variance and bias, the times to its targets, and the runs that were tried."""
    groups = itertools.groupby(document["runs"], key=lambda run: run["version"])
    return [row for _, group in groups for row in row_of(list(group), ladder)]


def row_of(runs, ladder):
    """The row of a version, or its failure."""
    first, *others = records.succeeded(runs) or [None]
    if first is None:
        return runs[:1]
    row = facts(first, ladder)
    tried = [tried_run(run) for run in others]
    return [row | {"tried": tried, "times": times_of(row, tried, ladder)}]


def facts(run, ladder):
    """What a first run tells of a version."""
    outcome = run["outcome"]
    row = {name: run[name] for name in ("version", "title", "soundness", "per_ns")}
    row |= {name: run.get(name) for name in ("work", "generator", "tested")}
    row |= {name: outcome[name] for name in ("independent", "variance_ratio")}
    if ladder.outcome == MEANS:
        return row | {"variance": variance_of_one(outcome), "steps": outcome["steps"], "bias": outcome["bias"]["value"]}
    return row | {"bias": outcome["bias"]}


def tried_run(run):
    """The time of a run of fixed work, and the standard deviation of its estimate."""
    outcome = run["outcome"]
    seconds = run["kernel_ms"]["mean"] * run["launches"] / 1e3
    sizes = {"launches": run["launches"], "work": run["work"], "samples": units_of(outcome)}
    return {"options": run["options"], "seconds": numerals.six_digits(seconds), "sd": sd_of(outcome), **sizes}


def times_of(row, tried, ladder):
    """The times of a version to the targets of its ladder; none of point sets that were not tried."""
    if is_scrambled(row):
        return [
            never(target) if is_out_of_reach(target, row) else cheapest(target, tried)
            for target in ladder.targets
            if tried or is_out_of_reach(target, row)
        ]
    return [time_to_target(target, row, tried, ladder) for target in ladder.targets]


def time_to_target(target, row, tried, ladder):
    """The time of independent samples: of the run that reached the target, or from rate and variance."""
    if is_out_of_reach(target, row):
        return never(target)
    samples = samples_for(target, row, ladder)
    reached = next((run for run in tried if run["options"] == f"--samples {samples}"), None)
    return measured(target, reached) if reached else computed(target, samples, samples / row["per_ns"]["median"] / 1e9)


def samples_for(target, row, ladder):
    """The samples of a version that give a standard deviation; of a price in whole launches."""
    samples = math.ceil(variance_of_unit(row) / target**2 / (row["work"] if ladder.outcome == MEANS else 1))
    return samples * row["work"] if ladder.outcome == MEANS else samples


def cheapest(target, tried):
    """The time of the fastest run that reaches the target. If none does, the time of the last with more launches."""
    reached = [run for run in tried if run["sd"] <= target]
    if reached:
        return measured(target, min(reached, key=lambda run: run["seconds"]))
    times = (tried[-1]["sd"] / target) ** 2
    return computed(target, math.ceil(tried[-1]["samples"] * times), tried[-1]["seconds"] * times)


def never(target):
    return {"target": target, "how": NEVER, "seconds": None, "samples": None}


def computed(target, samples, seconds):
    return {"target": target, "how": COMPUTED, "seconds": numerals.six_digits(seconds), "samples": samples}


def measured(target, run):
    return {"target": target, "how": MEASURED, **run}


# What a row or an outcome says


def is_out_of_reach(target, row):
    return abs(row["bias"]) > target


def is_scrambled(row):
    """Whether only whole launches are independent of each other."""
    return row["independent"] == "launches"


def is_dependent(row):
    """Whether samples depend on each other within a block."""
    return row["independent"] == "blocks"


def variance_of_unit(row):
    """Variance of the estimate, times the units of work. Of a mean it is known for each number.

    Of pi: 16 P (1 - P), times the known ratio where samples are dependent.
    """
    if "variance" in row:
        return row["variance"] * row["steps"]
    hits = math.pi + row["bias"]  # 4 P
    return hits * (4 - hits) * (row["variance_ratio"]["known"] if is_dependent(row) else 1)


def variance_of_one(outcome):
    """Variance of the estimate of a mean times its numbers; None without an error estimate."""
    if "variance" in outcome:  # of an older study
        return outcome["variance"]
    return None if outcome["sd"] is None else outcome["sd"] ** 2 * outcome["numbers"]


def units_of(outcome):
    """The units of work of an estimate."""
    return outcome["samples"] if "samples" in outcome else outcome["numbers"] * outcome["steps"]


def sd_of(outcome):
    """The standard deviation of an estimate; None if it is not known."""
    return outcome["pi_sd"] if "pi_sd" in outcome else outcome["sd"]


def time_to(decimals, row):
    """A row's time to a standard deviation of 10^-decimals, None if there is none."""
    return next((time for time in row["times"] if decimals_of(time) == decimals), None)


def decimals_of(time):
    return round(-math.log10(time["target"]))
