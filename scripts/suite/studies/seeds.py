"""Run steps with many seeds: how far their estimates are from what is expected, in standard deviations.

All other results have one seed. Here a step runs with the seeds 1, 2, 3 and so on, each time with the same number of
launches. Its deviations must look like independent draws from the normal distribution. The result goes to
<out>/<device>/<ladder>-seeds.json. Interrupted, the command goes on where it stopped: it does not repeat runs that
are stored of the same build and machine, unless the checkout was modified.
"""

import functools

from suite import ladders
from suite.analyse import deviations
from suite.command import Command, add_suite, parse_with_folders, require_gpu
from suite.documents import kinds, records, storing
from suite.processes import ProgramError
from suite.studies.study import EXIT_CODES, EXPLANATION, Measurement, Plan
from suite.tools import chosen
from suite.tools.programs import Bench

COMMAND = Command("seeds", __doc__, EXIT_CODES, EXPLANATION)

FIRST = 1
SECONDS = 1  # of a run, about
COUNTS = ("hits", "samples", "numbers", "estimate", "sd", "entries", "histories")  # what a row has of an outcome


def main():
    """Run every version with its seeds and store the runs; returns the exit code."""
    options = parse_arguments()
    found = chosen.programs(options, ladders.having("seeds"), lambda ladder: ladder.seeds)
    require_gpu(next(iter(found[0][1].values())))
    return chosen.of_ladders(found, COMMAND, lambda ladder, paths: measure(ladder, paths, options))


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_suite(parser, ladders.having("seeds"), "all that have programs in the folder")
    parser.add_argument(
        "--most", type=int, metavar="N", help="only the first N seeds of each version (default: all of its 50 or 200)"
    )
    parser.set_defaults(versions=())
    options = parse_with_folders(parser)
    if options.most is not None and options.most < 2:
        parser.error(f"--most {options.most}: at least 2")
    return options


def measure(ladder, paths, options):
    """Run the versions of a ladder and store their runs; returns the exit code."""
    kind, bench, plans = kinds.SEEDS.of(ladder), Bench(), []
    earlier = functools.cache(lambda: stored_rows(kind, bench.document["context"], options))
    for version, path in paths.items():
        own = ladder.seeds[version]
        most = min(own.count, options.most or own.count)
        plans.append(Plan(version, most, runs_of(version, path, own, most, bench, earlier)))
    return Measurement(kind, bench, options, seconds=SECONDS).follow(plans, text_of, COMMAND.complain)


def runs_of(version, path, own, most, bench, earlier):
    """The row of each seed: stored by an earlier call, or of the first ones measured."""
    for number in range(own.count):
        options = (*own.options, "--seed", FIRST + number)
        row = earlier().get((version, text_of_options(options))) if bench.document else None
        if row is None and number < most:
            row = row_of(path, bench.run(path, *options), options)
            earlier()  # known after a run, and read before this one is stored in their place
        if row:
            yield row


def stored_rows(kind, context, options):
    """The rows of a build and machine that an earlier call of the command has stored, by version and options."""
    rows = [row for folder in storing.folders(context, options) for row in storing.rows_of_build(kind, folder, context)]
    return {(row["version"], row["options"]): row for row in rows if not records.has_failed(row)}


def row_of(path, run, options):
    """What is stored of a run with these options."""
    deviation = deviations.deviation_of(run["outcome"])
    if deviation is None:
        raise ProgramError(f"{path.name} tells no deviation of its estimate")
    row = {name: run[name] for name in ("version", "title", "seed", "launches")}
    outcome = {name: run["outcome"][name] for name in COUNTS if name in run["outcome"]}
    return row | {"options": text_of_options(options), "deviation": round(deviation, 6), "outcome": outcome}


def text_of_options(options):
    return " ".join(map(str, options))


def text_of(run):
    """A run in words."""
    return f"seed {run['seed']}: {run['deviation']:+.2f} sd"
