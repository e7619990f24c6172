"""The ladder pi: its unit of work, and what its pages say of it alone."""

PLACE = 1  # among the ladders
SUITE = "pi"
PREFIX, LETTER = "pi", "v"  # of its programs and steps: pi_v8
UNIT = "sample"  # of work, that rates count
OUTCOME = "hits"  # what its runs estimate

# Programs that need no GPU, by version.
CPU = {
    "cpu_serial": ("pi_cpu", "--threads", "1"), "cpu_openmp": ("pi_cpu",),
    "cpu_bit_sliced_serial": ("pi_cpu_bit_sliced", "--threads", "1"), "cpu_bit_sliced": ("pi_cpu_bit_sliced",),
}  # fmt: skip
WITH_OPTIONS = {}  # versions that are a step's program with its own option: the step, and the option
FAULTY = ()  # ablations with a fault, whose verdicts must find it
SECOND_RATE = None  # of versions with an option, shown beside their step: the ending of their names, and its title; None: none
FULL_SECONDS = None  # of launches, the least that a full measurement times; None: the programs' own
NEEDS_LIMITS = False  # whether its pages need the rates at which the machine moves bytes

ABOUT = "Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle."
RATE = "Samples/ns"
CHART_TITLE = "Samples of π per nanosecond on {device}, one idea per step"

SECTIONS = ("steps", "merit", "peers", "ablations", "profile", "sweep", "convergence", "energy")  # of its pages, in order
CHARTS = {
    "steps": "ladder.svg", "profile": "pipes.svg", "sweep": "time.svg", "convergence": "convergence.svg", "merit": "merit.svg",
}  # fmt: skip

FIRST = "v1"  # the step with which tables compare all others
FIRST_TEXT = "with one thread"  # in a sentence
CONSTANT = None  # the step with constant numbers in place of random ones
TARGETS = (1e-6, 1e-7, 1e-8)  # standard deviations of the estimate, to which times are measured
CANDIDATES = "v14"  # the step for whose generator there were candidates; None: none
CEILINGS, WALLS = {}, ()  # lines in the chart of its steps: what paths of bytes allow (a rate of limits.json, and bytes), and units of the GPU
SD_LINES = ("v6", "v8", "v14", "v19")  # in the chart of merit, of the steps with independent samples: more would overlap; None: all

SAME_WORDS = """Versions that draw the same words (v8, v11 and v11_centred; v6 and v6_mantissa) coincide until their biases
separate them."""

# Of the verdicts on its generators.
KNOWN_LIMITS = """A test that knows the recurrence of v14 finds a fault: in bit b, the parity of words n, n − 13 and n − 31 is
even by 2⁻ᵇ more often than odd. Bits 8 to 11 show it within 2²⁷ words. As whole words, those of v15, v18 and v19 fail a test that
knows their multiplier; their steps use them in bit planes. v16 and v16t draw the words of v15, but make
coordinates of fields of 5 and 10 bits. No test covers that use.
[kernels/pi/](../kernels/pi/README.md#what-each-generator-costs-and-buys) explains what the tests found."""
