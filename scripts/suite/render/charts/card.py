"""The card that a chart is drawn on: figure, colours, axes, text, and SVG."""

import io
import math
import re
import textwrap

import matplotlib

# Text stays text. The first font, which comes with matplotlib, lays it out; the second has the same widths.
FONTS = ["DejaVu Sans", "Verdana"]

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "pi", "svg.fonttype": "none", "font.sans-serif": FONTS, "font.size": 9.5})

from matplotlib import pyplot, ticker
from matplotlib.patches import FancyBboxPatch
from matplotlib.transforms import ScaledTranslation

POINTS_PER_PIXEL = 0.75  # as browsers show an SVG's points
WIDTH = 600  # pixels: on a phone, which has some 360 of them, letters are still 7 high
LINE = 16

# Each colour on a light page, and on a dark one. CURVES are far apart, more than 30 in CIE L*a*b*, also for people with
# red-green blindness (Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency",
# 2009), and have a contrast of 4 and more on a light card. CPU is as far as 24 from each.
ON_DARK = {
    "#ffffff": "#0d1117", "#d0d7de": "#3d444d", "#e6e9ed": "#262c34", "#1f2328": "#e6edf3", "#59636e": "#9aa4af", "#f0f2f4": "#1b2129",
    "#cf222e": "#ff7b72", "#726a52": "#aab2ba", "#b6bec7": "#4d5560", "#dde2e8": "#2a3139",
    "#a86a00": "#c8752a", "#127fdd": "#4fb8ea", "#570219": "#efe04a", "#07858d": "#0a8a68", "#4202d0": "#8a6cf5", "#1c0156": "#f6f4f8",
}  # fmt: skip
CARD, BORDER, GRID, INK, FAINT, SCALE, LIMIT, CPU, BUSY, BAND, *CURVES = ON_DARK
OCHRE, BLUE, MAROON, TEAL, VIOLET, NAVY = CURVES
REFERENCE, DASHED = OCHRE, (0, (4, 3))


# The card


def card(chart, height, left, right, top, bottom, columns=1, rows=1, under=0, **axes_style):
    """A figure of the usual width with a chart's title and note above its axes; all lengths in pixels.

    height and top are without title and note. under is the space between two rows, as a part of their mean height.
    """
    title, note = (textwrap.wrap(chart[name], letters) for name, letters in (("title", 64), ("note", 84)))
    head = 24 + LINE * len(title + note)
    height, top = height + head, top + head
    size = (WIDTH * POINTS_PER_PIXEL / 72, height * POINTS_PER_PIXEL / 72)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False, **axes_style)
    figure.subplots_adjust(left / WIDTH, bottom / height, 1 - right / WIDTH, 1 - top / height, 0.12, under)
    figure.patch.set_alpha(0)
    figure.add_artist(rounded_frame(height))
    for axis in axes.flat:
        axis.set_facecolor("none")
        axis.tick_params(colors=FAINT, length=0)
        axis.set_axisbelow(True)
        for spine in axis.spines.values():
            spine.set_visible(False)
    for number, line in enumerate(title + note):
        style = {"color": INK, "fontsize": 11, "fontweight": "bold"} if number < len(title) else {"color": FAINT}
        figure.text(16 / WIDTH, 1 - (24 + LINE * number) / height, line, **style)
    return figure, list(axes.flat)


def rounded_frame(height):
    return FancyBboxPatch(
        (1 / WIDTH, 1 / height), 1 - 2 / WIDTH, 1 - 2 / height, mutation_aspect=WIDTH / height,
        boxstyle="round,pad=0,rounding_size=0.008", facecolor=CARD, edgecolor=BORDER, linewidth=0.75, zorder=-1,
    )  # fmt: skip


def write(axis, x, y, text, color, right=0, up=0, along=None, **style):
    """A text at data coordinates, or others, moved by pixels. One that is moved to the left ends there."""
    inch = POINTS_PER_PIXEL / 72
    place = (along or axis.transData) + ScaledTranslation(right * inch, up * inch, axis.figure.dpi_scale_trans)
    own = {"ha": "right" if right < 0 else "left", "va": "center_baseline", "transform": place}
    axis.text(x, y, text, color=color, **own | style)


def below(axis, text):
    """What an axis shows, under it."""
    axis.set_xlabel(text, color=FAINT)


def above(axis, text):
    """The title of a panel."""
    axis.set_title(text, color=INK, fontsize=9, fontweight="bold", loc="left")


def pixels(axis, points, transform=None):
    """Where points are on the figure, in pixels; they are data, or in other coordinates."""
    return (transform or axis.transData).transform(points) / axis.figure.dpi * 72 / POINTS_PER_PIXEL


