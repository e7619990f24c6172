"""Measure strong and weak scaling over the GPUs of this machine.

Versions are steps such as v11. Each runs on 1, 2, 4 … and all GPUs: as one process with a thread per GPU and, if MPI
is available, as one process per GPU. The work is divided into launches of at most half a millisecond; a launch of
graph is as long as ever. In weak scaling each GPU gets the same number of launches. In strong scaling all GPUs share
the same number. The result goes to <out>/<device>-x<GPUs>/<ladder>-scaling.json; it needs at least two GPUs.
"""

import argparse
import math

from suite import ladders
from suite.analyse import scaling
from suite.analyse.merit import FEWEST_DEPENDENT
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

MOST_LAUNCH_MS = 0.5
# The time of a launch. It stays below MOST_LAUNCH_MS, because several GPUs together may run slower.
AIM_MS, LEAST_AIM_MS, MOST_AIM_MS = 0.45, 0.40, 0.475
# A higher efficiency is a fault of the measurement. That of a shorter run may be higher by chance.
MOST_EFFICIENCY, LEAST_SURE_MS = 1.1, 5
ATTEMPTS = 8
DIGITS = 5  # binary digits of the size; versions that draw many samples at once then have no remainder

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
    plans = [Plan(version, runs, points(path, ladder.size, sizes, launchers, bench)) for version, path in paths.items()]
    measurement = Measurement(kinds.SCALING.of(ladder), bench, options, f"-x{sizes[-1]}")
    return measurement.follow(plans, text_of, COMMAND.complain)


# Measuring


def points(path, option, sizes, launchers, bench):
    """The runs of a version, on one GPU first."""
    size, ms = calibrated(path, option, bench)
    longest = MOST_LAUNCH_MS if option else math.inf
    measured = []
    for gpus in sizes:
        for launcher in launchers:
            for mode, launches in workloads(ms, sizes):
                timings = timings_of(launches * ms / (gpus if mode == STRONG else 1))
                work = ["--batch", launches, "--launches", launches * timings, "--scaling", mode, *size]
                run = run_on(gpus, launcher, bench, path, *work)
                point = scaling.point_of(run)
                require_launches(point, launches * gpus if mode == WEAK else launches, path, longest)
                measured.append(scaling.with_efficiency(point, scaling.alone_of(point, [*measured, point])))
                require_possible(measured[-1], path)
                yield run


def calibrated(path, option, bench):
    """The options of a launch of about AIM_MS, and its time. Without an option for its size it takes what it takes."""
    size, launches = [], FEWEST_DEPENDENT
    for _ in range(ATTEMPTS):
        run = run_on(1, DEVICES, bench, path, "--batch", launches, "--launches", FEWEST_TIMINGS * launches, *size)
        ms = run["kernel_ms"]["median"]
        if not option or LEAST_AIM_MS <= ms <= MOST_AIM_MS:
            return ([option, scaling.size_of(run)] if option else []), ms
        size = [option, rounded(scaling.size_of(run) * AIM_MS / ms)]
    last = f"{option} {scaling.size_of(run)} takes {ms:.3g} ms"
    raise ProgramError(f"{path.name}: no launch takes about {AIM_MS} ms, {last}")


def rounded(size):
    """Rounded down to a few binary digits."""
    step = 1 << max(0, int(size).bit_length() - DIGITS)
    return max(1, int(size) // step * step)


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
    # A launch of another size is no other version.
    run["version"] = run["version"].removesuffix(f"_histories{scaling.size_of(run)}")
    names = {member["name"] for member in team["members"]}
    if len(names) > 1:
        raise ProgramError(f"the GPUs differ: {', '.join(sorted(names))}")
    return of_study(run, [*start, *devices, *arguments])


def require_launches(point, launches, path, longest):
    """Refuse a run of other launches than were asked for, or of longer ones (ms)."""
    if point["launches"] != launches:
        raise ProgramError(f"{path.name} timed {point['launches']} launches at once instead of {launches}")
    if (ms := scaling.launch_ms(point)) > longest:
        raise ProgramError(f"{path.name}: a launch of {ms:.3f} ms, more than {longest}")


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
