"""Measure strong and weak scaling over the GPUs of this machine.

Versions are v<number> (pi_v<number>). Each runs on 1, 2, 4 … GPUs, up to all
there are: as one process with a thread for each GPU and, where there is MPI, as
a process for each. Its samples are divided into launches of at most half a
millisecond. Weak scaling gives each GPU the same number of launches, strong
scaling shares the same number among them. The result goes to
<out>/<device>-x<GPUs>/scaling.json once every program has succeeded; without a
usable GPU, or with one alone, there is none. Points stored there of other
versions stay, if they are of the same build and machine; if not, nothing is
replaced, and the result goes to <bin>/results/<device>-x<GPUs>/.
"""

import argparse
import math
import os
import re
import shutil

from suite.analyse import order_statistics
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_any_program,
    require_folder, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import checks, result, storing
from suite.documents.checks import ABOVE_0, COUNT, TEXT, filled
from suite.documents.scaling import DEVICES, MOST_LAUNCH_MS, MPI, STRONG, WEAK, launch_ms
from suite.ladders import naming
from suite.processes import ProgramError, is_program, last_line, run_program

COMMAND = Command("scaling", __doc__, {
    DONE: "done (also without a GPU, or with only one)",
    FAILED: "a program failed, or the programs do not belong together; nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
complain = COMMAND.complain

DEFAULT_VERSIONS = ["v11", "v15"]

# A launch: what is aimed at leaves room below MOST_LAUNCH_MS for GPUs that run slower side by side.
AIM_MS, LEAST_AIM_MS, MOST_AIM_MS = 0.45, 0.40, 0.475
ATTEMPTS = 8
DIGITS = 5  # binary ones, of the samples of a thread: versions that draw many at once have no remainder to see to

# Runs, and how often each is repeated: a fixed number of launches saves the second of measuring the power.
WEAK_MS = (10, 100)  # on each GPU
STRONG_MS = tuple(10 ** (step / 2) for step in range(7))  # on all of them
MEASURE_MS, LONG_MS = 600, 2000  # for a point; for one of less than 10 timings
FEW_TIMINGS, FEWEST_TIMINGS = 10, 3

TEAM = {"size": COUNT, "wall_ms": filled([ABOVE_0]), "members": [{"name": TEXT}]}

# Without these Open MPI starts nothing for root.
ROOT_MAY = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# Every rank may use the whole machine, as a process with several devices does: Open MPI 4, and 5.
UNBOUND = {"OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none"}


def main():
    """Measure every version and store the points; returns the exit code."""
    options = parse_arguments()
    paths = programs(options)
    first = next(iter(paths.values()))
    require_gpu(first)
    sizes = team_sizes(min(count_gpus(first), options.gpus or math.inf))
    launchers = chosen_launchers(paths, options.mpi)
    bench, points = Bench(), []
    for version, path in paths.items():
        points += measure(version, path, sizes, launchers, bench)
    if sizes == [1]:
        raise Stop(DONE, "scaling needs at least two GPUs, nothing was written")
    return store(bench, sizes[-1], points, options)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"default: {', '.join(DEFAULT_VERSIONS)}")
    add_folders(parser)
    parser.add_argument("--gpus", type=int, metavar="N", help="use only the first N GPUs of the machine (default: all)")
    parser.add_argument("--mpi", action=argparse.BooleanOptionalAction,
                        help="also a process for each GPU, with mpirun (default: where that is possible)")  # fmt: skip
    options = parser.parse_args()
    require_folder(options.bin)
    if options.gpus is not None and options.gpus < 1:
        parser.error(f"--gpus {options.gpus}: at least 1")
    for name in options.versions:
        if not naming.place(name):
            parser.error(f"{name}: not v<number>")
        require_programs(options.bin, f"pi_{name}")
    require_any_program(options.bin, *(f"pi_{name}" for name in options.versions or DEFAULT_VERSIONS))
    if options.mpi and (reason := why_no_mpi(programs(options).values())):
        parser.error(f"--mpi: {reason}")
    return options


# Programs


def programs(options):
    """The program of each version to measure."""
    names = dict.fromkeys(options.versions or DEFAULT_VERSIONS)
    paths = {name: (options.bin / f"pi_{name}").absolute() for name in names}
    return {name: path for name, path in paths.items() if is_program(path)}


def count_gpus(path):
    """How many GPUs there are: a program lists each on a line that begins with its number."""
    listed = run_program(path, "--list-devices")
    count = len(re.findall(r"^\d+ ", listed.output, re.MULTILINE))
    if listed.code != 0 or count == 0:
        raise ProgramError(f"{path.name} --list-devices lists none (exit {listed.code}): {last_line(listed.errors)}")
    return count


def team_sizes(gpus):
    """1, 2, 4 … GPUs, and all of them."""
    return sorted({2**power for power in range(gpus.bit_length())} | {gpus})


def chosen_launchers(paths, wanted):
    """The ways to run on several GPUs."""
    reason = "as asked" if wanted is False else why_no_mpi(paths.values())
    if reason:
        print(f"without MPI: {reason}", flush=True)
        return [DEVICES]
    if os.geteuid() == 0:
        os.environ.update(ROOT_MAY)
    os.environ.update(UNBOUND)
    return [DEVICES, MPI]


def why_no_mpi(paths):
    """Why the programs cannot be run with MPI here, or None."""
    if not shutil.which("mpirun"):
        return "there is no mpirun"
    without = next((path for path in paths if not has_mpi(path)), None)
    return f"{without.name} was built without it" if without else None


def has_mpi(path):
    match = re.search(r"^ *MPI: *(.+)$", run_program(path, "--version").output, re.MULTILINE)
    return bool(match) and match[1].strip() != "none"


class Bench:
    """Runs programs, all of which must be of the same build and device."""

    def __init__(self):
        self.merged, self.mpi = None, None

    def run(self, path, launcher, gpus, *arguments):
        """The run that a program records, on so many GPUs."""
        command = [*command_of(path, launcher, gpus), *map(str, arguments)]
        outcome = run_program(*command, "--json", "-")
        if outcome.code != 0:
            said = complaint(path, outcome.errors)
            raise ProgramError(f"{' '.join(map(str, command))} failed (exit {outcome.code}): {said}")
        document = result.OF_TEAMS.parse(outcome.output, path.name)
        run = document["runs"][0]
        check(run, path, gpus)
        self.merged = result.merge(self.merged, document) if self.merged else document
        self.mpi = run["team"].get("mpi") or self.mpi
        return run


def command_of(path, launcher, gpus):
    """A program on so many GPUs. Of ranks each takes a GPU by itself, also a single one."""
    if launcher == MPI:
        return ["mpirun", "-np", gpus, path]
    return [path, "--devices", ",".join(map(str, range(gpus)))]


def complaint(path, errors):
    """What a program said last: mpirun goes on to say much about it."""
    own = [line for line in errors.splitlines() if line.startswith(f"{path.name}: ")]
    return own[-1] if own else last_line(errors)


def check(run, path, gpus):
    """Refuse a record that is not one of so many equal GPUs."""
    checks.check(run, {"team": TEAM}, path.name)
    team = run["team"]
    names = {member["name"] for member in team["members"]}
    if len(names) > 1:
        raise ProgramError(f"the GPUs differ: {', '.join(sorted(names))}")
    if team["size"] != gpus or len(team["members"]) != gpus:
        raise ProgramError(f"{path.name} ran on {team['size']} GPUs and not on {gpus}")


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
                run = bench.run(path, launcher, gpus, *work)
                expected = launches * gpus if mode == WEAK else launches
                points.append(with_efficiency(point(run, launcher, mode, gpus, expected), points))
                print(line(points[-1]), flush=True)
    return points


def calibrated(path, bench):
    """Samples of a thread that make a launch of about AIM_MS, and how long it takes."""
    iters, launches = [], result.FEWEST_DEPENDENT
    for _ in range(ATTEMPTS):
        run = bench.run(path, DEVICES, 1, "--batch", launches, "--launches", FEWEST_TIMINGS * launches, *iters)
        ms = order_statistics.summary(run["kernel_ms"])["median"]
        if LEAST_AIM_MS <= ms <= MOST_AIM_MS:
            return run["iters"], ms
        iters = ["--iters", rounded(run["iters"] * AIM_MS / ms)]
    last = f"{run['iters']} samples a thread take {ms:.3g} ms"
    raise ProgramError(f"{path.name}: no launch takes about {AIM_MS} ms, {last}")


def rounded(iters):
    """Down to a few binary digits."""
    step = 1 << max(0, int(iters).bit_length() - DIGITS)
    return max(1, int(iters) // step * step)


def workloads(ms, sizes):
    """Modes and launches: for each GPU, or in all, and then such that every number of GPUs can have equal shares."""
    whole = math.lcm(*sizes)
    weak = [(WEAK, max(1, round(run_ms / ms))) for run_ms in WEAK_MS]
    strong = [(STRONG, whole * max(1, round(run_ms * sizes[-1] / ms / whole))) for run_ms in STRONG_MS]
    return list(dict.fromkeys(weak + strong))


def timings_of(ms):
    """How often a run of so long is repeated."""
    return max(math.ceil(MEASURE_MS / ms), min(FEW_TIMINGS, int(LONG_MS / ms)), FEWEST_TIMINGS)


def point(run, launcher, mode, gpus, launches):
    """One point, without its efficiency."""
    if run["batch"] != launches:
        raise ProgramError(f"pi_{run['version']} timed {run['batch']} launches at once and not {launches}")
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
        raise ProgramError(f"pi_{run['version']}: a launch of {launch_ms(measured):.3f} ms, more than {MOST_LAUNCH_MS}")
    return measured


def interval(times, launches):
    """The time of a run, its times being those of a launch."""
    summary = order_statistics.summary([time * launches for time in times])
    return {name: short(summary[name]) for name in ("median", "low", "high")}


def with_efficiency(point, before):
    """The point with its efficiency, of which the same work on one GPU has 1. That was measured before."""
    shared = point["gpus"] if point["mode"] == STRONG else 1
    alone = next((other for other in before if is_alone(other, point)), point)
    return point | {"efficiency": short(alone["run_ms"]["median"] / point["run_ms"]["median"] / shared)}


def is_alone(other, point):
    """Whether it is the same work as a point's, but on one GPU."""
    launches = point["launches"] // (point["gpus"] if point["mode"] == WEAK else 1)
    same = all(other[name] == point[name] for name in ("version", "launcher", "mode"))
    return same and other["gpus"] == 1 and other["launches"] == launches


def short(value):
    return float(f"{value:.6g}")


def line(point):
    """A point in words."""
    gpus = f"{point['gpus']} GPU{'' if point['gpus'] == 1 else 's'}"
    what = f"{point['version']:<5}  {point['launcher']:<7}  {point['mode']:<6}  {gpus:<7}"
    return (
        f"{what}  {point['launches']:>7,} launches  {point['run_ms']['median']:>9.3f} ms"
        f"  {100 * point['efficiency']:6.2f} %"
    )


# Storing


def store(bench, gpus, points, options):
    """Write the document where it belongs; returns the exit code."""
    context = bench.merged["context"]
    document = storing.SCALING.document.made(context, points, gpus=gpus, mpi=bench.mpi)
    return storing.keep(document, storing.SCALING, *storing.folders(context, options, f"-x{gpus}"))
