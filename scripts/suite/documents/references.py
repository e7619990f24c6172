"""Figures of others, results/reference/*.json."""

from decimal import Decimal

from suite import ladders
from suite.documents import files, schema

MAY_LACK_A_COLUMN = {"device", "multiprocessors", "boost_clock_mhz", "version", "samples_per_ns", "power_w", "here"}


def load_references(folder):
    """The tables that come from elsewhere, in the order of their files' names."""
    return [load_reference(path) for path in sorted(folder.glob("*.json"))]


def of_ladder(references, ladder):
    """The tables that belong to a ladder; those that name none belong to the first."""
    first = ladders.every_ladder()[0].suite
    return [reference for reference in references if reference.get("suite", first) == ladder.suite]


def load_reference(path):
    # Decimal keeps a figure as its source prints it: 0.030 stays 0.030.
    reference = files.parse_json(files.read_text(path), path, parse_float=Decimal)
    try:
        schema.check(reference, "reference")
    except schema.ResultError as error:
        raise schema.ResultError(f"{path}: not a reference table: {error}") from None
    known = MAY_LACK_A_COLUMN | {column["key"] for column in reference["columns"]}
    if unknown := {key for row in reference["rows"] for key in row} - known:
        raise schema.ResultError(f"{path}: no column has the key {', '.join(sorted(unknown))} of a row")
    return reference
