"""Order statistics of timings: intervals of their median, exact for every distribution."""

import math
import statistics

TAIL = 0.025  # of a 95 % interval, on either side


def rank(count, tail):
    """The largest j for which P(Bin(count, 1/2) < j) is at most tail."""
    below = 0.0
    for j in range(count + 1):
        # By logarithms: 2^-count alone underflows from 1075 on.
        binomial = math.lgamma(count + 1) - math.lgamma(j + 1) - math.lgamma(count - j + 1)
        below += math.exp(binomial - count * math.log(2))
        if below > tail:
            return j
    return count


def summary(values):
    """The median, its 95 % interval (all of the range, with fewer than 6 values), and the range."""
    ordered = sorted(values)
    j = max(1, rank(len(ordered), TAIL))
    return {
        "median": statistics.median(ordered),
        "low": ordered[j - 1],
        "high": ordered[-j],
        "min": ordered[0],
        "max": ordered[-1],
    }
