#!/usr/bin/env python3
"""Tests of what scripts/render makes of profile, calls, convergence, ablations and battery: tables, charts, figures.

tests/data/evidence/site is a small site with all kinds of data; its README.md
and kernels/pi/README.md are the expected output. Rates are round enough for
everything asserted here to be worked out by hand.
"""

import itertools
import json
import math
import os
import re
import shutil
import sys
import unittest
from unittest import mock
from xml.etree import ElementTree

sys.dont_write_bytecode = True

from sandbox import DATA, GONE, SLUG, need_matplotlib, needs_jsonschema, pi, put
from test_render import RenderTest

from suite import naming, numerals
from suite.analyse import verdicts
from suite.documents import references, stored
from suite.documents.schema import ResultError
from suite.render import drawing, figures, index
from temporary import temporary_folder

EN_DASH = "–"


class EvidenceTest(RenderTest):
    """A copy of the site, its page and its charts (empty ones) up to date."""

    FIXTURE = DATA / "evidence" / "site"
    rendered_site = None

    def setUp(self):
        super().setUp()
        self.folder = self.site / "results" / SLUG
        self.quality = self.site / "results" / "quality.json"
        self.tests_page = self.quality.with_suffix(".md")
        self.story = self.site / "kernels" / "pi" / "README.md"

    def copy_fixture(self):
        """The site, rendered once for all tests."""
        if not EvidenceTest.rendered_site:
            super().copy_fixture()
            self.assertEqual(0, self.render().returncode)
            EvidenceTest.rendered_site = temporary_folder(unittest.addModuleCleanup) / "site"
            shutil.move(self.site, EvidenceTest.rendered_site)
        shutil.copytree(EvidenceTest.rendered_site, self.site)

    def path_of(self, name):
        """The file of a document of the device."""
        return self.folder / ("pi.json" if name == "pi" else f"pi-{name}.json")

    def change(self, name, action):
        """Change a document of the device."""
        path = self.path_of(name)
        document = json.loads(path.read_text())
        action(document)
        path.write_text(json.dumps(document))

    def change_quality(self, action):
        """Change the battery's document."""
        document = json.loads(self.quality.read_text())
        action(document)
        self.quality.write_text(json.dumps(document))

    def put(self, name, **values):
        """Change what a document of the device has at these paths, or the battery's."""
        path = self.quality if name == "quality" else self.path_of(name)
        document = json.loads(path.read_text())
        for place, value in values.items():
            put(document, place, value)
        path.write_text(json.dumps(document))

    def change_run(self, version, **values):
        self.put("pi", **{f"runs/{version}/{name}": value for name, value in values.items()})

    def device(self):
        return stored.load_device(self.folder, pi)

    def rendered(self):
        """The page, rendered anew; charts are left to other tests."""
        with mock.patch.object(drawing, "PYTHONS", ()):
            process = self.render()
        self.assertEqual(0, process.returncode, process.stderr)
        return self.page.read_text()

    def without_prose(self):
        """Take away the figures inside prose, for tests that take their data away."""
        for path in (self.readme, self.story):
            path.write_text(re.sub(r"<!--=.*?<!--/-->", "", path.read_text()))

    def environment(self):
        """In which no Python has matplotlib."""
        folder = self.root / "hidden"
        folder.mkdir()
        (folder / "matplotlib.py").write_text("raise ImportError('hidden')\n")
        return os.environ | {"PYTHONPATH": str(folder)}


def run_of(document, version):
    return next(run for run in document["runs"] if run["version"] == version)


def without_counts(kernel):
    """Nsight Compute did not say how busy any unit was."""
    kernel |= {"pipes": dict.fromkeys(kernel["pipes"]), "issue_pct": None, "shared_throughput_pct": None}


def kernel_of(document, version):
    return next(kernel for kernel in document["kernels"] if kernel["version"] == version)


def row_of(document, source):
    return next(row for row in document["rows"] if row["source"] == source)


def battery_of(document, source):
    """SmallCrush on one stream of a source."""
    run = {"battery": "SmallCrush", "source": source, "streams": 1}
    return next(record for record in document["runs"] if run.items() <= record.items())


def dieharder_of(document, source):
    """dieharder on one stream of a source."""
    wanted = {"battery": "dieharder", "source": source, "seed": 1234}
    return next(record for record in document["runs"] if wanted.items() <= record.items())


