"""The staircase of a ladder: the best rate after each step, and why it rose. A story shows it, and no page of a device."""

import itertools

from suite import naming, numerals
from suite.documents import records
from suite.render import cells, sources
from suite.render.sections import steps

REASONS, LEAST = 7, 1.1  # as many rises are explained, each at least by this factor


def chart(device, site):
    """The rates of the steps, of which those with dependent samples are never the best; None without a rate."""
    ladder = site.ladder
    runs = [
        run for run in records.succeeded(cells.steps_of(device.result["runs"])) if run["version"] != ladder.constant
    ]
    if not runs:
        return None
    rows, lines = rows_of(runs, ladder), lines_of(device, site)
    drawn = [row["rate"] for row in rows] + [line["rate"] for line in lines]
    low, high = steps.span(drawn, is_linear=False)
    return {
        "chart": "stairs",
        "title": sources.chart_title(ladder, device.name, "the best rate so far"),
        "note": f"{ladder.unit.capitalize()}s per nanosecond, logarithmic. Hollow: no faster than the best step before.",
        "rows": rows,
        "lines": lines,
        "range": [low, 2 * high],
    }


def rows_of(runs, ladder):
    """The steps, those that are the best so far, and the reasons of the largest gains."""
    rates = [run["per_ns"]["median"] if cells.has_independent_samples(run) else 0 for run in runs]
    before = [0, *itertools.accumulate(rates, max)]
    gains = [rate / best if best else 0 for rate, best in zip(rates, before)]
    least = sorted([*gains, *[LEAST] * REASONS], reverse=True)[REASONS - 1]
    return [
        {
            "label": run["version"] if run is runs[0] else run["version"].removeprefix(ladder.letter),
            "kind": steps.kind_of(run),
            "rate": run["per_ns"]["median"],
            "is_best": rate > best,
            "reason": f"× {numerals.three_digits(gain)} {reason(run, ladder)}" if gain >= least else "",
        }
        for run, rate, best, gain in zip(runs, rates, before, gains)
    ]


def reason(run, ladder):
    """Why a step is faster, in a few words: those of the ladder, or the step's title."""
    title = run.get("title", "")
    return ladder.reasons.get(run["version"], title if title[1:2].isupper() else title[:1].lower() + title[1:])


def lines_of(device, site):
    """The fastest rate of the CPU, and the best figure of others."""
    runs = [run for run in records.succeeded(device.result["runs"]) if naming.is_cpu(run)]
    cpu = [line(f"{steps.cpu_label(run)}: {cells.median(run)}", run["per_ns"]["median"], True) for run in runs]
    others = [line(own["label"], own["rate"], False) for own in steps.reference_lines(site.references)]
    return [max(lines, key=lambda line: line["rate"]) for lines in (cpu, others) if lines]


def line(label, rate, is_cpu):
    return {"label": label, "rate": rate, "is_cpu": is_cpu}
