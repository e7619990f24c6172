#!/usr/bin/env python3
"""Tests of scripts/seeds, with programs whose deviations follow formulas, and of its table."""

import json
import sys
import unittest
from statistics import NormalDist

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, record
from sandbox import DATA, SLUG, asian, mcls, pi
from test_render_evidence import cells

from suite.analyse import deviations
from suite.documents import kinds, stored
from suite.ladder import SOLUTION
from suite.render.sections import seeds as section
from suite.render.site import load
from suite.studies import seeds

ASIAN, MCLS = (json.loads((DATA / "ladders" / f"{name}.json").read_text()) for name in ("asian", "mcls"))


def normal(seed, count=200):
    """As even as a sample of a normal distribution can be, each seed with another value."""
    return NormalDist().inv_cdf((seed - 0.5) / count)


class SeedsTest(StudySandbox):
    MODULE = seeds

    def add(self, version="v23", change=None, context=(), sigma=normal, **outcome):
        def answer(options):
            seed = int(options["--seed"])
            if change:
                change(seed)
            return record(version, context=context, seed=seed, launches=int(options["--launches"]),
                          outcome={"hits": 785_000 + seed, "samples": 10**6, "sigma": sigma(seed), **outcome})  # fmt: skip

        self.add_function(f"pi_{version}", answer)

    def seeds_run(self, name="pi_v23"):
        return [int(command["--seed"]) for command in self.commands(name)]

    def rows(self, version="v23"):
        return self.runs(kinds.SEEDS, pi)[version]


class MeasuredTest(SeedsTest):
    def test_each_version_runs_once_with_each_seed_and_as_many_launches(self):
        for version in ("v14", "v23"):
            self.add(version)
        process = self.succeeded(self.measure())
        self.assertIn("seed 200: +2.81 sd", process.stdout)
        for version in ("v14", "v23"):
            rows = self.rows(version)
            self.assertEqual(200, len({row["seed"] for row in rows}))
            self.assertEqual([row["seed"] for row in rows], self.seeds_run(f"pi_{version}"))
            self.assertNotIn(1234, self.seeds_run(f"pi_{version}"), "the seed of all other results")
            self.assertEqual(
                1, len({(command["--iters"], command["--launches"]) for command in self.commands(f"pi_{version}")})
            )

    def test_what_is_stored_of_a_run(self):
        self.add(sigma=lambda seed: 0.5)
        self.succeeded(self.measure("--most", "2"))
        first = self.rows()[0]
        self.assertEqual({"version", "title", "seed", "launches", "options", "deviation", "outcome"}, set(first))
        self.assertEqual((1, 0.5), (first["seed"], first["deviation"]))
        self.assertEqual({"hits": 785_001, "samples": 10**6}, first["outcome"])
        self.assertTrue(first["options"].endswith("--seed 1"))
        self.assertIn(f"--launches {first['launches']} ", first["options"])

    def test_prices_and_solutions(self):
        # The normal deviates of these chi-squares are those of scipy.stats.
        for ladder, version, document, outcome, expected, counts in (
            (asian, "options_a8", ASIAN, {"sigma": -1.25, "numbers": 5000}, -1.25, {"numbers", "estimate", "sd"}),
            (mcls, "mcls_v22", MCLS, self.chi_squared(0.75), -1.4926501888, {"entries", "histories"}),
            (mcls, "mcls_v22", MCLS, self.chi_squared(1.25), 1.3688660989, {"entries", "histories"}),
        ):

            def answer(options, own=(version, document, outcome)):
                name, whole, found = own
                return record(
                    name.partition("_")[2],
                    document=json.loads(json.dumps(whole)),
                    seed=int(options["--seed"]),
                    outcome=found,
                )

            self.add_function(version, answer)
            self.succeeded(self.measure("--suite", ladder.suite, "--most", "2"))
            row = kinds.SEEDS.of(ladder).stored_in(self.out / SLUG)["runs"][0]
            self.assertAlmostEqual(expected, row["deviation"], delta=1e-6)
            self.assertEqual(counts, set(row["outcome"]))
            (self.out / SLUG / f"{ladder.suite}-seeds.json").unlink()

    def chi_squared(self, value):
        verdict = next(run for run in MCLS["runs"] if run.get("outcome", {}).get("verdict"))["outcome"]["verdict"]
        return {
            "verdict": verdict
            | {"chi_squared": {"value": value, "sd": 0.18, "low": 0.3, "high": 2.1}, "degrees_of_freedom": 64}
        }

    def test_an_estimate_without_a_deviation(self):
        self.add(sigma=lambda seed: None)
        self.failed(self.measure(), "pi_v23 tells no deviation")

    def test_usage(self):
        self.add()
        self.assert_ends(self.measure("--most", "1"), 2, "--most 1: at least 2")
        self.assert_ends(self.measure("--suite", "lecture"), 2, "--suite")
        self.assert_ends(self.measure("--suite", "mcls"), 2, f"{self.bin} holds no mcls_<step>")


