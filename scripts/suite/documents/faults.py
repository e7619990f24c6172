"""Which planted faults were found on a GPU, faults.json: a row for each command line that must find one."""

from suite.documents.checks import COUNT, FLAG, TEXT, Maybe
from suite.documents.document import CONTEXT, DEVICE, Document

# caught is null where a command line could not be run, because something is missing on the machine.
ROW = dict.fromkeys(("name", "fault", "file", "program", "mode", "command", "said"), TEXT) | {
    "caught": Maybe(FLAG), "code": Maybe(COUNT),
}  # fmt: skip
DOCUMENT = Document(
    "faults", ROW, key=("name", "mode", "command"), suite="faults", fields={"context": CONTEXT | {"device": DEVICE}}
)


def load_stored(results):
    """The stored document in the folder results/; None without one."""
    path = results / "faults.json"
    return DOCUMENT.load(path) if path.exists() else None


def missed(rows):
    """Those of command lines that did not find their fault."""
    return [row for row in rows if row["caught"] is False]
