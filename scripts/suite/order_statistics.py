"""The median of timings and its interval. bench/measure/statistics.hpp explains them."""

import math
import statistics

TAIL = 0.025  # of a 95 % interval, on either side
FEWEST = 6  # values for such an interval

FEWEST_BATCHES = 8
CAUTION = 0.75  # standard errors added to an autocorrelation
MOST_DEPENDENT = 0.99


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
    """The median of values in time order, its 95 % interval (with fewer than 6 values their range), and their range."""
    least, most = min(values), max(values)
    low, high = interval(values, TAIL) or (least, most)
    return {"median": statistics.median(values), "low": low, "high": high, "min": least, "max": most}


def interval(values, tail):
    """An interval that misses the median with probability tail on either side; None with too few values."""
    ordered = sorted(values)
    count = len(ordered)
    independent = rank(count, tail)
    if independent == 0:
        return None
    median, middle = statistics.median(ordered), (count + 1) / 2
    distance = (middle - independent) * math.sqrt(autocorrelation_time(values))
    j = int(max(1, count // 8, middle - distance))
    stretch = max(1, distance / (middle - j))
    return tuple(end * (end / median) ** (stretch - 1) for end in (ordered[j - 1], ordered[-j]))


def autocorrelation_time(values):
    """The number of successive values that carry as much information as one independent value."""
    means = centred_ranks(values)
    variance, _ = dependence(means)
    if variance == 0:
        return 1
    time, length = 1, 1
    while True:
        of_means, widening = dependence(means)
        time = max(time, length * of_means / variance * widening)
        if len(means) // 2 < FEWEST_BATCHES:
            return min(time, len(values))
        pairs = iter(means[len(means) % 2 :])
        means, length = [(a + b) / 2 for a, b in zip(pairs, pairs)], 2 * length


def centred_ranks(values):
    """The rank of each value, counted from the middle; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, first = [0.0] * len(values), 0
    while first < len(order):
        end = first
        while end < len(order) and values[order[end]] == values[order[first]]:
            end += 1
        for i in order[first:end]:
            ranks[i] = (first + end - len(order)) / 2
        first = end
    return ranks


def dependence(values):
    """The variance of values, and the factor by which their autocorrelation raises the variance of their mean."""
    count = len(values)
    mean = sum(values) / count
    squares = sum((value - mean) ** 2 for value in values)
    if squares == 0:
        return 0, 1
    measured = sum((a - mean) * (b - mean) for a, b in zip(values, values[1:])) / squares
    unbiased = measured + (1 + 3 * measured) / count
    r = min(max(unbiased + CAUTION * math.sqrt((1 - measured**2) / count), 0), MOST_DEPENDENT)
    return squares / (count - 1), (1 + r) / (1 - r)
