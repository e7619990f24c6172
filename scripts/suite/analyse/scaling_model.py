"""A model of the time of a run: T = W / (P r) + L + R log2 P.

P GPUs of r samples/ns each share W samples. L is the fixed time of every run, for launching and for fetching the
counts. R is the time of one step of adding the counts of all GPUs; a tree has log2 P steps. The parameters are fitted to
measured runs by least squares of the relative differences.
"""

import math
from typing import NamedTuple


class Value(NamedTuple):
    """A fitted parameter and its standard error; None if there are only as many points as parameters."""

    value: float
    sd: float | None


class Fit(NamedTuple):
    """The parameters: samples/ns per GPU, and times in µs. step_us is None if all runs were on one GPU."""

    rate: Value
    start_us: Value
    step_us: Value | None
    residual: float  # the largest, relative


def fit(points):
    """The model fitted to stored points, or None if they do not determine it."""
    parameters = 3 if any(point["gpus"] > 1 for point in points) else 2
    times = [point["run_ms"]["median"] * 1e3 for point in points]
    terms = [terms_of(point["samples"], point["gpus"])[:parameters] for point in points]
    rows = [[term / time for term in row] for row, time in zip(terms, times)]
    solution = least_squares(rows)
    if solution is None or not solution[0].value > 0:
        return None
    residual = max(abs(sum(x * parameter.value for x, parameter in zip(row, solution)) - 1) for row in rows)
    inverse, start, *step = solution
    rate = 1 / inverse.value
    rate_sd = None if inverse.sd is None else inverse.sd * rate**2
    return Fit(Value(rate, rate_sd), start, step[0] if step else None, residual)


def terms_of(samples, gpus):
    """The factors of 1 / r, L and R that give a time in µs."""
    return [samples / gpus / 1e3, 1.0, math.log2(gpus)]


def least_squares(rows):
    """The parameters for which each row's sum of products is closest to 1; None if the rows do not determine them."""
    # Scaled columns keep the normal equations solvable for terms from 1 to 10^12.
    sizes = [math.sqrt(math.fsum(x * x for x in column)) for column in zip(*rows)]
    if not rows or len(rows) < len(sizes) or 0 in sizes:
        return None
    scaled = [[x / size for x, size in zip(row, sizes)] for row in rows]
    columns = list(zip(*scaled))
    inverse = inverted([[math.fsum(map(float.__mul__, a, b)) for b in columns] for a in columns])
    if inverse is None:
        return None
    sums = [math.fsum(column) for column in columns]
    values = [math.fsum(map(float.__mul__, line, sums)) for line in inverse]
    sds = standard_errors(scaled, values, inverse)
    return [Value(value / size, None if sd is None else sd / size) for value, sd, size in zip(values, sds, sizes)]


def standard_errors(rows, values, inverse):
    """The standard error of each parameter, from the scatter of the rows."""
    free = len(rows) - len(values)
    if free == 0:
        return [None] * len(values)
    scatter = math.fsum((math.fsum(map(float.__mul__, row, values)) - 1) ** 2 for row in rows) / free
    return [math.sqrt(scatter * inverse[i][i]) for i in range(len(values))]


def inverted(matrix):
    """The inverse of a square matrix, by elimination; None if it is singular."""
    size = len(matrix)
    rows = [list(row) + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda j: abs(rows[j][i]))
        if abs(rows[pivot][i]) < 1e-13:  # the columns have size 1
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i])]
    return [row[size:] for row in rows]


# Predictions. A fitted time below 0 is too small to measure and counts as 0.


def overhead_us(model, gpus):
    """The time of a run besides its samples; None if it is unknown for this many GPUs."""
    if gpus == 1:
        return start_us(model)
    return None if model.step_us is None else start_us(model) + max(0.0, model.step_us.value) * math.log2(gpus)


def start_us(model):
    return max(0.0, model.start_us.value)


def seconds(model, samples, gpus):
    """The time of a run, or None if it is unknown."""
    overhead = overhead_us(model, gpus)
    return None if overhead is None else samples / gpus / model.rate.value / 1e9 + overhead / 1e6


def efficiency(model, run_us, gpus):
    """The efficiency of a run of run_us: its time on one GPU over the total time of all GPUs; 0 if it is too short."""
    overhead = overhead_us(model, gpus)
    if overhead is None:
        return None
    busy = run_us - overhead
    return (busy + start_us(model) / gpus) / run_us if busy > 0 else 0.0


def shortest_us(model, wanted, gpus, launch_us):
    """The shortest run with the wanted efficiency, with at least one launch per GPU."""
    overhead = overhead_us(model, gpus)
    if overhead is None:
        return None
    # (busy + L / P) / (busy + overhead) = wanted
    busy = (wanted * overhead - start_us(model) / gpus) / (1 - wanted)
    return max(busy, launch_us) + overhead
