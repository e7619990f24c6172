"""The figure of merit: the time to an estimate with a given standard deviation."""

import math

from suite import ladders, markdown, naming, numerals
from suite.documents import records
from suite.analyse import merit
from suite.analyse.merit import COMPUTED, FEWEST_DEPENDENT, NEVER, decimals_of, is_scrambled, time_to, variance_of_unit
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import cells, prices, sources
from suite.render.curves import near, together

HEADING = "Figure of merit"

NOTE = """GPU time to an estimate of π with a standard deviation of 10⁻⁶, 10⁻⁷ and 10⁻⁸. A time in italics is longer than
half a minute; it is computed from rate and variance, not measured. Never: the known bias of coordinates and generator
exceeds the target, and more samples do not reduce it. Variance: the variance of the estimate divided by the binomial
variance of as many independent samples. The times take it into account if samples depend on each other."""

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
        ("Sound", LEFT, cells.sound),
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


# Chart


def chart(device, site):
    """A panel for the ladder, and one for the ladder beside it, where it has the same device; None without either."""
    ladder, beside = site.ladder, ladders.ladder_named(site.ladder.merit_beside)
    other = site.others[beside.suite].get(device.slug) if beside else None
    panels = list(filter(None, [panel(device, ladder), panel(other, beside) if other else None]))
    what = f"standard deviation of the {'price' if prices.is_of_means(ladder) else 'estimate'} against GPU time"
    return {
        "chart": "merit",
        "title": sources.chart_title(ladder, device.name, what),
        "note": "Lines: computed from rate and variance, down to the known bias. Dots: measured. "
        f"2ⁿ: {FEWEST_DEPENDENT} launches of 2ⁿ points each.",
        "panels": panels,
    } if panels else None  # fmt: skip


def panel(device, ladder):
    """Lines of some versions, and the measured points of scrambled point sets; None without either."""
    plain, scrambled = drawn_rows(device, ladder)
    if not plain and not scrambled:
        return None
    lines = [line_of(group, ladder) for group in together(plain, alike)]
    curves = [points_of(row, ladder) for row in scrambled]
    points = [point for part in lines + curves for point in part["points"]]
    times = [time for row in plain + scrambled for time in row["times"] if time["how"] != NEVER]
    return {
        "title": f"Ladder {ladder.suite}",
        "lines": lines,
        "curves": curves,
        # Half a time, so that the labels of points have room on their left.
        "range": decades(
            ([] if prices.is_of_means(ladder) else [1e-4, 1e4])
            + [part["seconds"] for part in times]
            + [point["seconds"] / 2 for point in points]
        ),
        "lowest": numerals.six_digits(
            min([time["target"] for time in times] + [point["sd"] for point in points], default=1e-8)
        ),
    }


def drawn_rows(device, ladder):
    """The rows drawn as lines, and those drawn as points."""
    rows = records.succeeded(merit.rows(device.merit, ladder)) if device.merit else []
    lines = ladder.sd_lines
    plain = [row for row in rows if (lines is None or row["version"] in lines) and not is_scrambled(row)]
    return plain, [row for row in rows if is_scrambled(row) and row["tried"]]


def line_of(group, ladder):
    """The line of versions that are alike: the sd after a second and the bias, where the line ends, of the first of them."""
    first, names = group[0], ", ".join(row["version"] for row in group)
    return {
        "label": f"{names}: bias {bias(first)}" if first["bias"] else names,
        "hue": ladder.hue(first["version"]),
        "sd_of_second": numerals.six_digits(sd_of_second(first)),
        "bias": numerals.six_digits(abs(first["bias"])),
        "points": measured_points(first),
    }


def sd_of_second(row):
    return math.sqrt(variance_of_unit(row) / row["per_ns"]["median"] / 1e9)


def alike(row, other):
    """Whether the lines of two versions lie on each other."""
    return near(sd_of_second(row), sd_of_second(other)) and near(abs(row["bias"]), abs(other["bias"]))


def points_of(row, ladder):
    """The measured points of a version. Runs of the fewest launches are labelled with their size, and so is the last run."""
    points, runs, steps = measured_points(row), row["tried"], row.get("steps", 1)
    texts = [set_text(run, steps) if run["launches"] == FEWEST_DEPENDENT else "" for run in runs]
    if not texts[-1]:
        texts[-1] = f"{runs[-1]['launches']:,} × {set_text(runs[-1], steps)}"
    texted = [point | {"text": text} for point, text in zip(points, texts)]
    return {"label": row["version"], "hue": ladder.hue(row["version"]), "points": texted}


def measured_points(row):
    return [{"seconds": run["seconds"], "sd": numerals.six_digits(run["sd"])} for run in row["tried"]]


def set_text(run, steps):
    """The size of a point set as a power of two."""
    return f"2{str(round(math.log2(run['work'] / steps))).translate(numerals.SUPERSCRIPTS)}"


def decades(values):
    """The powers of ten around values."""
    return [10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))]
