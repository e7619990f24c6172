"""The kinds of stored documents: one JSON object of schema, suite, the context that its rows share, and the rows."""

from typing import NamedTuple

from suite import ladders, naming
from suite.documents import files, records, schema
from suite.documents.schema import ResultError

OUTCOMES = {"hits": "hits", "means": "numbers", "solution": "entries"}  # a field that only such an outcome has


class Kind(NamedTuple):
    """What a document is called, what it must be, how its rows are told apart and in order, and what is kept of them."""

    name: str
    definition: str  # in the schema
    rows: str = "runs"
    key: tuple = ("version",)  # rows with the same values of these belong together
    inner: tuple = ()  # what tells such rows apart
    order: object = None  # of the rows, by the first of these values; None: as they came
    kept: object = None  # of a row that did not fail: what is read and written of it; None: all
    suite: str | None = None  # the only one whose documents these are; None: any ladder
    study: str | None = None  # its name
    of_teams: bool = False  # whether its runs may be those of several GPUs
    of_commits: bool = False  # whether rows of another commit stay, and name it

    def of(self, ladder):
        """A ladder's documents of this kind, such as pi-merit.json; its result is pi.json."""
        own = f"{ladder.suite}-{self.name}" if self.name else ladder.suite
        return self._replace(name=own, suite=ladder.suite)

    def path_in(self, folder):
        return folder / f"{self.name}.json"

    def made(self, context, rows, **fields):
        """A document of this kind, which belongs to one suite."""
        head = {"schema": schema.number_of(self.definition), "suite": self.suite}
        ladder = ladders.ladder_named(self.suite)
        unit = {"unit": ladder.unit} if ladder and self.rows == "runs" else {}
        study = {"study": self.study} if self.study else {}
        return head | unit | study | {"context": context, **fields, self.rows: rows}

    def load(self, path):
        """Read the file at path and check it."""
        return self.parse(files.read_text(path), path)

    def stored_in(self, folder):
        """The document in a folder, checked; None where there is no regular file, to which nothing can be added."""
        path = self.path_in(folder)
        return self.load(path) if path.is_file() else None

    def parse(self, text, origin):
        """The document that a text is, checked; origin names it in errors."""
        return self.thinned(files.parse(text, origin, self.check))

    def thinned(self, document):
        """The document with what is kept of its rows."""
        if not self.kept:
            return document
        rows = [row if records.has_failed(row) else self.kept(row) for row in document[self.rows]]
        return document | {self.rows: rows}

    def check(self, document):
        """Refuse, by a ResultError, what is no document of this kind."""
        if self.suite is None:
            return self.of(_ladder_of(document)).check(document)
        if document.get("suite") != self.suite:
            raise ResultError(f"not a result of the suite '{self.suite}'")
        self._check_number(document.get("schema"))
        schema.check(document, self.definition)
        self._check_rows(document[self.rows])
        if self.rows == "runs":
            self._check_runs(document)

    def _check_number(self, number):
        known = schema.number_of(self.definition)
        if type(number) is not int or number < 1:
            raise ResultError("has no valid schema number")
        if number != known:
            age = "a newer" if number > known else "an older"
            raise ResultError(f"written by {age} version of the suite (schema {number}, known here: {known})")

    def _check_rows(self, rows):
        seen = set()
        for row in rows:
            name = ", ".join(str(row.get(part)) for part in (*self.key, *self.inner))
            if name in seen:
                raise ResultError(f"{name} occurs more than once")
            seen.add(name)

    def _check_runs(self, document):
        ladder = ladders.ladder_named(self.suite)
        if document["unit"] != ladder.unit or document.get("study") != self.study:
            raise ResultError(
                f"counts {document['unit']}s in a study {document.get('study')}, not {ladder.unit}s in {self.study}"
            )
        for run in document["runs"]:
            for name in ("per_ns", "kernel_ms"):
                if type(run.get(name)) is dict and not _is_ordered(run[name]):
                    raise ResultError(f"{run['version']}.{name} is not low <= median <= high")
            timings = run.get("work_of_timings")
            of_outcome = OUTCOMES[ladder.other_outcomes.get(ladder.base(run["version"]), ladder.outcome)]
            if "outcome" in run and not self.study and of_outcome not in run["outcome"]:
                raise ResultError(f"{run['version']}.outcome lacks '{of_outcome}'")
            if timings is not None and len(timings) != len(run["kernel_ms"]):
                raise ResultError(
                    f"{run['version']} has {len(run['kernel_ms'])} kernel_ms, but {len(timings)} work_of_timings"
                )
            if run.get("team") is not None and not self.of_teams:
                raise ResultError(f"{run['version']} was run by a team: its rate is not that of one device")


def _is_ordered(interval):
    values = [interval[name] for name in ("low", "median", "high") if name in interval]
    return values == sorted(values)


def _ladder_of(document):
    """The ladder to which a document says that it belongs."""
    ladder = ladders.ladder_named(document.get("suite"))
    if ladder is None:
        known = ", ".join(f"'{ladder.suite}'" for ladder in ladders.every_ladder())
        raise ResultError(f"not a result of a known suite ({known})")
    return ladder


def _study(name, **fields):
    return Kind(name, "study", inner=("options", "call"), study=name, **fields)


RESULT = Kind("", "result", kept=records.of_step, order=naming.order)
OF_TEAM = RESULT._replace(of_teams=True)  # what a program prints that ran on several GPUs
ABLATIONS = RESULT._replace(name="ablations", kept=records.of_ablation, of_commits=True)
PROFILE = Kind("profile", "profile", "kernels", inner=("kernel",), order=naming.order, of_commits=True)
MERIT, CALLS, SEEDS = (_study(name, order=naming.order) for name in ("merit", "calls", "seeds"))
CONVERGENCE, PEERS = _study("convergence"), _study("peers")
SCALING = _study("scaling", order=naming.order, of_teams=True)._replace(definition="scaling")

# What else a ladder may have of a device, by the names of the files.
OTHERS = {kind.name: kind for kind in (ABLATIONS, PROFILE, CONVERGENCE, MERIT, PEERS, CALLS, SEEDS)}

# Of a device, whatever the ladder.
LIMITS = Kind("limits", "limits", "limits", ("name",), suite="limits")

# Of what was planted, on one device.
FAULTS = Kind("faults", "faults", "faults", ("name",), ("mode", "command"), suite="faults", of_commits=True)

# Of words that were read on a GPU.
WORDS = Kind("words", "words", "rows", ("generator",), ("test", "order"), suite="words")

# Of every step, whatever the device.
CAPABILITY = Kind("capability", "capability", "steps", ("suite", "version"), suite="capability", of_commits=True)
