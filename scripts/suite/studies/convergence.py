"""Follow the estimate of pi from 10^6 to 10^14 samples, where its bias shows.

Each program runs three times: for 10^6 to 10^8 samples, 10^8 to 10^11, and 10^11 to 10^14. Each run pools many
launches. The points of a curve are the samples and hits so far, about eight per decade. The result goes to
<out>/<device>/<ladder>-convergence.json.
"""

import math
from typing import NamedTuple

from suite import ladders
from suite.command import Command, fail_usage, parse_with_folders, require_gpu
from suite.documents import kinds
from suite.documents.records import of_study
from suite.processes import ProgramError, is_program
from suite.studies.study import EXIT_CODES, EXPLANATION, Measurement, Plan
from suite.tools.chosen import of_ladders
from suite.tools.programs import Bench

COMMAND = Command("convergence", __doc__, EXIT_CODES, EXPLANATION)

SEED = 1234
STEP = 1.2  # least ratio of the first point of a segment to the last point of the segment before


class Segment(NamedTuple):
    """A run: its first and last number of samples, and the launch that it repeats hundreds of times or more."""

    first: int
    last: int
    blocks: int
    threads: int
    iters: int


# The grid of the longer segments nearly fills any large GPU. 10^5 samples per thread are the ladder's default.
SEGMENTS = (
    Segment(10**6, 10**8, 8, 128, 100),
    Segment(10**8, 10**11, 1024, 256, 100),
    Segment(10**11, 10**14, 1024, 256, 100_000),
)


def main():
    """Follow every version and store the curves; returns the exit code."""
    options = parse_arguments()
    found = [
        (ladder, {version: (options.bin / ladder.program(version)).absolute() for version in ladder.convergence})
        for ladder in ladders.having("convergence")
    ]
    there = [path for _, paths in found for path in paths.values() if is_program(path)]
    if not there:
        fail_usage(f"{options.bin} holds no program that it measures")
    require_gpu(there[0])
    return of_ladders(found, COMMAND, lambda ladder, paths: measure(ladder, paths, options))


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument(
        "--max", type=count, default=SEGMENTS[-1].last, metavar="N", help="last number of samples (default 1e14)"
    )
    options = parse_with_folders(parser)
    if options.max < SEGMENTS[0].first:
        parser.error(f"--max {options.max}: curves begin at {SEGMENTS[0].first} samples")
    return options


def count(text):
    """A whole number, such as 1e12."""
    if not float(text).is_integer():
        raise ValueError
    return int(float(text))


def measure(ladder, paths, options):
    """Follow the estimates of versions and store their curves; returns the exit code."""
    bench = Bench()
    segments = [segment for segment in SEGMENTS if segment is SEGMENTS[0] or segment.first < options.max]
    plans = [Plan(version, len(segments), curve(path, segments, options.max, bench)) for version, path in paths.items()]
    return Measurement(kinds.CONVERGENCE.of(ladder), bench, options).follow(plans, text_of, COMMAND.complain)


# Measuring


def curve(path, segments, most, bench):
    """The runs of a program, each with the points of its segment that lie beyond those of the segment before."""
    first = segments[0].first
    for number, segment in enumerate(segments):
        shape = ["--blocks", segment.blocks, "--threads", segment.threads, "--iters", segment.iters]
        options = ["--samples", min(segment.last, most), *shape, "--seed", SEED + number]
        run = of_study(bench.run(path, *options), options, "bias", "expected", "trace")
        if not run["outcome"]["trace"]:
            raise ProgramError(f"{path.name} prints no trace of a pooled run: build it again")
        run["outcome"]["trace"] = [point for point in run["outcome"]["trace"] if point[0] >= first]
        first = STEP * run["outcome"]["trace"][-1][0]
        yield run


def text_of(run):
    """The end of a run in words."""
    samples, hits = run["outcome"]["trace"][-1]
    distance = abs(4 * hits / samples - math.pi)
    return f"{distance:.2e} from π after {samples:.3g} samples, of which {run['outcome']['bias']:.2e} is bias"
