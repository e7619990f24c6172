"""The staircase: the best rate so far against the steps, and why it rose."""

import itertools

from card import (
    BLUE, CARD, CPU, DASHED, FAINT, GRID, INK, MAROON, POINTS_PER_PIXEL, REFERENCE, VIOLET, card, legend, logarithmic, pixels, write,
)  # fmt: skip
from matplotlib.lines import Line2D

LETTER = 6.8  # pixels
KINDS = {
    "cpu": ("CPU", CPU, "s"),
    "sound": ("steps", BLUE, "o"),
    "demonstration": ("with a generator for demonstration only", VIOLET, "D"),
    "package": ("other packages", REFERENCE, "s"),
    "dependent": ("with dependent samples, not comparable", MAROON, "^"),
}
LINE = 15


def stairs(chart):
    """Filled dots are steps that beat all before them, hollow ones those that do not."""
    rows = chart["rows"]
    marks = marks_of(rows)
    bottom = 30 + 18 * len(marks)
    figure, (axis,) = card(chart, 290 + bottom, left=66, right=16, top=8, bottom=bottom)
    axis.set_yscale("log")
    axis.set_xlim(-0.6, len(rows) - 0.4)
    axis.set_ylim(*chart["range"])
    axis.set_xticks(range(len(rows)), [row["label"] for row in rows], fontsize=8 if len(rows) > 20 else 9.5)
    axis.grid(axis="y", color=GRID, linewidth=0.75)
    logarithmic(axis.yaxis)
    best = list(itertools.accumulate((row["rate"] if row["is_best"] else 0 for row in rows), max))
    axis.step(
        [*range(len(rows)), len(rows) - 0.4], [*best, best[-1]], where="post", color=BLUE, linewidth=1.6, zorder=2
    )
    for place, row in enumerate(rows):
        axis.plot(place, row["rate"], zorder=4, **mark(row["kind"], is_open=not row["is_best"]))
    for level, line in enumerate(sorted(chart["lines"], key=lambda line: line["rate"], reverse=True)):
        draw_line(axis, line, up=-9 - LINE * level)
    draw_reasons(axis, rows, best)
    legend(figure, marks, 1)
    return figure


def marks_of(rows):
    """For a legend: what the dots of these rows mean."""
    kinds = {row["kind"] for row in rows}
    return [Line2D([], [], label=name, **mark(kind)) for kind, (name, *_) in KINDS.items() if kind in kinds]


def mark(kind, is_open=False):
    """How the dot of a step of a kind looks."""
    _, color, shape = KINDS[kind]
    return {"linestyle": "none", "marker": shape, "markersize": 5.5, "color": color, "markeredgewidth": 1.2,
            "markerfacecolor": CARD if is_open else color}  # fmt: skip


def draw_line(axis, line, up):
    """A rate that is no step's, with its name at its right end."""
    color = CPU if line["is_cpu"] else REFERENCE
    axis.axhline(line["rate"], color=color, linestyle=DASHED, linewidth=1.1, zorder=1)
    write(axis, 1, line["rate"], line["label"], color, right=-2, up=up, along=axis.get_yaxis_transform())


def draw_reasons(axis, rows, best):
    """Each to the left of its dot, above those before it and clear of all dots; of a high rise without room there, to its right."""
    left, lowest = pixels(axis, (0, 0), axis.transAxes)[0], 0
    dots = [pixels(axis, (place, row["rate"])) for place, row in enumerate(rows)]
    for place, row in enumerate(rows):
        if not row["reason"]:
            continue
        (x, y), width = dots[place], LETTER * len(row["reason"])
        rise = y - pixels(axis, (place, best[place - 1]))[1]
        end = max(x - 8, left + 4 + width)
        if end > x - 8 and rise > 2 * LINE:
            write(axis, place, (best[place - 1] * row["rate"]) ** 0.5, row["reason"], INK, right=8)
            continue
        lowest = free_height(
            max(y + max(0, 10 - rise), lowest + LINE, y + 12 if end > x - 8 else 0), end - width, end, dots
        )
        draw_reason(axis, (place, row["rate"]), row["reason"], end - x, lowest - y)


def free_height(height, left, right, dots):
    """The lowest place from a height up for a text between left and right that no dot is in."""
    while any(left < x < right and abs(y - height) < 10 for x, y in dots):
        height += 2
    return height


def draw_reason(axis, dot, text, right, up):
    """A text beside or above a dot, moved by pixels, with a line from the dot up to it."""
    write(axis, *dot, text, INK, right=right, up=up, ha="right",
          bbox={"facecolor": CARD, "edgecolor": "none", "pad": 0.5}, zorder=3)  # fmt: skip
    axis.annotate("", dot, (0, max(0, up - 6) * POINTS_PER_PIXEL), textcoords="offset points",
                  arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.75})  # fmt: skip