def cells(page, start):
    """The cells of the table row that starts so."""
    line = next(line for line in page.replace("\N{NO-BREAK SPACE}", " ").splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


class FixtureTest(EvidenceTest):
    def test_the_index_leads_to_every_section_of_every_page(self):
        """To the first of a ladder's page with its rate alone."""
        listed = self.index.read_text()
        for page, first in ((self.page, 1), (self.side_by_side, 1), (self.tests_page, 0)):
            path = page.relative_to(self.index.parent)
            headings = re.findall("^## (.*)$", page.read_text(), re.MULTILINE)
            for text in (f"]({path})", *(f"]({path}#{index.anchor(heading)})" for heading in headings[first:])):
                self.assertIn(text, listed)

    def test_texts_are_the_expected_ones(self):
        """Then there is nothing to do, and figures that are stale are replaced."""
        for path in (self.readme, self.story):
            self.assertEqual((self.FIXTURE / path.relative_to(self.site)).read_text(), path.read_text())
        for options in ((), ("--check",)):
            self.assertEqual("", self.succeeded(self.render(*options)).stdout)
        expected = self.texts()
        for path in (self.readme, self.story):
            path.write_text(re.sub(r"(<!--=.*?-->).*?(<!--/-->)", r"\1stale\2", path.read_text()))
        self.assertEqual(f"wrote {self.readme}\nwrote {self.story}\n", self.render().stdout)
        self.assertEqual(expected, self.texts())

    def test_every_chart_is_on_the_page(self):
        charts = {str(path.relative_to(self.site / "results")) for path in self.charts()}
        of_page = {f"{name}.svg" for name in ("ladder", "pipes", "time", "convergence")}
        self.assertEqual({f"{SLUG}/{name}" for name in of_page | {"pi-staircase.svg"}}, charts)
        self.assertEqual(of_page, self.images(self.page))

    def images(self, page):
        return set(re.findall(r"!\[[^\]]+\]\((\S+)\)", page.read_text()))

    def test_without_evidence_there_is_the_ladder_alone(self):
        for name in ("profile", "calls", "convergence", "ablations"):
            self.path_of(name).unlink()
        self.quality.unlink()
        page = self.rendered()
        self.assertIn("ladder.svg", page)
        for text in ("pipes.svg", "time.svg", "convergence.svg", "% of limit", "Ablation", "pi-profile.json", "pi-calls.json",
                     "quality.json", "believed"):  # fmt: skip
            self.assertNotIn(text, page)
        for path in ("v8.profile.issue_pct:.0f", "ranges(quality.lcg.linear.linear_bits)"):
            self.assertIn(f"<!--={path}-->{EN_DASH}<!--/-->", self.story.read_text())
        self.assertIn("<!--=v8.registers-->18<!--/-->", self.story.read_text())


# Tables


class LimitColumnTest(EvidenceTest):
    def test_the_table_of_steps_has_it(self):
        self.assertIn("issue slots 92", cells(self.page.read_text(), "v8: "))
        self.assertEqual(
            "issue slots 66", cells(self.page.read_text(), "v12: NVIDIA")[3]
        )  # of two kernels the sampling one counts

    def test_a_limit_that_is_not_known(self):
        self.without_prose()
        self.change("profile", lambda document: without_counts(kernel_of(document, "v8")))
        self.assertEqual(EN_DASH, cells(self.rendered(), "v8: ")[3])
        self.put("profile", **{"kernels/v8": GONE})
        self.assertEqual(EN_DASH, cells(self.rendered(), "v8: ")[3])

    def test_another_commit_and_uncommitted_changes_are_stated(self):
        self.assertNotIn("(rates:", self.page.read_text())
        self.put("calls", **{"context/dirty": True})
        self.assertIn("from commit 0123456789ab with uncommitted changes (rates: commit 0123456789ab)", self.rendered())
        self.put("profile", **{"context/commit": "f" * 40})
        stated = "from commit ffffffffffff (rates: commit 0123456789ab)."
        self.assertEqual(1, self.rendered().count(stated))
        self.put("profile", **{"kernels/v8/commit": "e" * 40})
        self.assertRegex(
            self.rendered(), r"from commit e{12} in 1 row, commit f{12} in the others \(rates: commit 0123456789ab\)"
        )


class BaseTest(EvidenceTest):
    """Tables, ablations and prose compare with the step that a record names, wherever that stands in the ladder."""

    def test_they_agree(self):
        # Rates are 0.0501, 1040 and 2594 samples/ns; the ablation's is 969.
        for base, step_factor, ablation_factor in (
            ("v1", "51,800", "19,300"),
            ("v8", "1.00", "0.374"),
            ("v3", "2.49", "0.932"),
        ):
            with self.subTest(base):
                self.change_run("v8", after=base)
                self.put("ablations", **{"runs/v3_volatile/after": base})
                self.story.write_text(
                    f"<!-- figures:{SLUG} -->\nsteps: <!--=v8.per_ns/v8.after.per_ns-->1<!--/--> of "
                    "<!--=v8.after-->v9<!--/-->, <!--=v3_volatile.per_ns/v3_volatile.after.per_ns-->1<!--/--> "
                    "of <!--=v3_volatile.after-->v9<!--/-->"
                )
                page = self.rendered()
                self.assertIn(f"{step_factor} ({base})", cells(page, "v8: "))
                self.assertIn(f"{ablation_factor} ({base})", cells(page, "v3_volatile"))
                prose = re.sub("<!--.*?-->", "", self.story.read_text()).strip()
                self.assertEqual(f"steps: {step_factor} of {base}, {ablation_factor} of {base}", prose)
        self.change_run("v8", after=GONE)
        self.assertEqual(EN_DASH, cells(self.rendered(), "v8: ")[2])


class AblationTest(EvidenceTest):
    def test_beside_the_step_and_failures(self):
        row = cells(self.page.read_text(), "v3_volatile")
        self.assertEqual("v3_volatile: v3, counter forced to memory", row[0])
        self.assertEqual(["969.0 [968.6, 969.4]", "1,040", "0.932 (v3)", "yes"], row[2:])
        row = cells(self.page.read_text(), "v10_one_family")
        self.assertEqual(r"failed (exit 4): `pi_v10_one_family: out \| of luck`", row[2])
        self.assertEqual([EN_DASH, EN_DASH], row[4:])
        self.without_prose()
        self.change_run("v3", error="no luck", exit=4)
        self.assertEqual([EN_DASH, f"{EN_DASH} (v3)"], cells(self.rendered(), "v3_volatile")[3:5])

    def test_ablations_are_no_steps(self):
        self.put(
            "pi", **{"runs/+": run_of(json.loads(self.path_of("pi").read_text()), "v8") | {"version": "v8_shared"}}
        )
        self.assertEqual(1, self.rendered().count("| v8_shared"))


class FailureTest(EvidenceTest):
    """What failed is told in every table that it belongs to, and everything else is rendered."""

    FAILED = r"failed (exit 4): `out \| of luck`"

    def fail(self, name, place, version):
        self.put(name, **{place: {"version": version, "error": "out | of luck", "exit": 4}})

    def test_of_a_step_a_profile_and_a_curve(self):
        self.fail("pi", "runs/v10", "v10")
        self.fail("profile", "kernels/v8", "v8")
        self.fail("convergence", "runs/+", "v9")
        page = self.rendered()
        self.assertIn(self.FAILED, cells(page, "v10 "))
        self.assertIn("2,594", cells(page, "v8: ")[1])
        self.assertEqual(EN_DASH, cells(page, "v8: ")[3])
        self.assertEqual(3, page.split("## What limits each step")[1].count(f"| v8 | {self.FAILED} |"))
        self.assertIn(f"- v9: {self.FAILED}", page)


class SoundColumnTest(EvidenceTest):
    def test_every_table_of_results_has_it(self):
        page = self.page.read_text()
        self.assertEqual("24 bits", cells(page, "v1: ")[-1])
        self.assertEqual("no", cells(page, "v8: ")[-1])
        self.assertEqual("yes", cells(page, "CPU, 1 thread")[-1])
        self.assertIn("[More](../quality.md)", page)
        self.assertIn("\n# Which random numbers can be trusted\n", self.tests_page.read_text())

    def test_what_it_says_of_each_verdict(self):
        cells_of = {"sound": "yes", "sound for 24-bit coordinates": "24 bits", "sound in bit planes": "bit planes",
                    "sound for 24-bit coordinates but for a known parity": "24 bits but a parity", "quasi-random": "quasi-random", "not tested": "not tested", "demonstration only": "no"}  # fmt: skip
        steps = ("v1", "v3", "v8", "v10", "v12", "cpu_openmp", "cpu_serial")
        self.put(
            "pi",
            **{f"runs/{step}/soundness": soundness for step, soundness in zip(steps, cells_of, strict=True)},
            **{"runs/v3/generator": "not tested"},
        )
        page = self.rendered()
        self.assertEqual([*cells_of.values()], [cells(page.split("<summary>")[1], step)[-2] for step in steps])

    def test_the_rate_of_all_timings_stands_beside_a_median_that_lacks_it(self):
        self.assertNotIn(" in all", self.page.read_text())
        self.change_run("v8", **{"per_ns/total": 2000.4})
        page = self.rendered()
        self.assertTrue(cells(page, "v8: ")[1].endswith(", 2,000 in all"))
        self.assertEqual(1, page.count("\n\nIn all: all work over all time"))

    def test_a_range_of_few_times_is_no_interval(self):
        self.change_run("v8", kernel_ms=[10.4216] * 5)
        self.assertEqual("2,594", cells(self.rendered(), "v8: ")[1])

    def test_rates_of_too_few_timings_are_marked(self):
        self.assertNotIn("§", self.page.read_text())
        self.change_run("v8", stopped="few_timings")
        self.change_run("v10", stopped="out_of_time")
        page = self.rendered()
        self.assertTrue(cells(page, "v8: ")[1].endswith("§"))
        self.assertNotIn("§", cells(page, "v10: ")[1])
        self.assertEqual(1, page.count("\n\n§ Fewer than 50 timings"))

    def test_steps_at_another_clock_than_most_are_named(self):
        self.put("pi", **{f"runs/{version}/sm_clock_mhz": 1980 for version in ("v1", "v3", "v8", "v10")})
        self.assertNotIn("SM clock", self.rendered())
        self.change_run("v8", sm_clock_mhz=1995)
        self.change_run("v10", sm_clock_mhz=None)
        said = "SM clock: 1,980 MHz, but 1,995 in v8. The ratios of these to others are off by as much."
        self.assertIn(said, self.rendered())

    def test_it_names_what_held_clocks_down(self):
        free = {"timings": 50, "power": 0, "thermal": 0, "sync_boost": 0, "other": 0, "min_c": 35, "max_c": 52}
        before = self.page.read_text()
        self.assertNotIn("clock held down", before)
        self.put("pi", **{f"runs/{version}/throttle": throttle for version, throttle in (("v1", None), ("v3", free))})
        self.assertEqual(before, self.rendered())
        self.change_run("v8", throttle=free | {"power": 3, "thermal": 1, "max_c": 83})
        self.change_run("v10", throttle=free | {"timings": 1000, "power": 1000})
        lines = [line for line in self.rendered().splitlines() if "clock held down" in line]
        self.assertEqual(
            [
                "- clock held down by power cap: v8 in 3 of 50 timings (up to 83 °C), v10 in 1,000 of 1,000 timings (up to 52 °C)",
                "- clock held down by heat: v8 in 1 of 50 timings (up to 83 °C)",
            ],
            lines,
        )

    def test_rates_whose_intervals_overlap_have_no_ratio(self):
        self.change_run("v3", per_ns={"median": 20.0, "low": 19.0, "high": 21.0, "min": 19.0, "max": 21.0})
        for high, ratio in ((19.0, "overlap (v3)"), (18.9, "0.900 (v3)")):
            self.change_run(
                "v8", after="v3", per_ns={"median": 18.0, "low": 17.0, "high": high, "min": 17.0, "max": high}
            )
            self.assertEqual(ratio, cells(self.rendered(), "v8: ")[2])

    def test_rates_of_dependent_samples_are_marked(self):
        self.assertNotIn("dependent", self.page.read_text())
        self.put("pi", **{"runs/v8/outcome/independent": "blocks", "runs/v10/outcome/independent": "launches"})
        page = self.rendered()
        for step in ("v8: ", "v10: "):
            self.assertTrue(cells(page, step)[1].endswith(" (dependent)"))
        self.assertNotIn("(dependent)", cells(page, "v3: ")[1])
        self.assertIn("do not compare these rates", page)


class BatteryTest(EvidenceTest):
    def changed(self, **values):
        """The page of the battery, rendered with something else at these paths."""
        self.put("quality", **values)
        self.rendered()
        return self.section()

    def test_a_row_for_each_stream_and_the_facts_in_the_first(self):
        self.assertTrue(self.rows("cuRAND XORWOW (v1, v3, v12)"))
        first, second = self.rows("LCG 1664525, 1013904223 (v8)")
        facts = ["1.0080 ± 0.0007", "2.74 × 10⁻⁷", "3.6 × 10¹³", "2.1 × 10⁹"]
        verdict = (
            "demonstration only: PractRand, SmallCrush, variance of the hits (GPU), linear bits 0 to 12, short cycle"
        )
        self.assertEqual(["1", "2 failed, 1 weak of 18", *facts, verdict], first[1:])
        self.assertEqual(["", "1,024", "0 failed, 0 weak of 18", *[""] * 5], second)
        # The same words have the same results.
        other = self.rows("LCG 1664525, 1013904223 (v8)"), self.rows("LCG 1664525, 1013904223 (v10)")
        self.assertEqual(*[[row[1:3] for row in rows] for rows in other])

    def test_the_page_begins_with_what_each_generator_may_be_used_for(self):
        self.put(
            "pi",
            **{
                "runs/v3/generator": "cuRAND XORWOW",
                "runs/v12/generator": "cuRAND XORWOW",
                "runs/v8/generator": "cuRAND XORWOW",
            },
        )
        self.rendered()
        before, table = self.section().split("| :--- | :--- | :--- | ---: | :--- | :--- | :--- |\n")
        self.assertNotIn("## ", before.partition("# Which random numbers can be trusted")[2])
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.split("\n\n")[0].splitlines()]
        # v12 draws more than v3: 6.08 * 10^11 bytes. v8 says that its words are for demonstration: no test read them as such.
        self.assertIn(
            [
                "cuRAND XORWOW",
                "pi v3, v12",
                "upper 24 bits",
                "512 MiB (0.088 %)",
                "SmallCrush",
                "0 failed, 1 weak of 36",
                "linear bits 0, 1",
            ],
            rows,
        )
        self.assertIn(["cuRAND XORWOW", "pi v8", "nothing", *[EN_DASH] * 4], rows)
        uses = [row[2] for row in rows]
        self.assertEqual(["whole words", "upper 24 bits", "nothing"], uses[:3])

    def test_a_battery_counts_if_every_form_has_passed_it(self):
        def change(document):
            records = [
                record
                for record in document["runs"]
                if record["source"] == "philox" and record["battery"] == "SmallCrush"
            ]
            document["runs"] += [record | {"battery": "Crush", "count": 144} for record in records]

        row = lambda: next(line for line in self.section().splitlines() if line.startswith("| cuRAND Philox4_32_10 | "))
        self.change_quality(change)
        self.rendered()
        self.assertIn("| 512 MiB | Crush |", row())
        self.change_quality(lambda document: document["runs"].pop())
        self.rendered()
        self.assertIn("| 512 MiB | SmallCrush |", row())

    def test_dispersion_is_the_gpus_where_it_has_one(self):
        page = self.changed(**{"gpu/rows/xorwow": GONE})
        self.assertEqual("1.0005 ± 0.0014 (CPU)", self.rows("cuRAND XORWOW (")[0][3])
        self.assertIn("4,194,304 streams of 100,000 samples on NVIDIA Fixture 9000", page)
        page = self.changed(gpu=None)
        self.assertEqual("1.0015 ± 0.0014", self.rows("LCG 1664525, 1013904223 (v8)")[0][3])
        self.assertIn("1,048,576 streams of 500 samples on the CPU", page)

    def test_family_wise_error_specimens_and_runs_of_batteries(self):
        # Two seeds of 18 p-values; and 18 for each of two streams of three generators with words of their own.
        self.assertIn("seeds 1, 2: 0 failed, 0 weak of 36 p-values", self.section())
        self.assertIn("36 × 10⁻⁶ = 3.6 × 10⁻⁵; for all 144 p-values here it is 1.4 × 10⁻⁴", self.section())
        found = {row[0].split(":")[0]: row[1] for row in self.rows("constant") + self.rows("trinomial_63_1:")}
        self.assertEqual("variance of the hits; distribution of the hits; linear bits 0 to 31", found["trinomial_63_1"])
        self.assertTrue(
            found["constant"].startswith("dieharder: 3 of 18 (1 stream), 3 of 18 (1,024 streams); pairs x, y;")
        )
        self.assertIn("of TestU01 (version 1.2.3) and PractRand (version 0.94)", self.section())
        self.assertEqual(["0 failed, 0 weak of 45 (832 MiB each)", "0 failed, 0 weak of 696 (512 MiB each)"],
                         self.cells_of("| cuRAND XORWOW (v1, v3, v12) | upper 24 bits, packed |"))  # fmt: skip
        self.assertEqual(
            ["1 failed, 1 weak of 150 (64 MiB)"], self.cells_of("| lcg | words, 1,024 streams | PractRand |")
        )
        self.assertEqual(["no result"], self.cells_of("| xorshift32 | words, 1 stream | PractRand |"))

    def test_what_shows_in_short_streams_only_and_at_full_size(self):
        # Correlations of -0.0038 with an sd of 0.0002.
        line = "Streams of only 500 samples show more, which is not part of the verdict: xorwow (hits 2 apart)."
        self.assertIn(line, self.section())
        self.assertNotIn("not part of the verdict", self.changed(**{"rows/xorwow/lags": None}))
        line = "- lcg, 1 stream: 3 failed, 1 weak of 5: diehard_rank_32x32 0, sts_serial 2, diehard_sums 0"
        self.assertIn(line, self.section())
        self.change_quality(
            lambda document: document.update(
                runs=[record for record in document["runs"] if record["battery"] != "dieharder -a"]
            )
        )
        self.rendered()
        self.assertNotIn("full size", self.section())

    def test_reasons_and_what_is_missing(self):
        """With several versions of a generator, one without a bias, and a stream of the start-up."""
        document = json.loads(self.quality.read_text())
        failed, start_up = {"p": 0.0, "assessment": "failed"}, {"streams": 2**24, "iters": 8}
        document["runs"].append(dieharder_of(document, "philox") | start_up)
        battery_of(document, "philox")["results"] = [{"test": "Gap"} | failed]
        dieharder_of(document, "xorwow")["results"].pop(0)
        self.quality.write_text(json.dumps(document))
        philox = {"differences/1/p": 0.0, "differences/3/p": 0.0, "bias": 0.0, "bias_samples": None}
        self.changed(**{f"rows/philox/{name}": value for name, value in philox.items()}, **{
            "rows/trinomial_63_1/parities/0/p_largest": 0.0, "rows/xorwow/versions": ["v1", "v2", "v3", "v4", "v12"]})  # fmt: skip
        rows = self.rows("cuRAND Philox4_32_10 (")
        self.assertEqual(EN_DASH, rows[0][5])
        self.assertEqual("demonstration only: SmallCrush, differences of words 2, 4 apart", rows[0][-1])
        self.assertEqual("16,777,216, start-up", rows[2][1])
        self.assertIn("; parities of lanes 0, 1;", self.rows("trinomial_63_1:")[0][1])
        text = "not tested: no result of dieharder: 1 of 17 tests (1 stream)"
        self.assertEqual(text, self.rows("cuRAND XORWOW (v1 to v4, v12)")[0][-1])

    def test_missing_results_of_batteries_and_versions_are_said(self):
        def change(document):
            document["runs"] = [record for record in document["runs"] if record["battery"].startswith("dieharder")
                                or record["battery"] == "SmallCrush" and record["streams"] != 1024]  # fmt: skip
            crush = {"battery": "Crush", "count": 144, "results": [{"test": "Gap", "p": 1e-5, "assessment": "weak"}]}
            document["runs"].append(battery_of(document, "philox") | crush)
            battery_of(document, "philox").update(version=None)

        self.change_quality(change)
        self.rendered()
        self.assertIn("of TestU01 (version 1.2.3) and PractRand (no results: it was not installed)", self.section())
        expected = ["0 failed, 0 weak of 30 (832 MiB each); no result of 1,024 streams",
                    "0 failed, 1 weak of 144 (832 MiB); no result of 1,024 streams, 65,536 streams", "no result"]  # fmt: skip
        self.assertEqual(expected, self.cells_of("| cuRAND Philox4_32_10 (v6) | words |", 0))

    def test_long_runs_and_how_far_they_have_come(self):
        start = "| cuRAND Philox4_32_10 (v6) | words | "
        self.assertIn(f"{start}not run | not run |", self.section())

        def big_crush(tests, **result):
            return [{"test": "Gap", "number": test, "p": 0.5, "assessment": "passed"} | result for test in tests]

        def change(document, **changes):
            philox = battery_of(document, "philox") | {"seed": 4321, "streams": 65_536, "iters": None}
            document["runs"] = [record for record in document["runs"] if record["seed"] != 4321] + [
                philox | {"battery": battery, "results": [], "count": 300} | own for battery, own in changes.items()]  # fmt: skip

        unfinished = {
            "BigCrush": {"results": big_crush(range(1, 41)), "count": 40, "bytes": 2**38},
            "PractRand": {"bytes": 2**36},
        }
        self.change_quality(lambda document: change(document, **unfinished))
        self.rendered()
        self.assertIn(f"{start}0 failed, 0 weak of 40 (so far 40 of the 106 tests of BigCrush, 256 GiB) | 0 failed, 0 weak of 300 (so far 64 GiB) |",
                      self.section())  # fmt: skip
        so_far = "| whole words | 64 GiB | SmallCrush, so far 40 of the 106 tests of BigCrush |"
        self.assertIn(so_far, self.section())
        whole = {
            "BigCrush": {"results": big_crush(range(1, 107)), "count": 106, "bytes": 2**40},
            "PractRand": {"bytes": 2**38},
        }
        self.change_quality(lambda document: change(document, **whole))
        self.rendered()
        row = f"{start}0 failed, 0 weak of 106 (BigCrush, 1 TiB) | 0 failed, 0 weak of 300 (256 GiB) |"
        self.assertIn(row, self.section())
        self.assertIn("| whole words | 256 GiB | SmallCrush, BigCrush |", self.section())
        failed = {"BigCrush": {"results": big_crush([34], p=0.0, assessment="failed"), "count": 1, "bytes": 2**30}}
        self.change_quality(lambda document: change(document, **failed))
        self.rendered()
        self.assertIn("demonstration only: BigCrush", self.rows("cuRAND Philox4_32_10 (")[0][-1])

    def test_what_part_of_a_run_was_tested(self):
        """2^29 bytes, of which each word has three."""
        # 27,033,600,000 samples of two words in each of three launches: 4.87 * 10^11 bytes.
        steps = lambda: cells(self.page.read_text().split("<summary>")[1], "v3:")[-2]
        self.assertEqual("24 bits (512 MiB, 0.11 %)", steps())
        for launches, part in ((1, "0.33 %"), (300, "0.0011 %")):
            self.put("pi", **{"runs/v3/launches": launches})
            self.rendered()
            self.assertEqual(f"24 bits (512 MiB, {part})", steps())
        self.put("pi", **{"runs/v3/work": 1000})
        self.rendered()
        self.assertEqual("24 bits (512 MiB, over 100 %)", steps())

    def cells_of(self, start, place=None):
        """The cells after the start of the only line that begins so, or of the one in this place."""
        lines = [line for line in self.section().splitlines() if line.startswith(start)]
        (line,) = lines if place is None else lines[place : place + 1]
        return [cell.strip() for cell in line.removeprefix(start).split("|")[:-1]]

    def test_markers_without_their_other_half(self):
        start, end = "<!-- code:a -->\n", "<!-- /code -->\n"
        for text in (start, end, start + start + end, start + end + end):
            with self.subTest(text):
                self.story.write_text(text)
                self.assert_refused(str(self.story), "<!-- code:<file:place> -->")

    def section(self):
        return self.tests_page.read_text()

    def rows(self, start):
        """The cells of the rows of the generator that starts so, until that of the next one."""
        lines = [line for line in self.section().splitlines() if line.startswith("|")]
        first = next(number for number, line in enumerate(lines) if line.startswith(f"| {start}"))
        rest = itertools.takewhile(lambda line: line.startswith("|  |"), lines[first + 1 :])
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in (lines[first], *rest)]


