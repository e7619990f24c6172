"""Peers: the same work written for other packages, beside versions of the ladder on the same machine."""

from suite import markdown
from suite.markdown import LEFT, RIGHT, one_line
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
of the ladder, measured on the same machine."""


def section(device, site):
    if device.peers is None:
        return []
    about = f"{sources.filled(ABOUT)} {sources.data(device, 'peers')}"
    return [about, table(device.peers, site.ladder), *without_result(device.peers["peers"])]


def table(document, ladder):
    """The versions, then the peers that were measured."""
    runs = document["runs"]
    titles = ["Program", "Package", "Generator", ladder.RATE]
    titles += [f"{run['version']} is × times as fast" for run in runs]
    rows = [version_row(run, runs) for run in runs] + [peer_row(peer, runs) for peer in document["peers"] if "per_ns" in peer]
    return markdown.table(titles, [LEFT] * 3 + [RIGHT] * (1 + len(runs)), rows)


def version_row(run, runs):
    return [cells.step(run), OWN, one_line(run["generator"]), cells.median(run), *ratios(run, runs)]


def peer_row(peer, runs):
    return [title(peer), one_line(peer["package"]), one_line(peer["generator"]), cells.median(peer), *ratios(peer, runs)]


def title(peer):
    return one_line(TITLES.get(peer["peer"], peer["peer"]))


def without_result(rows):
    """A line that says why peers have no row."""
    reasons = [f"{title(row)} ({reason(row)})" for row in rows if "per_ns" not in row]
    return [f"Without a result: {'; '.join(reasons)}."] if reasons else []


def reason(row):
    """Why a peer was not measured."""
    return one_line(row["missing"]) if "missing" in row else f"failed: `{one_line(row['error']).replace('`', chr(39))}`"


def ratios(row, runs):
    """How many times as fast as it each version is."""
    return [cells.ratio(run["per_ns"], row["per_ns"]) for run in runs]
