#!/usr/bin/env python3
"""Tests of scripts/merit, with programs whose rate and spread follow formulas, and of what render makes of it."""

import json
import math
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, rate_of, record
from sandbox import DATA, asian, needs_jsonschema, pi
from test_render_evidence import EN_DASH, EvidenceTest, cells

from suite import numerals
from suite.analyse import merit
from suite.documents import kinds, records
from suite.render import figures
from suite.render.sections import merit as merit_section
from suite.studies import merit as study

SCRAMBLED = {"independent": "launches", "variance_ratio": {"ratio": 2e-5, "sd": 4e-6, "units": 50, "over": "launches"}}
DEPENDENT = {
    "independent": "blocks",
    "variance_ratio": {"known": 4.0, "ratio": 3.9, "sd": 0.1, "units": 800, "over": "blocks"},
}
SAMPLES = 2.696766e12  # for 1e-6: pi (4 - pi) / 1e-12


class MeritTest(StudySandbox):
    MODULE = study

    def add(self, version, rate=lambda launch: 2000, fails=None, **facts):
        """A program, at 2000 samples/ns. A launch of a point set of n points has an sd of 4 n^(-3/4)."""

        def answer(options):
            if fails and "--samples" in options:
                raise Ends(1)
            own = {"independent": "samples", "variance_ratio": None, "bias": 5e-8} | facts
            launch = math.prod(
                int(options.get(*part)) for part in (("--blocks", 1000), ("--threads", 1000), ("--iters", 1000))
            )
            launches = int(options.get("--launches", 20))
            if "--samples" in options:
                launches = -(-int(options["--samples"]) // launch)
            sd = 4 * launch**-0.75 if own["independent"] == "launches" else 1.6421834 / launch**0.5
            ms = launch / rate(launch) / 1e6
            outcome = {"samples": launch * launches, "pi_sd": sd / launches**0.5} | own
            return record(version, soundness="sound", work=launch, launches=launches, kernel_ms=[0.9 * ms, 1.1 * ms],
                          per_ns=rate_of(rate(launch)), outcome=outcome)  # fmt: skip

        self.add_function(f"pi_{version}", answer)

    def rows(self):
        return {row["version"]: row for row in merit.rows(kinds.MERIT.of(pi).load(self.stored), pi)}

    def row(self, version="v8", **facts):
        """The row of a program with these facts, which runs alone."""
        self.add(version, **facts)
        self.succeeded(self.measure(version))
        return self.rows()[version]


class PlainTimesTest(MeritTest):
    def test_measured_computed_and_never(self):
        row = self.row()
        first, second, third = row["times"]
        self.assertEqual(["measured", "computed", "never"], [time["how"] for time in (first, second, third)])
        self.assertEqual([1e-6, 1e-7, 1e-8], [time["target"] for time in (first, second, third)])
        self.assertAlmostEqual(1, first["samples"] / SAMPLES, delta=1e-3)
        self.assertAlmostEqual(1, first["seconds"] / 1.348, delta=1e-3)  # SAMPLES / 2000 ns
        self.assertEqual(first["samples"], first["launches"] * first["work"])
        self.assertAlmostEqual(1, first["sd"] / 1e-6, delta=1e-3)
        self.assertAlmostEqual(1, second["seconds"] / 134.8, delta=1e-3)
        self.assertAlmostEqual(1, second["samples"] / (100 * SAMPLES), delta=1e-6)
        self.assertIsNone(third["seconds"])
        # One run for the rate and one for each measured time:
        first, second = self.commands("pi_v8")
        self.assertEqual(["--json"], list(first))
        self.assertRegex(second["--samples"], r"^26967\d{8}$")
        self.assertEqual([row["times"][0]["seconds"]], [run["seconds"] for run in row["tried"]])
        # A bias counts on either side of pi.
        self.assertEqual(["never"] * 3, [time["how"] for time in self.row(bias=-2e-6)["times"]])

    @needs_jsonschema
    def test_dependent_samples_take_as_many_times_more(self):
        row = self.row(**DEPENDENT)
        self.assertAlmostEqual(1, row["times"][0]["samples"] / (4 * SAMPLES), delta=1e-3)
        self.assertAlmostEqual(1, row["times"][1]["seconds"] / (4 * 134.8), delta=1e-3)
        # A measured ratio of independent samples is stored and changes no time.
        row = self.row(variance_ratio={"ratio": 1.5, "sd": 0.1})
        self.assertAlmostEqual(1, row["times"][0]["samples"] / SAMPLES, delta=1e-3)
        self.assertEqual(1.5, row["variance_ratio"]["ratio"])


class ScrambledTimesTest(MeritTest):
    """16 launches have an sd of n^(-3/4): below 1e-6 from 2^26.6 points on. At 2^32 it is 6e-8: 64 times as many do."""

    def test_rising_sets_and_then_more_of_them(self):
        tried = self.row("v17", **SCRAMBLED | {"bias": 1e-9})["tried"]
        sizes = [(run["work"], run["launches"]) for run in tried]
        more = [(2**32, 16 * 2**k) for k in range(1, 7)]
        self.assertEqual([(2**m, 16) for m in range(16, 33, 2)] + more, sizes)
        self.assertTrue(
            all(
                grid["--threads"] == "1024" and 64 <= int(grid["--blocks"]) <= 256
                for grid in self.commands("pi_v17")[1:]
            )
        )

    def test_the_cheapest_that_reaches_the_target(self):
        quick = self.row("v17", rate=lambda launch: 2e5 if launch == 2**30 else 2000, **SCRAMBLED, bias=1e-9)["times"]
        self.assertEqual((2**30, "measured"), (quick[0]["work"], quick[0]["how"]))  # though 2^28 would do
        self.assertEqual(2**32, quick[1]["work"])
        self.assertEqual(2**28, self.row("v17", **SCRAMBLED, bias=1e-9)["times"][0]["work"])
        # No further than the bias allows:
        row = self.row("v17", **SCRAMBLED, bias=5e-8)
        self.assertEqual("never", row["times"][2]["how"])
        self.assertEqual((2**32, 16), (row["tried"][-1]["work"], row["tried"][-1]["launches"]))
        self.assertEqual([], self.row("v17", **SCRAMBLED, bias=1e-5)["tried"])

    def test_what_takes_too_long_is_computed_from_the_last(self):
        # 16 launches of 2^30 points take 17 s, of 2^32 would take 69 s.
        row = self.row("v17", rate=lambda _: 1, **SCRAMBLED, bias=1e-9)
        last, time = row["tried"][-1], row["times"][2]
        self.assertEqual((2**30, "computed"), (last["work"], time["how"]))
        self.assertAlmostEqual(1, time["seconds"] / (last["seconds"] * (last["sd"] / 1e-8) ** 2), delta=1e-4)

    def test_a_run_without_a_spread(self):
        self.add("v17", **SCRAMBLED, pi_sd=None)
        self.failed(self.measure(), "pi_v17: no standard deviation of the estimate")


class StopsTest(MeritTest):
    def test_every_step_in_order(self):
        for version in ("v10", "v2", "v8_shared", "cpu"):
            self.add(version)
        process = self.succeeded(self.measure())
        self.assertEqual(["v2", "v10"], list(self.rows()))
        for line, text in zip(
            process.stdout.splitlines()[1:3], ("2,000 samples/ns", "a standard deviation of 1.00e-06 in 1.3 s")
        ):
            self.assertRegex(line, rf"^\[\d/8\] pi-merit v2 .*{text}")
        self.stored.unlink()
        self.succeeded(self.measure("v8_shared", "v2"))  # those named
        self.assertEqual(["v2", "v8_shared"], list(self.rows()))

    def test_a_program_that_fails(self):
        self.add("v2")
        self.add("v8", fails=True)
        self.add("v16", independent="blocks")
        process = self.failed(self.measure())
        first, second, last = process.stderr.splitlines()
        self.assertRegex(first, r"pi_v8 --samples \d+ failed \(exit 1\): out of luck")
        self.assertIn("variance_ratio", second)
        self.assertEqual(f"merit: {self.stored} has no new rows of v8, v16", last)
        rows = self.rows()
        self.assertEqual([False, False, True], [records.has_failed(rows[version]) for version in ("v2", "v8", "v16")])
        self.assertEqual("computed", rows["v8"]["times"][0]["how"])  # its first run is stored

    def test_a_program_that_lacks_memory_of_the_gpu_is_no_failure(self):
        """Its row says so, and takes the place of that of another build."""
        self.add("v2")
        self.add_function("pi_v8", mock.Mock(side_effect=Ends(3, "pi_v8: v8 needs more")))
        for _ in range(2):
            self.assertEqual(0, self.measure().returncode)
            document = json.loads(self.stored.read_text())
            self.assertIn({"version": "v8", "error": "pi_v8: v8 needs more", "exit": 3}, document["runs"])
            self.assertNotEqual("0" * 40, document["context"]["commit"])
            document["context"]["commit"] = "0" * 40
            self.stored.write_text(json.dumps(document))

    def test_a_gpu_that_is_lost_is_a_failure_and_leaves_what_is_stored(self):
        self.add("v2")
        self.add("v8")
        self.assertEqual(0, self.measure().returncode)
        before = self.rows()
        self.add_function("pi_v8", mock.Mock(side_effect=Ends(3, "pi_v8: no usable GPU: it is busy")))
        self.assertEqual((1, before["v8"]), (self.measure().returncode, self.rows()["v8"]))

    def test_usage(self):
        self.assert_ends(self.measure("v8"), 2, "pi_v8")
        self.assert_ends(self.measure("cpu"), 2, "cpu: not the name")


class PricesTest(StudySandbox):
    MODULE = study

    def setUp(self):
        super().setUp()
        self.stored = self.stored.with_name("asian-merit.json")
        document = json.loads((DATA / "ladders" / "asian.json").read_text())
        self.document = document | {"runs": [run for run in document["runs"] if run["version"] == "a5"]}

    def add(self, version, times=1, **facts):
        """A price of variance 40, or as many times: paths of 256 steps; 16 launches of n points have an sd of n^(-1)."""

        def answer(options):
            paths = math.prod(
                int(options.get(*part)) for part in (("--blocks", 1000), ("--threads", 256), ("--iters", 40))
            )
            launches, ms = int(options.get("--launches", 20)), paths * 256 / 1000 / 1e6
            document = json.loads(json.dumps(self.document))
            run = document["runs"][0]
            run |= {
                "version": version,
                "work": 256 * paths,
                "launches": launches,
                "kernel_ms": [ms, ms],
                "per_ns": rate_of(1000),
            }
            run["outcome"] |= {"variance_ratio": None} | facts | {"numbers": paths * launches, "steps": 256}
            sd = 4 / paths if run["outcome"]["independent"] == "launches" else (40 * times / paths) ** 0.5
            run["outcome"]["sd"] = sd / launches**0.5
            return document

        self.add_function(f"options_{version}", answer)

    def fail(self, name):
        def answer(_):
            raise Ends(4)

        self.add_function(name, answer)

    def rows(self):
        self.succeeded(self.measure())
        return {row["version"]: row for row in merit.rows(kinds.MERIT.of(asian).load(self.stored), asian)}

    def test_times_follow_from_one_run(self):
        self.add("a5")
        self.add("a6", times=0.2, variance_ratio={"value": 0.2, "plain": 40.0})
        rows = self.rows()
        self.assertEqual(2, len(self.log))
        plain, reduced = (rows[version]["times"] for version in ("a5", "a6"))
        self.assertEqual(["computed"] * 3, [time["how"] for time in plain])
        self.assertAlmostEqual(40.0, rows["a5"]["variance"], delta=1e-9)
        # 40 / 1e-8 = 4e9 paths in launches of 10.24e6: 391 launches of 2.62144 ms.
        self.assertEqual(391 * 10_240_000 * 256, plain[1]["samples"])
        self.assertAlmostEqual(391 * 2.62144e-3, plain[1]["seconds"], delta=1e-5)
        self.assertAlmostEqual(79 * 2.62144e-3, reduced[1]["seconds"], delta=1e-5)
        self.add("a6", times=0.001)  # at least one launch
        self.assertEqual(10_240_000 * 256, self.rows()["a6"]["times"][0]["samples"])

    def test_sets_of_points_grow_until_one_reaches_the_target(self):
        self.add(
            "a7", independent="launches", variance_ratio={"value": 0.005, "plain": 40.0}, bias={"value": 0, "sd": 0}
        )
        row = self.rows()["a7"]
        # 16 launches of n points have an sd of 1 / n: 1e-3 from 2^12 on, 1e-4 from 2^14, 1e-5 from 2^17.
        self.assertEqual([2**power for power in range(12, 18)], [run["work"] // 256 for run in row["tried"]])
        self.assertEqual([2**12, 2**14, 2**17], [time["work"] // 256 for time in row["times"]])
        self.assertEqual({"measured"}, {time["how"] for time in row["times"]})
        # The first run has 20 blocks of 256 threads.
        grids = [
            [options[name] for name in ("--blocks", "--threads", "--iters")]
            for options in self.commands("options_a7")[1:]
        ]
        self.assertEqual([["16", "256", str(2**power)] for power in range(6)], grids)

    def test_every_ladder_with_targets(self):
        self.add("a5")
        self.fail("options_a0")  # constant numbers have no time
        self.assertEqual(["a5"], list(self.rows()))
        self.fail("options_n3")  # normals have none
        self.fail("pi_v8")
        self.failed(self.measure(), "pi_v8 failed (exit 4)")
        self.assertEqual(["a5"], [run["version"] for run in kinds.MERIT.of(asian).load(self.stored)["runs"]])


# Rendered


def merit_document(context):
    """Runs of plain versions, of which one is timed to its first target, and of point sets."""

    def run(version, options, **values):
        return {"version": version, "options": options} | values

    def tried(seconds, sd, work, launches):
        return {
            "work": work,
            "launches": launches,
            "kernel_ms": {"mean": 1e3 * seconds / launches},
            "outcome": {"pi_sd": sd, "samples": work * launches},
        }

    first = {
        "title": "LCG",
        "soundness": "demonstration only",
        "per_ns": {"median": 2594.0, "low": 2592.96, "high": 2595.04},
    }
    outcome = {"independent": "samples", "variance_ratio": {"ratio": 1.0031, "sd": 0.004}, "bias": 5e-8}
    samples = merit.samples_for(1e-6, outcome, pi)
    runs = [
        run("v1", "", **first | {"soundness": "not tested"}, outcome=outcome | {"variance_ratio": None, "bias": 0.0}),
        run("v8", "", **first, outcome=outcome),
        run("v8", f"--samples {samples}", **tried(1.04, 1e-6, 10**9, 2697)),
        run("v17", "", **first | {"title": "Sobol", "soundness": "quasi-random"},
            outcome=outcome | {"independent": "launches", "variance_ratio": {"ratio": 2.3e-5, "sd": 4e-6}}),
        run("v17", "--iters 1", **tried(2e-4, 1e-4, 2**16, 16)),
        run("v17", "--iters 2", **tried(0.19, 9e-7, 2**32, 64)),
    ]  # fmt: skip
    return kinds.MERIT.of(pi).made(context, runs)


class RenderedTest(EvidenceTest):
    def setUp(self):
        super().setUp()
        self.stored = self.folder / "pi-merit.json"
        self.stored.write_text(json.dumps(merit_document(json.loads(self.result.read_text())["context"])))

    def section(self):
        return self.rendered().split("## Figure of merit")[1].split("\n## ")[0]

    def test_the_table_right_after_the_ladder(self):
        section = self.section()
        row = ["v8: LCG", "2,594", "1.003 ± 0.004", "5.00 × 10⁻⁸", "no", "1.0 s", "*1.7 min*", "never"]
        self.assertEqual(row, cells(section, "v8"))
        self.assertEqual(["(2.3 ± 0.4) × 10⁻⁵", "5.00 × 10⁻⁸", "quasi-random", "0.19 s"], cells(section, "v17")[2:6])
        self.assertEqual([EN_DASH, "0", "not tested"], cells(section, "v1")[2:5])
        self.assertIn("uncertain by 18 %", section)
        self.assertIn("(pi-merit.json)", section)
        headings = [line for line in self.page.read_text().splitlines() if line.startswith("## ")]
        self.assertEqual("## Figure of merit", headings[1])

    def test_steps_that_failed_or_were_not_measured_have_a_row(self):
        self.change("merit", lambda d: d["runs"].append({"version": "v12", "error": "out of luck"}))
        section = self.section()
        self.assertEqual(["v12", "failed: `out of luck`", *[EN_DASH] * 6], cells(section, "v12"))
        self.assertEqual(["v10", *[EN_DASH] * 7], cells(section, "v10"))
        self.change("merit", lambda d: d["runs"].clear())
        self.assertNotIn("Figure of merit", self.rendered())

    def test_ladders_send_the_reader_of_a_dependent_rate_here(self):
        link = "[time to a given precision](#figure-of-merit)"
        self.assertNotIn(link, self.rendered())
        self.change_run("v8", **{"outcome/independent": "blocks"})
        self.assertIn(link, self.rendered())
        self.stored.unlink()
        self.assertNotIn("#figure-of-merit", self.rendered())

    def test_figures_inside_prose(self):
        self.change_run("v8", effective_per_ns=2586.0)
        self.change_run("v8", **{"outcome/variance_ratio": {"ratio": 1.0031, "sd": 0.004}})
        texts = {"v8.merit.time[6]": "1.0 s", "v8.merit.time[7]": "1.7 min", "v8.merit.time[8]": "never",
                 "v17.merit.time[6]": "0.19 s", "v8.outcome.variance_ratio": "1.003 ± 0.004", "v8.effective_per_ns": "2,590",
                 }  # fmt: skip
        self.assertEqual(texts, {path: figures.figure(path, self.device()) for path in texts})
        with self.assertRaisesRegex(figures.Missing, "not measured"):
            figures.figure("v3.merit.time[6]", self.device())
        with self.assertRaisesRegex(figures.Missing, "^$"):
            figures.figure("v8.merit.time[6]", self.device()._replace(merit=None))

    def test_texts(self):
        durations = {3.2e-6: "3.2 µs", 9.996e-4: "1.0 ms", 0.0994: "99 ms", 0.194: "0.19 s", 59.6: "60 s",
                     61: "1.0 min", 5400: "1.5 h", 1e6: "12 d", 5.4e11: "17,000 years"}  # fmt: skip
        self.assertEqual(durations, {seconds: numerals.duration(seconds) for seconds in durations})
        ratios = {(1.00304, 0.00096): "1.0030 ± 0.0010", (12.3, 2.1): "12 ± 2", (2.3e-5, 4e-6): "(2.3 ± 0.4) × 10⁻⁵"}
        texts = {key: merit_section.ratio_text({"ratio": key[0], "sd": key[1]}) for key in ratios}
        self.assertEqual(ratios, texts)


if __name__ == "__main__":
    unittest.main()
