"""Charts of bars: the phases of the time of steps, for how much of it the units of a GPU are busy, and how rates differ."""

from card import (
    BLUE, BUSY, CARD, FAINT, GRID, INK, MAROON, NAVY, OCHRE, TEAL, VIOLET, below, card, grouped, legend, write,
)  # fmt: skip
from matplotlib import ticker
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

ROW = 21  # pixels
LETTER = 7.2  # the width of one in a label
PHASES = {
    "seed": MAROON,
    "rng": BLUE,
    "transfer": OCHRE,
    "compute": TEAL,
    "reduce": VIOLET,
    "sample": NAVY,
    "other": BUSY,
}


# Phases


def phases(chart):
    """The shares of the phases of every step's time, a row a step; below, an article's."""
    rows, article = chart["rows"], chart["article"]["rows"]
    first = len(rows) + 1  # place of the article's first row
    places = dict(enumerate(rows)) | {first + place: row for place, row in enumerate(article)}
    axis = draw_rows(chart, places, ROW, bottom=92)
    axis.set_xlim(0, 100)
    below(axis, "share of the time, %")
    for place, row in places.items():
        draw_parts(axis, place, row["parts"], chart["phases"])
    if article:
        write(axis, 0, first - 0.8, chart["article"]["title"], INK, fontweight="bold")
    legend(axis.figure, [Patch(color=PHASES.get(name, BUSY), label=name) for name in chart["phases"]])
    return axis.figure


def draw_rows(chart, places, height, bottom, right=22, top=8):
    """The axis of a card whose rows, each with a label, have these places, and this height in pixels."""
    left = max(56, 24 + LETTER * max(len(row["label"]) for row in places.values()))
    count = max(places) + 1
    _, (axis,) = card(chart, height * count + top + bottom, left=left, right=right, top=top, bottom=bottom)
    axis.set_ylim(count - 0.4, -0.6)
    axis.set_yticks(list(places), [row["label"] for row in places.values()], color=INK)
    return axis


def draw_parts(axis, row, parts, names):
    """The shares of a row, from left to right, with their numbers where there is room."""
    start = 0
    for name in names:
        share = parts.get(name, 0)
        color = PHASES.get(name, BUSY)
        axis.barh(row, share, left=start, height=0.74, color=color, zorder=3)
        if share >= 9:
            ink = INK if color == BUSY else "white"
            write(axis, start + share / 2, row, f"{share:.0f}", ink, ha="center", fontsize=8, zorder=4)
        start += share


# Units of a GPU

UNITS = {"issue slots": NAVY, "ALU": BLUE, "FMA": OCHRE, "XU": VIOLET, "tensor": MAROON, "memory": TEAL}
HEIGHT = 0.84  # of a bar, in rows
GAP = 0.94, 0.96  # of a bar that is longer than the axis


def units(chart):
    """A grey bar for the time of each kernel, and a coloured one in it for each unit, as long as the part that it is busy."""
    rows, names = chart["rows"], [name for name in UNITS if any(name in row["busy"] for row in chart["rows"])]
    axis = draw_rows(chart, dict(enumerate(rows)), 24, bottom=94, right=room_of_texts(rows))
    axis.set_xlim(0, chart["longest"])
    axis.xaxis.set_major_locator(ticker.MaxNLocator(5))
    axis.xaxis.set_major_formatter(lambda value, _: grouped(value))
    below(axis, f"picoseconds of a {chart['unit']}")
    draw_times(axis, rows, names, chart["longest"])
    write_texts(axis, rows)
    known = {"whole time": BUSY} | {name: UNITS[name] for name in names}
    legend(axis.figure, [Patch(color=color, label=name) for name, color in known.items()])
    return axis.figure


def room_of_texts(rows):
    """The pixels that the texts of rows need at the right of an axis."""
    return 16 + LETTER * max(len(row["text"]) for row in rows)


def write_texts(axis, rows):
    for number, row in enumerate(rows):
        write(axis, 1, number, row["text"], INK, right=8, along=axis.get_yaxis_transform())


def draw_times(axis, rows, names, longest):
    """The bars; those of times that are longer than the axis end with it, after a gap."""
    times = [min(row["time"], longest) for row in rows]
    rectangles(axis, [(0, time, row - HEIGHT / 2, HEIGHT) for row, time in enumerate(times)], BUSY)
    part = HEIGHT / len(names) if names else 0
    for place, name in enumerate(names):
        bars = [
            (0, time * row["busy"].get(name, 0) / 100, number - HEIGHT / 2 + place * part, part)
            for number, (row, time) in enumerate(zip(rows, times))
        ]
        rectangles(axis, bars, UNITS[name])
    cut = [number for number, row in enumerate(rows) if row["time"] > longest]
    rectangles(axis, [(GAP[0] * longest, (GAP[1] - GAP[0]) * longest, number - 0.5, 1) for number in cut], CARD)


def rectangles(axis, boxes, color):
    """Boxes (left, width, top, height) as one shape, which takes a fraction of the room of many."""
    corners = [
        ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
        for x, width, y, height in boxes
        if width
    ]
    codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY]
    if corners:
        shape = Path([corner for box in corners for corner in box], codes * len(corners))
        axis.add_patch(PathPatch(shape, facecolor=color, linewidth=0, zorder=3))


# Differences of rates

REASONS = {"DRAM": TEAL, "PCIe": OCHRE, "host": VIOLET, "clock": BLUE}


def differences(chart):
    """A bar for each row, to the right of 0 or to the left, in the colour of its reason, and its text."""
    rows = chart["rows"]
    axis = draw_rows(chart, dict(enumerate(rows)), ROW, bottom=50, right=room_of_texts(rows))
    colors = [REASONS.get(row["reason"], BUSY) for row in rows]
    axis.barh(range(len(rows)), [row["percent"] for row in rows], height=0.74, color=colors, zorder=3)
    axis.axvline(0, color=FAINT, linewidth=0.75, zorder=4)
    axis.grid(axis="x", color=GRID, linewidth=0.75)
    axis.xaxis.set_major_formatter(lambda value, _: grouped(value).replace("-", "−"))
    below(axis, chart["axis"])
    write_texts(axis, rows)
    return axis.figure
