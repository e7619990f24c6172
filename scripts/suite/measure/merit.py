"""Measure how long each version takes for one standard deviation of 1e-6, 1e-7 and 1e-8 in its estimate of pi.

A run of every pi_v<number> of the --bin folder, or of the versions named, gives
its rate, the variance of its samples and its known bias. If they predict
30 s or less for a target, a run of so many samples is timed; if more, the
prediction is stored; if the bias exceeds the target, there is no such time. A
version whose launches are each a whole point set runs with ever larger sets,
and then more of them, until the spread of its launches reaches the targets.
The result goes to <out>/<device>/merit.json. Rows stored there of other versions
stay, if they are of the same build and machine; if not, nothing is replaced, and
the result goes to <bin>/results/<device>/. A program that fails is named, in
the result too; without a usable GPU there is no result.
"""

import itertools
import math
import statistics
import time

from suite import numerals
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_folder, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import checks, result, storing
from suite.documents.merit import COMPUTED, MEASURED, NEVER, is_scrambled, no_known_ratio, variance_of_one
from suite.ladders import naming
from suite.measure.programs import document_of, steps_in
from suite.processes import ProgramError

COMMAND = Command("merit", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
complain = COMMAND.complain

TARGETS = (1e-6, 1e-7, 1e-8)
LONGEST_S = 30  # that is measured and not computed

# Point sets of 2^16, 2^18, … 2^32 points: as many threads as fill any large GPU, then more points for each.
POINT_SETS = range(16, 33, 2)
THREADS, MOST_BLOCKS = 1024, 256
LAUNCHES = result.FEWEST_DEPENDENT  # give an sd to 18 %


def main():
    """Measure every version and store the rows; returns the exit code."""
    options = parse_arguments()
    paths = programs(options)
    require_gpu(next(iter(paths.values())))
    bench, rows = Bench(), []
    for version, path in paths.items():
        start = time.monotonic()
        try:
            rows.append(row_of(path, bench))
        except (ProgramError, checks.ResultError) as error:
            rows.append(checks.failed_row(version, error))
            complain(FAILED, error)
            continue
        print(f"{version:<14}  {summary(rows[-1])} (took {time.monotonic() - start:.1f} s)", flush=True)
    if not checks.succeeded(rows):
        raise Stop(FAILED, "no program succeeded, nothing was written")
    return store(bench.merged["context"], rows, options)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="a version, as v8; only these are measured (all)")
    add_folders(parser)
    options = parser.parse_args()
    require_folder(options.bin)
    for name in options.versions:
        if not naming.is_version(name):
            parser.error(f"{name}: not the name of a version")
        require_programs(options.bin, f"pi_{name}")
    if not programs(options):
        parser.error(f"{options.bin} holds no pi_v<number>")
    return options


# Programs


def programs(options):
    """The program of each version: of those named, or of every step, by number."""
    named = {name: (options.bin / f"pi_{name}").absolute() for name in options.versions}
    return named or steps_in(options.bin)


class Bench:
    """Runs programs, all of which must be of the same build and device."""

    def __init__(self):
        self.merged = None

    def run(self, path, *arguments):
        """The run that a program records."""
        document = document_of(path, *arguments)
        run = document["runs"][0]
        self.merged = result.merge(self.merged, document) if self.merged else document
        return run


# Measuring


def row_of(path, bench):
    """What a version is worth: its rate, the variance of its samples, its bias, and its times to the targets."""
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
    """The times of a version whose variance falls as one over its samples, and the runs that they come from."""
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
    """The times of a version whose launches are point sets, and the runs that they come from."""
    reachable = [target for target in TARGETS if not is_out_of_reach(target, run)]
    tried = search(path, min(reachable), bench) if reachable else []
    return [cheapest(target, tried) if target in reachable else never(target) for target in TARGETS], tried


def search(path, target, bench):
    """Runs of ever more samples, until one reaches the target or the next would take too long."""
    tried = []
    for arguments, growth in efforts():
        if tried and (tried[-1]["pi_sd"] <= target or tried[-1]["seconds"] * growth > LONGEST_S):
            break
        tried.append(pooled(path, bench, *arguments))
    return tried


def efforts():
    """Options of each run, and how many times the samples of the one before it has."""
    for power in POINT_SETS:
        blocks = min(2**power // THREADS, MOST_BLOCKS)
        iters = 2**power // (blocks * THREADS)
        grid = ["--blocks", blocks, "--threads", THREADS, "--iters", iters]
        yield [*grid, "--launches", LAUNCHES], 2**POINT_SETS.step
    for doubling in itertools.count(1):
        yield [*grid, "--launches", LAUNCHES * 2**doubling], 2


def pooled(path, bench, *arguments):
    """What a run of fixed work took, and the sd of its estimate."""
    run = bench.run(path, *arguments)
    sd = run["outcome"]["pi_sd"]
    if not sd:
        raise ProgramError(f"{path.name} {' '.join(map(str, arguments))}: no standard deviation of the estimate")
    # A time is that of a launch, the mean over a batch; batches are equal but for a single launch.
    seconds = statistics.fmean(run["kernel_ms"]) * run["launches"] / 1e3
    sizes = {"launches": run["launches"], "work": run["work"], "samples": run["outcome"]["samples"]}
    return {"seconds": short(seconds), "pi_sd": sd, **sizes}


def is_out_of_reach(target, run):
    return abs(run["outcome"]["bias"]) > target


def never(target):
    return {"target": target, "how": NEVER, "seconds": None, "samples": None}


def computed(target, samples, seconds):
    return {"target": target, "how": COMPUTED, "seconds": short(seconds), "samples": samples}


def measured(target, run):
    return {"target": target, "how": MEASURED, **run}


def cheapest(target, tried):
    """The time of the fastest run that reaches the target; none does, what the last would take with more launches."""
    reached = [run for run in tried if run["pi_sd"] <= target]
    if reached:
        return measured(target, min(reached, key=lambda run: run["seconds"]))
    times = (tried[-1]["pi_sd"] / target) ** 2
    return computed(target, math.ceil(tried[-1]["samples"] * times), tried[-1]["seconds"] * times)


def short(value):
    return float(f"{value:.6g}")


def summary(row):
    """A version's row in words."""
    times = [f"{time['target']:.0e} {time_words(time)}" for time in row["times"]]
    return f"{numerals.median_text(row['per_ns'])} samples/ns; {', '.join(times)}"


def time_words(time):
    """The same for a terminal, and whether it is measured."""
    return NEVER if time["how"] == NEVER else f"{numerals.duration(time['seconds'])} ({time['how']})"


# Storing


def store(context, rows, options):
    """Write the document where it belongs; returns the exit code."""
    document = storing.MERIT.document.made(context, rows)
    return storing.keep(document, storing.MERIT, *storing.folders(context, options))
