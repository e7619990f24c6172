"""What results/ holds, ladder by ladder: everything that the pages of one show."""

from typing import NamedTuple

from suite import ladders
from suite.analyse import tested, verdicts
from suite.documents import references, stored
from suite.ladder import Ladder


class Site(NamedTuple):
    """The ladder, and the stored documents."""

    ladder: Ladder
    devices: dict  # by the name of their folder
    scalings: dict  # runs on several GPUs, by the name of their folder
    references: list  # figures of others
    quality: dict | None  # tests of the random numbers
    others: dict  # the devices of every ladder, by its name


def load(results):
    """What the folder results/ holds of each ladder, by its name."""
    known = ladders.every_ladder()
    quality = verdicts.load_stored(results)
    devices = {ladder.suite: load_devices(results, ladder, quality) for ladder in known}
    tables = references.load_references(results / "reference")
    return {
        ladder.suite: Site(
            ladder,
            devices[ladder.suite],
            stored.load_scalings(results, ladder),
            references.of_ladder(tables, ladder),
            quality,
            devices,
        )
        for ladder in known
    }


def load_devices(results, ladder, quality):
    """The devices of a ladder, whose runs say how far their words were tested."""
    return {
        slug: tested.with_tested(device, ladder, quality)
        for slug, device in stored.load_devices(results, ladder).items()
    }
