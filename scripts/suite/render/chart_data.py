"""What the charts of a device show, and whether a stored chart shows it still.

A chart carries three hashes in its last line: of the data that it shows, of
charts.py, which drew it, and of its own drawing. They tell a chart that is out
of date or was edited from one that is not, without matplotlib, and without a
word about which matplotlib drew it.
"""

import hashlib
import json
import math
import re
import subprocess
import sys
from pathlib import Path

from suite import numerals
from suite.analyse.verdicts import DEMONSTRATION
from suite.documents import checks, result
from suite.documents.merit import NEVER, is_scrambled, variance_of_one
from suite.documents.profile import ISSUE_SLOTS, PIPES, TITLES, kernels_of, limit_of, limit_title
from suite.documents.scaling import STRONG, WEAK, of_size, series, sizes
from suite.ladders import pi
from suite.render import device_page, merit_tables, scaling_tables, tables

DRAWER = Path(__file__).resolve().parent / "charts.py"
PYTHONS = (sys.executable, "/usr/bin/python3")  # apt's matplotlib belongs to the latter
NO_MATPLOTLIB = "matplotlib is missing: apt-get install python3-matplotlib, or pip install matplotlib"
STAMP = re.compile(r"<!-- data sha256:(\w+) renderer sha256:(\w+) drawing sha256:(\w+) -->\n\Z")

LONGEST_LABEL = 30
PLAIN = ("v6", "v8", "v14", "v15")  # of the versions whose sd falls as the root of the time: more would hide each other
MARKS = {"demonstration": "†", "dependent": "‡"}


class DrawingError(Exception):
    """A chart could not be drawn; the message says in one line why."""


def charts_of(device, references):
    """What each chart of a device shows, by its file's name. A chart without data is left out."""
    charts = {"ladder.svg": ladder(device, references)}
    if has_pipes(device):
        charts["pipes.svg"] = pipes(device)
    if has_sweep(device):
        charts["time.svg"] = time(device)
    if has_convergence(device):
        charts["convergence.svg"] = convergence(device)
    if has_merit(device):
        charts["merit.svg"] = merit(device)
    return charts


def has_pipes(device):
    return device.profile is not None and any(pipe_names(kernels_of(device.profile)))


def has_sweep(device):
    return device.sweep is not None and bool(device.sweep["points"])


def has_convergence(device):
    return device.convergence is not None and any(curves_with_points(device))


def has_merit(device):
    return device.merit is not None and any(chosen_rows(device))


# The ladder


def ladder(device, references):
    runs = tables.in_step_order(device.result["runs"])
    lines = [*reference_lines(references), *limit_lines(device)]
    rates = [run["per_ns"]["median"] for run in runs if "error" not in run] + [line["rate"] for line in lines]
    return {
        "chart": "ladder",
        "title": f"Samples of π per nanosecond on {device.name}, one idea per step",
        "note": "Marks at the ends of the bars: 95 % interval of the median. Dashed: the best figures of others.",
        "bars": [bar(run) for run in runs],
        "lines": lines,
        "range": [10.0 ** math.floor(math.log10(min(rates) / 2)), short(max(rates) * 2)] if rates else [0.01, 1000],
    }


def bar(run):
    failed = "error" in run
    rate = None if failed else {name: run["per_ns"][name] for name in ("median", "low", "high")}
    text = "failed" if failed else numerals.median_text(rate)
    return {"label": bar_label(run), "kind": kind_of(run), "rate": rate, "text": text}


def bar_label(run):
    if pi.is_cpu(run):
        label = cpu_label(run)
    else:
        label = f"{run['version']}: {run['title']}" if "title" in run else run["version"]
    mark = MARKS.get(kind_of(run))
    return f"{shortened(label)} {mark}" if mark else shortened(label)


