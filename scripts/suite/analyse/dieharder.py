"""dieharder: the tests to run and their sizes, and what its p-values mean.

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

FAILED_BELOW, WEAK_BELOW = 1e-6, 0.005
FAILED, WEAK, PASSED, NO_RESULT = "failed", "weak", "passed", "no result"

# dieharder lists these as suspect or "do not use", but runs them with all tests.
SUSPECT = ("diehard_opso", "diehard_oqso", "diehard_dna", "diehard_sums")

CPU_SECONDS = 20  # limit per test: several times what any test needs, unless the stream is degenerate


class Test(NamedTuple):
    """A test of dieharder: name, number and sizes; 0 is dieharder's own size.

    several: it gives p-values of several ntuples, whatever the argument.
    """

    name: str
    number: int
    ntuple: int
    tsamples: int = 0
    psamples: int = 0
    several: bool = False


# Full sizes would take two minutes of one core per stream. psamples is always 100, because fewer make dieharder's final
# p-value less exact (see above). Slow tests use fewer tsamples instead.
TESTS = (
    # Finds lattices of linear congruential generators in the upper 24 bits. Full size.
    Test("diehard_birthdays", 0, 0, 100, 100),
    # Finds linear dependence of 32 successive words: shift registers of at most 32 bits. 1/20 of the full size.
    Test("diehard_rank_32x32", 2, 0, 2000, 100),
    # Counts 20-bit words that do not occur in the bit stream. The size is fixed.
    Test("diehard_bitstream", 4, 0, 2097152, 100),
    # Frequencies of overlapping groups of 1 to 16 bits. Finds low bits of short period. 1/5 of the full size.
    Test("sts_serial", 102, 0, 20_000, 100, several=True),
    # Frequencies of disjoint groups of up to 8 bits. Finds stuck bits and bad low bits. 1/5 of the full size.
    *(Test("rgb_bitdist", 200, bits, 20_000, 100) for bits in (1, 2, 4, 8)),
    # Nearest points in 2 to 5 dimensions, with enough points for the theory. 1/10 of the repetitions.
    *(Test("rgb_minimum_distance", 201, dimensions, 10_000, 100) for dimensions in (2, 3, 4, 5)),
    # Sums of every (lag + 1)-th word, such as one coordinate of every other sample. 1/10 of the full size.
    *(Test("rgb_lagged_sum", 203, lag, 100_000, 100) for lag in range(5)),
)

# The tests of dieharder -a (run_all_tests.c) as single tests, so that every core has work. Sizes are dieharder's own.
FULL_TESTS = tuple(
    Test(name, number, ntuple)
    for name, number, *ntuples in (
        ("diehard_birthdays", 0), ("diehard_operm5", 1), ("diehard_rank_32x32", 2), ("diehard_rank_6x8", 3), ("diehard_bitstream", 4),
        ("diehard_opso", 5), ("diehard_oqso", 6), ("diehard_dna", 7), ("diehard_count_1s_str", 8), ("diehard_count_1s_byt", 9),
        ("diehard_parking_lot", 10), ("diehard_2dsphere", 11, 2), ("diehard_3dsphere", 12, 3), ("diehard_squeeze", 13), ("diehard_sums", 14),
        ("diehard_runs", 15), ("diehard_craps", 16), ("marsaglia_tsang_gcd", 17), ("sts_monobit", 100), ("sts_runs", 101),
        ("sts_serial", 102), ("rgb_bitdist", 200, *range(1, 13)), ("rgb_minimum_distance", 201, *range(2, 6)),
        ("rgb_permutations", 202, *range(2, 6)), ("rgb_lagged_sum", 203, *range(33)), ("rgb_kstest_test", 204), ("dab_bytedistrib", 205),
        ("dab_dct", 206, 256), ("dab_filltree", 207, 32), ("dab_filltree2", 208), ("dab_monobit2", 209, 12),
    )
    for ntuple in ntuples or (0,)
)  # fmt: skip


def assessment(p, psamples):
    """The meaning of a p-value."""
    if p is None:
        return NO_RESULT
    if p < FAILED_BELOW or (psamples == 1 and 1 - p < FAILED_BELOW):
        return FAILED
    return WEAK if min(p, 1 - p) < WEAK_BELOW else PASSED


SEVERAL = tuple(test.name for test in TESTS if test.several)


def unfinished_tests(record):
    """Those of TESTS for which a record lacks a p-value at their size."""
    has_p = {part: True for part in record.get("passed", {})}
    for result in record["results"]:
        part = part_of(result)
        has_p[part] = has_p.get(part, True) and result["p"] is not None
    return [test for test in TESTS if not has_p.get(name_of(test))]


def part_of(result):
    """The test that gave a result, with its sizes."""
    return name_of(
        Test(result["test"], 0, result["ntuple"], result["tsamples"], result["psamples"], result["test"] in SEVERAL)
    )


def name_of(test):
    """A test with its sizes: "rgb_bitdist 8, 20000 x 100"."""
    return f"{test.name}{'' if test.several else f' {test.ntuple}'}, {test.tsamples} x {test.psamples}"
