"""Run the same estimate in other packages, and two versions of the ladder for comparison.

The peers are short programs in scripts/peers/ and kernels/peers/. Those of the
ladder pi: PyTorch (eager and compiled), CuPy, JAX, Triton and Thrust. Those of
the ladder arrays: Thrust, OpenMP, OpenACC, and cuRAND in the manner of NVIDIA's
sample. The Python peers run in the Python that runs this command. Each peer
times at least 10 launches, and its hits must fit pi. A peer without its package,
or that was not built, is stored as missing, and a peer that fails with its error.
The result goes to <out>/<device>/pi-peers.json or arrays-peers.json;
without a usable GPU there is none. Stored rows of other peers stay if they are of
the same build and machine. If not, nothing is replaced, and the result goes to
<bin>/results/<device>/.
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
from suite.ladders import naming
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
MAX_BIAS = 1e-6  # of an estimate, from the conversion of random bits to floats


class Suite(NamedTuple):
    """The versions of a ladder with which its peers are compared, and the peers, of which the required one is always built."""

    versions: tuple
    peers: tuple
    required: str

SUITES = {
    "pi": Suite(("v11", "v15"), ("pytorch_eager", "pytorch_compiled", "cupy", "jax", "triton", "thrust"), "peer_thrust"),
    "arrays": Suite(("a5", "a9"), ("arrays_thrust", "arrays_openmp", "arrays_openacc", "arrays_nvidia"), "peer_arrays_thrust"),
}  # fmt: skip


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
    rows = [run_peer(peer) for peer in chosen(options)]
    own = kinds.PEERS.of(options.ladder)
    document = own.document.made(bench.document["context"], rows, runs=runs)
    return storing.keep(document, own, options)


def version_programs(ladder):
    """The programs of the versions that are run for comparison."""
    return [naming.program(ladder, version) for version in SUITES[ladder.SUITE].versions]


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--suite", choices=SUITES, default="pi", help="the ladder whose peers to run (default: %(default)s)")
    names = "; ".join(f"{name}: {', '.join(suite.peers)}" for name, suite in SUITES.items())
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"run only these peers of the ladder ({names})")
    options = parser.parse_args()
    suite = SUITES[options.suite]
    for name in options.only or ():
        if name not in suite.peers:
            fail_usage(f"--only: {options.suite} has no peer {name}, only {', '.join(suite.peers)}")
    require_folder(options.bin)
    options.ladder = ladders.ladder_named(options.suite)
    require_programs(options.bin, *version_programs(options.ladder), suite.required)
    return options


# Programs


def chosen(options):
    """The peers to run, in the order of their suite."""
    python = (sys.executable, "-B")
    commands = {
        "pytorch_eager": (*python, PROGRAMS / "with_torch.py"),
        "pytorch_compiled": (*python, PROGRAMS / "with_torch.py", "--compile"),
        "cupy": (*python, PROGRAMS / "with_cupy.py"),
        "jax": (*python, PROGRAMS / "with_jax.py"),
        "triton": (*python, PROGRAMS / "with_triton.py"),
    }
    names = SUITES[options.suite].peers
    built = {name: ((options.bin / f"peer_{name}").absolute(),) for name in names if name not in commands}
    return [Peer(name, (commands | built)[name]) for name in names if name in (options.only or names)]


# Versions


def run_version(path, bench):
    """The stored fields of a version's run."""
    run = bench.run(path)
    report(run["version"], numerals.rate_text(run["per_ns"]))
    return {name: run[name] for name in peers.RUN}


def report(name, text):
    """Print a line about what was measured."""
    print(f"{name:<16}  {text}", flush=True)


# Peers


def run_peer(peer):
    """The row of a peer: its measurement, or its error."""
    try:
        row = measured(peer)
    except (ProgramError, checks.ResultError) as error:
        complain(FAILED, f"{peer.name}: {error}")
        return {"peer": peer.name, "error": str(error)}
    report(peer.name, row.get("missing") or numerals.rate_text(row["per_ns"]))
    return row


def measured(peer):
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
    check(record, peer.name)
    rates = [record["samples_per_launch"] / ms / 1e6 for ms in record["ms"]]
    return {name: record[name] for name in peers.PRINTED} | {"per_ns": order_statistics.summary(rates)}


def check(record, name):
    """Refuse an invalid record, and hits that do not fit pi."""
    checks.check(record, peers.PRINTED, "its output")
    if record["peer"] != name:
        raise checks.ResultError(f"it calls itself {record['peer']}")
    times, samples, hits = record["ms"], record["samples"], record["hits"]
    if len(times) < FEWEST_LAUNCHES:
        raise checks.ResultError(f"it timed {len(times)} launches, fewer than {FEWEST_LAUNCHES}")
    if samples != len(times) * record["samples_per_launch"]:
        raise checks.ResultError(f"its {samples} samples do not match {len(times)} launches")
    distance = 4 * hits / samples - math.pi
    if abs(distance) > MAX_SIGMA * pi_sd(samples) + MAX_BIAS:
        raise checks.ResultError(f"its {hits} hits of {samples} samples are {distance:+.2e} from pi, too far")


def pi_sd(samples):
    """Standard deviation of an estimate from independent samples."""
    return math.sqrt(math.pi * (4 - math.pi) / samples)
