"""CuPy: two arrays of random coordinates from cuRAND, tested and counted as arrays.

The expression writes and reads temporary arrays. It is still much faster than a ReductionKernel that does everything in
one pass.
"""

import report
from on_cupy import FACTS, cupy, timed

SAMPLES = 2**28  # of an array
ARRAYS = 16  # of a launch, so that the GPU never waits for Python


def hits_of_array():
    """Hits of one array of samples, on the GPU."""
    x = cupy.random.random(SAMPLES, dtype=cupy.float32)
    y = cupy.random.random(SAMPLES, dtype=cupy.float32)
    return (x * x + y * y <= 1).sum()


if __name__ == "__main__":
    report.measure(
        timed(lambda _: sum(hits_of_array() for _ in range(ARRAYS))), samples_per_launch=ARRAYS * SAMPLES, **FACTS
    )
