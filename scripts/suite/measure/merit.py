"""Measure the time that each version needs for an estimate with a given standard deviation.

The standard deviations are 1e-6, 1e-7 and 1e-8 for pi, and 1e-3, 1e-4 and 1e-5 for
a price. A first run of the versions given, or of every step of each ladder with
programs in the --bin folder, measures the rate and the variance. With the known bias
they predict the time for a target. Of pi, a run of that many samples is timed if it
takes up to 30 s; otherwise, and of prices, the prediction is stored, of whole
launches. If the bias exceeds the target, no time reaches it. A version whose launches
are whole point sets runs with larger and larger sets, then with more sets, until the
spread of its launches reaches the targets. The result goes to
<out>/<device>/<ladder>-merit.json. Stored rows of other versions stay if they are of
the same build and machine. If not, nothing is replaced, and the result goes to
<bin>/results/<device>/. The result also names programs that fail. Without a usable
GPU there is no result.
"""

import itertools
import math
import statistics
import time

from suite import ladders, numerals
from suite.command import DONE, FAILED, SET_ASIDE, UNTOUCHED, USAGE, Command, add_folders, require_folder, require_gpu
from suite.documents import checks, kinds, means, storing
from suite.documents.accepted import FEWEST_DEPENDENT
from suite.documents.merit import COMPUTED, MEASURED, NEVER, SD, is_scrambled, no_known_ratio, sd_of, variance_of_unit
from suite.measure import chosen
from suite.measure.programs import Bench, commands, measure_each
from suite.numerals import six_digits
from suite.processes import ProgramError

COMMAND = Command("merit", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})

LONGEST_S = 30  # a longer time is computed, not measured

# Point sets, as powers of two of their points: threads up to what fills any large GPU, then more points per thread. Those of
# pi have a grid of 1024 threads and at most 256 blocks; those of prices have at most the grid of the first run.
POINT_SETS = {"hits": range(16, 33, 2), "means": range(12, 27)}
GRID = 256, 1024
LAUNCHES = FEWEST_DEPENDENT  # give an sd to 18 %


def main():
    """Measure every version and store the rows; returns the exit code."""
    options = parse_arguments()
    found = chosen.programs(options, measurable())
    require_gpu(next(iter(found[0][1].values())))
    codes = []
    for ladder, paths in found:
        outcome = f"no new {kinds.MERIT.of(ladder).name}.json" if codes else UNTOUCHED
        codes.append(COMMAND.attempt(lambda own=(ladder, paths): measure_ladder(*own, options), outcome))
    return next(filter(None, codes), DONE)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "measure", measurable())
    add_folders(parser)
    options = parser.parse_args()
    require_folder(options.bin)
    return options


def measurable():
    """The ladders whose estimates have targets."""
    return [ladder for ladder in ladders.every_ladder() if ladder.targets]


def measure_ladder(ladder, paths, options):
    """Measure the versions of a ladder and store their rows; returns the exit code."""
    bench, kind = Bench(), kinds.MERIT.of(ladder)
    found = {version: program for version, program in commands(ladder, paths).items() if version != ladder.constant}
    rows = measure_each(found, lambda program: measure(ladder, program, bench), COMMAND.complain)
    return storing.keep(kind.document.made(bench.document["context"], rows), kind, options)


# Measuring


def measure(ladder, program, bench):
    """The row of a version, printed."""
    start = time.monotonic()
    row = row_of(ladder, program, bench)
    print(f"{row['version']:<14}  {summary(row, ladder)} (took {time.monotonic() - start:.1f} s)", flush=True)
    return row


def row_of(ladder, program, bench):
    """The row of a version: its rate, the variance of its estimate, its bias, and its times to the targets."""
    run = bench.run(*program)
    rate = {name: run["per_ns"][name] for name in ("median", "low", "high")}
    row = {name: run[name] for name in ("version", "title", "soundness")} | {"per_ns": rate}
    row |= facts_of(run["outcome"], program, ladder)
    times = scrambled_times if is_scrambled(row) else predicted_times if ladder.outcome == "means" else plain_times
    row["times"], row["tried"] = times(ladder, program, run, row, bench)
    return row


def facts_of(outcome, program, ladder):
    """What an outcome says of the variance and the bias of its estimate."""
    facts = {"independent": outcome["independent"], "variance_ratio": outcome["variance_ratio"]}
    if ladder.outcome == "means":
        variance = means.variance_of_one(outcome)
        if not variance:
            raise ProgramError(f"{program[0].name}: no standard deviation of the estimate")
        return facts | {"variance": variance, "steps": outcome["steps"], "bias": outcome["bias"]["value"]}
    if fault := no_known_ratio(outcome):
        raise checks.ResultError(f"{program[0].name}.outcome {fault}")
    return facts | {"bias": outcome["bias"]}


