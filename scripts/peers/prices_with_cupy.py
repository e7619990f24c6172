"""CuPy: arrays of paths, a step at a time."""

import sys

import prices
import report
from on_cupy import FACTS, cupy, timed

OPTION = sys.argv[1]
PATHS = {"asian": 2**20, "lookback": 2**24}[OPTION]


def launch(_):
    found = prices.PAYOFFS[OPTION](cupy, lambda: cupy.random.standard_normal(PATHS, dtype=cupy.float32))
    found = found.astype(cupy.float64)
    return found.sum(), (found * found).sum()


if __name__ == "__main__":
    report.measure_mean(
        timed(launch, lambda sums: map(float, sums)), PATHS, samples_per_launch=PATHS * prices.STEPS[OPTION], **FACTS
    )
