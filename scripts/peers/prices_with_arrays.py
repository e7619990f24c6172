"""CuPy or PyTorch: arrays of paths, a step at a time; with --compile, PyTorch fuses each step."""

import sys

import prices
import report

on = report.package_of_arrays()
OPTION = sys.argv[2]
PATHS = {"asian": 2**20, "lookback": 2**24}[OPTION]


def compiled_asian(xp, normals):
    """A step draws its normals within the compiled code."""

    @on.compiled
    def step(a, b, total):
        return prices.asian_step(xp, (a, b, total), normals(), normals())

    state = (prices.START + 0 * normals(),) * 2 + (0 * normals(),)
    for _ in range(prices.ASIAN_STEPS):
        state = step(*state)
    return prices.asian_payoff(xp, state)


compiled = {"asian": compiled_asian, "lookback": on.compiled(prices.lookback)}
payoffs = (compiled if "--compile" in sys.argv else prices.PAYOFFS)[OPTION]


def launch(_):
    found = on.doubles(payoffs(on.xp, lambda: on.normals(PATHS)))
    return found.sum(), (found * found).sum()


report.measure_mean(
    on.timed(launch, lambda sums: map(float, sums)), PATHS, samples_per_launch=PATHS * prices.STEPS[OPTION], **on.FACTS
)
