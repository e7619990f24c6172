"""The page of runs on several GPUs: measured points, and the chart."""

import math

from suite import markdown, numerals
from suite.analyse.scaling import (
    DEVICES, MPI, STRONG, WEAK, launch_ms, launches_of_work, of_size, points_of, rate, series, sizes,
)  # fmt: skip
from suite.documents import kinds, records
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import cells, sources

LAUNCHER_TITLES = {DEVICES: "one process", MPI: "MPI"}

CHART = "scaling.svg"  # of all pages
WANTED = 0.98  # an efficiency, marked in the chart
RUN_MS = 10  # the tables have the efficiency of the run nearest to this time

ABOUT = "Some steps ran on up to {most} GPUs, in one process and with MPI. Runs on more are not measured.{missing}"

INTRODUCTION = """Each run consists of launches, which its GPUs share. Its time runs from the moment when all GPUs are
ready until all counts are added up. Strong scaling: the same number of launches in total. Weak scaling: the same
number for each GPU. Efficiency is the time on one GPU divided by the time on all; in strong scaling it is also
divided by their number. In brackets: what the 95 % intervals of both times allow. One process has a thread for each
GPU; MPI has a process for each GPU.{mpi}"""


def file_name(ladder):
    """What the page of a ladder is called, without its ending."""
    return kinds.SCALING.of(ladder).name


def page(scaling, site):
    """The text of results/<device>/<ladder>-scaling.md."""
    document, gpus, ladder = scaling.document, scaling.gpus, site.ladder
    points = points_of(document)
    return sources.page(
        f"{ladder.suite} on more than one GPU: {markdown.escaped(scaling.name)}",
        f"{gpus} × {sources.facts_text(document['context'])}. Data: {sources.link(f'{file_name(ladder)}.json')}.",
        "## Efficiency",
        *measured(document, points, site),
        *sources.failures(document["runs"]),
        *sources.warnings_of_study(document["runs"]),
    )


def measured(document, points, site):
    """What a page says of the points, if there are any."""
    if not points:
        return []
    return [
        introduction(document),
        short_table(points, site.ladder),
        sources.image(f"../{CHART}", chart([site])),
        "## All runs",
        point_table(points, site.ladder),
    ]


def parts(found):
    """The chart of all pages under its heading, and what is not measured; none without any."""
    shown = chart(found)
    missing = ", ".join(f"{site.ladder.suite} {version}" for site in found for version in not_measured(site))
    missing = f" Planned, and not measured on several GPUs yet: {missing}." if missing else ""
    most = max((own.gpus for site in found for own in site.scalings.values()), default=0)
    about = sources.filled(ABOUT, most=most, missing=missing)
    return ["## Several GPUs", about, sources.image(CHART, shown)] if shown else []


def not_measured(site):
    known = {run["version"] for own in site.scalings.values() for run in own.document["runs"]}
    return [version for version in site.ladder.scaling if version not in known]


def headline(scaling):
    """The rate of all GPUs together in weak scaling that ranks highest, and its version."""
    of_all = [longest_weak(own, scaling.gpus) for own in series(points_of(scaling.document)).values()]
    best = max(filter(None, of_all), key=rank, default=None)
    return f"{rate_text(best)}{cells.NONE_SOUND * (not best['sound'])} ({best['version']})" if best else NONE


def rank(point):
    """Sound random numbers come first, then one process, so that MPI's scatter makes no headline, then the rate."""
    return point["sound"], point["launcher"] == DEVICES, rate(point)


# Tables

VERSION = ("Version", LEFT, lambda points: points[0]["version"])
RUN_BY = ("Run by", LEFT, lambda points: LAUNCHER_TITLES[points[0]["launcher"]])


