"""Measure the time that each version needs for a standard deviation of 1e-6, 1e-7 and 1e-8 in its estimate of pi.

A first run of every pi_v<number> of the --bin folder, or of the versions given,
measures the rate and the variance of the samples. With the known bias they
predict the time for a target. Up to 30 s a run of that many samples is timed;
beyond that the prediction is stored. If the bias exceeds the target, no time
reaches it. A version whose launches are whole point sets runs with larger and
larger sets, then with more sets, until the spread of its launches reaches the
targets. The result goes to <out>/<device>/pi-merit.json. Stored rows of other
versions stay if they are of the same build and machine. If not, nothing is
replaced, and the result goes to <bin>/results/<device>/. The result also names
programs that fail. Without a usable GPU there is no result.
"""

import itertools
import math
import statistics
import time

from suite import numerals
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, add_folders, require_folder, require_gpu, require_versions,
)  # fmt: skip
from suite.documents import checks, kinds, result, storing
from suite.documents.accepted import FEWEST_DEPENDENT
from suite.documents.merit import COMPUTED, MEASURED, NEVER, is_scrambled, no_known_ratio, variance_of_one
from suite.ladders import naming, pi
from suite.measure.programs import Bench, measure_each, programs_of, steps_in
from suite.numerals import six_digits
from suite.processes import ProgramError

COMMAND = Command("merit", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})

MERIT = kinds.MERIT.of(pi)
TARGETS = (1e-6, 1e-7, 1e-8)
LONGEST_S = 30  # a longer time is computed, not measured

# Point sets of 2^16, 2^18, … 2^32 points: threads up to what fills any large GPU, then more points per thread.
POINT_SETS = range(16, 33, 2)
THREADS, MOST_BLOCKS = 1024, 256
LAUNCHES = FEWEST_DEPENDENT  # give an sd to 18 %


def main():
    """Measure every version and store the rows; returns the exit code."""
    options = parse_arguments()
    paths = programs(options)
    require_gpu(next(iter(paths.values())))
    bench = Bench()
    rows = measure_each(paths, lambda path: measure(path, bench), COMMAND.complain)
    document = MERIT.document.made(bench.document["context"], rows)
    return storing.keep(document, MERIT, options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="a version to measure, such as v8 (default: all)")
    add_folders(parser)
    options = parser.parse_args()
    require_folder(options.bin)
    require_versions(options, pi, naming.is_version, "not the name of a version")
    if not programs(options):
        parser.error(f"{options.bin} holds no pi_v<number>")
    return options


# Programs


def programs(options):
    """The program of each version that was given, or of every step, by number."""
    return programs_of(pi, options.bin, options.versions) or steps_in(pi, options.bin)


# Measuring


def measure(path, bench):
    """The row of a version, printed."""
    start = time.monotonic()
    row = row_of(path, bench)
    print(f"{row['version']:<14}  {summary(row)} (took {time.monotonic() - start:.1f} s)", flush=True)
    return row


def row_of(path, bench):
    """The row of a version: its rate, the variance of its samples, its bias, and its times to the targets."""
    run = bench.run(path)
    outcome = run["outcome"]
    if fault := no_known_ratio(outcome):
        raise checks.ResultError(f"{path.name}.outcome {fault}")
    times, tried = (scrambled_times if is_scrambled(outcome) else plain_times)(path, run, bench)
    rate = {name: run["per_ns"][name] for name in ("median", "low", "high")}
    return {
        "version": run["version"],
        "title": run["title"],
        "soundness": run["soundness"],
        "independent": outcome["independent"],
        "per_ns": rate,
        "variance_ratio": outcome["variance_ratio"],
        "bias": outcome["bias"],
        "times": times,
        "tried": tried,
    }


def plain_times(path, run, bench):
    """The times of a version whose variance is inverse to its samples, and the runs that give them."""
    times, tried = [], []
    for target in TARGETS:
        samples = math.ceil(variance_of_one(run["outcome"]) / target**2)
        seconds = samples / run["per_ns"]["median"] / 1e9
        if is_out_of_reach(target, run):
            times.append(never(target))
        elif seconds > LONGEST_S:
            times.append(computed(target, samples, seconds))
        else:
            tried.append(pooled(path, bench, "--samples", samples))
            times.append(measured(target, tried[-1]))
    return times, tried


def scrambled_times(path, run, bench):
    """The times of a version whose launches are point sets, and the runs that give them."""
    reachable = [target for target in TARGETS if not is_out_of_reach(target, run)]
    tried = search(path, min(reachable), bench) if reachable else []
    return [cheapest(target, tried) if target in reachable else never(target) for target in TARGETS], tried


def search(path, target, bench):
    """Runs of more and more samples, until one reaches the target or the next would take too long."""
    tried = []
    for arguments, growth in efforts():
        if tried and (tried[-1]["pi_sd"] <= target or tried[-1]["seconds"] * growth > LONGEST_S):
            break
        tried.append(pooled(path, bench, *arguments))
    return tried


def efforts():
    """The options of each run, and its samples relative to the run before."""
    for power in POINT_SETS:
        blocks = min(2**power // THREADS, MOST_BLOCKS)
        iters = 2**power // (blocks * THREADS)
        grid = ["--blocks", blocks, "--threads", THREADS, "--iters", iters]
        yield [*grid, "--launches", LAUNCHES], 2**POINT_SETS.step
    for doubling in itertools.count(1):
        yield [*grid, "--launches", LAUNCHES * 2**doubling], 2


def pooled(path, bench, *arguments):
    """The time of a run of fixed work, and the standard deviation of its estimate."""
    run = bench.run(path, *arguments)
    sd = run["outcome"]["pi_sd"]
    if not sd:
        raise ProgramError(f"{path.name} {' '.join(map(str, arguments))}: no standard deviation of the estimate")
    # A time is per launch, the mean over a batch. Batches are equal up to one launch.
    seconds = statistics.fmean(run["kernel_ms"]) * run["launches"] / 1e3
    sizes = {"launches": run["launches"], "work": run["work"], "samples": run["outcome"]["samples"]}
    return {"seconds": six_digits(seconds), "pi_sd": sd, **sizes}


def is_out_of_reach(target, run):
    return abs(run["outcome"]["bias"]) > target


def never(target):
    return {"target": target, "how": NEVER, "seconds": None, "samples": None}


def computed(target, samples, seconds):
    return {"target": target, "how": COMPUTED, "seconds": six_digits(seconds), "samples": samples}


def measured(target, run):
    return {"target": target, "how": MEASURED, **run}


def cheapest(target, tried):
    """The time of the fastest run that reaches the target. If none does, the time of the last with more launches."""
    reached = [run for run in tried if run["pi_sd"] <= target]
    if reached:
        return measured(target, min(reached, key=lambda run: run["seconds"]))
    times = (tried[-1]["pi_sd"] / target) ** 2
    return computed(target, math.ceil(tried[-1]["samples"] * times), tried[-1]["seconds"] * times)


def summary(row):
    """A row in words."""
    times = [f"{time['target']:.0e} {time_words(time)}" for time in row["times"]]
    return f"{numerals.median_text(row['per_ns'])} samples/ns; {', '.join(times)}"


def time_words(time):
    """A time in words, and how it was found."""
    return NEVER if time["how"] == NEVER else f"{numerals.duration(time['seconds'])} ({time['how']})"
