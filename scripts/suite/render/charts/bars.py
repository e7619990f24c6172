"""Charts of bars: the phases of the time of steps, and for how much of it the units of a GPU are busy."""

from card import (
    BLUE,
    BUSY,
    CARD,
    INK,
    MAROON,
    NAVY,
    OCHRE,
    TEAL,
    VIOLET,
    below,
    card,
    draw_lines,
    grouped,
    legend,
    write,
)
from dots import LETTER, ROW, draw_rate, draw_rows
from matplotlib import ticker
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

PHASES = {
    "seed": MAROON,
    "rng": BLUE,
    "transfer": OCHRE,
    "compute": TEAL,
    "reduce": VIOLET,
    "sample": NAVY,
    "other": BUSY,
}


# Rates and phases of arrays


def arrays(chart):
    """A dot for the rate of every step, with lines for ceilings, beside the shares of its phases; below, an article's."""
    rows, article = chart["rows"], chart["article"]["rows"]
    first = len(rows) + 1  # place of the article's first row
    places = dict(enumerate(rows)) | {first + place: row for place, row in enumerate(article)}
    top = 6 + 17 * len(chart["lines"])
    shape = {"columns": 2, "width_ratios": (3, 2), "between": 0.75, "sharey": True}
    figure, (left, right) = card(chart, top + ROW * (max(places) + 1) + 92, 180, 22, top, 92, **shape)
    draw_rows(left, {place: row["label"] for place, row in places.items()}, "log", chart["range"])
    below(left, "samples per nanosecond, logarithmic")
    right.set_xlim(0, 100)
    below(right, "share of the time, %")
    for place, row in places.items():
        draw_rate(left, place, row)
        draw_parts(right, place, row["parts"], chart["phases"])
    if article:
        write(left, left.get_xlim()[0], first - 0.8, chart["article"]["title"], INK, fontweight="bold")
    draw_lines(left, chart["lines"], max(places) + 1)
    legend(figure, [Patch(color=PHASES.get(name, BUSY), label=name) for name in chart["phases"]])
    return figure


def draw_parts(axis, row, parts, names):
    """The shares of a row, from left to right, with their numbers where there is room."""
    start = 0
    for name in names:
        share = parts.get(name, 0)
        color = PHASES.get(name, BUSY)
        axis.barh(row, share, left=start, height=0.74, color=color, zorder=3)
        if share >= 9:
            write(
                axis,
                start + share / 2,
                row,
                f"{share:.0f}",
                INK if color == BUSY else "white",
                ha="center",
                fontsize=8,
                zorder=4,
            )
        start += share


# Units of a GPU

UNITS = {"issue slots": NAVY, "ALU": BLUE, "FMA": OCHRE, "XU": VIOLET, "tensor": MAROON, "memory": TEAL}
HEIGHT = 0.84  # of a bar, in rows
GAP = 0.94, 0.96  # of a bar that is longer than the axis


def units(chart):
    """A grey bar for the time of each kernel, and a coloured one in it for each unit, as long as the part that it is busy."""
    rows, names = chart["rows"], [name for name in UNITS if any(name in row["busy"] for row in chart["rows"])]
    left = max(56, 15 + LETTER * max(len(row["label"]) for row in rows))
    figure, (axis,) = card(chart, 24 * len(rows) + 102, left=left, right=206, top=8, bottom=94)
    axis.set_xlim(0, chart["longest"])
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.set_yticks(range(len(rows)), [row["label"] for row in rows], color=INK)
    axis.xaxis.set_major_locator(ticker.MaxNLocator(5))
    axis.xaxis.set_major_formatter(lambda value, _: grouped(value))
    below(axis, f"picoseconds of a {chart['unit']}")
    draw_times(axis, rows, names, chart["longest"])
    for number, row in enumerate(rows):
        write(axis, 1, number, row["text"], INK, right=8, along=axis.get_yaxis_transform())
    legend(figure, [Patch(color=BUSY, label="whole time"), *(Patch(color=UNITS[name], label=name) for name in names)])
    return figure


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
