"""PyTorch: arrays of paths, a step at a time; with --compile, each step fused by torch.compile."""

import sys

import prices
import report
from on_torch import FACTS, IS_COMPILED, timed, torch

OPTION = sys.argv[1]
PATHS = {"asian": 2**20, "lookback": 2**24}[OPTION]


def compiled_asian(xp, normals):
    """A step draws its normals within the compiled code."""

    @torch.compile
    def step(a, b, total):
        return prices.asian_step(xp, (a, b, total), normals(), normals())

    state = (prices.START + 0 * normals(),) * 2 + (0 * normals(),)
    for _ in range(prices.ASIAN_STEPS):
        state = step(*state)
    return prices.asian_payoff(xp, state)


compiled = {"asian": compiled_asian, "lookback": torch.compile(prices.lookback)}
payoffs = (compiled if IS_COMPILED else prices.PAYOFFS)[OPTION]


def launch(_):
    found = payoffs(torch, lambda: torch.randn(PATHS, device="cuda")).double()
    return found.sum(), (found * found).sum()


if __name__ == "__main__":
    report.measure_mean(
        timed(launch, lambda sums: map(float, sums)), PATHS, samples_per_launch=PATHS * prices.STEPS[OPTION], **FACTS
    )
