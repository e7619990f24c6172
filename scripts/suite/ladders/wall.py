"""Lines in a chart of rates: what units of the GPU allow."""

from typing import NamedTuple


class Wall(NamedTuple):
    """What a unit of the GPU allows: threads served by a multiprocessor in each clock, and how often a unit of work needs it.

    The name of a step stands for the instructions that it needs.
    """

    text: str
    lanes: int
    needs: object
