"""The card that a chart is drawn on: figure, colours, axes, text, and SVG."""

import io
import math
import re

import matplotlib

# Text stays text. The first font, which comes with matplotlib, lays it out; the second has the same widths.
FONTS = ["DejaVu Sans", "Verdana"]

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "pi", "svg.fonttype": "none", "font.sans-serif": FONTS, "font.size": 9})

from matplotlib import pyplot, ticker
from matplotlib.patches import FancyBboxPatch
from matplotlib.transforms import ScaledTranslation

POINTS_PER_PIXEL = 0.75  # as browsers show an SVG's points
WIDTH = 850  # pixels: what a README has

# Each colour on a light page, and on a dark one. CURVES are far apart, more than 30 in CIE L*a*b*, also for people with
# red-green blindness (Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency",
# 2009), and have a contrast of 4 and more on a light card.
ON_DARK = {
    "#ffffff": "#0d1117", "#d0d7de": "#3d444d", "#e6e9ed": "#262c34", "#1f2328": "#e6edf3", "#59636e": "#9aa4af", "#f0f2f4": "#1b2129",
    "#cf222e": "#ff7b72", "#6e7781": "#8b949e", "#9a9fa6": "#757c85", "#b6bec7": "#4d5560", "#dde2e8": "#2a3139", "#f2cc60": "#7d6a1f",
    "#a86a00": "#c8752a", "#127fdd": "#4fb8ea", "#570219": "#efe04a", "#07858d": "#0a8a68", "#4202d0": "#8a6cf5", "#1c0156": "#f6f4f8",
}  # fmt: skip
CARD, BORDER, GRID, INK, FAINT, SCALE, LIMIT, CPU, OTHERS, BUSY, BAND, SECOND, *CURVES = ON_DARK
OCHRE, BLUE, MAROON, TEAL, VIOLET, NAVY = CURVES
REFERENCE = OCHRE


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
        return with_dark_colours(one_element_a_line(buffer.getvalue()))


def with_dark_colours(svg):
    """The SVG with a style that changes its colours on a dark page."""
    rules = [f'[style*="{part}: {light}"] {{{part}: {dark} !important}}' for light, dark in ON_DARK.items() for part in ("fill", "stroke")]
    used = [rule for rule in rules if rule.split('"')[1] in svg]
    return svg.replace("</style>", "\n@media (prefers-color-scheme: dark) {\n" + "\n".join(used) + "\n}</style>", 1)


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


# Labels


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
