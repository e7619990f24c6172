"""Run the same work in other packages, and versions of the ladder for comparison.

The peers are short programs in scripts/peers/ and kernels/peers/; their ladder lists them. The Python peers run in
the Python that runs this command. Each peer times at least 10 launches, and its hits must fit pi, or its mean the
reference. A solver says how far it is after some iterations, and must find the solution if it says that it is done. A
peer without its package, or that was not built, is stored as missing, and a peer that fails with its error. The
result goes to <out>/<device>/<ladder>-peers.json.
"""

import math
import statistics
import sys

from suite import ladders, numerals, order_statistics
from suite.analyse import peers
from suite.command import (
    FAILED, SCRIPTS, SET_ASIDE, USAGE, Command, fail_usage, parse_with_folders, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import files, kinds, records, schema
from suite.documents.records import of_study
from suite.documents.schema import ResultError
from suite.ladder import HITS, MEANS, SOLUTION, Known
from suite.processes import NO_GPU, ProgramError, is_program, last_line, run_program
from suite.studies.study import EXIT_CODES, EXPLANATION, Measurement, Plan
from suite.tools.programs import Bench

COMMAND = Command(
    "run_peers",
    __doc__,
    EXIT_CODES
    | {
        FAILED: "a peer or a version failed, the others are stored" + SET_ASIDE,
        USAGE: "bad usage, or a program is missing",
    },
    EXPLANATION,
)
PROGRAMS = SCRIPTS / "peers"
OWN = "peer_"  # how the name of a program begins that is a peer and no program of the ladder

FEWEST_LAUNCHES = 10
OUTCOME = ("hits", "samples", "estimate", "sd", "numbers", "independent")  # what rows have of one
MAX_SIGMA = 5
MAX_BIAS = 1e-6  # of an estimate of pi, from the conversion of random bits to floats
MAX_RELATIVE_BIAS = 2e-5  # of a mean, from arithmetic in float
MAX_VARIANCE_ERROR = 0.05
MAX_SOLUTION_ERROR = 1e-5  # of a solver that is done: 1000 times the tolerance of its residual
SLACK = 1.01  # a solver knows its residual but to rounding


def main():
    """Run versions and peers and store the rows; returns the exit code."""
    options = parse_arguments()
    ladder = options.ladder
    paths = {version: (options.bin / ladder.program(version)).absolute() for version in ladder.peers.versions}
    require_gpu(next(iter(paths.values())))
    bench = Bench()
    plans = [Plan(version, 1, run_of(path, bench)) for version, path in paths.items()]
    for name, peer in ladder.peers.packages.items():
        if not options.only or name in options.only:
            plans.append(Plan(name, 1, row_of(name, peer, ladder, bench, options)))
    return Measurement(kinds.PEERS.of(ladder), bench, options).follow(plans, text_of, COMMAND.complain)


def known():
    return {ladder.suite: ladder for ladder in ladders.having("peers")}


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument(
        "--suite",
        choices=known(),
        default=next(iter(known())),
        help="the ladder whose peers to run (default: %(default)s)",
    )
    names = "; ".join(f"{suite}: {', '.join(ladder.peers.packages)}" for suite, ladder in known().items())
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"run only these peers of the ladder ({names})")
    options = parse_with_folders(parser)
    options.ladder = ladder = known()[options.suite]
    for name in options.only or ():
        if name not in ladder.peers.packages:
            fail_usage(f"--only: {options.suite} has no peer {name}, only {', '.join(ladder.peers.packages)}")
    required = [ladder.peers.required] if ladder.peers.required else []
    require_programs(options.bin, *map(ladder.program, ladder.peers.versions), *required)
    return options


# Rows


def run_of(path, bench):
    """The run of a version."""
    yield of_study(bench.run(path), [], *OUTCOME)


def row_of(name, peer, ladder, bench, options):
    """The row of a peer, which must fit what is known; it is measured after the versions, of which the first may know that."""
    command = command_of(peer, ladder, options.bin)
    if not is_program(command[0]):
        yield {"version": name, "missing": f"{command[0].name} was not built: cmake said why"}
        return
    outcome = run_program(*command)
    if outcome.code == NO_GPU:  # also without its package
        yield {"version": name, "missing": last_line(outcome.errors) or "no reason given"}
        return
    if outcome.code != 0:
        raise ProgramError(f"{name}: {last_line(outcome.errors) or f'exit {outcome.code}'}")
    try:
        yield row_from(outcome.output, name, ladder, peer.known or ladder.peers.known or reference_of(bench, ladder))
    except ResultError as error:
        raise ResultError(f"{name}: {error}") from None


