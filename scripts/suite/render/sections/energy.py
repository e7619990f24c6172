"""Power, and samples per joule."""

from suite import markdown, numerals
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, escaped, shown
from suite.render import cells, reference_tables

HEADING = "Energy"


def section(device, site):
    idle = device.result["context"].get("idle_power_w")
    text = (
        "Power is that of the whole device, measured by NVML while launches run back to back for a second or more. "
        f"An idle device draws {shown(idle, '{:.0f}')} W."
    )
    others = other_devices(site.references)
    note = " Rows in italics are figures of others, with the power that their source states." if others else ""
    runs = cells.steps_of(device.result["runs"])
    titles = ["Step", site.ladder.rate, "Power (W)", per_joule_title(site.ladder), "Sound"]
    rows = [[cells.step(run), cells.median(run), *cells_of(run), cells.sound(run)] for run in runs] + others
    table = markdown.table(titles, [LEFT, RIGHT, RIGHT, RIGHT, LEFT], rows)
    return [text + note, markdown.folded("The power of each step", table)]


def per_joule_title(ladder):
    return f"10⁹ {ladder.unit}s per joule"


def cells_of(run):
    """Power, and 10^9 units of work per joule."""
    per_joule = run.get("per_joule")
    return [shown(run.get("power_w"), "{:.0f}"), NONE if per_joule is None else numerals.three_digits(per_joule / 1e9)]


def other_devices(references):
    """Rows of the devices of others that have one rate."""
    return [other_device(row, reference) for row, reference in reference_tables.one_rate_devices(references)]


def other_device(row, reference):
    """A device of a reference table: its rate, its power where the source states it, and what follows from both."""
    source, samples, power = reference["source"], row["samples_per_ns"], records.positive(row.get("power_w"))
    first, *others = source["author"].split(",")
    year = f", {source['year']}" if "year" in source else ""
    name = f"*{escaped(row['device'])}* ({escaped(first)}{' et al.' if others else ''}{year})"
    per_joule = numerals.three_digits(float(samples / power)) if power else NONE
    return [name, f"{samples:,}", f"{power:,}" if power else NONE, per_joule, NONE]
