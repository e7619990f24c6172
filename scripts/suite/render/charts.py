"""Draw the charts of the suite: JSON descriptions on stdin, SVG texts as JSON on stdout.

The modules of sections/ say what a chart shows; this one says how it looks. It is
a separate program, because it alone needs matplotlib and another interpreter may
have it. The same description gives the same SVG, byte for byte.
"""

import io
import itertools
import json
import math
import re
import sys

import matplotlib

# Text stays text. The first font, which comes with matplotlib, lays it out; the second has the same widths.
FONTS = ["DejaVu Sans", "Verdana"]

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "pi", "svg.fonttype": "none", "font.sans-serif": FONTS, "font.size": 9})

from matplotlib import pyplot, ticker
from matplotlib.patches import FancyBboxPatch, Patch
from matplotlib.transforms import ScaledTranslation

POINTS_PER_PIXEL = 0.75  # as browsers show an SVG's points
WIDTH = 850  # pixels: what a README has

# An opaque light card: whatever the page behind it, the text has the contrast of black on white.
CARD, BORDER, GRID, INK, FAINT = "#ffffff", "#d0d7de", "#e6e9ed", "#1f2328", "#59636e"
KINDS = {"cpu": "#6e7781", "sound": "#1f6feb", "demonstration": "#8250df", "dependent": "#bf3989"}
OTHERS_BAR = "#9a9fa6"  # of figures of others
KIND_NAMES = {
    "cpu": "CPU",
    "sound": "GPU",
    "demonstration": "GPU, † demonstration generator",
    "dependent": "GPU, ‡ dependent samples, not comparable",
}
REFERENCE, LIMIT = "#9a6700", "#cf222e"
BUSY, BUSIEST, SCALE = "#b6bec7", "#8250df", "#f0f2f4"
BAND = "#dde2e8"
PHASES = {
    "seed": "#9a6700", "rng": "#bf3989", "transfer": "#bc4c00", "compute": "#1a7f37", "reduce": "#8250df", "sample": "#1f6feb",
    "other": BUSY,
}  # fmt: skip
CURVES = ["#bc4c00", "#1a7f37", "#1f6feb", "#8250df", "#bf3989", "#9a6700"]


# The card


def card(height, left, right, top, bottom, columns=1, widths=None):
    """A figure of the usual width with one row of axes; all lengths in pixels. widths are those of the axes, as a ratio."""
    size = (WIDTH * POINTS_PER_PIXEL / 72, height * POINTS_PER_PIXEL / 72)
    figure, axes = pyplot.subplots(1, columns, figsize=size, squeeze=False, sharey=columns > 1, width_ratios=widths)
    figure.subplots_adjust(left / WIDTH, bottom / height, 1 - right / WIDTH, 1 - top / height, wspace=0.12)
    figure.patch.set_alpha(0)
    figure.add_artist(rounded_frame(height))
    for axis in axes[0]:
        axis.set_facecolor("none")
        axis.tick_params(colors=FAINT, length=0)
        axis.set_axisbelow(True)
        for spine in axis.spines.values():
            spine.set_visible(False)
    return figure, axes[0]


def rounded_frame(height):
    return FancyBboxPatch(
        (1 / WIDTH, 1 / height), 1 - 2 / WIDTH, 1 - 2 / height, mutation_aspect=WIDTH / height,
        boxstyle="round,pad=0,rounding_size=0.008", facecolor=CARD, edgecolor=BORDER, linewidth=0.75, zorder=-1,
    )  # fmt: skip


def heading(figure, title, note=""):
    """The title in the upper left corner, and the note in a fainter line below it."""
    height = figure.get_figheight() * 72 / POINTS_PER_PIXEL
    figure.text(16 / WIDTH, 1 - 26 / height, title, color=INK, fontsize=11.5, fontweight="bold")
    figure.text(16 / WIDTH, 1 - 44 / height, note, color=FAINT)


def shifted(axis, figure, right=0, up=0, along=None):
    """Data coordinates, or others, moved by pixels."""
    inch = POINTS_PER_PIXEL / 72
    return (along or axis.transData) + ScaledTranslation(right * inch, up * inch, figure.dpi_scale_trans)


def to_svg(figure):
    with io.StringIO() as buffer:
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        return one_element_a_line(buffer.getvalue())


def one_element_a_line(svg):
    """The SVG without a line break after each point, and without rotations of text by 0 degrees."""
    return re.sub(r' transform="rotate\(-0 [^"]*"', "", re.sub(r' ?\n(?=[LCQMz"])', " ", svg))


