"""The figure of merit of each version: the time to an estimate of pi with a given standard deviation, as tables."""

import math

import results
import tables
from tables import LEFT, NONE, RIGHT, markdown, scientific

MEASURED, COMPUTED, NEVER = HOWS = "measured", "computed", "never"

YEAR_S = 365.25 * 86400
# Units with their seconds, largest first, and the time from which they are used.
UNITS = (
    ("years", YEAR_S, YEAR_S), ("d", 86400, 86400), ("h", 3600, 3600), ("min", 60, 60), ("s", 1, 0.1),
    ("ms", 1e-3, 1e-3), ("µs", 1e-6, 0),
)  # fmt: skip

NOTE = """GPU time to an estimate of π with a standard deviation of 10⁻⁶, 10⁻⁷ and 10⁻⁸. Italics: more than half a minute,
so computed from rate and variance, not measured. Never: the known bias of coordinates and generator is larger than the
target, and no further sample removes it. Variance: the variance of the estimate divided by the binomial variance of as
many independent samples. If samples depend on each other, the times take it into account."""

SCRAMBLED_NOTE = """{versions}: each launch is one random scrambling of a whole point set, whose error falls faster than
one over the square root of its points. The variance is measured with launches of the default size. The time is that of
the fastest run of at least {fewest} launches whose standard deviation, measured from their spread, reaches the target.
With {fewest} launches that standard deviation is itself uncertain by {uncertainty:.0%}."""


# What a row says. That of a version in merit.json, or the run in a program's record.


def is_scrambled(row):
    """Whether only whole launches are independent of each other."""
    return row.get("independent") == "launches"


def is_dependent(row):
    """Whether samples depend on each other within a block."""
    return row.get("independent") == "blocks"


def variance_of_one(row):
    """Variance of the estimate, times the samples: 16 P (1 - P), times the known ratio where samples are dependent."""
    hits = math.pi + row["bias"]  # 4 P
    return hits * (4 - hits) * (row["variance_ratio"]["known"] if is_dependent(row) else 1)


def time_to(decimals, row):
    """A row's time to a standard deviation of 10^-decimals, None if there is none."""
    return next((time for time in row["times"] if decimals_of(time) == decimals), None)


def decimals_of(time):
    return round(-math.log10(time["target"]))


# Tables


def table(rows):
    """The columns of the versions' properties, and one for each target."""
    targets = sorted({decimals_of(time) for row in results.succeeded(rows) for time in row["times"]})
    columns = [STEP, RATE, VARIANCE, BIAS, SOUND] + [(f"Time to {power(decimals)}", RIGHT, time_cell(decimals)) for decimals in targets]
    titles, alignments, cells = zip(*columns)
    return markdown(titles, alignments, [tables.cells_of(row, cells) for row in rows])


def with_all_steps(rows, runs):
    """The rows, and an empty one for each step of the ladder that was not measured, in order."""
    measured = {row["version"] for row in rows}
    steps = [run["version"] for run in runs if results.is_step(run)]
    others = [{"version": version, "error": None} for version in steps if version not in measured]
    return sorted(rows + others, key=lambda row: results.order(row["version"]))


def notes(rows):
    """What the columns mean."""
    scrambled = [row["version"] for row in results.succeeded(rows) if is_scrambled(row)]
    extra = [scrambled_note(scrambled)] if scrambled else []
    return [" ".join(note.split()) for note in (NOTE, *extra)]


def scrambled_note(versions):
    """What is different of these versions. An sd from n values is itself uncertain by a part of 1 / √(2 (n - 1))."""
    fewest = results.FEWEST_DEPENDENT
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
    return scientific(row["bias"], digits=3) if row["bias"] else "0"


def rate(row):
    return results.median_text(row["samples_per_ns"])


STEP = ("Step", LEFT, tables.step)
RATE = ("Samples/ns", RIGHT, rate)
VARIANCE = ("Variance", RIGHT, variance)
BIAS = ("Known bias", RIGHT, bias)
SOUND = ("Sound", LEFT, tables.sound)


# Text


def power(decimals):
    return f"10⁻{str(decimals).translate(tables.SUPERSCRIPTS)}"


def time_text(time):
    """A time with its unit, or that there is none."""
    return NEVER if time["how"] == NEVER else duration(time["seconds"])


def time_words(time):
    """The same for a terminal, and whether it is measured."""
    return NEVER if time["how"] == NEVER else f"{duration(time['seconds'])} ({time['how']})"


def duration(seconds):
    """Two digits with a unit: 17 µs, 0.19 s, 1.5 h."""
    unit, size = next((unit, size) for unit, size, first in UNITS if two_digits(seconds / size) >= first / size)
    value = two_digits(seconds / size)
    return f"{value:,.{max(0, 1 - results.magnitude(value))}f} {unit}"


def two_digits(value):
    return round(value, 1 - results.magnitude(value))


def ratio_text(ratio):
    """A ratio of variances with its standard deviation: 1.003 ± 0.004, or (2.3 ± 0.4) × 10⁻⁵."""
    value, sd = ratio["ratio"], ratio["sd"]
    if not 0 < value < 0.01:
        return with_sd(value, sd)
    exponent = results.magnitude(value)
    return f"({with_sd(value / 10**exponent, sd / 10**exponent)}) × 10{str(exponent).translate(tables.SUPERSCRIPTS)}"


def with_sd(value, sd):
    """Both to the first digit of the standard deviation."""
    decimals = max(0, -results.magnitude(sd)) if sd > 0 else 4
    return f"{value:.{decimals}f} ± {sd:.{decimals}f}"
