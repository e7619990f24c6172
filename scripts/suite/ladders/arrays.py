"""The ladder arrays: random numbers in arrays, from the host to the GPU."""

PLACE = 3
SUITE = "arrays"
UNIT = "sample"
OUTCOME = "hits"

CPU = {"a0": ("arrays_a0",)}
NEEDS_LIMITS = True

ABOUT = """Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle.
Steps on the wall clock are timed from their first action until their counts are in host memory."""
RATE = "Samples/ns"
CHART_TITLE = "Samples of π per nanosecond through arrays on {device}"
SECTIONS = ("phases", "ablations", "peers", "limits")
CHARTS = {"phases": "arrays.svg"}
PHASES = ("seed", "rng", "transfer", "compute", "reduce")  # of a step's time, in order

FIRST = "a0"
CANDIDATES = None

# In the chart: the rates that PCIe and DRAM allow (a rate of limits.json, and bytes per sample), and the fused kernel.
CEILINGS = {"PCIe, pinned, 8 bytes a sample": ("pcie_up_pinned", 8), "DRAM, 16 bytes a sample": ("dram_copy", 16)}
FUSED = ("pi", "v6", "fused, pi v6")
ARTICLE_TITLE = "The article of 2010, on a Tesla C1060"
