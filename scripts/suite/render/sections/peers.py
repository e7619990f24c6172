"""Peers: the same work written for other packages, beside versions of the ladder on the same machine."""

from suite import markdown
from suite.markdown import LEFT, NONE, RIGHT, one_line
from suite.render import cells, sources

HEADING = "Peers"
TITLES = {
    "pytorch_eager": "PyTorch, eager",
    "pytorch_compiled": "PyTorch, compiled",
    "cupy": "CuPy",
    "jax": "JAX",
    "triton": "Triton",
    "thrust": "Thrust",
    "arrays_thrust": "Thrust",
    "arrays_openmp": "OpenMP",
    "arrays_openacc": "OpenACC",
    "arrays_nvidia": "NVIDIA's sample",
    "asian_nvidia": "NVIDIA's sample, on our path",
    "lookback_nvidia": "NVIDIA's sample, on our path",
    "curand_xorwow": "cuRAND, stored",
    "curand_philox": "cuRAND, stored",
    "curand_mrg32k3a": "cuRAND, stored",
    "curand_mtgp32": "cuRAND, stored",
    "curand_device": "cuRAND, in registers",
    "numba": "numba-cuda",
    "quantlib": "QuantLib, one core of the CPU",
}
OWN = "this suite"

ABOUT = """Short programs for other packages do the same work, each with its own generator. Beside them stand versions
of the ladder, measured on the same machine. A dash: the package was not installed."""


def section(device, site):
    if device.peers is None:
        return []
    return [f"{sources.filled(ABOUT)} {sources.data(device, 'peers')}", table(device.peers, site.ladder)]


def table(document, ladder):
    """The versions, then the peers."""
    runs = document["runs"]
    titles = ["Program", "Package", "Generator", ladder.RATE]
    titles += [f"{run['version']} is × times as fast" for run in runs]
    rows = [version_row(run, runs) for run in runs] + [peer_row(peer, runs) for peer in document["peers"]]
    return markdown.table(titles, [LEFT] * 3 + [RIGHT] * (1 + len(runs)), rows)


def version_row(run, runs):
    return [cells.step(run), OWN, one_line(run["generator"]), cells.median(run), *ratios(run, runs)]


def peer_row(peer, runs):
    title = one_line(TITLES.get(peer["peer"], peer["peer"]))
    if "per_ns" not in peer:
        return [title, NONE, NONE, outcome(peer), *ratios(peer, runs)]
    return [title, one_line(peer["package"]), one_line(peer["generator"]), cells.median(peer), *ratios(peer, runs)]


def outcome(peer):
    """What stands in place of the rate of a peer that was not measured."""
    return "failed" if "error" in peer else NONE


def ratios(row, runs):
    """How many times as fast as it each version is."""
    return [cells.ratio(run["per_ns"], row.get("per_ns")) for run in runs]
