#!/usr/bin/env python3
"""Golden hit counts of every version, computed without CUDA, cuRAND or any code of this repository but scripts/trees.

    python3 golden.py            write golden_counts.json next to this script
    python3 golden.py --check    recompute and compare with golden_counts.json; exit status 1 if they differ

Needs numpy. Takes some minutes. Before anything else the generators must reproduce known_answers.json.

A sample is a pair (x, y) of float32 coordinates; it is a hit iff fmaf(x, x, y*y) <= 1.0f, y*y rounded to float32.
Every thread t = 0..T-1 of launch k = 0, 1, ... draws its own streams:
  v1 v2 v3 v4 v5 v12  XORWOW of cuRAND, curand_init(seed, subsequence k*T + t, offset 0), x and y by curand_uniform
  v6                  Philox4_32_10 of cuRAND, likewise
  v7                  xorshift32 (13, 17, 5);                                x, y: two successive words u, each u * 2^-32
  v8 v9               LCG 1664525, 1013904223;                               likewise
  v10                 two pairs of LCGs, x: 1664525, 1013904223, y: 1103515245, 12345, taken in turn, sample by sample
  v11                 as v8, but a coordinate is (u >> 9) * 2^-23 (the word's leading bits as a float's mantissa)
  v13                 the LCG of v8; a hit iff fmaf(x, x, fmaf(y, y, -2^64)) < 0 of the words themselves as float32
  v14                 X[n] = 2891336453 X[n - 31] + X[n - 13] modulo 2^32 from X[0] to X[30], stream_seed(seed, k, t, 0 to 30), the
                      first one made odd; likewise
  v15                 folded_mrg, as v16; a word holds one bit of each of 32 lanes, lane l in bit l, a sample each. Level 3: planes of
                      the leading 3 bits of x, then of y, choose one of 8 x 8 cells of the unit square. Samples in cells inside
                      the quarter circle are hits, outside none; those in cells cut by the arc, counted together, are drawn anew
                      at the next level, 32 at a time again: planes of the bits of a slot among the cut cells, the first one
                      leading, then one of x and one of y for a quarter of it. What level 8 cuts takes two words a sample: bits
                      0 to 7 of the first and bit 0 of the second are the slot, the upper 24 bits of each the rest of x and y
                      in the cell; likewise. One cell inside is taken for cut, (1, 6) and its upper right quarter of each level
  v16 v16t            folded_mrg, 22 words of state from stream_seed(seed, k, t, 0 to 21)
  v16                 87 words of two samples each, lower half first, after one that shifts them: k are bits 0 to 4 of a half and l
                      bits 5 to 9; ox = (2 jx + 1) / 2048, jx the bits 0 to 9 of the shifting word, oy likewise of bits 16 to 25;
                      in second samples 1 - ox, 1 - oy. A hit iff (k + ox)^2 + (l + oy)^2 < 1024 as half_cells has it
  v16t                whole warps. Of two words of a lane each half makes an x, the first word's for the first step and the second
                      one's for the second; the third word's lower half makes y of the first step, its upper half of the second:
                      2 b + 1, b the half's bits 0 to 9. In a step there are four groups, of the lanes 0, 4, 8, ..., 28, of
                      1, 5, 9, ... and so on: 16 x in rows, those of lower halves first, 8 y in columns; a sample is a row and
                      a column, a hit iff x^2 + y^2 < 2^22. Lane l has rows l / 4 and 8 more, columns 2 (l mod 4) and 1 more,
                      and counts group by group, row by row
  v17                 not a stream: x and y are those of Sobol's points 0 to T*iters - 1, the dimensions 1 and 2 of Joe and Kuo in
                      the order of the Gray code, by XOR with stream_seed(seed, k, 0, 0) and stream_seed(seed, k, 0, 1);
                      a hit iff fmaf(x, x, fmaf(y, y, -2^64)) < 0 of the words themselves as float32
  v18                 dot_mrg, 17 words of state from stream_seed(seed, k, t, 0 to 16), the first one made odd; likewise as v15
  v19                 as v18, but the square is folded along its diagonal: a piece is two cells of a level. (x, y), x > y, is that
                      cell and (y, x); (k, k) is the cells (2k, 2k) and (2k + 1, 2k + 1). It is cut unless both are inside or both
                      outside; none inside is taken for cut. Level 3: a plane chooses (1, 0) or (0, 0) of level 1, then two at a
                      time a quarter of it and a quarter of that. Those of (x, y) are as in v15; those of (k, k): one plane
                      chooses c, 2k or 2k + 1, one (2c + 1, 2c) or (c, c). What level 8 cuts: slots are the two cells of each
                      piece, as above
  v20                 as v19, but level 10 is the last: what it cuts takes two words a sample, bits 0 to 9 of the first and bit 0 of
                      the second are the slot, the upper 22 bits of each the rest of x and y in the cell; likewise
  v21                 alternating_mrg, 20 words of state from stream_seed(seed, k, t, 0 to 19), the first one made odd; as v20, but
                      a thread draws the planes of an even number of groups at each level; the last one may count nothing
  v22, v23            as v21
  v24                 as v21, but at level 3 the planes come one after another, v0 to v4 being those of v21 in order: v1 for all,
                      v3 for those whose v1 is 1 (the others are inside), v0 for those whose v3 is 1, then v0, v2, v4 for those whose
                      v3 is 0
  v25 to v27          whole warps, of v21's threads (v27: with the words of shifted_mrg), which draw in whole rounds of 20 words, as many as the lane with the most samples
                      needs. scripts/trees has the trees, for two bits and for three. Of a node's samples, 32 a word, those whose bit
                      is 0 go to its first child and the others to its second one. At depths 0 to 10 the lanes share the samples of one
                      node after another, the first lanes one more each if they do not divide them; at depths 11 to 19 each lane has
                      one of 32 nodes, at depth 20 one of 32 leaves. There a sample takes two words, whose upper bits follow the
                      leading bits of x and of y in the leaf's cell; likewise
  cpu_halving         as v27, but a warp has `iters` samples
  cpu_bit_sliced      as v21, but in groups of 512 samples: 16 generators a thread, those of v21's threads 16 t to 16 t + 15, and the
                      words of all in turn; what level 10 cuts takes two words of each generator, 16 samples at a time
The 32-bit states of v7 to v11 and v13 are stream_seed(seed, k, t, stream), hashed from all four.
"""

