"""The ladder normals: Gaussian random numbers."""

from suite.ladders.wall import Wall

PLACE = 4
SUITE = "normals"
PREFIX, LETTER = "options", "n"
UNIT = "normal"
OUTCOME = "means"

CPU = {"cpu_serial": ("options_cpu_normals", "--threads", "1"), "cpu_openmp": ("options_cpu_normals",)}
WITH_OPTIONS = {f"n{number}_store": (f"n{number}", "--store") for number in range(1, 11)}
FAULTY = ()
SECOND_RATE = ("store", "stored")
FULL_SECONDS = None
NEEDS_LIMITS = True

ABOUT = """Rates are in normals per nanosecond. One normal is one Gaussian random number, made and added up in registers; of a
step with --store, made and written to memory."""
RATE = "Normals/ns"
CHART_TITLE = "Gaussian random numbers per nanosecond on {device}"
SECTIONS = ("steps", "claims", "peers", "ablations", "profile", "limits")
CHARTS = {"steps": "normals.svg", "profile": "normals-units.svg"}

FIRST = "n1"
FIRST_TEXT = "in n1"
CONSTANT = None
TARGETS = ()
CANDIDATES = None

CEILINGS = {"DRAM writes, 4 bytes a normal (stored)": ("dram_write", 4)}
WALLS = (
    Wall("XU, 2 results a normal", 16, 2),
    Wall("shared memory, 2 accesses a normal", 32, 2),
    Wall("issue slots, {needs} instructions as in n9", 128, "n9"),
)
