#!/usr/bin/env python3
"""Golden counts of walks on a graph, computed without CUDA or any code of this repository outside this folder.

    python3 golden_graph.py            write golden_graph.json next to this script
    python3 golden_graph.py --check    recompute and compare with golden_graph.json; exit status 1 if they differ

Needs numpy. Takes about ten seconds.

Graph: 2^16 vertices. Half-edge i of a vertex, i < 8, leads to where permutation i takes it, half-edge i + 8 to what permutation i takes
to it. Permutation i: six rounds of a Feistel network of two bytes, left and right; in round r they become right, and left XOR the low
byte of the upper 32 bits of mix64(key + 2^32 r + right), with the key mix64(mix64(seed) + i).

Words: in a step s = 0, 1, ... thread t has a generator MWC64X, (c, x) := 4294883355 x + c, which gives x XOR c before it moves on. It
begins with x = stream_seed(seed, launch, t, 2 s) and c = stream_seed(seed, launch, t, 2 s + 1) modulo 4294883354.

A step: 32 threads are a warp. Warp w of W has the vertices 8 j to 8 j + 7 for j = w, w + W, w + 2 W, ..., two at a time. Of these its
threads 0 to 15 move the walks of the first, 16 to 31 those of the second. While one of both has walks that did not move, each
thread draws a word, for 128 walks of both. Walk 32 g + i of them takes the half-edge whose number has as its bits 0 to 3 the bits i of
the words of the threads 4 g to 4 g + 3 of its 16.

As many walks begin at each vertex. Visits are the walks in each quarter of the vertices after each step; the checksum is the sum over
the vertices v of (v + 1) times their walks after the last step.
"""

import json
import pathlib
import sys

import golden  # says if numpy is missing
import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden_graph.json"
VERTICES, DEGREE, LANES, SERVED = 1 << 16, 16, 32, 128
# seed, launch, threads, walks that begin at each vertex, steps; the last have more walks at a vertex than a word of each thread serves
CASES = (
    (1234, 0, 192, 1, 4),
    (0xDEADBEEFCAFEF00D, 7, 320, 3, 3),
    (1234, 1, 8192, 64, 3),
    (99, (1 << 33) + 5, 20480, 128, 2),
)


def permutation(seed, number):
    """The images of all vertices."""
    key = golden.mix64(golden.mix64(np.array([seed], np.uint64)) + np.uint64(number))
    vertices = np.arange(VERTICES, dtype=np.uint64)
    left, right = vertices >> 8, vertices & 0xFF
    for turn in range(6):
        left, right = right, left ^ (golden.mix64(key + np.uint64(turn << 32) + right) >> 32 & 0xFF)
    return (left << 8 | right).astype(np.int64)


def ends(seed):
    """The vertex at the other end of each half-edge, by vertex."""
    forward = [permutation(seed, i) for i in range(DEGREE // 2)]
    return np.stack(forward + [np.argsort(images) for images in forward], axis=1)


class Words:
    """The words of all threads in a step."""

    def __init__(self, seed, launch, threads, step):
        self.x = golden.stream_seed(seed, launch, threads, 2 * step).astype(np.uint64)
        self.c = golden.stream_seed(seed, launch, threads, 2 * step + 1).astype(np.uint64) % 4294883354

    def next(self, threads):
        """Those of some threads."""
        x, c = self.x[threads], self.c[threads]
        moved = x * 4294883355 + c
        self.x[threads], self.c[threads] = moved & golden.LOW32, moved >> 32
        return x ^ c


def step(words, warps, graph, before):
    """The walks at each vertex after a step."""
    after = np.zeros_like(before)
    for first in range(0, VERTICES // 8, warps):
        some = np.arange(first, min(first + warps, VERTICES // 8))
        for pair in range(4):
            vertices = (8 * some + 2 * pair)[:, None] + np.arange(2)
            walks = before[vertices]
            for served in range(0, int(walks.max()), SERVED):
                active = walks.max(axis=1) > served
                threads = (some[active] - first)[:, None] * LANES + np.arange(LANES)
                bits = words.next(threads).reshape(-1, 2, 4, 4, 1) >> np.arange(32, dtype=np.uint64) & 1
                edges = sum(bits[:, :, :, bit] << bit for bit in range(4)).reshape(-1, 2, SERVED)
                moves = np.arange(served, served + SERVED) < walks[active][:, :, None]
                reached = np.take_along_axis(graph[vertices[active]], edges.astype(np.int64), axis=2)
                after += np.bincount(reached[moves], minlength=VERTICES)
    return after


def case(seed, launch, threads, walks, steps):
    graph, counts, visits = ends(seed), np.full(VERTICES, walks), []
    for number in range(steps):
        counts = step(Words(seed, launch, threads, number), threads // LANES, graph, counts)
        visits.append(counts.reshape(4, -1).sum(axis=1).tolist())
    return {
        "seed": str(seed),
        "launch": launch,
        "threads": threads,
        "walks": walks * VERTICES,
        "visits": visits,
        "checksum": int((counts * np.arange(1, VERTICES + 1)).sum()),
    }


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: golden_graph.py [--check]")
    golden.check_known_answers()
    source = "tests/data/golden_graph.py: walks in the quarters of a graph after each step"
    text = f'{{"source": "{source}", "cases": [\n' + ",\n".join(json.dumps(case(*c)) for c in CASES) + "\n]}\n"
    if not sys.argv[1:]:
        GOLDEN.write_text(text)
    elif GOLDEN.read_text() != text:
        sys.exit("golden_graph.json differs; computed:\n" + text)
    print(f"{len(CASES)} cases {'agree' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