import dataclasses
import functools
import importlib.machinery
import importlib.util
import itertools
import json
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("golden.py needs numpy: python3 -m pip install numpy")

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = HERE / "golden_counts.json"
SOURCE = (
    "tests/data/golden.py: hits of `threads` threads x `iters` samples each, summed over the threads of launch `launch`"
)
LOW32 = 0xFFFFFFFF

KIND = {
    "v1": "xorwow",
    "v2": "xorwow",
    "v3": "xorwow",
    "v4": "xorwow",
    "v5": "xorwow",
    "v6": "philox",
    "v7": "xorshift",
    "v8": "lcg",
    "v9": "lcg",
    "v10": "lcg pairs",
    "v11": "lcg mantissa",
    "v12": "xorwow",
    "v13": "lcg folded",
    "v14": "mrg folded",
    "v15": "bit sliced",
    "v16": "half cells",
    "v16t": "tensor pairs",
    "v17": "sobol",
    "v18": "dot sliced",
    "v19": "octant sliced",
    "v20": "ten levels sliced",
    "v21": "alternating sliced",
    "v22": "alternating sliced",
    "v23": "alternating sliced",
    "v24": "alternating sliced, bit by bit",
    "v25": "halved by 2 bits",
    "v26": "halved by 3 bits",
    "v27": "halved by 3 bits, shifted",
    "cpu_bit_sliced": "alternating sliced, 16 wide",
    "cpu_halving": "halved by 3 bits, shifted, in teams",
}
NUMERICAL_RECIPES = (1664525, 1013904223)
GLIBC = (1103515245, 12345)

# Counts obtained with cuRAND itself, seed 1234, launch 0: (threads, iters) -> hits.
CURAND_COUNTS = {
    "xorwow": {(1, 100000): 78527, (1024, 1000): 804347, (16384, 4000): 51468933},
    "philox": {(1, 100000): 78502, (1024, 1000): 804245, (16384, 4000): 51468711},
}


