"""dieharder: the tests to run, their sizes, and the meaning of its output.

A test of dieharder computes `psamples` p-values from `tsamples` random entities
each. A Kolmogorov-Smirnov test that they are uniform then gives one p-value.
That p-value means

  failed      below 10^-6, dieharder's own threshold
  weak        below 0.005 or above 0.995, as in dieharder
  no result   no p-value, or no end within CPU_SECONDS, as with a degenerate stream

dieharder 3.31.1 also reports p > 1 - 10^-6 as failed. Here this counts only for
psamples = 1, because its Kolmogorov-Smirnov test is inexact: it compares the
sorted p-values with i / (n + 1), but uses the distribution of the distance from
i / n and (i - 1) / n. Its p-values are then too close to 1. With 100 p-values it
reports a perfect generator as failed with probability 8.7 * 10^-5 (with 10
p-values: 1 in 80), and as weak on that side with probability 2 %. It falls below
10^-6 with probability 4.5 * 10^-7, less than it should.
"""

from typing import NamedTuple

from suite.documents.schema import ResultError

FAILED_BELOW, WEAK_BELOW = 1e-6, 0.005
FAILED, WEAK, PASSED, NO_RESULT = "failed", "weak", "passed", "no result"

# dieharder lists these as suspect or "do not use", but runs them with all tests.
SUSPECT = ("diehard_opso", "diehard_oqso", "diehard_dna", "diehard_sums")

CPU_SECONDS = 20  # limit per test: several times what any test needs, unless the stream is degenerate
FULL_CPU_SECONDS = 3600  # limit per test at full size; all tests together take about an hour

FIELDS = ("test_name", "ntuple", "tsamples", "psamples", "pvalues")
FLAGS = [flag for field in (*FIELDS, "no_whitespace") for flag in ("-D", field)]


class Test(NamedTuple):
    """A test of dieharder: name, number and sizes; 0 is dieharder's own size.

    several: it gives p-values of several ntuples, whatever the argument.
    """

    name: str
    number: int
    ntuple: int
    tsamples: int
    psamples: int = 100
    several: bool = False

# Full sizes would take two minutes of one core per stream. psamples is always 100, because fewer make dieharder's final
# p-value less exact (see above). Slow tests use fewer tsamples instead.
TESTS = (
    # Finds lattices of linear congruential generators in the upper 24 bits. Full size.
    Test("diehard_birthdays", 0, 0, 100),
    # Finds linear dependence of 32 successive words: shift registers of at most 32 bits. 1/20 of the full size.
    Test("diehard_rank_32x32", 2, 0, 2000),
    # Counts 20-bit words that do not occur in the bit stream. The size is fixed.
    Test("diehard_bitstream", 4, 0, 2097152),
    # Frequencies of overlapping groups of 1 to 16 bits. Finds low bits of short period. 1/5 of the full size.
    Test("sts_serial", 102, 0, 20_000, several=True),
    # Frequencies of disjoint groups of up to 8 bits. Finds stuck bits and bad low bits. 1/5 of the full size.
    *(Test("rgb_bitdist", 200, bits, 20_000) for bits in (1, 2, 4, 8)),
    # Nearest points in 2 to 5 dimensions, with enough points for the theory. 1/10 of the repetitions.
    *(Test("rgb_minimum_distance", 201, dimensions, 10_000) for dimensions in (2, 3, 4, 5)),
    # Sums of every (lag + 1)-th word, such as one coordinate of every other sample. 1/10 of the full size.
    *(Test("rgb_lagged_sum", 203, lag, 100_000) for lag in range(5)),
)


def at_full_size(name, number, *ntuples):
    """The tests of a name at dieharder's own sizes."""
    return [Test(name, number, ntuple, 0, 0) for ntuple in ntuples or (0,)]

# The tests of dieharder -a (run_all_tests.c) as single tests, so that every core has work. Sizes are dieharder's own.
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
    """The command that runs a test on its standard input. parse reads its output."""
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
        raise ResultError(f"dieharder printed '{line}'") from None


def p_value(text):
    """A p-value, or None if the text is no p-value, as for a degenerate stream."""
    p = float(text)
    return p if 0 <= p <= 1 else None


def record(test, ntuple, tsamples, psamples, p):
    """The stored record of a p-value; None means that there is none."""
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
    """The meaning of a p-value."""
    if p is None:
        return NO_RESULT
    if p < FAILED_BELOW or (psamples == 1 and 1 - p < FAILED_BELOW):
        return FAILED
    return WEAK if min(p, 1 - p) < WEAK_BELOW else PASSED


def unfinished_tests(records):
    """Those of TESTS for which the records lack a p-value at their size."""
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
