"""The steps of a ladder as in steps.py, but with a chart of their rates and intervals in place of the staircase."""

from suite import numerals
from suite.documents import records
from suite.render import cells, prices, sources
from suite.render.sections import steps

HEADING, section = steps.HEADING, steps.section


def chart(device, site):
    """The rates of all rows, and the second ones of steps that have any; None without a rate."""
    runs, ladder = cells.in_step_order(device.result["runs"]), site.ladder
    if not records.succeeded(runs):
        return None
    seconds, others = prices.second_runs(device, ladder), steps.reference_lines(site.references)
    rows = [row(run, [own for own in seconds if ladder.base(own["version"]) == run["version"]]) for run in runs]
    lines = [*others, *memory_lines(device, ladder)]
    drawn = [rate["median"] for own in rows for rate in own["rates"]] + [line["rate"] for line in lines]
    return {
        "chart": "rates",
        "title": sources.chart_title(ladder, device.name, f"{ladder.unit}s per nanosecond"),
        "note": note(runs, others),
        "unit": ladder.unit,
        "columns": ["", ladder.second_rate.title] if seconds else [""],
        "rows": rows,
        "lines": lines,
        "range": [0, numerals.six_digits(max(drawn) * 1.08)] if ladder.second_rate else steps.span(drawn, 2),
    }


def note(runs, others):
    few = f" {cells.FEW}: fewer than 50 timings." if any(map(cells.has_few_timings, runs)) else ""
    dashed = " Dashed: the best figures of others." if others else ""
    return f"Bars: 95 % interval of the median, where it is wider than its dot.{few}{dashed}"


def row(run, seconds):
    """A step, or a row of the CPU: its rate, and the second one if it has one."""
    measured = [] if records.has_failed(run) else [run, *seconds]
    return {
        "label": cells.label(run),
        "kind": steps.kind_of(run),
        "rates": [{name: own["per_ns"][name] for name in ("median", "low", "high")} for own in measured],
        "texts": [cells.median(own) for own in measured] or ["failed"],
    }


def memory_lines(device, ladder):
    """The rate at which memory takes what the second rate stores; none where it was not measured."""
    second, gbps = ladder.second_rate, device.gbps.get("dram_write")
    if not (second and gbps):
        return []
    rate, text = gbps / second.bytes, f"DRAM writes, {second.bytes} bytes a {ladder.unit} ({second.title})"
    return [steps.line(text, numerals.six_digits(rate), numerals.three_digits(rate), False)]
