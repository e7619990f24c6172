"""The page of runs on several GPUs: measured points, the model fitted to them, its predictions, and the chart."""

import math

from suite import markdown, numerals
from suite.analyse import scaling_model
from suite.documents import checks
from suite.documents.scaling import DEVICES, MPI, STRONG, WEAK, launches_of_work, longest_launch_ms, of_size, rate, series, sizes
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import sources

LAUNCHER_TITLES = {DEVICES: "one process", MPI: "MPI"}

WANTED = 0.98  # an efficiency; the tables have the shortest run that reaches it
RUN_MS = 10  # the tables have the efficiency of runs of this time
MANY = 1024  # GPUs
LARGE, LARGE_GPUS = 10**18, (1, 8, MANY)  # samples, and the GPUs to draw them

INTRODUCTION = """Each run is divided into launches of at most {launch} ms, which its GPUs share. Its time runs from the
moment when all GPUs are ready until all counts are added up. Strong scaling: the same number of launches in total. Weak
scaling: the same number for each GPU. Efficiency is the time on one GPU divided by the time on all; in strong scaling it
is also divided by their number. One process has a thread for each GPU; MPI has a process for each GPU.{mpi}"""

SHORTER = """One GPU is slower here than in {page}, because its launches are shorter. A launch starts every thread and its
generator anew, and the GPU drains before the next one starts. With fewer samples for each thread that weighs more. The last
column is what it costs a launch, if nothing else differs."""

MODEL = """**T = W / (P r) + L + R log₂ P** is the time of a run of W samples on P GPUs: r is the rate of one GPU, L a
constant time of every run, R the time of one step of adding up the counts of all GPUs. The parameters are fitted to all
runs above by least squares of relative differences; ± is one standard deviation."""

UNDETERMINED = "If all runs were on one GPU, R is not known, and several GPUs are not predicted."

ONE_HOST = "One process can only use the GPUs of its host. Its rows assume more GPUs than any host has."

BELOW_ZERO = "A parameter below 0 cannot be distinguished from 0, and counts as 0 in predictions."

PREDICTION = """The model predicts the efficiency of {many} such GPUs and the time of {large} samples. Neither was measured. The
prediction assumes that GPUs are identical and launches independent; that GPUs share nothing but the counts; that the counts are
added up in a tree, as MPI does; that a step of the tree takes as long as within this one host, so R is a lower bound if
there is a network in between; that nothing fails; and that the work divides into launches, at least one of {launch} ms for
each GPU."""


def page(scaling, devices):
    """The text of results/<device>/scaling.md; devices have the ladder's results on one GPU, by slug."""
    document = scaling.document
    return sources.page(
        f"More than one GPU: {scaling.name}",
        f"{document['gpus']} × {sources.facts_text(document['context'])}. Data: {sources.link('scaling.json')}.",
        "## Efficiency",
        introduction(document),
        short_table(document["points"]),
        *alone_parts(document["points"], devices.get(scaling.slug.removesuffix(f"-x{document['gpus']}"))),
        sources.image("scaling.svg", "Efficiency against the time of a run, and against the number of GPUs", scaling),
        "## All runs",
        point_table(document["points"]),
        *model_parts(document["points"]),
    )


# Tables


def point_table(points):
    """A row for each version, launcher and amount of work: its times by number of GPUs, and its efficiencies."""
    columns = sizes(points)
    several = [gpus for gpus in columns if gpus > 1]
    titles = ["Version", "Run by", "Scaling", "Samples", *(f"{gpus_text(gpus)} (ms)" for gpus in columns)]
    titles += [f"Efficiency on {gpus}" for gpus in several]
    rows = {}
    for point in points:
        work = (point["version"], point["launcher"], point["mode"], launches_of_work(point))
        rows.setdefault(work, {})[point["gpus"]] = point
    cells = [row_cells(by_gpus, columns, several) for by_gpus in rows.values()]
    return markdown.table(titles, [LEFT] * 3 + [RIGHT] * (1 + len(columns) + len(several)), cells)


