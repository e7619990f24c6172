#!/usr/bin/env python3
"""Golden tallies of the random walks of the ladder mcls, computed without CUDA or any code of this repository.

    python3 golden_walks.py            write golden_walks.json next to this script
    python3 golden_walks.py --check    recompute and compare with golden_walks.json; exit status 1 if they differ

Needs numpy. Takes about half a minute. The systems x = H x + b are those of golden_mcls.py.

B is the transposed H for the adjoint method and H for the forward method.

Words: word w of history h of a launch is word w mod 4 of Philox4x32-10 with the key (seed mod 2^32, seed >> 32) and the counter
(w div 4, launch, h mod 2^32, h >> 32). Words 0 and 1 choose the start, u = w0 2^32 + w1; word l + 1 chooses transition l = 1, 2, ...
The forward method starts where it is told, and does not use words 0 and 1.

Numerators of a row of B: s adds up the |B_ij| as doubles in the order of the columns. q_j = trunc(|B_ij| / s 2^32), at least 1; what is
left to 2^32 is added to the largest q, the first one of several. Absorbing: q_j = trunc(|B_ij| 2^32), at least 1, and what is left to
2^32 ends the history. Numerators Q of the start: those of the b_i that are not 0, with 2^64 for 2^32.

A transition by "cdf": the first j with q_0 + ... + q_j > u. A transition by "alias": the table has K slots a row, K the least power of
two that holds the longest row (with its end, where a row has one: after its entries). A slot's capacity is 2^32 / K. Slots start with
the q of their entries, the others with 0, and lie on a list of the small (q below the capacity) or on one of the large, both in their
order. While both hold slots, the last small one and the last large one are taken from their lists: the small one keeps its q as its
threshold and the large one as its alias, the large one's q falls by the capacity less q, and it goes to the end of the list that fits
it now. What stays has the capacity as its threshold and itself as its alias. The leading log2 K bits of u choose a slot, the others
the entry if they are below the threshold, else the alias.

Weights are doubles: W = b_i / (Q_i 2^-64) at the start i (forward: 1), times B_ij / (q_j 2^-32) with each transition. Each state
visited, the start too, adds round(W 2^bits) to the tally of the state, half to even (forward: W b of the state, to the tally of the
start's entry), modulo 2^64. A history ends after `steps` transitions, when |W| < cutoff |W of the start| after a visit, or when
it is absorbed; the word that absorbs it is no transition.

Counted walkers, N of them on B blocks of T threads: history h starts in the h-th of N parts of the 2^64 values of u, the first 2^64 mod
N of which have one value more: as many values after its first one as word 3 of the history times 2^-32 times the part's size, rounded
down. It is one of block h mod B. A row has four slots: each entry of B has as many as it has quarters, in the order of the columns; the
others end the history. Places are the states in the order of their visits, most visited first, of equal ones the lower state: place p of
a block belongs to its thread p mod T. Visits are those of 1,000 transitions that start with trunc(Q_i 2^-16) walkers in the states (Q
less 1), where each slot takes a quarter, rounded down. Of whole rows of 128 places the second, the fourth and so on have their four
parts of 32 places in reverse order.

Thread t of the grid draws the words of golden.py's v21, in rounds of 20. In each transition it moves the walkers of its places one after
the other; place with none draw nothing. Of up to 320 walkers, walker j's bits are the bits j mod 32 of words 2 (j div 32) and 2 (j div
32) + 1 of a round. Of more, walker j's first bit is bit j mod 32 of word j div 32 of as many rounds as have them; then those whose first
bit is 0 draw their second ones likewise, then the others. A walker takes slot 2 x first bit + second bit.

One population, or P of them where the grid has P times as many threads as there are states: history h is one of population h mod P, and
starts as above. A place has walkers of either sign; b_i < 0 starts negative ones, and an entry of B below 0 changes the sign. Places of a
population are ordered as above, by visits of at most 200 transitions of trunc((Q_i - 1) / 4) walkers. Of w walkers, trunc(w / 200)
are visits and trunc(w q_j 2^-32) take entry j. Transitions end when the largest w is below 2^-8 of the first largest, rounded down. Place k
of population p has number p n + k. Block b's warp i, of W in all blocks B, is number B i + b: of row r of 32 W places it has the part of
this number, or, in odd rows, of W - 1 less the number.

A row's entries, by rising q, are kinds: of equal ones four, then two, then one are a kind, whose q is their sum. What is left to 2^32 is the last
kind. A row whose q are all among those of a row with more entries, the first one in the order of their q, has its kinds, and ends
with the other entries. Walkers part at the nodes of a tree: those of depth d, in order, have two children each, which are first the kinds
whose q has the digit 2^(31 - d), then the nodes of the next depth. A kind of 2^32 has no tree. At a node each walker draws a bit, a zero for the first
child. As soon as at most 32 are left at a node's turn, each node draws a word, whose lowest bits are those of its walkers. At last walkers of a kind of several entries draw
their numbers, the upper bit first.

Up to 384 walkers that draw together have single words, MWC64X of the thread's streams 20 and 21 (state, carry), of which 32 have one each
in turn; more have rounds, as above. The sign with more walkers goes first, the positive one of equals.
"""