def point_table(points, ladder):
    """A row for each version, launcher and amount of work: its times by number of GPUs, and its efficiencies."""
    columns = [
        VERSION,
        RUN_BY,
        ("Scaling", LEFT, lambda own: own[0]["mode"]),
        (f"{ladder.unit.capitalize()}s", RIGHT, work_text),
        *((f"{gpus_text(gpus)} (ms)", RIGHT, on(gpus, ms_text)) for gpus in sizes(points)),
        *((f"Efficiency on {gpus}", RIGHT, on(gpus, efficiency_text)) for gpus in sizes(points) if gpus > 1),
    ]
    works = [(point["version"], point["launcher"], point["mode"], launches_of_work(point)) for point in points]
    return cells.table(columns, records.grouped(zip(works, points)).values())


def on(gpus, text):
    """The cell of a row of points: the text of that on so many GPUs; a dash without one."""
    return lambda points: next(map(text, of_size(points, gpus)), NONE)


def work_text(points):
    point = points[0]
    if point["mode"] == WEAK:
        return f"{numerals.scientific(point['work'] / point['gpus'], digits=3)} each"
    return numerals.scientific(point["work"], digits=3)


def short_table(points, ladder):
    """The table for a first look: the longest runs in weak scaling, and in strong scaling those nearest to RUN_MS."""
    most = sizes(points)[-1]
    columns = [
        VERSION,
        RUN_BY,
        ("Launch (ms)", RIGHT, lambda own: numerals.four_digits(launch_ms(own[0]))),
        (f"1 GPU ({ladder.unit}s/ns)", RIGHT, lambda own: rate_text(longest_weak(own, 1))),
        (f"{gpus_text(most)} ({ladder.unit}s/ns)", RIGHT, lambda own: rate_text(longest_weak(own, most))),
        ("Weak efficiency, time of the run", RIGHT, lambda own: timed_text(longest_weak(own, most))),
        ("Strong efficiency, time of the run", RIGHT, lambda own: timed_text(nearest_strong(own, most))),
    ]
    return cells.table(columns, series(points).values())


def longest_weak(points, gpus):
    weak = [point for point in of_size(points, gpus) if point["mode"] == WEAK]
    return max(weak, key=lambda point: point["launches"], default=None)


def nearest_strong(points, gpus):
    strong = [point for point in of_size(points, gpus) if point["mode"] == STRONG]
    return min(strong, key=lambda point: abs(math.log(point["run_ms"]["median"] / RUN_MS)), default=None)


# Texts


def introduction(document):
    library = next((run["team"]["mpi"] for run in document["runs"] if run.get("team", {}).get("mpi")), None)
    mpi = f" MPI library: {markdown.escaped(library)}." if library else ""
    return sources.filled(INTRODUCTION, mpi=mpi)


def rate_text(point):
    return numerals.four_digits(rate(point)) + cells.FEW * (point["timings"] < cells.ENOUGH) if point else NONE


def ms_text(point):
    return numerals.four_digits(point["run_ms"]["median"])


def efficiency_text(point):
    return "{:.1f} % [{:.1f}, {:.1f}]".format(*(100 * own for own in (point["efficiency"], *point["between"])))


def timed_text(point):
    return f"{efficiency_text(point)}, {ms_text(point)} ms" if point else NONE


def gpus_text(gpus):
    return f"{gpus:,} GPU{'' if gpus == 1 else 's'}"


# Chart


def chart(found):
    """The efficiency against the time of a run on all GPUs, a panel for every ladder and machine of these sites; None without any."""
    panels = [panel(site.ladder, several) for site in found for several in site.scalings.values()]
    panels = [own for own in panels if own["lines"]]
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
    return {"title": f"{ladder.suite}\n{scaling.name}", "lines": [own for own in lines if own["points"]]}


def line(ladder, version, launcher, points, gpus):
    runs = [point for point in of_size(points, gpus) if point["mode"] == STRONG]
    return {
        "version": version,
        "hue": ladder.hue(version),
        "is_open": launcher == MPI,
        "points": sorted([run["run_ms"]["median"], numerals.six_digits(100 * run["efficiency"])] for run in runs),
    }
