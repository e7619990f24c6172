#!/usr/bin/env python3
"""Tests of scripts/merit, with programs whose rate and spread follow formulas, and of what render makes of it."""

import json
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import DATA, FAKE_END, FAKE_START, SLUG, MeasuringSandbox, need_matplotlib
from test_render_evidence import EN_DASH, EvidenceTest, cells

from suite import numerals
from suite.documents import checks, merit
from suite.render import drawing, figures
from suite.render.sections import merit as merit_section

# Prints the record of a run at 2000 samples/ns. A launch of a point set of n points has an sd of 4 n^(-3/4).
PROGRAM = FAKE_START + """
rate, facts = 2000, {{"independent": "samples", "variance_ratio": None, "bias": 5e-8, **{facts}}}
launch = math.prod(int(options.get(*part)) for part in (("--blocks", 1000), ("--threads", 1000), ("--iters", 1000)))
launches = int(options.get("--launches", 20))
if "--samples" in options: launches = -(-int(options["--samples"]) // launch)
sd = 4 * launch ** -0.75 if facts["independent"] == "launches" else 1.6421834 / launch ** 0.5
{extra}
ms = launch / rate / 1e6
run |= {{
    "title": "Fixture", "soundness": "sound", "work": launch,
    "launches": launches, "kernel_ms": [0.9 * ms, 1.1 * ms], "per_ns": {{"median": rate, "low": rate, "high": rate}},
}}
outcome |= facts | {{"samples": launch * launches, "pi_sd": sd / launches ** 0.5}}
{last}""" + FAKE_END
SCRAMBLED = {"independent": "launches", "variance_ratio": {"ratio": 2e-5, "sd": 4e-6, "units": 50, "over": "launches"}}
DEPENDENT = {"independent": "blocks", "variance_ratio": {"known": 4.0, "ratio": 3.9, "sd": 0.1, "units": 800, "over": "blocks"}}
SAMPLES = 2.696766e12  # for 1e-6: pi (4 - pi) / 1e-12


class MeritTest(MeasuringSandbox):
    COMMAND, PROGRAM = "merit", PROGRAM

    def add(self, version, extra="", last="", context=(), **facts):
        self.add_program(version, extra=extra, last=last, context=dict(context), facts=facts)

    def row(self, version="v8", **facts):
        """The row of a program with these facts, which runs alone."""
        self.add(version, **facts)
        process = self.measure(version)
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        (row,) = merit.DOCUMENT.load(self.stored)["rows"]
        return row

    def versions(self):
        return [row["version"] for row in merit.DOCUMENT.load(self.stored)["rows"]]

    def succeeded(self):
        """Whether each version has a result."""
        rows = merit.DOCUMENT.load(self.stored)["rows"]
        return {row["version"]: not checks.has_failed(row) for row in rows}

    def commands(self):
        return [line.split(maxsplit=1)[1] for line in self.log.read_text().splitlines()]


class PlainTimesTest(MeritTest):
    def test_measured_computed_and_never(self):
        first, second, third = self.row()["times"]
        self.assertEqual(["measured", "computed", "never"], [time["how"] for time in (first, second, third)])
        self.assertEqual([1e-6, 1e-7, 1e-8], [time["target"] for time in (first, second, third)])
        self.assertAlmostEqual(1, first["samples"] / SAMPLES, delta=1e-3)
        self.assertAlmostEqual(1, first["seconds"] / 1.348, delta=1e-3)  # SAMPLES / 2000 ns
        self.assertEqual(first["samples"], first["launches"] * first["work"])
        self.assertAlmostEqual(1, first["pi_sd"] / 1e-6, delta=1e-3)
        self.assertAlmostEqual(1, second["seconds"] / 134.8, delta=1e-3)
        self.assertAlmostEqual(1, second["samples"] / (100 * SAMPLES), delta=1e-6)
        self.assertIsNone(third["seconds"])

    def test_one_run_for_the_rate_and_one_for_each_measured_time(self):
        row = self.row()
        first, second = self.commands()
        self.assertEqual("--json -", first)
        self.assertRegex(second, r"^--samples 26967\d{8} --json -$")
        self.assertEqual([row["times"][0]["seconds"]], [run["seconds"] for run in row["tried"]])

    def test_a_bias_on_either_side_of_pi(self):
        self.assertEqual(["never"] * 3, [time["how"] for time in self.row(bias=-2e-6)["times"]])

    def test_dependent_samples_take_as_many_times_more(self):
        row = self.row(**DEPENDENT)
        self.assertAlmostEqual(1, row["times"][0]["samples"] / (4 * SAMPLES), delta=1e-3)
        self.assertAlmostEqual(1, row["times"][1]["seconds"] / (4 * 134.8), delta=1e-3)
        self.assertEqual(4.0, row["variance_ratio"]["known"])

    def test_a_measured_ratio_of_independent_samples_is_stored_and_changes_no_time(self):
        row = self.row(variance_ratio={"ratio": 1.5, "sd": 0.1})
        self.assertAlmostEqual(1, row["times"][0]["samples"] / SAMPLES, delta=1e-3)
        self.assertEqual(1.5, row["variance_ratio"]["ratio"])