def logarithmic(side, text):
    """Ticks of a logarithmic axis at powers of ten; text writes a value."""
    side.set_major_locator(ticker.LogLocator(numticks=20))
    side.set_minor_locator(ticker.NullLocator())
    side.set_major_formatter(lambda value, _: text(value))


def log_log(axis, x_text, y_text):
    """Both axes logarithmic, with a grid."""
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.grid(color=GRID, linewidth=0.75)
    logarithmic(axis.xaxis, x_text)
    logarithmic(axis.yaxis, y_text)


# The ladder


def ladder(chart):
    """A bar for every step, in step order, on a logarithmic scale; lines for the limit and for other devices."""
    bars, lines = chart["bars"], chart["lines"]
    top = 70 + 17 * len(lines)
    figure, (axis,) = card(height=top + 21 * len(bars) + 72, left=226, right=28, top=top, bottom=72)
    heading(figure, chart["title"], chart["note"])
    axis.set_xscale("log")
    axis.set_xlim(*chart["range"])
    axis.set_ylim(len(bars) - 0.4, -0.6)
    axis.grid(axis="x", color=GRID, linewidth=0.75)
    logarithmic(axis.xaxis, "{:.10g}".format)
    axis.set_xlabel("samples per nanosecond, logarithmic", color=FAINT)
    axis.set_yticks(range(len(bars)), [bar["label"] for bar in bars], color=INK)
    for row, bar in enumerate(bars):
        draw_bar(figure, axis, row, bar)
    for level, line in enumerate(sorted(lines, key=lambda line: line["rate"])):
        draw_line(figure, axis, level, line)
    kinds = [kind for kind in KINDS if any(bar["kind"] == kind for bar in bars)]
    patches = [Patch(color=KINDS[kind], label=KIND_NAMES[kind]) for kind in kinds]
    figure.legend(handles=patches, loc="lower left", bbox_to_anchor=(8 / WIDTH, 0.004), ncol=len(patches), frameon=False,
                  labelcolor=FAINT, handlelength=1, handleheight=1, columnspacing=1.4)  # fmt: skip
    return figure


def draw_bar(figure, axis, row, bar):
    """One step: bar, interval, and the rate, inside the bar if there is room."""
    rate = bar["rate"]
    if rate is None:
        axis.text(axis.get_xlim()[0], row, bar["text"], transform=shifted(axis, figure, right=6), va="center",
                  color=FAINT)  # fmt: skip
        return
    axis.barh(row, rate["median"], height=0.74, color=KINDS.get(bar["kind"], OTHERS_BAR), zorder=3)
    axis.plot([rate["low"], rate["high"]], [row, row], color=INK, marker="|", markersize=5, linewidth=1, zorder=5)
    inside = rate["low"] > axis.get_xlim()[0] * 20
    at, right, side, color = (rate["low"], -7, "right", "white") if inside else (rate["high"], 7, "left", INK)
    axis.text(at, row, bar["text"], transform=shifted(axis, figure, right), ha=side, va="center_baseline", color=color,
              fontweight="bold", zorder=4)  # fmt: skip


def draw_line(figure, axis, level, line, down=0):
    """A vertical line with its label on the left, from a height of the axes up.

    Each label is higher than the one before, so they do not overlap.
    """
    color = LIMIT if line["limit"] else REFERENCE
    style = "solid" if line["limit"] else (0, (4, 3))
    up = 8 + 17 * level
    height = axis.get_window_extent().height / figure.dpi * 72 / POINTS_PER_PIXEL
    axis.plot([line["rate"]] * 2, [down, 1 + (up + 8) / height], transform=axis.get_xaxis_transform(), clip_on=False,
              color=color, linestyle=style, linewidth=1.1, zorder=2)  # fmt: skip
    axis.text(line["rate"], 1 + up / height, line["label"] + " ", transform=axis.get_xaxis_transform(), ha="right",
              va="center_baseline", color=color)  # fmt: skip


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


# Pipes


def pipes(chart):
    """A column of bars for each pipe, a row for each kernel. The busiest pipe of a kernel is marked.

    The bars are not stacked: each is a percentage of another maximum, so a sum means nothing.
    """
    rows, columns = chart["rows"], chart["columns"]
    figure, axes = card(height=92 + 21 * len(rows) + 18, left=100, right=22, top=92, bottom=18, columns=len(columns))
    heading(figure, chart["title"], chart["note"])
    axes[0].set_ylim(len(rows) - 0.4, -0.6)
    axes[0].set_yticks(range(len(rows)), rows, color=INK)
    for axis, column in zip(axes, columns):
        axis.set_xlim(0, 100)
        axis.set_xticks([])
        axis.set_title(column["title"], color=INK, fontsize=9, fontweight="bold", loc="left")
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


