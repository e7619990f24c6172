"""Run the same work in other packages, and two versions of the ladder for comparison.

The peers are short programs in scripts/peers/ and kernels/peers/. Those of the
ladder pi: PyTorch (eager and compiled), CuPy, JAX, Triton and Thrust. Those of
the ladder arrays: Thrust, OpenMP, OpenACC, and cuRAND in the manner of NVIDIA's
sample. Of normals: cuRAND's host and device API, PyTorch, CuPy, JAX and numba-cuda.
Of asian and lookback: NVIDIA's sample MonteCarloMultiGPU written for their paths,
PyTorch, CuPy, and, of asian, JAX, numba-cuda and QuantLib on the CPU. Of mcls:
solvers without random numbers, with cuSPARSE, in one block on the GPU and with
Eigen on the CPU, and Monte Carlo synthetic acceleration. The Python peers run in
the Python that runs this command. Each peer times at least 10 launches, and its
hits must fit pi, or its mean the reference. A solver says how far it is after some
iterations, and must find the solution if it says that it is done. A peer without
its package, or that was not built, is stored as missing, and a peer that fails with
its error. The result goes to <out>/<device>/<ladder>-peers.json; without a usable GPU
there is none. Stored rows of other peers stay if they are of the same build and
machine. If not, nothing is replaced, and the result goes to <bin>/results/<device>/.
"""

import math
import sys
from typing import NamedTuple

from suite import ladders, numerals
from suite.analyse import order_statistics
from suite.command import (
    DONE, FAILED, SCRIPTS, SET_ASIDE, USAGE, Command, add_folders, fail_usage, require_folder, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import checks, files, kinds, peers, storing
from suite.ladder import Known
from suite.measure.programs import Bench
from suite.processes import ProgramError, is_program, last_line, run_program

COMMAND = Command("run_peers", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a peer failed, the others are stored; or a version failed, nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or a program is missing",
})
complain = COMMAND.complain
MISSING = 3  # exit code of a peer without its package or without a GPU
PROGRAMS = SCRIPTS / "peers"

FEWEST_LAUNCHES = 10
MAX_SIGMA = 5
MAX_BIAS = 1e-6  # of an estimate of pi, from the conversion of random bits to floats
MAX_RELATIVE_BIAS = 2e-5  # of a mean, from arithmetic in float
MAX_VARIANCE_ERROR = 0.05
MAX_SOLUTION_ERROR = 1e-5  # of a solver that is done: 1000 times the tolerance of its residual


SUITES = {ladder.suite: ladder.peers for ladder in ladders.every_ladder() if ladder.peers}


class Peer(NamedTuple):
    """A peer's name and its command."""

    name: str
    command: tuple


def main():
    """Run versions and peers and store the result; returns the exit code."""
    options = parse_arguments()
    versions = [(options.bin / name).absolute() for name in version_programs(options.ladder)]
    require_gpu(versions[0])
    bench = Bench()
    runs = [run_version(path, bench) for path in versions]
    known = SUITES[options.suite].known or reference_of(bench.document["runs"][0]["outcome"], options.ladder)
    rows = [run_peer(peer, options.ladder, SUITES[options.suite].packages[peer.name].known or known) for peer in chosen(options)]
    own = kinds.PEERS.of(options.ladder)
    document = own.document.made(bench.document["context"], rows, runs=runs)
    return storing.keep(document, own, options)


def version_programs(ladder):
    """The programs of the versions that are run for comparison."""
    return [ladder.program(version) for version in SUITES[ladder.suite].versions]


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--suite", choices=SUITES, default=next(iter(SUITES)), help="the ladder whose peers to run (default: %(default)s)")
    names = "; ".join(f"{name}: {', '.join(suite.packages)}" for name, suite in SUITES.items())
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"run only these peers of the ladder ({names})")
    options = parser.parse_args()
    suite = SUITES[options.suite]
    for name in options.only or ():
        if name not in suite.packages:
            fail_usage(f"--only: {options.suite} has no peer {name}, only {', '.join(suite.packages)}")
    require_folder(options.bin)
    options.ladder = ladders.ladder_named(options.suite)
    require_programs(options.bin, *version_programs(options.ladder), *([suite.required] if suite.required else []))
    return options


# Programs


def chosen(options):
    """The peers to run, in the order of their suite."""
    found = SUITES[options.suite].packages
    return [Peer(name, command(found[name].command, options.bin)) for name in found if name in (options.only or found)]


def command(peer, folder):
    """The command of a peer."""
    name, *arguments = peer
    if name.startswith(("peer_", "mcls_")):
        return ((folder / name).absolute(), *arguments)
    return (sys.executable, "-B", PROGRAMS / f"{name}.py", *arguments)


