"""What documents have in common: one JSON object of schema, suite, the context that its rows share, and the rows."""

import re
from typing import NamedTuple

from suite import ladders
from suite.documents import files
from suite.documents.checks import (
    COUNT, COUNT_ABOVE_0, FLAG, LIST, NUMBER, TEXT, Maybe, ResultError, check, first_fault,
)  # fmt: skip

DEVICE = {"name": TEXT, "multiprocessors": COUNT_ABOVE_0, "max_clock_mhz": Maybe(NUMBER)}
CONTEXT = {
    "date": TEXT, "commit": Maybe(TEXT), "dirty": Maybe(FLAG), "device": Maybe(DEVICE),
    "host": {"cpu": TEXT, "cores": COUNT, "os": TEXT}, "driver": Maybe(TEXT), "runtime": Maybe(TEXT),
    "compiler": TEXT, "flags": TEXT, "idle_power_w?": Maybe(NUMBER),
}  # fmt: skip
SHARED_CONTEXT = ("commit", "dirty", "host", "compiler", "flags", "device", "driver", "runtime")


class Document(NamedTuple):
    """A kind of document: the list of its rows, their table, and what tells two of them apart."""

    rows: str
    row: object
    key: tuple = ("version",)
    schema: int = 1
    fields: dict = {}  # tables of further fields, and of a context that must hold more
    rules: tuple = ()  # functions of a document that is right otherwise, which return what is wrong with it, or None
    suite: str | None = None  # the only one whose documents these are; None: any ladder
    by_ladder: object = None  # a function of a ladder: which of the above are different in its documents

    def of(self, ladder):
        """The documents of this kind that belong to a ladder."""
        return self._replace(suite=ladder.suite, **(self.by_ladder(ladder) if self.by_ladder else {}))

    def made(self, context, rows, **fields):
        """A document of this kind, which belongs to one suite."""
        return {"schema": self.schema, "suite": self.suite, "context": context, **fields, self.rows: rows}

    def load(self, path):
        """Read the file at path and check it."""
        return files.load(path, self.check)

    def parse(self, text, origin):
        """The document that a text is, checked; origin names it in errors."""
        return files.parse(text, origin, self.check)

    def check(self, document):
        """Refuse, by a ResultError, what is no document of this kind."""
        if self.suite is None:
            return self.of(_ladder_of(document)).check(document)
        self._check_head(document)
        check(document, {"context": CONTEXT, self.rows: LIST} | self.fields)
        seen = set()
        for number, row in enumerate(document[self.rows]):
            check(row, self.row, self._where(row, number))
            name = ", ".join(str(row.get(part)) for part in self.key)
            if name in seen:
                raise ResultError(f"{name} occurs more than once")
            seen.add(name)
        if fault := first_fault(document, self.rules):
            raise ResultError(fault)

    def _check_head(self, document):
        if document.get("suite") != self.suite:
            raise ResultError(f"not a result of the suite '{self.suite}'")
        schema = document.get("schema")
        if type(schema) is not int or schema < 1:
            raise ResultError("has no valid schema number")
        if schema != self.schema:
            age = "a newer" if schema > self.schema else "an older"
            raise ResultError(f"written by {age} version of the suite (schema {schema}, known here: {self.schema})")

    def _where(self, row, number):
        """How messages call a row: by its name, and by its place where several have that name."""
        name, place = type(row) is dict and row.get(self.key[0]), f"{self.rows}[{number}]"
        if type(name) is not str or not re.fullmatch(r"\w+", name):
            return place
        return name if len(self.key) == 1 else f"{name}: {place}"


def _ladder_of(document):
    """The ladder to which a document says that it belongs."""
    ladder = ladders.ladder_named(document.get("suite"))
    if ladder is None:
        known = ", ".join(f"'{ladder.suite}'" for ladder in ladders.every_ladder())
        raise ResultError(f"not a result of a known suite ({known})")
    return ladder
