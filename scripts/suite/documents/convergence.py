"""Estimates against samples, <ladder>-convergence.json."""

from suite.documents.checks import NUMBER, TEXT, or_failed
from suite.documents.document import Document
from suite.documents.result import POINT

DOCUMENT = Document(
    "curves", or_failed({"version": TEXT, "title": TEXT, "bias": NUMBER, "points": [POINT]})
)
