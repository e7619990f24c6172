"""Charts of rates: a dot for each step, with its interval and its number, and a bar for each package."""

from bars import ROW, draw_rows
from card import FAINT, GRID, INK, below, draw_lines, grouped, legend, logarithmic, write
from matplotlib.lines import Line2D
from stairs import KINDS, mark, marks_of

NUMBERS = 66  # pixels of a column of rates


def rates(chart):
    """A row a step, with lines for other rates. Where there are second rates, they are hollow dots, with a column of their own."""
    rows, columns = dict(enumerate(chart["rows"])), chart["columns"]
    marks = marks_of(chart["rows"])
    marks += [Line2D([], [], label=name, **mark("sound", is_open=True)) for name in columns[1:]]
    room = {"right": 22 + NUMBERS * len(columns), "top": 6 + 17 * max(1, len(chart["lines"]))}
    axis = draw_rows(chart, rows, ROW, bottom=56 + 18 * len(marks), **room)
    draw_scale(axis, *chart["range"])
    below(axis, f"{chart['unit']}s per nanosecond{', logarithmic' if axis.get_xscale() == 'log' else ''}")
    draw_row = draw_bar if chart.get("is_bars") else draw_rates
    for place, row in rows.items():
        draw_row(axis, place, row)
    draw_numbers(axis, -1, columns)
    draw_lines(axis, chart["lines"])
    legend(axis.figure, marks, 1)
    return axis.figure


def draw_scale(axis, low, high):
    """The scale of rates: linear from 0, logarithmic from any other."""
    axis.set_xlim(low, high)
    axis.grid(color=GRID, linewidth=0.75)
    axis.tick_params(axis="y", pad=8)
    axis.xaxis.set_major_formatter(lambda value, _: grouped(value))
    if low > 0:
        axis.set_xscale("log")
        logarithmic(axis.xaxis)


def draw_rates(axis, place, row):
    """The rates of a step with their intervals, and a line between them."""
    color = KINDS[row["kind"]][1]
    axis.plot([rate["median"] for rate in row["rates"]], [place] * len(row["rates"]), color=color, linewidth=1)
    for number, rate in enumerate(row["rates"]):
        axis.plot([rate["low"], rate["high"]], [place] * 2, color=INK, marker="|", markersize=6, linewidth=1, zorder=3)
        axis.plot(rate["median"], place, zorder=4, clip_on=False, **mark(row["kind"], is_open=number > 0))
    draw_numbers(axis, place, row["texts"])


def draw_bar(axis, place, row):
    """The rate of a package as a bar, with its number at the end."""
    (rate,), (text,) = row["rates"], row["texts"]
    axis.barh(place, rate["median"], height=0.74, color=KINDS[row["kind"]][1], zorder=3)
    write(axis, rate["median"], place, text, INK, right=6)


def draw_numbers(axis, place, texts):
    """Texts to the right of the axis, each in its column."""
    for column, text in enumerate(texts, 1):
        color = INK if column == 1 else FAINT
        write(axis, 1, place, text, color, NUMBERS * column, along=axis.get_yaxis_transform(), ha="right")