import functools
import itertools
import json
import math
import pathlib
import sys
import typing

import golden  # says if numpy is missing
import golden_mcls
import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden_walks.json"
SOURCE = "tests/data/golden_walks.py: tables and walks of the systems of golden_mcls.py"
LOW32 = 0xFFFFFFFF
ABSORBED = -1


def philox4x32_10(counter, key):
    """Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 4.3."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & LOW32, (p0 >> 32) ^ c3 ^ k1, p0 & LOW32
        k0, k1 = (k0 + 0x9E3779B9) & LOW32, (k1 + 0xBB67AE85) & LOW32
    return c0, c1, c2, c3


class Launch(typing.NamedTuple):
    seed: int
    number: int

    def quad(self, first, third, fourth):
        return philox4x32_10((first, self.number, third, fourth), (self.seed & LOW32, self.seed >> 32))

    def words_of(self, history, first):
        """The words of a history from word `first` on."""
        skipped, quad = first % 4, first // 4
        while True:
            yield from self.quad(quad, history & LOW32, history >> 32)[skipped:]
            skipped, quad = 0, quad + 1


def shares(values, bits):
    """Numerators over 2^bits in proportion to the |values|."""
    if not values:
        return []
    total = 0.0
    for value in values:
        total += abs(value)
    q = [max(1, math.trunc(abs(value) / total * 2.0**bits)) for value in values]
    q[q.index(max(q))] += 2**bits - sum(q)
    return q


def absorbing_numerators(values):
    return [max(1, math.trunc(abs(value) * 2.0**32)) for value in values]


class Row:
    """A row of B: numerators, states and factors of its entries, its end the last one of them, and its alias slots."""

    def __init__(self, states, values, absorbing, width):
        self.q = absorbing_numerators(values) if absorbing else shares(values, 32)
        self.next = list(states)
        self.factor = [value / (q * 2.0**-32) for value, q in zip(values, self.q)]
        if sum(self.q) < 2**32:
            self.q.append(2**32 - sum(self.q))
            self.next.append(ABSORBED)
            self.factor.append(0.0)
        self.capacity = 2**32 // width
        self.threshold, self.alias = self.aliases(self.q + [0] * (width - len(self.q)))

    def aliases(self, q):
        threshold, alias = [self.capacity] * len(q), list(range(len(q)))
        small = [k for k in alias if q[k] < self.capacity]
        large = [k for k in alias if q[k] >= self.capacity]
        while small and large:
            least, most = small.pop(), large.pop()
            threshold[least], alias[least] = q[least], most
            q[most] -= self.capacity - q[least]
            (small if q[most] < self.capacity else large).append(most)
        return threshold, alias

    def entry_by_cdf(self, u):
        for entry, q in enumerate(self.q):
            if u < q:
                return entry
            u -= q

    def entry_by_alias(self, u):
        slot, rest = divmod(u, self.capacity)
        return slot if rest < self.threshold[slot] else self.alias[slot]


class Walk:
    """Histories on a system, by a method and a kind of table."""

    def __init__(self, system, method="adjoint", table="cdf", absorbing=False):
        h, b = golden_mcls.jacobi(*getattr(golden_mcls, system)())
        self.n, self.b, self.forward, self.absorbing = h.n, b.tolist(), method == "forward", absorbing
        self.matrix = h if self.forward else h.transposed()
        self.first = np.searchsorted(self.matrix.rows, np.arange(h.n + 1)).tolist()
        self.width = self.slots_of_a_row()
        self.entry = Row.entry_by_cdf if table == "cdf" else Row.entry_by_alias
        self.sources = [i for i, value in enumerate(self.b) if value != 0]
        self.start_q = shares([self.b[i] for i in self.sources], 64)
        self.start_ends = np.cumsum(np.array(self.start_q, object))
        self.row = functools.cache(self.row)

    def slots_of_a_row(self):
        entries = np.bincount(self.matrix.rows, minlength=self.n)
        q = np.maximum(1, np.trunc(np.abs(self.matrix.values) * 2.0**32))
        ends = np.bincount(self.matrix.rows, q, self.n) < 2**32 if self.absorbing else entries == 0
        return 1 << int((entries + ends).max() - 1).bit_length()

    def row(self, i):
        entries = slice(self.first[i], self.first[i + 1])
        return Row(
            self.matrix.columns[entries].tolist(), self.matrix.values[entries].tolist(), self.absorbing, self.width
        )

    def start_weights(self):
        return [self.b[i] / (float(q) * 2.0**-64) for i, q in zip(self.sources, self.start_q)]

    def start(self, words):
        u = (next(words) << 32) + next(words)
        k = int(np.searchsorted(self.start_ends, u, "right"))
        return self.sources[k], self.b[self.sources[k]] / (float(self.start_q[k]) * 2.0**-64)

    def visits(self, words, start, steps, cutoff):
        """The states and weights of a history."""
        state, weight = start
        yield state, weight
        limit = cutoff * abs(weight)
        for _ in range(steps):
            if abs(weight) < limit:
                return
            row = self.row(state)
            entry = self.entry(row, next(words))
            state = row.next[entry]
            if state == ABSORBED:
                return
            weight *= row.factor[entry]
            yield state, weight

    def history(self, launch, number, entry, steps, cutoff):
        start = (entry, 1.0) if self.forward else self.start(launch.words_of(number, 0))
        return self.visits(launch.words_of(number, 2), start, steps, cutoff)

    def run(self, launch, first, histories, each, steps, cutoff, bits):
        """Tallies, transitions and the longest of the histories from `first` on; `each` history h starts at entry h // each."""
        tallies, transitions, longest = [0] * self.n, 0, 0
        for number in range(first, first + histories):
            entry = number // each if self.forward else None
            length = -1
            for length, (state, weight) in enumerate(self.history(launch, number, entry, steps, cutoff)):
                amount = weight * self.b[state] if self.forward else weight
                tallies[entry if self.forward else state] += round(amount * 2.0**bits)
            transitions += length
            longest = max(longest, length)
        return tallies, transitions, longest


