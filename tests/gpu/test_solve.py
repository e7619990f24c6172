#!/usr/bin/env python3
"""The program mcls_solve on a GPU: it solves systems to a tolerance, the same way each time, and says so when it cannot.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Without a GPU everything
skips.
"""

import math
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from test_devices import BIN, MINUTE, DeviceSandbox, environment, setUpModule, strict_json  # noqa: F401

SOLVE = BIN / "mcls_solve"
X = [0.10746269, -0.07164179, -0.23283582, 0.99701493]  # of tiny4


class Solve(DeviceSandbox):
    def run_solve(self, *options):
        return self.execute(SOLVE, *options, env=environment(), seconds=2 * MINUTE)

    def document(self, *options):
        process = self.run_solve(*options, "--json", "-")
        self.assert_succeeds(process)
        return strict_json(process.stdout)

    def test_every_system(self):
        for system in ("tiny4", "lap2d", "shift1d", "sp1", "ad3d"):
            with self.subTest(system):
                found = self.document("--system", system)
                self.assertEqual(
                    (found["peer"], found["system"], found["tolerance"]), (f"mcls_solve_{system}", system, 1e-8)
                )
                points = found["points"]
                self.assertEqual([point["iterations"] for point in points], list(range(1, len(points) + 1)))
                self.assertEqual([point["ms"] for point in points], sorted(point["ms"] for point in points))
                self.assertLessEqual(points[-1]["residual"], 1e-8)
                self.assertTrue(all(point["residual"] > 1e-8 for point in points[:-1]))
                self.assertLess(points[-1]["error"], 1e-5)

    def test_the_same_way_each_time(self):
        ways = [
            [(point["residual"], point["error"]) for point in self.document("--seed", seed)["points"]]
            for seed in (1, 1, 2)
        ]
        self.assertEqual(ways[0], ways[1])
        self.assertNotEqual(ways[0], ways[2])

    def test_what_people_read_and_the_solution(self):
        process = self.run_solve("--system", "tiny4", "--tolerance", "1e-6", "--solution", "x")
        self.assert_succeeds(process)
        self.assertIn("tiny4: 4 unknowns, 8 entries off the diagonal", process.stdout)
        self.assertIn("the CPU finds the same residual", process.stdout)
        for x, exact in zip(map(float, (self.root / "x").read_text().split()), X, strict=True):
            self.assertTrue(math.isclose(x, exact, abs_tol=3e-6))

    def test_too_few_histories(self):
        process = self.run_solve("--histories", "1000", "--json", "x")
        self.assertEqual(process.returncode, 1)
        self.assertRegex(
            process.stderr,
            r"\Amcls_solve: the residual grew in 3 steps in a row, to \S+: use more --histories, about \S+\n\Z",
        )
        self.assertFalse((self.root / "x").exists())

    def test_more_histories_than_can_be_counted(self):
        process = self.run_solve("--histories", "3T")
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertRegex(
            process.stderr,
            r"\Amcls_solve: --histories: 3,000,000,000,000 are more than \S+, which is what a step can count on this GPU\n\Z",
        )

    def test_too_few_steps(self):
        process = self.run_solve("--max-steps", "2")
        self.assertEqual(process.returncode, 1)
        self.assertRegex(
            process.stderr, r"\Amcls_solve: the residual is \S+ after 2 steps: use more --max-steps or --histories\n\Z"
        )


if __name__ == "__main__":
    unittest.main()
