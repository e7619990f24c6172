"""The ladder arrays: random numbers in arrays, from the host to the GPU."""

PLACE = 3
SUITE = "arrays"
PREFIX, LETTER = "arrays", "a"
UNIT = "sample"
OUTCOME = "hits"

CPU = {"a0": ("arrays_a0",)}
WITH_OPTIONS = {}
FAULTY = ()
SECOND_RATE = None
FULL_SECONDS = 5
NEEDS_LIMITS = True

ABOUT = """Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle.
The clock of a step is the wall's or the GPU's. On the wall clock a launch is timed from its first action until its counts are
in host memory; on the GPU's, until they are in the GPU's memory, over launches that were enqueued before."""
RATE = "Samples/ns"
CHART_TITLE = "Samples of π per nanosecond through arrays on {device}"
SECTIONS = ("phases", "ablations", "peers", "profile", "limits")
CHARTS = {"phases": "arrays.svg"}
PHASES = ("seed", "rng", "transfer", "compute", "reduce")  # of a step's time, in order

FIRST = "a0"
FIRST_TEXT = "in a0"
CONSTANT = None
TARGETS = ()
CANDIDATES = None

# In the chart: the rates that PCIe and DRAM allow (a rate of limits.json, and bytes per sample), and the fused kernel.
CEILINGS = {"PCIe, pinned, 8 bytes a sample": ("pcie_up_pinned", 8), "DRAM, 16 bytes a sample": ("dram_copy", 16)}
WALLS = ()
FUSED = ("pi", "v6", "fused, pi v6")
ARTICLE_TITLE = "The article of 2010, on a Tesla C1060"
