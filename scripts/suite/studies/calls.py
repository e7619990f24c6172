"""Measure the time of a whole call against its number of samples, from 10^3 to 10^9.

A call allocates memory, launches, copies the counts back, adds them up and frees
the memory. The programs are those that their ladder lists. GPU programs run a second
time for the time of the launch alone, by the clock of the GPU. A curve ends where a
call would take more than 1.5 s. The result goes to <out>/<device>/<ladder>-calls.json,
after each run. If a program fails, its stored rows stay if they are of the same build
and machine; otherwise the failure is stored. Without a usable GPU there is no result.
"""

import statistics

from suite import ladders, naming
from suite.analyse.merit import FEWEST_DEPENDENT
from suite.command import DONE, STORED_ROWS, USAGE, Command, Stop, add_folders, require_any_program, require_folder, require_gpu
from suite.documents import kinds
from suite.documents.records import thinned
from suite.processes import ProgramError, is_program
from suite.studies.grids import arguments, grid_of, launch_of, totals
from suite.studies.study import EXIT_CODES, Measurement, Plan, of_ladders
from suite.tools.programs import Bench

COMMAND = Command("calls", __doc__, EXIT_CODES, STORED_ROWS)

FIRST_POWER, LAST_POWER, PER_DECADE = 3, 9, 3
MAX_SECONDS = 0.25  # of the calls of a size
MAX_CALL_MS = 1500
ALONE_MS, FEWEST_LAUNCHES, MOST_LAUNCHES = 200, 3, 10_000  # of the launches of a size


def main():
    """Measure every program and store the rows; returns the exit code."""
    options = parse_arguments()
    found = [(ladder, [own for own in ladder.calls.programs if is_program(options.bin / own.program)]) for ladder in known()]
    on_gpu = [own for _, called in found for own in called if not is_on_cpu(own)]
    if not on_gpu:
        raise Stop(DONE, "nothing measured: a result needs a GPU, and there are no CUDA programs")
    require_gpu((options.bin / on_gpu[0].program).absolute())
    return of_ladders(found, COMMAND, lambda ladder, called: measure(ladder, called, options))


def known():
    return [ladder for ladder in ladders.every_ladder() if ladder.calls]


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--per-decade", type=int, choices=(1, 3), default=PER_DECADE, help=f"points per decade (default {PER_DECADE})")
    options = parser.parse_args()
    require_folder(options.bin)
    require_any_program(options.bin, *dict.fromkeys(own.program for ladder in known() for own in ladder.calls.programs))
    return options


def is_on_cpu(own):
    return naming.is_cpu({"version": own.version})


def measure(ladder, called, options):
    """Measure the programs of a ladder and store their runs; returns the exit code."""
    bench, plans = Bench(), []
    for own in sorted(called, key=is_on_cpu):  # a GPU tells where results go
        sizes = [total for total in totals(FIRST_POWER, LAST_POWER, options.per_decade) if total <= own.most]
        runs = len(sizes) * (1 if is_on_cpu(own) else 2)
        plans.append(Plan(own.version, runs, curve(own, (options.bin / own.program).absolute(), sizes, bench)))
    return Measurement(kinds.CALLS.of(ladder), bench, options).follow(plans, text_of, COMMAND.complain)


# Measuring


def curve(own, path, sizes, bench):
    """The runs of a program, by samples: whole calls, and on a GPU the launch alone."""
    last = None
    for shape, samples in shapes(own, path, sizes, bench).items():
        if last and expected_ms(samples, last) > MAX_CALL_MS:
            return
        options = [*shape, "--call", "--max-time", MAX_SECONDS]
        run = bench.run(path, *options, refusal=USAGE)
        if run:
            last = thinned(run, options)
            yield last
            if not is_on_cpu(own):
                options = [*shape, "--launches", launches_alone(run)]
                yield thinned(bench.run(path, *options), options)
    if not last:
        raise ProgramError(f"{own.program} accepts no size")


def shapes(own, path, sizes, bench):
    """The samples of launches with about these sizes, by the options that give each."""
    if own.samples_per_block:
        return {("--blocks", max(1, round(size / own.samples_per_block)), *own.options): size for size in sizes}
    first = bench.run(path, *own.options, "--launches", FEWEST_DEPENDENT, "--iters", 1)
    grid = grid_of(first)
    options = own.options if grid.blocks is None else ()  # otherwise the grid has them
    launches = [launch_of(size, grid) for size in sizes]
    return {(*arguments(launch), *options): launch.samples for launch in launches}


def expected_ms(samples, call):
    """An upper bound of the time of a call: its samples at the cost per sample of a smaller call."""
    return call["kernel_ms"]["median"] * samples / call["work"]


def launches_alone(call):
    """How many launches are timed without the rest of a call, whose time is an upper bound of theirs."""
    return int(min(max(ALONE_MS / statistics.median(call["kernel_ms"]), FEWEST_LAUNCHES), MOST_LAUNCHES))


def text_of(run):
    """A run in words."""
    what = "a call" if run["call"] else "the launch alone"
    return f"{what} of {run['work']:.3g} samples in {run['kernel_ms']['median']:.3g} ms"
