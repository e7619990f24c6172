"""The tables of results/reference: figures of others."""

from decimal import Decimal

from suite import markdown
from suite.markdown import LEFT, NONE, RIGHT, one_line


def parts(reference):
    """One table, as its file gives it, with its note and its source."""
    columns, rows = reference["columns"], reference["rows"]
    found = [
        f"### {reference['title']}",
        markdown.table(
            [column["title"] for column in columns],
            [RIGHT if is_numeric(column, rows) else LEFT for column in columns],
            [[figure(row.get(column["key"]), column) for column in columns] for row in rows],
        ),
        reference.get("note", ""),
        source_line(reference["source"]),
    ]
    return list(filter(None, found))


def is_numeric(column, rows):
    return all(not isinstance(row.get(column["key"]), str) for row in rows)


def figure(value, column):
    """A cell: text, or a number with the suffix of its column."""
    if value is None:
        return NONE
    return one_line(value) if isinstance(value, str) else f"{value:,}{column.get('suffix', '')}"


def source_line(source):
    year = f" ({source['year']})" if "year" in source else ""
    address = f", <{source['url']}>" if "url" in source else ""
    return f"Source: {source['author']}{year}, *{source['title']}*{address}."


def is_device(row):
    """Whether a row is a device with one rate, and not with one for each version."""
    return isinstance(row.get("device"), str) and is_number(row.get("samples_per_ns"))


def is_number(value):
    return isinstance(value, (int, Decimal)) and value > 0
