"""The chart of several GPUs: efficiency against the time of a run, and against the number of GPUs."""

import itertools

from card import CARD, CURVES, GRID, LIMIT, above, below, card, duration, legend, logarithmic, write
from matplotlib import ticker


def scaling(chart):
    """Efficiency against the time of a run; against the number of GPUs too, in a panel beside it, if there are so many."""
    strong, weak = chart["strong"], chart["weak"]
    figure, axes = card(chart, height=430, left=60, right=24, top=88, bottom=86, columns=2 if weak else 1)
    colors = dict(zip(dict.fromkeys(line["version"] for line in strong["lines"]), itertools.cycle(CURVES)))
    for axis, panel in zip(axes, (strong, weak)):
        draw_efficiencies(axis, panel, chart["wanted"], colors)
    draw_strong(axes[0], chart)
    if weak:
        draw_weak(axes[1], weak)
    legend(figure, axes[0].get_legend_handles_labels()[0], columns=4)
    return figure


def draw_strong(axis, chart):
    axis.set_ylim(chart["lowest"], 102)
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:.4g} %")
    axis.set_xscale("log")
    logarithmic(axis.xaxis, duration)
    below(axis, "time of a run")
    write(
        axis,
        0.985,
        chart["wanted"]["pct"],
        chart["wanted"]["text"],
        LIMIT,
        up=-4,
        along=axis.get_yaxis_transform(),
        ha="right",
        va="top",
    )


def draw_weak(axis, panel):
    axis.set_xscale("log", base=2)
    axis.set_xticks(panel["gpus"], [str(gpus) for gpus in panel["gpus"]])
    axis.xaxis.set_minor_locator(ticker.NullLocator())
    axis.set_xlim(0.8, 1.25 * panel["gpus"][-1])
    below(axis, panel["label"])


def draw_efficiencies(axis, panel, wanted, colors):
    """The lines of a panel: a colour for each version, open marks for runs by MPI."""
    above(axis, panel["title"])
    axis.grid(color=GRID, linewidth=0.75)
    axis.axhline(wanted["pct"], color=LIMIT, linestyle=(0, (5, 3)), linewidth=1.1, zorder=2)
    for line in panel["lines"]:
        color = colors[line["version"]]
        axis.plot(*zip(*line["points"]), color=color, linewidth=1.6, linestyle="dashed" if line["is_open"] else "solid", marker="o",
                  markersize=5, markerfacecolor=CARD if line["is_open"] else color, label=line["label"], zorder=3)  # fmt: skip
