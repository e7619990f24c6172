"""Deviations of estimates from what is expected, in standard deviations, and whether many of them look normal.

Of right estimates with independent random numbers they are independent draws from the normal distribution of mean 0 and
variance 1.
"""

import math
from statistics import NormalDist, fmean
from typing import NamedTuple

NORMAL = NormalDist()
FAR = 2  # standard deviations
LEAST = 1e-15  # probability of which a normal deviate is told


class Summary(NamedTuple):
    """What many deviations are like. The errors are those of normal deviates of variance 1."""

    count: int
    mean: float
    mean_sd: float
    variance: float
    variance_sd: float
    largest: float  # by its size, with its sign
    far: int  # how many are more than FAR from 0
    far_expected: float
    distance: float  # largest difference of the distribution function from the normal one (Kolmogorov-Smirnov)
    p: float  # chance that normal deviates are as far off


def deviation_of(outcome):
    """The deviation of a run's estimate in standard deviations; None where it tells none.

    A solution is judged by the chi-square of its functionals: its deviation is the normal deviate with the same probability,
    above 0 if the functionals are farther off than they should be.
    """
    verdict = outcome.get("verdict")
    if verdict is None:
        return outcome.get("sigma")
    ratio, degrees = verdict["chi_squared"], verdict["degrees_of_freedom"]
    if ratio is None:
        return None
    return NORMAL.inv_cdf(min(max(chi_squared_probability(ratio["value"] * degrees, degrees), LEAST), 1 - LEAST))


def summary(deviations):
    """What these deviations are like, of two or more."""
    count, mean = len(deviations), fmean(deviations)
    distance = kolmogorov_distance(deviations)
    return Summary(
        count,
        mean, 1 / math.sqrt(count),
        sum((value - mean) ** 2 for value in deviations) / (count - 1), math.sqrt(2 / (count - 1)),
        max(deviations, key=abs),
        sum(abs(value) > FAR for value in deviations), 2 * count * NORMAL.cdf(-FAR),
        distance, kolmogorov_probability(distance, count),
    )  # fmt: skip


def kolmogorov_distance(deviations):
    """The largest difference between the distribution function of these values and that of the normal distribution."""
    known = [NORMAL.cdf(value) for value in sorted(deviations)]
    return max(max((i + 1) / len(known) - value, value - i / len(known)) for i, value in enumerate(known))


def kolmogorov_probability(distance, count):
    """The chance of so large a distance, of so many values of the right distribution.

    By the limit for many values, of a distance corrected for their number: M. A. Stephens, "Use of the Kolmogorov-Smirnov,
    Cramer-von Mises and related statistics without extensive tables", J. Royal Statistical Society B 32 (1970).
    """
    root = math.sqrt(count)
    x = (root + 0.12 + 0.11 / root) * distance
    if x < 0.3:
        return 1.0  # to ten digits; the sum would need ever more terms
    return min(1.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * x) ** 2) for k in range(1, 20)))


def chi_squared_probability(value, degrees):
    """The chance that a chi-square with so many degrees of freedom is below a value: the incomplete gamma function, by its series."""
    if value <= 0:
        return 0.0
    a, x = degrees / 2, value / 2
    term = total = 1 / a
    n = a
    while term > total * 1e-17:
        n += 1
        term *= x / n
        total += term
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))