class Words:
    """The rounds of words of many threads: golden.alternating_mrg, for some of them at a time."""

    def __init__(self, launch, threads):
        self.x = np.array([golden.stream_seed(launch.seed, launch.number, threads, i) for i in range(20)])
        self.x[0] |= 1

    def round_of(self, drawing):
        """20 words of the threads that draw."""
        x, words = list(np.ascontiguousarray(self.x[:, drawing])), []
        for n in range(20):
            x.append(x[n] * np.uint32(2891336453) + x[n + 17])
            words.append(x[-1] + (golden.dot(x[-2]) if n % 2 == 0 else x[-2] >> np.uint32(16)))
        self.x[:, drawing] = x[20:]
        return words


def masks(walkers, i):
    """The bits of the i-th word that walkers have."""
    return ((1 << np.clip(walkers - 32 * i, 0, 32).astype(np.uint64)) - 1).astype(np.uint32)


def ones_in(words):
    return np.unpackbits(words.view(np.uint8).reshape(-1, 4), axis=1).sum(axis=1, dtype=np.int64)


def starts_of(walk, launch, histories, populations):
    """Walkers by population and state."""
    h, (size, larger) = np.arange(histories, dtype=np.uint64), divmod(2**64, histories)
    word = launch.quad(h * 0, h & LOW32, h >> 32)[3]
    mine = size + (h < larger).astype(np.uint64)
    u = h * size + np.minimum(h, larger) + word * (mine >> 32) + (word * (mine & LOW32) >> 32)
    ends = np.array([end - 1 for end in walk.start_ends], np.uint64)
    state = np.array(walk.sources)[np.searchsorted(ends, u, "left")]
    number = h.astype(np.int64) % populations * walk.n + state
    return np.bincount(number, minlength=populations * walk.n).reshape(populations, walk.n)


