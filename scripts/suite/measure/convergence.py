"""Follow the estimate of pi from 10^6 to 10^14 samples, where its bias shows.

Each program runs three times, pooling launches that fit: for 10^6 to 10^8
samples, 10^8 to 10^11, and 10^11 to 10^14. The points of its curve are the
samples and hits so far, about eight per decade. The result goes to
<out>/<device>/convergence.json. Curves stored there of programs that fail now
stay, if they are of the same build and machine; if not, the failure is stored
instead. Without a usable GPU there is no result.
"""

import math
from typing import NamedTuple

from suite.command import (
    DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_any_program, require_folder, require_gpu,
)  # fmt: skip
from suite.documents import checks, result, storing
from suite.measure.programs import document_of
from suite.processes import ProgramError, is_program

COMMAND = Command("convergence", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
complain = COMMAND.complain

# Each way of making coordinates, and another of the same words: v6_mantissa as v11 does, v11_centred half a step on.
VERSIONS = ["v8", "v11", "v6", "v6_mantissa", "v11_centred"]
SEED = 1234
STEP = 1.2  # between the last point of a segment and the first of the next, which is another run


class Segment(NamedTuple):
    """A run: from and to how many samples, and the launch that is pooled, hundreds of times or more."""

    first: int
    last: int
    blocks: int
    threads: int
    iters: int

# The grid of the longer ones nearly fills any large GPU. Its 10^5 samples a thread are what the ladder runs.
SEGMENTS = (
    Segment(10**6, 10**8, 8, 128, 100),
    Segment(10**8, 10**11, 1024, 256, 100),
    Segment(10**11, 10**14, 1024, 256, 100_000),
)


def main():
    """Follow every version and store the curves; returns the exit code."""
    options = parse_arguments()
    paths = {version: (options.bin / f"pi_{version}").absolute() for version in VERSIONS}
    require_gpu(next(path for path in paths.values() if is_program(path)))
    merged, curves = None, []
    for version, path in paths.items():
        try:
            merged, curve = follow(path, options.max, merged)
        except (ProgramError, checks.ResultError) as error:
            curves.append(checks.failed_row(version, error))
            complain(FAILED, error)
            continue
        curves.append(curve)
        print(f"{version:<14}  {extent(curve)}", flush=True)
    if not checks.succeeded(curves):
        raise Stop(FAILED, "no program succeeded, nothing was written")
    return store(merged["context"], curves, options)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--max", type=count, default=SEGMENTS[-1].last, metavar="N", help="samples to end at (1e14)")
    options = parser.parse_args()
    require_folder(options.bin)
    if options.max < SEGMENTS[0].first:
        parser.error(f"--max {options.max}: curves begin at {SEGMENTS[0].first} samples")
    require_any_program(options.bin, *(f"pi_{version}" for version in VERSIONS))
    return options


def count(text):
    """A whole number, which may be written 1e12."""
    if not float(text).is_integer():
        raise ValueError
    return int(float(text))


# Programs


def pooled(path, segment, samples, seed):
    """The document of a pooled run."""
    shape = ["--blocks", segment.blocks, "--threads", segment.threads, "--iters", segment.iters]
    document = document_of(path, "--samples", samples, *shape, "--seed", seed)
    if not document["runs"][0]["outcome"]["trace"]:
        raise ProgramError(f"{path.name} prints no trace of a pooled run: build it anew")
    return document


# Measuring


def follow(path, most, merged):
    """The curve of a program; returns the documents so far merged with its own, and the curve."""
    points = []
    for number, segment in enumerate(SEGMENTS):
        if points and segment.first >= most:
            break
        document = pooled(path, segment, min(segment.last, most), SEED + number)
        merged = result.merge(merged, document) if merged else document
        run = document["runs"][0]
        points += points_of(run["outcome"]["trace"], segment, points)
    return merged, curve_of(run, points)


def points_of(trace, segment, before):
    """The points of a run that are of its segment, and beyond those of the one before."""
    first = STEP * before[-1][0] if before else segment.first
    return [point for point in trace if point[0] >= first]


def curve_of(run, points):
    facts = {name: run[name] for name in ("version", "title", "generator")}
    return facts | {name: run["outcome"][name] for name in ("expected", "bias")} | {"points": points}


def extent(curve):
    """What a curve comes to, in words."""
    samples, hits = curve["points"][-1]
    distance = abs(4 * hits / samples - math.pi)
    return f"{distance:.2e} from pi after {samples:.3g} samples, of which {curve['bias']:.2e} is bias"


# Storing


def store(context, curves, options):
    """Write the document where it belongs; returns the exit code."""
    document = storing.CONVERGENCE.document.made(context, curves)
    return storing.keep(document, storing.CONVERGENCE, *storing.folders(context, options))
