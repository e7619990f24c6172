"""Charts of bars: the phases of the time of steps, and how busy the units of a GPU are."""

from card import BLUE, BUSY, FAINT, INK, MAROON, NAVY, OCHRE, SCALE, TEAL, VIOLET, card, heading, legend, shifted
from dots import ROW, draw_lines, draw_rate, draw_rows
from matplotlib.patches import Patch

BUSIEST = VIOLET
PHASES = {"seed": MAROON, "rng": BLUE, "transfer": OCHRE, "compute": TEAL, "reduce": VIOLET, "sample": NAVY, "other": BUSY}


# Rates and phases of arrays


def arrays(chart):
    """A dot for the rate of every step, with lines for ceilings, beside the shares of its phases; below, an article's."""
    rows, article = chart["rows"], chart["article"]["rows"]
    first = len(rows) + 1  # place of the article's first row
    places = dict(enumerate(rows)) | {first + place: row for place, row in enumerate(article)}
    top = 70 + 17 * len(chart["lines"])
    figure, (left, right) = card(top + ROW * (max(places) + 1) + 76, 226, 22, top, 76, columns=2, widths=(3, 2), between=0.36)
    heading(figure, chart["title"], chart["note"])
    draw_rows(left, {place: row["label"] for place, row in places.items()}, "log", chart["range"])
    left.set_xlabel("samples per nanosecond, logarithmic", color=FAINT)
    right.set_xlim(0, 100)
    right.set_xlabel("share of the time, %", color=FAINT)
    for place, row in places.items():
        draw_rate(figure, left, place, row)
        draw_parts(right, place, row["parts"], chart["phases"])
    if article:
        left.text(left.get_xlim()[0], first - 0.8, chart["article"]["title"], va="center_baseline", color=INK, fontweight="bold")
    draw_lines(figure, left, chart["lines"], down=1 - len(rows) / (max(places) + 1))
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