# Figures inside prose


class FigureTest(EvidenceTest):
    def test_paths_of_versions(self):
        texts = {
            "v8.per_ns": "2,594", "cpu_openmp.per_ns": "4.37", "v3_volatile.per_ns": "969",
            "v8.registers": "18", "v8.power_w:.0f": "560", "v8.soundness": "demonstration only", "v8.outcome.bias:.2e": "4.74 × 10⁻⁸",
            "v8.after": "v3", "v8.after.per_ns": "1,040", "median(v12.phases_ms.seed)": "1.23",
            "v8.profile.ipc:.2f": "3.69", "v8.profile.issue_pct:.0f": "92", "v8.profile.pipes.lsu:.1f": "0.1",
            "v8.profile.limit.name": "issue slots", "v8.profile.stalls[0].reason": "not selected",
            "v8.profile.thread_instructions_per_sample": "12.9", "v12.profile.duration_ms": "45.9",
            "v12.profile.setup.duration_ms": "1.20",
            "v8.per_ns/v3.per_ns": "2.49", "v1.per_ns / v8.per_ns": "0.0000193",
            "v8.per_ns/cpu_openmp.per_ns": "594", "v8.per_joule/1e9": "4.63",
            "v8.per_ns/v8.after.per_ns": "2.49", "100*v8.profile.stalls[2].share:.1f": "8.3",
            "v12.profile.setup.dram_bytes/1e6:.1f": "56.6",
        }  # fmt: skip
        device = self.device()
        self.assertEqual(texts, {path: figures.figure(path, device) for path in texts})
        # Of several kernels the longest counts.
        kernel = kernel_of(json.loads(self.path_of("profile").read_text()), "v8")
        self.put(
            "profile",
            **{"kernels/+": kernel | {"kernel": "add", "duration_ms": kernel["duration_ms"] / 100, "ipc": 0.01}},
        )
        self.assertEqual("3.69", figures.figure("v8.profile.ipc:.2f", self.device()))

    def test_paths_of_the_battery(self):
        texts = {
            "quality.lcg.verdict": "demonstration only", "quality.lcg.bias:.2e": "2.74 × 10⁻⁷",
            "quality.lcg.bias_samples:.1e": "3.6 × 10¹³", "ranges(quality.lcg.linear.linear_bits)": "0 to 12",
            "ranges(quality.philox.linear.linear_bits)": "none", "quality.xorwow.linear.complexity[0]": "162",
            "quality.lcg.gpu.dispersion.streams": "4,194,304", "quality.lcg.gpu.dispersion.variance_ratio:.4f": "1.0080",
            "quality.lcg.gpu.overlap.overlapping": "1.00", "quality.lcg.dispersion.streams": "1,048,576",
            "quality.lcg.dispersion.variance_sd:.4f": "0.0014", "quality.xorwow.lags.correlation[1]:.4f": "-0.0038",
        }  # fmt: skip
        quality = verdicts.load_stored(self.site / "results")
        self.assertEqual(texts, {path: figures.figure(path, None, quality) for path in texts})

    def test_no_results_of_the_device(self):
        self.story.write_text(
            "<!-- figures:another-gpu --> a <!--=v8.registers-->18<!--/-->, <!--=v8.power_w/2-->2<!--/-->"
        )
        self.assertEqual(0, self.render().returncode)
        text = f"a <!--=v8.registers-->{EN_DASH}<!--/-->, <!--=v8.power_w/2-->{EN_DASH}<!--/-->"
        self.assertTrue(self.story.read_text().endswith(text))

    def test_check_finds_an_edited_figure(self):
        self.edit(self.story, ">2,594<", ">2,595<")
        self.assert_ends(self.render("--check"), 1, str(self.story), "differs")

    def test_no_kernel_readme(self):
        shutil.rmtree(self.story.parent)
        self.assertEqual(0, self.render("--check").returncode)

    def test_paths_that_lead_nowhere(self):
        paths = ("", "v8", "v8.", "v8.speed", "v8.per_ns.speed", "v8.profile", "v8.profile.speed", "v8.setup.ipc", "v8/v3",
                 "v8.per_ns/v3", "v9.registers", "v9.profile.ipc", "v9_volatile.registers", "v8.after.speed",
                 "v8.profile.stalls", "v8.profile.stalls.reason", "v8.profile[0]", "v8.registers:.0x", "v8.soundness:.0f", "v8.soundness/2",
                 "v8.registers+1", "().__class__", "open", "[v8.registers]", "abs(v8.outcome.bias)", "median(v8.registers)", "quality.lcg", "quality.v8.verdict", "quality.lcg.speed",
                 "quality.lcg.linear.complexity[32]", "quality.lcg.gpu.speed")  # fmt: skip
        device, quality = self.device(), verdicts.load_stored(self.site / "results")
        for path in paths:
            with self.subTest(path), self.assertRaises(figures.Unknown):
                figures.figure(path, device, quality)
        self.write_story("a <!--=v8.profile.setup.ipc-->1<!--/-->")
        self.assert_ends(self.render(), 0, str(self.story), "v8.profile.setup.ipc is a dash")
        self.write_story("a <!--=v8.speed-->1<!--/-->")
        self.assert_refused(str(self.story), "v8.speed: no row has the field speed")

    def test_figures_that_are_not_there(self):
        def take_away(name, **values):
            return lambda: self.put(name, **values)

        missing = dict.fromkeys(
            ("median(v8.phases_ms.seed)", "v8.profile.bytes_per_sector", "v8.profile.setup.ipc", "v10_one_family.registers",
             "v10_one_family.profile.ipc", "v1.after.registers", "v8.registers/0", "quality.constant.lags.sd",
             "quality.xorwow.gpu.overlap.overlapping"), lambda: None,
        ) | {
            "v8.power_w": take_away("pi", **{"runs/v8/power_w": None}),
            "v10.registers": take_away("pi", **{"runs/v10/error": "no luck", "runs/v10/exit": 4}), "v8.per_ns/v10.per_ns": lambda: None,
            "v8.profile.pipes.xu": take_away("profile", **{"kernels/v8/pipes/xu": None}),
            "v8.profile.limit.pct": lambda: self.change("profile", lambda d: without_counts(kernel_of(d, "v8"))),
            "v8.profile.stalls[1].share": take_away("profile", **{"kernels/v8/stalls": []}),
            "quality.lcg.gpu.dispersion.iters": take_away("quality", gpu=None),
        }  # fmt: skip
        for path, remove in missing.items():
            with self.subTest(path):
                remove()
                text, warnings = self.filled(f"a <!--={path}-->1<!--/--> and <!--={path}-->1<!--/-->")
                self.assertEqual(2, text.count(f"-->{EN_DASH}<!--"))
                (warning,) = warnings
                self.assertIn(f"{self.story}: {path} is a dash: ", warning)

    def test_markers_that_are_refused(self):
        marker = "<!--=v8.registers-->"
        broken = [f"a {text}" for text in (f"{marker}18", "18<!--/-->", f"{marker[:-3]} 18<!--/-->", f"{marker}18\n<!--/-->",
                                           f"{marker}{marker}18<!--/-->")]  # fmt: skip
        at_a_start = [f"{start}{marker}18<!--/-->" for start in ("", "  ", "- ", "12. ", "> ", "> * ")]
        said = dict.fromkeys(broken, "README.md.*other half") | dict.fromkeys(at_a_start, "v8.registers begins a line")
        for text, complaint in said.items():
            with self.subTest(text), self.assertRaisesRegex(ResultError, complaint):
                self.filled(text)

    def test_a_device_holds_until_another_is_named(self):
        own, other = self.device(), self.device()._replace(result={"runs": [{"version": "v8", "registers": 99}]})
        figure = "a <!--=v8.registers-->?<!--/-->"
        text = f"<!-- figures:{SLUG} -->\n{figure}\n<!-- figures:another-gpu -->\n{figure}\n<!-- figures:{SLUG} -->\n{figure}\n"
        text = figures.with_figures(self.story, text, {SLUG: own, "another-gpu": other})
        self.assertEqual(["18", "99", "18"], re.findall(r"-->(\w+)<!--/", text))
        with self.assertRaisesRegex(ResultError, "figures:<device>"):
            figures.with_figures(self.story, f"{figure} <!-- figures:{SLUG} -->", {SLUG: own})

    def filled(self, text):
        """The text with its figures, and the warnings."""
        warnings, quality = [], verdicts.load_stored(self.site / "results")
        text = f"<!-- figures:{SLUG} -->\n{text}"
        return figures.with_figures(self.story, text, {SLUG: self.device()}, quality, warnings.append), warnings

    def write_story(self, text):
        self.story.write_text(f"<!-- figures:{SLUG} -->\n{text}\n")