# The slots of v15 and v18: their cut cells of a level by the places (inside, outside, cut) of their quarters, lower left, upper left,
# lower right, upper right, and alike ones by rising x, then y. Those of the last level are only by x and y. v19's to v23's: likewise,
# by the order of their quarters' bits.
SQUARE_SLOTS = {
    3: "iiic coco iiic*2 cooo*2 iicc*2 icic*2 iccc*2 ccoo iccc*3",
    4: "iccc*8 coco*4 ccoo*4 iiic*4 icic*2 iiic*2 iicc cooo iicc cooo icic ccco iicc iiic",
    5: "iccc*8 iicc*8 icic*8 iiic*8 cooo*4 ccco*4 coco*4 ccoo*4 cooo*4 iccc*4 ccco*2 cooo*2 iccc ccoo coco iiic",
    6: "iicc*16 cooo*4 ccoo*2 cooo*2 iiic*2 coco*2 iiic ccoo coco ccco iiic*4 iccc*12 cooo*16 ccco*8 coco*8 iccc*8 ccoo*8 "
    "iiic*4 iccc*4 iiic*4 iccc*4 icic*16",
    7: "cooo*8 iccc*8 coco*4 cooo*4 ccoo*4 ccco*4 iicc*8 iiic*8 icic*8 ccco*8 cooo*16 ccoo*16 ccco*16 coco*2 icic*2 ccoo*2 "
    "iiic*2 iccc*2 iicc*2 iccc iiic ccoo coco icic*16 iicc*16 iiic*32 iccc*16 coco*16 icic*4 iiic*4 iicc*4 iccc*4 ccco*16",
}
OCTANT_SLOTS = {
    3: "iccc*2 iicc*3 cooo iiic ccoo",
    4: "iicc*2 ccoo*2 iicc*2 ccoo*2 iccc*4 iiic*3 cooo",
    5: "iiic*4 iicc*4 ccoo*2 iccc*2 ccco*3 cooo iicc*4 cooo*4 ccoo*4 iccc*4",
    6: "iicc*8 iiic*2 ccoo*2 cooo iiic iicc ccoo iicc*8 ccoo*8 iccc*8 ccco*4 iiic*4 iccc*6 cooo*10",
    7: "ccco*8 iccc*4 ccco*4 ccoo*16 iccc*8 iicc*8 iiic*16 iicc*4 iiic*4 iicc*8 cooo*8 ccoo*8 ccco*8 iicc*8 cooo*4 iiic*2 iccc*2 "
    "iicc*2 cooo*2 ccco*2 iiic iccc",
    8: "iicc*64 ccoo*32 cooo*32 ccco*32 iiic*16 ccco*8 ccoo*8 iccc*32 iiic*14 iicc*2 cooo*10 iccc*2 iioc cooo iiic iccc",
    9: "iccc*16 iicc*16 iiic*16 iicc*18 ccco*2 cooo ocoo ccoo iicc ccoo*24 iicc*8 ccoo*8 iccc*4 cooo*4 ccoo*8 cooo*64 iccc*64 "
    "ccco*64 ccoo*64 iiic*64 iicc*64",
}


# Generators yield one uint32 array per draw, one element per thread; array arithmetic wraps modulo 2^32.


def lcg(state, constants):
    multiplier, increment = constants
    while True:
        state = state * multiplier + increment
        yield state


def xorshift32(state):
    while True:
        state = state ^ (state << 13)
        state = state ^ (state >> 17)
        state = state ^ (state << 5)
        yield state


def philox4x32_10(counter, key):
    """One block: four words from a counter of four words and a key of two (uint64 arrays or ints below 2^32)."""
    c0, c1, c2, c3 = (np.asarray(c, np.uint64) for c in counter)
    k0, k1 = key
    for _ in range(10):
        p0, p1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & LOW32, (p0 >> 32) ^ c3 ^ k1, p0 & LOW32
        k0, k1 = (k0 + 0x9E3779B9) & LOW32, (k1 + 0xBB67AE85) & LOW32
    return [c.astype(np.uint32) for c in (c0, c1, c2, c3)]


def curand_philox(seed, subsequence):
    zero = np.zeros_like(subsequence)
    for block in itertools.count():
        yield from philox4x32_10(
            (zero + (block & LOW32), zero + (block >> 32), subsequence & LOW32, subsequence >> 32),
            (seed & LOW32, seed >> 32),
        )


def xorwow_step(v0, v1, v2, v3, v4):
    t = v0 ^ (v0 >> 2)
    return v1, v2, v3, v4, v4 ^ (v4 << 4) ^ t ^ (t << 1)


def to_bits(words):
    """(T, 5) uint32 -> (T, 160) float32 of zeros and ones; from_bits is its inverse."""
    return np.unpackbits(words.view(np.uint8), axis=1).astype(np.float32)


def from_bits(bits):
    return np.packbits(bits.astype(np.uint8), axis=1).view(np.uint32)


@functools.lru_cache(maxsize=None)
def xorwow_jump(n):
    """The 160 x 160 matrix over GF(2) of 2^n steps of XORWOW's xorshift part, acting on row vectors."""
    if n == 0:  # row i is the image of basis vector i
        return to_bits(np.stack(xorwow_step(*from_bits(np.eye(160)).T), axis=1))
    half = xorwow_jump(n - 1)
    return half @ half % 2  # float32 sums of at most 160 ones are exact


def curand_xorwow(seed, subsequence):
    """cuRAND's seeding; a subsequence is 2^67 steps, a multiple of the 2^32 after which the Weyl counter d recurs."""
    t0 = 1099087573 * ((seed & LOW32) ^ 0xAAD26B49)
    t1 = 2591861531 * ((seed >> 32) ^ 0xF7DCEFDD)
    words = [123456789 + t0, 362436069 ^ t0, 521288629 + t1, 88675123 ^ t1, 5783321 + t0]
    bits = to_bits(np.full((len(subsequence), 5), [w & LOW32 for w in words], np.uint32))
    for n in range(64):
        moved = (subsequence >> n & 1).astype(bool)
        if moved.any():
            bits[moved] = bits[moved] @ xorwow_jump(67 + n) % 2
    v = tuple(np.ascontiguousarray(w) for w in from_bits(bits).T)
    d = 6615241 + t1 + t0
    while True:
        v = xorwow_step(*v)
        d = (d + 362437) & LOW32
        yield v[4] + d


