"""Charts of bars: the phases of the time of steps, and how busy the units of a GPU are."""

from card import (
    BLUE,
    BUSY,
    FAINT,
    INK,
    MAROON,
    NAVY,
    OCHRE,
    SCALE,
    TEAL,
    VIOLET,
    above,
    below,
    card,
    draw_lines,
    legend,
    write,
)
from dots import LETTER, ROW, draw_rate, draw_rows
from matplotlib.patches import Patch

BUSIEST = VIOLET
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
    draw_lines(left, chart["lines"], down=1 - len(rows) / (max(places) + 1))
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

MANY_COLUMNS = 8  # too many for titles of two words in a line


def pipes(chart):
    """A column of bars for each pipe, a row for each kernel. The busiest pipe of a kernel is marked.

    The bars are not stacked: each is a percentage of another maximum, so a sum means nothing.
    """
    rows, columns = chart["rows"], chart["columns"]
    left = max(100, 15 + LETTER * max(map(len, rows)))
    figure, axes = card(chart, 92 + ROW * len(rows) + 18, left=left, right=22, top=92, bottom=18, columns=len(columns))
    axes[0].set_ylim(len(rows) - 0.4, -0.6)
    axes[0].set_yticks(range(len(rows)), rows, color=INK)
    between = "\n" if len(columns) > MANY_COLUMNS else " "
    for axis, column in zip(axes, columns):
        axis.set_xlim(0, 100)
        axis.set_xticks([])
        above(axis, column["title"].replace(" ", between))
        for row, cell in enumerate(column["cells"]):
            draw_cell(axis, row, cell)
    return figure


def draw_cell(axis, row, cell):
    """One utilisation: a bar on its full scale, and the number, inside the bar if there is room."""
    if cell["pct"] is None:
        write(axis, 0, row, "–", FAINT, right=5)
        return
    axis.barh(row, 100, height=0.74, color=SCALE, zorder=2)
    axis.barh(row, cell["pct"], height=0.74, color=BUSIEST if cell["busiest"] else BUSY, zorder=3)
    is_inside = cell["pct"] > 50
    color, weight = ("white" if is_inside else INK, "bold") if cell["busiest"] else (INK, "normal")
    write(axis, cell["pct"], row, cell["text"], color, right=-5 if is_inside else 5, fontweight=weight, zorder=4)