def kind_of(run):
    """What a reader must know to compare the bar of a run with the others."""
    if pi.is_cpu(run):
        return "cpu"
    if not tables.has_independent_samples(run):
        return "dependent"
    return "demonstration" if tables.soundness(run) == DEMONSTRATION else "sound"


def cpu_label(run):
    return f"CPU, {tables.threads_text(run['threads'])}" if "threads" in run else run["version"]


def shortened(text):
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def reference_lines(references):
    """The best figure of each GPU of others, and of the fastest of their other devices, which run no versions."""
    best = {name: max(facts["rates"].values()) for name, facts in device_page.devices_of(references).items()}
    others = [row for reference in references for row in reference["rows"] if tables.is_device(row)]
    if others:
        fastest = max(others, key=lambda row: row["samples_per_ns"])
        best[fastest["device"]] = fastest["samples_per_ns"]
    return [{"label": f"{shortened(name)}: {rate}", "rate": float(rate), "limit": False} for name, rate in best.items()]


def limit_lines(device):
    """What the fastest step would do with its busiest unit at 100 %."""
    rates = {step: rate["median"] for step, rate in tables.rates_of(device.result["runs"]).items()}
    fastest = max(rates, key=rates.get, default=None)
    limit = limits_of(device).get(fastest)
    if not limit or not limit["pct"] > 0:
        return []
    rate = short(rates[fastest] / (limit["pct"] / 100))
    return [{"label": f"{fastest} with {unit(limit)} 100 % busy: {rate:.0f}", "rate": rate, "limit": True}]


def unit(limit):
    return f"its {limit_title(limit)}{' pipe' if limit['name'] in PIPES else ''}"


def limits_of(device):
    """Name and percentage of the busiest unit of each profiled version."""
    if device.profile is None:
        return {}
    versions = {row["version"] for row in kernels_of(device.profile)}
    limits = {version: limit_of(device.profile, version) for version in versions}
    return {version: limit for version, limit in limits.items() if limit}


# Pipes


def pipes(device):
    kernels = kernels_of(device.profile)
    busy, names = [utilisation(row) for row in kernels], pipe_names(kernels)
    return {
        "chart": "pipes",
        "title": f"How busy the issue slots and each pipe are on {device.name}, in %",
        "note": "The maximum of each column is 100 %. Purple: where a kernel is busiest.",
        "rows": [f"{row['version']}{' set-up' if row['samples'] is None else ''}" for row in kernels],
        "columns": [{"title": title(name), "cells": [cell(name, kernel, names) for kernel in busy]} for name in names],
    }


def pipe_names(kernels):
    """The pipes that there are figures for. FMA is left out where its two parts are there."""
    busy = [utilisation(row) for row in kernels]
    names = [name for name in (ISSUE_SLOTS, *PIPES) if any(kernel[name] is not None for kernel in busy)]
    return [name for name in names if name != "fma" or "fmaheavy" not in names]


def utilisation(row):
    return {ISSUE_SLOTS: row["issue_pct"]} | {name: row["pipes"][name] for name in PIPES}


def title(name):
    text = TITLES[name]
    return text[0].upper() + text[1:]


def cell(name, kernel, names):
    """The utilisation of one pipe by one kernel."""
    pct = kernel[name]
    most = max((kernel[other] for other in names if kernel[other] is not None), default=None)
    text = "" if pct is None else numerals.percent_text(pct)
    return {"pct": pct, "text": text, "busiest": pct is not None and pct == most and pct > 0}


# Time against samples


