"""The ladder lecture: the kernels of a lecture, and the time of whole calls."""

from typing import NamedTuple

PLACE = 2
SUITE = "lecture"
PREFIX, LETTER = "lecture", "k"
UNIT = "sample"
OUTCOME = "hits"

CPU = {}
WITH_OPTIONS = {}
FAULTY = ()
SECOND_RATE = None
FULL_SECONDS = None
NEEDS_LIMITS = False


class Called(NamedTuple):
    """A program whose calls are timed, up to a number of samples.

    Its grid grows with the samples if a block has a fixed number of them; otherwise a full grid has more samples per
    thread.
    """

    program: str
    version: str
    options: tuple = ()
    samples_per_block: int | None = None
    most: int = 10**9


CALLS = (
    Called("pi_cpu", "cpu_serial", ("--threads", 1)),
    Called("pi_cpu", "cpu_openmp"),
    Called("lecture_k1", "k1", samples_per_block=1, most=10**8),
    Called("lecture_k2", "k2", ("--threads", 32), samples_per_block=32, most=10**8),
    Called("lecture_k3", "k3", ("--threads", 32), samples_per_block=32),
    Called("pi_v8_shared", "v8_shared", ("--threads", 32)),
)

ABOUT = """Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle."""
RATE = "Samples/ns"
CHART_TITLE = "The kernels of the lecture on {device}"
SECTIONS = ("steps", "calls", "ablations", "peers", "profile")
CHARTS = {"calls": "lecture.svg"}

FIRST = "k1"
FIRST_TEXT = "in k1"
CONSTANT = None
TARGETS = ()
CANDIDATES = None
CEILINGS, WALLS = {}, ()

OVERTAKES = "v8_shared"  # the program whose overtaking of the CPU the chart marks
MARKS = (  # of the lecture, in the chart
    (65_535, "65,535: most samples of kernel 1"),
    (2_097_120, "2,097,120: most samples of kernels 2 and 3"),
    (10**7, "10⁷: overheads dominated up to here"),
)
