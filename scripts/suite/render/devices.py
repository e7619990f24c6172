"""The page of a ladder on all devices: those of results/ and those of others, step by step, and the figures of others.

The first of the measured devices is the one with which the others are compared.
"""

from typing import NamedTuple

from suite import markdown, naming, numerals
from suite.analyse import comparison
from suite.documents import records
from suite.documents.profile import limit_title
from suite.markdown import LEFT, NONE, RIGHT, escaped, shown
from suite.render import cells, reference_tables, sources
from suite.render.sections import steps

IN_ITALICS = "Devices in italics were not measured here. Their figures come from [tables](#figures-of-others)."

FASTEST = """The fastest step is the fastest of those with independent draws and a generator that is sound, in the form that the last
column names."""

FASTEST_REPORTED = (
    " Of a device in italics it is the fastest that its source reports, with what the tests here say of its generator."
)

PER_CLOCK = """The rate of a step on the GPU's clock, divided by the number of SMs and by their clock during the run, which stands beside
it in MHz. It compares GPUs of different size. The clock is measured [just before and after a timing](../docs/method.md), and may be
above the maximum that the driver reports."""

AT_BOOST = " Of the devices in italics only the boost clock is known. At a lower clock their rate per clock is higher."

POWER = """Mean power of the whole device by NVML, while launches of a step on the GPU's clock run back to back for a second or more, and
the work done with a joule."""

RATIOS = """×: the rate over that of the {base}, or "overlap" where the 95 % intervals of both overlap. A dash: the step is
newer than the results of that device, or their source does not have it."""

LIMIT = "The busiest unit, from Nsight Compute: how much of the time or of its possible rate it was in use."

SAME_HITS = """Seed and grid fix the hits of each launch on every GPU. The runs end after different numbers of launches, so the hits are
compared along the way, after each number of samples for which both files have them. Where the hits are the same, so are the random
numbers: two devices show one draw, not two."""


class Figures(NamedTuple):
    """What is known of a step on a device; rate, with its interval, is None if it failed, and what follows are cells of tables."""

    rate: dict | None
    text: str
    per_clock: tuple = (NONE, NONE)
    limit: tuple = (NONE,)
    energy: tuple = (NONE, NONE)
    sound: str | None = None  # the form in which its random numbers can be trusted; None where another tells


class Column(NamedTuple):
    """A device: what the tables say of it, and its figures by step."""

    title: str
    link: str
    multiprocessors: str
    clock: str
    fastest: str | None
    steps: dict
    is_reported: bool = False


# The page


def page(site):
    """The text of results/<ladder>.md."""
    others = [part for reference in site.references for part in reference_tables.parts(reference)]
    return sources.page(
        f"The ladder {site.ladder.suite} on all devices",
        sources.filled(site.ladder.about),
        *side_by_side(site),
        *(["## Figures of others", *others] if others else []),
    )


def side_by_side(site):
    """The tables of devices side by side, as parts of a page; none if nothing is measured."""
    columns = columns_of(site)
    if not site.devices:
        return []
    facts = [facts_of(device, site.ladder.suite) for device in site.devices.values() if device.is_column]
    titles, energy_heads = titles_of(site), ["{}, power (W)", f"{{}}, 10⁹ {site.ladder.unit}s per joule"]
    over_base = sources.filled(RATIOS, base=columns[0].title)
    at_boost = AT_BOOST * any(column.is_reported for column in having(columns, "per_clock"))
    per_clock = of_columns(sources.filled(PER_CLOCK) + at_boost, columns, titles, "per_clock", ["{}", "at"], fewest=1)
    tables = [
        ("The devices", [devices_table(site, columns), about_devices(columns), *facts]),
        ("Rate of each step", [rate_table(columns, titles), *([over_base] if columns[1:] else [])]),
        ("Rate per clock and SM", per_clock),
        ("Energy of each step", of_columns(about_power(site), columns, titles, "energy", energy_heads, fewest=1)),
        ("What limits each step", of_columns(LIMIT, columns, titles, "limit", ["{}"])),
        ("The same hits", same_hits_parts(list(site.devices.values()))),
    ]
    return [part for heading, parts in tables if parts for part in (f"## {heading}", *parts)]