class ContinuedTest(SeedsTest):
    def test_it_goes_on_where_it_stopped(self):
        self.add(change=interrupt_at(4))
        self.assertEqual(130, self.measure("--most", "6").returncode)
        self.assertEqual([1, 2, 3], [row["seed"] for row in self.rows()])
        self.log.clear()
        self.add()
        self.succeeded(self.measure("--most", "6"))
        self.assertEqual([1, 4, 5, 6], self.seeds_run(), "the first one tells which build it is")
        self.assertEqual([1, 2, 3, 4, 5, 6], [row["seed"] for row in self.rows()])

    def test_fewer_seeds_take_nothing_away(self):
        self.add()
        self.succeeded(self.measure("--most", "6"))
        self.succeeded(self.measure("--most", "2"))
        self.assertEqual([1, 2, 3, 4, 5, 6], [row["seed"] for row in self.rows()])

    def test_also_after_a_failure(self):
        self.add(change=fail_at(3))
        self.add("v14")
        process = self.failed(self.measure("--most", "4"))
        self.assertIn("out of luck", process.stderr)
        self.assertEqual(4, len(self.rows("v14")))
        self.log.clear()
        self.add()
        self.succeeded(self.measure("--most", "4"))
        self.assertEqual([3, 4], self.seeds_run())
        self.assertEqual([1, 2, 3, 4], [row["seed"] for row in self.rows()])

    def test_another_build_measures_all_anew(self):
        for context in ({"commit": "f" * 40}, {"driver": "9.9"}):
            self.add()
            self.succeeded(self.measure("--most", "3"))
            self.log.clear()
            self.add(context=context)
            self.succeeded(self.measure("--most", "3"))
            self.assertEqual([1, 2, 3], self.seeds_run())

    def test_a_modified_checkout_measures_all_anew(self):
        """Its programs may be others than before, of the same commit."""
        for _ in range(2):
            self.log.clear()
            self.add(context={"dirty": True})
            self.succeeded(self.measure("--most", "3"))
            self.assertEqual([1, 2, 3], self.seeds_run())

    def test_rows_that_were_set_aside_are_not_repeated(self):
        """Another build is stored, of a version that is not measured now."""
        self.add()
        self.add("v14")
        self.succeeded(self.measure("--most", "3"))
        del self.programs["pi_v14"]
        (self.bin / "pi_v14").unlink()
        self.add(change=interrupt_at(3), context={"commit": "f" * 40})
        self.assertEqual(130, self.measure("--most", "3").returncode)
        self.log.clear()
        self.add(context={"commit": "f" * 40})
        self.failed(self.measure("--most", "3"))
        self.assertEqual([1, 3], self.seeds_run())
        aside = kinds.SEEDS.of(pi).load(self.bin / "results" / SLUG / "pi-seeds.json")
        self.assertEqual([1, 2, 3], [row["seed"] for row in aside["runs"]])


def interrupt_at(last):
    def change(seed):
        if seed == last:
            raise KeyboardInterrupt

    return change


def fail_at(last):
    def change(seed):
        if seed == last:
            raise Ends(1)

    return change


