"""CuPy: cuRAND writes an array of normals."""

import normals_of
import report

cupy = report.require("cupy")


def sums(normals):
    squares = normals * normals
    return squares.sum(dtype=cupy.float64), (squares * squares).sum(dtype=cupy.float64)


def main():
    if not cupy.cuda.is_available():
        report.leave("cupy finds no GPU")
    cupy.random.seed(1234)
    normals_of.measure(
        lambda _: cupy.random.standard_normal(normals_of.NORMALS, dtype=cupy.float32),
        cupy.cuda.Event,
        cupy.cuda.get_elapsed_time,
        sums,
        peer="cupy",
        package=f"cupy {cupy.__version__}",
        generator="XORWOW",
    )


if __name__ == "__main__":
    main()
