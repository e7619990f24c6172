"""Measure the time that each version needs for an estimate with a given standard deviation.

The standard deviations are 1e-6, 1e-7 and 1e-8 for pi, and 1e-3, 1e-4 and 1e-5 for a price. A first run of the
versions given, or of every step of each ladder with programs in the --bin folder, measures the rate and the variance.
With the known bias they predict the time for a target. Of pi, a run of that many samples is timed if it takes up to
30 s; otherwise, and of prices, the prediction is shown, of whole launches. If the bias exceeds the target, no time
reaches it. A version whose launches are whole point sets runs with larger and larger sets, then with more sets, until
the spread of its launches reaches the targets. The result goes to <out>/<device>/<ladder>-merit.json.
"""

import itertools

from suite import ladders, numerals
from suite.analyse import merit
from suite.analyse.merit import FEWEST_DEPENDENT, is_dependent, is_out_of_reach, is_scrambled
from suite.command import Command, parse_with_folders, require_gpu
from suite.documents import kinds
from suite.documents.records import of_study
from suite.ladder import HITS
from suite.processes import ProgramError
from suite.studies.study import EXIT_CODES, EXPLANATION, Measurement, Plan
from suite.tools import chosen
from suite.tools.programs import Bench, commands

COMMAND = Command("merit", __doc__, EXIT_CODES, EXPLANATION)

LONGEST_S = 30  # a longer time is computed, not measured
OUTCOME = ("samples", "numbers", "steps", "pi_sd", "sd", "bias", "independent", "variance_ratio")

# Point sets, as powers of two of their points: threads up to what fills any large GPU, then more points per thread. Those of
# pi have a grid of 1024 threads and at most 256 blocks; those of prices have at most the grid of the first run.
POINT_SETS = {"hits": range(16, 33, 2), "means": range(12, 27)}
GRID = 256, 1024
LAUNCHES = FEWEST_DEPENDENT  # give an sd to 18 %


def main():
    """Measure every version and store the runs; returns the exit code."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "measure", ladders.having("targets"))
    options = parse_with_folders(parser)
    found = chosen.programs(options, ladders.having("targets"))
    require_gpu(next(iter(found[0][1].values())))
    return chosen.of_ladders(found, COMMAND, lambda ladder, paths: measure(ladder, paths, options))


def measure(ladder, paths, options):
    """Measure the versions of a ladder and store their runs; returns the exit code."""
    bench = Bench()
    programs = {version: program for version, program in commands(ladder, paths).items() if version != ladder.constant}
    plans = [
        Plan(version, 1 + len(ladder.targets), runs_of(ladder, program, bench)) for version, program in programs.items()
    ]
    return Measurement(kinds.MERIT.of(ladder), bench, options).follow(
        plans, lambda run: text_of(run, ladder), COMMAND.complain
    )


# Measuring


def runs_of(ladder, program, bench):
    """The runs of a version: one for its rate, variance and bias, and those that reach the targets."""
    run = bench.run(*program)
    first = of_study(run, [], *OUTCOME)
    require_variance(run["outcome"], program[0].name)
    yield first
    row = merit.facts(first, ladder)
    targets = [target for target in ladder.targets if not is_out_of_reach(target, row)]
    if is_scrambled(row) and targets:
        yield from search(ladder, program, grid_of(run, ladder), min(targets), bench)
    elif ladder.outcome == HITS:
        for target in targets:
            samples = merit.samples_for(target, row, ladder)
            if samples / row["per_ns"]["median"] / 1e9 <= LONGEST_S:
                yield pooled(program, bench, "--samples", samples)


def require_variance(outcome, name):
    """Refuse a run that does not tell the variance of its estimate."""
    if (
        is_dependent(outcome)
        and (outcome["variance_ratio"] or {}).get("known", 1 if "numbers" in outcome else None) is None
    ):
        raise ProgramError(f"{name}.outcome has no known variance_ratio")
    if not merit.sd_of(outcome):
        raise ProgramError(f"{name}: no standard deviation of the estimate")


def grid_of(run, ladder):
    """The most blocks and the threads of point sets."""
    return GRID if ladder.outcome == HITS else (power_of_two(run["blocks"]), power_of_two(run["threads"]))


def power_of_two(count):
    """The largest power of two up to a count."""
    return 1 << (count.bit_length() - 1)


def search(ladder, program, grid, target, bench):
    """Runs of more and more points, until one reaches the target or the next would take too long."""
    last, before = None, 0  # the last run, and its points
    for arguments, work in efforts(POINT_SETS[ladder.outcome], *grid):
        if last and (last["sd"] <= target or last["seconds"] * work / before > LONGEST_S):
            return
        run = pooled(program, bench, *arguments)
        last, before = merit.tried_run(run), work
        yield run


def efforts(powers, most_blocks, threads):
    """The options of each run, and its points."""
    for power in powers:
        blocks = min(max(1, 2**power // threads), most_blocks)
        iters = 2**power // (blocks * threads)
        grid = ["--blocks", blocks, "--threads", threads, "--iters", iters]
        yield [*grid, "--launches", LAUNCHES], LAUNCHES * 2**power
    for doubling in itertools.count(1):
        yield [*grid, "--launches", LAUNCHES * 2**doubling], LAUNCHES * 2 ** (power + doubling)


def pooled(program, bench, *arguments):
    """A run of fixed work, which tells the standard deviation of its estimate."""
    run = bench.run(*program, *arguments)
    if not merit.sd_of(run["outcome"]):
        raise ProgramError(f"{program[0].name} {' '.join(map(str, arguments))}: no standard deviation of the estimate")
    return of_study(run, arguments, *OUTCOME)


def text_of(run, ladder):
    """A run in words."""
    if not run["options"]:
        return f"{numerals.median_text(run['per_ns'])} {ladder.unit}s/ns"
    tried = merit.tried_run(run)
    return f"a standard deviation of {tried['sd']:.2e} in {numerals.duration(tried['seconds'])}"
