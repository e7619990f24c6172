"""Charts of bars: the rates of steps, the phases of their time, and how busy the units of a GPU are."""

from card import (
    BLUE, BUSY, CPU, FAINT, GRID, INK, MAROON, NAVY, OCHRE, OTHERS, SCALE, SECOND, TEAL, VIOLET, WIDTH, card, draw_line, heading,
    logarithmic, shifted,
)  # fmt: skip
from matplotlib.patches import Patch

KINDS = {"cpu": CPU, "sound": BLUE, "demonstration": VIOLET, "dependent": MAROON}
KIND_NAMES = {
    "cpu": "CPU",
    "sound": "GPU",
    "demonstration": "GPU, † demonstration generator",
    "dependent": "GPU, ‡ dependent samples, not comparable",
}
BUSIEST = VIOLET
PHASES = {"seed": OCHRE, "rng": MAROON, "transfer": NAVY, "compute": TEAL, "reduce": VIOLET, "sample": BLUE, "other": BUSY}


# The rates of steps


def ladder(chart):
    """A bar for every step, in step order, on a linear or logarithmic scale; lines for limits and for other devices."""
    bars, lines = chart["bars"], chart["lines"]
    top = 70 + 17 * len(lines)
    figure, (axis,) = card(height=top + 21 * len(bars) + 72, left=226, right=28, top=top, bottom=72)
    heading(figure, chart["title"], chart["note"])
    axis.set_xscale(chart["scale"])
    axis.set_xlim(*chart["range"])
    axis.set_ylim(len(bars) - 0.4, -0.6)
    axis.grid(axis="x", color=GRID, linewidth=0.75)
    if chart["scale"] == "log":
        logarithmic(axis.xaxis, "{:.10g}".format)
    axis.set_xlabel(f"{chart['unit']}s per nanosecond{', logarithmic' if chart['scale'] == 'log' else ''}", color=FAINT)
    axis.set_yticks(range(len(bars)), [bar["label"] for bar in bars], color=INK)
    for row, bar in enumerate(bars):
        draw_bar(figure, axis, row, bar)
        if bar.get("second"):
            draw_second(figure, axis, row, bar["second"])
    for level, line in enumerate(sorted(lines, key=lambda line: line["rate"])):
        draw_line(figure, axis, level, line)
    kinds = [kind for kind in KINDS if any(bar["kind"] == kind for bar in bars)]
    patches = [Patch(color=KINDS[kind], label=KIND_NAMES[kind]) for kind in kinds]
    patches += [Patch(color=SECOND, label=chart["second"])] if chart["second"] else []
    figure.legend(handles=patches, loc="lower left", bbox_to_anchor=(8 / WIDTH, 0.004), ncol=len(patches), frameon=False,
                  labelcolor=FAINT, handlelength=1, handleheight=1, columnspacing=1.4)  # fmt: skip
    return figure


def draw_second(figure, axis, row, second):
    """Another rate of a step: a thin bar on the lower edge of its bar, with a mark at the end."""
    axis.barh(row + 0.29, second["rate"], height=0.16, color=SECOND, zorder=4.5)


def draw_bar(figure, axis, row, bar):
    """One step: bar, interval, and the rate, inside the bar if there is room."""
    rate = bar["rate"]
    if rate is None:
        axis.text(axis.get_xlim()[0], row, bar["text"], transform=shifted(axis, figure, right=6), va="center",
                  color=FAINT)  # fmt: skip
        return
    axis.barh(row, rate["median"], height=0.74, color=KINDS.get(bar["kind"], OTHERS), zorder=3)
    axis.plot([rate["low"], rate["high"]], [row, row], color=INK, marker="|", markersize=5, linewidth=1, zorder=5)
    first, last = axis.get_xlim()
    inside = rate["low"] > (first * 20 if first > 0 else last / 9)
    at, right, side, color = (rate["low"], -7, "right", "white") if inside else (rate["high"], 7, "left", INK)
    axis.text(at, row, bar["text"], transform=shifted(axis, figure, right), ha=side, va="center_baseline", color=color,
              fontweight="bold", zorder=4)  # fmt: skip


# Rates and phases of arrays


