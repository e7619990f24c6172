"""The ladder asian: the price of an Asian option on two assets."""

PLACE = 5
SUITE = "asian"
PREFIX, LETTER = "options", "a"
UNIT = "path-step"
OUTCOME = "means"

CPU = {"cpu_serial": ("options_cpu_asian", "--threads", "1"), "cpu_openmp": ("options_cpu_asian",)}
WITH_OPTIONS = {"a6_steps16": ("a6", "--steps", "16"), "a6_steps64": ("a6", "--steps", "64")}
FAULTY = ()
SECOND_RATE = None
FULL_SECONDS = None
NEEDS_LIMITS = False

ABOUT = """Rates are in path-steps per nanosecond. One path-step moves both assets of one path by one of its 256 steps, which takes
two normals."""
RATE = "Path-steps/ns"
CHART_TITLE = "Path-steps of an Asian option per nanosecond on {device}"
SECTIONS = ("steps", "merit", "peers", "ablations", "dates", "profile")
CHARTS = {"merit": "asian.svg", "profile": "asian-units.svg"}

FIRST = "a2"
FIRST_TEXT = "in a2"
CONSTANT = "a0"
TARGETS = (1e-3, 1e-4, 1e-5)
CANDIDATES = None
CEILINGS, WALLS = {}, ()
SD_LINES = None  # all
DATES = ("a6_steps16", "a6_steps64", "a6")  # versions of one step by the number of their steps, whose prices are compared
