"""The batteries of TestU01 and PractRand: the words that they read, and the meaning of their results.

They read the generators that are declared sound, in the form in which a version uses the words: as they are, as single
lanes too if they are bit planes, or only their upper 24 bits if a lower one is linear. Those are packed without gaps, so
TestU01 has the leading bits of a coordinate at the top of one word in three. A run is one battery on one such stream. A
result of a run means

  failed   TestU01: p below 10^-6 or above 1 - 10^-6. PractRand: what it calls FAIL.
  weak     TestU01: p below 0.001 or above 0.999, its own threshold. PractRand: what it calls suspicious.

TestU01 looks at leading bits more than at others. So SmallCrush also reads bit planes with the bits of each word reversed.
"""

from typing import NamedTuple

from suite.analyse.dieharder import FAILED, FAILED_BELOW, PASSED, WEAK

SMALL_CRUSH, CRUSH, PRACTRAND = "SmallCrush", "Crush", "PractRand"
P_VALUES = {SMALL_CRUSH: 15, CRUSH: 144}  # of a whole battery of TestU01
WEAK_BELOW = 0.001
LOWER_BITS = 8  # of 32: those below the upper 24

WORDS, REVERSED, LANES, UPPER_24 = "words", "reversed words", "lanes", "24-bit coordinates"  # as stored
FORM_TEXTS = {UPPER_24: "upper 24 bits, packed"}
STREAM_COUNTS = (1, 1024, 65_536)


class Run(NamedTuple):
    """A battery on the words of a source, of this many threads in turn."""

    battery: str
    source: str
    form: str
    streams: int


class Amount(NamedTuple):
    """What a command runs: a battery of TestU01, and PractRand up to 2^log2_bytes."""

    testu01: str
    log2_bytes: int


STANDARD = Amount(SMALL_CRUSH, 29)
FULL = Amount(CRUSH, 34)

# Known faults that a battery must find, in each form of words that it reads. As whole words MRG 31, 13 has bad low bits,
# which SmallCrush does not see.
CONTROLS = (
    Run(SMALL_CRUSH, "lcg", WORDS, 1),
    Run(SMALL_CRUSH, "lcg", WORDS, 1024),
    Run(SMALL_CRUSH, "xorshift32", WORDS, 1),
    Run(PRACTRAND, "lcg", WORDS, 1),
    Run(PRACTRAND, "lcg", WORDS, 1024),
    Run(PRACTRAND, "xorshift32", WORDS, 1),
    Run(PRACTRAND, "xorshift32", WORDS, 1024),
    Run(PRACTRAND, "mrg", WORDS, 1),
    Run(SMALL_CRUSH, "lcg", UPPER_24, 1),
    Run(PRACTRAND, "lcg", UPPER_24, 1),
    Run(SMALL_CRUSH, "lcg", REVERSED, 1),
    Run(SMALL_CRUSH, "trinomial_63_1", LANES, 1),
    Run(PRACTRAND, "trinomial_63_1", LANES, 1),
)


# Which runs


def run_of(record):
    """The run of a record."""
    return Run(*(record[field] for field in Run._fields))


def runs_of(row, amount):
    """The runs on the words of a source."""
    source = row["words_of"]
    in_turn = [
        Run(battery, source, form, count)
        for form in forms_of(row)
        if form != REVERSED
        for count in STREAM_COUNTS
        for battery in (amount.testu01, PRACTRAND)
    ]
    return in_turn + ([Run(amount.testu01, source, REVERSED, 1024)] if REVERSED in forms_of(row) else [])


def forms_of(row):
    """The forms in which the batteries read the words of a source: those in which a version uses them."""
    if row["bit_planes"]:
        return (WORDS, LANES, REVERSED)
    linear = row["linear"]["linear_bits"] if row["linear"] else []
    return (UPPER_24,) if linear and max(linear) < LOWER_BITS else (WORDS,)


# What was found


def assessment(p):
    """The meaning of a p-value of TestU01."""
    distance = min(p, 1 - p)
    return FAILED if distance < FAILED_BELOW else WEAK if distance < WEAK_BELOW else PASSED


def failures(record):
    """The names of the tests that failed."""
    return [result["test"] for result in record["results"] if result["assessment"] == FAILED]


def is_settled(record, amount=STANDARD):
    """Whether a run is final: it is whole, or a test failed."""
    return bool(failures(record)) or is_whole(record, amount)


def is_whole(record, amount):
    if record["battery"] == PRACTRAND:
        return record["bytes"] >= 2**amount.log2_bytes
    return record["count"] == P_VALUES[record["battery"]]


def text_of(run):
    """The words that a run reads, in words."""
    return f"{form_text(run.form)}, {streams_text(run.streams)}"


def form_text(form):
    return FORM_TEXTS.get(form, form)


def streams_text(count):
    return f"{count:,} stream{'' if count == 1 else 's'}"
