"""PyTorch: torch.randn writes an array of normals, whose squares are added up untimed."""

import report
from on_torch import FACTS, timed, torch
from report import NORMALS


def sums(normals):
    squares = normals * normals
    return map(float, (squares.sum(dtype=torch.float64), (squares * squares).sum(dtype=torch.float64)))


if __name__ == "__main__":
    launch = timed(lambda _: torch.randn(NORMALS, device="cuda"), sums)
    report.measure_mean(launch, NORMALS, samples_per_launch=NORMALS, **FACTS)
