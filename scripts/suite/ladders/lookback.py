"""The ladder lookback: the price of a lookback option whose volatility changes from step to step."""

PLACE = 6
SUITE = "lookback"
PREFIX, LETTER = "options", "l"
UNIT = "path-step"
OUTCOME = "means"

CPU = {"cpu_serial": ("options_cpu_lookback", "--threads", "1"), "cpu_openmp": ("options_cpu_lookback",)}
WITH_OPTIONS = {"l1_steps15": ("l1", "--steps", "15"), "l1_steps64": ("l1", "--steps", "64")}
FAULTY = ()
SECOND_RATE = None
FULL_SECONDS = None
NEEDS_LIMITS = False

ABOUT = """Rates are in path-steps per nanosecond. One path-step moves the asset of one path by one step, which takes one normal. A
path has 8 steps, if its row names no other number; that of l6 has 256."""
RATE = "Path-steps/ns"
CHART_TITLE = "Path-steps of a lookback option per nanosecond on {device}"
SECTIONS = ("steps", "merit", "peers", "ablations", "profile")
CHARTS = {"merit": "lookback.svg", "profile": "lookback-units.svg"}

FIRST = "l1"
FIRST_TEXT = "in l1"
CONSTANT = "l0"
TARGETS = (1e-3, 1e-4, 1e-5)
CANDIDATES = None
CEILINGS, WALLS = {}, ()
SD_LINES = ("l1", "l2", "l3", "l4")  # not l6, whose paths are longer
