"""The page of runs on several GPUs: measured points, and the chart."""

import math

from suite import markdown, numerals
from suite.analyse.scaling import (
    DEVICES, MPI, STRONG, WEAK, launches_of_work, longest_launch_ms, of_size, points_of, rate, series, size_of, size_option, sizes,
)  # fmt: skip
from suite.documents import kinds, records
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import sources

LAUNCHER_TITLES = {DEVICES: "one process", MPI: "MPI"}

CHART = "scaling.svg"  # of all pages
WANTED = 0.98  # an efficiency, marked in the chart
RUN_MS = 10  # the tables have the efficiency of runs of this time

INTRODUCTION = """Each run is divided into launches of at most {launch} ms, which its GPUs share. Its time runs from the
moment when all GPUs are ready until all counts are added up. Strong scaling: the same number of launches in total. Weak
scaling: the same number for each GPU. Efficiency is the time on one GPU divided by the time on all; in strong scaling it
is also divided by their number. One process has a thread for each GPU; MPI has a process for each GPU.{mpi}"""

SHORTER = """One GPU is slower here than in {page}, because its launches are shorter. A launch starts every thread and its
generator anew, the GPU drains before the next one starts, and the host adds up its counts. In a shorter launch that
weighs more. The last column is what it costs a launch, if nothing else differs. Launch: its size, the value of `{option}`."""


def file_name(ladder):
    """What the page of a ladder is called, without its ending."""
    return kinds.SCALING.of(ladder).name


def page(scaling, site):
    """The text of results/<device>/<ladder>-scaling.md."""
    document, gpus, ladder = scaling.document, scaling.gpus, site.ladder
    points, alone = points_of(document), site.devices.get(scaling.slug.removesuffix(f"-x{gpus}"))
    return sources.page(
        f"{ladder.suite} on more than one GPU: {markdown.escaped(scaling.name)}",
        f"{gpus} × {sources.facts_text(document['context'])}. Data: {sources.link(f'{file_name(ladder)}.json')}.",
        "## Efficiency",
        introduction(document, points),
        short_table(points, ladder),
        *alone_parts(document, points, alone, ladder),
        sources.image(f"../{CHART}", chart([site])),
        "## All runs",
        point_table(points, ladder),
        *sources.failures(document["runs"]),
        *sources.warnings_of_study(document["runs"]),
    )


def headline(scaling):
    """The highest rate of all GPUs together, and its version."""
    best = max(points_of(scaling.document), key=rate, default=None)
    return f"{numerals.four_digits(rate(best))} ({best['version']})" if best else NONE


# Tables


def point_table(points, ladder):
    """A row for each version, launcher and amount of work: its times by number of GPUs, and its efficiencies."""
    columns = sizes(points)
    several = [gpus for gpus in columns if gpus > 1]
    titles = [
        "Version",
        "Run by",
        "Scaling",
        f"{ladder.unit.capitalize()}s",
        *(f"{gpus_text(gpus)} (ms)" for gpus in columns),
        *(f"Efficiency on {gpus}" for gpus in several),
    ]
    rows = {}
    for point in points:
        work = (point["version"], point["launcher"], point["mode"], launches_of_work(point))
        rows.setdefault(work, {})[point["gpus"]] = point
    cells = [row_cells(by_gpus, columns, several) for by_gpus in rows.values()]
    return markdown.table(titles, [LEFT] * 3 + [RIGHT] * (1 + len(columns) + len(several)), cells)


def row_cells(by_gpus, columns, several):
    point = next(iter(by_gpus.values()))
    work = point["work"] / point["gpus"] if point["mode"] == WEAK else point["work"]
    work = numerals.scientific(work, digits=3) + (" each" if point["mode"] == WEAK else "")
    times = [numerals.four_digits(by_gpus[gpus]["run_ms"]["median"]) if gpus in by_gpus else NONE for gpus in columns]
    efficiencies = [percent(by_gpus[gpus]["efficiency"]) if gpus in by_gpus else NONE for gpus in several]
    return [*names(point["version"], point["launcher"]), point["mode"], work, *times, *efficiencies]


def names(version, launcher):
    return [version, LAUNCHER_TITLES[launcher]]


def short_table(points, ladder):
    """The table for a first look: the longest runs in weak scaling, and in strong scaling those nearest to RUN_MS."""
    most = sizes(points)[-1]
    titles = [
        "Version",
        "Run by",
        f"1 GPU ({ladder.unit}s/ns)",
        f"{gpus_text(most)} ({ladder.unit}s/ns)",
        "Weak efficiency",
        f"Strong efficiency, run of about {RUN_MS} ms",
    ]
    rows = [[*names(*key), *short_cells(own, most)] for key, own in series(points).items()]
    return markdown.table(titles, [LEFT] * 2 + [RIGHT] * 4, rows)


