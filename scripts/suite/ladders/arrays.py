"""The ladder arrays: random numbers in arrays, from the host to the GPU."""

PLACE = 3
SUITE = "arrays"
UNIT = "sample"
OUTCOME = "hits"

CPU = {"a0": ("arrays_a0",)}
NEEDS_LIMITS = True
CALLS = ()

ABOUT = """Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle.
Steps on the wall clock are timed from their first action until their counts are in host memory."""
RATE = "Samples/ns"
CHART_TITLE = "Samples of π per nanosecond through arrays on {device}"
SECTIONS = ("steps", "ablations")
CHARTS = {}

FIRST = "a0"
CANDIDATES = None
