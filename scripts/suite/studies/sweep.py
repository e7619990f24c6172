"""Measure the time of a launch against its number of samples, from 10^3 to 10^12.

Versions are cpu, on all cores, and steps such as v8. If a grid of one sample per
thread is too large, the launch has fewer threads per block, then fewer blocks.
Larger launches have more samples per thread. A curve ends where a launch would take
more than 10 s. The result goes to <out>/<device>/<ladder>-sweep.json, after each run;
without a usable GPU there is none.
"""

from suite import ladders
from suite.analyse.merit import FEWEST_DEPENDENT
from suite.command import DONE, STORED_ROWS, USAGE, Command, Stop, add_folders, require_folder, require_gpu
from suite.documents import kinds
from suite.documents.records import thinned
from suite.processes import ProgramError
from suite.studies.grids import MAX_ITERS, arguments, grid_of, launch_of, totals
from suite.studies.study import EXIT_CODES, Measurement, Plan, of_ladders
from suite.tools import chosen
from suite.tools.programs import Bench

COMMAND = Command("sweep", __doc__, EXIT_CODES, STORED_ROWS)

FIRST_POWER, LAST_POWER = 3, 12
MAX_LAUNCH_MS = 10_000
MAX_SECONDS, MIN_SECONDS = 2, 0.3  # per point
FEW_LAUNCHES = 10  # enough for an interval


def main():
    """Measure every curve and store the result; returns the exit code."""
    options = parse_arguments()
    found = chosen.programs(options, known(), lambda ladder: ladder.sweep)
    cuda = [path for _, paths in found for version, path in paths.items() if version != chosen.CPU]
    if not cuda:
        raise Stop(DONE, "nothing measured: a result needs a GPU, and no CUDA version was given")
    require_gpu(cuda[0])
    return of_ladders(found, COMMAND, lambda ladder, paths: measure(ladder, paths, options))


def known():
    return [ladder for ladder in ladders.every_ladder() if ladder.sweep]


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "measure", known(), lambda ladder: ladder.sweep)
    add_folders(parser)
    parser.add_argument("--per-decade", type=int, choices=(1, 3), default=1, help="points per decade (default 1)")
    options = parser.parse_args()
    require_folder(options.bin)
    return options


def measure(ladder, paths, options):
    """Measure the curves of versions and store them; returns the exit code."""
    bench, sizes = Bench(), totals(FIRST_POWER, LAST_POWER, options.per_decade)
    gpu_first = sorted(paths.items(), key=lambda program: program[0] == chosen.CPU)  # it tells where results go
    plans = [Plan(name_of(version), len(sizes), curve(path, sizes, bench)) for version, path in gpu_first]
    return Measurement(kinds.SWEEP.of(ladder), bench, options).follow(plans, text_of, COMMAND.complain)


def name_of(version):
    """What the runs of a program are called."""
    return "cpu_openmp" if version == chosen.CPU else version


# Measuring


def curve(path, sizes, bench):
    """The runs of a version, from few samples to many."""
    first = bench.run(path, "--launches", FEWEST_DEPENDENT, "--iters", 1, refusal=USAGE)
    if first is None:
        raise ProgramError(f"{path.name} does not accept its own shape")
    grid, last = grid_of(first), None
    fewest = 1 if first["outcome"]["independent"] == "samples" else FEWEST_DEPENDENT
    for launch in dict.fromkeys(launch_of(total, grid) for total in sizes):
        if launch.iters > MAX_ITERS or (last and expected_ms(launch, last) > MAX_LAUNCH_MS):
            return
        shape = [*arguments(launch), *effort(launch, last, fewest)]
        run = bench.run(path, *shape, refusal=USAGE)
        if run:
            last = thinned(run, shape)
            yield last
    if last is None:
        raise ProgramError(f"{path.name} accepts no size")


def effort(launch, last, fewest):
    """Options for the length of a measurement. A fixed number of launches skips the second of measuring power.

    The CPU has no power measurement, and an occasional launch takes a thousand times as long, so it gets a time limit.
    """
    if launch.blocks is None or not last:
        return ["--max-time", MAX_SECONDS]
    ms = expected_ms(launch, last)
    launches = max(MIN_SECONDS * 1000 / ms, min(FEW_LAUNCHES, MAX_SECONDS * 1000 / ms))
    return ["--launches", max(fewest, int(launches))]


def expected_ms(launch, run):
    """An upper bound of a launch's time: its samples at the cost per sample of a smaller launch."""
    return run["kernel_ms"]["median"] * launch.samples / run["work"]


def text_of(run):
    """A run in words."""
    return f"{run['work']:.3g} samples in {run['kernel_ms']['median']:.3g} ms"
