"""The same estimate as others would write it, <ladder>-peers.json."""

from suite.documents.checks import ABOVE_0, COUNT, COUNT_ABOVE_0, INTERVAL, TEXT, has_failed
from suite.documents.document import Document

# What a peer prints, and what is stored of it and of a version of the ladder.
PRINTED = {
    "peer": TEXT, "package": TEXT, "generator": TEXT, "samples_per_launch": COUNT_ABOVE_0, "ms": [ABOVE_0],
    "hits": COUNT, "samples": COUNT_ABOVE_0,
}  # fmt: skip
PEER = PRINTED | {"per_ns": INTERVAL}
RUN = {"version": TEXT, "title": TEXT, "generator": TEXT, "soundness": TEXT, "per_ns": INTERVAL}


def row_table(row):
    """The table of a peer: of one that was not installed, that failed, or that measured."""
    if "missing" in row:
        return {"peer": TEXT, "missing": TEXT}
    return {"peer": TEXT, "error": TEXT} if has_failed(row) else PEER

DOCUMENT = Document("peers", row_table, key=("peer",), schema=2, fields={"runs": [RUN]})
