"""PyTorch: two arrays of random coordinates, a test and a sum; with --compile, fused by torch.compile."""

import report
from on_torch import FACTS, IS_COMPILED, timed, torch

SAMPLES = 2**28  # of an array
ARRAYS = 16  # of a launch, so that the GPU never waits for Python


def hits_of_array():
    """Hits of one array of samples, on the GPU."""
    x = torch.rand(SAMPLES, device="cuda")
    y = torch.rand(SAMPLES, device="cuda")
    return (x * x + y * y <= 1).sum()


if __name__ == "__main__":
    count = torch.compile(hits_of_array) if IS_COMPILED else hits_of_array
    report.measure(timed(lambda _: sum(count() for _ in range(ARRAYS))), samples_per_launch=ARRAYS * SAMPLES, **FACTS)
