#!/usr/bin/env python3
"""Tests of scripts/convergence, with programs that hit as often as a formula says."""

import json
import math
import sys
import unittest
from itertools import pairwise

sys.dont_write_bytecode = True

from sandbox import FAKE_END, FAKE_START, RESULTS, MeasuringSandbox

from suite.documents import checks, convergence

# Prints the record of a pooled run; of every million samples 785398 are hits.
PROGRAM = FAKE_START + """
{extra}
launch = int(options["--blocks"]) * int(options["--threads"]) * int(options["--iters"])
all = -(-int(options["--samples"]) // launch) * launch
marks = [-(-10 ** (k / 8) // launch) * launch for k in range(8 * 16)]
samples = sorted({{int(mark) for mark in marks if mark <= all}} | {{all}})
run |= {{"title": "Fixture", "generator": "a formula"}}
expected = {{"count": 3373259720, "total": 4294967296.0}}
outcome |= {{
    "expected": expected, "bias": 4 * expected["count"] / expected["total"] - math.pi,
    "trace": [[count, count * 785398 // 10**6] for count in samples],
}}
{last}""" + FAKE_END


class ConvergenceTest(MeasuringSandbox):
    COMMAND, PROGRAM = "convergence", PROGRAM
    VERSIONS = ["v8", "v11", "v6", "v6_mantissa", "v11_centred"]

    def add(self, version, extra="", last="", context=()):
        self.add_program(version, extra=extra, last=last, context=dict(context))

    def add_all(self):
        for version in self.VERSIONS:
            self.add(version)

    def curves(self):
        return {curve["version"]: curve for curve in convergence.DOCUMENT.load(self.stored)["curves"]}

    def commands(self, version):
        """The options of each run of a program."""
        lines = [line.split() for line in self.log.read_text().splitlines()]
        return [dict(zip(line[1::2], line[2::2])) for line in lines if line[0] == version]


class ConvergenceFollowsTest(ConvergenceTest):
    def test_every_version_has_a_curve(self):
        self.add_all()
        process = self.measure()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(self.VERSIONS, list(self.curves()))
        lines = process.stdout.splitlines()
        self.assertEqual(self.VERSIONS, [line.split()[0] for line in lines[:-1]])
        self.assertEqual(f"wrote {self.stored}", lines[-1])
        record = json.loads((RESULTS / "gpu.json").read_text())
        self.assertEqual(record["context"], json.loads(self.stored.read_text())["context"])

    def test_points_from_a_million_to_a_hundred_million_million(self):
        self.add("v8")
        self.measure()
        points = self.curves()["v8"]["points"]
        samples = [count for count, _ in points]
        self.assertLess(abs(samples[0] / 1e6 - 1), 0.1)
        self.assertLess(abs(samples[-1] / 1e14 - 1), 0.001)
        for first, second in pairwise(samples):
            self.assertTrue(1.1 < second / first < 2, (first, second))
        for count, hits in points:
            self.assertEqual(count * 785398 // 10**6, hits)

    def test_three_runs_of_launches_that_fit_each_with_its_seed(self):
        self.add("v8")
        self.measure()
        commands = self.commands("v8")
        self.assertEqual(["100000000", "100000000000", "100000000000000"], [c["--samples"] for c in commands])
        self.assertEqual(["1234", "1235", "1236"], [c["--seed"] for c in commands])
        for command, first in zip(commands, (10**6, 10**8, 10**11)):
            launch = math.prod(int(command[name]) for name in ("--blocks", "--threads", "--iters"))
            self.assertLess(launch, first)
            self.assertGreater(int(command["--samples"]) / launch, 500)

    def test_bias_is_that_of_the_expectation(self):
        self.add("v8")
        self.measure("--max", "1e6")
        # 4 · 3373259720 / 2^32 = 3.14159292727708817…, π = 3.14159265358979324…
        self.assertAlmostEqual(2.7368729493e-7, self.curves()["v8"]["bias"], delta=1e-15)
        self.assertEqual(("Fixture", "a formula"), tuple(self.curves()["v8"][name] for name in ("title", "generator")))

    def test_a_smaller_maximum(self):
        self.add_all()
        self.assertEqual(0, self.measure("--max", "1e9").returncode)
        self.assertEqual(["100000000", "1000000000"], [command["--samples"] for command in self.commands("v8")])
        self.assertLess(abs(self.curves()["v8"]["points"][-1][0] / 1e9 - 1), 0.05)


class ConvergenceStopsTest(ConvergenceTest):
    def test_a_program_that_fails_has_no_curve(self):
        self.add_all()
        self.add("v11", extra='if options["--seed"] == "1235": sys.exit("first\\nout of luck")')
        process = self.measure()
        self.assertEqual(1, process.returncode)
        first, last = process.stderr.splitlines()
        for part in ("pi_v11 --samples 100000000000", "exit 1", "out of luck"):
            self.assertIn(part, first)
        self.assertEqual(f"convergence: {self.stored} has no new rows of v11", last)
        self.assertIn("out of luck", self.curves().pop("v11")["error"])
        self.assertTrue(all("points" in curve for version, curve in self.curves().items() if version != "v11"))

    def test_a_program_that_there_is_not(self):
        self.add("v8")
        process = self.measure("--max", "1e7")
        self.assertEqual(1, process.returncode)
        self.assertIn("pi_v11: No such file", process.stderr)
        self.assertIn("no new rows of v11, v6, v6_mantissa, v11_centred", process.stderr.splitlines()[-1])
        self.assertEqual(["v8"], [curve["version"] for curve in checks.succeeded(self.curves().values())])

    def test_an_older_program_without_a_trace(self):
        for last in ('outcome["trace"] = []', 'outcome["trace"] = None'):
            self.add("v8", last=last)
            process = self.measure()
            self.assertEqual(1, process.returncode)
            self.assertIn("pi_v8 prints no trace", process.stderr)

    def test_a_program_of_another_build(self):
        self.add_all()
        self.add("v6", context={"commit": "f" * 40})
        process = self.measure("--max", "1e7")
        self.assertEqual(1, process.returncode)
        self.assertIn("mixed contexts: commit", process.stderr)
        self.assertIn("mixed contexts", self.curves()["v6"]["error"])

    def test_usage(self):
        self.add("v8")
        for value in ("1e5", "much", "1.5", "nan", "inf"):
            self.assert_ends(self.measure("--max", value), 2, "--max")


if __name__ == "__main__":
    unittest.main()