def mix64(z):
    """Stafford's Mix13, the finaliser of SplitMix64, on uint64 arrays."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    return z ^ (z >> 31)


def stream_seed(seed, launch, threads, stream):
    h = np.zeros(threads, np.uint64)
    for part in (np.array([seed], np.uint64), launch, np.arange(threads, dtype=np.uint64), stream):
        h = mix64(h + part + 0x9E3779B97F4A7C15)
    return (h >> 32).astype(np.uint32)


def scaled(u):
    return u.astype(np.float32) * np.float32(2**-32)


def mrg(seed, launch, threads):
    x = [stream_seed(seed, launch, threads, i) for i in range(31)]
    x[0] = x[0] | 1
    while True:
        x.append(x.pop(0) * 2891336453 + x[17])
        yield x[-1]


def folded_mrg(seed, launch, threads):
    """X[n] = 2891336453 (X[n - 11] mod 2^32) + X[n - 2] modulo 2^64; a draw is the sum of the halves of X[n]."""
    words = [stream_seed(seed, launch, threads, i) for i in range(22)]
    x = [upper.astype(np.uint64) << 32 | lower for upper, lower in zip(words[::2], words[1::2])]
    x[0] = x[0] | 1
    while True:
        x.append((x.pop(0) & LOW32) * 2891336453 + x[-2])
        yield ((x[-1] >> 32) + x[-1]).astype(np.uint32)


def dot(words):
    """The sum of the four bytes of a word, each times one of K's."""
    return (words.view(np.uint8).reshape(-1, 4) @ np.array([0xA1, 0xA5, 0xC9, 0xD9], np.uint32)).astype(np.uint32)


def dot_mrg(seed, launch, threads):
    """x[n] = 2891336453 x[n - 17] + x[n - 5] modulo 2^32; a draw is the sum of x[n] and dot(x[n - 1])."""
    x = [stream_seed(seed, launch, threads, i) for i in range(17)]
    x[0] = x[0] | 1
    while True:
        x.append(x.pop(0) * 2891336453 + x[-5])
        yield x[-1] + dot(x[-2])


def alternating_mrg(seed, launch, threads, added_in_turns=(dot, lambda word: word >> 16)):
    """x[n] = 2891336453 x[n - 20] + x[n - 3] modulo 2^32; a draw is the sum of x[n] and, of n even, dot(x[n - 1]), else
    the upper half of x[n - 1]."""
    x = [stream_seed(seed, launch, threads, i) for i in range(20)]
    x[0] = x[0] | 1
    for added in itertools.cycle(added_in_turns):
        x.append(x.pop(0) * 2891336453 + x[-3])
        yield x[-1] + added(x[-2])


def shifted_mrg(seed, launch, threads):
    """As alternating_mrg, but a draw is the sum of x[n] and the upper 21 bits of x[n - 1] for even n, or the upper 16."""
    return alternating_mrg(seed, launch, threads, (lambda word: word >> 11, lambda word: word >> 16))


def arc_place(x, y, level):
    """Where the arc leaves the cell of the grid of 2^level x 2^level: i(nside), o(utside) or c(ut)."""
    nearest, farthest = x**2 + y**2, (x + 1) ** 2 + (y + 1) ** 2
    return "i" if farthest <= 4**level else "o" if nearest >= 4**level else "c"


def quarters_of_cell(x, y):
    return [(2 * x + right, 2 * y + up) for right in (0, 1) for up in (0, 1)]


def quarters_of_folded(x, y):
    return (
        quarters_of_cell(x, y)
        if x > y
        else [piece for c in (2 * x, 2 * x + 1) for piece in ((2 * c + 1, 2 * c), (c, c))]
    )


def quarters_of_all(pieces, quarters):
    return [quarter for piece in pieces for quarter in quarters(*piece)]


def folded_cells(x, y):
    return [(x, y), (y, x)] if x > y else [(2 * x, 2 * x), (2 * x + 1, 2 * x + 1)]


