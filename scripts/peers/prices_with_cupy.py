"""CuPy: arrays of paths, a step at a time."""

import sys

import prices
import report

cupy = report.require("cupy")

PATHS = {"asian": 2**20, "lookback": 2**24}


def main():
    if not cupy.cuda.is_available():
        report.leave("cupy finds no GPU")
    cupy.random.seed(1234)
    option = sys.argv[1]

    def launch(_):
        found = prices.PAYOFFS[option](cupy, lambda: cupy.random.standard_normal(PATHS[option], dtype=cupy.float32))
        found = found.astype(cupy.float64)
        return found.sum(), (found * found).sum()

    report.measure_mean(
        report.between_events(launch, cupy.cuda.Event, cupy.cuda.get_elapsed_time, lambda sums: map(float, sums)),
        PATHS[option],
        peer="cupy",
        package=f"cupy {cupy.__version__}",
        generator="XORWOW",
        samples_per_launch=PATHS[option] * prices.STEPS[option],
    )


if __name__ == "__main__":
    main()
