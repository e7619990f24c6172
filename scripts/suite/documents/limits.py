"""The rates at which a machine moves bytes and executes instructions, limits.json."""

from suite.documents.checks import ABOVE_0, TEXT
from suite.documents.document import CONTEXT, DEVICE, Document

INSTRUCTION = {"name": TEXT, "per_clock": ABOVE_0}
DOCUMENT = Document(
    "limits", {"name": TEXT, "gbps": ABOVE_0}, key=("name",), suite="limits",
    fields={"context": CONTEXT | {"device": DEVICE}, "instructions?": [INSTRUCTION]},  # older documents have none of these
)  # fmt: skip


def by_name(document):
    """The rates in 10^9 bytes per second; none where nothing was measured."""
    return {row["name"]: row["gbps"] for row in document["limits"]} if document else {}
