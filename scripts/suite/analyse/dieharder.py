"""dieharder: which of its tests are run, at which sizes, and what its output means.

A test of dieharder makes `psamples` p-values from `tsamples` random entities
each, and from them one p-value: of a Kolmogorov-Smirnov test that they are
spread evenly. A test has

  failed      below 10^-6, dieharder's own threshold
  weak        below 0.005 or above 0.995, as for dieharder
  no result   where it did not end within CPU_SECONDS, which a degenerate stream can cause, or made no p-value

dieharder 3.31.1 also calls p > 1 - 10^-6 failed. That counts here only where
the p-value is a single one: its Kolmogorov-Smirnov test sets the sorted
p-values against i / (n + 1) and takes the distance to have the distribution of
that from i / n and (i - 1) / n, so that it comes out too near 1. Of a perfect
generator's 100 p-values 8.7 * 10^-5 are called failed so (of 10, 1 in 80), and
2 in 100 are weak on that side. Below 10^-6 are fewer than there should be,
4.5 * 10^-7 of them.
"""

from typing import NamedTuple

from suite.documents import checks

FAILED_BELOW, WEAK_BELOW = 1e-6, 0.005
FAILED, WEAK, PASSED, NO_RESULT = "failed", "weak", "passed", "no result"

# What dieharder's own list calls suspect or not to be used; all of its tests include them.
SUSPECT = ("diehard_opso", "diehard_oqso", "diehard_dna", "diehard_sums")

CPU_SECONDS = 20  # of a test: several times what any takes on a stream that is not degenerate
FULL_CPU_SECONDS = 3600  # of a test at full size; all of them take an hour or so

FIELDS = ("test_name", "ntuple", "tsamples", "psamples", "pvalues")
FLAGS = [flag for field in (*FIELDS, "no_whitespace") for flag in ("-D", field)]


class Test(NamedTuple):
    """A test of dieharder: name, number, and the sizes to run it at; 0 for dieharder's own.

    several: it has p-values of several ntuples, whichever it is run with.
    """

    name: str
    number: int
    ntuple: int
    tsamples: int
    psamples: int = 100
    several: bool = False

# Full sizes would take a core two minutes a stream. There are always 100 p-values, since fewer make dieharder's last
# p-value worse (above); where a test is slow, each of them comes from fewer samples.
TESTS = (
    # Lattices: of linear congruential generators, in the upper 24 bits. Full size.
    Test("diehard_birthdays", 0, 0, 100),
    # Linear dependence of 32 successive words: shift registers of 32 bits or less. A twentieth of the full size.
    Test("diehard_rank_32x32", 2, 0, 2000),
    # Words of 20 bits that do not occur, all bits in a row. The size is fixed.
    Test("diehard_bitstream", 4, 0, 2097152),
    # Frequencies of overlapping groups of 1 to 16 bits: low bits of short period. A fifth.
    Test("sts_serial", 102, 0, 20_000, several=True),
    # Frequencies of groups that do not overlap, up to a byte: stuck bits, low bits. A fifth.
    *(Test("rgb_bitdist", 200, bits, 20_000) for bits in (1, 2, 4, 8)),
    # Nearest points in 2 to 5 dimensions, of so many points that its theory holds. A tenth of the repetitions.
    *(Test("rgb_minimum_distance", 201, dimensions, 10_000) for dimensions in (2, 3, 4, 5)),
    # Sums of every (lag + 1)-th word: of one coordinate of every other sample and the like. A tenth.
    *(Test("rgb_lagged_sum", 203, lag, 100_000) for lag in range(5)),
)


def at_full_size(name, number, *ntuples):
    """The tests of that name at dieharder's own sizes."""
    return [Test(name, number, ntuple, 0, 0) for ntuple in ntuples or (0,)]

