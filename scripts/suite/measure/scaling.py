"""Measure strong and weak scaling over the GPUs of this machine.

Versions are v<number> (pi_v<number>). Each runs on 1, 2, 4 … and all GPUs: as one
process with a thread per GPU and, if MPI is available, as one process per GPU.
The samples are divided into launches of at most half a millisecond. In weak
scaling each GPU gets the same number of launches. In strong scaling all GPUs
share the same number. The result goes to <out>/<device>-x<GPUs>/scaling.json if
every program succeeds; it needs at least two GPUs. Stored points of other
versions stay if they are of the same build and machine. If not, nothing is
replaced, and the result goes to <bin>/results/<device>-x<GPUs>/.
"""

import argparse
import math

from suite import ladders, naming
from suite.analyse import order_statistics
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_any_program,
    require_folder, require_gpu, require_versions,
)  # fmt: skip
from suite.documents import checks, kinds, result, storing
from suite.documents.accepted import FEWEST_DEPENDENT
from suite.documents.checks import ABOVE_0, COUNT, TEXT, filled
from suite.documents.scaling import DEVICES, MOST_LAUNCH_MS, STRONG, WEAK, launch_ms
from suite.measure.launchers import chosen_launchers, count_gpus, launch_command, why_no_mpi
from suite.measure.programs import Bench, programs_of
from suite.numerals import six_digits
from suite.processes import ProgramError

