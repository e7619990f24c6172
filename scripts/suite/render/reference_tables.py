"""The tables of results/reference: figures of others, and the devices in them.

Devices with a rate for each version come from two kinds of tables: with a row a device and a column a version ("device",
"multiprocessors", "v1" …, and "boost_clock_mhz" where known), and with a row a version ("version", "samples_per_ns"),
whose title begins with the device's name and a colon.
"""

from suite import markdown, naming
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, cell

SHORT = 6  # rows of a table that is not folded


def parts(reference):
    """One table, as its file gives it, with its note and its source."""
    columns, rows = reference["columns"], reference["rows"]
    table = markdown.table(
        [column["title"] for column in columns],
        [RIGHT if is_numeric(column, rows) else LEFT for column in columns],
        [[figure(row.get(column["key"]), column) for column in columns] for row in rows],
    )
    table = table if len(rows) <= SHORT else markdown.folded("The figures", table)
    return [f"### {reference['title']}", table, reference.get("note", ""), source_line(reference["source"])]


def is_numeric(column, rows):
    return all(not isinstance(row.get(column["key"]), str) for row in rows)


def figure(value, column):
    """A cell: text, or a number with the suffix of its column."""
    if value is None:
        return NONE
    return cell(value) if isinstance(value, str) else f"{value:,}{column.get('suffix', '')}"


def source_line(source):
    year = f" ({source['year']})" if "year" in source else ""
    address = f", <{source['url']}>" if "url" in source else ""
    return f"Source: {source['author']}{year}, *{source['title']}*{address}."


# Devices with one rate


def one_rate_devices(references):
    """The rows of devices with one rate."""
    return [row for reference in references for row in reference["rows"] if is_device(row)]


def is_device(row):
    """Whether a row is a device with one rate, and not with one for each version."""
    return isinstance(row.get("device"), str) and records.positive(row.get("samples_per_ns")) is not None


# Devices with a rate for each version


def devices_of(references):
    """The devices of the reference tables: multiprocessors, boost_clock_mhz and rates by step, by name."""
    devices = {row["device"]: device_facts(row) for reference in references for row in device_rows(reference)}
    for reference in references:
        add_ladder(devices, reference)
    return {name: device for name, device in devices.items() if device["rates"]}


def device_rows(reference):
    """The rows that are devices. A row whose number of SMs is not whole is the ratio of two devices."""
    rows = reference["rows"]
    return [row for row in rows if isinstance(row.get("device"), str) and type(row.get("multiprocessors")) is int]


def device_facts(row):
    rates = {key: records.positive(value) for key, value in row.items() if naming.place(key)}
    return {
        "multiprocessors": records.positive(row["multiprocessors"]),
        "boost_clock_mhz": records.positive(row.get("boost_clock_mhz")),
        "rates": {step: rate for step, rate in rates.items() if rate},
    }


def add_ladder(devices, reference):
    """Add the rates of a table with a row a version to those of its device."""
    title, colon, _ = reference["title"].partition(":")
    rates = dict(filter(None, map(ladder_rate, reference["rows"])))
    if colon and rates:
        unknown = {"multiprocessors": None, "boost_clock_mhz": None, "rates": {}}
        device = devices.setdefault(same_device(devices, title), unknown)
        device["rates"] = rates | device["rates"]


def ladder_rate(row):
    """Step and rate of a row such as "v1: Naive"; None for any other row."""
    step, rate = str(row.get("version", "")).partition(":")[0], records.positive(row.get("samples_per_ns"))
    return (step, rate) if naming.place(step) and rate else None


def same_device(devices, title):
    """The name of the known device with this title, with or without the maker's name; otherwise the title."""
    slug = records.device_slug(title)
    known = (name for name in devices if f"-{records.device_slug(name)}".endswith(f"-{slug}"))
    return next(known, title)
