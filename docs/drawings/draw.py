#!/usr/bin/env python3
"""Draw the drawings of the stories, kernels/**/README.md: one idea each, an SVG beside this script.

usage: draw.py [DIR]

DIR is where they go (default: this folder). The colours are those of Okabe and Ito, "Color Universal Design", which do not depend
on how one sees colours. Text and lines turn light on a dark page.
"""

import json
import math
import random
import runpy
import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
SCRIPTS, RESULTS = (HERE.parents[1] / folder for folder in ("scripts", "results"))
sys.path.insert(0, str(SCRIPTS))
NETWORKS = runpy.run_path(str(SCRIPTS / "networks"))  # the geometry of pi's steps
Square, Octant = NETWORKS["Square"], NETWORKS["Octant"]

WIDTH = 740
PLACES = {"i": "sky", "o": "pink", "c": "orange"}  # inside, outside and cut

STYLE = """
text { font: 13px sans-serif; fill: #1f2328 }
.head { font-weight: bold } .faint { fill: #59636e } .on { fill: #000000 }
.middle { text-anchor: middle } .end { text-anchor: end }
.idle { fill: #dfe3e8 } .sky { fill: #56b4e9 } .orange { fill: #e69f00 } .green { fill: #009e73 } .pink { fill: #cc79a7 }
.ink { fill: #1f2328 } .line { fill: none; stroke: #1f2328; stroke-width: 1.5 } .thin { fill: none; stroke: #8c959f }
.dashed { stroke-dasharray: 4 3 } .mark { fill: none; stroke: #d55e00; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text, .ink { fill: #e6edf3 } .faint { fill: #9198a1 } .on { fill: #000000 } .idle { fill: #363d46 }
.line { stroke: #e6edf3 } .thin { stroke: #6e7681 }
}"""

ARROW = '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">' \
        '<path class="ink" d="M0 0L8 4L0 8z"/></marker>'  # fmt: skip


class Drawing(NamedTuple):
    name: str
    height: int
    title: str
    description: str
    parts: list
    width: int = WIDTH  # a narrow one stays readable on a phone


# Shapes


def number(value):
    return f"{round(value, 1):g}"


def text(x, y, words, kind=""):
    return f'<text x="{number(x)}" y="{number(y)}"{named(kind)}>{escape(words)}</text>'


def lines(x, y, words, kind=""):
    """Several lines of text."""
    return [text(x, y + 17 * i, line, kind) for i, line in enumerate(words.splitlines())]


def rect(x, y, width, height, kind):
    return f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{named(kind)}/>'


def circle(x, y, radius, kind):
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{named(kind)}/>'


def path(points, kind, closed=False):
    """A line through points."""
    places = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path d="M{places}{"z" if closed else ""}"{named(kind)}/>'


def arrow(*points):
    places = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path d="M{places}" class="line" marker-end="url(#arrow)"/>'


def boxes(places, width, height, kind):
    """Rectangles of one kind and size, by their upper left corners."""
    box = f"h{number(width)}v{number(height)}h-{number(width)}z"
    return f'<path d="{"".join(f"M{number(x)} {number(y)}{box}" for x, y in places)}"{named(kind)}/>' if places else ""


def squares(places, side, kind):
    return boxes(places, side, side, kind)


def named(kind):
    return f' class="{kind}"' if kind else ""


def key(x, y, kinds):
    """What the colours mean, in one row."""
    parts = []
    for kind, meaning in kinds.items():
        parts += [rect(x, y - 11, 12, 12, kind), text(x + 18, y, meaning)]
        x += 40 + 7.6 * len(meaning)
    return parts


def svg(drawing):
    parts = flat(drawing.parts)
    size = f'width="{drawing.width}" height="{drawing.height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(drawing.title)}</title>", f"<desc>{escape(drawing.description)}</desc>",
        f"<style>{STYLE}\n</style>", *([f"<defs>{ARROW}</defs>"] if any("#arrow" in part for part in parts) else []),
        *filter(None, parts), "</svg>\n",
    ])  # fmt: skip


def flat(parts):
    return [part for inner in parts for part in (flat(inner) if isinstance(inner, list) else [inner])]


# A multiprocessor

KINDS_OF_PIPES = ("sky", "orange", "orange", "pink", "green")


def multiprocessor():
    cycles = cycles_measured()
    parts = [text(0, 20, "a multiprocessor: four schedulers, each with its pipes", "head")]
    for i in range(4):
        x = 136 * i
        parts += [rect(x + 1, 33, 130, 70, "line"), text(x + 66, 53, f"scheduler {i + 1}", "middle")]
        parts += [rect(x + 11 + 22.5 * j, 64, 19.5, 28, kind) for j, kind in enumerate(KINDS_OF_PIPES)]
    parts += [rect(0, 111, 540, 28, "idle")]
    parts += [text(270, 130, "shared memory: 32 banks, each serves one word a cycle", "middle")]
    parts += [
        text(0, 172, "one scheduler for 8 cycles", "head"),
        text(364, 172, "cycles of a warp instruction", "faint"),
    ]
    rows = [
        ("issue", "line", [1] * 8, "1: any instruction"),
        ("ALU", "sky", fitting(cycles["lop3"]), f"{cycles['lop3']}: logic, conversions,\nright shifts, comparisons"),
        ("FMA heavy", "orange", [cycles["imad"]] * 2 + [cycles["imad_wide"]],
         f"{cycles['imad']}: multiply-add, DP4A;\n{cycles['imad_wide']}: wide multiplication"),
        ("FMA lite", "orange", fitting(2 * cycles["ffma"]), f"{2 * cycles['ffma']}: multiply-add of floats"),
        ("XU", "pink", fitting(cycles["popc"]), f"{cycles['popc']}: population count,\nspecial functions"),
        ("tensor core", "green", fitting(cycles["imma"]), f"{cycles['imma']}: matrix product of\nbytes, 16 × 32 by 32 × 8"),
    ]  # fmt: skip
    for i, (name, kind, row, meaning) in enumerate(rows):
        y = 186 + 42 * i
        parts += [text(0, y + 20, name), rect(92, y, 256, 30, "idle"), cycle_bars(92, y, row, kind)]
        parts += lines(364, y + (13 if "\n" in meaning else 20), meaning)
    parts += [ruler(92, 440)]
    parts += lines(0, 486, "In 8 cycles the scheduler issues 8 instructions. 4 on the ALU and 4 plain ones on\n"
                           "FMA heavy keep all three busy. One population count keeps XU busy as long.", "faint")  # fmt: skip
    description = "A multiprocessor has four schedulers with pipes of their own, and a shared memory. Below, what one scheduler and its pipes " \
                  "do in 8 cycles: 8 instructions are issued, ALU, FMA heavy and FMA lite take 2 cycles for each, XU takes 8, and a tensor " \
                  "core takes 6 for a matrix product of bytes."  # fmt: skip
    return Drawing("multiprocessor", 512, "What a multiprocessor issues, and its pipes", description, parts, 540)


