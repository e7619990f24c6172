"""Grids for launches of a given number of samples."""

from typing import NamedTuple

MAX_ITERS = 2**32 - 1
WARP = 32


class Grid(NamedTuple):
    """A version's default grid. The CPU has a fixed number of streams and no blocks."""

    blocks: int | None
    threads: int
    streams: int


class Launch(NamedTuple):
    """A launch to time: iters samples per stream or thread, on a grid if there is one."""

    samples: int
    iters: int
    blocks: int | None
    threads: int | None


def grid_of(run):
    """The grid of a run with one sample per thread."""
    return Grid(run["blocks"], run["threads"], run["work"])


def totals(first_power, last_power, per_decade):
    """Numbers of samples between two powers of ten, in logarithmic steps."""
    steps = (last_power - first_power) * per_decade
    return [round(10 ** (first_power + step / per_decade)) for step in range(steps + 1)]


def launch_of(total, grid):
    """The launch with about this many samples."""
    iters = max(1, round(total / grid.streams))
    if grid.blocks is None:
        return Launch(grid.streams * iters, iters, None, None)
    blocks, threads = (grid.blocks, grid.threads) if total >= grid.streams else small_grid(total, grid)
    return Launch(blocks * threads * iters, iters, blocks, threads)


def small_grid(total, grid):
    """Blocks and threads for one sample per thread. Every version accepts a power of two threads."""
    threads = WARP
    while threads * grid.blocks < total:
        threads *= 2
    threads = min(threads, grid.threads)
    return max(1, min(round(total / threads), grid.blocks)), threads


def arguments(launch):
    shape = [] if launch.blocks is None else ["--blocks", launch.blocks, "--threads", launch.threads]
    return ["--iters", launch.iters, *shape]