COMMAND = Command("scaling", __doc__, {
    DONE: "done (also without a GPU, or with only one)",
    FAILED: "a program failed, or the programs do not belong together; nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
(LADDER,) = [ladder for ladder in ladders.every_ladder() if ladder.scaling]

DEFAULT_VERSIONS = LADDER.scaling

# The time of a launch. It stays below MOST_LAUNCH_MS, because several GPUs together may run slower.
AIM_MS, LEAST_AIM_MS, MOST_AIM_MS = 0.45, 0.40, 0.475
ATTEMPTS = 8
DIGITS = 5  # binary digits of the samples per thread; versions that draw many samples at once then have no remainder

# Times of runs, and of the repetitions of a run. A fixed number of launches skips the second of measuring power.
WEAK_MS = (10, 100)  # on each GPU
STRONG_MS = tuple(10 ** (step / 2) for step in range(7))  # on all GPUs together
MEASURE_MS, LONG_MS = 600, 2000  # per point; per point of fewer than 10 timings
FEW_TIMINGS, FEWEST_TIMINGS = 10, 3

TEAM = {"size": COUNT, "wall_ms": filled([ABOVE_0]), "members": [{"name": TEXT}]}


def main():
    """Measure every version and store the points; returns the exit code."""
    options = parse_arguments()
    paths = programs_of(LADDER, options.bin, options.versions or DEFAULT_VERSIONS)
    first = next(iter(paths.values()))
    require_gpu(first)
    sizes = team_sizes(min(count_gpus(first), options.gpus or math.inf))
    launchers = chosen_launchers(paths.values(), options.mpi)
    bench, points = TeamBench(), []
    for version, path in paths.items():
        points += measure(version, path, sizes, launchers, bench)
    if sizes == [1]:
        raise Stop(DONE, "scaling needs at least two GPUs, nothing was written")
    gpus = sizes[-1]
    document = kinds.SCALING.document.of(LADDER).made(bench.document["context"], points, gpus=gpus, mpi=bench.mpi)
    return storing.keep(document, kinds.SCALING, options, f"-x{gpus}")


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"default: {', '.join(DEFAULT_VERSIONS)}")
    add_folders(parser)
    parser.add_argument("--gpus", type=int, metavar="N", help="use only the first N GPUs of the machine (default: all)")
    parser.add_argument("--mpi", action=argparse.BooleanOptionalAction,
                        help="also run one process per GPU, with mpirun (default: if possible)")  # fmt: skip
    options = parser.parse_args()
    require_folder(options.bin)
    if options.gpus is not None and options.gpus < 1:
        parser.error(f"--gpus {options.gpus}: at least 1")
    require_versions(options, LADDER, naming.place, "not v<number>")
    require_any_program(options.bin, *(LADDER.program(name) for name in options.versions or DEFAULT_VERSIONS))
    if options.mpi and (reason := why_no_mpi(programs_of(LADDER, options.bin, options.versions or DEFAULT_VERSIONS).values())):
        parser.error(f"--mpi: {reason}")
    return options


# Programs


def team_sizes(gpus):
    """1, 2, 4 … GPUs, and all of them."""
    return sorted({2**power for power in range(gpus.bit_length())} | {gpus})


class TeamBench(Bench):
    """Runs programs on several GPUs."""

    def __init__(self):
        super().__init__()
        self.mpi = None  # the name of the MPI library, once a run has used it

    def run_on(self, gpus, launcher, path, *arguments):
        """The run that a program records on this many GPUs."""
        start, devices = launch_command(launcher, gpus)
        run = self.run(path, *devices, *arguments, launcher=start, kind=result.OF_TEAMS)
        check(run, path, gpus)
        self.mpi = run["team"].get("mpi") or self.mpi
        return run


def check(run, path, gpus):
    """Refuse a record that is not of this many equal GPUs."""
    checks.check(run, {"team": TEAM}, path.name)
    team = run["team"]
    names = {member["name"] for member in team["members"]}
    if len(names) > 1:
        raise ProgramError(f"the GPUs differ: {', '.join(sorted(names))}")
    if team["size"] != gpus or len(team["members"]) != gpus:
        raise ProgramError(f"{path.name} ran on {team['size']} GPUs instead of {gpus}")


# Measuring


def measure(version, path, sizes, launchers, bench):
    """The points of a version."""
    iters, ms = calibrated(path, bench)
    points = []
    for gpus in sizes:
        for launcher in launchers:
            for mode, launches in workloads(ms, sizes):
                timings = timings_of(launches * ms / (gpus if mode == STRONG else 1))
                work = ["--batch", launches, "--launches", launches * timings, "--scaling", mode, "--iters", iters]
                run = bench.run_on(gpus, launcher, path, *work)
                expected = launches * gpus if mode == WEAK else launches
                points.append(with_efficiency(point(run, launcher, mode, gpus, expected), points))
                print(line(points[-1]), flush=True)
    return points


def calibrated(path, bench):
    """The samples per thread of a launch of about AIM_MS, and its time."""
    iters, launches = [], FEWEST_DEPENDENT
    for _ in range(ATTEMPTS):
        run = bench.run_on(1, DEVICES, path, "--batch", launches, "--launches", FEWEST_TIMINGS * launches, *iters)
        ms = order_statistics.summary(run["kernel_ms"])["median"]
        if LEAST_AIM_MS <= ms <= MOST_AIM_MS:
            return run["iters"], ms
        iters = ["--iters", rounded(run["iters"] * AIM_MS / ms)]
    last = f"{run['iters']} samples per thread take {ms:.3g} ms"
    raise ProgramError(f"{path.name}: no launch takes about {AIM_MS} ms, {last}")


def rounded(iters):
    """Rounded down to a few binary digits."""
    step = 1 << max(0, int(iters).bit_length() - DIGITS)
    return max(1, int(iters) // step * step)


def workloads(ms, sizes):
    """Pairs of mode and launches: per GPU (weak), or in all and divisible by every number of GPUs (strong)."""
    whole = math.lcm(*sizes)
    weak = [(WEAK, max(1, round(run_ms / ms))) for run_ms in WEAK_MS]
    strong = [(STRONG, whole * max(1, round(run_ms * sizes[-1] / ms / whole))) for run_ms in STRONG_MS]
    return list(dict.fromkeys(weak + strong))


def timings_of(ms):
    """How often to repeat a run of this time."""
    return max(math.ceil(MEASURE_MS / ms), min(FEW_TIMINGS, int(LONG_MS / ms)), FEWEST_TIMINGS)


def point(run, launcher, mode, gpus, launches):
    """One point, without its efficiency."""
    if run["batch"] != launches:
        raise ProgramError(f"{LADDER.program(run['version'])} timed {run['batch']} launches at once instead of {launches}")
    measured = {
        "version": run["version"],
        "launcher": launcher,
        "mode": mode,
        "gpus": gpus,
        "launches": launches,
        "samples": launches * run["work"],
        "iters": run["iters"],
        "run_ms": interval(run["team"]["wall_ms"], launches),
        "kernel_ms": interval(run["kernel_ms"], launches),
    }
    if launch_ms(measured) > MOST_LAUNCH_MS:
        raise ProgramError(f"{LADDER.program(run['version'])}: a launch of {launch_ms(measured):.3f} ms, more than {MOST_LAUNCH_MS}")
    return measured


def interval(times, launches):
    """The time of a run with its interval, from the times per launch."""
    summary = order_statistics.summary([time * launches for time in times])
    return {name: six_digits(summary[name]) for name in ("median", "low", "high")}


def with_efficiency(point, before):
    """The point with its efficiency relative to the same work on one GPU, which was measured before."""
    shared = point["gpus"] if point["mode"] == STRONG else 1
    alone = next((other for other in before if is_alone(other, point)), point)
    return point | {"efficiency": six_digits(alone["run_ms"]["median"] / point["run_ms"]["median"] / shared)}


def is_alone(other, point):
    """Whether other is the same work as a point, on one GPU."""
    launches = point["launches"] // (point["gpus"] if point["mode"] == WEAK else 1)
    same = all(other[name] == point[name] for name in ("version", "launcher", "mode"))
    return same and other["gpus"] == 1 and other["launches"] == launches


def line(point):
    """A point in words."""
    gpus = f"{point['gpus']} GPU{'' if point['gpus'] == 1 else 's'}"
    what = f"{point['version']:<5}  {point['launcher']:<7}  {point['mode']:<6}  {gpus:<7}"
    return (
        f"{what}  {point['launches']:>7,} launches  {point['run_ms']['median']:>9.3f} ms"
        f"  {100 * point['efficiency']:6.2f} %"
    )
