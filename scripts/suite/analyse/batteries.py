"""The batteries that test random words: which words each of them reads, and what its results mean.

A run is one battery on one stream: the interleaved words of so many threads of a source, in one form. dieharder reads words
as they are; of bit planes and lagged generators single lanes too, and of lagged ones also the first draws after their hashed initial
state, thread by thread. The reference is read with more seeds.

TestU01 and PractRand read the generators that are declared sound, in the form in which a version uses the words: as they
are, as single lanes too if they are bit planes, or only their upper 24 bits if a lower one is linear. Those are packed without
gaps, so TestU01 has the leading bits of a coordinate at the top of one word in three. A result means

  failed   TestU01: p below 10^-6 or above 1 - 10^-6. PractRand: what it calls FAIL. dieharder: see dieharder.py.
  weak     TestU01: p below 0.001 or above 0.999, its own threshold. PractRand: what it calls suspicious.

TestU01 looks at leading bits more than at others. So SmallCrush also reads bit planes with the bits of each word reversed.

Some generators have long runs, too: BigCrush of TestU01 and PractRand on 256 GiB, on one form of the words, with another
seed. Each test of BigCrush reads a launch of its own, whose number is the test's. So the tests can run apart.
"""

from collections import Counter
from typing import NamedTuple

from suite.analyse import dieharder
from suite.analyse.dieharder import FAILED, FAILED_BELOW, PASSED, WEAK

DIEHARDER, DIEHARDER_FULL = "dieharder", "dieharder -a"
SMALL_CRUSH, CRUSH, BIG_CRUSH, PRACTRAND = "SmallCrush", "Crush", "BigCrush", "PractRand"
P_VALUES = {SMALL_CRUSH: 15, CRUSH: 144}  # of a whole battery of TestU01
BIG_CRUSH_TESTS = range(1, 107)  # by TestU01's numbers
WEAK_BELOW = 0.001
LOWER_BITS = 8  # of 32: those below the upper 24

WORDS, REVERSED, LANES, UPPER_24 = FORMS = "words", "reversed words", "lanes", "24-bit coordinates"  # as stored
FORM_TEXTS = {UPPER_24: "upper 24 bits, packed"}

SEED = 1234
MANY = 1024  # threads that run together
START_UP = (2**24, 8)  # threads, and samples of each: the first draws of a lagged generator
REFERENCE, REFERENCE_SEEDS = "philox", range(1, 11)  # must not fail any test with any seed


class Run(NamedTuple):
    """A battery on the words of a source, of this many threads in turn; with iters thread by thread, with so many samples of each."""

    battery: str
    source: str
    form: str
    streams: int
    seed: int = SEED
    iters: int | None = None


class Amount(NamedTuple):
    """What a command runs: the batteries of dieharder and TestU01, and PractRand up to 2^log2_bytes."""

    dieharder: str
    testu01: str
    log2_bytes: int


STANDARD = Amount(DIEHARDER, SMALL_CRUSH, 29)
FULL = Amount(DIEHARDER_FULL, CRUSH, 34)
LONG = Amount(DIEHARDER_FULL, BIG_CRUSH, 38)

# The long runs: the generator of the fastest steps, the one that most ladders use, and the reference.
LONG_SOURCES, LONG_SEED, LONG_STREAMS = ("alternating_sliced", "mrg", REFERENCE), 4321, 65_536

# Known faults that a battery must find, in each form of words that it reads. As whole words MRG 31, 13 has bad low bits,
# which SmallCrush does not see.
CONTROLS = tuple(Run(*words) for words in (
    (SMALL_CRUSH, "lcg", WORDS, 1), (SMALL_CRUSH, "lcg", WORDS, MANY), (SMALL_CRUSH, "xorshift32", WORDS, 1),
    (PRACTRAND, "lcg", WORDS, 1), (PRACTRAND, "lcg", WORDS, MANY), (PRACTRAND, "xorshift32", WORDS, 1),
    (PRACTRAND, "xorshift32", WORDS, MANY), (PRACTRAND, "mrg", WORDS, 1),
    (SMALL_CRUSH, "lcg", UPPER_24, 1), (PRACTRAND, "lcg", UPPER_24, 1), (SMALL_CRUSH, "lcg", REVERSED, 1),
    (SMALL_CRUSH, "trinomial_63_1", LANES, 1), (PRACTRAND, "trinomial_63_1", LANES, 1),
))  # fmt: skip


# Which runs


def run_of(record):
    """The run of a record."""
    return Run(*(record[field] for field in Run._fields))


def place_of(record):
    """Where a record stands in the list of all."""
    form = FORMS.index(record["form"])
    return record["battery"], record["source"], record["seed"], bool(record["iters"]), form, record["streams"]


