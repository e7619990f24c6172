"""CuPy: cuRAND writes an array of normals, whose squares are added up untimed."""

import report
from on_cupy import FACTS, cupy, timed
from report import NORMALS


def sums(normals):
    squares = normals * normals
    return map(float, (squares.sum(dtype=cupy.float64), (squares * squares).sum(dtype=cupy.float64)))


if __name__ == "__main__":
    launch = timed(lambda _: cupy.random.standard_normal(NORMALS, dtype=cupy.float32), sums)
    report.measure_mean(launch, NORMALS, samples_per_launch=NORMALS, **FACTS)
