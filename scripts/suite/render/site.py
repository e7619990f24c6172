"""What results/ holds of one ladder: everything that its pages show."""

from types import ModuleType
from typing import NamedTuple

from suite.analyse import verdicts
from suite.documents import references, stored


class Site(NamedTuple):
    """The ladder, and the stored documents."""

    ladder: ModuleType
    devices: dict  # by the name of their folder
    scalings: dict  # runs on several GPUs, by the name of their folder
    references: list  # figures of others
    quality: dict | None  # tests of the random numbers


def load(results, ladder):
    """What the folder results/ holds of a ladder."""
    return Site(
        ladder,
        stored.load_devices(results, ladder.SUITE),
        stored.load_scalings(results),
        references.load_references(results / "reference"),
        verdicts.load_stored(results),
    )