def time(device):
    points = curves_of(device.sweep)
    base = next((version for version in points if version.startswith("cpu_")), None)
    starts = {version: overtaking(points[version], points[base]) for version in points if base and version != base}
    labels = {run["version"]: cpu_label(run) for run in device.result["runs"] if pi.is_cpu(run)}
    return {
        "chart": "time",
        "title": f"Time of a launch against its samples on {device.name}",
        "note": "Flat: the launch and setting up generators, however few the samples. Straight: the samples.",
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
    """Where a curve falls below the base for good: None if it does not, otherwise whether it crosses it, and where."""
    first, last = max(curve[0][0], base[0][0]), min(curve[-1][0], base[-1][0])
    samples = sorted({point[0] for point in curve + base if first <= point[0] <= last})
    gaps = [log_time(curve, count) - log_time(base, count) for count in samples]
    if not gaps or gaps[-1] >= 0:
        return None
    behind = max((i for i, gap in enumerate(gaps) if gap >= 0), default=None)
    if behind is None:
        return {"crosses": False, "samples": samples[0], "ms": short(math.exp(log_time(curve, samples[0])))}
    x, y = math.log(samples[behind]), math.log(samples[behind + 1])
    part = gaps[behind] / (gaps[behind] - gaps[behind + 1])
    crossing = math.exp(x + part * (y - x))
    return {"crosses": True, "samples": short(crossing), "ms": short(math.exp(log_time(curve, crossing)))}


def log_time(curve, samples):
    """The logarithm of the time, between two points on the straight line of the logarithms."""
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


# Distance from pi against samples


def convergence(device):
    curves = curves_with_points(device)
    samples = [count for curve in curves for count, _ in curve["points"]]
    return {
        "chart": "convergence",
        "title": f"Distance of the estimate from π on {device.name}",
        "note": "Shaded: one and two standard deviations. Dashed: the known bias, the difference of 4P from π.",
        "curves": [
            {
                "label": f"{curve['version']}: {numerals.scientific(curve['bias'], digits=3)}",
                "bias": short(abs(curve["bias"])),
                "points": [[count, distance(count, hits)] for count, hits in curve["points"]],
            }
            for curve in curves
        ],
        "sd_of_one": short(math.sqrt(math.pi * (4 - math.pi))),
        "range": [10.0 ** math.floor(math.log10(min(samples))), max(samples)],
    }


def curves_with_points(device):
    return [curve for curve in checks.succeeded(device.convergence["curves"]) if curve["points"]]


def distance(samples, hits):
    """How far the estimate is from pi; None if that is nothing, which no logarithmic scale can show."""
    return short(abs(4 * hits / samples - math.pi)) or None


def short(value):
    """Six digits: what follows from a logarithm may differ in the last ones from machine to machine."""
    return float(f"{value:.6g}")


# Standard deviation of the estimate against time


def merit(device):
    plain, scrambled = chosen_rows(device)
    lines, curves = [line_of(row) for row in plain], [points_of(row) for row in scrambled]
    points = [point for part in lines + curves for point in part["points"]]
    times = [time for row in plain + scrambled for time in row["times"] if time["how"] != NEVER]
    return {
        "chart": "merit",
        "title": f"Standard deviation of the estimate against GPU time on {device.name}",
        "note": "Lines: by rate and variance, down to the known bias. Dots: measured; "
        f"by 2ⁿ: {result.FEWEST_DEPENDENT} launches of so many points.",
        "lines": lines,
        "curves": curves,
        "range": decades([1e-4, 1e4] + [part["seconds"] for part in points + times]),
        "lowest": short(min([time["target"] for time in times] + [point["sd"] for point in points], default=1e-8)),
    }


def chosen_rows(device):
    """The rows with a line, and those with a curve of their own."""
    rows = checks.succeeded(device.merit["rows"])
    plain = [row for row in rows if row["version"] in PLAIN and not is_scrambled(row)]
    return plain, [row for row in rows if is_scrambled(row) and row["tried"]]


def line_of(row):
    """A version's sd after a second, which is all there is to its line, and where that ends."""
    sd = math.sqrt(variance_of_one(row) / row["per_ns"]["median"] / 1e9)
    label = f"{row['version']}: bias {merit_tables.bias(row)}"
    return {"label": label, "sd_of_second": short(sd), "bias": short(abs(row["bias"])), "points": measured_points(row)}


def points_of(row):
    """A version's measured points: point sets by their size where they are fewest, and the last if there are more."""
    points, runs = measured_points(row), row["tried"]
    texts = [set_text(run) if run["launches"] == result.FEWEST_DEPENDENT else "" for run in runs]
    if not texts[-1]:
        texts[-1] = f"{runs[-1]['launches']:,} × {set_text(runs[-1])}"
    return {"label": row["version"], "points": [point | {"text": text} for point, text in zip(points, texts)]}


def measured_points(row):
    return [{"seconds": run["seconds"], "sd": short(run["pi_sd"])} for run in row["tried"]]


def set_text(run):
    """The size of a point set as a power of two."""
    return f"2{str(round(math.log2(run['work']))).translate(numerals.SUPERSCRIPTS)}"


def decades(values):
    """The powers of ten around values."""
    return [10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))]


