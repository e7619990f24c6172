"""The figure of merit of each version: the time to an estimate of pi with a given standard deviation, as tables."""

import math

from suite import markdown, numerals
from suite.documents import checks, result
from suite.documents.merit import COMPUTED, NEVER, decimals_of, is_scrambled, time_to
from suite.ladders import pi
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import tables

NOTE = """GPU time to an estimate of π with a standard deviation of 10⁻⁶, 10⁻⁷ and 10⁻⁸. Italics: more than half a minute,
so computed from rate and variance, not measured. Never: the known bias of coordinates and generator is larger than the
target, and no further sample removes it. Variance: the variance of the estimate divided by the binomial variance of as
many independent samples. If samples depend on each other, the times take it into account."""

SCRAMBLED_NOTE = """{versions}: each launch is one random scrambling of a whole point set, whose error falls faster than
one over the square root of its points. The variance is measured with launches of the default size. The time is that of
the fastest run of at least {fewest} launches whose standard deviation, measured from their spread, reaches the target.
With {fewest} launches that standard deviation is itself uncertain by {uncertainty:.0%}."""


# Tables


def table(rows):
    """The columns of the versions' properties, and one for each target."""
    targets = sorted({decimals_of(time) for row in checks.succeeded(rows) for time in row["times"]})
    columns = [STEP, RATE, VARIANCE, BIAS, SOUND] + [(f"Time to {power(decimals)}", RIGHT, time_cell(decimals)) for decimals in targets]
    titles, alignments, cells = zip(*columns)
    return markdown.table(titles, alignments, [tables.cells_of(row, cells) for row in rows])


def with_all_steps(rows, runs):
    """The rows, and an empty one for each step of the ladder that was not measured, in order."""
    measured = {row["version"] for row in rows}
    steps = [run["version"] for run in runs if pi.is_step(run)]
    others = [{"version": version, "error": None} for version in steps if version not in measured]
    return sorted(rows + others, key=lambda row: pi.order(row["version"]))


def notes(rows):
    """What the columns mean."""
    scrambled = [row["version"] for row in checks.succeeded(rows) if is_scrambled(row)]
    extra = [scrambled_note(scrambled)] if scrambled else []
    return [" ".join(note.split()) for note in (NOTE, *extra)]


def scrambled_note(versions):
    """What is different of these versions. An sd from n values is itself uncertain by a part of 1 / √(2 (n - 1))."""
    fewest = result.FEWEST_DEPENDENT
    uncertainty = 1 / math.sqrt(2 * (fewest - 1))
    text = SCRAMBLED_NOTE.format(versions=", ".join(versions), fewest=fewest, uncertainty=uncertainty)
    return text.replace("%", " %")


def time_cell(decimals):
    def cell(row):
        time = time_to(decimals, row)
        return NONE if time is None else f"*{time_text(time)}*" if time["how"] == COMPUTED else time_text(time)

    return cell


def variance(row):
    return NONE if row["variance_ratio"] is None else ratio_text(row["variance_ratio"])


def bias(row):
    return numerals.scientific(row["bias"], digits=3) if row["bias"] else "0"


def rate(row):
    return numerals.median_text(row["per_ns"])

STEP = ("Step", LEFT, tables.step)
RATE = ("Samples/ns", RIGHT, rate)
VARIANCE = ("Variance", RIGHT, variance)
BIAS = ("Known bias", RIGHT, bias)
SOUND = ("Sound", LEFT, tables.sound)


# Text


def power(decimals):
    return f"10⁻{str(decimals).translate(numerals.SUPERSCRIPTS)}"


def time_text(time):
    """A time with its unit, or that there is none."""
    return NEVER if time["how"] == NEVER else numerals.duration(time["seconds"])


def ratio_text(ratio):
    """A ratio of variances with its standard deviation: 1.003 ± 0.004, or (2.3 ± 0.4) × 10⁻⁵."""
    value, sd = ratio["ratio"], ratio["sd"]
    if not 0 < value < 0.01:
        return with_sd(value, sd)
    exponent = numerals.magnitude(value)
    return f"({with_sd(value / 10**exponent, sd / 10**exponent)}) × 10{str(exponent).translate(numerals.SUPERSCRIPTS)}"


def with_sd(value, sd):
    """Both to the first digit of the standard deviation."""
    decimals = max(0, -numerals.magnitude(sd)) if sd > 0 else 4
    return f"{value:.{decimals}f} ± {sd:.{decimals}f}"
