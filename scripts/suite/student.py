"""Student's t distribution, as far as a verdict needs it: tail probabilities."""

import math

STEPS, FARTHEST = 2000, 3.0  # of the integral over the logarithm of the distance; at most e^-45 of it lies beyond


def is_beyond(distance, limit, degrees_of_freedom=None):
    """Whether a distance in standard deviations is rarer than the limit is for a normal distribution.

    With degrees_of_freedom the standard deviation was measured, and distances follow Student's t distribution.
    """
    if degrees_of_freedom is None or abs(distance) <= limit:
        return abs(distance) > limit
    return 2 * tail(abs(distance), degrees_of_freedom) < math.erfc(limit / math.sqrt(2))


def tail(distance, degrees_of_freedom):
    """Probability that Student's t exceeds a positive distance: the density, integrated by Simpson's rule."""
    width = FARTHEST / STEPS
    values = [x * density(x, degrees_of_freedom) for x in (distance * math.exp(i * width) for i in range(STEPS + 1))]
    return width / 3 * (values[0] + 4 * sum(values[1::2]) + 2 * sum(values[2:-1:2]) + values[-1])


def density(x, degrees_of_freedom):
    n = degrees_of_freedom
    factor = math.lgamma((n + 1) / 2) - math.lgamma(n / 2) - math.log(n * math.pi) / 2
    return math.exp(factor - (n + 1) / 2 * math.log1p(x * x / n))
