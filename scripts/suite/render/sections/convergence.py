"""Distance of the estimate from pi against samples."""

import itertools
import math

from suite import numerals
from suite.documents import records
from suite.render import sources

HEADING = "Distance from π against samples"


def section(device, site):
    if not curves_of(device):
        return []
    text = (
        "The error falls as one over the square root of the samples, until only the bias of coordinates and generator is "
        f"left. More samples do not reduce the bias. {sources.filled(site.ladder.same_words)}"
    )
    image = sources.image("convergence.svg", "Distance of the estimate from π against samples", device)
    return [f"{text} {sources.data(device, 'convergence')}", image, *sources.failures(device.convergence["runs"])]


# Chart


def chart(device, site):
    curves = curves_of(device)
    if not curves:
        return None
    samples = [count for curve in curves for count, _ in curve["points"]]
    return {
        "chart": "convergence",
        "title": f"Distance of the estimate from π on {device.name}",
        "note": "Shaded: one and two standard deviations. Dashed: the known bias, the difference of 4P from π.",
        "curves": [
            {
                "label": f"{curve['version']}: {numerals.scientific(curve['bias'], digits=3)}",
                "bias": numerals.six_digits(abs(curve["bias"])),
                "points": [[count, distance(count, hits)] for count, hits in curve["points"]],
            }
            for curve in curves
        ],
        "sd_of_one": numerals.six_digits(math.sqrt(math.pi * (4 - math.pi))),
        "range": [10.0 ** math.floor(math.log10(min(samples))), max(samples)],
    }


def curves_of(device):
    """The curve of each version that has points: those of its runs, one after another."""
    runs = records.succeeded(device.convergence["runs"]) if device.convergence else []
    groups = [list(group) for _, group in itertools.groupby(runs, key=lambda run: run["version"])]
    curves = [
        {"version": first["version"], "bias": first["outcome"]["bias"], "points": [point for run in (first, *others) for point in run["outcome"]["trace"]]}
        for first, *others in groups
    ]
    return [curve for curve in curves if curve["points"]]


def distance(samples, hits):
    """How far the estimate is from pi; None for 0, which a logarithmic scale cannot show."""
    return numerals.six_digits(abs(4 * hits / samples - math.pi)) or None