def columns_of(site):
    """Every device with rates of steps, those of others last."""
    others = reference_tables.devices_of(site.references).items()
    return [measured(device) for device in site.devices.values()] + [reported(*other) for other in others]


def titles_of(site):
    """The steps of all devices in their order, each with the text that tables have for it."""
    runs = [run for device in site.devices.values() for run in records.succeeded(device.result["runs"])]
    known = {run["version"]: cells.step(run) for run in reversed(runs)}
    found = {step for column in columns_of(site) for step in column.steps}
    return {step: known.get(step, step) for step in sorted(found, key=naming.place)}


# Measured devices


def measured(device):
    runs = cells.steps_of(device.result["runs"])
    facts, limits = device.result["context"]["device"], steps.limits_of(device)
    name = escaped(device.name)
    return Column(
        name,
        name if device.is_column else f"[{name}]({device.page})",
        grouped(facts["multiprocessors"]),
        clock_text([run.get("sm_clock_mhz") for run in records.succeeded(runs)]),
        cells.fastest(runs),
        {run["version"]: figures_of(run, facts, limits.get(run["version"])) for run in runs},
    )


def figures_of(run, device, limit):
    if records.has_failed(run):
        return Figures(None, records.failed_word(run))
    clock = clock_text([run.get("sm_clock_mhz")])
    return Figures(
        run["per_ns"],
        cells.median(run),
        per_clock_cells(comparison.per_clock_of(run, device), clock),
        (f"{numerals.percent_text(limit['pct'])} % {limit_title(limit)}" if limit else NONE,),
        energy_cells(run),
        cells.sound(run),
    )


def per_clock_cells(rate, clock):
    return (numerals.three_digits(rate), clock) if rate else (NONE, NONE)


def energy_cells(run):
    """Power, and 10^9 units of work per joule."""
    per_joule = comparison.per_joule_of(run)
    return (shown(run["power_w"], "{:.0f}"), numerals.three_digits(per_joule)) if per_joule else (NONE, NONE)


def clock_text(clocks):
    """The clock, or the lowest and the highest if the runs had different clocks."""
    known = [round(clock) for clock in clocks if records.positive(clock)]
    if not known:
        return NONE
    slowest, fastest = grouped(min(known)), grouped(max(known))
    return slowest if slowest == fastest else f"{slowest}–{fastest}"


# Devices of others


def reported(name, device):
    multiprocessors, clock, rates = device["multiprocessors"], device["boost_clock_mhz"], device["rates"]
    text = f"boost {grouped(clock)}" if clock else NONE
    per_clock = {step: comparison.per_clock(rate, clock, multiprocessors) for step, rate in rates.items()}
    return Column(
        italic(name),
        italic(name),
        grouped(multiprocessors) if multiprocessors else NONE,
        text,
        max(rates, key=rates.get),
        {
            step: Figures(without_interval(rate), grouped(rate), per_clock_cells(per_clock[step], text))
            for step, rate in rates.items()
        },
        is_reported=True,
    )


def without_interval(rate):
    return dict.fromkeys(("median", "low", "high"), float(rate))


def italic(name):
    return f"*{escaped(name)}*"


# Tables


def figure(column, step, name):
    return getattr(column.steps[step], name) if step in column.steps else None


def about_devices(columns):
    is_any_reported = any(column.is_reported for column in columns)
    return sources.filled(f"{IN_ITALICS} {FASTEST}{FASTEST_REPORTED}" if is_any_reported else FASTEST)


def facts_of(device, suite):
    """What the rates of a device depend on that has no page of its own, and where they are."""
    return f"{sources.facts_text(device.result['context'])}. Data: [{suite}.json]({device.slug}/{suite}.json)."


