"""Time against samples, <ladder>-sweep.json."""

from suite.documents.checks import COUNT_ABOVE_0, INTERVAL, TEXT
from suite.documents.document import Document

DOCUMENT = Document(
    "points", {"version": TEXT, "samples": COUNT_ABOVE_0, "ms": INTERVAL}, key=("version", "samples")
)
