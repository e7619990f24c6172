"""Measure the time of a launch against its number of samples, from 10^3 to 10^12.

Versions are cpu (pi_cpu, on all cores) and v<number> (pi_v<number>). If a grid of
one sample per thread is too large, the launch has fewer threads per block, then
fewer blocks. Larger launches have more samples per thread. A curve ends where a
launch would take more than 10 s. The result goes to <out>/<device>/pi-sweep.json
if every program succeeds; without a usable GPU there is none. Stored curves of
other versions stay if they are of the same build and machine. If not, nothing is
replaced, and the result goes to <bin>/results/<device>/.
"""

from suite import ladders, naming
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_any_program,
    require_folder, require_gpu, require_versions,
)  # fmt: skip
from suite.documents import kinds, storing
from suite.documents.accepted import FEWEST_DEPENDENT
from suite.measure.grids import MAX_ITERS, arguments, grid_of, launch_of, totals
from suite.measure.programs import Bench, programs_of
from suite.numerals import six_digits
from suite.processes import ProgramError

COMMAND = Command("sweep", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed, or the programs do not belong together; nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
(LADDER,) = [ladder for ladder in ladders.every_ladder() if ladder.sweep]
SWEEP = kinds.SWEEP.of(LADDER)
NOT_ACCEPTED = 2  # exit code of a program that does not accept the shape

DEFAULT_VERSIONS = LADDER.sweep
FIRST_POWER, LAST_POWER = 3, 12
MAX_LAUNCH_MS = 10_000
MAX_SECONDS, MIN_SECONDS = 2, 0.3  # per point
FEW_LAUNCHES = 10  # enough for an interval
BOUNDS = {"median": "median", "low": "high", "high": "low"}  # bound of a time: bound of the rate that gives it


def main():
    """Measure every curve and store the result; returns the exit code."""
    options = parse_arguments()
    paths = programs_of(LADDER, options.bin, options.versions or DEFAULT_VERSIONS)
    require_result(paths)
    bench, points = Bench(), []
    for version, path in paths.items():
        curve = measure(path, options.per_decade, bench)
        points += curve
        print(f"{version:<14}  {extent(curve)}", flush=True)
    document = SWEEP.document.made(bench.document["context"], points)
    return storing.keep(document, SWEEP, options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"default: {', '.join(DEFAULT_VERSIONS)}")
    add_folders(parser)
    parser.add_argument("--per-decade", type=int, choices=(1, 3), default=1, help="points per decade (default 1)")
    options = parser.parse_args()
    require_folder(options.bin)
    require_versions(options, LADDER, lambda name: name == "cpu" or naming.place(name), "not cpu and not v<number>")
    require_any_program(options.bin, *(LADDER.program(name) for name in options.versions or DEFAULT_VERSIONS))
    return options


def require_result(paths):
    """End the command if nothing can be measured."""
    cuda = next((path for version, path in paths.items() if version != "cpu"), None)
    if not cuda:
        raise Stop(DONE, "nothing measured: a result needs a GPU, and no CUDA version was given")
    require_gpu(cuda)


# Measuring


def measure(path, per_decade, bench):
    """The points of a version."""
    first = bench.run(path, "--launches", FEWEST_DEPENDENT, "--iters", 1, refusal=NOT_ACCEPTED)
    if first is None:
        raise ProgramError(f"{path.name} does not accept its own shape")
    points = []
    grid = grid_of(first)
    fewest = 1 if first["outcome"]["independent"] == "samples" else FEWEST_DEPENDENT
    for launch in dict.fromkeys(launch_of(total, grid) for total in totals(FIRST_POWER, LAST_POWER, per_decade)):
        if launch.iters > MAX_ITERS or (points and expected_ms(launch, points[-1]) > MAX_LAUNCH_MS):
            break
        run = bench.run(path, *arguments(launch), *effort(launch, points, fewest), refusal=NOT_ACCEPTED)
        if run:
            points.append(point(run))
    return points


def effort(launch, points, fewest):
    """Options for the length of a measurement. A fixed number of launches skips the second of measuring power.

    The CPU has no power measurement, and an occasional launch takes a thousand times as long, so it gets a time limit.
    """
    if launch.blocks is None or not points:
        return ["--max-time", MAX_SECONDS]
    ms = expected_ms(launch, points[-1])
    launches = max(MIN_SECONDS * 1000 / ms, min(FEW_LAUNCHES, MAX_SECONDS * 1000 / ms))
    return ["--launches", max(fewest, int(launches))]


def expected_ms(launch, point):
    """An upper bound of a launch's time: its samples at the cost per sample of a smaller launch."""
    return point["ms"]["median"] * launch.samples / point["samples"]


def point(run):
    """One point of a curve. Times are those of the rates: the highest rate is the lowest time."""
    samples, rate = run["work"], run["per_ns"]
    ms = {name: six_digits(samples / rate[bound] / 1e6) for name, bound in BOUNDS.items()}
    return {"version": run["version"], "samples": samples, "ms": ms}


def extent(points):
    """The range of a curve in words."""
    if not points:
        return "no points"
    first, last = points[0], points[-1]
    ends = [f"{end['samples']:.3g} samples in {end['ms']['median']:.3g} ms" for end in (first, last)]
    return f"{len(points)} points, {' to '.join(ends)}"