class ScrambledTimesTest(MeritTest):
    """16 launches have an sd of n^(-3/4): below 1e-6 from 2^26.6 points on. At 2^32 it is 6e-8: 64 times as many do."""

    def test_rising_sets_and_then_more_of_them(self):
        tried = self.row("v17", **SCRAMBLED, bias=1e-9)["tried"]
        sizes = [(run["work"], run["launches"]) for run in tried]
        more = [(2**32, 16 * 2**k) for k in range(1, 7)]
        self.assertEqual([(2**m, 16) for m in range(16, 33, 2)] + more, sizes)
        grids = [dict(zip(*[iter(command.split())] * 2)) for command in self.commands()[1:]]
        self.assertTrue(all(grid["--threads"] == "1024" and 64 <= int(grid["--blocks"]) <= 256 for grid in grids))

    def test_the_cheapest_that_reaches_the_target(self):
        quick = "if launch == 2**30: rate *= 100"
        first, second, _ = self.row("v17", **SCRAMBLED, bias=1e-9, extra=quick)["times"]
        self.assertEqual((2**30, "measured"), (first["work"], first["how"]))  # though 2^28 would do
        self.assertEqual(2**32, second["work"])
        self.assertEqual(2**28, self.row("v17", **SCRAMBLED, bias=1e-9)["times"][0]["work"])

    def test_no_further_than_the_bias_allows(self):
        row = self.row("v17", **SCRAMBLED, bias=5e-8)
        self.assertEqual("never", row["times"][2]["how"])
        self.assertEqual((2**32, 16), (row["tried"][-1]["work"], row["tried"][-1]["launches"]))
        self.assertEqual([], self.row("v17", **SCRAMBLED, bias=1e-5)["tried"])

    def test_what_takes_too_long_is_computed_from_the_last(self):
        # 16 launches of 2^30 points take 17 s, of 2^32 would take 69 s.
        row = self.row("v17", **SCRAMBLED, bias=1e-9, extra="rate = 1")
        last, time = row["tried"][-1], row["times"][2]
        self.assertEqual((2**30, "computed"), (last["work"], time["how"]))
        self.assertAlmostEqual(1, time["seconds"] / (last["seconds"] * (last["pi_sd"] / 1e-8) ** 2), delta=1e-4)

    def test_a_run_without_a_spread(self):
        self.add("v17", **SCRAMBLED, last='outcome["pi_sd"] = None')
        process = self.measure()
        self.assertEqual(1, process.returncode)
        self.assertIn("pi_v17 --blocks 64 --threads 1024 --iters 1 --launches 16: no standard", process.stderr)


class MeritStopsTest(MeritTest):
    def test_every_step_in_order_and_the_time_that_each_took(self):
        for version in ("v10", "v2", "v8_shared", "cpu"):
            self.add(version)
        process = self.measure()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(["v2", "v10"], self.versions())
        line = r"v2 +2000.*/ns; 1e-06 1\.3 s \(measured\), 1e-07 2\.2 min \(computed\), 1e-08 never \(took .* s\)"
        self.assertRegex(process.stdout.splitlines()[0], line)
        self.assertEqual(f"wrote {self.stored}", process.stdout.splitlines()[-1])

    def test_versions_named(self):
        for version in ("v2", "v8", "v8_shared"):
            self.add(version)
        self.assertEqual(0, self.measure("v8_shared", "v2").returncode)
        self.assertEqual(["v8_shared", "v2"], self.versions())

    def test_a_program_that_fails(self):
        self.add("v2")
        self.add("v8", extra='if "--samples" in options: sys.exit("first\\nout of luck")')
        self.add("v16", independent="blocks")
        process = self.measure()
        self.assertEqual(1, process.returncode)
        first, second, last = process.stderr.splitlines()
        self.assertRegex(first, r"pi_v8 --samples \d+ failed \(exit 1\): out of luck")
        self.assertIn("variance_ratio", second)
        self.assertEqual(f"merit: {self.stored} has no new rows of v8, v16", last)
        self.assertEqual({"v2": True, "v8": False, "v16": False}, self.succeeded())

    def test_a_program_of_another_build(self):
        self.add("v2")
        self.add("v8", context={"commit": "f" * 40})
        self.assertIn("mixed contexts: commit", self.measure().stderr)
        self.assertEqual({"v2": True, "v8": False}, self.succeeded())

    def test_usage(self):
        self.assert_ends(self.measure("v8"), 2, "pi_v8")
        self.assert_ends(self.measure("cpu"), 2, "cpu: not the name")


