#!/usr/bin/env python3
"""Tests of what a result of means must hold: the price of a path, the mean square of normals."""

import copy
import json
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import DATA

from suite.documents import checks, files, means, result

ASIAN = json.loads((DATA / "ladders" / "asian.json").read_text())


def run_of(version):
    return copy.deepcopy(next(run for run in ASIAN["runs"] if run["version"] == version))


class MeansTest(unittest.TestCase):
    def load(self, run):
        files.parse(json.dumps(ASIAN | {"runs": [run]}), "a file", result.DOCUMENT.check)

    def changed(self, change, version="a6"):
        run = run_of(version)
        change(run["outcome"])
        return run

    def assert_refused(self, change, line, version="a6"):
        with self.assertRaises(checks.ResultError) as caught:
            self.load(self.changed(change, version))
        self.assertEqual(f"a file: {version}{line}", str(caught.exception))

    def test_what_a_program_prints(self):
        for run in ASIAN["runs"]:
            self.load(run)

    def test_fields(self):
        for line, change in {
            ".outcome.sd is -1, not a number that is not negative": lambda o: o.update(sd=-1),
            ".outcome.bad is 1, not 0": lambda o: o.update(bad=1),
            ".outcome.numbers is 0, not a whole number above 0": lambda o: o.update(numbers=0),
            ".outcome.positive.share is 1.1, not a number from 0 to 1": lambda o: o["positive"].update(share=1.1),
            ".outcome.statistics is empty": lambda o: o.update(statistics=[]),
            ".outcome.statistics has x twice": lambda o: o["statistics"].append(o["statistics"][1]),
            ".outcome.statistics[0] lacks 'exact'": lambda o: o["statistics"][0].pop("exact"),
            ".outcome.reference lacks 'how'": lambda o: o["reference"].pop("how"),
            ".outcome.trace[0] is [0, 4.2], not [work, estimate]": lambda o: o.update(trace=[[0, 4.2]]),
            ".outcome has independent groups, not paths or blocks or launches": lambda o: o.update(independent="groups"),
        }.items():
            self.assert_refused(change, line)

    def test_the_outcome_of_another_ladder(self):
        document = ASIAN | {"suite": "pi", "unit": "sample", "runs": [run_of("a6")]}
        document["runs"][0]["version"] = "v6"
        with self.assertRaisesRegex(checks.ResultError, "v6.outcome lacks 'expected'"):
            result.DOCUMENT.check(document)


class SigmaTest(MeansTest):
    def test_a_distance_that_no_verdict_passes(self):
        self.load(self.changed(lambda o: o.update(sigma=-4.99)))
        self.assert_refused(lambda o: o.update(sigma=-5.01), " has sigma -5.01, more than a verdict passes")
        far = {
            "positive.sigma": lambda o: o["positive"].update(sigma=6.0),
            "x.sigma": lambda o: o["statistics"][1].update(sigma=6.0),
            "payoff.variance_sigma": lambda o: o["statistics"][0].update(variance_sigma=6.0),
        }
        for name, change in far.items():
            self.assert_refused(change, f" has {name} 6, more than a verdict passes")

    def test_the_limit_of_a_measured_sd_is_students(self):
        # Two-sided quantiles at the probability beyond 5 normal sd, from its incomplete beta function: 8.267 and 5.259.
        for sigma, launches, is_accepted in ((8.26, 16, True), (8.28, 16, False), (5.25, 132, True), (5.27, 132, False)):
            run = self.changed(lambda o, sigma=sigma: o.update(sigma=sigma), "a7") | {"launches": launches}
            with self.subTest(sigma=sigma, launches=launches):
                if is_accepted:
                    self.load(run)
                else:
                    with self.assertRaisesRegex(checks.ResultError, "a7 has sigma"):
                        self.load(run)

    def test_none_without_an_error_estimate_only(self):
        self.assert_refused(lambda o: o.update(sigma=None), " has no sigma")
        self.assert_refused(lambda o: o.update(sigma=None), " has no sigma", "a7")
        self.load(self.changed(lambda o: o.update(sigma=None, sd=None), "a7") | {"launches": 15})

    def test_constant_numbers_have_no_error(self):
        self.assertTrue(means.is_constant(run_of("a0")["outcome"]))
        self.load(self.changed(lambda o: o.update(sigma=4e5, sd=1e-12), "a0"))
        for version in ("a2", "a6", "a7"):
            self.assertFalse(means.is_constant(run_of(version)["outcome"]))


if __name__ == "__main__":
    unittest.main()
