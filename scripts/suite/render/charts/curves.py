"""Charts of curves: times against samples, distances from pi, and standard deviations against time."""

import math

from card import BAND, CPU, CURVES, DASHED, INK, SCALE, draw_lines, duration, label_ends, log_log, power_of_ten


# Time against samples


def time(chart):
    """Time against samples, both logarithmic, with circles where versions overtake the CPU; dashed, the time of a part of it."""
    lines = chart["lines"]
    top = 12 + 17 * len(lines)
    figure, axis = log_log(
        chart, f"samples of a {chart['of']}", power_of_ten, duration, height=400 + top, right=92, top=top
    )
    ends = [draw_times(axis, curve, CPU if curve["is_cpu"] else CURVES[curve["hue"]]) for curve in chart["curves"]]
    for place in chart["circles"]:
        axis.plot(*place, marker="o", markersize=10, color=INK, markerfacecolor="none", markeredgewidth=1.4, zorder=5)
    draw_lines(axis, lines)
    label_ends(axis, ends)
    axis.text(
        0.015, 0.97, "\n".join(chart["overtaking"]), transform=axis.transAxes, va="top", color=INK, linespacing=1.5
    )
    return figure


def draw_times(axis, curve, color):
    """Medians with their intervals, and the part of them; returns what label_ends takes."""
    samples, median, low, high = zip(*curve["points"])
    axis.fill_between(samples, low, high, color=color, alpha=0.25, linewidth=0, zorder=2)
    axis.plot(samples, median, color=color, linewidth=1.8, marker="o", markersize=3.2, zorder=3)
    if curve["part"]:
        axis.plot(*zip(*curve["part"]), color=color, linewidth=0.9, linestyle=DASHED, zorder=2)
    return samples[-1], median[-1], curve["label"], color


# Distance from pi against samples


def convergence(chart):
    """Distance of the estimate from pi against samples, both logarithmic, down to the bias of each version."""
    figure, axis = log_log(chart, "samples", power_of_ten, power_of_ten, height=430, right=226, top=6)
    draw_bands(axis, chart)
    ends = []
    for curve in chart["curves"]:
        color = CURVES[curve["hue"]]
        draw_approach(axis, curve, color)
        axis.axhline(curve["bias"], color=color, linestyle=(0, (5, 3)), linewidth=1.1, zorder=2)
        ends.append((chart["range"][1], curve["bias"], curve["label"], color))
    label_ends(axis, ends)
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
    figure, axis = log_log(chart, "GPU time", duration_or_power, power_of_ten, height=440, right=130, top=8)
    points = [point for part in chart["lines"] + chart["curves"] for point in part["points"]]
    span = decades([*chart["span"], *(point["seconds"] for point in points)])
    ends = [draw_fall(axis, line, span) for line in chart["lines"]]
    ends += [draw_points(axis, curve) for curve in chart["curves"]]
    axis.set_xlim(*span)
    axis.set_ylim(min([*(point["sd"] for point in points), *(end[1] for end in ends)]) / 2, None)
    label_ends(axis, ends)
    return figure


def decades(values):
    """The powers of ten around values."""
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))


def duration_or_power(seconds):
    return duration(seconds * 1e3) if seconds < 2e3 else f"{power_of_ten(seconds)} s"


def draw_fall(axis, line, span):
    """A line that falls as one over the root of the time, down to the bias, dashed at first if so told; returns what label_ends takes."""
    first, last = span
    color = CURVES[line["hue"]]
    bend = (line["sd_of_second"] / line["bias"]) ** 2 if line["bias"] else last
    change = min(max(first, line.get("dashed_before", first)), last)

    def sd_after(time):
        return max(line["sd_of_second"] / math.sqrt(time), line["bias"])

    for start, end, style in ((first, change, (0, (2, 2))), (change, last, "solid")):
        times = sorted({start, min(max(start, bend), end), end})
        axis.plot(times, [sd_after(time) for time in times], color=color, linewidth=1.6, linestyle=style, zorder=2)
    for point in line["points"]:
        axis.plot(point["seconds"], point["sd"], color=color, marker="o", markersize=5, zorder=3)
    return last, sd_after(last), line["label"], color


def draw_points(axis, curve):
    """Measured points; returns what label_ends takes."""
    color = CURVES[curve["hue"]]
    seconds, sds = ([point[name] for point in curve["points"]] for name in ("seconds", "sd"))
    axis.plot(seconds, sds, color=color, linewidth=1.6, marker="o", markersize=5, zorder=3)
    return seconds[-1], sds[-1], curve["label"], color
