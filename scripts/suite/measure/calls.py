"""Measure the time of a whole call against its number of samples, from 10^3 to 10^9.

A call allocates memory, launches, copies the counts back, adds them up and frees
the memory. The programs are those that their ladder lists. GPU programs run a second time for the time of the launch alone, by the clock of the
GPU. A curve ends where a call would take more than 1.5 s. The result goes to
<out>/<device>/lecture-calls.json. If a program fails, its stored rows stay if they
are of the same build and machine; otherwise the failure is stored. Without a usable
GPU there is no result.
"""

import statistics

from suite import ladders
from suite.analyse import order_statistics
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_any_program, require_folder, require_gpu,
)  # fmt: skip
from suite.documents import kinds, storing
from suite.documents.accepted import FEWEST_DEPENDENT
from suite.measure.grids import arguments, grid_of, launch_of, totals
from suite.measure.programs import Bench, measure_each
from suite.numerals import six_digits
from suite.processes import ProgramError, is_program

COMMAND = Command("calls", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
(LADDER,) = [ladder for ladder in ladders.every_ladder() if ladder.calls]
CALLS = kinds.CALLS.of(LADDER)
NOT_ACCEPTED = 2  # exit code of a program that does not accept the shape

FIRST_POWER, LAST_POWER, PER_DECADE = 3, 9, 3
MAX_SECONDS = 0.25  # of the calls of a size
MAX_CALL_MS = 1500
ALONE_MS, FEWEST_LAUNCHES, MOST_LAUNCHES = 200, 3, 10_000  # of the launches of a size


def main():
    """Measure every program and store the rows; returns the exit code."""
    options = parse_arguments()
    called = {own.version: own for own in LADDER.calls.programs if is_program(options.bin / own.program)}
    on_gpu = next((own for own in called.values() if not is_on_cpu(own)), None)
    if not on_gpu:
        raise Stop(DONE, "nothing measured: a result needs a GPU, and there are no CUDA programs")
    require_gpu((options.bin / on_gpu.program).absolute())
    bench, per_decade = Bench(), options.per_decade
    found = measure_each(called, lambda own: measure(own, options.bin, per_decade, bench), COMMAND.complain)
    rows = [row for part in found for row in (part if isinstance(part, list) else [part])]
    document = CALLS.document.made(bench.document["context"], rows)
    return storing.keep(document, CALLS, options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--per-decade", type=int, choices=(1, 3), default=PER_DECADE, help=f"points per decade (default {PER_DECADE})")
    options = parser.parse_args()
    require_folder(options.bin)
    require_any_program(options.bin, *dict.fromkeys(own.program for own in LADDER.calls.programs))
    return options


def is_on_cpu(own):
    return own.version.startswith("cpu_")


# Measuring


def measure(own, folder, per_decade, bench):
    """The rows of a program, by samples."""
    path = (folder / own.program).absolute()
    sizes = [total for total in totals(FIRST_POWER, LAST_POWER, per_decade) if total <= own.most]
    rows = []
    for shape, samples in shapes(own, path, sizes, bench).items():
        if rows and expected_ms(samples, rows[-1]) > MAX_CALL_MS:
            break
        run = bench.run(path, *shape, "--call", "--max-time", MAX_SECONDS, refusal=NOT_ACCEPTED)
        if run:
            rows.append(row_of(own, run, kernel_ms(own, path, shape, run, bench)))
    if not rows:
        raise ProgramError(f"{own.program} accepts no size")
    print(f"{own.version:<14}  {extent(rows)}", flush=True)
    return rows


def shapes(own, path, sizes, bench):
    """The samples of launches with about these sizes, by the options that give each."""
    if own.samples_per_block:
        return {("--blocks", max(1, round(size / own.samples_per_block)), *own.options): size for size in sizes}
    first = bench.run(path, *own.options, "--launches", FEWEST_DEPENDENT, "--iters", 1)
    grid = grid_of(first)
    options = own.options if grid.blocks is None else ()  # otherwise the grid has them
    launches = [launch_of(size, grid) for size in sizes]
    return {(*arguments(launch), *options): launch.samples for launch in launches}


def expected_ms(samples, row):
    """An upper bound of the time of a call: its samples at the cost per sample of a smaller call."""
    return row["call_ms"]["median"] * samples / row["samples"]


def kernel_ms(own, path, shape, call, bench):
    """The time of the launch alone, by the GPU's clock; None on the CPU."""
    if is_on_cpu(own):
        return None
    ms = statistics.median(call["kernel_ms"])  # an upper bound
    launches = int(min(max(ALONE_MS / ms, FEWEST_LAUNCHES), MOST_LAUNCHES))
    run = bench.run(path, *shape, "--launches", launches)
    return six_digits(statistics.median(run["kernel_ms"]))


def row_of(own, run, alone):
    ms = order_statistics.summary(run["kernel_ms"])
    return {
        "program": own.program,
        "version": own.version,
        "samples": run["work"],
        "call_ms": {name: six_digits(value) for name, value in ms.items()},
        "phases_ms": {name: six_digits(statistics.median(times)) for name, times in run["phases_ms"].items() if times},
        "kernel_ms": alone,
    }


def extent(rows):
    """The range of a program's rows in words."""
    ends = [f"{row['samples']:.3g} samples in {row['call_ms']['median']:.3g} ms" for row in (rows[0], rows[-1])]
    return f"{len(rows)} sizes, {' to '.join(ends)}"