def dieharder_runs(row, amount):
    """The runs of dieharder on a source. Of a lagged generator lanes test each bit alone."""
    forms = (WORDS, LANES) if row["bit_planes"] or row["lagged"] else (WORDS,)
    in_turn = [Run(amount.dieharder, row["source"], form, count) for form in forms for count in (1, MANY)]
    threads, iters = START_UP
    return in_turn + ([Run(amount.dieharder, row["source"], WORDS, threads, iters=iters)] if row["lagged"] else [])


def reference_runs():
    """The reference with other seeds."""
    return [Run(DIEHARDER, REFERENCE, WORDS, MANY, seed) for seed in REFERENCE_SEEDS]


def battery_runs(row, amount):
    """The runs of TestU01 and PractRand on the words of a source."""
    source = row["words_of"]
    in_turn = [
        Run(battery, source, form, count)
        for form in forms_of(row)
        if form != REVERSED
        for count in (1, MANY, 65_536)
        for battery in (amount.testu01, PRACTRAND)
    ]
    return in_turn + ([Run(amount.testu01, source, REVERSED, MANY)] if REVERSED in forms_of(row) else [])


def long_runs(row):
    """BigCrush and the long run of PractRand on the words of a source, if it has them."""
    if row["source"] not in LONG_SOURCES:
        return []
    form = forms_of(row)[0]
    return [Run(battery, row["source"], form, LONG_STREAMS, LONG_SEED) for battery in (LONG.testu01, PRACTRAND)]


def forms_of(row):
    """The forms in which TestU01 and PractRand read the words of a source: those in which a version uses them."""
    if row["bit_planes"]:
        return (WORDS, LANES, REVERSED)
    linear = row["linear"]["linear_bits"] if row["linear"] else []
    return (UPPER_24,) if linear and max(linear) < LOWER_BITS else (WORDS,)


# What was found


def assessment(p):
    """The meaning of a p-value of TestU01."""
    distance = min(p, 1 - p)
    return FAILED if distance < FAILED_BELOW else WEAK if distance < WEAK_BELOW else PASSED


def count(records, kind):
    """How many results of records have this assessment."""
    return sum(result["assessment"] == kind for record in records for result in record["results"])


def failures(record):
    """The names of the tests that failed and that count, with dieharder's ntuple."""
    return [
        f"{result['test']} {result['ntuple']}" if "ntuple" in result else result["test"]
        for result in record["results"]
        if result["assessment"] == FAILED and result["test"] not in dieharder.SUSPECT
    ]


def is_settled(record, amount=STANDARD):
    """Whether a run is final: it is whole, or a test failed."""
    return bool(failures(record)) or is_whole(record, amount)


def is_whole(record, amount):
    if record["battery"] == DIEHARDER:
        return not dieharder.unfinished_tests(record)
    if record["battery"] == PRACTRAND:
        return record["bytes"] >= 2**amount.log2_bytes
    if record["battery"] == BIG_CRUSH:
        return done_of(record) == set(BIG_CRUSH_TESTS)
    return record["count"] == P_VALUES.get(record["battery"], record["count"])


def done_of(record):
    """The tests of BigCrush that a run has a result of."""
    return {result["number"] for result in record["results"]} | set(map(int, record.get("passed", {})))


def joined(record, other):
    """A run of BigCrush with those tests of another one on the same words that it lacks."""
    if done_of(record) & done_of(other):  # the same words give the same results
        return record
    results = sorted([*record["results"], *other["results"]], key=lambda result: result["number"])
    passed = record.get("passed", {}) | other.get("passed", {})
    sums = {name: record[name] + other[name] for name in ("count", "bytes")}
    return record | other | sums | {"results": results, "passed": passed}


def thinned(record):
    """What is stored of a run: of results that passed only how many each test of dieharder and BigCrush gave."""
    results = [result for result in record["results"] if result["assessment"] != PASSED]
    parts = [part for result in record["results"] if result["assessment"] == PASSED and (part := part_of(result))]
    return record | {"results": results} | ({"passed": dict(Counter(parts))} if parts else {})


def part_of(result):
    """The test of dieharder or BigCrush that gave a result, by which a run is known to be whole; None of other batteries."""
    return dieharder.part_of(result) if "ntuple" in result else str(result["number"]) if "number" in result else None


# In words


def text_of(run):
    """The words that a run reads: of dieharder with the order in which they are taken, if not in turn."""
    if run.battery in (DIEHARDER, DIEHARDER_FULL):
        return streams_text(run.streams) + order_text(run)
    return f"{form_text(run.form)}, {streams_text(run.streams)}"


def order_text(run):
    return (", lanes" if run.form == LANES else "") + (", start-up" if run.iters else "")


def form_text(form):
    return FORM_TEXTS.get(form, form)


def streams_text(count):
    return f"{count:,} stream{'' if count == 1 else 's'}"
