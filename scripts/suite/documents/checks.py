"""Tables that say what documents hold, the function that checks against them, and rows that failed.

A table is one of these:
  a Value              a single value: TEXT, COUNT, NUMBER and so on
  {"name": table}      an object with these fields, and maybe others; "name?" may be absent
  [table]              a list of such values
  Maybe(table)         such a value, or null
  Each(table)          an object with such a value in every field
  Ruled(table, rules)  such a value in which no rule finds a fault
  a function           the table that it returns for an object
"""

import json
from decimal import Decimal
from typing import NamedTuple


class ResultError(Exception):
    """Something is wrong with a result; the message is one line for the user."""


class Value(NamedTuple):
    """A kind of single value: its name in messages, and the function that tells whether a value is one."""

    name: str
    accepts: object


class Maybe(NamedTuple):
    """Such a value, or null."""

    table: object


class Each(NamedTuple):
    """An object with such a value in every field."""

    table: object


class Ruled(NamedTuple):
    """Such a value in which no rule finds a fault: each is a function that returns the fault in words, or None."""

    table: object
    rules: tuple


def one_of(*values):
    """The kind of a text that is one of these."""
    return Value(f"one of {', '.join(values)}", lambda value: value in values)


def is_number(value):
    """Whether it is a number; true and false are none, although Python counts them as such."""
    return type(value) in (int, float, Decimal)


def positive(value):
    """The value if it is a number that a measurement can give, otherwise None."""
    return value if is_number(value) and 1e-30 < value < 1e30 else None


TEXT = Value("text", lambda value: type(value) is str)
FLAG = Value("true or false", lambda value: type(value) is bool)
COUNT = Value("a whole number", lambda value: type(value) is int)
NUMBER = Value("a number", is_number)
COUNT_ABOVE_0 = Value("a whole number above 0", lambda value: type(value) is int and positive(value))
ABOVE_0 = Value("a positive number that could have been measured", positive)
LIST = Value("a list", lambda value: type(value) is list)
NO_ROW = Value("a row: the ladder has no such documents", lambda value: False)
RECORD = Value("an object", lambda value: type(value) is dict)


def _disorder(interval):
    return None if interval["low"] <= interval["median"] <= interval["high"] else "is not low <= median <= high"


def filled(table):
    """The table of a list that has items."""
    return Ruled(table, (lambda items: None if items else "is empty",))

# A median with its interval.
INTERVAL = Ruled(dict.fromkeys(("median", "low", "high"), ABOVE_0), (_disorder,))


def check(value, table, where=""):
    """Refuse a value that is not as the table says, by a ResultError; where is its path, "" of a whole document."""
    match table:
        case Maybe():
            if value is not None:
                check(value, table.table, where)
        case Value():
            if not table.accepts(value):
                raise ResultError(f"{where} is {_shown(value)}, not {table.name}")
        case Ruled():
            check(value, table.table, where)
            if fault := first_fault(value, table.rules):
                raise ResultError(f"{where} {fault}")
        case Each():
            check(value, RECORD, where)
            for name, item in value.items():
                check(item, table.table, f"{where}[{_shown(name)}]")
        case [of_items]:
            check(value, LIST, where)
            for number, item in enumerate(value):
                check(item, of_items, f"{where}[{number}]")
        case dict():
            check(value, RECORD, where)
            _check_fields(value, table, where)
        case choose:
            check(value, RECORD, where)
            check(value, choose(value), where)


def _check_fields(record, table, where):
    for name, of_field in table.items():
        field = name.removesuffix("?")
        if field in record:
            check(record[field], of_field, f"{where}.{field}" if where else field)
        elif field == name:
            raise ResultError(f"{where or 'the document'} lacks '{name}'")


def first_fault(value, rules):
    """What the first of the rules that finds a fault says, None if none does."""
    return next(filter(None, (rule(value) for rule in rules)), None)


def _shown(value):
    """A value in a message: what is long, only by its beginning."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:40]}…"


# Rows that failed

FAILED = {"version": TEXT, "error": TEXT}


def or_failed(table, failed=FAILED):
    """The table of a row that may have failed."""
    return lambda row: failed if has_failed(row) else table


def failed_row(version, error):
    """The row of a version that failed, in any document."""
    return {"version": version, "error": str(error)}


def has_failed(row):
    """Whether a row says why there is no result, and not what was measured."""
    return "error" in row


def succeeded(rows):
    """The rows of what did not fail."""
    return [row for row in rows if not has_failed(row)]
