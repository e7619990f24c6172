"""CUDA Tile: kernels of tiles, compiled by tileiras, with Philox written out: the package has no generator.

A draw of four words makes two samples, or four normals by Box and Muller.
"""

import math
import sys

import report

ct = report.require("cuda.tile")
from on_torch import FACTS, PROGRAMS, timed_sums, torch

LANES = 512  # of a tile, 4 to a thread
STEPS = 4096


def product(words, factor):
    """The high and the low words of 64-bit products."""
    wide = ct.astype(words, ct.uint64) * factor
    return ct.astype(wide >> 32, ct.uint32), ct.astype(wide, ct.uint32)


def philox(a, b, c, d, key_0, key_1):
    """The four words of Philox4x32-10 for each counter of four words, by a key of two."""
    for _ in range(10):
        high_a, low_a = product(a, 0xD2511F53)
        high_c, low_c = product(c, 0xCD9E8D57)
        a, b, c, d = high_c ^ b ^ key_0, low_c, high_a ^ d ^ key_1, low_a
        key_0, key_1 = key_0 + 0x9E3779B9, key_1 + 0xBB67AE85
    return a, b, c, d


def uniforms(step, launch):
    """Four numbers above 0, at most 1, in each lane of a program."""
    zero = ct.zeros((LANES,), ct.uint32)
    lane = ct.uint32(ct.bid(0) * LANES) + ct.arange(LANES, dtype=ct.uint32)
    a, b, c, d = philox(lane, zero + ct.uint32(step), zero, zero, ct.uint32(launch), ct.uint32(1234))
    return uniform(a), uniform(b), uniform(c), uniform(d)


def uniform(words):
    return ct.astype(words, ct.float32) * 2**-32 + 2**-33


@ct.kernel
def count_hits(sums, launch):
    """Add a program's hits to the sum."""
    hits = ct.zeros((LANES,), ct.int32)
    for step in range(STEPS):
        x0, y0, x1, y1 = uniforms(step, launch)
        hits += ct.astype(x0 * x0 + y0 * y0 <= 1, ct.int32) + ct.astype(x1 * x1 + y1 * y1 <= 1, ct.int32)
    ct.atomic_add(sums, 0, ct.astype(ct.sum(hits), ct.int64))


@ct.kernel
def add_up(sums, launch):
    """Add the squares of a program's normals to the first sum, and their fourth powers to the second."""
    squares, fourth_powers = ct.zeros((LANES,), ct.float32), ct.zeros((LANES,), ct.float32)
    for step in range(STEPS):
        u0, v0, u1, v1 = uniforms(step, launch)
        for u, v in ct.static_iter(((u0, v0), (u1, v1))):
            radius, angle = ct.sqrt(-2 * ct.log(u)), 2 * math.pi * v
            z0, z1 = radius * ct.cos(angle), radius * ct.sin(angle)
            squares += z0 * z0 + z1 * z1
            fourth_powers += z0 * z0 * z0 * z0 + z1 * z1 * z1 * z1
    ct.atomic_add(sums, 0, ct.astype(ct.sum(squares), ct.float64))
    ct.atomic_add(sums, 1, ct.astype(ct.sum(fourth_powers), ct.float64))


def adding(kernel):
    return lambda sums, number: ct.launch(torch.cuda.current_stream(), (PROGRAMS,), kernel, (sums, number))


def main():
    words = 4 * PROGRAMS * LANES * STEPS
    facts = FACTS | {"peer": "cuda_tile", "package": f"cuda-tile {ct.__version__}"}
    if "normals" in sys.argv:
        launch = timed_sums(adding(add_up), 2, torch.float64, torch.Tensor.tolist)
        report.measure_mean(launch, words, samples_per_launch=words, **facts)
    else:
        report.measure(timed_sums(adding(count_hits)), samples_per_launch=words // 2, **facts)


if __name__ == "__main__":
    try:
        main()
    except FileNotFoundError as error:  # without tileiras
        report.leave(error)