class SummaryTest(unittest.TestCase):
    def test_mean_variance_and_distance(self):
        found = deviations.summary([-1.5, 2.25, -0.5, 0.25, 0.5])
        self.assertEqual((5, 0.2, 2.25, 1), (found.count, found.mean, found.largest, found.far))
        self.assertAlmostEqual(1.91875, found.variance)
        self.assertAlmostEqual(1 / 5**0.5, found.mean_sd)
        self.assertAlmostEqual(0.5**0.5, found.variance_sd)
        self.assertAlmostEqual(0.2275013, found.far_expected, delta=1e-7)
        self.assertAlmostEqual(0.1987063257, found.distance, delta=1e-9)  # scipy.stats.kstest

    def test_the_chance_of_a_distance(self):
        # scipy.stats.kstwo.sf, which is exact.
        for distance, count, expected in (
            (0.1, 200, 0.0341104),
            (0.08, 200, 0.1463961),
            (0.15, 50, 0.1902637),
            (0.2, 50, 0.0314388),
        ):
            self.assertAlmostEqual(1, deviations.kolmogorov_probability(distance, count) / expected, delta=0.02)
        self.assertEqual(1, deviations.kolmogorov_probability(0.001, 200))

    def test_a_chi_square(self):
        # scipy.stats.chi2.cdf
        for value, degrees, expected in (
            (100, 64, 0.997313717),
            (64, 63, 0.558820025),
            (0.5, 1, 0.520499878),
            (0, 5, 0),
        ):
            self.assertAlmostEqual(expected, deviations.chi_squared_probability(value, degrees), delta=1e-9)

    def test_what_is_wrong_is_seen(self):
        right = [normal(seed) for seed in range(1, 201)]
        self.assertGreater(deviations.summary(right).p, 0.99)
        for wrong in ([value + 0.4 for value in right], [1.5 * value for value in right], [0.5 * value for value in right],
                      [abs(value) for value in right], right[100:101] * 200):  # fmt: skip
            found = deviations.summary(wrong)
            sd = max(abs(found.mean) / found.mean_sd, abs(found.variance - 1) / found.variance_sd)
            self.assertTrue(sd > 5 or found.p < 1e-3, found)


class TableTest(SeedsTest):
    def parts(self, ladder=pi):
        device = stored.Device(
            SLUG, {"suite": "pi", "context": self.document()["context"], "runs": []}, seeds=self.document()
        )
        return section.section(device, load(DATA / "results" / "site" / "results")["pi"]._replace(ladder=ladder))

    def document(self):
        return kinds.SEEDS.of(pi).load(self.stored)

    def test_a_row_for_each_version(self):
        values = [-1.5, 2.25, -0.5, 0.25, 0.5]
        self.add(sigma=lambda seed: values[seed - 1])
        self.add("v14")
        self.succeeded(self.measure("--most", "5"))
        text = "\n\n".join(self.parts())
        self.assertEqual(
            ["v23: Custom xorshift32", "5, from 1 to 5", "`--iters 200000 --launches 100`", "0.20 ± 0.45", "1.92 ± 0.71", "+2.25", "1 (0.2)", "0.199"],
            cells(text, "v23")[:8])  # fmt: skip
        self.assertTrue(cells(text, "v14"))
        self.assertNotIn("chi-square", text)

    def test_a_solution_says_what_its_deviation_is(self):
        self.add()
        self.succeeded(self.measure("--most", "3"))
        self.assertEqual(SOLUTION, mcls.outcome)
        self.assertIn("chi-square", "".join(self.parts(mcls)))

    def test_a_failure_is_told(self):
        self.add(change=fail_at(1))
        self.add("v14")
        self.failed(self.measure("--most", "3"))
        parts = self.parts()
        self.assertIn("- v23: failed", parts[-1])
        self.assertTrue(cells("\n".join(parts), "v14"))

    def test_nothing_without_runs(self):
        device = stored.Device(SLUG, {"suite": "pi", "context": {}, "runs": []})
        self.assertEqual([], section.section(device, None))


if __name__ == "__main__":
    unittest.main()