def plain_times(ladder, program, run, row, bench):
    """The times of a version whose variance is inverse to its samples, and the runs that give them."""
    times, tried = [], []
    for target in ladder.targets:
        samples = math.ceil(variance_of_unit(row) / target**2)
        seconds = samples / run["per_ns"]["median"] / 1e9
        if is_out_of_reach(target, row):
            times.append(never(target))
        elif seconds > LONGEST_S:
            times.append(computed(target, samples, seconds))
        else:
            tried.append(pooled(ladder, program, bench, "--samples", samples))
            times.append(measured(target, tried[-1]))
    return times, tried


def predicted_times(ladder, program, run, row, bench):
    """The times of a version whose variance is inverse to its work, in whole launches, without further runs."""
    times = []
    for target in ladder.targets:
        launches = math.ceil(variance_of_unit(row) / target**2 / run["work"])
        seconds = launches * run["work"] / run["per_ns"]["median"] / 1e9
        is_reached = not is_out_of_reach(target, row)
        times.append(computed(target, launches * run["work"], seconds) if is_reached else never(target))
    return times, []


def scrambled_times(ladder, program, run, row, bench):
    """The times of a version whose launches are point sets, and the runs that give them."""
    reachable = [target for target in ladder.targets if not is_out_of_reach(target, row)]
    grid = GRID if ladder.outcome == "hits" else (power_of_two(run["blocks"]), power_of_two(run["threads"]))
    tried = search(ladder, program, grid, min(reachable), bench) if reachable else []
    return [cheapest(target, tried) if target in reachable else never(target) for target in ladder.targets], tried


def power_of_two(count):
    """The largest power of two up to a count."""
    return 1 << (count.bit_length() - 1)


def search(ladder, program, grid, target, bench):
    """Runs of more and more points, until one reaches the target or the next would take too long."""
    tried = []
    for arguments, work in efforts(POINT_SETS[ladder.outcome], *grid):
        if tried and (sd_of(tried[-1]) <= target or tried[-1]["seconds"] * work / last > LONGEST_S):
            break
        tried.append(pooled(ladder, program, bench, *arguments))
        last = work
    return tried


def efforts(powers, most_blocks, threads):
    """The options of each run, and its points."""
    for power in powers:
        blocks = min(max(1, 2**power // threads), most_blocks)
        iters = 2**power // (blocks * threads)
        grid = ["--blocks", blocks, "--threads", threads, "--iters", iters]
        yield [*grid, "--launches", LAUNCHES], LAUNCHES * 2**power
    for doubling in itertools.count(1):
        yield [*grid, "--launches", LAUNCHES * 2**doubling], LAUNCHES * 2 ** (power + doubling)


def pooled(ladder, program, bench, *arguments):
    """The time of a run of fixed work, and the standard deviation of its estimate."""
    run = bench.run(*program, *arguments)
    outcome = run["outcome"]
    sd = sd_of(outcome)
    if not sd:
        raise ProgramError(f"{program[0].name} {' '.join(map(str, arguments))}: no standard deviation of the estimate")
    # A time is per launch, the mean over a batch. Batches are equal up to one launch.
    seconds = statistics.fmean(run["kernel_ms"]) * run["launches"] / 1e3
    samples = outcome["samples"] if ladder.outcome == "hits" else outcome["numbers"] * outcome["steps"]
    sizes = {"launches": run["launches"], "work": run["work"], "samples": samples}
    return {"seconds": six_digits(seconds), SD[ladder.outcome]: sd, **sizes}


def is_out_of_reach(target, row):
    return abs(row["bias"]) > target


def never(target):
    return {"target": target, "how": NEVER, "seconds": None, "samples": None}


def computed(target, samples, seconds):
    return {"target": target, "how": COMPUTED, "seconds": six_digits(seconds), "samples": samples}


def measured(target, run):
    return {"target": target, "how": MEASURED, **run}


def cheapest(target, tried):
    """The time of the fastest run that reaches the target. If none does, the time of the last with more launches."""
    reached = [run for run in tried if sd_of(run) <= target]
    if reached:
        return measured(target, min(reached, key=lambda run: run["seconds"]))
    times = (sd_of(tried[-1]) / target) ** 2
    return computed(target, math.ceil(tried[-1]["samples"] * times), tried[-1]["seconds"] * times)


def summary(row, ladder):
    """A row in words."""
    times = [f"{time['target']:.0e} {time_words(time)}" for time in row["times"]]
    return f"{numerals.median_text(row['per_ns'])} {ladder.unit}s/ns; {', '.join(times)}"


def time_words(time):
    """A time in words, and how it was found."""
    return NEVER if time["how"] == NEVER else f"{numerals.duration(time['seconds'])} ({time['how']})"
