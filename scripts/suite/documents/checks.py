"""What documents have in common: their head, rows that failed, and how fields are checked.

A document is one JSON object: schema, suite, the context that its rows share, and the rows.
"""

from suite.ladders import pi

TEXT = (str,)
FLAG = (bool,)
COUNT = (int,)
NUMBER = (int, float)
RECORD = (dict,)
LIST = (list,)
ABSENT = (type(None),)
_CONTEXT_FIELDS = {
    "date": TEXT, "commit": TEXT + ABSENT, "dirty": FLAG + ABSENT,
    "device": RECORD + ABSENT, "host": RECORD, "driver": TEXT + ABSENT,
    "runtime": TEXT + ABSENT, "compiler": TEXT, "flags": TEXT,
}
_DEVICE_FIELDS = {"name": TEXT, "multiprocessors": COUNT, "max_clock_mhz": NUMBER + ABSENT}
_HOST_FIELDS = {"cpu": TEXT, "cores": COUNT, "os": TEXT}
# Checked where they are; a table has a dash for those that are absent or null.
_EXTRA_CONTEXT_FIELDS = {"idle_power_w": NUMBER + ABSENT}
_RATE_FIELDS = {"median": NUMBER, "low": NUMBER, "high": NUMBER}
_FAILED_FIELDS = {"version": TEXT, "error": TEXT}
SHARED_CONTEXT = ("commit", "dirty", "host", "compiler", "flags", "device", "driver", "runtime")


class ResultError(Exception):
    """Something is wrong with a result; the message is one line for the user."""


def head(context, schema=1):
    """What every document begins with."""
    return {"schema": schema, "suite": pi.SUITE, "context": context}


def check_head(document, rows, schema=1):
    """Check what every stored document of this schema begins with, and that there is a list under the name rows."""
    if document.get("suite") != pi.SUITE:
        raise ResultError(f"not a result of the suite '{pi.SUITE}'")
    _check_schema(document.get("schema"), schema)
    check_fields(document, {"context": RECORD, rows: LIST}, "the document")
    _check_context(document["context"])


def _check_schema(schema, known):
    if type(schema) is not int or schema < 1:
        raise ResultError("has no valid schema number")
    if schema != known:
        age = "a newer" if schema > known else "an older"
        raise ResultError(f"written by {age} version of the suite (schema {schema}, known here: {known})")


def _check_context(context):
    check_fields(context, _CONTEXT_FIELDS, "context")
    check_fields(context["host"], _HOST_FIELDS, "context.host")
    if context["device"] is not None:
        check_fields(context["device"], _DEVICE_FIELDS, "context.device")
    check_fields(context, present(_EXTRA_CONTEXT_FIELDS, context), "context")


def present(fields, record):
    return {name: kinds for name, kinds in fields.items() if name in record}


def check_fields(record, fields, where):
    """Check that a record has these fields, each of one of these kinds."""
    if type(record) is not dict:
        raise ResultError(f"{where} is not an object")
    for name, kinds in fields.items():
        if name not in record:
            raise ResultError(f"{where} lacks '{name}'")
        if type(record[name]) not in kinds:
            raise ResultError(f"{where} has an unexpected kind of value in '{name}'")


def check_unique(rows, *names):
    """Refuse two rows that have the same version, or the same values of these fields."""
    seen = set()
    for row in rows:
        what = tuple(row.get(name) for name in names or ("version",))
        if what in seen:
            raise ResultError(f"{', '.join(map(str, what))} occurs more than once")
        seen.add(what)


def check_interval(record, where):
    """Check a median with its interval."""
    check_fields(record, _RATE_FIELDS, where)
    if not 0 < record["low"] <= record["median"] <= record["high"]:
        raise ResultError(f"{where} is not 0 < low <= median <= high")


def check_above_0(record, names, where):
    """Refuse a record in which one of these is no number above 0."""
    check_fields(record, dict.fromkeys(names, (int, float)), where)
    for name in names:
        if not record[name] > 0:
            raise ResultError(f"{where} has {record[name]} for '{name}'")


# Rows that failed


def failed_row(version, error):
    """The row of a version that failed, in any document."""
    return {"version": version, "error": str(error)}


def has_failed(row):
    """Whether a row says why there is no result, and not what was measured."""
    return "error" in row


def check_failed(row):
    """Check the row of a version that failed."""
    check_fields(row, _FAILED_FIELDS, row.get("version", "a row"))


def succeeded(rows):
    """The rows of what did not fail."""
    return [row for row in rows if not has_failed(row)]


def checked_failures(rows):
    """The rows to check further: those that did not fail, after what is said of those that did."""
    for row in rows:
        check_fields(row, {"version": (str,)}, "a row")
        if has_failed(row):
            check_failed(row)
    return succeeded(rows)
