"""Measure the time of a launch against its samples, from 10^3 to 10^12.

Versions are cpu (pi_cpu, on all cores) and v<number> (pi_v<number>). Few
samples take fewer threads per block than the version's grid, and then fewer
blocks; from one sample per thread on, more samples per thread. A curve ends where a
launch would take more than 10 s. The result goes to <out>/<device>/sweep.json
once every program has succeeded; without a usable GPU there is none. Curves
stored there of other versions stay, if they are of the same build and machine;
if not, nothing is replaced, and the result goes to <bin>/results/<device>/.
"""

from pathlib import Path
from typing import NamedTuple

from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_any_program,
    require_folder, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import result, storing
from suite.ladders import naming
from suite.measure.programs import document_of
from suite.processes import ProgramError, is_program

COMMAND = Command("sweep", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed, or the programs do not belong together; nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
complain = COMMAND.complain
NOT_ACCEPTED = 2  # what a program exits with when it does not accept the shape

DEFAULT_VERSIONS = ["cpu", "v1", "v3", "v8", "v11"]
FIRST_POWER, LAST_POWER = 3, 12
MAX_ITERS = 2**32 - 1
MAX_LAUNCH_MS = 10_000
MAX_SECONDS, MIN_SECONDS = 2, 0.3  # of measuring a point
FEW_LAUNCHES = 10  # enough for an interval
WARP = 32
BOUNDS = {"median": "median", "low": "high", "high": "low"}  # of a time, and of the rate that it comes from


class Version(NamedTuple):
    """What to call a curve, and its program."""

    name: str
    path: Path


class Grid(NamedTuple):
    """A version's own launch. The CPU has a fixed number of streams and no blocks."""

    blocks: int | None
    threads: int
    streams: int


class Launch(NamedTuple):
    """A launch to time: so many samples a stream or thread, on a grid where there is one."""

    samples: int
    iters: int
    blocks: int | None
    threads: int | None


def main():
    """Measure every curve and store the result; returns the exit code."""
    options = parse_arguments()
    versions = chosen(options)
    require_result(versions)
    merged, points = None, []
    for version in versions:
        merged, curve = measure(version, options.per_decade, merged)
        points += curve
        print(f"{version.name:<14}  {extent(curve)}", flush=True)
    return store(merged["context"], points, options)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"default: {', '.join(DEFAULT_VERSIONS)}")
    add_folders(parser)
    parser.add_argument("--per-decade", type=int, choices=(1, 3), default=1, help="points per decade (default 1)")
    options = parser.parse_args()
    require_folder(options.bin)
    for name in options.versions:
        if name != "cpu" and not naming.place(name):
            parser.error(f"{name}: not cpu and not v<number>")
        require_programs(options.bin, f"pi_{name}")
    require_any_program(options.bin, *(f"pi_{name}" for name in options.versions or DEFAULT_VERSIONS))
    return options


# Programs


def chosen(options):
    """The versions to measure, each once."""
    names = dict.fromkeys(options.versions or DEFAULT_VERSIONS)
    paths = {name: (options.bin / f"pi_{name}").absolute() for name in names}
    return [Version(name, path) for name, path in paths.items() if is_program(path)]


def require_result(versions):
    """End here if there is nothing that can be measured."""
    cuda = [version for version in versions if version.name != "cpu"]
    if not cuda:
        raise Stop(DONE, "nothing measured: the result belongs to a GPU, and no CUDA version is to be measured")
    require_gpu(cuda[0].path)


def run(version, arguments):
    """The document that a program prints; None if it does not accept the shape."""
    return document_of(version.path, *arguments, refusal=NOT_ACCEPTED)


# Measuring


def measure(version, per_decade, merged):
    """The curve of a version; returns the documents so far merged with its own, and the points."""
    document = run(version, ["--launches", result.FEWEST_DEPENDENT, "--iters", 1])
    if document is None:
        raise ProgramError(f"{version.path.name} does not accept its own shape")
    merged = result.merge(merged, document) if merged else document
    first, points = document["runs"][0], []
    grid = Grid(first["blocks"], first["threads"], first["work"])
    fewest = 1 if first["outcome"]["independent"] == "samples" else result.FEWEST_DEPENDENT
    for launch in dict.fromkeys(launch_of(total, grid) for total in totals(per_decade)):
        if launch.iters > MAX_ITERS or (points and expected_ms(launch, points[-1]) > MAX_LAUNCH_MS):
            break
        document = run(version, [*arguments(launch), *effort(launch, points, fewest)])
        if document:
            merged = result.merge(merged, document)
            points.append(point(document["runs"][0]))
    return merged, points


def totals(per_decade):
    """The numbers of samples to measure, in logarithmic steps."""
    steps = (LAST_POWER - FIRST_POWER) * per_decade
    return [round(10 ** (FIRST_POWER + step / per_decade)) for step in range(steps + 1)]


def launch_of(total, grid):
    """The launch that has about so many samples."""
    iters = max(1, round(total / grid.streams))
    if grid.blocks is None:
        return Launch(grid.streams * iters, iters, None, None)
    blocks, threads = (grid.blocks, grid.threads) if total >= grid.streams else small_grid(total, grid)
    return Launch(blocks * threads * iters, iters, blocks, threads)


def small_grid(total, grid):
    """Blocks and threads for one sample a thread: a power of two threads, which suits every version."""
    threads = WARP
    while threads * grid.blocks < total:
        threads *= 2
    threads = min(threads, grid.threads)
    return max(1, min(round(total / threads), grid.blocks)), threads


def arguments(launch):
    shape = [] if launch.blocks is None else ["--blocks", launch.blocks, "--threads", launch.threads]
    return ["--iters", launch.iters, *shape]


def effort(launch, points, fewest):
    """How long to measure. A fixed number of launches saves the second in which a program measures the power.

    Not on the CPU, which has none to measure, and where now and then a launch takes a thousand times as long.
    """
    if launch.blocks is None or not points:
        return ["--max-time", MAX_SECONDS]
    ms = expected_ms(launch, points[-1])
    launches = max(MIN_SECONDS * 1000 / ms, min(FEW_LAUNCHES, MAX_SECONDS * 1000 / ms))
    return ["--launches", max(fewest, int(launches))]


def expected_ms(launch, point):
    """What a launch takes if its samples cost what those of a smaller one did: an upper bound."""
    return point["ms"]["median"] * launch.samples / point["samples"]


def point(run):
    """One point of a curve. Times are those of the rates: the highest rate is the lowest time."""
    samples, rate = run["work"], run["per_ns"]
    ms = {name: samples / rate[bound] / 1e6 for name, bound in BOUNDS.items()}
    return {"version": run["version"], "samples": samples, "ms": {name: float(f"{ms[name]:.6g}") for name in BOUNDS}}


def extent(points):
    """What a curve spans, in words."""
    if not points:
        return "no points"
    first, last = points[0], points[-1]
    ends = [f"{end['samples']:.3g} samples in {end['ms']['median']:.3g} ms" for end in (first, last)]
    return f"{len(points)} points, {' to '.join(ends)}"


# Storing


def store(context, points, options):
    """Write the document where it belongs; returns the exit code."""
    document = storing.SWEEP.document.made(context, points)
    return storing.keep(document, storing.SWEEP, *storing.folders(context, options))