def row_cells(by_gpus, columns, several):
    point = next(iter(by_gpus.values()))
    samples = point["samples"] // point["gpus"] if point["mode"] == WEAK else point["samples"]
    work = numerals.scientific(samples, digits=3) + (" each" if point["mode"] == WEAK else "")
    times = [four_digits(by_gpus[gpus]["run_ms"]["median"]) if gpus in by_gpus else NONE for gpus in columns]
    efficiencies = [percent(by_gpus[gpus]["efficiency"]) if gpus in by_gpus else NONE for gpus in several]
    return [*names(point["version"], point["launcher"]), point["mode"], work, *times, *efficiencies]


def names(version, launcher):
    return [version, LAUNCHER_TITLES[launcher]]


def model_table(models):
    """The parameters, by version and launcher."""
    titles = ["Version", "Run by", "r (samples/ns a GPU)", "L (µs)", "R (µs)", "Largest difference"]
    rows = [[*names(*key), *parameter_cells(model)] for key, model in models.items()]
    return markdown.table(titles, [LEFT] * 2 + [RIGHT] * 4, rows)


def parameter_cells(model):
    if model is None:
        return [NONE] * 4
    parameters = [NONE if value is None else value_text(value) for value in (model.rate, model.start_us, model.step_us)]
    return [*parameters, percent(model.residual, 2)]


def prediction_table(models, launches):
    """The predictions of the models. launches has the time of a launch in ms, by version and launcher."""
    many = f"{MANY:,} GPUs"
    titles = ["Version", "Run by", f"Shortest run with {WANTED:.0%}".replace("%", " %") + f", {many}"]
    titles += [f"Efficiency of {RUN_MS} ms, {many}"]
    titles += [f"{numerals.power_of_ten(LARGE)} samples, {gpus_text(gpus)}" for gpus in LARGE_GPUS]
    rows = [[*names(*key), *prediction_cells(model, launches[key])] for key, model in models.items()]
    return markdown.table(titles, [LEFT] * 2 + [RIGHT] * (len(titles) - 2), rows)


def prediction_cells(model, launch):
    if model is None:
        return [NONE] * (2 + len(LARGE_GPUS))
    shortest = scaling_model.shortest_us(model, WANTED, MANY, launch * 1e3)
    efficiency = scaling_model.efficiency(model, RUN_MS * 1e3, MANY)
    times = [scaling_model.seconds(model, LARGE, gpus) for gpus in LARGE_GPUS]
    return [
        NONE if shortest is None else numerals.duration(shortest / 1e6),
        NONE if efficiency is None else percent(efficiency),
        *(NONE if time is None else numerals.duration(time) for time in times),
    ]


def short_table(points):
    """The table for a first look: the longest runs in weak scaling, and in strong scaling those nearest to RUN_MS."""
    most = sizes(points)[-1]
    titles = ["Version", "Run by", "1 GPU (samples/ns)", f"{gpus_text(most)} (samples/ns)", "Weak efficiency"]
    titles += [f"Strong efficiency, run of about {RUN_MS} ms"]
    rows = [[*names(*key), *short_cells(own, most)] for key, own in series(points).items()]
    return markdown.table(titles, [LEFT] * 2 + [RIGHT] * 4, rows)


def short_cells(points, most):
    weak, strong = ([point for point in points if point["mode"] == mode] for mode in (WEAK, STRONG))
    alone, together = (longest(of_size(weak, gpus)) for gpus in (1, most))
    near = min(of_size(strong, most), key=distance_from_run, default=None)
    return [
        *(NONE if point is None else four_digits(rate(point)) for point in (alone, together)),
        *(NONE if point is None else percent(point["efficiency"]) for point in (together, near)),
    ]


