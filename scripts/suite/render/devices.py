"""The page of a ladder: the devices of results/ beside those of others, version by version, and the figures of others.

Measured devices come from results/<device>/<ladder>.json, the others from
results/reference/*.json: tables with a row a device and a column a version
("device", "multiprocessors", "v1" …, and "boost_clock_mhz" where known), and
tables with a row a version ("version", "samples_per_ns") whose title begins
with the device's name and a colon.
"""

from decimal import Decimal
from typing import NamedTuple

from suite import markdown, numerals
from suite.documents import checks, result
from suite.ladders import naming
from suite.render import reference_tables, sources

INTRODUCTION = "Devices in italics were not measured here. Their figures come from the [reference tables](#figures-of-others)."

PER_CLOCK = "The rate divided by the number of SMs and by their clock during the run. It compares GPUs of different size."

AT_BOOST = " Of the devices in italics only the boost clock is known. At a lower clock their rate per clock is higher."


class Row(NamedTuple):
    """A device; rates and per_clock are cells by the version's number."""

    is_reported: bool  # by others, not measured
    name: str
    multiprocessors: str
    clock: str
    rates: dict
    per_clock: dict


def page(site):
    """The text of results/<ladder>.md."""
    documents = [device.result for device in site.devices.values()]
    others = [part for reference in site.references for part in reference_tables.parts(reference)]
    return sources.page(
        f"The ladder {site.ladder.SUITE} on all devices",
        sources.filled(site.ladder.ABOUT),
        *comparison(documents, site.references),
        *(["## Figures of others", *others] if others else []),
    )


def comparison(documents, references):
    """The tables of devices side by side, as parts of a page; none if nothing is measured.

    documents are checked results, references the parsed files of
    results/reference, their figures as Decimal if they are to stay as
    printed. What either lacks is a dash.
    """
    rows = [measured(document) for document in documents]
    if not rows:
        return []
    rows += [reported(name, device) for name, device in devices_of(references).items()]
    steps = sorted({step for row in rows for step in row.rates}, key=naming.place)
    introduction = [INTRODUCTION] if any(row.is_reported for row in rows) else []
    return ["## Median rate of each version", *introduction, rate_table(rows, steps), *per_clock_parts(rows, steps)]


def rate_table(rows, steps):
    lines = [[row.name, row.multiprocessors, row.clock, *cells(row.rates, steps)] for row in rows]
    return table(["GPU", "SMs", "SM clock (MHz)", *steps], lines)


def per_clock_parts(rows, steps):
    """Text and table of the rates per clock and SM, of the devices that have any."""
    rows = [row for row in rows if row.per_clock]
    if not rows:
        return []
    text = PER_CLOCK + (AT_BOOST if any(row.is_reported for row in rows) else "")
    return ["## Rate per clock and SM", text, table(["GPU", *steps], [[row.name, *cells(row.per_clock, steps)] for row in rows])]


def table(titles, lines):
    """A table whose first column is text and the others are figures."""
    return markdown.table(titles, [markdown.LEFT] + [markdown.RIGHT] * (len(titles) - 1), lines)


def cells(by_step, steps):
    return [by_step.get(step, markdown.NONE) for step in steps]


# Measured devices


def measured(document):
    device = document["context"]["device"]
    runs = {run["version"]: run for run in document["runs"] if naming.is_step(run)}
    succeeded = {step: run for step, run in runs.items() if "error" not in run}
    per_clock = {step: result.per_clock_of(run, device) for step, run in succeeded.items()}
    return Row(
        False,
        markdown.one_line(device["name"]),
        grouped(device["multiprocessors"]),
        clock_text([run.get("sm_clock_mhz") for run in succeeded.values()]),
        {step: rate_text(run) for step, run in runs.items()},
        {step: numerals.four_digits(value) for step, value in per_clock.items() if value},
    )


def rate_text(run):
    return "failed" if "error" in run else grouped(Decimal(numerals.median_text(run["per_ns"])))


def clock_text(clocks):
    """The clock, or the lowest and the highest if the runs had different clocks."""
    known = [round(clock) for clock in clocks if checks.positive(clock)]
    if not known:
        return markdown.NONE
    slowest, fastest = grouped(min(known)), grouped(max(known))
    return slowest if slowest == fastest else f"{slowest}–{fastest}"


# Figures of others


def devices_of(references):
    """The devices of the reference tables: multiprocessors, boost_clock_mhz and rates by step, by name."""
    references = list(references)
    devices = {row["device"]: device_facts(row) for reference in references for row in device_rows(reference)}
    for reference in references:
        add_ladder(devices, reference)
    return {name: device for name, device in devices.items() if device["rates"]}


def device_rows(reference):
    """The rows that are devices. A row whose number of SMs is not whole is the ratio of two devices."""
    rows = [row for row in rows_of(reference) if isinstance(row.get("device"), str)]
    return [row for row in rows if type(row.get("multiprocessors")) is int]


def rows_of(reference):
    rows = reference.get("rows")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def device_facts(row):
    rates = {key: checks.positive(value) for key, value in row.items() if naming.place(key)}
    return {
        "multiprocessors": checks.positive(row["multiprocessors"]),
        "boost_clock_mhz": checks.positive(row.get("boost_clock_mhz")),
        "rates": {step: rate for step, rate in rates.items() if rate},
    }


def add_ladder(devices, reference):
    """Add the rates of a table with a row a version to those of its device."""
    title, colon, _ = str(reference.get("title", "")).partition(":")
    rates = dict(filter(None, map(ladder_rate, rows_of(reference))))
    if colon and rates:
        unknown = {"multiprocessors": None, "boost_clock_mhz": None, "rates": {}}
        device = devices.setdefault(same_device(devices, title), unknown)
        device["rates"] = rates | device["rates"]


def ladder_rate(row):
    """Step and rate of a row such as "v1: Naive"; None for any other row."""
    step, rate = str(row.get("version", "")).partition(":")[0], checks.positive(row.get("samples_per_ns"))
    return (step, rate) if naming.place(step) and rate else None


def same_device(devices, title):
    """The name of the known device with this title, with or without the maker's name; otherwise the title."""
    slug = result.device_slug(title)
    known = (name for name in devices if f"-{result.device_slug(name)}".endswith(f"-{slug}"))
    return next(known, title)


def reported(name, device):
    multiprocessors, clock, rates = device["multiprocessors"], device["boost_clock_mhz"], device["rates"]
    per_clock = {number: result.samples_per_clock(rate, clock, multiprocessors) for number, rate in rates.items()}
    return Row(
        True,
        f"*{markdown.one_line(name)}*",
        grouped(multiprocessors) if multiprocessors else markdown.NONE,
        f"boost {grouped(clock)}" if clock else markdown.NONE,
        {number: grouped(rate) for number, rate in rates.items()},
        {number: numerals.four_digits(value) for number, value in per_clock.items() if value},
    )


# Text


def grouped(value):
    return f"{value:,}"
