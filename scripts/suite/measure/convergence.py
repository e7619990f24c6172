"""Follow the estimate of pi from 10^6 to 10^14 samples, where its bias shows.

Each program runs three times: for 10^6 to 10^8 samples, 10^8 to 10^11, and 10^11
to 10^14. Each run pools many launches. The points of a curve are the samples and
hits so far, about eight per decade. The result goes to
<out>/<device>/pi-convergence.json. If a program fails, its stored curve stays if it
is of the same build and machine; otherwise the failure is stored. Without a
usable GPU there is no result.
"""

import math
from typing import NamedTuple

from suite import ladders
from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, add_folders, require_any_program, require_folder, require_gpu,
)  # fmt: skip
from suite.documents import kinds, storing
from suite.measure.programs import Bench, measure_each
from suite.processes import ProgramError, is_program

COMMAND = Command("convergence", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
(LADDER,) = [ladder for ladder in ladders.every_ladder() if ladder.convergence]

CONVERGENCE = kinds.CONVERGENCE.of(LADDER)

VERSIONS = LADDER.convergence
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
    paths = {version: (options.bin / LADDER.program(version)).absolute() for version in VERSIONS}
    require_gpu(next(path for path in paths.values() if is_program(path)))
    bench = Bench()
    curves = measure_each(paths, lambda path: follow(path, options.max, bench), COMMAND.complain)
    document = CONVERGENCE.document.made(bench.document["context"], curves)
    return storing.keep(document, CONVERGENCE, options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--max", type=count, default=SEGMENTS[-1].last, metavar="N", help="last number of samples (default 1e14)")
    options = parser.parse_args()
    require_folder(options.bin)
    if options.max < SEGMENTS[0].first:
        parser.error(f"--max {options.max}: curves begin at {SEGMENTS[0].first} samples")
    require_any_program(options.bin, *(LADDER.program(version) for version in VERSIONS))
    return options


def count(text):
    """A whole number, such as 1e12."""
    if not float(text).is_integer():
        raise ValueError
    return int(float(text))


# Measuring


def follow(path, most, bench):
    """The curve of a program, printed."""
    points = []
    for number, segment in enumerate(SEGMENTS):
        if points and segment.first >= most:
            break
        run = pooled(path, segment, min(segment.last, most), SEED + number, bench)
        points += points_of(run["outcome"]["trace"], segment, points)
    curve = curve_of(run, points)
    print(f"{run['version']:<14}  {extent(curve)}", flush=True)
    return curve


def pooled(path, segment, samples, seed, bench):
    """A pooled run."""
    shape = ["--blocks", segment.blocks, "--threads", segment.threads, "--iters", segment.iters]
    run = bench.run(path, "--samples", samples, *shape, "--seed", seed)
    if not run["outcome"]["trace"]:
        raise ProgramError(f"{path.name} prints no trace of a pooled run: build it again")
    return run


def points_of(trace, segment, before):
    """The points of a run that lie in its segment and beyond the points of the segment before."""
    first = STEP * before[-1][0] if before else segment.first
    return [point for point in trace if point[0] >= first]


def curve_of(run, points):
    facts = {name: run[name] for name in ("version", "title", "generator")}
    return facts | {name: run["outcome"][name] for name in ("expected", "bias")} | {"points": points}


def extent(curve):
    """The end of a curve in words."""
    samples, hits = curve["points"][-1]
    distance = abs(4 * hits / samples - math.pi)
    return f"{distance:.2e} from pi after {samples:.3g} samples, of which {curve['bias']:.2e} is bias"