# A price of variance 40: paths of 256 steps; 16 launches of n points have an sd of n^(-1).
PRICE = FAKE_START + """
rate, facts = 1000, {facts}
paths = math.prod(int(options.get(*part)) for part in (("--blocks", 1000), ("--threads", 256), ("--iters", 40)))
launches = int(options.get("--launches", 20))
ms = paths * 256 / rate / 1e6
run |= {{
    "soundness": "sound", "work": 256 * paths, "launches": launches, "kernel_ms": [ms, ms],
    "per_ns": {{"median": rate, "low": rate, "high": rate}},
}}
outcome |= {{"variance_ratio": None}} | facts | {{"numbers": paths * launches, "steps": 256}}
sd = 4 / paths if outcome["independent"] == "launches" else (40 * outcome.pop("times") / paths) ** 0.5
outcome["sd"] = sd / launches ** 0.5
{extra}
""" + FAKE_END


class PricesTest(MeasuringSandbox):
    COMMAND, PROGRAM = "merit", PRICE

    def setUp(self):
        super().setUp()
        self.stored = self.stored.with_name("asian-merit.json")
        document = json.loads((DATA / "ladders" / "asian.json").read_text())
        document["runs"] = [run for run in document["runs"] if run["version"] == "a5"]
        self.record = self.root / "asian.json"
        self.record.write_text(json.dumps(document))

    def add(self, version, extra="", **facts):
        self.add_program(version, record=self.record, suite="options", extra=extra, context={}, facts={"times": 1} | facts)

    def rows(self, *arguments):
        process = self.measure(*arguments)
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        return {row["version"]: row for row in merit.DOCUMENT.load(self.stored)["rows"]}

    def test_times_follow_from_one_run(self):
        self.add("a5")
        self.add("a6", times=0.2, variance_ratio={"value": 0.2, "plain": 40.0})
        rows = self.rows()
        self.assertEqual(2, len(self.log.read_text().splitlines()))
        plain, reduced = (rows[version]["times"] for version in ("a5", "a6"))
        self.assertEqual(["computed"] * 3, [time["how"] for time in plain])
        self.assertAlmostEqual(40.0, rows["a5"]["variance"], delta=1e-9)
        # 40 / 1e-8 = 4e9 paths in launches of 10.24e6: 391 launches of 2.62144 ms.
        self.assertEqual(391 * 10_240_000 * 256, plain[1]["samples"])
        self.assertAlmostEqual(391 * 2.62144e-3, plain[1]["seconds"], delta=1e-5)
        self.assertAlmostEqual(79 * 2.62144e-3, reduced[1]["seconds"], delta=1e-5)
        self.assertAlmostEqual(4 * 2.62144e-3, plain[0]["seconds"], delta=1e-7)

    def test_at_least_one_launch(self):
        self.add("a6", times=0.001)
        self.assertEqual(10_240_000 * 256, self.rows()["a6"]["times"][0]["samples"])

    def test_sets_of_points_grow_until_one_reaches_the_target(self):
        self.add("a7", independent="launches", variance_ratio={"value": 0.005, "plain": 40.0}, bias={"value": 0, "sd": 0})
        row = self.rows()["a7"]
        # 16 launches of n points have an sd of 1 / n: 1e-3 from 2^12 on, 1e-4 from 2^14, 1e-5 from 2^17.
        self.assertEqual([2**power for power in range(12, 18)], [run["work"] // 256 for run in row["tried"]])
        self.assertEqual([2**12, 2**14, 2**17], [time["work"] // 256 for time in row["times"]])
        self.assertEqual({"measured"}, {time["how"] for time in row["times"]})
        grids = [line.split()[1:7] for line in self.log.read_text().splitlines()[1:]]
        # The first run has 20 blocks of 256 threads.
        expected = [["--blocks", "16", "--threads", "256", "--iters", str(2**power)] for power in range(6)]
        self.assertEqual(expected, grids)
        self.assertAlmostEqual(16 * 2**14 * 256 / 1e12, row["times"][1]["seconds"], delta=1e-9)

    def test_constant_numbers_have_no_time(self):
        self.add("a0", extra="sys.exit(4)")
        self.add("a5")
        self.assertEqual(["a5"], list(self.rows()))

    def test_every_ladder_with_targets(self):
        self.add("a5")
        self.add("n3", extra="sys.exit(4)")  # normals have none
        self.add_script(self.bin / "pi_v8", "exit 4")
        process = self.measure()
        self.assertEqual(1, process.returncode)
        self.assertIn("pi_v8 failed (exit 4)", process.stderr)
        self.assertEqual(["a5"], [row["version"] for row in merit.DOCUMENT.load(self.stored)["rows"]])


# Rendered


def merit_document(context):
    """One plain version of each kind of time, and one of point sets."""
    rate = {"median": 2594.0, "low": 2592.96, "high": 2595.04}
    runs = [
        {"seconds": 2e-4, "pi_sd": 1e-4, "work": 2**16, "launches": 16, "samples": 2**20},
        {"seconds": 0.19, "pi_sd": 9e-7, "work": 2**32, "launches": 64, "samples": 2**38},
    ]
    plain = {"seconds": 1.04, "pi_sd": 1e-6, "work": 10**9, "launches": 2697, "samples": 2697 * 10**9}
    times = [{"target": 1e-6, "how": "measured", **plain},
             {"target": 1e-7, "how": "computed", "seconds": 104.0, "samples": 2696766 * 10**8},
             {"target": 1e-8, "how": "never", "seconds": None, "samples": None}]  # fmt: skip
    row = {"version": "v8", "title": "LCG", "soundness": "demonstration only", "independent": "samples",
           "per_ns": rate, "variance_ratio": {"ratio": 1.0031, "sd": 0.004}, "bias": 5e-8, "times": times,
           "tried": [plain]}  # fmt: skip
    scrambled = {"version": "v17", "title": "Sobol", "soundness": "quasi-random", "independent": "launches",
                 "variance_ratio": {"ratio": 2.3e-5, "sd": 4e-6}, "times": [times[0] | runs[1], *times[1:]],
                 "tried": runs}  # fmt: skip
    exact = {"version": "v1", "soundness": "not tested", "variance_ratio": None, "tried": [], "bias": 0.0}
    return {"schema": 2, "suite": "pi", "context": context, "rows": [row | exact, row, row | scrambled]}


class RenderedTest(EvidenceTest):
    def setUp(self):
        super().setUp()
        self.stored = self.folder / "pi-merit.json"
        self.stored.write_text(json.dumps(merit_document(json.loads(self.result.read_text())["context"])))

    def section(self):
        return self.rendered().split("## Figure of merit")[1].split("\n## ")[0]

    def test_the_table_right_after_the_ladder(self):
        section = self.section()
        row = ["v8: LCG", "2594", "1.003 ± 0.004", "5.00 × 10⁻⁸", "no", "1.0 s", "*1.7 min*", "never"]
        self.assertEqual(row, cells(section, "v8"))
        self.assertEqual(["(2.3 ± 0.4) × 10⁻⁵", "5.00 × 10⁻⁸", "quasi-random", "0.19 s"], cells(section, "v17")[2:6])
        self.assertEqual([EN_DASH, "0", "not tested"], cells(section, "v1")[2:5])
        self.assertIn("uncertain by 18 %", section)
        self.assertIn("(pi-merit.json)", section)
        headings = [line for line in self.page.read_text().splitlines() if line.startswith("## ")]
        self.assertEqual("## Figure of merit", headings[1])

    def test_steps_that_failed_or_were_not_measured_have_a_row(self):
        self.change("merit", lambda d: d["rows"].append({"version": "v12", "error": "out of luck"}))
        section = self.section()
        self.assertEqual(["v12", "failed: `out of luck`", *[EN_DASH] * 6], cells(section, "v12"))
        self.assertEqual(["v10", *[EN_DASH] * 7], cells(section, "v10"))
        self.change("merit", lambda d: d["rows"].clear())
        self.assertNotIn("Figure of merit", self.rendered())

    def test_ladders_send_the_reader_of_a_dependent_rate_here(self):
        link = "[time to a given precision](#figure-of-merit)"
        self.assertNotIn(link, self.rendered())
        self.change_outcome("v8", independent="blocks")
        self.assertIn(link, self.rendered())
        self.assertIn(link.replace("#", f"results/{SLUG}/pi.md#"), self.readme.read_text())
        self.stored.unlink()
        self.assertNotIn("#figure-of-merit", self.rendered() + self.readme.read_text())

    def test_figures_inside_prose(self):
        self.change_run("v8", effective_per_ns=2586.0)
        self.change_outcome("v8", variance_ratio={"ratio": 1.0031, "sd": 0.004})
        texts = {"v8.merit.time[6]": "1.0 s", "v8.merit.time[7]": "1.7 min", "v8.merit.time[8]": "never",
                 "v17.merit.time[6]": "0.19 s", "v8.outcome.variance_ratio": "1.003 ± 0.004", "v8.effective_per_ns": "2,590",
                 }  # fmt: skip
        self.assertEqual(texts, {path: figures.figure(path, self.device()) for path in texts})
        with self.assertRaisesRegex(figures.Missing, "not measured"):
            figures.figure("v3.merit.time[6]", self.device())
        with self.assertRaisesRegex(figures.Missing, "^$"):
            figures.figure("v8.merit.time[6]", self.device()._replace(merit=None))

    def test_what_the_chart_shows(self):
        chart = self.charts()[self.folder / "merit.svg"]
        (line,), (curve,) = chart["lines"], chart["curves"]
        # sqrt(2.696766 / 2594e9) = 1.019616e-6
        self.assertAlmostEqual(1.019616e-6, line["sd_of_second"], delta=1e-11)
        self.assertEqual(("v8: bias 5.00 × 10⁻⁸", 5e-8), (line["label"], line["bias"]))
        self.assertEqual(["2¹⁶", "64 × 2³²"], [point["text"] for point in curve["points"]])
        self.assertEqual([1e-4, 1e4], chart["range"])

    def test_the_chart_is_drawn(self):
        need_matplotlib()
        chart = self.charts()[self.folder / "merit.svg"]
        (line,) = chart["lines"]
        drawn = drawing.draw([chart, chart | {"curves": []}, chart | {"lines": [line | {"bias": 0}]}])
        self.assertEqual(3, len(drawn))

    def test_rows_that_there_are_not(self):
        changes = [
            lambda d: d.update(rows=None),
            lambda d: d["rows"].append(3),
            lambda d: d["rows"].append(d["rows"][0]),
            lambda d: d["rows"].append({"version": "v9", "error": None}),
            lambda d: d["rows"][1].pop("bias"),
            lambda d: d["rows"][1].update(independent="blocks", variance_ratio=None),
            lambda d: d["rows"][1]["per_ns"].update(low=0),
            lambda d: d["rows"][1]["times"][0].update(how="guessed"),
            lambda d: d["rows"][1]["times"][0].update(seconds=None),
            lambda d: d["rows"][1]["times"][2].update(target=0),
            lambda d: d["rows"][2]["tried"][0].update(pi_sd=0),
        ]
        text = self.stored.read_text()
        for number, change in enumerate(changes):
            with self.subTest(number=number):
                self.stored.write_text(text)
                self.change("merit", change)
                with self.assertRaisesRegex(checks.ResultError, "pi-merit.json"):
                    merit.DOCUMENT.load(self.stored)
        self.assert_refused(str(self.stored))

    def test_texts(self):
        durations = {3.2e-6: "3.2 µs", 9.996e-4: "1.0 ms", 0.0994: "99 ms", 0.194: "0.19 s", 59.6: "60 s",
                     61: "1.0 min", 5400: "1.5 h", 1e6: "12 d", 5.4e11: "17,000 years"}  # fmt: skip
        self.assertEqual(durations, {seconds: numerals.duration(seconds) for seconds in durations})
        ratios = {(1.00304, 0.00096): "1.0030 ± 0.0010", (12.3, 2.1): "12 ± 2", (2.3e-5, 4e-6): "(2.3 ± 0.4) × 10⁻⁵"}
        texts = {key: merit_section.ratio_text({"ratio": key[0], "sd": key[1]}) for key in ratios}
        self.assertEqual(ratios, texts)


if __name__ == "__main__":
    unittest.main()