@dataclasses.dataclass(eq=False)
class Grid:
    """The pieces that the bits of samples choose, each by two numbers."""

    first: list  # those of level 3
    quarters: object
    cells: object  # of a piece
    orders: dict  # of the slots
    padded: bool  # whether a cell inside is taken for cut

    def place(self, x, y, level):
        if self.padded and (x + 1, y + 1) == (2**level // 4, 7 * 2**level // 8):
            return "c"
        places = {arc_place(*cell, level) for cell in self.cells(x, y)}
        return places.pop() if len(places) == 1 else "c"

    def chosen(self, level):
        """The pieces that a sample of a level can choose, by its bits."""
        return self.first if level == 3 else quarters_of_all(self.slots(level - 1), self.quarters)

    def places(self, level):
        return np.array([self.place(*piece, level) for piece in self.chosen(level)])

    def cut(self, level):
        return sorted(piece for piece in self.chosen(level) if self.place(*piece, level) == "c")

    @functools.lru_cache(maxsize=None)
    def slots(self, level):
        """The cut pieces of a level in the order that the next one takes them in."""
        kinds = {}
        for piece in self.cut(level):
            kinds.setdefault("".join(self.place(*q, level + 1) for q in self.quarters(*piece)), []).append(piece)
        runs = (run.partition("*") for run in self.orders[level].split())
        return [kinds[kind].pop(0) for kind, _, times in runs for _ in range(int(times or 1))]


SQUARE = Grid(list(itertools.product(range(8), repeat=2)), quarters_of_cell, lambda *cell: [cell], SQUARE_SLOTS, True)
OCTANT = Grid(
    quarters_of_all(quarters_of_all([(1, 0), (0, 0)], quarters_of_folded), quarters_of_folded),
    quarters_of_folded,
    folded_cells,
    OCTANT_SLOTS,
    False,
)


def bit_sliced_hits(draws, threads, iters, grid=SQUARE, last=8, width=1, turns=1, by_bits=False):
    """Each thread takes its words at its own pace: at most 0.31 a sample, and up to 122 for groups that are not full. A plane is
    a word of each of `width` generators. The number of a level's groups is a multiple of `turns`. by_bits: the first level is drawn
    bit by bit."""
    draws = list(itertools.islice(draws, iters * 35 // 100 // width + 200))
    words = np.array(draws).reshape(len(draws), threads, width)
    thread, lanes, word = np.arange(threads), 32 * width, np.arange(width)
    generator, bit = np.divmod(np.arange(lanes, dtype=np.uint32), 32)
    position, left = np.zeros(threads, np.int64), np.full(threads, iters)

    def draw(left, place_of):
        """How many of each thread's samples are inside, and how many cut."""
        nonlocal position
        bits = len(place_of).bit_length() - 1
        found = np.zeros((2, threads), np.int64)
        groups = -(-left // (lanes * turns)) * turns
        for group in range(groups.max()):
            taken = group < groups
            planes = [words[position + taken * i, thread] for i in range(bits)]
            number = sum((p[:, generator] >> bit & 1).astype(np.int64) << bits - 1 - i for i, p in enumerate(planes))
            counted = lanes * group + np.arange(lanes) < left[:, None]
            found += [np.count_nonzero((place_of == place)[number] & counted, axis=1) for place in "ic"]
            position += bits * taken
        return found

    hits = 0
    if by_bits:
        of = lambda *bits: grid.places(3).reshape((2,) * 5)[bits]  # v0 to v4
        every = slice(None)
        require(
            "places of v24",
            ["".join(np.unique(p)) for p in (of(every, 0), of(0, 1, every, 1), of(1, 1, every, 1))],
            ["i", "c", "o"],
        )
        inside, left = draw(left, np.array(["i", "c"]))
        near, far = draw(left, np.array(["i", "c"]))
        _, of_far = draw(far, np.array(["c", "o"]))
        of_near, left = draw(near, of(every, 1, every, 0).flatten())
        hits, left = int((inside + of_near).sum()), left + of_far
    for level in range(4 if by_bits else 3, last + 1):
        inside, left = draw(left, grid.places(level))
        hits += int(inside.sum())
    cells = np.array([cell for piece in grid.cut(last) for cell in grid.cells(*piece)], np.uint32)
    for i in range(-(-left.max() // width)):
        taken = thread[width * i < left]
        counted = width * i + word < left[taken, None]
        first, second = (words[position[taken] + 2 * i + j, taken][counted] for j in (0, 1))
        x, y = cells[(first & 2**last - 1) << 1 | second & 1].T
        hits += int(count_folded_hits(x << 32 - last | first >> last, y << 32 - last | second >> last))
    return hits


@functools.lru_cache(maxsize=None)
def halving_tree(together):
    """Layers of nodes, and the two children of each: 0 is inside, 1 outside. A leaf is (whether it is on the diagonal, x, y, width,
    height) in units of 2^-15."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("trees", str(HERE.parent.parent / "scripts" / "trees"))
    trees = importlib.util.module_from_spec(importlib.util.spec_from_loader("trees", loader))
    loader.exec_module(trees)
    return trees.layers_of(together)


ONES = np.array([bin(n).count("1") for n in range(1 << 16)], np.uint8)


def ones_among(words, samples):
    """The ones among the first `samples` bits of each column of words."""
    left = np.clip(samples - 32 * np.arange(len(words))[:, None], 0, 32).astype(np.uint64)
    counted = words & ((np.uint64(1) << left) - np.uint64(1)).astype(np.uint32)
    return (ONES[counted & 0xFFFF].astype(np.int64) + ONES[counted >> 16]).sum(axis=0)


def halved_hits(draws, threads, of_warp, together):
    """Every warp has `of_warp` samples and takes its words at its own pace, 20 words of each lane at a time."""
    layers, children = halving_tree(together)
    drawn = []
    hits = 0
    for warp in range(threads // 32):
        rounds = itertools.count()

        def words_for(samples, of_round):
            needed = -(-int(samples.max()) // of_round)
            words = [next(rounds) for _ in range(needed)]
            while len(drawn) < (words or [-1])[-1] + 1:
                drawn.append(np.array(list(itertools.islice(draws, 20))))
            return np.concatenate(
                [drawn[i][:, 32 * warp : 32 * warp + 32] for i in words] or [np.zeros((0, 32), np.uint32)]
            )

        count = {layers[0][0]: of_warp}
        for depth, layer in enumerate(layers[:-1]):
            for nodes in (
                ([node] for node in layer) if depth < 11 else (layer[i : i + 32] for i in range(0, len(layer), 32))
            ):
                samples = np.array([count[node] for node in nodes] + [0] * (32 - len(nodes)))
                if depth < 11:
                    samples = samples[0] // 32 + (np.arange(32) < samples[0] % 32)
                ones = ones_among(words_for(samples, 640), samples)
                for node, n in zip(nodes, [ones.sum()] if depth < 11 else ones):
                    for child, of_child in zip(children[node], (count[node] - int(n), int(n))):
                        if child == 0:
                            hits += of_child
                        elif child != 1:
                            count[child] = of_child
        for nodes in (layers[-1][i : i + 32] for i in range(0, len(layers[-1]), 32)):
            samples = np.array([count[node] for node in nodes] + [0] * (32 - len(nodes)))
            _, x, y, width, height = np.array(nodes + [(0, 0, 0, 0, 0)] * (32 - len(nodes)), np.uint64).T
            words = words_for(samples, 10).astype(np.uint64)
            taken = np.arange(len(words) // 2)[:, None] < samples
            x, y = (
                (corner << 17) + (word * side >> 15)
                for corner, word, side in ((x, words[::2], width), (y, words[1::2], height))
            )
            hits += int(count_folded_hits(x[taken].astype(np.uint32), y[taken].astype(np.uint32)))
    return hits


def half_cells(seed, launch, threads):
    """Yields whether each thread's sample is a hit. Lengths in units of 2^9 cells; fused sums, exact in float64, are halves."""
    words = folded_mrg(seed, launch, threads)
    while True:
        word = next(words)
        places = [2 * p.astype(np.int64) + 1 for p in (word & 1023, word >> 16 & 1023)]
        offsets = [places, [2048 - p for p in places]]
        for word in itertools.islice(words, 87):
            for bits, (x, y) in zip((word, word >> 16), offsets):
                k, m = ((bits >> shift & 31) * 2.0**-9 for shift in (0, 5))
                whole = k * k + m * m - 2.0**-8  # as a half, too: 11 bits
                partial = (k * (x * 2.0**-19) + whole).astype(np.float16)
                distance = (m * (y * 2.0**-19) + partial).astype(np.float16)
                yield distance < -((x * x + y * y) >> 16) * 2.0**-24


def tensor_pairs(seed, launch, threads, iters):
    """Yields the hits of the warps' samples, a step at a time: 16 of a thread."""
    warps = -(-threads // 32)
    words = (word.reshape(warps, 8, 4).astype(np.int64) for word in folded_mrg(seed, launch, 32 * warps))
    squares = lambda bits: (2 * (bits & 1023) + 1) ** 2  # of whole warps: by row or column, and by group
    row, column, group = np.ogrid[:16, :8, :4]
    thread = row % 8 * 4 + column // 2
    number = 4 * group + row // 8 * 2 + column % 2
    for first in range(0, iters, 16):
        if first % 32 == 0:
            *words_of_x, word_of_y = itertools.islice(words, 3)
        step = first // 16 % 2
        x = np.concatenate([squares(words_of_x[step]), squares(words_of_x[step] >> 16)], axis=1)
        y = squares(word_of_y >> 16 * step)
        hits = x[:, :, None] + y[:, None, :] < 2**22
        yield hits & (number < iters - first) & (thread + 32 * np.arange(warps)[:, None, None, None] < threads)


def sobol_directions():
    """Direction numbers of Joe and Kuo, m[k] / 2^(k + 1) in units of 2^-32: all m = 1; and polynomial z + 1, m = 1, 3, 5, 15, ..."""
    m = 1
    for k in range(32):
        yield 1 << (31 - k), m << (31 - k)
        m = (2 * m) ^ m


def all_xors(words):
    """Of every subset of the words: element n is that of the ones of n."""
    table = np.zeros(1, np.uint32)
    for word in words:
        table = np.concatenate([table, table ^ np.uint32(word)])
    return table


def sobol_samples(seed, launch, threads, iters):
    """Yields the words (x, y) of the points of a launch, `threads` at a time."""
    dimensions = [
        (all_xors(v[:16]), all_xors(v[16:]), stream_seed(seed, launch, 1, s)[0])
        for s, v in enumerate(zip(*sobol_directions()))
    ]
    for first in range(0, threads * iters, threads):
        number = np.arange(first, first + threads, dtype=np.uint32)
        code = number ^ (number >> 1)
        yield [low[code & 0xFFFF] ^ high[code >> 16] ^ shift for low, high, shift in dimensions]


def samples(kind, seed, launch, threads):
    """Yields (x, y) for all threads at once, without end."""
    if kind == "lcg pairs":
        x0, y0, x1, y1 = (
            lcg(stream_seed(seed, launch, threads, s), (NUMERICAL_RECIPES, GLIBC)[s % 2]) for s in range(4)
        )
        for x, y in itertools.cycle(((x0, y0), (x1, y1))):
            yield scaled(next(x)), scaled(next(y))
    subsequence = np.uint64(launch * threads) + np.arange(threads, dtype=np.uint64)
    state = stream_seed(seed, launch, threads, 0)
    coordinate = scaled
    if kind in ("xorwow", "philox"):
        words = (curand_xorwow if kind == "xorwow" else curand_philox)(seed, subsequence)
        coordinate = lambda u: scaled(u) + np.float32(2**-33)  # curand_uniform
    elif kind == "xorshift":
        words = xorshift32(np.where(state == 0, np.uint32(0x9E3779B9), state))
    else:
        words = lcg(state, NUMERICAL_RECIPES)
        if kind == "lcg mantissa":
            coordinate = lambda u: ((u >> 9) | 0x3F800000).view(np.float32) - np.float32(1)
    while True:
        x = coordinate(next(words))
        yield x, coordinate(next(words))


def count_hits(x, y):
    """fmaf(x, x, y*y) rounds to 1 or less iff the exact sum is at most 1 + 2^-24, the tie going to the even 1."""
    a = x.astype(np.float64) ** 2  # exact: 48 bits
    b = (y * y).astype(np.float64)
    s = a + b  # rounded, but on the same side of the limit as the exact sum unless it equals the limit
    limit = 1 + 2**-24
    hits = np.count_nonzero(s <= limit)
    tie = s == limit
    if tie.any():  # the rounding error of s, by TwoSum
        a, b, s = a[tie], b[tie], s[tie]
        bb = s - a
        hits -= np.count_nonzero((a - (s - bb)) + (b - bb) > 0)
    return hits


def count_folded_hits(x, y):
    """fmaf(x, x, -r) has the sign of its exact sum. r = 2^64 - y^2, rounded to float32; whole numbers until then."""
    x, y = x.astype(np.float32), y.astype(np.float32)
    squared = y.astype(np.uint64) ** 2  # modulo 2^64, as y may be 2^32
    r = np.where(y == 0, np.float32(2**64), (0 - squared).astype(np.float32))
    return np.count_nonzero(x.astype(np.float64) ** 2 < r)


@functools.lru_cache(maxsize=None)
def launch_hits(kind, seed, launch, threads, iters):
    if kind.endswith("folded"):
        is_lcg = kind.startswith("lcg")
        words = lcg(stream_seed(seed, launch, threads, 0), NUMERICAL_RECIPES) if is_lcg else mrg(seed, launch, threads)
        return sum(int(count_folded_hits(x, y)) for x, y in itertools.islice(zip(words, words), iters))
    if kind == "bit sliced":
        return bit_sliced_hits(folded_mrg(seed, launch, threads), threads, iters)
    if kind == "dot sliced":
        return bit_sliced_hits(dot_mrg(seed, launch, threads), threads, iters)
    if kind == "octant sliced":
        return bit_sliced_hits(dot_mrg(seed, launch, threads), threads, iters, OCTANT)
    if kind == "ten levels sliced":
        return bit_sliced_hits(dot_mrg(seed, launch, threads), threads, iters, OCTANT, last=10)
    if kind.startswith("alternating sliced"):
        width = 16 if kind.endswith("16 wide") else 1
        return bit_sliced_hits(
            alternating_mrg(seed, launch, width * threads),
            threads,
            iters,
            OCTANT,
            10,
            width,
            turns=2,
            by_bits="by bit" in kind,
        )
    if kind.startswith("halved by"):
        words = shifted_mrg if "shifted" in kind else alternating_mrg
        if kind.endswith("teams"):
            return halved_hits(words(seed, launch, 32 * threads), 32 * threads, iters, int(kind.split()[2]))
        return halved_hits(words(seed, launch, threads), threads, 32 * iters, int(kind.split()[2]))
    if kind == "half cells":
        return sum(int(h.sum()) for h in itertools.islice(half_cells(seed, launch, threads), iters))
    if kind == "tensor pairs":
        return sum(int(h.sum()) for h in tensor_pairs(seed, launch, threads, iters))
    if kind == "sobol":
        return sum(int(count_folded_hits(x, y)) for x, y in sobol_samples(seed, launch, threads, iters))
    return sum(int(count_hits(x, y)) for x, y in itertools.islice(samples(kind, seed, launch, threads), iters))


def require(what, got, want):
    if got != want:
        sys.exit(f"golden.py: {what}: computed {got}, known answer {want}")


def check_known_answers():
    known = json.loads((HERE / "known_answers.json").read_text())
    for case in known["philox4x32_10"]:
        words = {name: [int(w, 16) for w in case[name]] for name in ("counter", "key", "output")}
        out = philox4x32_10([[c] for c in words["counter"]], words["key"])
        require(f"philox4x32_10 {case['counter']}", [int(w[0]) for w in out], words["output"])
    by_seed = {"curand_philox": curand_philox, "curand_xorwow": curand_xorwow}
    by_state = {
        "xorshift32": xorshift32,
        "lcg_numerical_recipes": lambda s: lcg(s, NUMERICAL_RECIPES),
        "lcg_glibc": lambda s: lcg(s, GLIBC),
    }
    for name in (*by_seed, *by_state):
        for case in known[name]:
            if name in by_seed:
                draws = by_seed[name](int(case["seed"]), np.array([case["subsequence"]], np.uint64))
            else:
                draws = by_state[name](np.array([case["state"]], np.uint32))
            outputs = [
                int(u[0]) for u in itertools.islice(draws, 10000 if "output_10000" in case else len(case["outputs"]))
            ]
            require(f"{name} {case}", outputs[: len(case["outputs"])], case["outputs"])
            require(f"{name} {case}", outputs[-1], case.get("output_10000", outputs[-1]))
    published = [
        (0, 0),
        (4, 4),
        (6, 2),
        (2, 6),
        (3, 3),
        (7, 7),
        (5, 1),
        (1, 5),
    ]  # in units of 1/8: Joe and Kuo's program
    shifts = [stream_seed(1234, 0, 1, s)[0] for s in range(2)]
    points = [[int((u[0] ^ shift) >> 29) for u, shift in zip(p, shifts)] for p in sobol_samples(1234, 0, 1, 8)]
    require("Sobol's first points", list(map(tuple, points)), published)
    require("SplitMix64 of 0", int(mix64(np.array([0x9E3779B97F4A7C15], np.uint64))[0]), 0xE220A8397B1DCDAF)


def shapes(version):
    """The launches to count: seed, launch, threads, iters. v1 is always one thread, the CPU all its streams, or the
    first one of them. A million samples and more enter the loop of level 10, which gets 1 in 256 of them."""
    if version.startswith("cpu"):
        yield 1234, 1, 1, 4_000_000
        if version == "cpu_halving":
            yield 1234, 7, 256, 100
            yield 0xDEADBEEFCAFEF00D, 2, 1, 20001
            return
        yield 1234, 0, 1024, 1000
        yield 1234, 3, 1024, 20000
        yield 1234, 7, 1024, 1
        yield 0xDEADBEEFCAFEF00D, 2, 1024, 513
        return
    if KIND[version].startswith("halved"):
        yield 1234, 0, 1024, 1000
        yield 1234, 0, 2048, 4000
        yield 1234, 7, 96, 1001
        yield 0xDEADBEEFCAFEF00D, 2, 64, 333
        yield 1234, 1, 32, 1_000_000
        return
    yield 1234, 0, 1, 100000
    if version != "v1":
        yield 1234, 0, 1024, 1000
        yield 1234, 0, 16384, 4000
    yield 1234, 7, {"v1": 1, "v12": 256}.get(version, 96), 1001
    yield 0xDEADBEEFCAFEF00D, 2, 1 if version == "v1" else 64, 333
    if "sliced" in KIND[version]:
        yield 1234, 1, 1, 1_000_000
        yield 1234, 1, 32, 1_000_000


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: golden.py [--check]")
    check_known_answers()
    lines = []
    for version, kind in KIND.items():
        for seed, launch, threads, iters in shapes(version):
            hits = launch_hits(kind, seed, launch, threads, iters)
            if (seed, launch) == (1234, 0) and kind in CURAND_COUNTS:
                require(f"{version} {threads} x {iters}", hits, CURAND_COUNTS[kind][threads, iters])
            lines.append(
                json.dumps(
                    {
                        "version": version,
                        "seed": str(seed),
                        "launch": launch,
                        "threads": threads,
                        "iters": iters,
                        "hits": hits,
                    }
                )
            )
    text = '{"source": ' + json.dumps(SOURCE) + ', "cases": [\n' + ",\n".join(lines) + "\n]}\n"
    if not sys.argv[1:]:
        COUNTS.write_text(text)
    elif json.loads(COUNTS.read_text()) != json.loads(text):
        old = set(COUNTS.read_text().replace(",\n", "\n").splitlines())
        sys.exit(
            "\n".join(
                ["golden_counts.json differs; computed, but not in it:", *(line for line in lines if line not in old)]
            )
        )
    print(f"{len(lines)} cases {'agree' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
