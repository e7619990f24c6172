"""The chart of several GPUs: efficiency against the time of a run, a panel for each ladder and machine."""

import math

from card import CARD, CURVES, DASHED, GRID, INK, LIMIT, above, below, card, duration, legend, logarithmic, write
from matplotlib.lines import Line2D

COLUMNS = 2


def scaling(chart):
    panels, rows = chart["panels"], math.ceil(len(chart["panels"]) / COLUMNS)
    figure, axes = card(chart, 160 * rows + 110, left=60, right=24, top=44, bottom=80, columns=COLUMNS, rows=rows, under=0.6,
                        sharex=True, sharey=True)  # fmt: skip
    for axis, panel in zip(axes, panels):
        draw_panel(axis, panel, chart["wanted"])
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    for axis in axes[len(panels) - COLUMNS : len(panels)]:
        axis.tick_params(labelbottom=True)
        below(axis, "time of a run")
    axes[0].set_ylim(chart["lowest"], 102)
    axes[0].set_xscale("log")
    axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:.4g} %")
    logarithmic(axes[0].xaxis, duration)
    legend(figure, [Line2D([], [], label=name, **style(name == "MPI", INK)) for name in ("one process", "MPI")])
    return figure


def draw_panel(axis, panel, wanted):
    """The lines of a panel, each with the name of its version under the end of its first line."""
    above(axis, panel["title"])
    axis.grid(color=GRID, linewidth=0.75)
    axis.axhline(wanted, color=LIMIT, linestyle=(0, (5, 3)), linewidth=1.1, zorder=2)
    for line in panel["lines"]:
        axis.plot(*zip(*line["points"]), zorder=3, **style(line["is_open"], CURVES[line["hue"]]))
    names = {line["version"]: CURVES[line["hue"]] for line in panel["lines"]}
    for place, (name, color) in enumerate(names.items()):
        write(axis, 0.97, 0.1 + 0.16 * place, name, color, along=axis.transAxes, ha="right", fontweight="bold")


def style(is_open, color):
    return {"color": color, "linewidth": 1.6, "linestyle": DASHED if is_open else "solid", "marker": "o", "markersize": 5,
            "markerfacecolor": CARD if is_open else color}  # fmt: skip
