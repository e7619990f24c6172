"""Times of whole calls against samples, and where GPU programs overtake the CPU. launches.py shows those of launches."""

import math

from suite import markdown, naming, numerals
from suite.analyse.calls import crossings, curves
from suite.markdown import NONE, RIGHT
from suite.render import cells, sources
from suite.render.curves import near, together

HEADING = "Time of whole calls"

ABOUT = """A call allocates memory, launches, copies the counts back, adds them up and frees the memory, all by the host's
clock. A dash: the program was not called with about so many samples."""

NOTES = {
    "whole call": "Dashed: the launch alone, by the GPU's clock. Shaded: 95 % intervals.",
    "launch": "Flat: launch and set-up take the same time for any number of samples. Rising: samples take most of it. Shaded: 95 % intervals.",
}

CROSSINGS = """From here on a program takes less time than the CPU, on one thread (cpu_serial) and on all (cpu_openmp).
Between two measured sizes the logarithms are interpolated."""

SPENT = "What a call of about {size} samples spends, in µs."
SIZE = 10**6  # of the calls whose parts are shown
NEAR = 1.5  # at most this factor between a size and the one that stands for it


def section(device, site):
    return parts(device, ABOUT, lambda found: [size_table(found), *crossing_parts(found), *spent_parts(found)])


def parts(device, about, tables):
    """What a section says of the times, with these tables; nothing without any."""
    found = curves(device.calls)
    if not found:
        return []
    return [
        f"{sources.filled(about)} {sources.data(device, 'calls')}",
        *tables(found),
        *sources.failures(device.calls["runs"]),
        *sources.warnings_of_study(device.calls["runs"]),
    ]


def timed(site):
    return "whole call" if site.ladder.calls.whole else "launch"


# Tables


def size_table(found):
    """The times at powers of ten, a row a size and a column a program."""
    ends = [rows[end]["samples"] for rows in found.values() for end in (0, -1)]
    sizes = [10**power for power in range(round(math.log10(min(ends))), round(math.log10(max(ends))) + 1)]
    rows = [[numerals.power_of_ten(size), *(at(found[name], size) for name in found)] for size in sizes]
    return markdown.table(["Samples", *found], [RIGHT] * (1 + len(found)), rows)


def at(rows, size):
    row = nearest(rows, size)
    return numerals.duration(row["call_ms"]["median"] / 1e3) if row else NONE


def nearest(rows, size):
    """The row whose number of samples is nearest to a size; None if none is near."""
    row = min(rows, key=lambda row: abs(math.log(row["samples"] / size)))
    return row if abs(math.log(row["samples"] / size)) <= math.log(NEAR) else None


def crossing_parts(found):
    """Where each GPU program overtakes each CPU program; none where one of both is missing."""
    starts = crossings(found)
    bases = list(next(iter(starts.values()), {}))
    if not bases:
        return []
    rows = [[version, *map(start_text, own.values())] for version, own in starts.items()]
    titles = ["Program", *(f"faster than {base} from" for base in bases)]
    return [sources.filled(CROSSINGS), markdown.figures(titles, rows)]


def start_text(start):
    if start is None:
        return "not for good"
    return f"{numerals.scientific(start['samples'])} samples" if start["crosses"] else "every size"


def spent_parts(found):
    rows = {version: row for version, own in found.items() if (row := nearest(own, SIZE)) and row["phases_ms"]}
    if not rows:
        return []
    by_length = sorted(rows.values(), key=lambda row: -len(row["phases_ms"]))  # a call on the CPU lacks some parts
    phases = list(dict.fromkeys(name for row in by_length for name in row["phases_ms"]))
    lines = [
        [version, *(us(row["phases_ms"].get(name)) for name in phases), us(row["kernel_ms"])]
        for version, row in rows.items()
    ]
    titles = ["Program", *phases, "launch alone, by the GPU's clock"]
    return [SPENT.format(size=numerals.power_of_ten(SIZE)), markdown.figures(titles, lines)]


def us(ms):
    return NONE if ms is None else numerals.three_digits(ms * 1e3)


# Chart


def chart(device, site):
    found = curves(device.calls)
    if not found:
        return None
    overtakes, starts = site.ladder.calls.overtakes, crossings(found)
    starts = {overtakes: starts.get(overtakes, {})} if overtakes else starts
    known = [start for own in starts.values() for start in own.values() if start]
    circles = [[start["samples"], start["ms"]] for start in known if start["crosses"]]
    labels = {run["version"]: cells.cpu_label(run) for run in device.result["runs"] if naming.is_cpu(run)}
    return {
        "chart": "time",
        "title": sources.chart_title(site.ladder, device.name, f"time of a {timed(site)} against its samples"),
        "note": NOTES[timed(site)] + (f" Circles: {overtakes} overtakes the CPU." if overtakes and circles else ""),
        "curves": [
            {
                "label": ", ".join(labels.get(version, version) for version in group),
                "hue": site.ladder.hue(group[0]),
                "is_cpu": naming.is_cpu({"version": group[0]}),
                "points": [
                    [row["samples"], *(row["call_ms"][name] for name in ("median", "low", "high"))]
                    for row in found[group[0]]
                ],
                "part": [[row["samples"], row["kernel_ms"]] for row in found[group[0]] if row["kernel_ms"]],
            }
            for group in together(found, lambda one, other: alike(found[one], found[other]))
        ],
        "of": timed(site).removeprefix("whole "),
        "circles": circles,
        "overtaking": overtaking_texts(overtakes, starts, labels),
        "lines": [{"rate": samples, "label": text} for samples, text in site.ladder.calls.marks],
    }


def alike(rows, others):
    """Whether two curves lie on each other: they have the same sizes, and nearly the same times."""
    times, others = (
        [(row["samples"], row["call_ms"]["median"], row["kernel_ms"] or 1) for row in curve] for curve in (rows, others)
    )
    pairs = list(zip(times, others))
    return len(times) == len(others) and all(
        one[0] == other[0] and all(map(near, one[1:], other[1:])) for one, other in pairs
    )


def overtaking_texts(overtakes, starts, labels):
    """From how many samples each version overtakes the CPU, or the one that is told each CPU program; a line each."""
    if overtakes:
        lines = [f"{base}: {start_text(start).removesuffix(' samples')}" for base, start in starts[overtakes].items()]
        return [f"{overtakes} overtakes", *lines] if lines else []
    base = next((base for own in starts.values() for base in own), None)
    firsts = {version: own[base] for version, own in starts.items() if own}
    lines = [
        f"{version}: {('from ' if start['crosses'] else 'at ') + start_text(start) if start else 'at no size'}"
        for version, start in firsts.items()
    ]
    return [f"Faster than {labels.get(base, base)}", *lines] if lines else []
