"""Charts of dots: a row for each step. A dot has no length, so its axis needs no zero and may be logarithmic."""

import math

from card import (
    BLUE, CARD, CPU, FAINT, GRID, INK, MAROON, OTHERS, SCALE, VIOLET, WIDTH, below, card, draw_lines, grouped, legend, logarithmic,
    write,
)  # fmt: skip
from matplotlib.lines import Line2D

ROW = 21  # pixels
LETTER = 7.2  # the width of one in a label
KINDS = {"cpu": (CPU, "s"), "sound": (BLUE, "o"), "demonstration": (VIOLET, "D"), "dependent": (MAROON, "^")}
KIND_NAMES = {
    "cpu": "CPU",
    "sound": "GPU",
    "demonstration": "GPU, † demonstration generator",
    "dependent": "GPU, ‡ dependent samples, not comparable",
}
NUMBERS = 66  # pixels of a column of rates


def draw_rows(axis, labels, scale, span):
    """The rows of a chart, every second one shaded, and their axis; labels are by row."""
    left = max(180, 15 + LETTER * max(map(len, labels.values())))
    axis.figure.subplots_adjust(left=left / WIDTH)
    axis.set_xscale(scale)
    axis.set_xlim(*span)
    axis.set_ylim(max(labels) + 0.5, -0.5)
    axis.set_yticks(list(labels), list(labels.values()), color=INK)
    axis.tick_params(axis="y", pad=8)
    axis.grid(axis="x", color=GRID, linewidth=0.75)
    for row in list(labels)[::2]:
        axis.axhspan(row - 0.5, row + 0.5, color=SCALE, linewidth=0, zorder=0)
    if scale == "log":
        logarithmic(axis.xaxis)
    else:
        axis.xaxis.set_major_formatter(lambda value, _: grouped(round(value, 6)))


def mark(color, shape="o", is_open=False):
    return {"linestyle": "none", "marker": shape, "markersize": 5.5, "color": color, "markeredgewidth": 1.2,
            "markerfacecolor": CARD if is_open else color}  # fmt: skip


# The rates of steps


def ladder(chart):
    """A dot for the rate of every step, in step order, and the rate as a number; lines for limits and for other devices."""
    rows, lines, second = chart["rows"], chart["lines"], chart["second"]
    top = 6 + 17 * max(1, len(lines))
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in rows)]
    marks = [Line2D([], [], label=KIND_NAMES[kind], **mark(*KINDS[kind])) for kind in kinds]
    marks += [Line2D([], [], label=second, **mark(INK, is_open=True))] if second else []
    bottom = 56 + 18 * math.ceil(len(marks) / 2)
    figure, (axis,) = card(chart, top + ROW * len(rows) + bottom, 180, 22 + NUMBERS * (2 if second else 1), top, bottom)
    draw_rows(axis, dict(enumerate(row["label"] for row in rows)), chart["scale"], chart["range"])
    below(axis, f"{chart['unit']}s per nanosecond{', logarithmic' if chart['scale'] == 'log' else ''}")
    for place, row in enumerate(rows):
        draw_rate(axis, place, row)
        if row.get("second"):
            draw_second(axis, place, row)
    if second:
        draw_number(axis, -1, second, 2 * NUMBERS, FAINT)
    draw_lines(axis, lines, len(rows))
    legend(figure, marks, 2)
    return figure


def draw_rate(axis, place, row):
    """The dot of a step, its interval, and its rate or why there is none."""
    rate, (color, shape) = row["rate"], KINDS.get(row["kind"], (OTHERS, "o"))
    if rate:
        axis.plot(
            [rate["low"], rate["high"]], [place, place], color=INK, marker="|", markersize=6, linewidth=1, zorder=3
        )
        axis.plot(rate["median"], place, zorder=4, clip_on=False, **mark(color, shape))
    draw_number(axis, place, row["text"], NUMBERS, INK if rate else FAINT)


def draw_number(axis, place, text, right, color):
    """A text in a column to the right of the axis, which ends some pixels from it."""
    write(axis, 1, place, text, color, right, along=axis.get_yaxis_transform(), ha="right")


def draw_second(axis, place, row):
    """Another rate of a step: an open dot, with a line to the first one, and a second number."""
    rate, (color, shape) = row["second"]["rate"], KINDS.get(row["kind"], (OTHERS, "o"))
    axis.plot([rate, row["rate"]["median"]], [place, place], color=color, linewidth=1, zorder=2.5)
    axis.plot(rate, place, zorder=4, **mark(color, shape, is_open=True))
    draw_number(axis, place, row["second"]["text"], 2 * NUMBERS, FAINT)
