"""CuPy: two arrays of random coordinates from cuRAND, tested and counted as arrays.

The expression writes and reads temporary arrays. It is still much faster than a ReductionKernel that does everything in
one pass.
"""

import report

cupy = report.require("cupy")

SAMPLES = 2**28  # of an array
ARRAYS = 16  # of a launch, so that the GPU never waits for Python


def hits_of_array():
    """Hits of one array of samples, on the GPU."""
    x = cupy.random.random(SAMPLES, dtype=cupy.float32)
    y = cupy.random.random(SAMPLES, dtype=cupy.float32)
    return (x * x + y * y <= 1).sum()


def main():
    if not cupy.cuda.is_available():
        report.leave("cupy finds no GPU")
    cupy.random.seed(1234)
    report.measure(
        report.between_events(
            lambda _: sum(hits_of_array() for _ in range(ARRAYS)),
            cupy.cuda.Event,
            cupy.cuda.get_elapsed_time,
        ),
        peer="cupy",
        package=f"cupy {cupy.__version__}",
        generator="XORWOW",
        samples_per_launch=ARRAYS * SAMPLES,
    )


if __name__ == "__main__":
    main()