# What dieharder -a runs (its run_all_tests.c), test by test, so that every core has work; sizes are dieharder's own.
FULL_TESTS = (
    *at_full_size("diehard_birthdays", 0),
    *at_full_size("diehard_operm5", 1),
    *at_full_size("diehard_rank_32x32", 2),
    *at_full_size("diehard_rank_6x8", 3),
    *at_full_size("diehard_bitstream", 4),
    *at_full_size("diehard_opso", 5),
    *at_full_size("diehard_oqso", 6),
    *at_full_size("diehard_dna", 7),
    *at_full_size("diehard_count_1s_str", 8),
    *at_full_size("diehard_count_1s_byt", 9),
    *at_full_size("diehard_parking_lot", 10),
    *at_full_size("diehard_2dsphere", 11, 2),
    *at_full_size("diehard_3dsphere", 12, 3),
    *at_full_size("diehard_squeeze", 13),
    *at_full_size("diehard_sums", 14),
    *at_full_size("diehard_runs", 15),
    *at_full_size("diehard_craps", 16),
    *at_full_size("marsaglia_tsang_gcd", 17),
    *at_full_size("sts_monobit", 100),
    *at_full_size("sts_runs", 101),
    *at_full_size("sts_serial", 102),
    *at_full_size("rgb_bitdist", 200, *range(1, 13)),
    *at_full_size("rgb_minimum_distance", 201, *range(2, 6)),
    *at_full_size("rgb_permutations", 202, *range(2, 6)),
    *at_full_size("rgb_lagged_sum", 203, *range(33)),
    *at_full_size("rgb_kstest_test", 204),
    *at_full_size("dab_bytedistrib", 205),
    *at_full_size("dab_dct", 206, 256),
    *at_full_size("dab_filltree", 207, 32),
    *at_full_size("dab_filltree2", 208),
    *at_full_size("dab_monobit2", 209, 12),
)


def command(test):
    """The command that tests what it reads; the text it prints is for parse."""
    sizes = ["-t", test.tsamples, "-p", test.psamples] if test.psamples else []
    arguments = ["-d", test.number, "-n", test.ntuple, *sizes]
    return ["dieharder", "-g", "200", "-c", ",", *FLAGS, *map(str, arguments)]


def parse(text):
    """The records of the p-values that dieharder printed."""
    lines = [line.strip() for line in text.splitlines()]
    return [record_of(line) for line in lines if line and not line.startswith("#")]


def record_of(line):
    try:
        name, ntuple, tsamples, psamples, p = (part.strip() for part in line.rstrip(",").split(","))
        return record(name, int(ntuple), int(tsamples), int(psamples), p_value(p))
    except ValueError:
        raise checks.ResultError(f"dieharder printed '{line}'") from None


def p_value(text):
    """A p-value, None for what is none: of a degenerate stream there may be no number."""
    p = float(text)
    return p if 0 <= p <= 1 else None


def record(test, ntuple, tsamples, psamples, p):
    """What is stored of a p-value; of None, that there is none."""
    return {
        "test": test,
        "ntuple": ntuple,
        "tsamples": tsamples,
        "psamples": psamples,
        "p": p,
        "assessment": assessment(p, psamples),
    }


def unfinished(test):
    """The record of a test that did not end."""
    return record(test.name, test.ntuple, test.tsamples, test.psamples, None)


def assessment(p, psamples):
    """What a p-value means."""
    if p is None:
        return NO_RESULT
    if p < FAILED_BELOW or (psamples == 1 and 1 - p < FAILED_BELOW):
        return FAILED
    return WEAK if min(p, 1 - p) < WEAK_BELOW else PASSED


def unfinished_tests(records):
    """Those of TESTS that have no p-value at their size in records, or not all of them."""
    return [test for test in TESTS if not is_finished(test, records)]


def is_finished(test, records):
    p_values = [record["p"] for record in records if is_of(test, record)]
    return bool(p_values) and None not in p_values


def is_of(test, record):
    sizes = (record["test"], record["tsamples"], record["psamples"])
    return sizes == (test.name, test.tsamples, test.psamples) and (test.several or record["ntuple"] == test.ntuple)


def count(records, kind):
    """How many p-values have this assessment."""
    return sum(record["assessment"] == kind for record in records)
