"""Times of whole calls against samples, <ladder>-calls.json: allocate, launch, copy, add up, free."""

from suite.documents.checks import ABOVE_0, COUNT_ABOVE_0, INTERVAL, NUMBER, TEXT, Each, Maybe, or_failed
from suite.documents.document import Document

CALL = {
    "program": TEXT, "version": TEXT, "samples": COUNT_ABOVE_0, "call_ms": INTERVAL, "phases_ms": Each(NUMBER),
    "kernel_ms": Maybe(ABOVE_0),
}  # fmt: skip
DOCUMENT = Document("calls", or_failed(CALL), key=("version", "samples"))
