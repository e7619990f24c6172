#!/usr/bin/env python3
"""Golden values of the ladder mcls, computed without CUDA or any code of this repository.

    python3 golden_mcls.py            write golden_mcls.json next to this script
    python3 golden_mcls.py --check    recompute and compare with golden_mcls.json; exit status 1 if they differ

Needs numpy. Takes about a minute. The figures must agree with those in EXPECTED, which come from sparse LU and ARPACK.

Systems A x = b, and their fixed-point form x = H x + b' with H = I - A / d, b' = b / d, d the diagonal of A:
  lap2d    30 x 30 points, 4 on the diagonal, -1 for each neighbour; b = 1
  shift1d  1,000,000 points in a row, 2.5 on the diagonal, 3.5 at both ends, -1 for each neighbour;
           b_i = 0.25 + 0.75 ((2654435761 i) mod 2^32) / 2^32
  sp1      17 x 32 cells of 47 groups g, row 47 (17 y + x) + g. Diagonal d_g = 1, the last 0.42969; f_g = 0.66021 +
           (0.96 - 0.66021) g / 45, the last 0.98741; -f_g d_g / 4 for the same group of each neighbour. Group g scatters 1 - f_g
           to the groups below: -(1 - f_g) / (k (k + 1)) in row g + k and column g for k < 46 - g, -(1 - f_g) / k in the last.
           b = 10 - g for g < 10, otherwise 0
  ad3d     64^3 points, x fastest; 7.2 on the diagonal, -2.5 for the neighbour before in x and 0.5 for the one after, -1 for those
           in y and z; b = 1 for x < 32, otherwise -1
  tiny4    4 x 4, below

A checksum of a vector v is the sum of (j + 1) v_j modulo 2^64, j from 0. A double stands for its 64 bits, the lower half xored with
the upper one. Entries are taken row by row, each row in the order of its columns; the place of an entry is row n + column.

The walks run on B, H transposed (adjoint) or H itself (forward), with second moments that grow as the powers of H^, which has entries
|B_ij| r_i, where r_i is the sum of |B_ij| along the row. rho is the spectral radius. All but those of tiny4 and H of ad3d become
symmetric, with entries sqrt(M_ij M_ji), if a diagonal matrix scales them and entries between groups are left out, which are on one
side of the diagonal; neither changes the radius, and Lanczos finds it. That of shift1d is the largest row sum to 11 digits: it is
at most this sum, and at least that of the rows but the ends, the sum times cos(pi / (n - 1)).
"""

import json
import math
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("golden_mcls.py needs numpy: python3 -m pip install numpy")

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden_mcls.json"
SOURCE = "tests/data/golden_mcls.py: systems, their solutions and spectral radii"

# Figures with their digits: n, entries of A and H, radii of H and of H^ (adjoint, forward), entries of x, and its norm.
EXPECTED = {
    "lap2d": {
        "n": 900,
        "entries_a": 4380,
        "entries_h": 3480,
        "rho_h": "0.9948693234",
        "rho_adjoint": "0.9944703345",
        "rho_forward": "0.9944703345",
        "x": {0: "2.003891929728754", 449: "9.96249318950024"},
        "norm": "1228.15744163074",
    },
    "shift1d": {
        "n": 1000000,
        "entries_a": 2999998,
        "entries_h": 1999998,
        "rho_h": "0.80000000000",
        "rho_adjoint": "0.64000000000",
        "rho_forward": "0.64000000000",
        "x": {0: "0.2982327993370835", 500000: "1.4900786094367504", 999999: "0.3969201409503333"},
        "norm": "1254.1071901979208",
    },
    "sp1": {
        "n": 25568,
        "entries_a": 711298,
        "entries_h": 685730,
        "rho_h": "0.977674",
        "rho_adjoint": "0.999835",
        "rho_forward": "1.996188",
        "x": {0: "16.780961402354016", 12784: "21.675397966733925", 25567: "139.51313718817806"},
        "norm": "65472.78398",
    },
    "ad3d": {
        "n": 262144,
        "entries_a": 1810432,
        "entries_h": 1548288,
        "rho_h": "0.63572",
        "rho_adjoint": "0.8411",
        "rho_forward": "0.8411",
        "x": {0: "0.17662553245676", 131072: "0.20684250544346636"},
        "norm": "384.569732067",
    },
    "tiny4": {
        "n": 4,
        "entries_a": 12,
        "entries_h": 8,
        "rho_h": "0.2936617843",
        "rho_adjoint": "0.2484414619",
        "rho_forward": "0.2496010125",
        "x": {0: "0.10746269", 1: "-0.07164179", 2: "-0.23283582", 3: "0.99701493"},
        "norm": "1.0319554526",
    },
}


