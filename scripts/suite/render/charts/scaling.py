"""The chart of several GPUs: efficiency against the time of a run, and against the number of GPUs."""

import itertools

from card import CARD, CURVES, FAINT, GRID, INK, LIMIT, WIDTH, card, duration, heading, logarithmic, shifted
from matplotlib import ticker



def scaling(chart):
    """Efficiency against the time of a run, and against the number of GPUs, a panel each."""
    figure, (strong, weak) = card(height=430, left=60, right=24, top=88, bottom=86, columns=2)
    heading(figure, chart["title"], chart["note"])
    for axis, name in ((strong, "strong"), (weak, "weak")):
        draw_efficiencies(axis, chart[name], chart["wanted"])
    strong.set_ylim(chart["lowest"], 102)
    strong.yaxis.set_major_formatter(lambda value, _: f"{value:.4g} %")
    strong.set_xscale("log")
    logarithmic(strong.xaxis, duration)
    strong.set_xlabel("time of a run", color=FAINT)
    strong.text(0.985, chart["wanted"]["pct"], chart["wanted"]["text"], ha="right", va="top", color=LIMIT,
                transform=shifted(strong, figure, up=-4, along=strong.get_yaxis_transform()))  # fmt: skip
    weak.set_xscale("log", base=2)
    weak.set_xticks(chart["weak"]["gpus"], [str(gpus) for gpus in chart["weak"]["gpus"]])
    weak.xaxis.set_minor_locator(ticker.NullLocator())
    weak.set_xlim(0.8, 1.25 * chart["weak"]["gpus"][-1])
    weak.set_xlabel(chart["weak"]["label"], color=FAINT)
    handles, labels = strong.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower left", bbox_to_anchor=(8 / WIDTH, 0.01), ncol=4, frameon=False,
                  labelcolor=INK, columnspacing=1.6)  # fmt: skip
    return figure


def draw_efficiencies(axis, panel, wanted):
    """The lines of a panel. Every second line has open marks, so that both of two equal lines are visible."""
    axis.set_title(panel["title"], color=INK, fontsize=9, fontweight="bold", loc="left")
    axis.grid(color=GRID, linewidth=0.75)
    axis.axhline(wanted["pct"], color=LIMIT, linestyle=(0, (5, 3)), linewidth=1.1, zorder=2)
    for number, (line, color) in enumerate(zip(panel["lines"], itertools.cycle(CURVES))):
        face = color if number % 2 == 0 else CARD
        axis.plot(*zip(*line["points"]), color=color, linewidth=1.6, marker="o", markersize=5, markerfacecolor=face,
                  label=line["label"], zorder=3)  # fmt: skip