def alone_parts(points, device):
    """One GPU here and with the launches of the ladder's page, and why the two differ; none without a version of both."""
    if device is None:
        return []
    runs = {run["version"]: run for run in checks.succeeded(device.result["runs"])}
    found = {version: longest(of_size([point for point in own if point["mode"] == WEAK], 1))
             for (version, launcher), own in series(points).items() if launcher == DEVICES and version in runs}  # fmt: skip
    rows = [alone_cells(version, point, runs[version]) for version, point in found.items() if point]
    titles = ["Version", "Samples a thread", "1 GPU (samples/ns)", "Samples a thread, ladder", "1 GPU, ladder (samples/ns)",
              "Cost of a launch (µs)"]  # fmt: skip
    text = sources.filled(SHORTER, page=f"[the table of the ladder](../{device.slug}/{device.result['suite']}.md)")
    return [text, markdown.table(titles, [LEFT] + [RIGHT] * 5, rows)] if rows else []


def alone_cells(version, point, run):
    here, there = rate(point), run["per_ns"]["median"]
    cost_us = point["samples"] / point["launches"] * (1 / here - 1 / there) / 1e3
    return [version, f"{point['iters']:,}", four_digits(here), f"{run['iters']:,}", four_digits(there), f"{cost_us:.0f}"]


def longest(points):
    return max(points, key=lambda point: point["launches"], default=None)


def distance_from_run(point):
    return abs(math.log(point["run_ms"]["median"] / RUN_MS))


# Texts of the page


def models_of(points):
    return {key: scaling_model.fit(own) for key, own in series(points).items()}


def introduction(document):
    mpi = f" MPI library: {markdown.one_line(document['mpi'])}." if document.get("mpi") else ""
    return sources.filled(INTRODUCTION, launch=at_most(longest_launch_ms(document["points"])), mpi=mpi)


def model_parts(points):
    """The fit, and what follows from it."""
    models = models_of(points)
    launches = {key: longest_launch_ms(own) for key, own in series(points).items()}
    known = [model for model in models.values() if model]
    notes = [UNDETERMINED] if any(model.step_us is None for model in known) else []
    notes += [BELOW_ZERO] if any(is_below_zero(model) for model in known) else []
    bounds = sources.filled(PREDICTION, many=f"{MANY:,}", large=numerals.power_of_ten(LARGE), launch=at_most(max(launches.values())))
    prediction = [bounds, *([ONE_HOST] if any(launcher == DEVICES for _, launcher in models) else [])]
    return [
        "## Model and prediction",
        " ".join([sources.filled(MODEL), *notes]),
        model_table(models),
        " ".join(prediction),
        prediction_table(models, launches),
    ]


def is_below_zero(model):
    return any(value is not None and value.value < 0 for value in (model.start_us, model.step_us))


# Text


def at_most(ms):
    """The time rounded up to two decimals, with room for the error of floating-point numbers."""
    return f"{math.ceil(100 * ms - 1e-6) / 100:.2f}"


def percent(part, decimals=1):
    return f"{100 * part:.{decimals}f} %"


def four_digits(value):
    decimals = 3 - numerals.magnitude(value)
    return f"{round(value, decimals):,.{max(0, decimals)}f}"


def gpus_text(gpus):
    return f"{gpus:,} GPU{'' if gpus == 1 else 's'}"


def value_text(value):
    """A parameter to the first digit of its standard deviation, at most six digits; four digits without one."""
    if not value.sd or not value.value:
        return f"{value.value:,.4g}"
    decimals = max(0, min(-numerals.magnitude(value.sd), 5 - numerals.magnitude(abs(value.value))))
    rounded = round(value.value, decimals) + 0.0  # no -0
    return f"{rounded:,.{decimals}f} ± {value.sd:,.{decimals}f}"


# Chart


def chart(scaling):
    points, gpus = scaling.document["points"], scaling.document["gpus"]
    return {
        "chart": "scaling",
        "title": f"Efficiency of several GPUs: {scaling.name}",
        "note": "The time on one GPU divided by the time on all; in strong scaling also divided by their number.",
        "wanted": {"pct": 100 * WANTED, "text": f"{WANTED:.0%}".replace("%", " %")},
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
    runs = [longest(of_size(weak, gpus)) for gpus in sizes(weak)]
    return {"label": line_label(key), "points": [[run["gpus"], pct(run)] for run in runs]}


def line_label(key):
    return ", ".join(names(*key))


def pct(point):
    return numerals.six_digits(100 * point["efficiency"])