# Time against samples


def time(chart):
    """Time of a launch against its samples, both logarithmic, with a circle where a version overtakes the CPU."""
    figure, (axis,) = card(height=470, left=70, right=92, top=64, bottom=50)
    heading(figure, chart["title"], chart["note"])
    log_log(axis, power_of_ten, duration)
    axis.set_xlabel("samples of a launch", color=FAINT)
    ends = []
    colors = itertools.cycle(CURVES)
    for curve in chart["curves"]:
        color = KINDS["cpu"] if curve["is_cpu"] else next(colors)
        samples, median, low, high = zip(*curve["points"])
        axis.fill_between(samples, low, high, color=color, alpha=0.25, linewidth=0, zorder=2)
        axis.plot(samples, median, color=color, linewidth=1.8, marker="o", markersize=3.2, zorder=3)
        ends.append((samples[-1], median[-1], curve["label"], color))
        if curve["overtakes"]:
            axis.plot(*curve["overtakes"], marker="o", markersize=9, markerfacecolor="none", markeredgecolor=color,
                      markeredgewidth=1.6, zorder=4)  # fmt: skip
    label_ends(figure, axis, ends)
    axis.text(0.985, 0.04, "\n".join(chart["overtaking"]), transform=axis.transAxes, ha="right", va="bottom", color=INK,
              linespacing=1.5)  # fmt: skip
    return figure


def calls(chart):
    """Time of a whole call against its samples, both logarithmic; dashed, the time of the launch alone."""
    lines = chart["lines"]
    top = 64 + 17 * len(lines)
    figure, (axis,) = card(height=420 + top, left=70, right=92, top=top, bottom=50)
    heading(figure, chart["title"], chart["note"])
    log_log(axis, power_of_ten, duration)
    axis.set_xlabel("samples of a call", color=FAINT)
    ends, colors = [], itertools.cycle(CURVES)
    for number, curve in enumerate(chart["curves"]):
        color = KINDS["cpu"] if curve["is_cpu"] else next(colors)
        samples, ms = zip(*curve["points"])
        axis.plot(samples, ms, color=color, linewidth=1.8, marker="o", markersize=3.2, zorder=3 + number / 100)
        if curve["alone"]:
            axis.plot(*zip(*curve["alone"]), color=color, linewidth=0.9, linestyle=(0, (4, 3)), zorder=2)
        ends.append((samples[-1], ms[-1], curve["label"], color))
    for place in chart["circles"]:
        axis.plot(*place, marker="o", markersize=10, markerfacecolor="none", markeredgecolor=INK, markeredgewidth=1.4, zorder=5)
    for level, line in enumerate(lines):
        draw_line(figure, axis, level, line)
    label_ends(figure, axis, ends)
    axis.text(0.015, 0.97, "\n".join(chart["overtaking"]), transform=axis.transAxes, va="top", color=INK, linespacing=1.5)
    return figure


def label_ends(figure, axis, ends):
    """The name of each curve at its end; names that would overlap are moved apart."""
    figure.canvas.draw()
    pixel = figure.dpi / 72 * POINTS_PER_PIXEL
    placed = []
    for samples, ms, label, color in sorted(ends, key=lambda end: end[1]):
        x, y = axis.transData.transform((samples, ms)) / pixel
        low = max([other + 14 for other_x, other in placed if abs(other_x - x) < 90], default=y)
        placed.append((x, max(y, low)))
        axis.text(samples, ms, label, transform=shifted(axis, figure, right=8, up=placed[-1][1] - y),
                  va="center_baseline", color=color, fontweight="bold")  # fmt: skip


def power_of_ten(value):
    return f"10{str(round(math.log10(value))).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def duration(ms):
    """A round time with its unit."""
    for unit, size in (("s", 1e3), ("ms", 1), ("µs", 1e-3), ("ns", 1e-6)):
        if ms >= size * 0.999:
            return f"{ms / size:.4g} {unit}"
    return ""


# Distance from pi against samples


