"""Run the same estimate in other packages, and two versions of the ladder for comparison.

The peers are short programs in scripts/peers/ and kernels/peers/: PyTorch (eager
and compiled), CuPy, JAX, Triton and Thrust. The Python peers run in the Python
that runs this command. Each peer times at least 10 launches, and its hits must
fit pi. A peer without its package is stored as missing, and a peer that fails
with its error. The result goes to <out>/<device>/pi-peers.json; without a usable
GPU there is none. Stored rows of other peers stay if they are of the same build
and machine. If not, nothing is replaced, and the result goes to
<bin>/results/<device>/.
"""

import math
import sys
from typing import NamedTuple

from suite import numerals
from suite.analyse import order_statistics
from suite.command import (
    DONE, FAILED, SCRIPTS, SET_ASIDE, USAGE, Command, add_folders, require_folder, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import checks, files, kinds, peers, storing
from suite.ladders import naming, pi
from suite.measure.programs import Bench
from suite.processes import ProgramError, last_line, run_program

COMMAND = Command("run_peers", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a peer failed, the others are stored; or a version failed, nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or a program is missing",
})
complain = COMMAND.complain
MISSING = 3  # exit code of a peer without its package or without a GPU

OWN = kinds.PEERS.of(pi)
VERSIONS = ["v11", "v15"]
PEERS = ["pytorch_eager", "pytorch_compiled", "cupy", "jax", "triton", "thrust"]
PROGRAMS = SCRIPTS / "peers"

FEWEST_LAUNCHES = 10
MAX_SIGMA = 5
MAX_BIAS = 1e-6  # of an estimate, from the conversion of random bits to floats


class Peer(NamedTuple):
    """A peer's name and its command."""

    name: str
    command: tuple


def main():
    """Run versions and peers and store the result; returns the exit code."""
    options = parse_arguments()
    versions = {version: (options.bin / naming.program(pi, version)).absolute() for version in VERSIONS}
    require_gpu(versions[VERSIONS[0]])
    bench = Bench()
    runs = [run_version(path, bench) for path in versions.values()]
    rows = [run_peer(peer) for peer in chosen(options)]
    document = OWN.document.made(bench.document["context"], rows, runs=runs)
    return storing.keep(document, OWN, options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--only", nargs="+", choices=PEERS, metavar="NAME", help=f"run only these of {', '.join(PEERS)}")
    options = parser.parse_args()
    require_folder(options.bin)
    require_programs(options.bin, *(naming.program(pi, version) for version in VERSIONS), "peer_thrust")
    return options


# Programs


def chosen(options):
    """The peers to run, in the order of PEERS."""
    python = (sys.executable, "-B")
    commands = {
        "pytorch_eager": (*python, PROGRAMS / "with_torch.py"),
        "pytorch_compiled": (*python, PROGRAMS / "with_torch.py", "--compile"),
        "cupy": (*python, PROGRAMS / "with_cupy.py"),
        "jax": (*python, PROGRAMS / "with_jax.py"),
        "triton": (*python, PROGRAMS / "with_triton.py"),
        "thrust": ((options.bin / "peer_thrust").absolute(),),
    }
    return [Peer(name, commands[name]) for name in PEERS if name in (options.only or PEERS)]


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
