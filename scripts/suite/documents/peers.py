"""The same work as others would write it, <ladder>-peers.json."""

from suite.documents.checks import ABOVE_0, COUNT, COUNT_ABOVE_0, INTERVAL, NO_ROW, NUMBER, TEXT, has_failed
from suite.documents.document import Document

# What a peer prints, and what is stored of it and of a version of the ladder.
EVERY = {"peer": TEXT, "package": TEXT, "generator": TEXT, "samples_per_launch": COUNT_ABOVE_0, "ms": [ABOVE_0]}
PRINTED = {
    "hits": EVERY | {"hits": COUNT, "samples": COUNT_ABOVE_0},
    "means": EVERY | {"estimate": NUMBER, "sd": ABOVE_0, "numbers": COUNT_ABOVE_0},
}
RUN = {"version": TEXT, "title": TEXT, "generator": TEXT, "soundness": TEXT, "per_ns": INTERVAL}


def _of_ladder(ladder):
    if ladder.OUTCOME not in PRINTED:
        return {"row": NO_ROW}
    peer = PRINTED[ladder.OUTCOME] | {"per_ns": INTERVAL}

    def row_table(row):
        """The table of a peer: of one that was not installed, that failed, or that measured."""
        if "missing" in row:
            return {"peer": TEXT, "missing": TEXT}
        return {"peer": TEXT, "error": TEXT} if has_failed(row) else peer

    return {"row": row_table}

DOCUMENT = Document("peers", None, key=("peer",), schema=2, fields={"runs": [RUN]}, by_ladder=_of_ladder)