def arrays(chart):
    """A bar for the rate of every step, with lines for ceilings, beside the shares of its phases; below, an article's."""
    bars, article, lines = chart["bars"], chart["article"]["bars"], chart["lines"]
    first = len(bars) + 1.1  # row of the article's first bar
    rows = first + len(article) if article else len(bars)
    top = 70 + 17 * len(lines)
    figure, (left, right) = card(top + 21 * rows + 76, 226, 22, top, 76, columns=2, widths=(3, 2))
    heading(figure, chart["title"], chart["note"])
    left.set_xscale("log")
    left.set_xlim(*chart["range"])
    left.set_ylim(rows - 0.4, -0.6)
    left.grid(axis="x", color=GRID, linewidth=0.75)
    logarithmic(left.xaxis, "{:.10g}".format)
    left.set_xlabel("samples per nanosecond, logarithmic", color=FAINT)
    right.set_xlim(0, 100)
    right.set_xlabel("share of the time, %", color=FAINT)
    places = [*enumerate(bars), *((first + row, bar) for row, bar in enumerate(article))]
    left.set_yticks([row for row, _ in places], [bar["label"] for _, bar in places], color=INK)
    for row, bar in places:
        draw_bar(figure, left, row, bar)
        draw_parts(right, row, bar["parts"], chart["phases"])
    if article:
        left.text(left.get_xlim()[0], first - 0.85, chart["article"]["title"], va="center_baseline", color=INK,
                  fontweight="bold", fontsize=9)  # fmt: skip
    for level, line in enumerate(sorted(lines, key=lambda line: line["rate"])):
        draw_line(figure, left, level, line, down=1 - len(bars) / rows)
    patches = [Patch(color=PHASES.get(name, BUSY), label=name) for name in chart["phases"]]
    figure.legend(handles=patches, loc="lower left", bbox_to_anchor=(8 / WIDTH, 0.004), ncol=len(patches), frameon=False,
                  labelcolor=FAINT, handlelength=1, handleheight=1, columnspacing=1.4)  # fmt: skip
    return figure


def draw_parts(axis, row, parts, names):
    """The shares of a row, from left to right, with their numbers where there is room."""
    start = 0
    for name in names:
        share = parts.get(name, 0)
        color = PHASES.get(name, BUSY)
        axis.barh(row, share, left=start, height=0.74, color=color, zorder=3)
        if share >= 9:
            axis.text(start + share / 2, row, f"{share:.0f}", ha="center", va="center_baseline", fontsize=8, zorder=4,
                      color=INK if color == BUSY else "white")  # fmt: skip
        start += share


# Units of a GPU

MANY_COLUMNS = 8  # too many for titles of two words in a line
LETTER = 7  # the width of one in a label


def pipes(chart):
    """A column of bars for each pipe, a row for each kernel. The busiest pipe of a kernel is marked.

    The bars are not stacked: each is a percentage of another maximum, so a sum means nothing.
    """
    rows, columns = chart["rows"], chart["columns"]
    left = max(100, 15 + LETTER * max(map(len, rows)))
    figure, axes = card(height=92 + 21 * len(rows) + 18, left=left, right=22, top=92, bottom=18, columns=len(columns))
    heading(figure, chart["title"], chart["note"])
    axes[0].set_ylim(len(rows) - 0.4, -0.6)
    axes[0].set_yticks(range(len(rows)), rows, color=INK)
    between = "\n" if len(columns) > MANY_COLUMNS else " "
    for axis, column in zip(axes, columns):
        axis.set_xlim(0, 100)
        axis.set_xticks([])
        axis.set_title(column["title"].replace(" ", between), color=INK, fontsize=9, fontweight="bold", loc="left")
        for row, cell in enumerate(column["cells"]):
            draw_cell(figure, axis, row, cell)
    return figure


def draw_cell(figure, axis, row, cell):
    """One utilisation: a bar on its full scale, and the number, inside the bar if there is room."""
    if cell["pct"] is None:
        axis.text(0, row, "–", transform=shifted(axis, figure, right=5), va="center_baseline", color=FAINT)
        return
    axis.barh(row, 100, height=0.74, color=SCALE, zorder=2)
    axis.barh(row, cell["pct"], height=0.74, color=BUSIEST if cell["busiest"] else BUSY, zorder=3)
    right, side = (-5, "right") if cell["pct"] > 50 else (5, "left")
    color = "white" if cell["busiest"] and side == "right" else INK
    axis.text(cell["pct"], row, cell["text"], transform=shifted(axis, figure, right), ha=side, va="center_baseline",
              color=color, fontweight="bold" if cell["busiest"] else "normal", zorder=4)  # fmt: skip