class Matrix:
    """Entries of an n x n matrix, row by row, each row in the order of its columns."""

    def __init__(self, n, rows, columns, values):
        order = np.lexsort((columns, rows))
        self.n, self.rows, self.columns, self.values = n, rows[order], columns[order], values[order]

    def places(self):
        return self.rows * self.n + self.columns

    def times(self, vector):
        return np.bincount(self.rows, self.values * vector[self.columns], self.n)

    def transposed(self):
        return Matrix(self.n, self.columns, self.rows, self.values)

    def with_values(self, values):
        return Matrix(self.n, self.rows, self.columns, values)


def grid(n, diagonal, axes):
    """Parts (rows, columns, values) of a matrix: its diagonal, and for each axis (stride, points, before, after) the neighbours;
    values are numbers or one for each row."""
    i = np.arange(n)
    full = lambda value: np.broadcast_to(np.asarray(value, float), n)
    parts = [(i, i, full(diagonal))]
    for stride, points, before, after in axes:
        place = i // stride % points
        for there, step, value in ((place > 0, -stride, before), (place < points - 1, stride, after)):
            parts.append((i[there], i[there] + step, full(value)[there]))
    return parts


def matrix(n, parts):
    return Matrix(n, *(np.concatenate(of_all) for of_all in zip(*parts)))


def lap2d():
    return matrix(900, grid(900, 4, [(1, 30, -1, -1), (30, 30, -1, -1)])), np.ones(900)


def shift1d():
    n = 1000000
    i = np.arange(n)
    ends = (i == 0) | (i == n - 1)
    b = 0.25 + 0.75 * (2654435761 * i % 2**32) / 2.0**32
    return matrix(n, grid(n, np.where(ends, 3.5, 2.5), [(1, n, -1, -1)])), b


def sp1():
    n = 47 * 17 * 32
    g = np.arange(n) % 47
    d = np.where(g < 46, 1, 0.42969)
    f = np.where(g < 46, 0.66021 + (0.96 - 0.66021) * g / 45, 0.98741)
    near = -(f * d / 4)
    parts = grid(n, d, [(47, 17, near, near), (47 * 17, 32, near, near)])
    for k in range(1, 47):
        for columns, share in ((np.flatnonzero(k < 46 - g), k * (k + 1)), (np.flatnonzero(k == 46 - g), k)):
            parts.append((columns + k, columns, -(1 - f[columns]) / share))
    return matrix(n, parts), np.where(g < 10, 10.0 - g, 0)


def ad3d():
    n = 64**3
    b = np.where(np.arange(n) % 64 < 32, 1.0, -1.0)
    return matrix(n, grid(n, 7.2, [(1, 64, -2.5, 0.5), (64, 64, -1, -1), (64 * 64, 64, -1, -1)])), b


def tiny4():
    dense = np.array([[4, -1, 0, 0.5], [-1, 5, -2, 0], [0, 1, 4, -1], [-1, 0, -0.5, 3]])
    return Matrix(4, *np.nonzero(dense), dense[np.nonzero(dense)]), np.array([1.0, 0, -2, 3])


def jacobi(a, b):
    """H and b' of x = H x + b'."""
    off = a.rows != a.columns
    d = a.values[~off]
    rows = a.rows[off]
    return Matrix(a.n, rows, a.columns[off], -(a.values[off] / d[rows])), b / d


def solution(h, b):
    """x = H x + b, to rounding."""
    x, change = b, math.inf
    while change > 1e-15 * np.abs(x).max():
        x, before = h.times(x) + b, x
        change = np.abs(x - before).max()
    return x


def second_moments(b):
    """H^ of the walks on B."""
    sizes = np.abs(b.values)
    return b.with_values(sizes * np.bincount(b.rows, sizes, b.n)[b.rows])


def symmetrised(m):
    """sqrt(M_ij M_ji) of a matrix without negative entries."""
    places, mirrored = m.places(), m.columns * m.n + m.rows
    found = np.minimum(np.searchsorted(places, mirrored), len(places) - 1)
    opposite = np.where(places[found] == mirrored, m.values[found], 0)
    return m.with_values(np.sqrt(m.values * opposite))


