"""The chart of devices: a dot for each step on each device."""

import itertools
import math

from card import CARD, CURVES, FAINT, GRID, INK, SCALE, WIDTH, card, draw_line, heading, logarithmic
from matplotlib.lines import Line2D

SPREAD = 0.56  # of a row, over which the dots of its devices are spread
NAMES_IN_A_LINE = 4


def devices(chart):
    """A row for each step, and in each panel a dot for each device."""
    steps, panels = chart["steps"], chart["panels"]
    top = 70 + 17 * max(len(panel["lines"]) for panel in panels)
    bottom = 60 + 16 * math.ceil(len(chart["devices"]) / NAMES_IN_A_LINE)
    figure, axes = card(top + 21 * len(steps) + bottom, 226, 22, top, bottom, columns=len(panels))
    heading(figure, chart["title"], chart["note"])
    marks = list(zip(chart["devices"], itertools.cycle(CURVES)))
    axes[0].set_ylim(len(steps) - 0.5, -0.5)
    axes[0].set_yticks(range(len(steps)), steps, color=INK)
    for axis, panel in zip(axes, panels):
        draw_panel(figure, axis, panel, marks, len(steps))
    handles = [Line2D([], [], label=device["name"], **style(device, color)) for device, color in marks]
    figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(8 / WIDTH, 0.004), ncol=NAMES_IN_A_LINE, frameon=False,
                  labelcolor=INK, handlelength=1, columnspacing=1.4)  # fmt: skip
    return figure


def draw_panel(figure, axis, panel, marks, steps):
    axis.set_xscale(panel["scale"])
    axis.set_xlim(*panel["range"])
    if panel["scale"] == "log":
        logarithmic(axis.xaxis, "{:.10g}".format)
    axis.grid(axis="x", color=GRID, linewidth=0.75)
    axis.set_xlabel(panel["title"], color=FAINT)
    for row in range(0, steps, 2):
        axis.axhspan(row - 0.5, row + 0.5, color=SCALE, linewidth=0, zorder=0)
    for number, ((device, color), rates) in enumerate(zip(marks, panel["rows"])):
        shift = SPREAD * ((number + 0.5) / len(marks) - 0.5)
        dots = [(rate, row + shift) for row, rate in enumerate(rates) if rate]
        if dots:
            axis.plot(*zip(*dots), zorder=3, **style(device, color))
    for level, line in enumerate(sorted(panel["lines"], key=lambda line: line["rate"])):
        draw_line(figure, axis, level, line)


def style(device, color):
    return {"linestyle": "none", "marker": "o", "markersize": 5, "color": color, "markeredgewidth": 1.2,
            "markerfacecolor": CARD if device["is_reported"] else color}  # fmt: skip