# Versions


def run_version(path, bench):
    """The stored fields of a version's run."""
    run = bench.run(path)
    report(run["version"], numerals.rate_text(run["per_ns"]))
    return {name: run[name] for name in peers.RUN}


def reference_of(outcome, ladder):
    """What is known of the mean that a ladder estimates; None for hits and solutions."""
    if ladder.outcome != "means":
        return None
    return Known(outcome["reference"]["value"], outcome["reference"]["sd"], outcome["statistics"][0]["exact_variance"])


def report(name, text):
    """Print a line about what was measured."""
    print(f"{name:<16}  {text}", flush=True)


# Peers


def run_peer(peer, ladder, known):
    """The row of a peer: its measurement, or its error."""
    try:
        row = measured(peer, ladder, known)
    except (ProgramError, checks.ResultError) as error:
        complain(FAILED, f"{peer.name}: {error}")
        return {"peer": peer.name, "error": str(error)}
    report(peer.name, row.get("missing") or result_text(row))
    return row


def result_text(row):
    """What a peer measured, for the terminal."""
    if not peers.is_solver(row):
        return numerals.rate_text(row["per_ns"])
    last = row["points"][-1]
    end = "" if row["reached"] else f", the tolerance not reached: residual {numerals.scientific(last['residual'])}"
    return f"{last['iterations']} iterations in {numerals.duration(peers.ms_of(last) / 1e3)}{end}"


def measured(peer, ladder, known):
    """A peer's measurement, checked, with its rate."""
    program = peer.command[0]
    if not is_program(program):
        return {"peer": peer.name, "missing": f"{program.name} was not built: cmake said why"}
    outcome = run_program(*peer.command)
    if outcome.code == MISSING:
        return {"peer": peer.name, "missing": last_line(outcome.errors) or "no reason given"}
    if outcome.code != 0:
        raise ProgramError(last_line(outcome.errors) or f"exit {outcome.code}")
    record = files.parse_json(outcome.output, "its output")
    check(record, peer.name, peers.PRINTED[ladder.outcome])
    fields = {name: record[name] for name in peers.PRINTED[ladder.outcome]}
    if ladder.outcome == "solution":
        check_solver(record)
        return fields
    check_launches(record)
    (check_hits if known is None else check_mean)(record, known)
    rates = [record["samples_per_launch"] / ms / 1e6 for ms in record["ms"]]
    return fields | {"per_ns": order_statistics.summary(rates)}


def check(record, name, table):
    """Refuse an invalid record."""
    checks.check(record, table, "its output")
    if record["peer"] != name:
        raise checks.ResultError(f"it calls itself {record['peer']}")


def check_solver(record):
    """Refuse points that contradict each other, and the end of a solver that found another solution."""
    checks.check(record, peers.STORED["solution"], "its output")
    error = record["points"][-1]["error"]
    if record["reached"] and error > MAX_SOLUTION_ERROR:
        raise checks.ResultError(f"its residual is small, but its solution is wrong by {error:.2e}")


def check_launches(record):
    """Refuse too few launches."""
    if len(record["ms"]) < FEWEST_LAUNCHES:
        raise checks.ResultError(f"it timed {len(record['ms'])} launches, fewer than {FEWEST_LAUNCHES}")


def check_hits(record, _):
    """Refuse hits that do not fit pi."""
    launches, samples, hits = len(record["ms"]), record["samples"], record["hits"]
    if samples != launches * record["samples_per_launch"]:
        raise checks.ResultError(f"its {samples} samples do not match {launches} launches")
    distance = 4 * hits / samples - math.pi
    if abs(distance) > MAX_SIGMA * pi_sd(samples) + MAX_BIAS:
        raise checks.ResultError(f"its {hits} hits of {samples} samples are {distance:+.2e} from pi, too far")


def check_mean(record, known):
    """Refuse an estimate that does not fit what is known, or a standard deviation that would hide it."""
    estimate, sd = record["estimate"], record["sd"]
    if known.variance and abs(sd**2 * record["numbers"] / known.variance - 1) > MAX_VARIANCE_ERROR:
        raise checks.ResultError(f"its standard deviation {sd:.2e} is not that of {record['numbers']} independent numbers")
    distance = estimate - known.value
    if abs(distance) > MAX_SIGMA * math.hypot(sd, known.sd) + MAX_RELATIVE_BIAS * known.value:
        raise checks.ResultError(f"its estimate {estimate:.8g} is {distance:+.2e} from {known.value:.8g}, too far")


def pi_sd(samples):
    """Standard deviation of an estimate from independent samples."""
    return math.sqrt(math.pi * (4 - math.pi) / samples)
