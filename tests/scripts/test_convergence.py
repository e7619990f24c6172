#!/usr/bin/env python3
"""Tests of scripts/convergence, with programs that hit as often as a formula says."""

import json
import math
import sys
import unittest
from itertools import pairwise

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, record
from sandbox import needs_jsonschema, pi

from suite.documents import kinds
from suite.studies import convergence


class ConvergenceTest(StudySandbox):
    MODULE = convergence
    VERSIONS = ["v8", "v11", "v6", "v6_mantissa", "v11_centred"]

    def add(self, version, change=None, context=(), **outcome):
        """A program; of every million samples 785398 are hits."""

        def answer(options):
            if change:
                change(options)
            launch = math.prod(int(options[name]) for name in ("--blocks", "--threads", "--iters"))
            total = -(-int(options["--samples"]) // launch) * launch
            marks = [-(-(10 ** (k / 8)) // launch) * launch for k in range(8 * 16)]
            samples = sorted({int(mark) for mark in marks if mark <= total} | {total})
            trace = [[count, count * 785398 // 10**6] for count in samples]
            return record(version, context=context, outcome={"trace": trace, **outcome})

        self.add_function(f"pi_{version}", answer)

    def add_all(self):
        for version in self.VERSIONS:
            self.add(version)

    def test_every_version_has_a_curve(self):
        self.add_all()
        process = self.succeeded(self.measure())
        self.assertEqual(
            dict.fromkeys(self.VERSIONS, 3),
            {version: len(runs) for version, runs in self.runs(kinds.CONVERGENCE, pi).items()},
        )
        self.assertIn("from π after 1e+14 samples", process.stdout)
        self.assertEqual(f"wrote {self.stored}", process.stdout.splitlines()[-1])
        # Points from a million to a hundred million million:
        points = [point for run in self.runs(kinds.CONVERGENCE, pi)["v8"] for point in run["outcome"]["trace"]]
        samples = [count for count, _ in points]
        self.assertLess(abs(samples[0] / 1e6 - 1), 0.1)
        self.assertLess(abs(samples[-1] / 1e14 - 1), 0.001)
        for first, second in pairwise(samples):
            self.assertTrue(1.1 < second / first < 2, (first, second))
        for count, hits in points:
            self.assertEqual(count * 785398 // 10**6, hits)
        # Three runs of launches that fit, each with its seed:
        commands = self.commands("pi_v8")
        self.assertEqual(["100000000", "100000000000", "100000000000000"], [c["--samples"] for c in commands])
        self.assertEqual(["1234", "1235", "1236"], [c["--seed"] for c in commands])
        for command, first in zip(commands, (10**6, 10**8, 10**11)):
            launch = math.prod(int(command[name]) for name in ("--blocks", "--threads", "--iters"))
            self.assertLess(launch, first)
            self.assertGreater(int(command["--samples"]) / launch, 500)

    def test_a_smaller_maximum(self):
        self.add_all()
        self.succeeded(self.measure("--max", "1e9"))
        self.assertEqual(["100000000", "1000000000"], [command["--samples"] for command in self.commands("pi_v8")])

    @needs_jsonschema
    def test_a_program_that_fails_is_told_and_the_others_are_stored(self):
        self.add_all()
        self.add("v11", change=lambda options: fail(options["--seed"] == "1235"))
        self.add("v6", trace=None)  # an older program
        process = self.failed(self.measure())
        first, second, last = process.stderr.splitlines()
        self.assertIn("pi_v11 --samples 100000000000", first)
        self.assertIn("out of luck", first)
        self.assertIn("pi_v6 prints no trace", second)
        self.assertEqual(f"convergence: {self.stored} has no new rows of v11, v6", last)
        self.assertEqual({"v8": 3, "v11": 2, "v6": 1, "v6_mantissa": 3, "v11_centred": 3},
                         {version: len(runs) for version, runs in self.runs(kinds.CONVERGENCE, pi).items()})  # fmt: skip

    def test_rows_of_another_build_stay_until_all_are_measured_anew(self):
        self.add_all()
        self.succeeded(self.measure("--max", "1e7"))
        aside = self.bin / "results" / self.stored.parent.name / self.stored.name
        seen = []

        def look(options):
            seen.append((json.loads(self.stored.read_text())["context"]["commit"], aside.exists()))

        old = json.loads(self.stored.read_text())["context"]["commit"]
        for version in self.VERSIONS:
            self.add(version, change=look, context={"commit": "f" * 40})
        self.succeeded(self.measure("--max", "1e7"))
        self.assertEqual([(old, False), *[(old, True)] * (len(self.VERSIONS) - 1)], seen)
        self.assertEqual("f" * 40, json.loads(self.stored.read_text())["context"]["commit"])
        self.assertFalse(aside.exists(), "its rows have found their place")

    def test_a_program_that_there_is_not(self):
        self.add("v8")
        process = self.failed(self.measure("--max", "1e7"), "pi_v11: No such file")
        self.assertIn("no new rows of v11, v6, v6_mantissa, v11_centred", process.stderr.splitlines()[-1])

    def test_usage(self):
        self.add("v8")
        for value in ("1e5", "much", "1.5", "nan", "inf"):
            self.assert_ends(self.measure("--max", value), 2, "--max")


def fail(is_failure):
    if is_failure:
        raise Ends(1)


if __name__ == "__main__":
    unittest.main()
