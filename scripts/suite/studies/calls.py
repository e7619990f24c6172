"""Measure the time of a launch or of a whole call against its number of samples, from 10^3 on.

A call allocates memory, launches, copies the counts back, adds them up and frees the memory. The programs are those
that their ladder lists, up to 10^9 samples. Programs for a GPU run a second time for the time of the launch alone, by
the clock of the GPU. Of pi, launches alone are timed, up to 10^12 samples. A curve ends where a call would take more
than 1.5 s, or a launch more than 10 s. The result goes to <out>/<device>/<ladder>-calls.json.
"""

import statistics

from suite import ladders, naming
from suite.analyse.merit import FEWEST_DEPENDENT
from suite.command import DONE, USAGE, Command, Stop, add_suite, fail_usage, parse_with_folders, require_gpu
from suite.documents import kinds
from suite.documents.records import of_study
from suite.processes import ProgramError, is_program
from suite.studies.study import EXIT_CODES, EXPLANATION, Measurement, Plan
from suite.tools.chosen import of_ladders
from suite.tools.programs import Bench

COMMAND = Command("calls", __doc__, EXIT_CODES, EXPLANATION)

FIRST_POWER = 3
WARP = 32
# Of the timings of a size, where they are whole calls and where they are launches. An occasional launch on the CPU takes a thousand
# times as long, so it gets a time limit, too.
MAX_SECONDS, MAX_MS = {True: 0.25, False: 2}, {True: 1500, False: 10_000}
LAUNCHES_MS, SOME_MS = 200, 2000  # of the launches of a size, and of enough of them for an interval
SOME, FEWEST, MOST = 10, 3, 10_000


def main():
    """Measure every program and store the rows; returns the exit code."""
    parser = COMMAND.parser()
    add_suite(parser, ladders.having("calls"), "all")
    options = parse_with_folders(parser)
    known = [ladder for ladder in ladders.having("calls") if not options.suite or ladder.suite in options.suite]
    there = [
        (own, [called for called in own.calls.programs if is_program(options.bin / called.program)]) for own in known
    ]
    if not any(called for _, called in there):
        fail_usage(f"{options.bin} holds no program that it measures")
    found = [(own, called) for own, called in there if not all(map(is_on_cpu, called))]
    if not found:
        raise Stop(DONE, "nothing measured: a result needs a GPU, and there are no CUDA programs")
    on_gpu = next(own for own in found[0][1] if not is_on_cpu(own))
    require_gpu((options.bin / on_gpu.program).absolute())
    return of_ladders(found, COMMAND, lambda ladder, called: measure(ladder, called, options))


def is_on_cpu(own):
    return naming.is_cpu({"version": own.version})


def measure(ladder, called, options):
    """Measure the programs of a ladder and store their runs; returns the exit code."""
    bench, plans, is_whole = Bench(), [], ladder.calls.whole
    for own in sorted(called, key=is_on_cpu):  # a GPU tells where results go
        per_decade = 3 if is_whole else 1
        sizes = [
            round(10 ** (FIRST_POWER + step / per_decade))
            for step in range((own.last_power - FIRST_POWER) * per_decade + 1)
        ]
        runs = len(sizes) * (2 if is_whole and not is_on_cpu(own) else 1)
        plans.append(
            Plan(own.version, runs, curve(own, (options.bin / own.program).absolute(), sizes, is_whole, bench))
        )
    return Measurement(kinds.CALLS.of(ladder), bench, options).follow(plans, text_of, COMMAND.complain)


# Measuring


def curve(own, path, sizes, is_whole, bench):
    """The runs of a program, by samples: whole calls and on a GPU the launch alone, or launches alone."""
    last = None
    for shape, samples in shapes(own, path, sizes, bench).items():
        ms = last and last["kernel_ms"]["median"] * samples / last["work"]  # at most: the cost of a sample falls
        if last and ms > MAX_MS[is_whole]:
            return
        is_counted = last and not is_whole and not is_on_cpu(own)  # which skips the second of measuring power
        options = [
            *shape,
            *(["--call"] if is_whole else []),
            *(launches_in(ms) if is_counted else ["--max-time", MAX_SECONDS[is_whole]]),
        ]
        run = bench.run(path, *options, refusal=USAGE)
        if run:
            last = of_study(run, options)
            yield last
            if is_whole and not is_on_cpu(own):
                options = [*shape, *launches_in(statistics.median(run["kernel_ms"]))]
                yield of_study(bench.run(path, *options), options)
    if not last:
        raise ProgramError(f"{own.program} accepts no size")


def shapes(own, path, sizes, bench):
    """The samples of launches with about these sizes, by the options that give each."""
    if own.samples_per_block:
        return {("--blocks", max(1, round(size / own.samples_per_block)), *own.options): size for size in sizes}
    run = bench.run(path, *own.options, "--launches", FEWEST_DEPENDENT, "--iters", 1)
    streams, blocks, threads = run["work"], run["blocks"], run["threads"]
    found = {}
    for size in sizes:
        iters = max(1, round(size / streams))
        if blocks is None:  # a CPU has a fixed number of streams
            found[("--iters", iters, *own.options)] = streams * iters
        else:
            grid = (blocks, threads) if size >= streams else small_grid(size, blocks, threads)
            found["--iters", iters, "--blocks", grid[0], "--threads", grid[1]] = grid[0] * grid[1] * iters
    return found


def small_grid(size, most_blocks, most_threads):
    """Blocks and threads for one sample per thread, no more than these. Every version accepts a power of two threads."""
    threads = WARP
    while threads * most_blocks < size:
        threads *= 2
    threads = min(threads, most_threads)
    return max(1, min(round(size / threads), most_blocks)), threads


def launches_in(ms):
    """The option for so many launches, of a time that is at most this."""
    return ["--launches", int(min(max(LAUNCHES_MS / ms, min(SOME, SOME_MS / ms), FEWEST), MOST))]


def text_of(run):
    """A run in words."""
    what = "a call" if run["call"] else "a launch"
    return f"{what} of {run['work']:.3g} samples in {run['kernel_ms']['median']:.3g} ms"