# Efficiency of several GPUs


def scaling(scaling):
    points, gpus = scaling.document["points"], scaling.document["gpus"]
    return {
        "chart": "scaling",
        "title": f"Efficiency of several GPUs: {scaling.name}",
        "note": "Time of the same work on one GPU over the time on all; in strong scaling, also over their number.",
        "wanted": {"pct": 100 * scaling_tables.WANTED, "text": f"{scaling_tables.WANTED:.0%}".replace("%", " %")},
        "strong": {
            "title": f"Strong: the same work shared by {gpus}",
            "lines": [strong_line(key, own, gpus) for key, own in series(points).items()],
        },
        "weak": {
            "title": "Weak: the same work for each",
            "lines": [weak_line(key, own) for key, own in series(points).items()],
            "gpus": sizes(points),
            "label": "GPUs, in the longest runs",
        },
        "lowest": 5 * math.floor(min(100 * point["efficiency"] for point in points) / 5 - 0.2),
    }


def strong_line(key, points, gpus):
    """Efficiency against the time of a run on all GPUs."""
    runs = [point for point in of_size(points, gpus) if point["mode"] == STRONG]
    return {"label": line_label(key), "points": sorted([run["run_ms"]["median"], pct(run)] for run in runs)}


def weak_line(key, points):
    """Efficiency against the number of GPUs, of the longest runs."""
    weak = [point for point in points if point["mode"] == WEAK]
    longest = [scaling_tables.longest(of_size(weak, gpus)) for gpus in sizes(weak)]
    return {"label": line_label(key), "points": [[run["gpus"], pct(run)] for run in longest]}


def line_label(key):
    return ", ".join(scaling_tables.names(*key))


def pct(point):
    return short(100 * point["efficiency"])


# Stored charts


def is_current(text, chart):
    """Whether the text of an SVG is a drawing of this, by this charts.py, and unchanged since."""
    stamp = STAMP.search(text or "")
    return bool(stamp) and stamped(text[: stamp.start()], chart) == text


def stamped(drawing, chart):
    """The drawing with its last line."""
    data = json.dumps(chart, sort_keys=True, ensure_ascii=False)
    hashes = [hashlib.sha256(part).hexdigest() for part in (data.encode(), DRAWER.read_bytes(), drawing.encode())]
    return f"{drawing}<!-- data sha256:{hashes[0]} renderer sha256:{hashes[1]} drawing sha256:{hashes[2]} -->\n"


def draw(charts):
    """The SVG texts of charts."""
    python = next((python for python in PYTHONS if has_matplotlib(python)), None)
    if python is None:
        raise DrawingError(NO_MATPLOTLIB)
    process = subprocess.run([python, "-B", DRAWER], input=json.dumps(charts), capture_output=True, text=True)
    if process.returncode != 0:
        raise DrawingError((process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1])
    return [stamped(drawing, chart) for drawing, chart in zip(json.loads(process.stdout), charts)]


def has_matplotlib(python):
    command = [python, "-c", "import matplotlib"]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        return False
