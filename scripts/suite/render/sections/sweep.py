"""Time of a launch against its samples."""

import math

from suite import numerals
from suite.ladders import naming
from suite.render import sources
from suite.render.sections import steps

HEADING = "Time against samples"


def section(device, site):
    if not has_points(device):
        return []
    text = "The time of a launch includes the set-up of its generators. Short launches are timed many in a row."
    image = sources.image("time.svg", "Time of a launch against its samples", device)
    return [f"{text} {sources.data(device, 'sweep')}", image]


def has_points(device):
    return device.sweep is not None and bool(device.sweep["points"])


# Chart


def chart(device, site):
    if not has_points(device):
        return None
    points = curves_of(device.sweep)
    base = next((version for version in points if version.startswith("cpu_")), None)
    starts = {version: overtaking(points[version], points[base]) for version in points if base and version != base}
    labels = {run["version"]: steps.cpu_label(run) for run in device.result["runs"] if naming.is_cpu(run)}
    return {
        "chart": "time",
        "title": f"Time of a launch against its samples on {device.name}",
        "note": "Flat: launch and set-up take the same time for any number of samples. Rising: the samples take most of the time.",
        "curves": [
            {
                "label": labels.get(version, version),
                "is_cpu": version.startswith("cpu_"),
                "points": curve,
                "overtakes": circle(starts.get(version)),
            }
            for version, curve in points.items()
        ],
        "overtaking": ["Faster than the CPU", *(start_text(*start) for start in starts.items())] if starts else [],
    }


def curves_of(sweep):
    """Points (samples, median, low, high in ms) of each version, by samples."""
    curves = {}
    for point in sweep["points"]:
        ms = point["ms"]
        curves.setdefault(point["version"], []).append([point["samples"], ms["median"], ms["low"], ms["high"]])
    return {version: sorted(points) for version, points in curves.items()}


def overtaking(curve, base):
    """Where a curve falls below the base for good, and whether it crosses it there. None if it does not."""
    first, last = max(curve[0][0], base[0][0]), min(curve[-1][0], base[-1][0])
    samples = sorted({point[0] for point in curve + base if first <= point[0] <= last})
    gaps = [log_time(curve, count) - log_time(base, count) for count in samples]
    if not gaps or gaps[-1] >= 0:
        return None
    behind = max((i for i, gap in enumerate(gaps) if gap >= 0), default=None)
    if behind is None:
        return {"crosses": False, "samples": samples[0], "ms": numerals.short(math.exp(log_time(curve, samples[0])))}
    x, y = math.log(samples[behind]), math.log(samples[behind + 1])
    part = gaps[behind] / (gaps[behind] - gaps[behind + 1])
    crossing = math.exp(x + part * (y - x))
    return {"crosses": True, "samples": numerals.short(crossing), "ms": numerals.short(math.exp(log_time(curve, crossing)))}


def log_time(curve, samples):
    """The logarithm of the time. Between two points the logarithms are interpolated linearly."""
    left = max((point for point in curve if point[0] <= samples), default=curve[0])
    right = min((point for point in curve if point[0] >= samples), default=curve[-1])
    if left[0] == right[0]:
        return math.log(left[1])
    part = math.log(samples / left[0]) / math.log(right[0] / left[0])
    return (1 - part) * math.log(left[1]) + part * math.log(right[1])


def circle(start):
    return [start["samples"], start["ms"]] if start and start["crosses"] else None


def start_text(version, start):
    if start is None:
        return f"{version}: at no size"
    if not start["crosses"]:
        return f"{version}: at every size"
    return f"{version}: from {numerals.scientific(start['samples'])} samples"