def cycles_measured():
    """Cycles of a scheduler for an instruction, by what suite_limits measured."""
    measured = json.loads((RESULTS / "nvidia-h200" / "limits.json").read_text(encoding="utf-8"))["instructions"]
    return {rate["name"]: round(128 / rate["per_clock"]) for rate in measured}  # 4 schedulers, 32 lanes each


def fitting(cycles):
    """As many instructions as a pipe takes in 8 cycles."""
    return [cycles] * (8 // cycles)


def cycle_bars(x, y, row, kind):
    """Instructions one after the other, with their cycles."""
    parts, ink = [], "middle" if kind == "line" else "middle on"
    for cycles in row:
        parts += [rect(x, y, 32 * cycles - 2, 30, kind), text(x + 16 * cycles - 1, y + 20, str(cycles), ink)]
        x += 32 * cycles
    return parts


def ruler(x, y):
    """Ticks of 8 cycles."""
    ticks = [path([(x + 32 * i, y), (x + 32 * i, y + 5)], "thin") for i in range(9)]
    numbers = [text(x + 64 * i, y + 20, str(2 * i), "middle faint") for i in range(5)]
    return [path([(x, y), (x + 256, y)], "thin"), *ticks, *numbers, text(x + 272, y + 20, "cycles", "faint")]


# Grid, block, warp


def grid_block_warp():
    steps = [("v1: one thread", 1, 1, 1, "1 block of 1 warp"), ("v2: many blocks", 132, 32, 1, "32 blocks of 1 warp"),
             ("v3: many threads", 132, 64, 32, "2 blocks of 32 warps"), ("v4: warp sums", 132, 64, 32, "2 blocks of 32 warps")]  # fmt: skip
    parts = [lines(0, 60, "grid:\n132 multiprocessors"), lines(0, 142, "multiprocessor:\nroom for 64 warps"), lines(0, 248, "warp:\n32 lanes"),
             lines(0, 312, "the sum at the end:\nlanes that add")]  # fmt: skip
    for i, (title, multiprocessors, warps, lanes, blocks) in enumerate(steps):
        x = 152 + 150 * i
        parts += [
            text(x, 24, title, "head"),
            units(x, 48, 132, 22, 6.3, multiprocessors),
            text(x, 104, f"{multiprocessors} of 132 at work", "faint"),
        ]
        parts += [units(x, 130, 32, 16, 8.7, min(warps, 32)), units(x, 152, 32, 16, 8.7, max(warps - 32, 0))]
        parts += [text(x, 188, f"{warps} of 64 warps", "faint"), text(x, 205, blocks, "faint")]
        parts += [units(x, 236, 32, 16, 8.7, lanes), text(x, 272, f"{lanes} of 32 at work", "faint")]
    parts += [text(x, 318, "one thread: no sum", "faint") for x in (152, 302)]
    parts += [units(452, 304, 32, 32, 4.3, 1), lines(452, 326, "1,023 additions\nby one lane", "faint")]
    parts += [units(602, 304 + 7 * i, 32, 32, 4.3, 16 >> i) for i in range(5)]
    parts += [lines(602, 354, "5 shuffles, then\none lane adds 32", "faint")]
    description = "Rows show the multiprocessors of the grid, the warps of a multiprocessor and the lanes of a warp, on an H200. " \
                  "v1 uses one of each. v2 uses all multiprocessors, half of their warps and one lane of each. v3 and v4 use all. " \
                  "A last row shows the sum of a block: one lane that adds 1,023 times, or five shuffles."  # fmt: skip
    return Drawing("grid-block-warp", 380, "What the first steps leave idle", description, parts)


def units(x, y, count, columns, pitch, busy):
    """Equal units in rows, the first of them at work."""
    places = [(x + pitch * (i % columns), y + pitch * (i // columns)) for i in range(count)]
    return [squares(places[:busy], pitch - 1.2, "sky"), squares(places[busy:], pitch - 1.2, "idle")]


# Bits of 32 samples


def bit_planes():
    source = random.Random(31)
    planes = [[int(source.random() < 0.5) for _ in range(32)] for _ in range(6)]
    cells = [tuple(4 * planes[k][i] + 2 * planes[k + 1][i] + planes[k + 2][i] for k in (0, 3)) for i in range(32)]
    places = [Square.place(cell, 3) for cell in cells]
    marked, left, pitch, top = 12, 96, 18, 62
    x_bits, y_bits = ("".join(str(planes[k + bit][marked]) for bit in range(3)) for k in (0, 3))
    parts = [text(0, 20, "6 words, each one bit of 32 samples", "head"),
             text(left + pitch * marked + 8, 46, f"a sample: x = 0.{x_bits}…, y = 0.{y_bits}…", "middle")]  # fmt: skip
    for row, plane in enumerate(planes):
        y = top + 20 * row + (8 if row > 2 else 0)
        parts += [text(0, y + 13, f"{'xy'[row // 3]}, bit {row % 3 + 1}"), word(left, y, pitch, plane, "sky")]
    parts += [rect(left + pitch * marked - 2.5, top - 4, pitch + 2, 134, "mark"),
              arrow((left + 288, 200), (left + 288, 228)), text(left + 300, 219, "9 lookups (LOP3) do it for all 32 at once")]  # fmt: skip
    for row, (letter, meaning) in enumerate((("i", "inside"), ("o", "outside"))):
        y = 238 + 20 * row
        bits = [int(place == letter) for place in places]
        parts += [
            text(0, y + 13, meaning),
            word(left, y, pitch, bits, PLACES[letter]),
            text(left + 32 * pitch + 8, y + 13, f"count {sum(bits)}"),
        ]
    undecided = (
        f"{places.count('c')} samples are in neither word: the arc cuts their cells. The next level draws them anew."
    )
    parts.append(text(left, 298, undecided, "faint"))
    description = "Six rows of 32 bits: three leading bits of x and three of y. A column is a sample. Two more rows, made by nine logic " \
                  "instructions, tell which samples lie inside the circle and which outside."  # fmt: skip
    return Drawing("bit-planes", 310, "32 samples in the bits of six words", description, parts)


def word(x, y, pitch, bits, kind):
    """The bits of a word, ones in colour."""
    size = pitch - 2
    places = [(x + pitch * i, y) for i in range(len(bits))]
    parts = []
    for bit, fill, ink in ((1, kind, "on middle"), (0, "idle", "middle")):
        chosen = [place for place, mine in zip(places, bits) if mine == bit]
        parts += [squares(chosen, size, fill), *(text(x + size / 2, y + 13, str(bit), ink) for x, _ in chosen)]
    return parts


# Cells that the arc cuts


def arc_cells():
    parts, side, before = [], 222, None
    for i, level in enumerate((3, 4, 5)):
        x, y = 258 * i, 34
        cells = (
            Square.cells_of_first()
            if before is None
            else [quarter for cell in before for quarter in Square.quarters(cell)]
        )
        parts += [
            text(x, 20, f"level {level}: {2**level} × {2**level}", "head"),
            rect(x, y, side, side, "idle"),
            panel(x, y, side, level, cells),
        ]
        parts += [arc(x, y, side), rect(x, y, side, side, "thin")]
        before = Square.cut(level)
        parts += lines(x, 280, f"{len(cells)} cells, {len(before)} of them cut\n1 sample in {2 ** (level - 1)} is left")
    parts += key(0, 330, {"sky": "inside", "pink": "outside", "orange": "cut", "idle": "decided before"})
    parts += [*key(440, 330, {"orange": "inside, but counts as cut"}), circle(446, 325, 2.5, "on")]
    description = "The quarter circle on grids of 8, 16 and 32 cells a side. At each level only the cells that the arc cut at the level " \
                  "before are divided. 16, 32 and 64 cells are cut, one of which is a cell inside that fills them up to a power of two."  # fmt: skip
    return Drawing("arc-cells", 342, "The cells that the arc cuts, refined level by level", description, parts)


def panel(x, y, side, level, cells):
    """Cells of a level in the colours of their places, and a dot in the one that fills them up."""
    size = side / 2**level
    corner = {cell: (x + size * cell[0], y + side - size * (cell[1] + 1)) for cell in cells}
    gap = 1 if level < 5 else 0.6
    parts = [
        squares([corner[cell] for cell in cells if Square.place(cell, level) == letter], size - gap, kind)
        for letter, kind in PLACES.items()
    ]
    left, top = corner[Square.padding(level)]
    return parts + [circle(left + size / 2, top + size / 2, max(size / 8, 2), "on")]


def arc(x, y, side):
    """The quarter circle around the lower left corner of a square."""
    return (
        f'<path d="M{number(x)} {number(y)}A{side} {side} 0 0 1 {number(x + side)} {number(y + side)}" class="line"/>'
    )


# Words


def dot_product_word():
    lags, pitch = range(17, 0, -1), 43
    x_of = {lag: pitch * i for i, lag in enumerate(lags)}
    kinds = {17: "sky", 5: "sky", 1: "orange"}
    parts = [text(0, 20, "state: 17 words in registers, the oldest first", "head")]
    for lag in lags:
        ink = "middle on" if lag in kinds else "middle"
        parts += [rect(x_of[lag], 32, 40, 26, kinds.get(lag, "idle")), text(x_of[lag] + 20, 50, f"n−{lag}", ink)]
    parts += [arrow((20, 58), (20, 96)), arrow((x_of[5] + 20, 58), (x_of[5] + 20, 78), (120, 78), (120, 96))]
    parts += [rect(1, 98, 240, 46, "line"), lines(10, 116, "1. multiply-add, 32 bits\nx[n] = a · x[n−17] + x[n−5]")]
    parts += [lines(262, 116, "x[n] is the newest word of the state:\nn−17 leaves it", "faint")]
    parts += [arrow((x_of[1] + 20, 58), (x_of[1] + 20, 160)), text(x_of[1], 92, "x[n−1]", "end")]
    parts += dotted_bytes(400, 164)
    parts += [arrow((60, 144), (60, 268)), text(70, 205, "x[n]")]
    parts += [path([(400, 240), (400, 248), (729, 248), (729, 240)], "line"), arrow((564, 248), (564, 268))]
    parts += [rect(1, 270, 731, 46, "line"), text(10, 288, "2. dot product of bytes (DP4A)")]
    parts.append(text(10, 305, "D[n] = x[n] + the four products: the draw, one bit of each of 32 samples"))
    parts.append(
        text(
            0,
            338,
            "Bits 0, 8, 16 and 24 of x[n−1] all reach bit 0 of D[n]. In x[n] alone low bits never depend on high ones.",
            "faint",
        )
    )
    description = "A row of 17 words. The multiply-add takes words n-17 and n-5 and makes word n. The dot product multiplies the four bytes of " \
                  "word n-1 by four constants and adds the products to word n: that is the draw."  # fmt: skip
    return Drawing("dot-product-word", 350, "A random word of a multiply-add and a dot product", description, parts)


def dotted_bytes(x, y):
    """The four bytes of a word, each above its factor."""
    parts = []
    for i, (name, factor) in enumerate((("31…24", "d9"), ("23…16", "c9"), ("15…8", "a5"), ("7…0", "a1"))):
        left = x + 83 * i
        parts += [
            rect(left, y, 80, 24, "orange"),
            text(left + 40, y + 17, name, "middle on"),
            text(left + 40, y + 42, "×", "middle"),
        ]
        parts += [rect(left, y + 50, 80, 24, "green"), text(left + 40, y + 67, factor, "middle on")]
    return parts + [text(x - 10, y + 17, "bits of x[n−1]", "end"), text(x - 10, y + 67, "bytes of K, all odd", "end")]


# Octant


def octant_fold():
    side, top, right = 8 * CELL, 34, 300
    mirrored, diagonal = (6, 4), (2, 2)
    parts = [text(0, 20, "v18: 64 cells, 6 bits", "head"), rect(0, top, side, side, "idle"), lattice(0, top, CELL, 8)]
    parts += [marked_cells(0, mirrored, "orange", "A"), marked_cells(0, diagonal, "green", "B"), arc(0, top, side)]
    parts += [path([(0, top + side), (side, top)], "mark dashed")]
    parts += [arrow((side + 4, 180), (right - 4, 180)), text((side + right) / 2, 170, "fold", "middle")]
    parts += [text(right, 20, "v19: 32 pieces, 5 bits", "head"), pieces(right), octant_arc(right, top, side)]
    parts += [path([(right, top + side), (right + side, top)], "mark dashed"), letter_in(right, mirrored, "A", 5, 27)]
    parts += [letter_in(right, cell, "B", 17, 27) for cell in Octant.cells(diagonal)]
    places = [Octant.place(piece, 3) for piece in PIECES]
    for i, (place, meaning) in enumerate((("i", "inside"), ("o", "outside"), ("c", "cut"))):
        parts += key(576, 120 + 24 * i, {PLACES[place]: f"{places.count(place)} {meaning}"})
    parts += lines(576, 214, "The cut pieces are\na power of two\nat each level.", "faint")
    parts += key(0, 315, {"orange": "A: a piece is two cells at mirrored places"})
    parts += key(0, 337, {"green": "B: on the diagonal, it is the two diagonal quarters of a cell of the level before"})
    description = "Left, a grid of 8 by 8 cells with the quarter circle and its diagonal. Two cells at mirrored places are marked, and two on the " \
                  "diagonal. Right, the grid folded along the diagonal, with the pieces inside, outside and cut."  # fmt: skip
    return Drawing("octant-fold", 346, "The square folded along its diagonal", description, parts)


CELL = 32  # pixels
PIECES = Octant.cells_of_first()


def corner(left, cell):
    """The upper left corner of a cell."""
    return left + CELL * cell[0], 34 + CELL * (7 - cell[1])


def marked_cells(left, piece, kind, letter):
    return [
        [rect(*corner(left, cell), CELL, CELL, kind), letter_in(left, cell, letter, 5, 15)]
        for cell in Octant.cells(piece)
    ]


def letter_in(left, cell, letter, right, down):
    x, y = corner(left, cell)
    return text(x + right, y + down, letter, "on")


def octant_arc(x, y, side):
    """The eighth of the circle below the diagonal."""
    reach = side * math.sqrt(0.5)
    return f'<path d="M{number(x + reach)} {number(y + side - reach)}A{side} {side} 0 0 1 {number(x + side)} {number(y + side)}" class="line"/>'


def pieces(left):
    """The folded square at level 3: a cell for two mirrored ones, half a cell on the diagonal."""
    parts = []
    for place, kind in PLACES.items():
        mine = [piece for piece in PIECES if Octant.place(piece, 3) == place]
        parts.append(squares([corner(left, (x, y)) for x, y in mine if x != y], CELL - 1, kind))
        for cell in (cell for x, y in mine if x == y for cell in Octant.cells((x, y))):
            x, y = corner(left, cell)
            parts.append(path([(x, y + CELL - 1), (x + CELL - 1, y + CELL - 1), (x + CELL - 1, y)], kind, closed=True))
    return parts


def lattice(x, y, size, count):
    """A grid of thin lines."""
    length = size * count
    across = "".join(f"M{x} {y + size * i}h{length}M{x + size * i} {y}v{length}" for i in range(count + 1))
    return f'<path d="{across}" class="thin"/>'


# A full adder

ONES, FIRST, SECOND = (0, 1, 1, 0, 1, 0, 0, 1), (1, 1, 0, 0, 1, 0, 1, 0), (1, 0, 1, 0, 1, 0, 0, 1)


def lookup(function):
    """The operand of a LOP3 that is such a function of how many of three bits are 1."""
    return f"0x{sum(bool(function(bin(bits).count('1'))) << bits for bits in range(8)):02x}"


def full_adder():
    carries = [int(sum(bits) >= 2) for bits in zip(ONES, FIRST, SECOND)]
    sums = [sum(bits) % 2 for bits in zip(ONES, FIRST, SECOND)]
    left, pitch, marked = 78, 22, 4
    rows = [("ones", ONES, "sky", 36, "left over from the words before"), ("first", FIRST, "sky", 62, "a word to count"),
            ("second", SECOND, "sky", 88, "another word to count"),
            ("carries", carries, "orange", 138, f"2 or 3 of the bits are 1: LOP3 {lookup(lambda ones: ones >= 2)}"),
            ("sums", sums, "green", 164, f"1 or 3 of the bits are 1: LOP3 {lookup(lambda ones: ones % 2)}")]  # fmt: skip
    parts = [text(0, 20, "a full adder, on 8 of the 32 bits of each word", "head")]
    for name, bits, kind, y, meaning in rows:
        parts += [text(0, y + 14, name), word(left, y, pitch, bits, kind), text(274, y + 14, meaning)]
    middle = left + pitch * marked + 10
    parts += [rect(middle - 13, 31, 26, 158, "mark"), arrow((middle, 112), (middle, 134))]
    parts += [text(middle, 210, "1 + 1 + 1 = 2 × 1 + 1", "middle")]
    cycles = cycles_measured()
    parts += [text(0, 240, "v22: six words, three of which XU counts", "head")]
    parts += [text(0, 321, "ones"), arrow((34, 316), (86, 316))]
    for i in range(3):
        x = 90 + 128 * i
        parts += [rect(x, 258, 38, 22, "sky"), rect(x + 42, 258, 38, 22, "sky"), arrow((x + 19, 280), (x + 19, 298))]
        parts += [
            arrow((x + 61, 280), (x + 61, 298)),
            rect(x, 302, 80, 28, "line"),
            text(x + 40, 321, "adder", "middle"),
        ]
        parts += [
            arrow((x + 40, 330), (x + 40, 350)),
            rect(x, 354, 80, 24, "orange"),
            text(x + 40, 371, "carries", "middle on"),
        ]
        parts += [
            arrow((x + 40, 378), (x + 40, 396)),
            rect(x, 400, 80, 24, "pink"),
            text(x + 40, 417, "POPC", "middle on"),
        ]
        parts += [arrow((x + 80, 316), (x + 124, 316))]
    parts += [text(478, 321, "ones"), text(0, 274, "words"), text(90, 444, "their counts add up to the number of twos")]
    parts += [text(0, 476, "count = 2 × twos + POPC(ones): the ones are counted once, after the loop")]
    parts += lines(0, 502, f"v21: 6 POPC, {6 * cycles['popc']} cycles of XU.\n"
                           f"v22: 3 POPC, {3 * cycles['popc']} cycles of XU, and 6 LOP3, {6 * cycles['lop3']} cycles of the ALU.", "faint")  # fmt: skip
    description = "Three words of bits go in: the ones left over and two words to count. In each column the carry is 1 if at least two of the " \
                  "three bits are, and the sum is 1 if an odd number is. Below, three adders in a row take six words. Only their three words " \
                  "of carries are counted, and the ones pass from adder to adder."  # fmt: skip
    return Drawing(
        "full-adder", 528, "A full adder on words, and how it halves the population counts", description, parts, 520
    )


# Halves and products


def half_pairs():
    parts = [text(0, 20, "v16: two samples a word", "head"), halves_of_word(0, 56), *offset_cells(0, 150)]
    parts += [text(400, 20, "v16t: all pairs of 16 x and 8 y", "head"), pairs(400, 50)]
    parts += lines(646, 84, "24 random\nnumbers,\n128 samples")
    parts += key(646, 160, {"sky": "hit"}) + key(646, 184, {"idle": "no hit"})
    parts += lines(646, 224, "A row shares\nits x, a\ncolumn its y.", "faint")
    description = "Left, the bits of a word: two fields of five bits in each half choose a cell of a 32 by 32 grid for each of two samples. " \
                  "Both take one shared offset inside their cells, the second one mirrored. Right, 16 x against 8 y, all pairs."  # fmt: skip
    return Drawing("half-pairs", 330, "Two samples in a pair of halves, 128 in matrix products", description, parts)


def halves_of_word(x, y):
    """The fields of a word, from bit 31 down to 0."""
    kinds = [("idle", 6), ("orange", 5), ("sky", 5)] * 2
    parts, left, pitch = [], x, 11
    for kind, bits in kinds:
        parts += [squares([(left + pitch * i, y) for i in range(bits)], pitch - 1, kind)]
        if kind != "idle":
            parts += [text(left + pitch * bits / 2, y + 28, "l" if kind == "orange" else "k", "middle")]
        left += pitch * bits
    parts += [text(x, y - 8, "second: bits 31…16", "faint"), text(x + 16 * pitch, y - 8, "first: bits 15…0", "faint")]
    return parts + [text(x, y + 52, "5 bits each: cell (k, l) of 32 × 32.")]


def offset_cells(x, y):
    """Two cells with the shared offset, as it is and mirrored."""
    size, offset = 96, (0.3, 0.72)
    parts = [text(x, y - 14, "An offset inside the cells comes from another word.")]
    for i, (label, (a, b)) in enumerate(
        (("second: (1 − a, 1 − b)", (1 - offset[0], 1 - offset[1])), ("first: (a, b)", offset))
    ):
        left, place = x + 176 * i, (x + 176 * i + size * a, y + size * (1 - b))
        parts += [
            rect(left, y, size, size, "idle"),
            path([(left, place[1]), place, (place[0], y + size)], "thin dashed"),
        ]
        parts += [circle(*place, 4.5, "ink"), text(left, y + size + 20, label)]
    served = "One offset serves 87 words, 174 samples.\nThe mirror takes back most of the variance."
    return parts + lines(x, y + size + 46, served, "faint")


def pairs(x, y):
    """All pairs of 16 x and 8 y, and their numbers as bars."""
    source = random.Random(4)
    xs, ys = ([source.random() for _ in range(count)] for count in (16, 8))
    left, top, width, height = x + 62, y + 46, 20, 14
    parts = [
        text(left - 14, top - 6, "x", "end"),
        *(rect(left - 6 - 50 * a, top + height * i + 3, 50 * a, 7, "ink") for i, a in enumerate(xs)),
    ]
    parts += [
        text(left - 2, top - 24, "y", "end"),
        *(rect(left + width * j + 6, top - 6 - 36 * b, 7, 36 * b, "ink") for j, b in enumerate(ys)),
    ]
    for hit, kind in ((True, "sky"), (False, "idle")):
        places = [
            (left + width * j, top + height * i)
            for i, a in enumerate(xs)
            for j, b in enumerate(ys)
            if (a * a + b * b < 1) == hit
        ]
        parts.append(boxes(places, width - 2, height - 2, kind))
    return parts


# Box-Muller


def two_pipes():
    parts = [text(0, 20, "two words make two normals", "head"), normal_circle(104, 138, 84)]
    parts += lines(0, 250, "z₁ = r sin φ, z₂ = r cos φ\nr = √(−2 ln u)")
    parts += lines(
        0, 298, "Polynomials take φ in the right half\nonly. A bit of u's word gives the\nsign of z₂.", "faint"
    )
    parts += [text(270, 20, "three pairs of a warp, in cycles of its scheduler", "head")]
    scale, by_xu, by_fma = 3.9, ("sky", 4, 18), ("orange", 2, 24)  # results of XU and instructions of a pair
    for y, step, row in ((60, "n8", [by_xu] * 3), (186, "n9", [by_xu, by_fma, by_fma])):
        results, instructions = (" or ".join(dict.fromkeys(str(pair[i]) for pair in row)) for i in (1, 2))
        parts += [text(270, y - 10, step, "head"), text(270, y + 15, "XU"), text(270, y + 61, "issue")]
        parts += bars(316, y, scale, [(kind, 8 * count) for kind, count, _ in row])
        parts += bars(316, y + 46, scale, [(kind, count) for kind, _, count in row])
        parts += [text(316, y + 37, f"{results} results a pair, 8 cycles each", "faint")]
        parts += [text(316, y + 83, f"{instructions} instructions a pair", "faint")]
    parts += [axis(316, 280, scale)]
    parts += key(270, 340, {"sky": "sine and cosine by XU", "orange": "by polynomials on FMA"})
    description = "Left, a point at radius r and angle phi: its two coordinates are two normals. Right, bars of cycles: in n8 three pairs " \
                  "keep XU far longer than the issue slots. In n9 two of three pairs use polynomials, and both take about the same time."  # fmt: skip
    return Drawing("two-pipes", 352, "Box-Muller on two pipes", description, parts)


def normal_circle(x, y, radius):
    """A point by radius and angle, and the half that polynomials cover."""
    angle = math.radians(38)
    tip = (x + radius * math.cos(angle), y - radius * math.sin(angle))
    half = f'<path d="M{x} {y - radius}A{radius} {radius} 0 0 1 {x} {y + radius}z" class="orange"/>'
    reach = radius + 14
    parts = [
        half,
        circle(x, y, radius, "line"),
        path([(x - reach, y), (x + reach, y)], "thin"),
        path([(x, y - reach), (x, y + reach)], "thin"),
    ]
    parts += [path([(x, y), tip], "line"), path([(tip[0], y), tip], "line dashed"), circle(*tip, 4, "ink")]
    letters = (24, -34, "r"), (24, -5, "φ"), (46, 16, "z₂"), (49, -16, "z₁")
    return parts + [text(x + right, y + down, letter, "on") for right, down, letter in letters]


def bars(x, y, scale, row):
    """Bars one after the other, with their lengths."""
    parts = []
    for kind, length in row:
        parts += [
            rect(x, y, length * scale - 2, 22, kind),
            text(x + length * scale / 2, y + 16, str(length), "middle on"),
        ]
        x += length * scale
    return parts + [text(x + 4, y + 16, f"= {sum(length for _, length in row)}")]


def axis(x, y, scale):
    """Ticks of cycles."""
    parts = [path([(x, y), (x + 96 * scale, y)], "thin")]
    for cycles in range(0, 97, 16):
        parts += [
            path([(x + cycles * scale, y), (x + cycles * scale, y + 5)], "thin"),
            text(x + cycles * scale, y + 20, str(cycles), "middle faint"),
        ]
    return parts


# The bridge

NORMALS = [0.9, -1.1, 0.8, -0.7, 0.6, 1.0, -0.9, 0.5, -0.8, 0.7, 0.9, -0.6, 1.1, -0.5, -1.0, 0.8]


def bridge():
    panels = [("coordinate 0: the end", 16), ("1: the middle", 8), ("2 and 3: the quarters", 4), ("all 16", 1)]
    parts = [
        [text(188 * i, 20, title, "head"), bridge_panel(188 * i, 130, length)]
        for i, (title, length) in enumerate(panels)
    ]
    parts += lines(0, 218, "The end is a normal. Every other date is the mean of two dates around it (dashed) plus a normal (arrow)."
                           "\nThe first coordinates of a Sobol point are spread best, so they make the largest moves.", "faint")  # fmt: skip
    description = "A path of 16 dates, drawn four times. First only its end is known, then its middle, then its quarters, then every date. " \
                  "Each new date is the mean of two known ones plus a normal."  # fmt: skip
    return Drawing("bridge", 244, "A path from its end to its details", description, parts)


def bridge_heights():
    """The height of each date of a path of 16. A date between two that are n steps apart is their mean and a normal of sd √n / 2."""
    normals = iter(NORMALS)
    heights = {0: 0.0, 16: math.sqrt(16) * next(normals)}
    for length in (16, 8, 4, 2):
        for left in range(0, 16, length):
            mean = (heights[left] + heights[left + length]) / 2
            heights[left + length // 2] = mean + math.sqrt(length) / 2 * next(normals)
    return heights


def bridge_panel(x, y, length):
    """The path when every date that is a multiple of `length` is known. The last ones are moves from the dashed line."""
    heights = bridge_heights()
    known, before = range(0, 17, length), range(0, 17, 2 * length)
    base = [(date, heights[date]) for date in before] if length < 16 else [(0, 0), (16, 0)]

    def point(date, height):
        return x + 6 + 9.7 * date, y - 26 * height

    parts = [path([(x + 6, y + 42), (x + 161, y + 42)], "thin"), path([point(*place) for place in base], "thin dashed")]
    parts.append(path([point(date, heights[date]) for date in known], "mark"))
    for date in known:
        if date in before:
            parts.append(circle(*point(date, heights[date]), 4 if length > 1 else 3, "ink"))
            continue
        mean = (heights[date - length] + heights[date + length]) / 2 if length < 16 else 0
        if length > 1:
            parts.append(move(point(date, mean), point(date, heights[date])))
        parts += [circle(*point(date, heights[date]), 4 if length > 1 else 3, "orange")]
    return parts + [
        text(x + right, y + 58, words, "middle faint") for right, words in ((6, "0"), (84, "date"), (161, "16"))
    ]


def move(start, end):
    """An arrow that stops before a dot."""
    return arrow(start, (end[0], end[1] - math.copysign(5, end[1] - start[1])))


# A walk and its weight

DIAGONAL = 2.5  # of shift1d; its other entries are −1
STATES = (2, 3, 2, 1, 0)  # that a walk visits, of five
STATE_NAMES = ("s − 2", "s − 1", "s", "s + 1", "s + 2")


def walk_tally():
    weights = [(2 / DIAGONAL) ** visit for visit in range(len(STATES))]  # a transition multiplies by the sum of a row
    parts = [text(0, 20, "shift1d: from a state to the left or to the right, each with probability 1/2", "head")]
    parts += [text(20, 68, "term of x", "faint"), text(112, 68, "weight", "faint"), text(112, 306, "tally of x")]
    parts += [arrow((6, 84), (6, 262)), text(0, 282, "time")]
    for visit, weight in enumerate(weights):
        y = 92 + 40 * visit
        parts += [text(20, y, ("b", "H b", "H² b", "H³ b", "H⁴ b")[visit]), text(112, y, f"{weight:.2f}")]
    tallies = [sum(weight for state, weight in zip(STATES, weights) if state == place) for place in range(5)]
    parts += walk_panel(
        206, "adjoint: starts are drawn by b", weights, [f"{tally:.2f}" if tally else "" for tally in tallies], "sky"
    )
    parts += lines(206, 336, "It adds its weight to the entry\nof each state that it visits.", "faint")
    parts += walk_panel(480, "forward: it starts at its entry", weights, ["", "", "sum", "", ""], "orange")
    parts += lines(480, 336, "It adds weight × b of each state\nthat it visits to the entry of s.", "faint")
    description = "The same walk twice, over five states, with four transitions. Its weight falls from 1 to 0.41. As an adjoint history it " \
                  "adds its weight to the entries of four states. As a forward one it adds to the entry of its start alone."  # fmt: skip
    return Drawing("walk-tally", 362, "A walk, its weight, and what it adds to x", description, parts)


def walk_panel(x, title, weights, tallies, kind):
    """A walk from visit to visit, with a dot as large as its weight, above the entries of x that it adds to."""
    pitch, top, middle = 48, 88, 23
    places = [(x + middle + pitch * state, top + 40 * visit) for visit, state in enumerate(STATES)]
    parts = [
        text(x, 48, title, "head"),
        *(text(x + middle + pitch * i, 68, name, "middle faint") for i, name in enumerate(STATE_NAMES)),
    ]
    parts += [path([(x + middle + pitch * i, 74), (x + middle + pitch * i, 284)], "thin dashed") for i in range(5)]
    parts += [arrow(*shortened(*move, 13)) for move in zip(places, places[1:])]
    parts += [circle(*place, 10 * math.sqrt(weight), kind) for place, weight in zip(places, weights)]
    for i, tally in enumerate(tallies):
        parts += [
            rect(x + pitch * i, 288, 46, 26, kind if tally else "idle"),
            text(x + middle + pitch * i, 306, tally, "middle on"),
        ]
    return parts


def shortened(start, end, gap):
    """A line that leaves a gap to the dots at its ends."""
    length = math.dist(start, end)
    step = [gap * (b - a) / length for a, b in zip(start, end)]
    return tuple(a + d for a, d in zip(start, step)), tuple(b - d for b, d in zip(end, step))


# The window of tallies

PLANE = 4096  # states of ad3d, in a plane of its 64
WINDOW = 24 * 1024


def tally_window():
    planes, pitch, x = 12, 58, 22
    left, width = x + 3 * pitch, pitch * WINDOW / PLANE
    walk = [6.05, 7.05, 7.06, 8.06, 9.06, 10.06, 10.05, 9.05, 8.05, 8.05, 7.05]  # along the planes
    places = [(x + pitch * plane, 92 + 19 * i) for i, plane in enumerate(walk)]
    parts = [text(0, 20, "ad3d: 12 of its 64 planes, 4,096 states each", "head"), rect(left, 34, width, 266, "sky")]
    parts += [path([(x + pitch * i, y), (x + pitch * i, y + 8)], "line") for i in range(planes + 1) for y in (34, 292)]
    parts += [text(left + width / 2, 57, "a block's window: 24,576 states", "middle on")]
    parts += [
        rect(left + width / 2 - pitch / 8, 68, pitch / 4, 10, "on"),
        text(left + width / 2 - 16, 78, "starts of the block", "end on"),
    ]
    parts += [
        path(places, "mark"),
        *(circle(*place, 5, "on" if 3 <= plane < 9 else "orange") for place, plane in zip(places, walk)),
    ]
    parts += [text(left + 20, 190, "visits inside", "on"), text(x + 10.4 * pitch, 178, "visits outside")]
    parts += [arrow((6, 80), (6, 270)), text(0, 290, "time")]
    parts += [
        rect(left, 312, width, 26, "sky"),
        text(left + width / 2, 330, "shared memory: tallies of the window", "middle on"),
    ]
    parts += [
        rect(x, 344, pitch * planes, 26, "orange"),
        text(left + width / 2, 362, "L2: tallies of all 262,144 states", "middle on"),
    ]
    description = "A strip of twelve planes of states, six of which are the window of a block. A walk starts in the middle of the window and " \
                  "moves from plane to plane. Its visits within the window are added up in shared memory, the others in L2."  # fmt: skip
    return Drawing("tally-window", 376, "A walk and the window of its block's tallies", description, parts)


# Slots that are paths

# The entries of a row of lap2d away from the edge, in order: how far they lead, on the points and among the states.
ENTRIES = [("sky", (0, -1), -30), ("orange", (-1, 0), -1), ("green", (1, 0), 1), ("pink", (0, 1), 30)]
PATH = (2, 3, 3)  # entries


def slot_paths():
    slot, cell = PATH[0] + 4 * PATH[1] + 16 * PATH[2], PATH[0] + 4 * PATH[1]
    parts = [text(0, 20, "v17: from a state s of lap2d, six bits choose one of 64 slots, a transition", "head")]
    parts.append(slot_row(32, [entry for entry in range(4) for _ in range(16)]))
    parts += [text(92 + 184 * i, 68, f"to s {signed(delta)}", "middle") for i, (_, _, delta) in enumerate(ENTRIES)]
    parts += [
        text(0, 104, "v18: six bits choose one of 64 slots, a path of three transitions", "head"),
        slot_row(116, list(range(4)) * 16),
    ]
    parts += [
        rect(11.5 * slot - 1.5, 114, 12.5, 24, "mark"),
        text(0, 156, "The colour is that of the first transition.", "faint"),
    ]
    parts += [text(0, 200, f"Slot {slot} is {slot:06b} in binary:")]
    for i, entry in enumerate(PATH):
        kind, _, delta = ENTRIES[entry]
        parts += key(0, 224 + 22 * i, {kind: f"bits {2 * i + 1} and {2 * i} are {entry:02b}: {signed(delta)}"})
    parts += [path_picture(330, 298)]
    parts += lines(480, 200, f"One addition, to cell {cell} of s, is for\nvisits of s, s + 1 and s + 31. A second\n"
                             "kernel gives them their shares.\nA state has 16 such cells.")  # fmt: skip
    parts += lines(480, 284, "The next six bits go on from s + 61.", "faint")
    description = "Two rows of 64 slots. In v17 a slot is a transition to one of four neighbours. In v18 it is a path of three " \
                  "transitions, and slot 62 is drawn: one state on, then 30, then 30. One addition to a cell is for three visits."  # fmt: skip
    return Drawing("slot-paths", 324, "Slots that are transitions, and slots that are paths", description, parts)


def signed(delta):
    return f"{'−' if delta < 0 else '+'} {abs(delta)}"


def slot_row(y, entries):
    """64 slots in a row, each in the colour of an entry."""
    return [
        boxes([(11.5 * i, y) for i, mine in enumerate(entries) if mine == entry], 9.5, 20, ENTRIES[entry][0])
        for entry in range(4)
    ]


def path_picture(x, y):
    """Points of lap2d, and the path over them."""
    pitch, at, state = 44, (0, 0), 0
    spot = lambda point: (x + pitch * point[0], y - pitch * point[1])
    parts = [circle(*spot((i, j)), 3, "idle") for i in range(2) for j in range(3)]
    parts += [circle(*spot(at), 5, "ink"), text(x, y + 20, "s", "middle")]
    for entry in PATH:
        _, move_by, delta = ENTRIES[entry]
        to, state = (at[0] + move_by[0], at[1] + move_by[1]), state + delta
        stop = (to[0] - 0.14 * move_by[0], to[1] - 0.14 * move_by[1])
        right, down = spot(to)
        parts += [
            arrow(spot(at), spot(stop)),
            circle(right, down, 5, "ink"),
            text(right + 10, down + (18 if to[1] == 0 else 5), f"s + {state}"),
        ]
        at = to
    return parts


# Arrays over time

LANE, AXIS = 10, 370  # pixels: from lane to lane, and of an axis
AXIS_FROM = 106


def array_times():
    folder = RESULTS / "nvidia-h200"
    runs, rates = ({one[key]: one for one in json.loads((folder / file).read_text(encoding="utf-8"))[many]}
                   for file, many, key in (("arrays.json", "runs", "version"), ("limits.json", "limits", "name")))  # fmt: skip
    total = {version: run["work"] / run["per_ns"]["median"] / 1e6 for version, run in runs.items()}
    spent = lambda version: {phase: times["median"] for phase, times in runs[version]["phases_ms"].items()}
    parts = [
        text(0, 20, "The lines of a step:", "head"),
        lines(132, 20, "above: the host's cores\nmiddle: the bus\nbelow: the GPU"),
    ]
    parts += [text(296, 20, "The colours:", "head")]
    for i, (kind, meaning) in enumerate(
        (("sky", "words"), ("orange", "copies"), ("green", "tests"), ("pink", "sum"), ("ink", "seeding"))
    ):
        parts += key(390 + 84 * (i % 2), 20 + 17 * (i // 2), {kind: meaning})
    y = 94
    parts += [text(0, y - 12, "One after the other", "head")]
    names = {
        "a1": "copied",
        "a2": "one thread adds",
        "a3": "partial sums",
        "a4": "coalesced",
        "a5": "no flags",
        "a6": "pinned",
    }
    for version, name in names.items():
        parts += [time_row(y, version, name, total[version], 480, in_turn(spent(version), version, rates))]
        y += 38
    parts += [
        time_axis(y, 480, 80),
        lines(0, y + 46, "All cores make words, then both at once: the axis is ten times as fine", "head"),
    ]
    y += 58
    for version, name in (("a7", "all cores"), ("a8", "overlapped")):
        bars = in_turn(spent(version), version, rates) if version == "a7" else at_once(spent(version), total[version])
        parts += [time_row(y, version, name, total[version], 48, bars)]
        y += 38
    parts += [time_axis(y, 48, 8), text(0, y + 46, "No copies: again ten times as fine", "head")]
    y += 58
    seed, made, tested = (spent("a9")[phase] for phase in ("seed", "rng", "compute"))
    bars = [*((lane, 0, seed, "ink") for lane in range(3)), (2, seed, made, "sky"), (2, seed + made, tested, "green")]
    parts += [time_row(y, "a9", "on the GPU", total["a9"], 4.8, bars), time_axis(y + 38, 4.8, 0.8)]
    parts += [text(0, y + 84, "Chunks in the cache: once more", "head")]
    y += 96
    for version, name, gap in (("a10", "2 kernels each", 0.28), ("a11", "one graph", 0.14)):
        pitch = total[version] / 32
        bars = [(2, pitch * i, pitch * (1 - gap), "green" if i % 2 else "sky") for i in range(32)]
        parts += [time_row(y, version, name, total[version], 0.48, bars)]
        y += 38
    length = total["a12"] / 12
    bars = [(lane, *span, "green" if (i + lane) % 2 else "sky")
            for lane in range(3) for i in range(13) if (span := cut(length * (i - lane / 3), length, total["a12"]))]  # fmt: skip
    parts += [time_row(y, "a12", "one kernel", total["a12"], 0.48, bars), time_axis(y + 38, 0.48, 0.08)]
    parts += lines(0, y + 84, "Lengths are medians of an H200. a2 goes on beyond the axis, for a quarter of the samples.\n"
                              "a1's copies, up and back, are split by their bytes and the bus's rates. Of a8 it is known for\n"
                              "how long each works, not when: there are 640 copies and 64 tests, fewer and even here.\n"
                              "Where a9 seeds is not known. Of a10 to a12 the total is: kernels and gaps are drawn alike.\n"
                              "The lines of a12 are three of its blocks.", "faint")  # fmt: skip
    description = "a1 to a7 make words, copy and test one after the other, and nearly all of the time the GPU waits. In a8 cores, bus and GPU " \
                  "work at the same time. a9 copies nothing. a10 and a11 alternate kernels that make and test, with gaps. In a12 one block " \
                  "tests while another one makes words."  # fmt: skip
    return Drawing("array-times", y + 161, "What the arrays' steps do at what time", description, parts, 550)


def in_turn(spent, version, rates):
    """Bars of phases that follow one another: lane, begin, length, kind."""
    copies = [spent["transfer"]]
    if version == "a1":
        up, back = 8 / rates["pcie_up_pageable"]["gbps"], 4 / rates["pcie_down_pageable"]["gbps"]
        copies = [spent["transfer"] * part / (up + back) for part in (up, back)]
    turns = [(0, spent["rng"], "sky"), (1, copies[0], "orange"), (2, spent["compute"], "green"), (1, sum(copies[1:]), "orange"),
             (0 if version == "a1" else 2, spent.get("reduce", 0), "pink")]  # fmt: skip
    bars, now = [], 0
    for lane, length, kind in turns:
        bars += [(lane, now, length, kind)] if length else []
        now += length
    return bars


def at_once(spent, total):
    """Bars of a8: pieces spread evenly over its time, with their sums."""
    bars = [(0, 0, spent["rng"], "sky")]
    for lane, kind, length, count in ((1, "orange", spent["transfer"], 32), (2, "green", spent["compute"], 16)):
        pitch = total / count
        bars += [(lane, pitch * (i + 1) - length / count, length / count, kind) for i in range(count)]
    return bars


def cut(begin, length, end):
    """The part of a span that lies between 0 and `end`, as begin and length."""
    first, last = max(begin, 0), min(begin + length, end)
    return (first, last - first) if last - first > 1e-9 else None


def time_row(y, version, name, total, most, bars):
    scale, end = AXIS / most, min(total, most)
    parts = [text(0, y + 11, version, "head"), text(0, y + 27, name, "faint")]
    parts += [rect(AXIS_FROM, y + LANE * lane, scale * end, LANE - 2, "idle") for lane in range(3)]
    for kind in dict.fromkeys(kind for *_, kind in bars):
        spans = [(lane, begin, min(begin + length, most) - begin) for lane, begin, length, mine in bars if mine == kind]
        parts.append(
            spans_path(
                [
                    (AXIS_FROM + scale * begin, y + LANE * lane, max(scale * length, 1.5))
                    for lane, begin, length in spans
                ],
                kind,
            )
        )
    digits = 0 if total >= 100 else 1 if total >= 10 else 2
    return parts + [text(AXIS_FROM + scale * end + 6, y + 18, f"{total:,.{digits}f} ms")]


def spans_path(spans, kind):
    """Bars of one kind, as one path."""
    bars = "".join(f"M{number(x)} {number(y)}h{number(width)}v{LANE - 2}h-{number(width)}z" for x, y, width in spans)
    return f'<path d="{bars}" class="{kind}"/>'


def time_axis(y, most, step):
    parts = [path([(AXIS_FROM, y), (AXIS_FROM + AXIS, y)], "thin")]
    for i in range(7):
        x = AXIS_FROM + AXIS * i / 6
        unit = " ms" if i == 6 else ""
        parts += [path([(x, y), (x, y + 5)], "thin"), text(x, y + 20, f"{step * i:g}{unit}", "middle faint")]
    return parts


DRAWINGS = (
    multiprocessor,
    grid_block_warp,
    bit_planes,
    arc_cells,
    dot_product_word,
    octant_fold,
    full_adder,
    half_pairs,
    two_pipes,
    bridge,
    walk_tally,
    tally_window,
    slot_paths,
    array_times,
)


def main(arguments):
    folder = Path(arguments[0]) if arguments else HERE
    for draw in DRAWINGS:
        drawing = draw()
        (folder / f"{drawing.name}.svg").write_text(svg(drawing), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
