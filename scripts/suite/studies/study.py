"""Studies: lists of programs with options, whose runs are stored one after another in one document.

A study gives a plan for each version or package: how many runs it will take at most, and the rows of its runs, one after
another as they are measured. After each run the document is stored, so that an interrupt or a limit of time loses nothing.
"""

from collections.abc import Iterable
from typing import NamedTuple

from suite.command import DONE, FAILED, INTERRUPTED, SET_ASIDE, STORED_ROWS, UNTOUCHED, USAGE, Halt, Stop, hold
from suite.documents import records, storing
from suite.documents.kinds import Kind
from suite.documents.schema import ResultError
from suite.processes import ProgramError
from suite.tools.progress import Progress

EXIT_CODES = {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed, the others are stored, or the programs do not belong together" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
    INTERRUPTED: "interrupted; what was measured before is stored",
}
EXPLANATION = f"""The result is stored after each run. If a program fails, its stored rows stay if they are of the
same build and machine; otherwise the failure is stored. Without a usable GPU there is no result.
{STORED_ROWS}"""
EXPECTED_SECONDS = 3  # of a run, before any has ended


class Plan(NamedTuple):
    """What is measured of a version: its name, how many runs there are at most, and their rows, which are measured as they are read."""

    version: str
    runs: int
    rows: Iterable


class Measurement:
    """A document in the making: the rows so far, and where they are stored."""

    def __init__(self, kind: Kind, bench, options, suffix="", seconds=EXPECTED_SECONDS):
        """suffix is the end of the name of the device's folder, seconds how long a run is expected to take."""
        hold(options.out)
        self._kind, self._bench, self._options, self._suffix = kind, bench, options, suffix
        self._seconds, self._rows, self._finished = seconds, [], set()
        self._path = None

    def follow(self, plans, text_of, complain):
        """Measure plans one after another, and store the document after each run; returns the exit code.

        text_of says in words what a row tells. A plan that fails is reported by complain, and gets a row that says so.
        """
        progress = Progress(sum(plan.runs for plan in plans), self._seconds)
        for plan in plans:
            try:
                with progress.part(plan.runs):
                    self._follow(plan, text_of, progress)
                self._finished.add((plan.version,))
            except (ProgramError, ResultError) as error:
                complain(FAILED, error)
                self._rows.append(records.failed_row(plan.version, error))
                if not records.is_failure(self._rows[-1]):
                    self._finished.add((plan.version,))
            except KeyboardInterrupt:
                outcome = f"what was measured is in {self._path}" if self._path else UNTOUCHED
                raise Halt(INTERRUPTED, f"interrupted, {outcome}") from None
        return self._end()

    def _follow(self, plan, text_of, progress):
        rows = iter(plan.rows)
        while True:
            with progress.running(f"{self._kind.name} {plan.version}"):
                row = next(rows, None)
            if row is None:
                return
            self._rows.append(row)
            self._store()
            progress.end(text_of(row))

    def _store(self):
        """Store what there is: aside, if its place has rows of another build that are not all measured yet."""
        if not self._bench.document:
            return  # no program has run yet that says where
        try:
            self._path = self._store_joined()
        except Stop as end:
            if end.code != FAILED:
                raise
            self._path = self._kind.path_in(self._folders()[1])

    def _store_joined(self):
        return storing.store(self._document(), self._kind, *self._folders(), self._finished)

    def _folders(self):
        """Where the document belongs, and where it goes if it cannot be there."""
        return storing.folders(self._bench.document["context"], self._options, self._suffix)

    def _document(self):
        return self._kind.made(self._bench.document["context"], self._rows)

    def _end(self):
        if not self._path:
            raise Stop(FAILED, "no program succeeded, nothing was written")
        target = self._store_joined()
        if self._path != target:
            self._path.unlink()  # its rows have found their place
        print(f"wrote {target}", flush=True)
        return storing.end(self._document(), self._kind, target)