def to_svg(figure):
    with io.StringIO() as buffer:
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        return with_dark_colours(one_element_a_line(buffer.getvalue()))


def with_dark_colours(svg):
    """The SVG with a style that changes its colours on a dark page."""
    rules = [
        f'[style*="{part}: {light}"] {{{part}: {dark} !important}}'
        for light, dark in ON_DARK.items()
        for part in ("fill", "stroke")
    ]
    used = [rule for rule in rules if rule.split('"')[1] in svg]
    return svg.replace("</style>", "\n@media (prefers-color-scheme: dark) {\n" + "\n".join(used) + "\n}</style>", 1)


def one_element_a_line(svg):
    """The SVG without a line break after each point, and without rotations of text by 0 degrees."""
    return re.sub(r' transform="rotate\(-0 [^"]*"', "", re.sub(r' ?\n(?=[LCQMz"])', " ", svg))


def grouped(value):
    """A number of an axis: 0.01, 10,000."""
    return f"{value:,.10g}"


def logarithmic(side, text=grouped):
    """Ticks of a logarithmic axis at powers of ten, as many as have room; text writes a value."""
    box = side.axes.get_window_extent().size / side.axes.figure.dpi * 72 / POINTS_PER_PIXEL
    most = int(box[0] / 58 if side.axis_name == "x" else box[1] / 20)
    side.set_major_locator(ticker.LogLocator(numticks=max(2, most)))
    side.set_minor_locator(ticker.NullLocator())
    side.set_major_formatter(lambda value, _: text(value))


def log_log(chart, title, x_text, y_text, **card_size):
    """A card with logarithmic axes and a grid."""
    figure, (axis,) = card(chart, bottom=50, left=70, **card_size)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.grid(color=GRID, linewidth=0.75)
    logarithmic(axis.xaxis, x_text)
    logarithmic(axis.yaxis, y_text)
    below(axis, title)
    return figure, axis


# Labels


def legend(figure, handles, columns=4):
    """The legend in the lower left corner."""
    figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(8 / WIDTH, 0.004), ncol=columns, frameon=False,
                  labelcolor=INK, handlelength=1, handleheight=1, columnspacing=1.4)  # fmt: skip


def label_ends(axis, ends):
    """The name of each curve at its end, beside all lines; names that would overlap are moved apart."""
    axis.figure.canvas.draw()
    drawn = [
        place
        for line in axis.get_lines()
        for place in places_along(pixels(axis, line.get_xydata(), line.get_transform()))
    ]
    placed = []
    for x_value, y_value, label, color in sorted(ends, key=lambda end: end[1]):
        x, y = pixels(axis, (x_value, y_value))
        right, up = next((place for place in BESIDE if is_free(x, y, place, label, drawn)), BESIDE[0])
        low = max([other + 16 for other_x, other in placed if abs(other_x - x) < 90], default=y + up)
        placed.append((x, max(y + up, low)))
        write(axis, x_value, y_value, label, color, right, placed[-1][1] - y, fontweight="bold")


BESIDE = (8, 0), (8, -11), (-8, 0)  # where a name may stand: pixels to the right of the end of its curve, and up


def places_along(points):
    """Points along a line, a few pixels apart."""
    for start, end in zip(points, points[1:]):
        steps = max(1, math.ceil(math.dist(start, end) / 4))
        yield from (start + (end - start) * step / steps for step in range(1, steps + 1))


def is_free(x, y, place, label, drawn):
    """Whether no line runs through a name there, by the usual width of a letter."""
    right, up = place
    near, far = sorted((right, math.copysign(abs(right) + 7 * len(label), right)))
    return not any(near < px - x < far and abs(py - y - up) < 7 for px, py in drawn)


def power_of_ten(value):
    return f"10{str(round(math.log10(value))).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def duration(ms):
    """A round time with its unit."""
    for unit, size in (("s", 1e3), ("ms", 1), ("µs", 1e-3), ("ns", 1e-6)):
        if ms >= size * 0.999:
            return f"{ms / size:,.4g} {unit}"
    return ""


def draw_lines(axis, lines):
    """Vertical lines with their labels on the left, one above the other."""
    height = axis.get_window_extent().height / axis.figure.dpi * 72 / POINTS_PER_PIXEL
    for level, line in enumerate(sorted(lines, key=lambda line: line["rate"])):
        up = 8 + 17 * level
        axis.plot([line["rate"]] * 2, [0, 1 + (up + 8) / height], transform=axis.get_xaxis_transform(), clip_on=False,
                  color=REFERENCE, linestyle=DASHED, linewidth=1.1, zorder=2)  # fmt: skip
        write(axis, line["rate"], 1 + up / height, line["label"], REFERENCE, right=-5, along=axis.get_xaxis_transform())
