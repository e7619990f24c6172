"""Distance of the estimate from pi against samples."""

import math

from suite import numerals
from suite.documents import records
from suite.render import sources
from suite.render.curves import near, together

HEADING = "Distance from π against samples"


def section(device, site):
    if not curves_of(device):
        return []
    text = (
        "The error falls as one over the square root of the samples, until only the bias of coordinates and generator is "
        f"left. More samples do not reduce the bias. {sources.filled(site.ladder.same_words)}"
    )
    return [
        f"{text} {sources.data(device, 'convergence')}",
        *sources.failures(device.convergence["runs"]),
        *sources.warnings_of_study(device.convergence["runs"]),
    ]


# Chart


def chart(device, site):
    curves = curves_of(device)
    if not curves:
        return None
    samples = [count for curve in curves for count, _ in curve["points"]]
    return {
        "chart": "convergence",
        "title": sources.chart_title(site.ladder, device.name, "distance of the estimate from π"),
        "note": "Shaded: one and two standard deviations. Dashed: the known bias, the difference of 4P from π, where P is the exact probability of a hit.",
        "curves": [drawn(group, site.ladder) for group in together(curves, alike)],
        "sd_of_one": numerals.six_digits(math.sqrt(math.pi * (4 - math.pi))),
        "range": [10.0 ** math.floor(math.log10(min(samples))), max(samples)],
    }


def drawn(group, ladder):
    """A curve that stands for all of a group."""
    first, names = group[0], ", ".join(curve["version"] for curve in group)
    return {
        "label": f"{names}: {numerals.scientific(first['bias'], digits=3)}",
        "hue": ladder.hue(first["version"]),
        "bias": numerals.six_digits(abs(first["bias"])),
        "points": [[count, distance(count, hits)] for count, hits in first["points"]],
    }


def alike(curve, other):
    """Whether two curves lie on each other: they begin with the same hits, so they draw the same words, and end at nearly the same bias."""
    return curve["points"][0] == other["points"][0] and near(abs(curve["bias"]), abs(other["bias"]))


def curves_of(device):
    """The curve of each version that has points: those of its runs, one after another."""
    runs = records.succeeded(device.convergence["runs"]) if device.convergence else []
    groups = records.grouped((run["version"], run) for run in runs).values()
    curves = [
        {
            "version": first["version"],
            "bias": first["outcome"]["bias"],
            "points": [point for run in (first, *others) for point in run["outcome"]["trace"]],
        }
        for first, *others in groups
    ]
    return [curve for curve in curves if curve["points"]]


def distance(samples, hits):
    """How far the estimate is from pi; None for 0, which a logarithmic scale cannot show."""
    return numerals.six_digits(abs(4 * hits / samples - math.pi)) or None
