"""The ladder normals: Gaussian random numbers."""

PLACE = 4
SUITE = "normals"
PREFIX, LETTER = "options", "n"
UNIT = "normal"
OUTCOME = "means"

CPU = {"cpu_serial": ("options_cpu_normals", "--threads", "1"), "cpu_openmp": ("options_cpu_normals",)}
WITH_OPTIONS = {f"n{number}_store": (f"n{number}", "--store") for number in range(1, 11)}
SECOND_RATE = ("store", "stored")
NEEDS_LIMITS = True

ABOUT = """Rates are in normals per nanosecond. One normal is one Gaussian random number, made and added up in registers; of a
step with --store, made and written to memory."""
RATE = "Normals/ns"
CHART_TITLE = "Gaussian random numbers per nanosecond on {device}"
SECTIONS = ("steps", "peers", "ablations", "profile", "limits")
CHARTS = {}

FIRST = "n1"
CONSTANT = None
TARGETS = ()
CANDIDATES = None