def devices_table(site, columns):
    """A row for each device, with its fastest step; also for those of others that have one rate."""
    base = figure(columns[0], columns[0].fastest, "rate")
    rows = [
        [column.link, column.multiprocessors, column.clock, column.fastest or NONE, text_of(column, column.fastest),
         cells.ratio(figure(column, column.fastest, "rate"), base), sound_of(column, columns[0])]
        for column in columns
    ]  # fmt: skip
    for row in reference_tables.one_rate_devices(site.references):
        rate = row["samples_per_ns"]
        ratio = cells.ratio(without_interval(rate), base)
        rows.append([italic(row["device"]), NONE, NONE, NONE, grouped(rate), ratio, NONE])
    titles = ["Device", "SMs", "SM clock (MHz)", "Fastest step", site.ladder.rate, f"× {columns[0].title}", "Sound"]
    return markdown.table(titles, [LEFT, RIGHT, RIGHT, LEFT, RIGHT, RIGHT, LEFT], rows)


def rate_table(columns, titles):
    """The rate of each step, and the ratio to that of the first device."""
    base, *others = columns
    lines = [
        [
            title,
            text_of(base, step),
            *(cell for column in others for cell in (text_of(column, step), over(column, base, step))),
        ]
        for step, title in titles.items()
    ]
    return markdown.figures(["Step", base.title, *(title for column in others for title in (column.title, "×"))], lines)


def sound_of(column, base):
    """The cell of its fastest step; of what others report, that of the base."""
    return figure(column, column.fastest, "sound") or figure(base, column.fastest, "sound") or NONE


def text_of(column, step):
    return figure(column, step, "text") or NONE


def over(column, base, step):
    return cells.ratio(figure(column, step, "rate"), figure(base, step, "rate"))


def about_power(site):
    idle = {device.name: device.result["context"].get("idle_power_w") for device in site.devices.values()}
    drawn = " and ".join(f"{escaped(name)} {watts:.0f} W" for name, watts in idle.items() if watts)
    others = [row for row in reference_tables.one_rate_devices(site.references) if records.positive(row.get("power_w"))]
    stated = "".join(stated_power(row["device"], row["power_w"], row["samples_per_ns"]) for row in others)
    return sources.filled(POWER) + (f" Before these runs, idle: {drawn}." if drawn else "") + stated


def stated_power(device, watts, rate):
    return f" {italic(device)}, by its source: {watts:,} W, {numerals.three_digits(rate / watts)} × 10⁹ per joule."


def having(columns, name):
    """The devices that have cells of this name."""
    return [column for column in columns if any({*getattr(own, name)} != {NONE} for own in column.steps.values())]


def of_columns(text, columns, titles, name, heads, fewest=2):
    """A text and a table with the cells of this name of each step that has any, on the devices that have any; none of fewer devices."""
    known, blank = having(columns, name), [NONE] * len(heads)
    if len(known) < fewest:
        return []
    found = {step: [cell for column in known for cell in figure(column, step, name) or blank] for step in titles}
    lines = [[titles[step], *own] for step, own in found.items() if set(own) != {NONE}]
    titles = ["Step", *(head.format(column.title) for column in known for head in heads)]
    return [text, markdown.folded("The steps", markdown.figures(titles, lines))]


def same_hits_parts(devices):
    """How the hits of each device agree with those of the first."""
    base, *others = devices
    found = {escaped(device.name): comparison.agreement(base.runs, device.runs) for device in others}
    first = escaped(base.name)
    lines = {name: comparison.hits_text(agreement, first, name) for name, agreement in found.items()}
    listed = "\n".join(f"- {first} and {name}. {line}" for name, line in lines.items() if line)
    return [sources.filled(SAME_HITS), listed] if listed else []


# Text


def grouped(value):
    return f"{value:,}"