# Broken data


class BrokenEvidenceTest(EvidenceTest):
    NAMES = ("profile", "calls", "convergence", "ablations")

    def test_a_file_cut_in_half(self):
        for name in self.NAMES:
            path, text = self.path_of(name), self.path_of(name).read_text()
            path.write_text(text[: len(text) // 2])
            self.assert_refused(str(path), "cut short")
            path.write_text(text)

    @needs_jsonschema
    def test_values_that_there_are_not(self):
        a_run = json.loads(self.path_of("calls").read_text())["runs"][0]
        a_curve = json.loads(self.path_of("convergence").read_text())["runs"][0]
        a_kernel = kernel_of(json.loads(self.path_of("profile").read_text()), "v8")
        trace = "runs/0/outcome/trace"
        changes = {
            "calls": [("runs", None), ("runs", [3]), ("study", "merit"), ("runs/0/work", "1000"), ("runs/0/version", GONE),
                      ("runs/0/work", GONE), ("runs/0/kernel_ms/median", 0), ("runs/0/kernel_ms/low", 1e9), ("runs/+", a_run)],
            "convergence": [("runs", None), ("runs/+", 3), ("runs/0/outcome/bias", GONE), (trace, [[1000]]), (trace, [[0, 0]]),
                            (trace, [[1000.5, 700]]), ("runs/+", a_curve), ("runs/+", {"version": "v9", "error": 4})],
            "profile": [("kernels", {}), ("kernels/v8/pipes", GONE), ("kernels/v8/pipes/alu", "81"), ("kernels/+", a_kernel),
                        ("kernels/v8/shared_throughput_pct", "many"), ("kernels/+", {"version": "v9", "error": None})],
            "pi": [("context/idle_power_w", "76"), ("runs/v8/power_w", "560"), ("runs/v8/per_joule", []), ("runs/v8/soundness", True)],
            "ablations": [(f"runs/v3_volatile/{name}", value) for name, value in (
                ("after", 3), ("version", "v3-volatile"), ("version", "v8_shared"), ("team", {"size": 2}))],
        }  # fmt: skip
        for name, places in changes.items():
            for place, value in places:
                with self.subTest(name, place=place, value=value):
                    self.assert_broken(self.path_of(name), lambda: self.device(), f"{name}.json: ", name, place, value)

    def assert_broken(self, path, load, complaint, name, place, value):
        """load refuses what is stored at this path once it has this value."""
        text = path.read_text()
        self.put(name, **{place: value})
        with self.assertRaisesRegex(ResultError, complaint):
            load()
        path.write_text(text)

    @needs_jsonschema
    def test_a_broken_battery(self):
        document = json.loads(self.quality.read_text())
        lcg, small_crush = (document["runs"].index(find(document, "lcg")) for find in (dieharder_of, battery_of))
        for place, value in (
            ("suite", "options"), ("rows", {}), ("gpu", GONE), ("runs", GONE), ("rows/+", {}), ("rows/lcg/verdict", GONE),
            ("rows/lcg/bias", "small"), ("rows/lcg/linear", {}), ("rows/lcg/dispersion/p_variance", GONE), ("rows/lcg/serial/xy", GONE),
            ("rows/lcg/words_sha256", GONE), (f"runs/{lcg}/form", "bits"), (f"runs/{lcg}/results/0/p", "0.5"),
            (f"runs/{lcg}/results/0/tsamples", GONE), ("gpu/context", GONE),
            ("gpu/rows/lcg/serial", GONE), (f"runs/{small_crush}/bytes", GONE), (f"runs/{small_crush}/words_sha256", GONE),
        ):  # fmt: skip
            with self.subTest(place):
                complaint = re.escape(str(self.quality))
                self.assert_broken(
                    self.quality, lambda: verdicts.load_stored(self.quality.parent), complaint, "quality", place, value
                )
        self.put("quality", rows={})
        self.assert_refused(str(self.quality))

    @needs_jsonschema
    def test_references(self):
        path = self.site / "results" / "reference" / "logic.json"
        text = path.read_text()
        for old, new in (
            ("350", "[350]"),
            ("350", "true"),
            ('"rows": [', '"rows": [3,'),
            ('"rows": [', '"rows": 5, "others": ['),
            ('"year": 2001', '"year": "2001"'),
        ):
            with self.subTest(new):
                self.edit(path, old, new)
                with self.assertRaisesRegex(ResultError, f"{path}: not a reference table"):
                    references.load_references(path.parent)
            path.write_text(text)
        self.edit(path, '"samples_per_ns": 350', '"samples_per_ns": 350, "power_wat": 45')
        with self.assertRaisesRegex(ResultError, f"{path}: no column has the key power_wat of a row"):
            references.load_references(path.parent)


# What charts show


class ChartDataTest(EvidenceTest):
    def chart(self, name):
        return self.charts()[self.folder / name]

    def test_rates_in_step_order(self):
        chart = self.chart("ladder.svg")
        rows, lines = chart["rows"], {line["label"]: line["rate"] for line in chart["lines"]}
        labels = ["CPU, 1 thread", "CPU, 16 threads", "v1: Naive", "v3: Threads per block", "v8: LCG and register"]
        self.assertEqual(labels, [row["label"] for row in rows[:5]])
        self.assertEqual(["cpu", "cpu", "sound", "sound", "demonstration", "demonstration", "sound"],
                         [row["kind"] for row in rows])  # fmt: skip
        self.assertEqual([{"median": 2594.0, "low": 2592.96, "high": 2595.04}], rows[4]["rates"])
        self.assertEqual(["2,594"], rows[4]["texts"])
        self.assertEqual({"Old GPU: 548": 548, "Unmeasured logic: 350": 350}, lines)
        self.assertTrue(chart["note"].endswith("dot. Dashed: the best figures of others."))
        shown = [row["rates"][0]["median"] for row in rows] + list(lines.values())
        self.assertTrue(chart["range"][0] < min(shown) and max(shown) < chart["range"][1])

    def test_rates_of_few_timings_and_of_dependent_samples_are_marked_and_a_failed_step_keeps_its_place(self):
        self.put("pi", **{"runs/v3/stopped": "few_timings", "runs/v10/outcome/independent": "launches", "runs/v10/outcome/sigma": None,
                          "runs/v1": {"version": "v1", "error": "no luck", "exit": 4}})  # fmt: skip
        chart = self.chart("ladder.svg")
        rows = {row["label"]: row for row in chart["rows"]}
        self.assertEqual(["v3: Threads per block"], [name for name in rows if rows[name]["texts"][0].endswith("§")])
        self.assertIn("§: fewer than 50 timings.", chart["note"])
        self.assertEqual(["v10: LCG multistream"], [name for name in rows if rows[name]["kind"] == "dependent"])
        self.assertEqual({"label": "v1", "kind": "sound", "rates": [], "texts": ["failed"]}, chart["rows"][2])

    def test_the_best_rate_so_far(self):
        chart = self.chart("pi-staircase.svg")
        self.assertEqual(["v1", "3", "8", "10", "12"], [row["label"] for row in chart["rows"]])
        self.assertEqual([True, True, True, True, False], [row["is_best"] for row in chart["rows"]])
        # 1040 / 0.0501, 2594 / 1040; v3's words are the ladder's, v8's too. v10 is faster by 7 %, which needs no reason.
        reasons = ["", "× 20,800 full warps", "× 2.49 one multiply-add a word", "", ""]
        self.assertEqual(reasons, [row["reason"] for row in chart["rows"]])
        lines = {line["label"]: (line["rate"], line["is_cpu"]) for line in chart["lines"]}
        self.assertEqual({"CPU, 16 threads: 4.37": (4.37, True), "Old GPU: 548": (548, False)}, lines)
        shown = [row["rate"] for row in chart["rows"]] + [line["rate"] for line in chart["lines"]]
        self.assertTrue(chart["range"][0] < min(shown) and max(shown) < chart["range"][1])

    def test_a_step_that_failed_is_left_out(self):
        self.put("pi", **{"runs/v1": {"version": "v1", "error": "no luck", "exit": 4}})
        self.assertEqual(["v3", "8", "10", "12"], [row["label"] for row in self.chart("pi-staircase.svg")["rows"]])

    def test_steps_with_dependent_samples_are_not_the_best(self):
        self.put("pi", **{"runs/v8/outcome/independent": "launches", "runs/v8/outcome/sigma": None})
        rows = {row["label"]: row for row in self.chart("pi-staircase.svg")["rows"]}
        self.assertEqual(("dependent", False, ""), tuple(rows["8"][name] for name in ("kind", "is_best", "reason")))
        self.assertEqual("demonstration", rows["10"]["kind"])
        self.assertEqual("× 2.67 LCG multistream", rows["10"]["reason"])  # 2779 / 1040

    def kernels(self):
        return {row["label"]: row for row in self.chart("pipes.svg")["rows"]}

    def test_where_the_time_of_a_sample_goes(self):
        chart = self.chart("pipes.svg")
        rows = self.kernels()
        self.assertEqual(["v1", "v3", "v8", "v10", "v12"], list(rows))
        # 1 / 2594 ns; FMA heavy is busier than FMA lite, and memory is not busy for 5 %.
        self.assertEqual({"issue slots": 92.3, "ALU": 81.2, "FMA": 61.0}, rows["v8"]["busy"])
        self.assertEqual((0.385505, "0.386 ps: issue slots 92 %"), (rows["v8"]["time"], rows["v8"]["text"]))
        self.assertEqual("20,000 ps: latency", rows["v1"]["text"])
        # The axis ends at the longest time up to 6 times the shortest: v12's, 1 / 736 ns, of 1 / 2779.
        self.assertEqual(rows["v12"]["time"], chart["longest"])
        self.assertIn("A bar with a gap", chart["note"])

    def test_units_that_are_idle_and_kernels_that_are_short_are_left_out(self):
        for busy, is_drawn in ((4.9, False), (5.1, True)):
            self.put("profile", **{"kernels/v8/pipes/xu": busy})
            self.assertEqual(is_drawn, "XU" in self.kernels()["v8"]["busy"])
        kernel = kernel_of(json.loads(self.path_of("profile").read_text()), "v8")
        self.put("profile", **{"kernels/v8/kernel": "draw", "kernels/+": kernel | {"kernel": "count"}})
        last = len(json.loads(self.path_of("profile").read_text())["kernels"]) - 1
        for share, is_drawn in ((0.019, False), (0.021, True)):
            self.put("profile", **{"kernels/v8/duration_ms": 1 - share, f"kernels/{last}/duration_ms": share})
            self.assertEqual(is_drawn, "v8 count" in self.kernels())
        # Kernels of one step share its time.
        times = [row["time"] for row in self.chart("pipes.svg")["rows"] if row["label"].startswith("v8")]
        self.assertAlmostEqual(1e3 / 2594, sum(times), places=5)

    def test_a_gpu_with_one_fma_pipe_and_nothing_busy(self):
        self.put("profile", **{"kernels/v8/pipes/fmaheavy": None, "kernels/v8/pipes/fmalite": None})
        self.assertEqual(44.0, self.kernels()["v8"]["busy"]["FMA"])
        pipes = dict.fromkeys(kernel_of(json.loads(self.path_of("profile").read_text()), "v8")["pipes"], 39.9)
        for issue, said in ((39.9, "latency"), (40.0, "issue slots 40 %")):
            self.put("profile", **{"kernels/v8/issue_pct": issue, "kernels/v8/pipes": pipes})
            self.assertIn(f"ps: {said}", self.kernels()["v8"]["text"])

    def test_no_figures_at_all(self):
        self.without_prose()
        self.change("profile", lambda document: list(map(without_counts, document["kernels"])))
        self.assertNotIn("pipes.svg", {path.name for path in self.charts()})
        self.assertNotIn("pipes.svg", self.rendered())

    def test_where_a_version_overtakes_the_cpu(self):
        # The CPU takes 1 ns a sample. v3 takes 1 ms, so that 10^6 samples are as fast on both; v8 is always faster,
        # v1 never. The slopes are exact between the points.
        cpu = [(10**power, 10 ** (power - 6)) for power in (4, 5, 6, 7, 8)]
        self.put_times({"cpu_openmp": cpu, "v1": [(s, 2 * ms) for s, ms in cpu], "v3": [(10**p, 1) for p in (3, 5, 8)],
                    "v8": [(s, ms / 2) for s, ms in cpu]})  # fmt: skip
        chart = self.chart("time.svg")
        self.assertEqual(["CPU, 16 threads", "v1", "v3", "v8"], [curve["label"] for curve in chart["curves"]])
        self.assertEqual([[1e6, 1.0]], chart["circles"])
        texts = ["v1: at no size", "v3: from 1.0 × 10⁶ samples", "v8: at every size"]
        self.assertEqual(["Faster than CPU, 16 threads", *texts], chart["overtaking"])
        # Between points it is on the straight line: from 3 times the CPU's time to a third of it: half way, on a logarithmic scale.
        self.put_times({"cpu_openmp": [(10**4, 1), (10**6, 1)], "v3": [(10**4, 3), (10**6, 1 / 3)]})
        [(samples, ms)] = self.chart("time.svg")["circles"]
        self.assertAlmostEqual(1, samples / 1e5, places=5)
        self.assertAlmostEqual(1, ms, places=5)
        # The last crossing counts.
        self.put_times({"cpu_openmp": [(10**p, 1) for p in range(3, 8)],
                    "v3": [(10**3, 0.5), (10**4, 2), (10**5, 2), (10**6, 0.5), (10**7, 0.1)]})  # fmt: skip
        [(samples, _)] = self.chart("time.svg")["circles"]
        self.assertAlmostEqual(5.5, math.log10(samples), places=5)

    def test_curves_that_lie_on_each_other_are_one(self):
        curve = [(10**power, 10.0 ** (power - 6)) for power in (4, 5, 6)]
        for times, labels in ((1.05, ["v1, v3", "v8"]), (1.2, ["v1", "v3", "v8"])):
            self.put_times({"v1": curve, "v3": [(size, ms * times) for size, ms in curve], "v8": curve[:2]})
            self.assertEqual(labels, [curve["label"] for curve in self.chart("time.svg")["curves"]])

    def test_no_cpu_curve_or_none_that_shares_a_size(self):
        for curves, said in (
            ({"v3": [(1000, 1)], "v8": [(1000, 2)]}, []),
            ({"cpu_openmp": [(1000, 1)], "v8": [(2000, 0.1)]}, ["Faster than CPU, 16 threads", "v8: at no size"]),
        ):
            self.put_times(curves)
            self.assertEqual(said, self.chart("time.svg")["overtaking"])

    def test_distance_from_pi(self):
        chart = self.chart("convergence.svg")
        self.assertEqual(["v8: 2.74 × 10⁻⁷", "v10: 7.64 × 10⁻⁷"], [curve["label"] for curve in chart["curves"]])
        self.assertEqual([2.73687e-7, 7.64494e-7], [curve["bias"] for curve in chart["curves"]])
        # 4 · 785512 / 10^6 = 3.142048, 4 · 7853100 / 10^7 = 3.14124, 4 · 78539900 / 10^8 = 3.141596
        self.assertEqual([[10**6, 4.55346e-4], [10**7, 3.52654e-4], [10**8, 3.34641e-6]], chart["curves"][0]["points"])
        self.assertEqual([1e6, 1e8], chart["range"])
        self.assertEqual(1.64218, chart["sd_of_one"])  # sqrt(pi (4 - pi)): of one sample
        # 4 · 785 / 1000 = 3.14: an estimate below pi is as far as one above.
        self.put("convergence", **{"runs/0/outcome/trace": [[1000, 785]]})
        self.assertEqual([[1000, 1.59265e-3]], self.chart("convergence.svg")["curves"][0]["points"])

    def test_versions_with_the_same_words_and_nearly_the_same_bias_are_one(self):
        first = json.loads(self.path_of("convergence").read_text())["runs"][0]["outcome"]
        for bias, labels in (
            (1.05 * first["bias"], ["v8, v10: 2.74 × 10⁻⁷"]),
            (first["bias"] / 2, ["v8: 2.74 × 10⁻⁷", "v10: 1.37 × 10⁻⁷"]),
        ):
            self.put("convergence", **{"runs/v10/outcome/trace": first["trace"], "runs/v10/outcome/bias": bias})
            self.assertEqual(labels, [curve["label"] for curve in self.chart("convergence.svg")["curves"]])

    def test_curves_without_points_are_left_out(self):
        self.put("convergence", **{"runs/0/outcome/trace": []})
        self.assertEqual(1, len(self.chart("convergence.svg")["curves"]))
        self.put("convergence", runs=[])
        self.assertNotIn("convergence.svg", {path.name for path in self.charts()})
        self.assertNotIn("convergence.svg", self.rendered())

    def put_times(self, curves):
        """Give launches these points (samples, ms) by version."""
        runs = [
            {
                "version": version,
                "options": f"--iters {samples}",
                "work": samples,
                "call": False,
                "kernel_ms": {"median": ms, "low": ms, "high": ms},
            }
            for version, curve in curves.items()
            for samples, ms in curve
        ]
        self.put("calls", runs=runs)


# Stored charts


class StoredChartTest(EvidenceTest):
    def setUp(self):
        super().setUp()
        self.ladder = self.folder / "ladder.svg"

    def test_a_chart_that_is_not_as_it_was_written(self):
        text = self.ladder.read_text()
        of_another = re.sub(r"renderer sha256:\w+", f"renderer sha256:{'0' * 64}", text)
        for other in (None, text.replace("<svg/>", "<svg />"), of_another, "", text[: len(text) // 2], text[:-1]):
            with self.subTest(other):
                self.ladder.unlink() if other is None else self.ladder.write_text(other)
                self.assertNotEqual(text, other)
                self.assert_ends(self.render("--check"), 1, str(self.ladder), "differs")

    def test_a_chart_of_other_data(self):
        self.put("calls", **{"runs/0/kernel_ms/high": 1e9})
        self.assert_ends(self.render("--check"), 1, str(self.folder / "time.svg"), "differs")

    def test_another_matplotlib_and_figures_that_no_chart_shows(self):
        self.ladder.write_text(drawing.stamped("<svg>another</svg>\n", self.charts()[self.ladder]))
        self.assertEqual(0, self.render("--check").returncode)
        self.change_run("v8", hits=1, launches=99)
        self.assert_ends(self.render("--check"), 1, str(self.folder / "pi.csv"), "differs")

    def test_without_matplotlib_tables_are_written_and_charts_are_not(self):
        environment, before = self.environment(), self.ladder.read_text()
        self.assertEqual(0, self.render("--check", env=environment).returncode)
        self.change_run("v8", per_ns={"median": 2000.0, "low": 1999.0, "high": 2001.0})
        process = self.render(env=environment)
        self.assert_ends(process, 0, str(self.ladder), "matplotlib is missing", "python3-matplotlib")
        self.assertEqual("2,000 [1,999, 2,001]", cells(self.page.read_text(), "v8: ")[1])
        self.assertEqual(before, self.ladder.read_text())
        process = self.failed(self.render("--check", env=environment))
        changed = (self.ladder, self.folder / "pi-staircase.svg", self.folder / "pipes.svg")
        for line, chart in zip(process.stderr.splitlines(), changed, strict=True):
            self.assertIn(f"{chart} differs from its data", line)


class DrawnChartTest(EvidenceTest):
    """With matplotlib, wherever it is."""

    first_drawings = None

    def setUp(self):
        super().setUp()
        need_matplotlib()

    def drawings(self):
        """Those of the fixture's charts, drawn once for all tests."""
        if not DrawnChartTest.first_drawings:
            DrawnChartTest.first_drawings = drawing.draw(list(self.charts().values()))
        return DrawnChartTest.first_drawings

    def test_drawn_anew_and_then_left_alone(self):
        for path in self.charts():
            path.unlink()
        process = self.succeeded(self.render())
        self.assertEqual([f"wrote {path}" for path in self.charts()], process.stdout.splitlines())
        for options in ((), ("--check",)):
            process = self.render(*options)
            self.assertEqual((0, "", ""), (process.returncode, process.stdout, process.stderr))

    def test_drawings(self):
        """The same data give the same one, without a date. Text is text: it can be searched and read aloud."""
        self.assertEqual(self.drawings(), drawing.draw(list(self.charts().values())))
        for chart, svg in zip(self.charts().values(), self.drawings(), strict=True):
            root = ElementTree.fromstring(svg)
            self.assertEqual("{http://www.w3.org/2000/svg}svg", root.tag)
            self.assertNotRegex(svg, r"<dc:date>|[Mm]atplotlib v")
            texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
            self.assertIn(chart["title"], " ".join(texts))

    def test_a_notebooks_backend_and_a_users_settings_change_nothing(self):
        """Those of the environment, and of the folder in which the command runs."""
        charts, before = list(self.charts().values()), self.drawings()
        settings = self.root / "matplotlibrc"
        settings.write_text("axes.facecolor: red\nfont.size: 40\n")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.root)
        with mock.patch.dict(os.environ, MPLBACKEND="module://nowhere.at_all", MATPLOTLIBRC=str(settings)):
            drawing_of_a_notebook = drawing.draw(charts)
        self.assertEqual(before, drawing_of_a_notebook)

    def test_little_to_show(self):
        """A single step, no references, names that mean something to matplotlib; one point a curve."""
        shutil.rmtree(self.site / "results" / "reference")
        self.change("pi", lambda d: d.update(runs=[run_of(d, "v8") | {"title": "costs $1 and $2 in {} \\frac"}]))
        self.change("calls", lambda d: d.update(runs=d["runs"][:1]))
        self.change("profile", lambda d: d.update(kernels=d["kernels"][:1]))
        self.change("convergence", lambda d: d["runs"][0]["outcome"].update(trace=[[10**6, 785398]]))
        self.check_drawn()

    def test_nothing_but_a_failure(self):
        self.change("pi", lambda d: d.update(runs=[{"version": "v8", "error": "no luck", "exit": 4}]))
        self.check_drawn()

    def check_drawn(self):
        charts = self.charts()
        drawn = dict(zip(charts, drawing.draw(list(charts.values()))))
        for path, chart in charts.items():
            ElementTree.fromstring(drawn[path])
            self.assertTrue(drawing.is_current(drawn[path], chart))


# Small parts


class TextTest(unittest.TestCase):
    def test_percentages(self):
        texts = {0: "0", 0.04: "< 0.1", 0.1: "0.1", 9.94: "9.9", 10.0: "10", 92.3: "92", 100: "100"}
        for value, text in texts.items():
            self.assertEqual(text, numerals.percent_text(value))

    def test_powers_of_ten(self):
        texts = {1e6: "1.0 × 10⁶", 41234: "4.1 × 10⁴", 9.99e11: "1.0 × 10¹²", 2.74e-7: "2.7 × 10⁻⁷"}
        for value, text in texts.items():
            self.assertEqual(text, numerals.scientific(value))
        self.assertEqual("2.74 × 10⁻⁷", numerals.scientific(2.737e-7, digits=3))

    def test_versions(self):
        for name, kinds in {"v7": "step", "v7_volatile": "ablation", "cpu_openmp": "cpu", "a0": "step"}.items():
            run = {"version": name}
            self.assertTrue(naming.is_version(name))
            found = [kind for kind in ("step", "ablation", "cpu") if getattr(naming, f"is_{kind}")(run)]
            self.assertEqual([kinds], found)
        for name in ("v01", "v", "v7-volatile", "seven", "", None, 7):
            self.assertFalse(naming.is_version(name))


if __name__ == "__main__":
    unittest.main()