def largest_ritz_value(m, steps=200):
    """Of the Krylov space of a symmetric matrix that starts at the vector of ones (Lanczos)."""
    v, before, coupling = np.full(m.n, 1 / math.sqrt(m.n)), 0, 0
    diagonal, beside = [], []
    for _ in range(steps):
        w = m.times(v) - coupling * before
        diagonal.append(w @ v)
        w -= diagonal[-1] * v
        before, coupling = v, np.linalg.norm(w)
        beside.append(coupling)
        if coupling < 1e-12:  # the space is complete
            break
        v = w / coupling
    return np.linalg.eigvalsh(np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1))[-1]


def radius(m):
    if m.n == 4:
        dense = np.zeros((4, 4))
        dense[m.rows, m.columns] = m.values
        return np.abs(np.linalg.eigvals(dense)).max()
    if m.n == 1000000:
        return np.bincount(m.rows, m.values, m.n).max()
    return largest_ritz_value(symmetrised(m))


def radius_of_h(name, h):
    # The entries for neighbours in x of ad3d differ in sign, so their eigenvalues are imaginary; those in y and z are real.
    return math.hypot(2 * math.sqrt(2.5 * 0.5), 4) * math.cos(math.pi / 65) / 7.2 if name == "ad3d" else radius(h)


def checksum(vector):
    words = np.ascontiguousarray(vector).view(np.uint64)
    if vector.dtype == float:
        words = words ^ words >> np.uint64(32)
    return int((words * np.arange(1, len(words) + 1, dtype=np.uint64)).sum())


def facts_of(name, system):
    a, b = system()
    h, b_of_h = jacobi(a, b)
    x = solution(h, b_of_h)
    return {
        "name": name,
        "n": a.n,
        "entries_a": len(a.values),
        "entries_h": len(h.values),
        "places_a": checksum(a.places()),
        "values_a": checksum(a.values),
        "b_a": checksum(b),
        "places_h": checksum(h.places()),
        "values_h": checksum(h.values),
        "b_h": checksum(b_of_h),
        "rho_h": float(radius_of_h(name, h)),
        "rho_adjoint": float(radius(second_moments(h.transposed()))),
        "rho_forward": float(radius(second_moments(h))),
        "x": [[i, float(x[i])] for i in EXPECTED[name]["x"]],
        "norm": float(np.linalg.norm(x)),
    }


def require(what, found, expected):
    """`expected` is a whole number, or the digits of another; the last ones may differ by 3e-12 of the number."""
    exact = isinstance(expected, int)
    last_digit = 0 if exact else 10.0 ** -len(expected.partition(".")[2])
    if abs(found - float(expected)) > (0 if exact else max(last_digit, 3e-12 * abs(float(expected)))):
        sys.exit(f"{what}: {found!r} instead of {expected}")


def check_expected(facts):
    for key, expected in EXPECTED[facts["name"]].items():
        if key == "x":
            for i, value in facts["x"]:
                require(f"{facts['name']} x_{i}", value, expected[i])
        else:
            require(f"{facts['name']} {key}", facts[key], expected)


def system_cases():
    cases = [facts_of(system.__name__, system) for system in (lap2d, shift1d, sp1, ad3d, tiny4)]
    for facts in cases:
        check_expected(facts)
    return cases


def agree(found, stored):
    """Sums of doubles depend on the machine in their last digits."""
    if isinstance(found, float) and isinstance(stored, float):
        return math.isclose(found, stored, rel_tol=1e-11)
    if isinstance(found, dict) and isinstance(stored, dict):
        return found.keys() == stored.keys() and all(agree(found[key], stored[key]) for key in found)
    if isinstance(found, list) and isinstance(stored, list):
        return len(found) == len(stored) and all(map(agree, found, stored))
    return found == stored


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: golden_mcls.py [--check]")
    golden = {"source": SOURCE, "systems": system_cases()}
    if sys.argv[1:]:
        stored = json.loads(GOLDEN.read_text())
        differing = [key for key in golden if not agree(golden[key], stored.get(key))]
        if differing or golden.keys() != stored.keys():
            sys.exit(f"golden_mcls.json differs: {', '.join(differing) or 'its keys'}")
        print("all cases agree")
        return
    parts = [
        f"{json.dumps(key)}: "
        + (json.dumps(cases) if key == "source" else "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
        for key, cases in golden.items()
    ]
    GOLDEN.write_text("{" + ",\n".join(parts) + "}\n")
    print(f"{len(golden['systems'])} systems written")


if __name__ == "__main__":
    main()