def command_of(peer, ladder, folder):
    """The command of a peer."""
    name, *arguments = peer.command
    if name.startswith((OWN, f"{ladder.prefix}_")):
        return ((folder / name).absolute(), *arguments)
    return (sys.executable, "-B", PROGRAMS / f"{name}.py", *arguments)


def reference_of(bench, ladder):
    """What the first version knows of the mean that a ladder estimates; None for hits and solutions."""
    if ladder.outcome != MEANS:
        return None
    if not bench.document:
        raise ProgramError("no version was measured that knows the reference")
    outcome = bench.document["runs"][0]["outcome"]
    return Known(outcome["reference"]["value"], outcome["reference"]["sd"], outcome["statistics"][0]["exact_variance"])


def row_from(text, name, ladder, known):
    """The row of what a peer printed. Raises ResultError if it is no result, or does not fit what is known."""
    record = files.parse_json(text, "its output")
    schema.check(record, "solver" if ladder.outcome == SOLUTION else "printed", "its output")
    if record["peer"] != name:
        raise ResultError(f"it calls itself {record['peer']}")
    if ladder.outcome == SOLUTION:
        check_solver(record)
        points = [point | {"ms": statistics.median(point["ms"])} for point in record["points"]]
        fields = schema.definitions()["peer"]["properties"]
        stored = {field: value for field, value in record.items() if field in fields}
        return {"version": name} | stored | {"points": points}
    if len(record["ms"]) < FEWEST_LAUNCHES:
        raise ResultError(f"it timed {len(record['ms'])} launches, fewer than {FEWEST_LAUNCHES}")
    (check_hits if ladder.outcome == HITS else check_mean)(record, known)
    rates = [record["samples_per_launch"] / ms / 1e6 for ms in record["ms"]]
    outcome = {field: record[field] for field in OUTCOME if field in record}
    return {
        "version": name, "package": record["package"], "generator": record["generator"], "work": record["samples_per_launch"],
        "launches": len(rates), "kernel_ms": records.summary(record["ms"]), "per_ns": order_statistics.summary(rates),
        "outcome": outcome,
    }  # fmt: skip


# What fits. A peer has no verdict of its own.


def check_solver(record):
    """Refuse points that contradict each other, and the end of a solver that found another solution."""
    numbers, last = [point["iterations"] for point in record["points"]], record["points"][-1]
    if any(one >= other for one, other in zip(numbers, numbers[1:])):
        raise ResultError("its output has points whose iterations do not ascend")
    if record["reached"] != (last["residual"] <= SLACK * record["tolerance"]):
        said = str(record["reached"]).lower()
        raise ResultError(
            f"its output says reached: {said}, with a last residual of {last['residual']:.3g} and a tolerance of {record['tolerance']:g}"
        )
    if record["reached"] and last["error"] > MAX_SOLUTION_ERROR:
        raise ResultError(f"its residual is small, but its solution is wrong by {last['error']:.2e}")


def check_hits(record, _):
    """Refuse hits that do not fit pi."""
    launches, samples, hits = len(record["ms"]), record["samples"], record["hits"]
    if samples != launches * record["samples_per_launch"]:
        raise ResultError(f"its {samples} samples do not match {launches} launches")
    distance = 4 * hits / samples - math.pi
    if abs(distance) > MAX_SIGMA * pi_sd(samples) + MAX_BIAS:
        raise ResultError(f"its {hits} hits of {samples} samples are {distance:+.2e} from pi, too far")


def check_mean(record, known):
    """Refuse an estimate that does not fit what is known, or a standard deviation that would hide it."""
    estimate, sd = record["estimate"], record["sd"]
    if known.variance and abs(sd**2 * record["numbers"] / known.variance - 1) > MAX_VARIANCE_ERROR:
        raise ResultError(f"its standard deviation {sd:.2e} is not that of {record['numbers']} independent numbers")
    distance = estimate - known.value
    if abs(distance) > MAX_SIGMA * math.hypot(sd, known.sd) + MAX_RELATIVE_BIAS * known.value:
        raise ResultError(f"its estimate {estimate:.8g} is {distance:+.2e} from {known.value:.8g}, too far")


def pi_sd(samples):
    """Standard deviation of an estimate from independent samples."""
    return math.sqrt(math.pi * (4 - math.pi) / samples)


def text_of(row):
    """What a row tells, for the terminal."""
    if "missing" in row:
        return row["missing"]
    if not peers.is_solver(row):
        return numerals.rate_text(row["per_ns"])
    last = row["points"][-1]
    end = "" if row["reached"] else f", the tolerance not reached: residual {numerals.scientific(last['residual'])}"
    return f"{last['iterations']} iterations in {numerals.duration(last['ms'] / 1e3)}{end}"
