"""The figure of merit: the time to an estimate with a given standard deviation."""

import math

from suite import markdown, naming, numerals
from suite.documents import records
from suite.analyse import merit
from suite.analyse.merit import COMPUTED, FEWEST_DEPENDENT, NEVER, decimals_of, is_scrambled, time_to
from suite.markdown import NONE, RIGHT
from suite.render import cells, prices, sources

HEADING = "Figure of merit"

NOTE = """GPU time to an estimate of π with a standard deviation of 10⁻⁶, 10⁻⁷ and 10⁻⁸. A time in italics is longer than
half a minute; it is computed from rate and variance. The others were measured, in whole launches. Never: the known bias of
coordinates and generator exceeds the target, and more samples do not reduce it. Variance: the variance of the estimate divided by
the binomial variance of as many independent samples. The times take it into account if samples depend on each other."""

PRICE_NOTE = """GPU time to a price with a standard deviation of 10⁻³, 10⁻⁴ and 10⁻⁵. A time in italics is computed from the
rate and the variance of one run, in whole launches. Never: the known bias of the arithmetic exceeds the target, and more paths do
not reduce it. Variance: the variance of the price divided by that of as many independent paths without controls. Effective: the
rate divided by that, so the rate of plain paths that gives the same precision."""

SCRAMBLED_NOTE = """{versions}: each launch is one random scrambling of a whole point set, whose error falls faster than
one over the square root of its points. The variance is measured with launches of the default size. The time is that of
the fastest run of at least {fewest} launches whose standard deviation, measured from their spread, reaches the target.
With {fewest} launches that standard deviation is itself uncertain by {uncertainty}. As it is the fastest of several runs, its time is
rather too short than too long."""


def section(device, site):
    if not has_rows(device):
        return []
    rows = with_all_steps(merit.rows(device.merit, site.ladder), device.result["runs"], site.ladder)
    text = sources.filled(PRICE_NOTE if prices.is_of_means(site.ladder) else NOTE)
    return [
        sources.data(device, "merit"),
        markdown.folded("The times", text, table(rows, site.ladder), *scrambled_notes(rows)),
        *sources.warnings_of_study(device.merit["runs"]),
    ]


def has_rows(device):
    return device.merit is not None and bool(device.merit["runs"])


# Tables


def table(rows, ladder):
    """The columns of the versions' properties, and one for each target."""
    columns = [
        cells.STEP,
        (ladder.rate, RIGHT, cells.median),
        ("Variance", RIGHT, variance),
        *([(f"Effective {ladder.rate.lower()}", RIGHT, effective_rate)] if prices.is_of_means(ladder) else []),
        ("Known bias", RIGHT, bias),
        cells.SOUND_FORM,
    ]
    targets = sorted({decimals_of(time) for row in records.succeeded(rows) for time in row["times"]})
    columns += [(f"Time to {numerals.power_of_ten(10**-decimals)}", RIGHT, time_cell(decimals)) for decimals in targets]
    return cells.table_of_rows(columns, rows)


def with_all_steps(rows, runs, ladder):
    """The rows, and an empty one for each step of the ladder that was not measured, in order."""
    measured = {row["version"] for row in rows} | {ladder.constant}
    steps = [run["version"] for run in runs if naming.is_step(run)]
    others = [{"version": version, "error": None} for version in steps if version not in measured]
    return sorted(rows + others, key=lambda row: naming.order(row["version"]))


def scrambled_notes(rows):
    """How scrambled point sets were measured. The sd of n values has a relative error of 1 / √(2 (n - 1))."""
    versions = [row["version"] for row in records.succeeded(rows) if is_scrambled(row)]
    if not versions:
        return []
    fewest = FEWEST_DEPENDENT
    uncertainty = f"{100 / math.sqrt(2 * (fewest - 1)):.0f} %"
    return [sources.filled(SCRAMBLED_NOTE, versions=", ".join(versions), fewest=fewest, uncertainty=uncertainty)]


def time_cell(decimals):
    def cell(row):
        time = time_to(decimals, row)
        return NONE if time is None else f"*{time_text(time)}*" if time["how"] == COMPUTED else time_text(time)

    return cell


def variance(row):
    ratio = row["variance_ratio"]
    if "variance" in row:
        return numerals.ratio_text(prices.ratio_of(row))
    return NONE if ratio is None else ratio_text(ratio)


def effective_rate(row):
    return numerals.three_digits(row["per_ns"]["median"] / prices.ratio_of(row))


def bias(row):
    return numerals.scientific(row["bias"], digits=3) if row["bias"] else "0"


# Text


def time_text(time):
    """A time with its unit, or "never"."""
    return NEVER if time["how"] == NEVER else numerals.duration(time["seconds"])


def ratio_text(ratio):
    """A ratio of variances with its standard deviation: 1.003 ± 0.004, or (2.3 ± 0.4) × 10⁻⁵."""
    value, sd = ratio["ratio"], ratio["sd"]
    if not 0 < value < 0.01:
        return numerals.with_sd(value, sd, 1)
    exponent = numerals.magnitude(value)
    return f"({numerals.with_sd(value / 10**exponent, sd / 10**exponent, 1)}) × 10{str(exponent).translate(numerals.SUPERSCRIPTS)}"
