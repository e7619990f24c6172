"""CuPy or PyTorch: two arrays of random coordinates, a test and a sum; with --compile, PyTorch fuses them.

CuPy's expression writes and reads temporary arrays. It is still much faster than a ReductionKernel that does everything
in one pass.
"""

import report

on = report.package_of_arrays()

SAMPLES = 2**28  # of an array
ARRAYS = 16  # of a launch, so that the GPU never waits for Python


def hits_of_array():
    """Hits of one array of samples, on the GPU."""
    x, y = on.uniforms(SAMPLES), on.uniforms(SAMPLES)
    return (x * x + y * y <= 1).sum()


count = on.compiled(hits_of_array)
report.measure(on.timed(lambda _: sum(count() for _ in range(ARRAYS))), samples_per_launch=ARRAYS * SAMPLES, **on.FACTS)
