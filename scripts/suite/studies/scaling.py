"""Measure strong and weak scaling over the GPUs of this machine.

Versions are steps such as v11. Each runs on 1, 2, 4 … and all GPUs: as one process with a thread per GPU and, if MPI
is available, as one process per GPU. A launch is that of the step's ladder, so no run is shorter. In weak scaling each
GPU gets the same number of launches. In strong scaling all GPUs share the same number. The result goes to
<out>/<device>-x<GPUs>/<ladder>-scaling.json; it needs at least two GPUs.
"""

import argparse
import math

from suite import ladders
from suite.analyse import scaling
from suite.analyse.scaling import DEVICES, STRONG, WEAK
from suite.command import DONE, USAGE, Command, Stop, parse_with_folders, require_gpu
from suite.documents import kinds
from suite.documents.records import of_study
from suite.processes import ProgramError
from suite.studies.study import EXIT_CODES, EXPLANATION, Measurement, Plan
from suite.tools import chosen
from suite.tools.launchers import chosen_launchers, count_gpus, launch_command, why_no_mpi
from suite.tools.programs import Bench

COMMAND = Command("scaling", __doc__, EXIT_CODES | {DONE: "done (also without a GPU, or with only one)"}, EXPLANATION)

# A higher efficiency is a fault of the measurement. That of a shorter run may be higher by chance.
MOST_EFFICIENCY, LEAST_SURE_MS = 1.1, 5

# Times of runs, and of the repetitions of a run. A fixed number of launches skips the second of measuring power.
WEAK_MS = (10, 100)  # on each GPU
STRONG_MS = (1, 10, 100, 1000)  # on all GPUs together
MEASURE_MS, LONG_MS = 600, 2000  # per point; per point of fewer than 10 timings
FEW_TIMINGS, FEWEST_TIMINGS = 10, 3


def main():
    """Measure every version and store the runs; returns the exit code."""
    options = parse_arguments()
    found = chosen.programs(options, ladders.having("scaling"), lambda ladder: ladder.scaling)
    paths = [path for _, own in found for path in own.values()]
    if options.mpi and (reason := why_no_mpi(paths)):
        raise Stop(USAGE, f"--mpi: {reason}")
    require_gpu(paths[0])
    sizes = team_sizes(min(count_gpus(paths[0]), options.gpus or math.inf))
    if sizes == [1]:
        raise Stop(DONE, "scaling needs at least two GPUs, nothing was measured")
    launchers = chosen_launchers(paths, options.mpi)
    return chosen.of_ladders(found, COMMAND, lambda ladder, own: measure(ladder, own, sizes, launchers, options))


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "measure", ladders.having("scaling"), lambda ladder: ladder.scaling)
    parser.add_argument("--gpus", type=int, metavar="N", help="use only the first N GPUs of the machine (default: all)")
    parser.add_argument("--mpi", action=argparse.BooleanOptionalAction,
                        help="also run one process per GPU, with mpirun (default: if possible)")  # fmt: skip
    options = parse_with_folders(parser)
    if options.gpus is not None and options.gpus < 1:
        parser.error(f"--gpus {options.gpus}: at least 1")
    return options


def team_sizes(gpus):
    """1, 2, 4 … GPUs, and all of them."""
    return sorted({2**power for power in range(gpus.bit_length())} | {gpus})


def measure(ladder, paths, sizes, launchers, options):
    """Measure the versions of a ladder and store their runs; returns the exit code."""
    bench, runs = Bench(), len(sizes) * len(launchers) * (len(WEAK_MS) + len(STRONG_MS))
    plans = [Plan(version, runs, points(path, sizes, launchers, bench)) for version, path in paths.items()]
    measurement = Measurement(kinds.SCALING.of(ladder), bench, options, f"-x{sizes[-1]}")
    return measurement.follow(plans, text_of, COMMAND.complain)


# Measuring


def points(path, sizes, launchers, bench):
    """The runs of a version, on one GPU first."""
    ms = run_on(1, DEVICES, bench, path, "--launches", FEWEST_TIMINGS)["kernel_ms"]["median"]
    measured = []
    for gpus in sizes:
        for launcher in launchers:
            for mode, launches in workloads(ms, sizes):
                timings = timings_of(launches * ms / (gpus if mode == STRONG else 1))
                work = ["--batch", launches, "--launches", launches * timings, "--scaling", mode]
                run = run_on(gpus, launcher, bench, path, *work)
                point = scaling.point_of(run)
                require_launches(point, launches * gpus if mode == WEAK else launches, path)
                measured.append(scaling.with_efficiency(point, scaling.alone_of(point, [*measured, point])))
                require_possible(measured[-1], path)
                yield run


def workloads(ms, sizes):
    """Pairs of mode and launches: per GPU (weak), or in all and divisible by every number of GPUs (strong)."""
    whole = math.lcm(*sizes)
    weak = [(WEAK, max(1, round(run_ms / ms))) for run_ms in WEAK_MS]
    strong = [(STRONG, whole * max(1, round(run_ms * sizes[-1] / ms / whole))) for run_ms in STRONG_MS]
    return list(dict.fromkeys(weak + strong))


def timings_of(ms):
    """How often to repeat a run of this time."""
    return max(math.ceil(MEASURE_MS / ms), min(FEW_TIMINGS, int(LONG_MS / ms)), FEWEST_TIMINGS)


def run_on(gpus, launcher, bench, path, *arguments):
    """The run that a program records on this many GPUs, as it is stored."""
    start, devices = launch_command(launcher, gpus)
    run = bench.run(path, *devices, *arguments, launcher=start, kind=kinds.OF_TEAM)
    team = run["team"]
    if team is None or team["size"] != gpus:
        raise ProgramError(f"{path.name} ran on {team['size'] if team else 'no team'} GPUs instead of {gpus}")
    if not team["wall_ms"]:
        raise ProgramError(f"{path.name} timed nothing")
    names = {member["name"] for member in team["members"]}
    if len(names) > 1:
        raise ProgramError(f"the GPUs differ: {', '.join(sorted(names))}")
    return of_study(run, [*start, *devices, *arguments])


def require_launches(point, launches, path):
    """Refuse a run of other launches than were asked for."""
    if point["launches"] != launches:
        raise ProgramError(f"{path.name} timed {point['launches']} launches at once instead of {launches}")


def require_possible(point, path):
    """Refuse a run that is too fast beside that on one GPU: something else must have held up the one."""
    if point["efficiency"] > MOST_EFFICIENCY and point["run_ms"]["median"] > LEAST_SURE_MS:
        reason = f"an efficiency of {point['efficiency']:.2f} on {point['gpus']} GPUs, more than {MOST_EFFICIENCY}"
        raise ProgramError(f"{path.name}: {reason}: something held up the one GPU that it is relative to")


def text_of(run):
    """A run in words."""
    point = scaling.point_of(run)
    gpus = f"{point['gpus']} GPU{'' if point['gpus'] == 1 else 's'}"
    return f"{point['launcher']}, {point['mode']}, {gpus}: {point['launches']:,} launches in {point['run_ms']['median']:.3f} ms"
