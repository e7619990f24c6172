"""The kinds of stored documents: what their files are called, and how their rows are told apart and in order."""

from typing import NamedTuple

from suite.documents import calls, convergence, faults, files, limits, merit, peers, profile, result, scaling, sweep
from suite.documents.document import Document
from suite import naming


class Kind(NamedTuple):
    """What a document is called, what it must be, and how its rows are told apart and in order, and it is written."""

    name: str
    document: Document
    key: tuple = ("version",)  # rows with the same values of these belong together
    order: object = None  # of the rows, by the first of these values; None: as they came
    text: object = files.to_text

    @property
    def rows(self):
        return self.document.rows

    def of(self, ladder):
        """A ladder's documents of this kind, such as pi-sweep.json; its result is pi.json."""
        name = f"{ladder.suite}-{self.name}" if self.name else ladder.suite
        return self._replace(name=name, document=self.document.of(ladder))

    def path_in(self, folder):
        return folder / f"{self.name}.json"


RESULT = Kind("", result.DOCUMENT, order=naming.order)

# What else a ladder may have of a device, by the names of the files.
OTHERS = {
    kind.name: kind
    for kind in (
        RESULT._replace(name="ablations"),
        Kind("profile", profile.DOCUMENT, order=naming.order),
        Kind("sweep", sweep.DOCUMENT, order=naming.order),
        Kind("convergence", convergence.DOCUMENT),
        Kind("merit", merit.DOCUMENT, order=naming.order, text=files.to_compact_text),
        Kind("peers", peers.DOCUMENT, key=("peer",)),
        Kind("calls", calls.DOCUMENT, order=naming.order, text=files.to_compact_text),
    )
}
ABLATIONS, PROFILE, SWEEP, CONVERGENCE, MERIT, PEERS, CALLS = OTHERS.values()

# Of a device, whatever the ladder.
LIMITS = Kind("limits", limits.DOCUMENT, key=("name",), text=files.to_compact_text)
SCALING = Kind("scaling", scaling.DOCUMENT, ("version", "launcher"), naming.order, files.to_compact_text)

# Of what was planted, on one device.
FAULTS = Kind("faults", faults.DOCUMENT, key=("name",), text=files.to_compact_text)
