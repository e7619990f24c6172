"""Run the same estimate in other packages, beside two versions of the ladder.

The peers are short programs in scripts/peers/ and kernels/peers/: PyTorch (eager
and compiled), CuPy, JAX and Triton, run by the Python that runs this, and
Thrust. Each times at least 10 launches, and its hits must fit pi. One whose
package is missing is stored as missing, one that fails with its error. The
result goes to <out>/<device>/peers.json; without a usable GPU there is none.
Peers stored there that are not run now stay, if they are of the same build and
machine; if not, nothing is replaced, and the result goes to <bin>/results/<device>/.
"""

import math
import sys
from typing import NamedTuple

from suite import numerals
from suite.analyse import order_statistics
from suite.command import (
    DONE, FAILED, SCRIPTS, SET_ASIDE, USAGE, Command, add_folders, require_folder, require_gpu, require_programs,
)  # fmt: skip
from suite.documents import checks, files, peers, result, storing
from suite.measure.programs import document_of
from suite.processes import ProgramError, last_line, run_program

COMMAND = Command("run_peers", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a peer failed (the others are stored); or a version did, and nothing was written" + SET_ASIDE,
    USAGE: "bad usage, or a program is missing",
})
complain = COMMAND.complain
MISSING = 3  # what a peer exits with when its package is missing, or a GPU

VERSIONS = ["v11", "v15"]
PEERS = ["pytorch_eager", "pytorch_compiled", "cupy", "jax", "triton", "thrust"]
PROGRAMS = SCRIPTS / "peers"

FEWEST_LAUNCHES = 10
MAX_SIGMA = 5
MAX_BIAS = 1e-6  # of an estimate, from how random bits become floats



class Peer(NamedTuple):
    """What to call a peer, and how to run it."""

    name: str
    command: tuple


def main():
    """Run versions and peers and store the result; returns the exit code."""
    options = parse_arguments()
    versions = {version: (options.bin / f"pi_{version}").absolute() for version in VERSIONS}
    require_gpu(versions[VERSIONS[0]])
    document = run_versions(versions)
    rows = [run_peer(peer) for peer in chosen(options)]
    return store(document, rows, options)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--only", nargs="+", choices=PEERS, metavar="NAME", help=f"of {', '.join(PEERS)}")
    options = parser.parse_args()
    require_folder(options.bin)
    require_programs(options.bin, *(f"pi_{version}" for version in VERSIONS), "peer_thrust")
    return options


# Programs


def chosen(options):
    """The peers to run, in their own order."""
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


def run_versions(versions):
    """The merged documents of the versions."""
    merged = None
    for version, path in versions.items():
        document = document_of(path)
        merged = result.merge(merged, document) if merged else document
        report(version, numerals.rate_text(document["runs"][0]["per_ns"]))
    return merged


def report(name, text):
    """Say what was measured."""
    print(f"{name:<16}  {text}", flush=True)


# Peers


def run_peer(peer):
    """The row of a peer: what it measured, or why it did not."""
    try:
        row = measured(peer)
    except (ProgramError, checks.ResultError) as error:
        complain(FAILED, f"{peer.name}: {error}")
        return {"peer": peer.name, "error": str(error)}
    report(peer.name, row.get("missing") or numerals.rate_text(row["per_ns"]))
    return row


def measured(peer):
    """What a peer measured, checked, and its rate."""
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
    """Refuse what no peer of this name can have measured, and hits that do not fit pi."""
    checks.check(record, peers.PRINTED, "its output")
    if record["peer"] != name:
        raise checks.ResultError(f"it calls itself {record['peer']}")
    times, samples, hits = record["ms"], record["samples"], record["hits"]
    if len(times) < FEWEST_LAUNCHES:
        raise checks.ResultError(f"it timed {len(times)} launches, fewer than {FEWEST_LAUNCHES}")
    if samples != len(times) * record["samples_per_launch"]:
        raise checks.ResultError(f"its {samples} samples are not those of {len(times)} launches")
    distance = 4 * hits / samples - math.pi
    if abs(distance) > MAX_SIGMA * pi_sd(samples) + MAX_BIAS:
        raise checks.ResultError(f"its {hits} hits of {samples} samples are {distance:+.2e} from pi, too far")


def pi_sd(samples):
    """Standard deviation of an estimate from independent samples."""
    return math.sqrt(math.pi * (4 - math.pi) / samples)


# Storing


def store(document, rows, options):
    """Write the result where it belongs; returns the exit code."""
    context = document["context"]
    runs = [{name: run[name] for name in peers.RUN} for run in document["runs"]]
    kept = peers.DOCUMENT.made(context, rows, runs=runs)
    return storing.keep(kept, storing.PEERS, *storing.folders(context, options))