def short_cells(points, most):
    weak, strong = ([point for point in points if point["mode"] == mode] for mode in (WEAK, STRONG))
    alone, together = (longest(of_size(weak, gpus)) for gpus in (1, most))
    near = min(of_size(strong, most), key=lambda point: abs(math.log(point["run_ms"]["median"] / RUN_MS)), default=None)
    return [
        *(NONE if point is None else numerals.four_digits(rate(point)) for point in (alone, together)),
        *(NONE if point is None else percent(point["efficiency"]) for point in (together, near)),
    ]


def alone_parts(document, points, device, ladder):
    """One GPU here and with the launches of the ladder's page, and why the two differ; none without a version of both."""
    if device is None:
        return []
    runs = {run["version"]: run for run in records.succeeded(device.result["runs"])}
    found = {version: longest(of_size([point for point in own if point["mode"] == WEAK], 1))
             for (version, launcher), own in series(points).items() if launcher == DEVICES and version in runs}  # fmt: skip
    rows = [alone_cells(version, point, runs[version]) for version, point in found.items() if point]
    titles = [
        "Version",
        "Launch",
        f"1 GPU ({ladder.unit}s/ns)",
        "Launch, ladder",
        f"1 GPU, ladder ({ladder.unit}s/ns)",
        "Cost of a launch (µs)",
    ]
    text = sources.filled(
        SHORTER, page=f"[the table of the ladder](../{device.slug}/{ladder.suite}.md)", option=size_option(ladder)
    )
    own, other = document["context"], device.result["context"]
    if own["commit"] != other["commit"]:
        text += f" The builds differ too: {records.commit_text(own)} here, {records.commit_text(other)} there."
    return [text, markdown.figures(titles, rows)] if rows else []


def alone_cells(version, point, run):
    here, there = rate(point), run["per_ns"]["median"]
    cost_us = point["work"] / point["launches"] * (1 / here - 1 / there) / 1e3
    return [
        version,
        f"{point['size']:,}",
        numerals.four_digits(here),
        f"{size_of(run):,}",
        numerals.four_digits(there),
        f"{cost_us:.0f}",
    ]


def longest(points):
    return max(points, key=lambda point: point["launches"], default=None)


# Texts


def introduction(document, points):
    library = next((run["team"]["mpi"] for run in document["runs"] if run.get("team", {}).get("mpi")), None)
    mpi = f" MPI library: {markdown.escaped(library)}." if library else ""
    longest = (
        math.ceil(100 * longest_launch_ms(points) - 1e-6) / 100
    )  # with room for the error of floating-point numbers
    return sources.filled(INTRODUCTION, launch=f"{longest:.2f}", mpi=mpi)


def percent(part):
    return f"{100 * part:.1f} %"


def gpus_text(gpus):
    return f"{gpus:,} GPU{'' if gpus == 1 else 's'}"


# Chart


def chart(found):
    """The efficiency against the time of a run on all GPUs, a panel for every ladder and machine of these sites; None without any."""
    panels = [panel(site.ladder, several) for site in found for several in site.scalings.values()]
    if not panels:
        return None
    lowest = min(pct for own in panels for line in own["lines"] for _, pct in line["points"])
    return {
        "chart": "scaling",
        "title": "Efficiency of several GPUs that share the same work",
        "note": "The time on one GPU, divided by the time on all and by their number, against the time on all. "
        f"Dashed across: {WANTED:.0%}.".replace("%", " %"),
        "wanted": 100 * WANTED,
        "panels": panels,
        "lowest": 5 * math.floor(lowest / 5 - 0.2),
    }


def panel(ladder, scaling):
    lines = [line(ladder, *key, own, scaling.gpus) for key, own in series(points_of(scaling.document)).items()]
    return {"title": f"{ladder.suite}\n{scaling.name}", "lines": [line for line in lines if line["points"]]}


def line(ladder, version, launcher, points, gpus):
    runs = [point for point in of_size(points, gpus) if point["mode"] == STRONG]
    return {
        "version": version,
        "hue": ladder.hue(version),
        "is_open": launcher == MPI,
        "points": sorted([run["run_ms"]["median"], numerals.six_digits(100 * run["efficiency"])] for run in runs),
    }
