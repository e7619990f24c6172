"""Charts of curves: times against samples, distances from pi, and standard deviations against time."""

import math

from card import (
    BAND,
    CARD,
    CPU,
    CURVES,
    DASHED,
    INK,
    SCALE,
    above,
    draw_lines,
    duration,
    label_ends,
    log_log,
    pixels,
    power_of_ten,
    write,
)


# Time against samples


def time(chart):
    """Time against samples, both logarithmic, with circles where versions overtake the CPU; dashed, the time of a part of it."""
    lines = chart["lines"]
    top = 12 + 17 * len(lines)
    figure, (axis,) = log_log(
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
    figure, (axis,) = log_log(chart, "samples", power_of_ten, power_of_ten, height=430, right=226, top=6)
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
    """Standard deviation against time, both logarithmic: falling lines that end at a bias, and curves of points, in each panel."""
    panels = chart["panels"]
    size = {"rows": len(panels), "height": 80 + 360 * len(panels), "under": 0.2}
    figure, axes = log_log(chart, "GPU time", duration_or_power, power_of_ten, right=172, top=24, **size)
    for axis, panel in zip(axes, panels):
        draw_merit(axis, panel)
        if len(panels) > 1:
            above(axis, panel["title"])
    return figure


def draw_merit(axis, panel):
    ends = [draw_fall(axis, line, panel["range"], is_under(line, panel["lines"])) for line in panel["lines"]]
    ends += (own := [draw_points(axis, curve) for curve in panel["curves"]])
    axis.set_xlim(*panel["range"])
    axis.set_ylim(min([panel["lowest"], *(end[1] for end in ends)]) / 2, None)
    for curve, (*_, color) in zip(panel["curves"], own):
        label_points(axis, curve["points"], color)
    label_ends(axis, ends)


def duration_or_power(seconds):
    return duration(seconds * 1e3) if seconds < 2e3 else f"{power_of_ten(seconds)} s"


def is_under(line, lines):
    """Whether a line lies on another one until it ends at its bias."""
    return line["bias"] > 0 and any(
        0.9 < line["sd_of_second"] / other["sd_of_second"] < 1.1 for other in lines if other is not line
    )


def draw_fall(axis, line, span, is_wide):
    """A line that falls as one over the root of the time, down to the bias, dashed at first if so told; a wide one is seen under another; returns what label_ends takes."""
    first, last = span
    color = CURVES[line["hue"]]
    bend = (line["sd_of_second"] / line["bias"]) ** 2 if line["bias"] else last
    change = min(max(first, line.get("dashed_before", first)), last)

    def sd_after(time):
        return max(line["sd_of_second"] / math.sqrt(time), line["bias"])

    width, level = (3.6, 1.9) if is_wide else (1.6, 2)
    for start, end, style in ((first, change, (0, (2, 2))), (change, last, "solid")):
        times = sorted({start, min(max(start, bend), end), end})
        axis.plot(
            times, [sd_after(time) for time in times], color=color, linewidth=width, linestyle=style, zorder=level
        )
    for point in line["points"]:
        axis.plot(point["seconds"], point["sd"], color=color, marker="o", markersize=5, zorder=3)
    return last, sd_after(last), line["label"], color


def draw_points(axis, curve):
    """Measured points; returns what label_ends takes."""
    color = CURVES[curve["hue"]]
    seconds, sds = ([point[name] for point in curve["points"]] for name in ("seconds", "sd"))
    axis.plot(seconds, sds, color=color, linewidth=1.6, marker="o", markersize=5, zorder=3)
    return seconds[-1], sds[-1], curve["label"], color


def label_points(axis, points, color):
    """The labels of points from the last one on, except of points that are too near to the one that is labelled before."""
    labelled = None
    for point in (point for point in reversed(points) if point["text"]):
        place = pixels(axis, (point["seconds"], point["sd"]))
        if labelled is not None and math.dist(place, labelled) < 16:
            continue
        labelled = place
        write(axis, point["seconds"], point["sd"], point["text"], color, right=-7, up=-8, fontsize=8, zorder=2.5,
              bbox={"facecolor": CARD, "edgecolor": "none", "pad": 0.8})  # fmt: skip
