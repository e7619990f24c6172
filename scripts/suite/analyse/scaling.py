"""Runs on several GPUs: the points of a study."""

import math

from suite.analyse.verdicts import DEMONSTRATION, NOT_TESTED
from suite.documents import records
from suite.numerals import six_digits

DEVICES, MPI = "devices", "mpi"
WEAK, STRONG = "weak", "strong"


def points_of(document):
    """The points of a study: a run each, with its efficiency over the same work on one GPU.

    None of a version that failed, nor of a run without that one; none at all if no run is of several GPUs, such as after an interrupt.
    """
    failed = {run["version"] for run in document["runs"] if records.has_failed(run)}
    points = [point_of(run) for run in document["runs"] if run["version"] not in failed]
    alone = [alone_of(point, points) for point in points]
    points = [with_efficiency(point, other) for point, other in zip(points, alone, strict=True) if other]
    return points if any(point["gpus"] > 1 for point in points) else []


def point_of(run):
    """A run as a point; its times are those of all launches that were timed at once."""
    team, launches = run["team"], run["batch"]
    return {
        "version": run["version"], "launcher": team["kind"], "mode": team["scaling"], "gpus": team["size"], "launches": launches,
        "work": launches * run["work"], "timings": team["wall_ms"].get("count", 0), "run_ms": times_of(team["wall_ms"], launches),
        "sound": run.get("soundness") not in (DEMONSTRATION, NOT_TESTED),
        "kernel_ms": times_of(run["kernel_ms"], launches),
    }  # fmt: skip


def times_of(ms, launches):
    return {name: six_digits(ms[name] * launches) for name in ("median", "low", "high")}


def alone_of(point, points):
    """The point of the same work on one GPU; None if there is none."""
    return next((other for other in points if is_alone(other, point)), None)


def with_efficiency(point, alone):
    """The point with its efficiency relative to that of the same work on one GPU, and the least and most by the intervals of both."""
    shared = point["gpus"] if point["mode"] == STRONG else 1
    least, efficiency, most = (
        six_digits(alone["run_ms"][own] / point["run_ms"][other] / shared)
        for own, other in (("low", "high"), ("median", "median"), ("high", "low"))
    )
    return point | {"efficiency": efficiency, "between": (least, most)}


def is_alone(other, point):
    """Whether other is the same work as a point, on one GPU."""
    same = all(other[name] == point[name] for name in ("version", "launcher", "mode"))
    return same and other["gpus"] == 1 and launches_of_work(other) == launches_of_work(point)


def series(points):
    """The points of each version and launcher."""
    return records.grouped(((point["version"], point["launcher"]), point) for point in points)


def launch_ms(point):
    """The time of a launch on the GPU that had the most of them."""
    return point["kernel_ms"]["median"] / math.ceil(point["launches"] / point["gpus"])


def launches_of_work(point):
    """Launches of each GPU in weak scaling, of all in strong: what runs that are compared have in common."""
    return point["launches"] // point["gpus"] if point["mode"] == WEAK else point["launches"]


def sizes(points):
    return sorted({point["gpus"] for point in points})


def of_size(points, gpus):
    return [point for point in points if point["gpus"] == gpus]


def rate(point):
    """The rate of all GPUs together, in units of work per ns."""
    return point["work"] / point["run_ms"]["median"] / 1e6
