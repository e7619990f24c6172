#!/usr/bin/env python3
"""Golden hit counts of every version, computed without CUDA, cuRAND or any code of this repository.

    python3 golden.py            write golden_counts.json next to this script
    python3 golden.py --check    recompute and compare with golden_counts.json; exit status 1 if they differ

Needs numpy. Takes about 15 seconds. Before anything else the generators must reproduce known_answers.json.

A sample is a pair (x, y) of float32 coordinates; it is a hit iff fmaf(x, x, y*y) <= 1.0f, y*y rounded to float32.
Every thread t = 0..T-1 of launch k = 0, 1, ... draws its own streams:
  v1 v2 v3 v4 v5 v12  XORWOW of cuRAND, curand_init(seed, subsequence k*T + t, offset 0), x and y by curand_uniform
  v6                  Philox4_32_10 of cuRAND, likewise
  v7                  xorshift32 (13, 17, 5);                                x, y: two successive words u, each u * 2^-32
  v8 v9               LCG 1664525, 1013904223;                               likewise
  v10                 two pairs of LCGs, x: 1664525, 1013904223, y: 1103515245, 12345, taken in turn, sample by sample
  v11                 as v8, but a coordinate is (u >> 9) * 2^-23 (the word's leading bits as a float's mantissa)
The 32-bit states of v7 to v11 are stream_seed(seed, k, t, stream), hashed from all four.
"""
import functools
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
SOURCE = "tests/data/golden.py: hits of `threads` threads x `iters` samples each, summed over the threads of launch `launch`"
LOW32 = 0xFFFFFFFF

KIND = {"v1": "xorwow", "v2": "xorwow", "v3": "xorwow", "v4": "xorwow", "v5": "xorwow", "v6": "philox",
        "v7": "xorshift", "v8": "lcg", "v9": "lcg", "v10": "lcg pairs", "v11": "lcg mantissa", "v12": "xorwow"}
NUMERICAL_RECIPES = (1664525, 1013904223)
GLIBC = (1103515245, 12345)

# Counts obtained with cuRAND itself, seed 1234, launch 0: (threads, iters) -> hits.
CURAND_COUNTS = {"xorwow": {(1, 100000): 78527, (1024, 1000): 804347, (16384, 4000): 51468933},
                 "philox": {(1, 100000): 78502, (1024, 1000): 804245, (16384, 4000): 51468711}}


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
        yield from philox4x32_10((zero + (block & LOW32), zero + (block >> 32), subsequence & LOW32, subsequence >> 32),
                                 (seed & LOW32, seed >> 32))


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


def samples(kind, seed, launch, threads):
    """Yields (x, y) for all threads at once, without end."""
    if kind == "lcg pairs":
        x0, y0, x1, y1 = (lcg(stream_seed(seed, launch, threads, s), (NUMERICAL_RECIPES, GLIBC)[s % 2]) for s in range(4))
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


@functools.lru_cache(maxsize=None)
def launch_hits(kind, seed, launch, threads, iters):
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
    by_state = {"xorshift32": xorshift32, "lcg_numerical_recipes": lambda s: lcg(s, NUMERICAL_RECIPES),
                "lcg_glibc": lambda s: lcg(s, GLIBC)}
    for name in (*by_seed, *by_state):
        for case in known[name]:
            if name in by_seed:
                draws = by_seed[name](int(case["seed"]), np.array([case["subsequence"]], np.uint64))
            else:
                draws = by_state[name](np.array([case["state"]], np.uint32))
            outputs = [int(u[0]) for u in itertools.islice(draws, 10000 if "output_10000" in case else len(case["outputs"]))]
            require(f"{name} {case}", outputs[:len(case["outputs"])], case["outputs"])
            require(f"{name} {case}", outputs[-1], case.get("output_10000", outputs[-1]))
    require("SplitMix64 of 0", int(mix64(np.array([0x9E3779B97F4A7C15], np.uint64))[0]), 0xE220A8397B1DCDAF)


def shapes(version):
    """The launches to count: seed, launch, threads, iters. v1 is always one thread."""
    yield 1234, 0, 1, 100000
    if version != "v1":
        yield 1234, 0, 1024, 1000
        yield 1234, 0, 16384, 4000
    yield 1234, 7, {"v1": 1, "v12": 256}.get(version, 96), 1001
    yield 0xDEADBEEFCAFEF00D, 2, 1 if version == "v1" else 64, 333


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
            lines.append(json.dumps({"version": version, "seed": str(seed), "launch": launch, "threads": threads,
                                     "iters": iters, "hits": hits}))
    text = '{"source": ' + json.dumps(SOURCE) + ', "cases": [\n' + ",\n".join(lines) + "\n]}\n"
    if not sys.argv[1:]:
        COUNTS.write_text(text)
    elif json.loads(COUNTS.read_text()) != json.loads(text):
        old = set(COUNTS.read_text().replace(",\n", "\n").splitlines())
        sys.exit("\n".join(["golden_counts.json differs; computed, but not in it:", *(l for l in lines if l not in old)]))
    print(f"{len(lines)} cases {'agree' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
