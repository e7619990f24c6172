"""Where one curve of times against samples falls below another."""

import math

from suite import numerals


def overtaking(curve, base):
    """Where a curve falls below the base for good, and whether it crosses it there. None if it does not."""
    first, last = max(curve[0][0], base[0][0]), min(curve[-1][0], base[-1][0])
    samples = sorted({point[0] for point in curve + base if first <= point[0] <= last})
    gaps = [log_time(curve, count) - log_time(base, count) for count in samples]
    if not gaps or gaps[-1] >= 0:
        return None
    behind = max((i for i, gap in enumerate(gaps) if gap >= 0), default=None)
    if behind is None:
        return {"crosses": False, "samples": samples[0], "ms": numerals.six_digits(math.exp(log_time(curve, samples[0])))}
    x, y = math.log(samples[behind]), math.log(samples[behind + 1])
    part = gaps[behind] / (gaps[behind] - gaps[behind + 1])
    crossing = math.exp(x + part * (y - x))
    return {"crosses": True, "samples": numerals.six_digits(crossing), "ms": numerals.six_digits(math.exp(log_time(curve, crossing)))}


def log_time(curve, samples):
    """The logarithm of the time. Between two points the logarithms are interpolated linearly."""
    left = max((point for point in curve if point[0] <= samples), default=curve[0])
    right = min((point for point in curve if point[0] >= samples), default=curve[-1])
    if left[0] == right[0]:
        return math.log(left[1])
    part = math.log(samples / left[0]) / math.log(right[0] / left[0])
    return (1 - part) * math.log(left[1]) + part * math.log(right[1])
