"""Runs on several GPUs, scaling.json."""

import math

from suite.documents.checks import ABOVE_0, COUNT_ABOVE_0, INTERVAL, TEXT, Maybe, one_of
from suite.documents.document import CONTEXT, DEVICE, Document

LAUNCHERS = DEVICES, MPI = "devices", "mpi"
MODES = WEAK, STRONG = "weak", "strong"
MOST_LAUNCH_MS = 0.5


def _other_gpus(document):
    """The most GPUs of a point are those of the document."""
    if max((point["gpus"] for point in document["points"]), default=0) != document["gpus"]:
        return f"no point is on {document['gpus']} GPUs, or one is on more"

POINT = {
    "version": TEXT, "launcher": one_of(*LAUNCHERS), "mode": one_of(*MODES), "efficiency": ABOVE_0, "run_ms": INTERVAL,
    "kernel_ms": INTERVAL,
} | dict.fromkeys(("gpus", "launches", "samples", "iters"), COUNT_ABOVE_0)  # fmt: skip
DOCUMENT = Document(
    "points", POINT, key=("version", "launcher", "mode", "gpus", "launches"),
    fields={"context": CONTEXT | {"device": DEVICE}, "gpus": COUNT_ABOVE_0, "mpi": Maybe(TEXT)}, rules=(_other_gpus,),
)  # fmt: skip


# What a document says


def series(points):
    """The points of each version and launcher."""
    found = {}
    for point in points:
        found.setdefault((point["version"], point["launcher"]), []).append(point)
    return found


def launch_ms(point):
    """The time of a launch on the GPU that had the most of them."""
    return point["kernel_ms"]["median"] / math.ceil(point["launches"] / point["gpus"])


def longest_launch_ms(points):
    return max(launch_ms(point) for point in points)


def launches_of_work(point):
    """Launches of each GPU in weak scaling, of all in strong: what runs that are compared have in common."""
    return point["launches"] // point["gpus"] if point["mode"] == WEAK else point["launches"]


def sizes(points):
    return sorted({point["gpus"] for point in points})


def of_size(points, gpus):
    return [point for point in points if point["gpus"] == gpus]


def rate(point):
    """Samples/ns of all GPUs together."""
    return point["samples"] / point["run_ms"]["median"] / 1e6
