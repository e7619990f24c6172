"""Charts of dots: a row for each step. A dot has no length, so its axis needs no zero and may be logarithmic."""

import itertools
import math

from card import (
    BLUE, CARD, CPU, CURVES, FAINT, GRID, INK, MAROON, OTHERS, SCALE, VIOLET, WIDTH, below, card, draw_lines, grouped, legend, logarithmic,
    write,
)  # fmt: skip
from matplotlib.lines import Line2D

ROW = 21  # pixels
LETTER = 7  # the width of one in a label
KINDS = {"cpu": (CPU, "s"), "sound": (BLUE, "o"), "demonstration": (VIOLET, "D"), "dependent": (MAROON, "^")}
KIND_NAMES = {
    "cpu": "CPU",
    "sound": "GPU",
    "demonstration": "GPU, † demonstration generator",
    "dependent": "GPU, ‡ dependent samples, not comparable",
}
NUMBERS = 66  # pixels of a column of rates
SPREAD = 0.56  # of a row, over which the dots of its devices are spread
NAMES_IN_A_LINE = 4


def draw_rows(axis, labels, scale, span, decades=1):
    """The rows of a chart, every second one shaded, and their axis; labels are by row."""
    left = max(226, 15 + LETTER * max(map(len, labels.values())))
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
        logarithmic(axis.xaxis, decades=decades)
    else:
        axis.xaxis.set_major_formatter(lambda value, _: grouped(round(value, 6)))


def mark(color, shape="o", is_open=False):
    return {"linestyle": "none", "marker": shape, "markersize": 5.5, "color": color, "markeredgewidth": 1.2,
            "markerfacecolor": CARD if is_open else color}  # fmt: skip


# The rates of steps


def ladder(chart):
    """A dot for the rate of every step, in step order, and the rate as a number; lines for limits and for other devices."""
    rows, lines, second = chart["rows"], chart["lines"], chart["second"]
    top = 70 + 17 * max(1, len(lines))
    figure, (axis,) = card(chart, top + ROW * len(rows) + 72, 226, 22 + NUMBERS * (2 if second else 1), top, 72)
    draw_rows(axis, dict(enumerate(row["label"] for row in rows)), chart["scale"], chart["range"])
    below(axis, f"{chart['unit']}s per nanosecond{', logarithmic' if chart['scale'] == 'log' else ''}")
    for place, row in enumerate(rows):
        draw_rate(axis, place, row)
        if row.get("second"):
            draw_second(axis, place, row)
    if second:
        draw_number(axis, -1, second, 2 * NUMBERS, FAINT)
    draw_lines(axis, lines)
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in rows)]
    marks = [Line2D([], [], label=KIND_NAMES[kind], **mark(*KINDS[kind])) for kind in kinds]
    legend(figure, marks + ([Line2D([], [], label=second, **mark(INK, is_open=True))] if second else []))
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


# The rates of steps on several devices, or on several systems


def devices(chart):
    """A row for each step, and in each panel a dot for each device."""
    steps, panels = chart["steps"], chart["panels"]
    top = 70 + 17 * max(len(panel["lines"]) for panel in panels)
    names = chart["devices"] if len(chart["devices"]) > 1 else []
    bottom = 60 + 16 * math.ceil(len(names) / NAMES_IN_A_LINE)
    figure, axes = card(chart, top + ROW * len(steps) + bottom, 226, 22, top, bottom, columns=len(panels))
    colors, shapes = itertools.cycle([*CURVES[1:], CURVES[0]]), itertools.cycle("os^D")  # the first is that of lines
    marks = [mark(next(colors), next(shapes), device["is_reported"]) for device in chart["devices"]]
    for axis, panel in zip(axes, panels):
        draw_rows(axis, dict(enumerate(steps)), panel["scale"], panel["range"], decades=2 if len(panels) > 2 else 1)
        draw_panel(axis, panel, marks)
        draw_lines(axis, panel["lines"])
    legend(figure, [Line2D([], [], label=device["name"], **own) for device, own in zip(names, marks)], NAMES_IN_A_LINE)
    return figure


def draw_panel(axis, panel, marks):
    axis.set_xlabel(panel["title"], color=INK)
    for number, (own, rates) in enumerate(zip(marks, panel["rows"])):
        shift = SPREAD * ((number + 0.5) / len(marks) - 0.5)
        dots = [(rate, row + shift) for row, rate in enumerate(rates) if rate]
        if dots:
            axis.plot(*zip(*dots), zorder=3, clip_on=False, **own)