def convergence(chart):
    """Distance of the estimate from pi against samples, both logarithmic, down to the bias of each version."""
    figure, (axis,) = card(height=500, left=70, right=196, top=64, bottom=50)
    heading(figure, chart["title"], chart["note"])
    log_log(axis, power_of_ten, power_of_ten)
    axis.set_xlabel("samples", color=FAINT)
    draw_bands(axis, chart)
    ends = []
    for curve, color in zip(chart["curves"], itertools.cycle(CURVES)):
        draw_approach(axis, curve, color)
        axis.axhline(curve["bias"], color=color, linestyle=(0, (5, 3)), linewidth=1.1, zorder=2)
        ends.append((chart["range"][1], curve["bias"], curve["label"], color))
    label_ends(figure, axis, ends)
    return figure


def draw_bands(axis, chart):
    """One and two standard deviations of the estimate, down to the bottom; and where the axes end."""
    samples = chart["range"]
    one, two = ([times * chart["sd_of_one"] / math.sqrt(count) for count in samples] for times in (1, 2))
    lowest = min(curve["bias"] for curve in chart["curves"]) / 10
    axis.fill_between(samples, lowest, two, color=SCALE, linewidth=0, zorder=1)
    axis.fill_between(samples, lowest, one, color=BAND, linewidth=0, zorder=1)
    axis.set_xlim(*samples)
    axis.set_ylim(lowest, 2 * two[0])


def draw_approach(axis, curve, color):
    points = [point for point in curve["points"] if point[1] is not None]
    axis.plot(*zip(*points), color=color, alpha=0.3, linewidth=0.8, zorder=3)
    axis.plot(*zip(*points), color=color, linestyle="none", marker="o", markersize=2.8, markeredgewidth=0, zorder=3)


# Standard deviation of the estimate against time


def merit(chart):
    """Standard deviation against time, both logarithmic: falling lines that end at a bias, and curves of points."""
    figure, (axis,) = card(height=520, left=70, right=172, top=64, bottom=50)
    heading(figure, chart["title"], chart["note"])
    log_log(axis, duration_or_power, power_of_ten)
    axis.set_xlabel("GPU time", color=FAINT)
    colors = itertools.cycle(CURVES)
    ends = [draw_fall(axis, line, chart["range"], next(colors)) for line in chart["lines"]]
    for curve in chart["curves"]:
        ends.append(draw_points(figure, axis, curve, next(colors)))
    axis.set_xlim(*chart["range"])
    axis.set_ylim(min([chart["lowest"], *(end[1] for end in ends)]) / 2, None)
    label_ends(figure, axis, ends)
    return figure


def duration_or_power(seconds):
    return duration(seconds * 1e3) if seconds < 2e3 else f"{power_of_ten(seconds)} s"


def draw_fall(axis, line, span, color):
    """A line that falls as one over the root of the time, down to the bias; returns what label_ends takes."""
    first, last = span
    bend = (line["sd_of_second"] / line["bias"]) ** 2 if line["bias"] else last
    times = sorted({first, min(max(first, bend), last), last})
    sds = [max(line["sd_of_second"] / math.sqrt(time), line["bias"]) for time in times]
    axis.plot(times, sds, color=color, linewidth=1.6, zorder=2)
    for point in line["points"]:
        axis.plot(point["seconds"], point["sd"], color=color, marker="o", markersize=5, zorder=3)
    return last, sds[-1], line["label"], color


def draw_points(figure, axis, curve, color):
    """Measured points with their labels; returns what label_ends takes."""
    points = curve["points"]
    seconds, sds = [point["seconds"] for point in points], [point["sd"] for point in points]
    axis.plot(seconds, sds, color=color, linewidth=1.6, marker="o", markersize=5, zorder=3)
    for point in points:
        axis.text(point["seconds"], point["sd"], point["text"], transform=shifted(axis, figure, right=-7, up=-8),
                  ha="right", va="center_baseline", color=color, fontsize=8, zorder=2.5,
                  bbox={"facecolor": CARD, "edgecolor": "none", "pad": 0.8})  # fmt: skip
    return seconds[-1], sds[-1], curve["label"], color


# Efficiency of several GPUs


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


CHARTS = {
    "arrays": arrays, "calls": calls, "ladder": ladder, "pipes": pipes, "time": time, "convergence": convergence, "merit": merit, "scaling": scaling,
}  # fmt: skip


def main():
    charts = json.loads(sys.stdin.read().replace("$", r"\\$"))  # matplotlib takes text between dollar signs for a formula
    json.dump([to_svg(CHARTS[chart["chart"]](chart)) for chart in charts], sys.stdout)


if __name__ == "__main__":
    main()
