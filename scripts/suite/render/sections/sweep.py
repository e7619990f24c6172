"""Time of a launch against its samples."""

from suite import naming, numerals
from suite.analyse.crossings import overtaking
from suite.documents import records
from suite.render import sources
from suite.render.curves import near, together
from suite.render.sections import steps

HEADING = "Time against samples"


def section(device, site):
    if not has_points(device):
        return []
    text = "The time of a launch includes the set-up of its generators. Short launches are timed many in a row."
    image = sources.image(site.ladder.charts["sweep"], "Time of a launch against its samples", device)
    return [f"{text} {sources.data(device, 'sweep')}", image, *sources.failures(device.sweep["runs"]), *sources.warnings_of_study(device.sweep["runs"])]


def has_points(device):
    return device.sweep is not None and bool(records.succeeded(device.sweep["runs"]))


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
        "title": sources.chart_title(site.ladder, device.name, "time of a launch against its samples"),
        "note": "Flat: launch and set-up take the same time for any number of samples. Rising: samples take most of it. Shaded: 95 % intervals.",
        "curves": [
            {
                "label": ", ".join(labels.get(version, version) for version in group),
                "is_cpu": group[0].startswith("cpu_"),
                "points": points[group[0]],
                "part": [],
            }
            for group in together(points, lambda one, other: alike(points[one], points[other]))
        ],
        "of": "launch",
        "circles": [[start["samples"], start["ms"]] for start in starts.values() if start and start["crosses"]],
        "lines": [],
        "overtaking": ["Faster than the CPU", *(start_text(*start) for start in starts.items())] if starts else [],
    }


def curves_of(sweep):
    """Points (samples, median, low, high in ms) of each version, by samples."""
    curves = {}
    for run in records.succeeded(sweep["runs"]):
        ms = run["kernel_ms"]
        curves.setdefault(run["version"], []).append([run["work"], ms["median"], ms["low"], ms["high"]])
    return {version: sorted(points) for version, points in curves.items()}


def alike(curve, other):
    """Whether two curves lie on each other: they have the same sizes, and nearly the same times."""
    times, others = ({samples: ms for samples, ms, *_ in points} for points in (curve, other))
    return times.keys() == others.keys() and all(near(ms, others[samples]) for samples, ms in times.items())


def start_text(version, start):
    if start is None:
        return f"{version}: at no size"
    if not start["crosses"]:
        return f"{version}: at every size"
    return f"{version}: from {numerals.scientific(start['samples'])} samples"
