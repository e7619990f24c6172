"""The same estimate as others would write it, beside versions of the ladder measured beside it on the same machine: a table."""

from suite import markdown
from suite.markdown import LEFT, NONE, RIGHT, one_line
from suite.render import tables

TITLES = {
    "pytorch_eager": "PyTorch, eager",
    "pytorch_compiled": "PyTorch, compiled",
    "cupy": "CuPy",
    "jax": "JAX",
    "triton": "Triton",
    "thrust": "Thrust",
}
OWN = "this suite"


def table(document):
    """The versions, then the peers; a dash for what was not measured."""
    runs = document["runs"]
    titles = ["Program", "Package", "Generator", "Samples/ns"]
    titles += [f"{run['version']} is × times as fast" for run in runs]
    rows = [version_row(run, runs) for run in runs] + [peer_row(peer, runs) for peer in document["peers"]]
    return markdown.table(titles, [LEFT] * 3 + [RIGHT] * (1 + len(runs)), rows)


def version_row(run, runs):
    return [tables.step(run), OWN, one_line(run["generator"]), tables.median(run), *ratios(run, runs)]


def peer_row(peer, runs):
    title = one_line(TITLES.get(peer["peer"], peer["peer"]))
    if "per_ns" not in peer:
        return [title, NONE, NONE, outcome(peer), *ratios(peer, runs)]
    return [title, one_line(peer["package"]), one_line(peer["generator"]), tables.median(peer), *ratios(peer, runs)]


def outcome(peer):
    """What stands in place of the rate of a peer that was not measured."""
    return "failed" if "error" in peer else NONE


def ratios(row, runs):
    """How many times as fast as it each version is."""
    return [tables.ratio(run["per_ns"], row.get("per_ns")) for run in runs]
