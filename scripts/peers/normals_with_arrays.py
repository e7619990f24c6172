"""CuPy or PyTorch write an array of normals, whose squares are added up untimed."""

import report
from report import NORMALS

on = report.package_of_arrays()


def sums(normals):
    squares = normals * normals
    return map(float, (squares.sum(dtype=on.xp.float64), (squares * squares).sum(dtype=on.xp.float64)))


launch = on.timed(lambda _: on.normals(NORMALS), sums)
report.measure_mean(launch, NORMALS, samples_per_launch=NORMALS, **on.FACTS)
