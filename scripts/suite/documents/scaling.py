"""Runs on several GPUs, scaling.json."""

import math

from suite.documents import checks

LAUNCHERS = DEVICES, MPI = "devices", "mpi"
MODES = WEAK, STRONG = "weak", "strong"
MOST_LAUNCH_MS = 0.5


def check(document):
    """Refuse what is no record of runs on several GPUs."""
    checks.check_head(document, "points")
    checks.check_fields(document, {"gpus": (int,), "mpi": (str, type(None))}, "the document")
    if document["context"]["device"] is None:
        raise checks.ResultError("not a GPU's result: context.device is null")
    fields = {"version": (str,), "launcher": (str,), "mode": (str,)}
    counts = ("gpus", "launches", "samples", "iters")
    for point in document["points"]:
        checks.check_fields(point, fields | dict.fromkeys(counts, (int,)), "a point")
        where = f"{point['version']} on {point['gpus']} GPUs"
        checks.check_above_0(point, (*counts, "efficiency"), where)
        for name in ("run_ms", "kernel_ms"):
            checks.check_interval(point.get(name), f"{where}: {name}")
        if point["launcher"] not in LAUNCHERS or point["mode"] not in MODES:
            raise checks.ResultError(f"{where} has an unknown launcher or mode")
    checks.check_unique(document["points"], "version", "launcher", "mode", "gpus", "launches")
    if max((point["gpus"] for point in document["points"]), default=0) != document["gpus"]:
        raise checks.ResultError(f"no point is on {document['gpus']} GPUs, or one is on more")


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
