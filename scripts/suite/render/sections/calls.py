"""Times of whole calls against samples, and where GPU programs overtake the CPU."""

import math

from suite import markdown, naming, numerals
from suite.analyse.calls import crossings, curves
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import sources

HEADING = "Time of whole calls"
CHART_TEXT = "Time of a whole call against its samples"

ABOUT = """A call allocates memory, launches, copies the counts back, adds them up and frees the memory, all by the host's
clock."""

CROSSINGS = """From here on a program takes less time than the CPU, on one thread (cpu_serial) and on all (cpu_openmp).
Between two measured sizes the logarithms are interpolated."""

SPENT = "What a call of about {size} samples spends, in µs."
SIZE = 10**6  # of the calls whose parts are shown
NEAR = 1.5  # at most this factor between a size and the one that stands for it


def section(device, site):
    found = curves(device.calls)
    if not found:
        return []
    return [
        f"{sources.filled(ABOUT)} {sources.data(device, 'calls')}",
        sources.image(site.ladder.charts["calls"], CHART_TEXT, device),
        size_table(found),
        *crossing_parts(found),
        *spent_parts(found),
        *sources.failures(device.calls["runs"]),
        *sources.warnings_of_study(device.calls["runs"]),
    ]


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
    return [sources.filled(CROSSINGS), markdown.table(titles, [LEFT] + [RIGHT] * len(bases), rows)]


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
    lines = [[version, *(us(row["phases_ms"].get(name)) for name in phases), us(row["kernel_ms"])] for version, row in rows.items()]
    titles = ["Program", *phases, "launch alone, by the GPU's clock"]
    return [SPENT.format(size=numerals.power_of_ten(SIZE)), markdown.table(titles, [LEFT] + [RIGHT] * (len(titles) - 1), lines)]


def us(ms):
    return NONE if ms is None else numerals.three_digits(ms * 1e3)


# Chart


def chart(device, site):
    found = curves(device.calls)
    if not found:
        return None
    overtakes = site.ladder.calls.overtakes
    starts = crossings(found).get(overtakes, {})
    circles = [[start["samples"], start["ms"]] for start in starts.values() if start and start["crosses"]]
    return {
        "chart": "time",
        "title": sources.chart_title(site.ladder, device.name, "time of a whole call against its samples"),
        "note": "Dashed: the launch alone, by the GPU's clock. Shaded: 95 % intervals."
        + (f" Circles: {overtakes} overtakes the CPU." if circles else ""),
        "curves": [
            {
                "label": version,
                "is_cpu": naming.is_cpu({"version": version}),
                "points": [[row["samples"], *(row["call_ms"][name] for name in ("median", "low", "high"))] for row in rows],
                "part": [[row["samples"], row["kernel_ms"]] for row in rows if row["kernel_ms"]],
            }
            for version, rows in found.items()
        ],
        "of": "call",
        "circles": circles,
        "overtaking": overtaking_texts(overtakes, starts),
        "lines": [{"rate": samples, "label": text, "limit": False} for samples, text in site.ladder.calls.marks],
    }


def overtaking_texts(version, starts):
    """From how many samples a version overtakes each CPU program, a line each."""
    lines = [f"{base}: {start_text(start).removesuffix(' samples')}" for base, start in starts.items()]
    return [f"{version} overtakes", *lines] if lines else []
