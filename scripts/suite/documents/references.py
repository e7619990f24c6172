"""Figures of others, results/reference/*.json."""

from decimal import Decimal

from suite.documents import checks, files


def load_references(folder):
    """The tables that come from elsewhere, in the order of their files' names."""
    return [load_reference(path) for path in sorted(folder.glob("*.json"))]


def load_reference(path):
    # Decimal keeps a figure as its source prints it: 0.030 stays 0.030.
    reference = files.parse_json(files.read_text(path), path, parse_float=Decimal)
    try:
        check_reference(reference)
    except checks.ResultError as error:
        raise checks.ResultError(f"{path}: not a reference table: {error}") from None
    return reference


def check_reference(reference):
    checks.check_fields(reference, {"title": (str,), "source": (dict,), "columns": (list,), "rows": (list,)}, "it")
    checks.check_fields(reference, {"note": (str,)} if "note" in reference else {}, "it")
    source = {"author": (str,), "year": (int,), "title": (str,), "url": (str,)}
    checks.check_fields(reference["source"], source, "the source")
    for column in reference["columns"]:
        checks.check_fields(column, {"key": (str,), "title": (str,)}, "a column")
    for row in reference["rows"]:
        checks.check_fields(row, {}, "a row")
        checks.check_fields(row, {key: (str, int, Decimal, type(None)) for key in row}, "a row")
