#!/usr/bin/env python3
"""The programs among the peers that solve a linear system, beside the same methods in Python. Those on the GPU skip without one."""

import functools
import json
import math
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import BIN, Sandbox

import gpus

from suite.documents import schema

SIDE = 30
# As in the specification of the ladder: rows of A and b.
TINY4 = [{0: 4, 1: -1, 3: 0.5}, {0: -1, 1: 5, 2: -2}, {1: 1, 2: 4, 3: -1}, {0: -1, 2: -0.5, 3: 3}], [1, 0, -2, 3]


def lap2d():
    """Poisson's equation on 30 x 30 points."""
    rows = []
    for i in range(SIDE * SIDE):
        y, x = divmod(i, SIDE)
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        rows.append({i: 4} | {v * SIDE + u: -1 for u, v in near if 0 <= u < SIDE and 0 <= v < SIDE})
    return rows, [1] * (SIDE * SIDE)


# The methods: each yields x after 1, 2, … iterations.


def dot(a, b):
    return math.fsum(map(lambda x, y: x * y, a, b))


def plus(a, factor, b):
    return [x + factor * y for x, y in zip(a, b)]


def product(rows, x):
    return [sum(value * x[column] for column, value in row.items()) for row in rows]


def scaled(rows, x):
    return [value / row[i] for i, (row, value) in enumerate(zip(rows, x))]


def cg(rows, b):
    x, r, p = [0] * len(b), b, scaled(rows, b)
    rz = dot(r, p)
    while True:
        q = product(rows, p)
        alpha = rz / dot(p, q)
        x, r = plus(x, alpha, p), plus(r, -alpha, q)
        z = scaled(rows, r)
        before, rz = rz, dot(r, z)
        p = plus(z, rz / before, p)
        yield x


def bicgstab(rows, b):
    x, r, p = [0] * len(b), b, b
    while True:
        step = scaled(rows, p)
        v = product(rows, step)
        rho = dot(b, r)
        alpha = rho / dot(b, v)
        s = plus(r, -alpha, v)
        last = scaled(rows, s)
        t = product(rows, last)
        omega = dot(t, s) / dot(t, t)
        x = plus(plus(x, alpha, step), omega, last)
        r = plus(s, -omega, t)
        p = plus(r, dot(b, r) / rho * alpha / omega, plus(p, -omega, v))
        yield x


def jacobi(rows, b):
    x = [0] * len(b)
    while True:
        x = plus(x, 1, scaled(rows, plus(b, -1, product(rows, x))))
        yield x


@functools.cache
def exact(system):
    rows, b = SYSTEMS[system]
    methods, count = (cg, 120) if system == "lap2d" else (jacobi, 400)
    return nth(methods(rows, b), count)


def nth(iterates, count):
    for _ in range(count):
        x = next(iterates)
    return x


def norm(a):
    return math.sqrt(dot(a, a))


SYSTEMS = {"lap2d": lap2d(), "tiny4": TINY4}
NEEDS = {
    "peer_mcls_eigen": "Eigen (libeigen3-dev)",
    "peer_mcls_cusparse": "libcusparse",
    "peer_mcls_block": "the build",
}
METHODS = {"cg": cg, "bicgstab": bicgstab, "jacobi": jacobi}


class SolversTest(Sandbox):
    def solve(self, name, *arguments):
        """What a program prints."""
        if not (BIN / name).exists():
            self.skipTest(f"{name} is not built: it needs {NEEDS[name]}")
        if name != EigenTest.NAME:
            gpus.need_one()
        process = self.succeeded(self.execute(BIN / name, *arguments))
        solver = json.loads(process.stdout)
        schema.check(solver, "solver", "the output")
        self.assertTrue(solver["reached"])
        self.assertEqual(1e-8, solver["tolerance"])
        return solver

    def assert_is_method(self, solver):
        """Residuals and errors are those of the method in Python, after as many iterations."""
        rows, b = SYSTEMS[solver["system"]]
        for point in solver["points"]:
            if point["error"] < 1e-4:  # rounding grows
                continue
            x = nth(METHODS[solver["method"]](rows, b), point["iterations"])
            error = norm(plus(x, -1, exact(solver["system"]))) / norm(exact(solver["system"]))
            residual = norm(plus(b, -1, product(rows, x))) / norm(b)
            self.assertAlmostEqual(1, point["error"] / error, places=6)
            self.assertAlmostEqual(1, point["residual"] / residual, places=6)

    def assert_refused(self, name, *cases):
        if not (BIN / name).exists():
            self.skipTest(f"{name} is not built: it needs {NEEDS[name]}")
        for arguments, part in cases:
            self.assert_ends(self.execute(BIN / name, *arguments, env={"CUDA_VISIBLE_DEVICES": ""}), 2, name, part)


class EigenTest(SolversTest):
    NAME = "peer_mcls_eigen"

    def test_iterations(self):
        for method, system in (("cg", "lap2d"), ("bicgstab", "tiny4")):
            solver = self.solve(self.NAME, method, system)
            self.assertEqual((f"eigen_{method}_{system}", "cpu"), (solver["peer"], solver["processor"]))
            self.assertRegex(solver["package"], r"^Eigen 3\.")
            self.assert_is_method(solver)
        self.assertEqual([1, 2, 3, 4], [point["iterations"] for point in solver["points"]][:4])

    def test_conjugate_gradients_need_as_many_iterations_as_scipy(self):
        self.assertEqual(55, self.solve(self.NAME, "cg", "lap2d")["points"][-1]["iterations"])

    def test_factorisations_are_exact(self):
        for method, system in (("ldlt", "lap2d"), ("lu", "tiny4")):
            (point,) = self.solve(self.NAME, method, system)["points"]
            self.assertLess(point["residual"], 1e-13)
            self.assertLess(point["error"], 1e-13)

    def test_usage(self):
        self.assert_refused(
            self.NAME, ((), "a method: cg"), (("jacobi", "lap2d"), "a method: cg"), (("cg", "lap3d"), '"lap3d"')
        )


class GpuTest(SolversTest):
    def test_with_cusparse(self):
        for method, system in (("cg", "lap2d"), ("bicgstab", "tiny4"), ("jacobi", "tiny4"), ("jacobi", "lap2d")):
            with self.subTest(f"{method} {system}"):
                solver = self.solve("peer_mcls_cusparse", method, system)
                self.assertEqual((f"cusparse_{method}_{system}", "gpu"), (solver["peer"], solver["processor"]))
                self.assert_is_method(solver)

    def test_large_systems(self):
        for method, system in (("cg", "shift1d"), ("bicgstab", "ad3d"), ("bicgstab", "sp1")):
            with self.subTest(f"{method} {system}"):
                self.assertLess(self.solve("peer_mcls_cusparse", method, system)["points"][-1]["error"], 1e-7)

    def test_in_one_block(self):
        solver = self.solve("peer_mcls_block", "lap2d")
        self.assert_is_method(solver)
        self.assertEqual(55, solver["points"][-1]["iterations"])

    def test_usage(self):
        self.assert_refused("peer_mcls_block", (("lap3d",), '"lap3d"'))
        self.assert_refused("peer_mcls_cusparse", (("cg", "lap3d"), '"lap3d"'))


if __name__ == "__main__":
    unittest.main()
