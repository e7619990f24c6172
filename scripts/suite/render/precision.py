"""The chart of all ladders: the relative standard deviation of an estimate against time."""

import math

from suite import numerals
from suite.analyse import merit
from suite.documents import records
from suite.ladder import HITS
from suite.render import cells, sources

CHART, HEADING = "precision.svg", "Time to precision"

NOTE = """Lines: the step of each ladder that comes to a precision first, from its rate and variance, dashed before one launch as
timed. Dots: measured, with random shifts of a point set. Left out: a step that estimates something else than its ladder's others."""


def parts(found):
    """The chart under its heading; none without any."""
    shown = chart(found)
    return [f"## {HEADING}", sources.image(CHART, shown)] if shown else []


def chart(found):
    """The ladders of the first device, without those that estimate the same as one before them; None without any."""
    devices = next((site.devices for site in found if site.devices), {})
    slug = next(iter(devices), None)
    shown = [site for site in found if slug in site.devices and (site.ladder.targets or site.ladder.outcome != HITS)]
    lines, curves = [], []
    for hue, site in enumerate(shown):
        runs = cells.trusted(site.devices[slug].result["runs"])
        runs = [run for run in runs if after_second(run) and run["version"] not in site.ladder.other_outcomes]
        if runs:
            best = min(runs, key=after_second)
            label, seconds = f"{site.ladder.suite} {best['version']}", records.shortest_ms(best) / 1e3
            lines += [line_of(best, label, hue, seconds)]
            curves += curves_of(site.devices[slug], site.ladder, hue, value_of(best))
    return {
        "chart": "merit",
        "title": f"{HEADING}, all ladders on {devices[slug].name}: relative standard deviation against GPU time",
        "note": sources.filled(NOTE),
        "lines": lines,
        "curves": curves,
        "span": [1e-4, 1e2],
    } if lines else None  # fmt: skip


def line_of(run, label, hue, dashed_before):
    """A line that falls from the error after a second to the bias."""
    return {
        "label": label,
        "hue": hue,
        "sd_of_second": numerals.six_digits(after_second(run)),
        "bias": numerals.six_digits(bias_of(run)),
        "dashed_before": numerals.six_digits(dashed_before),
        "points": [],
    }


def after_second(run):
    """The relative standard deviation after a second; None where it is not known."""
    outcome, rate = run["outcome"], run["per_ns"]["median"] * 1e9
    if "merit" in outcome:
        return math.sqrt(outcome["merit"]["k"] / rate) if outcome["merit"] else None
    sd = merit.sd_of(outcome)
    return sd and sd / value_of(run) * math.sqrt(merit.units_of(outcome) / rate)


def value_of(run):
    """What the estimate is near to: the error of a solution is relative already."""
    return math.pi if "samples" in run["outcome"] else run["outcome"].get("estimate", 1)


def bias_of(run):
    """The known bias, relative."""
    outcome = run["outcome"]
    if "merit" in outcome:
        return (outcome["error"] or {}).get("systematic") or 0
    return abs(outcome["bias"] if "samples" in outcome else outcome["bias"]["value"]) / value_of(run)


def curves_of(device, ladder, hue, value):
    """The measured points of each scrambled point set, relative to the value that they estimate."""
    rows = records.succeeded(merit.rows(device.merit, ladder)) if device.merit else []
    return [
        {
            "label": f"{ladder.suite} {row['version']}",
            "hue": hue,
            "points": [point(run["seconds"], run["sd"] / value) for run in row["tried"]],
        }
        for row in rows
        if merit.is_scrambled(row) and row["tried"]
    ]


def point(seconds, error):
    return {"seconds": numerals.six_digits(seconds), "sd": numerals.six_digits(error)}