class Counted:
    """Counts of walkers of all blocks of a launch, by block and place."""

    def __init__(self, system, launch, blocks, threads, histories):
        self.walk, self.launch, self.blocks, self.threads = Walk(system), launch, blocks, threads
        self.n, self.words = self.walk.n, Words(launch, blocks * threads)
        self.slots = np.array([self.slots_of(i) for i in range(self.n)])
        self.places = self.order()
        self.counts = self.starts(histories)

    def slots_of(self, i):
        entries = slice(self.walk.first[i], self.walk.first[i + 1])
        quarters = (4 * self.walk.matrix.values[entries]).astype(int)
        return [*np.repeat(self.walk.matrix.columns[entries], quarters), *[self.n] * (4 - quarters.sum())]

    def spread(self, quarters):
        """What states get from the slots of states."""
        return np.bincount(self.slots.ravel(), quarters.ravel(), self.n + 1)[:-1].astype(np.int64)

    def order(self):
        walkers, visits = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        walkers[self.walk.sources] = [(q - 1) >> 16 for q in self.walk.start_q]
        for _ in range(1000):
            visits += walkers
            walkers = self.spread(np.repeat(walkers[:, None] // 4, 4, axis=1))
        places = np.argsort(-visits, kind="stable")
        for row in range(128, self.n - 127, 256):
            places[row : row + 128] = places[row : row + 128].reshape(4, 32)[::-1].ravel()
        return places

    def starts(self, histories):
        """Walkers by block and state."""
        return starts_of(self.walk, self.launch, histories, self.blocks)

    def ones_among(self, walkers, threads):
        ones, first = np.zeros_like(walkers), 0
        while (drawing := walkers > 32 * first).any():
            for i, word in enumerate(self.words.round_of(threads[drawing])):
                ones[drawing] += ones_in(word & masks(walkers[drawing], first + i))
            first += 20
        return ones

    def quarters(self, walkers, threads):
        """How many of them take each slot, by the words of these threads."""
        few, many = (walkers > 0) & (walkers <= 320), walkers > 320
        quarters = np.zeros((len(walkers), 4), np.int64)
        words = self.words.round_of(threads[few])
        for i in range(10):
            mask = masks(walkers[few], i)
            for slot in range(4):
                first, second = (words[2 * i + k] ^ np.uint32(0 if slot >> 1 - k & 1 else LOW32) for k in range(2))
                quarters[few, slot] += ones_in(first & second & mask)
        ones = self.ones_among(walkers[many], threads[many])
        zeros = walkers[many] - ones
        after_zero = self.ones_among(zeros, threads[many])
        after_one = self.ones_among(ones, threads[many])
        quarters[many] = np.transpose([zeros - after_zero, after_zero, ones - after_one, after_one])
        return quarters

    def moved(self):
        quarters = np.zeros((self.blocks, self.n, 4), np.int64)
        for first in range(0, self.n, self.threads):
            states = self.places[first : first + self.threads]
            threads = np.add.outer(np.arange(self.blocks) * self.threads, np.arange(len(states)))
            quarters[:, states] = self.quarters(self.counts[:, states].ravel(), threads.ravel()).reshape(
                self.blocks, -1, 4
            )
        return np.array([self.spread(of_block) for of_block in quarters])

    def visits(self, steps):
        visits = self.counts.sum(axis=0)
        while steps > 0 and self.counts.any():
            self.counts, steps = self.moved(), steps - 1
            visits += self.counts.sum(axis=0)
        return visits.tolist()


class ThreadWords:
    """The words of a thread."""

    def __init__(self, launch, thread):
        self.rounds, self.own = Words(launch, thread + 1), np.array([thread])
        self.x, carry = (int(golden.stream_seed(launch.seed, launch.number, thread + 1, i)[thread]) for i in (20, 21))
        self.carry = carry % (MWC - 1)

    def single(self):
        word = self.x ^ self.carry
        self.carry, self.x = divmod(MWC * self.x + self.carry, 2**32)
        return word

    def ones_among(self, walkers):
        if walkers > 384:
            words = (int(word[0]) for _ in itertools.count() for word in self.rounds.round_of(self.own))
            of_round = [next(words) for _ in range(20 * -(-walkers // 640))]
        else:
            of_round = [self.single() for _ in range(-(-walkers // 32))]
        return sum(
            (word & ((1 << min(32, max(0, walkers - 32 * i))) - 1)).bit_count() for i, word in enumerate(of_round)
        )


class Population:
    """Walkers of both signs of all populations of a launch, by the numbers of their places."""

    def __init__(self, system, launch, blocks, threads, histories):
        self.walk, self.blocks, self.threads = Walk(system, absorbing=True), blocks, threads
        self.warps = blocks * threads // 32
        self.n = self.walk.n
        rows = [self.walk.row(i) for i in range(self.n)]
        self.entries = [[(q, to) for q, to in zip(row.q, row.next) if to != ABSORBED] for row in rows]
        self.signs = [[1 if value > 0 else -1 for value in row.factor if value != 0] for row in rows]
        self.places = self.order()
        populations = max(1, blocks * threads // self.n)
        starts = starts_of(self.walk, launch, histories, populations)[:, self.places].ravel()
        self.counts = [
            [int(k), 0] if self.walk.b[self.state(place)] > 0 else [0, int(k)] for place, k in enumerate(starts)
        ]
        self.words = [ThreadWords(launch, thread) for thread in range(blocks * threads)]
        self.place_of = {state: place for place, state in enumerate(self.places)}

    def state(self, place):
        return self.places[place % self.n]

    def order(self):
        walkers, visits = [0] * self.n, [0] * self.n
        for i, q in zip(self.walk.sources, self.walk.start_q):
            walkers[i] = (q - 1) // 4
        least = max(walkers) // 256
        for _ in range(200):
            visits, moved = [v + w // 200 for v, w in zip(visits, walkers)], [0] * self.n
            for w, entries in zip(walkers, self.entries):
                for q, to in entries:
                    moved[to] += w * q >> 32
            walkers = moved
            if max(walkers) < least:
                break
        return sorted(range(self.n), key=lambda state: -visits[state])

    def kinds(self, state):
        """(q, states with the sign that their entry has) of each kind; None is the end."""
        own = sorted(q for q, _ in self.entries[state])
        longest_first = sorted({tuple(sorted(q for q, _ in row)) for row in self.entries}, key=lambda q: (-len(q), q))
        all_q = next(list(q) for q in longest_first if all(q.count(x) >= own.count(x) for x in own))
        taken, slots = list(zip(self.entries[state], self.signs[state])), []
        for q in all_q:
            found = next((entry for entry in taken if entry[0][0] == q), None)
            slots.append(found and (found[0][1], found[1]))
            if found:
                taken.remove(found)
        kinds, first = [], 0
        while first < len(all_q):
            alike = all_q[first:].count(all_q[first])
            size = 4 if alike >= 4 else 2 if alike >= 2 else 1
            kinds.append((all_q[first] * size, slots[first : first + size]))
            first += size
        rest = 2**32 - sum(all_q)
        return [*kinds, (rest, [None])] if rest else kinds

    def part(self, walkers, q, words):
        """How many of them are of each kind."""
        counts, nodes, left, as_bits = [0] * len(q), [walkers], walkers, False
        if 2**32 in q:
            return [walkers]
        for digit in reversed(range(32)):
            kinds, below = [kind for kind, x in enumerate(q) if x >> digit & 1], []
            for i, node in enumerate(nodes):
                if left == 0:
                    return counts
                if not as_bits and left <= 32:
                    as_bits = True
                    nodes[i:], below = ([(1 << number) - 1 for number in some] for some in (nodes[i:], below))
                    node = nodes[i]
                ones = node & words.single() if as_bits else words.ones_among(node)
                for child, who in ((2 * i, node - ones), (2 * i + 1, ones)):
                    if child < len(kinds):
                        number = who.bit_count() if as_bits else who
                        counts[kinds[child]] += number
                        left -= number
                    else:
                        below.append(who)
            nodes = below
        return counts

    def share_out(self, walkers, slots, words):
        if len(slots) == 1:
            yield slots[0], walkers
            return
        ones = words.ones_among(walkers)
        half = len(slots) // 2
        yield from self.share_out(walkers - ones, slots[:half], words)
        yield from self.share_out(ones, slots[half:], words)

    def places_of(self, thread):
        block, in_block = divmod(thread, self.threads)
        own, lane = in_block // 32 * self.blocks + block, in_block % 32
        for row in range(-(-len(self.counts) // (32 * self.warps))):
            place = (row * self.warps + (self.warps - 1 - own if row % 2 else own)) * 32 + lane
            if place < len(self.counts):
                yield place

    def move(self):
        moved = [[0, 0] for _ in self.counts]
        for thread, words in enumerate(self.words):
            for place in self.places_of(thread):
                both, kinds = self.counts[place], self.cached_kinds(self.state(place))
                for minus in (0, 1) if both[0] >= both[1] else (1, 0):
                    if both[minus] == 0:
                        continue
                    parts = self.part(both[minus], [q for q, _ in kinds], words)
                    for number, (_, slots) in zip(parts, kinds):
                        for slot, some in self.share_out(number, slots, words):
                            if slot is not None:
                                to = place // self.n * self.n + self.place_of[slot[0]]
                                moved[to][minus if slot[1] > 0 else 1 - minus] += some
        self.counts = moved

    @functools.cache
    def cached_kinds(self, state):
        return self.kinds(state)

    def visits(self, steps):
        """Of each state, with signs, and of all."""
        visits, number = [0] * self.n, 0
        while True:
            for place, (plus, minus) in enumerate(self.counts):
                visits[self.state(place)] += plus - minus
                number += plus + minus
            if steps == 0 or not any(map(any, self.counts)):
                return visits, number
            self.move()
            steps -= 1


MWC = 4294883355
FIRST = Launch(1234, 0)
OTHER = Launch(0xDEADBEEFCAFEF00D, 2)
FIXED = {"steps": 10, "cutoff": 0.0, "bits": 40}
CUTOFF = {"steps": 10000, "cutoff": 1e-6, "bits": 40}
LONG = {"steps": 10000, "cutoff": 1e-9, "bits": 30}

# launch, first history, histories, system, method, table, absorbing, limits
WALKS = [
    *(
        (FIRST, 0, count, "tiny4", "adjoint", table, False, FIXED)
        for count in (1000, 100000)
        for table in ("cdf", "alias")
    ),
    *((FIRST, 0, 1000, "tiny4", "adjoint", table, False, CUTOFF) for table in ("cdf", "alias")),
    *((FIRST, 0, 1000, "tiny4", "adjoint", table, True, FIXED) for table in ("cdf", "alias")),
    *((FIRST, 0, 1000, "tiny4", "forward", table, False, FIXED) for table in ("cdf", "alias")),
    *((FIRST, 0, 1000, "lap2d", "adjoint", table, False, LONG) for table in ("cdf", "alias")),
    *((FIRST, 0, 1000, "lap2d", "adjoint", table, True, LONG) for table in ("cdf", "alias")),
    (OTHER, 2**32 - 100, 200, "tiny4", "adjoint", "alias", False, CUTOFF),
    *((OTHER, 0, 100, "sp1", "adjoint", table, False, LONG) for table in ("cdf", "alias")),
    (OTHER, 0, 100, "ad3d", "adjoint", "alias", False, LONG),
    *((OTHER, 0, 100, system, "adjoint", "alias", True, LONG) for system in ("shift1d", "ad3d")),
    *((OTHER, 0, 100, "sp1", "forward", table, False, LONG) for table in ("cdf", "alias")),
]


# launch, blocks, threads, histories, transitions at most
COUNTED = [(FIRST, 1, 1024, 2000003, 20), (OTHER, 3, 96, 200000, 60), (OTHER, 1, 1024, 1000, 2**32 - 3)]


# system, launch, blocks, threads, histories, transitions at most
POPULATIONS = [
    ("tiny4", FIRST, 1, 32, 200003, 2**32 - 3),
    ("tiny4", OTHER, 2, 64, 3000, 3),
    ("lap2d", OTHER, 2, 64, 700001, 6),
]


def launch_of(launch):
    return {"seed": str(launch.seed), "launch": launch.number}


def tallies_of(tallies):
    """Their sum, the sum of (j + 1) T_j modulo 2^64, and the first, the middle and the last of them, of few all."""
    n = len(tallies)
    return {
        "sum": sum(tallies),
        "checksum": sum((j + 1) * t for j, t in enumerate(tallies)) % 2**64,
        "tallies": [[j, tallies[j]] for j in (range(n) if n < 5 else (0, n // 2 - 1, n - 1))],
    }


def start_case(system):
    walk = Walk(system)
    return {
        "system": system,
        "states": walk.sources,
        "numerators": walk.start_q,
        "weights": [w.hex() for w in walk.start_weights()],
    }


def row_case(system, i):
    row = Walk(system).row(i)
    return {
        "system": system,
        "row": i,
        "numerators": row.q,
        "next": row.next,
        "factors": [f.hex() for f in row.factor],
        "thresholds": row.threshold,
        "aliases": row.alias,
    }


def walk_case(launch, first, histories, system, method, table, absorbing, limits):
    walk = Walk(system, method, table, absorbing)
    each = max(1, histories // walk.n)
    tallies, transitions, longest = walk.run(launch, first, histories, each, **limits)
    path = [state for state, _ in walk.history(launch, first, first // each, limits["steps"], limits["cutoff"])]
    return {
        "system": system,
        "method": method,
        "table": table,
        "absorbing": absorbing,
        **launch_of(launch),
        "first": first,
        "histories": histories,
        "histories_of_entry": each,
        **limits,
        "path": path[:5],
        "transitions": transitions,
        "longest": longest,
        **tallies_of(tallies),
    }


def counted_case(launch, blocks, threads, histories, steps):
    counted, bits = Counted("lap2d", launch, blocks, threads, histories), 16
    visits = counted.visits(steps)
    amount = round(counted.walk.start_weights()[0] * 2.0**bits)
    return {
        "system": "lap2d",
        **launch_of(launch),
        "blocks": blocks,
        "threads": threads,
        "histories": histories,
        "steps": steps,
        "bits": bits,
        "transitions": sum(visits) - histories,
        **tallies_of([amount * v for v in visits]),
    }


def population_case(system, launch, blocks, threads, histories, steps):
    population, bits = Population(system, launch, blocks, threads, histories), 16
    visits, number = population.visits(steps)
    amount = round(abs(population.walk.start_weights()[0]) * 2.0**bits)
    return {
        "system": system,
        **launch_of(launch),
        "blocks": blocks,
        "threads": threads,
        "histories": histories,
        "steps": steps,
        "bits": bits,
        "transitions": number - histories,
        **tallies_of([amount * v for v in visits]),
    }


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: golden_walks.py [--check]")
    golden = {
        "starts": [start_case("tiny4")],
        "rows": [row_case("tiny4", i) for i in range(4)],
        "walks": [walk_case(*case) for case in WALKS],
        "counted": [counted_case(*case) for case in COUNTED],
        "population": [population_case(*case) for case in POPULATIONS],
    }
    parts = [f"{json.dumps(key)}: [\n" + ",\n".join(map(json.dumps, cases)) + "\n]" for key, cases in golden.items()]
    text = "{" + ",\n".join([f'"source": {json.dumps(SOURCE)}', *parts]) + "}\n"
    if not sys.argv[1:]:
        GOLDEN.write_text(text)
        print("written")
    elif GOLDEN.read_text() != text:
        old = set(GOLDEN.read_text().splitlines())
        sys.exit(
            "\n".join(
                [
                    "golden_walks.json differs; computed, but not in it:",
                    *(line for line in text.splitlines() if line not in old),
                ]
            )
        )
    else:
        print("all cases agree")


if __name__ == "__main__":
    main()
