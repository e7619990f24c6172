#!/usr/bin/env python3
"""Tests of the pages, charts and figures of the ladders besides pi. Fixture runs draw 10^6 samples, so 1 ms is 1 ns a sample."""

import json
import shutil
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import DATA, GONE, REPOSITORY, RESULTS, SLUG, Sandbox, arrays, called, needs_jsonschema, pi, put
from test_render_evidence import cells

from suite.analyse import traffic
from suite.documents import kinds, references
from suite.documents.schema import ResultError
from suite.render import device_page, drawing, figures, render
from suite.render.site import load

PUBLISHED = REPOSITORY / "results" / "reference"


class LaddersTest(Sandbox):
    """A site with results of three ladders."""

    SUITE = "arrays"
    TITLES = ("step", "rate", "clock", "base", "limit", "sound")
    MORE = ("step", "seed", "rng", "transfer", "compute", "reduce", "other", "pcie", "dram")  # of the folded table

    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        shutil.copytree(RESULTS / "site", self.site)
        self.results = self.site / "results"
        self.folder = self.results / SLUG
        shutil.copytree(DATA / "ladders", self.folder, dirs_exist_ok=True)

    def change(self, name, action):
        path = self.folder / f"{name}.json"
        document = json.loads(path.read_text())
        action(document)
        path.write_text(json.dumps(document))

    def put(self, name, **values):
        """Change what a document has at these paths."""
        self.change(name, lambda document: [put(document, place, value) for place, value in values.items()])

    def render(self):
        """Render the site, as without matplotlib: its charts are drawn by other tests. Returns the ended process."""
        with mock.patch.object(drawing, "PYTHONS", ()):
            process = called(render, "--root", self.site)
        self.assertEqual(0, process.returncode, process.stderr)
        return process

    def page(self, suite):
        site = load(self.results)[suite]
        return device_page.page(site.devices[SLUG], site)

    def charts(self, suite):
        site = load(self.results)[suite]
        return device_page.charts(site.devices[SLUG], site)

    def row(self, start, suite="arrays"):
        return cells(self.page(suite), start)

    def values(self, start):
        """The cells of a step of the ladder, by their column, in the table and in the folded one."""
        found = dict(zip(self.TITLES, self.row(start, self.SUITE), strict=True))
        return found | dict(zip(self.MORE, cells(self.page(self.SUITE).split("<details>")[1], start), strict=True))


class PagesTest(LaddersTest):
    def test_every_ladder_has_its_pages(self):
        self.render()
        index = (self.results / "README.md").read_text()
        for name in ("pi", "lecture", "arrays"):
            self.assertTrue((self.results / f"{name}.md").exists())
            self.assertIn(f"({SLUG}/{name}.md)", index)
        self.assertIn(f"| [NVIDIA Fixture 9000]({SLUG}/arrays.md) | 10 |", (self.results / "arrays.md").read_text())
        self.assertNotIn("Figures of others", (self.results / "arrays.md").read_text())
        page = self.page("arrays")
        for name in ("arrays.json", "arrays-ablations.json", "limits.json"):
            self.assertIn(f"({name})", page)
        self.assertIn("(lecture-calls.json)", self.page("lecture"))

    def test_the_index_sets_the_best_rates_side_by_side(self):
        shutil.copytree(
            self.folder,
            self.results / "nvidia-another",
            ignore=lambda _, names: {name for name in names if name != "pi.json"},
        )
        other = self.results / "nvidia-another" / "pi.json"
        other.write_text(other.read_text().replace("NVIDIA Fixture 9000", "NVIDIA Another"))
        self.put("asian", **{"runs/a0/sound": False})  # its numbers are constant
        self.render()
        index = (self.results / "README.md").read_text()
        self.assertEqual(["Ladder", "NVIDIA Another", "NVIDIA Fixture 9000", "All devices"], cells(index, "Ladder"))
        rows = {
            name: cells(index, f"{name} ({unit}s/ns)")[1:]
            for name, unit in {
                "pi": "sample", "lecture": "sample", "arrays": "sample", "normals": "normal", "asian": "path-step", "mcls": "transition",
            }.items()
        }  # fmt: skip
        # k2 is the fastest, but no generator of the lecture is sound. n4 and a7 have dependent samples; a5 is faster than a6.
        rates = {"lecture": "64.1† (k2)", "asian": "800 (a5)"}
        for ladder, text in rates.items():
            self.assertEqual(f"[{text}]({SLUG}/{ladder}.md)", rows[ladder][1])
        self.assertIn("† No step that ran there has random numbers that pass the tests.", index)
        self.assertEqual(["–"] * 5, [row[0] for name, row in rows.items() if name != "pi"])
        self.assertEqual(
            {name: f"[side by side]({name}.md)" for name in rows}, {name: row[2] for name, row in rows.items()}
        )

    def test_the_readme_sets_the_ladders_side_by_side(self):
        readme = self.site / "README.md"
        self.put("asian", **{"runs/a0/sound": False})
        readme.write_text(f"<!-- ladders:{SLUG} -->\n<!-- /ladders -->\n<!-- ladders:none -->\n<!-- /ladders -->\n")
        self.render()
        text = readme.read_text()
        self.assertEqual(["2.00 (k1) → 64.1† (k2) samples", "–"], cells(text, "[lecture]")[2:])
        self.assertEqual(["400 (a2) → 800 (a5) path-steps", "–"], cells(text, "[asian]")[2:])
        self.assertIn("† No step that ran there has random numbers that pass the tests.", text)
        self.assertIn("No result for none yet: run `make bench-all`.", text)
        shutil.copy(DATA / "evidence" / "site" / "results" / SLUG / "pi-profile.json", self.folder)
        self.put("pi", **{"runs/v10/sound": True, "runs/v10/soundness": "sound"})
        self.render()
        self.assertEqual("94 % issue slots", cells(readme.read_text(), "[pi]")[3])

    def test_reference_tables_belong_to_one_ladder(self):
        for path in PUBLISHED.glob("*.json"):
            shutil.copy(path, self.results / "reference")
        sites = load(self.results)
        titles = {name: [table["title"] for table in site.references] for name, site in sites.items()}
        self.assertEqual(["Tesla C1060: an array code, tuned in 2010"], titles["arrays"])
        self.assertEqual(["GTX 780: the kernels of a lecture"], titles["lecture"])
        self.assertNotIn(titles["arrays"][0], titles["pi"])


class PhasesTest(LaddersTest):
    def test_times_of_phases(self):
        expected = {"base": "0.800 (a0)", "seed": "–", "rng": "3.00", "transfer": "1.50", "compute": "0.100", "reduce": "0.300",
                    "other": "0.100", "pcie": "12", "dram": "24"}  # fmt: skip
        values = self.values("a1")
        self.assertEqual(expected, {name: values[name] for name in expected})
        self.assertEqual("–", self.values("a8")["other"])  # phases that overlap leave nothing over
        self.assertIn("The phases of a8 overlap", self.page("arrays"))
        self.assertEqual(
            {"a8": "wall", "a9": "GPU", "a11": "–"}, {name: self.values(name)["clock"] for name in ("a8", "a9", "a11")}
        )
        failed = self.values("a11")
        self.assertIn("failed (exit 4)", failed["rate"])
        self.assertEqual({"–"}, {failed[name] for name in self.TITLES[2:]})
        self.assertEqual(["PCIe to the GPU, pinned host memory", "50.0"], self.row("PCIe to the GPU, pinned"))

    def test_the_limit_that_takes_the_largest_share(self):
        self.assert_limits(
            a0="90 % (host generation)",
            a1="60 % (host generation)",  # PCIe, pageable: 8 / 10 + 4 / 5 = 1.6 of 5 ns
            a2="98 % (sum on the GPU)",
            a6="40 % (PCIe, pinned)",  # 8 / 50 of 0.4 ns; other takes 5 %
            a8="80 % (PCIe, pinned)",  # of 0.2 ns
            a9="80 % (DRAM)",  # 16 / 4000 of 0.005 ns
            a10="50 % (other)",
        )
        # Of phases that overlap it is that of the step on which they build, unless that failed.
        self.put(
            "arrays",
            **{"runs/a6/kernel_ms": [0.5] * 3, "runs/a6/phases_ms": {"rng": [0.18] * 3, "transfer": [0.3] * 3}},
        )
        self.assert_limits(a8="90 % (host generation)")
        self.put("arrays", **{"runs/a8/after": "a11"})
        self.assert_limits(a8="80 % (PCIe, pinned)")

    def test_bytes_of_host_memory(self):
        own = {"phases_ms": {"reduce": [1.0]}, "kernel_ms": [1.0]}  # on the host, if bytes come down
        for memory, up, down, limit in (
            ("pinned", 8, 0, "100 % (sum on the GPU)"), ("pinned", 8, 1, "18 % (PCIe, pinned)"), ("pageable", 8, 1, "100 % (PCIe, pageable)"),
            (None, 8, 1, "–"),
        ):  # fmt: skip
            own |= {"host_memory": memory, "bytes": {"pcie_up": up, "pcie_down": down, "dram": 0}}
            self.put("arrays", **{f"runs/a1/{name}": value for name, value in own.items()})
            self.assert_limits(a1=limit)

    def test_the_rate_of_the_kernel_without_arrays_is_a_limit(self):
        run = {"work": 10**6, "kernel_ms": [4.0], "phases_ms": {}, "blocks": 1, "host_memory": None, "bytes": None}
        self.assertEqual(("kernel without arrays", 0.125), traffic.limit_of(run, {}, fused=2.0))  # 0.5 of 4 ns

    def test_without_limits_or_those_of_some_bytes(self):
        self.change("limits", lambda document: document.update(limits=document["limits"][2:4]))  # only from the GPU
        known = {"a0": "90 % (host generation)", "a6": "–", "a9": "–", "a10": "50 % (other)"}
        self.assert_limits(**known)
        (self.folder / "limits.json").unlink()
        self.assert_limits(**known)
        self.assertNotIn("## How fast bytes move", self.page("arrays"))

    @needs_jsonschema
    def test_rates_of_instructions(self):
        row = "IMAD.WIDE: integer multiply, 64 bits of result | 30.1 |"
        self.assertIn(row, self.page("arrays"))
        self.put("limits", instructions=GONE)  # an older document
        self.assertNotIn(row, self.page("arrays"))
        self.assertIn("## How fast bytes move", self.page("arrays"))
        self.put("limits", instructions=[{"name": "imad", "per_clock": 0}])
        with self.assertRaisesRegex(ResultError, "per_clock"):
            self.page("arrays")

    def assert_limits(self, **limits):
        self.assertEqual(limits, {name: self.values(name)["limit"] for name in limits})

    def test_steps_with_much_of_other_are_named(self):
        # a1 has 1 % then; a10 has 50 %, but not on the wall clock; phases of a8 overlap.
        self.put("arrays", **{"runs/a1/phases_ms/rng": [3.05] * 3})
        self.assertIn("Other is more than 2 % of the time of a6 (5.0 %).", self.page("arrays"))
        self.put("arrays", **{"runs/a6/phases_ms": {"rng": [0.4] * 3}})
        self.assertNotIn("Other is more", self.page("arrays"))


class ArraysChartTest(LaddersTest):
    def chart(self):
        return self.charts("arrays")["arrays.svg"]

    def test_shares_of_the_phases(self):
        parts = {row["label"].split(":")[0]: row["parts"] for row in self.chart()["rows"]}
        self.assertEqual({"rng": 60, "transfer": 30, "compute": 2, "reduce": 6, "other": 2}, rounded(parts["a1"]))
        self.assertEqual({"rng": 50, "transfer": 45, "compute": 5}, rounded(parts["a8"]))  # of the sum, as they overlap
        self.assertEqual({}, parts["a11"])

    def test_a_step_of_one_phase(self):
        self.put("arrays", **{"runs/a10/phases_ms": {}})
        values = self.values("a10")
        self.assertEqual(["–"] * 7, [values[name] for name in (*self.MORE[1:7], "limit")])
        chart = self.chart()
        self.assertEqual({"sample": 100}, chart["rows"][-2]["parts"])
        self.assertEqual(["seed", "rng", "transfer", "compute", "reduce", "sample", "other"], chart["phases"])

    def test_rows_of_the_article(self):
        shutil.copy(PUBLISHED / "c1060-arrays.json", self.results / "reference")
        rows = {row["label"]: row for row in self.chart()["article"]["rows"]}
        self.assertEqual({"rng": 54, "compute": 26, "other": 20, "transfer": 0}, rounded(rows["CUF5"]["parts"]))
        # The article adds up.
        for row in references.load_reference(PUBLISHED / "c1060-arrays.json")["rows"]:
            times = [row.get(f"{name}_s", 0) for name in ("rng", "transfer", "compute", "other")]
            self.assertEqual(row["total_s"], sum(times), row["version"])
            rate = 10 * row["samples"] / row["total_s"] / 10**9
            self.assertAlmostEqual(float(row["samples_per_ns"]), float(rate), delta=5e-4)


class CallsTest(LaddersTest):
    def test_times_by_size(self):
        self.assertEqual(["10⁶", "1.0 ms", "100 µs", "100 µs", "1.0 s", "100 µs"], self.row("10⁶", "lecture"))
        # Sizes that a program lacks have a dash.
        self.change("lecture-calls", lambda document: document["runs"].__delitem__(slice(-2, None)))
        self.assertEqual("–", self.row("10⁷", "lecture")[-1])

    def test_crossings(self):
        # 0.1 ms are 10^5 samples of 1 ns, or 10^6 of 0.1 ns.
        self.assertEqual(["v8_shared", "1.0 × 10⁵ samples", "1.0 × 10⁶ samples"], self.crossing("v8_shared"))
        self.assertEqual(["k2", "not for good", "not for good"], self.crossing("k2"))
        # What a call spends:
        page = self.page("lecture").split("What a call of about 10⁶ samples spends")[1]
        self.assertEqual(["k1", "60.0", "20.0", "5.00", "5.00", "10.0", "4.00"], cells(page, "k1"))
        self.assertEqual(["cpu_openmp", "–", "100", "–", "–", "–", "–"], cells(page, "cpu_openmp"))

    def crossing(self, version):
        return cells(self.page("lecture").split("| Program | faster than")[1], version)

    def test_without_calls(self):
        (self.folder / "lecture-calls.json").unlink()
        self.assertNotIn("Time of whole calls", self.page("lecture"))
        self.assertEqual({}, self.charts("lecture"))

    def test_a_program_that_failed(self):
        failed = {"version": "k1", "error": "out of luck"}
        self.change("lecture-calls", lambda document: document.update(runs=[*document["runs"][:10], failed]))
        self.assertIn("- k1: failed: `out of luck`", self.page("lecture"))
        self.assertNotIn("faster than", self.page("lecture"))

    def test_the_cpu_was_not_measured(self):
        self.change("lecture-calls", lambda document: document.update(runs=document["runs"][10:]))
        self.assertNotIn("faster than", self.page("lecture"))
        self.assertEqual([], self.charts("lecture")["lecture.svg"]["circles"])

    def test_chart(self):
        chart = self.charts("lecture")["lecture.svg"]
        self.assertEqual([[10**5, 0.1], [10**6, 0.1]], chart["circles"])
        self.assertEqual([65_535, 2_097_120, 10**7], [line["rate"] for line in chart["lines"]])
        alone = {curve["label"]: curve["part"] for curve in chart["curves"]}
        self.assertEqual(([], [10**3, 0.004]), (alone["cpu_serial"], alone["k1"][0]))


class FiguresTest(LaddersTest):
    def figure(self, text, suite="pi"):
        sites = load(self.results)
        found = {name: site.devices.get(SLUG) for name, site in sites.items()}
        return figures.figure(text, found[suite], None, found)

    def test_of_other_ladders(self):
        for text, expected in {
            "arrays.a8.per_ns": "5.00", "lecture.k2.after.per_ns": "2.00", "arrays.a9_philox.per_ns": "250",
            "arrays.a1.bytes.pcie_up": "8", "median(arrays.a1.phases_ms.rng):.2f": "3.00", "arrays.a8.per_ns/pi.v1.per_ns:.0f": "125",
            "limits.pcie_up_pinned:.0f": "50", "steps.count:d": "5", "arrays.steps.count:d": "8", "arrays.steps.last": "a11",
            "100*median(arrays.a6.phases_ms.rng)/median(arrays.a8.kernel_ms):.0f": "50",
            "100*8*arrays.a8.per_ns/limits.pcie_up_pinned:.0f": "80", "arrays.limits.dram_copy": "4,000",
            "lecture.calls.k1.overtakes.cpu_openmp:.0e": "1 × 10⁶", "lecture.calls.k1.rows[0].kernel_ms*1000:.0f": "4",
        }.items():  # fmt: skip
            self.assertEqual(expected, self.figure(text), text)
        # Without a name it is of the ladder that a file tells, or of the first.
        self.assertEqual("5.00", self.figure("a8.per_ns", "arrays"))
        self.assertEqual(self.figure("v1.per_ns"), self.figure("v1.per_ns", "arrays"))

    def test_what_is_missing(self):
        for text in (
            "arrays.a11.per_ns",
            "limits.nvlink",
            "lecture.calls.k2.overtakes.cpu_serial",
            "pi.cpu_bit_sliced.per_ns",
        ):
            with self.subTest(text), self.assertRaises(figures.Missing):
                self.figure(text)
        for text in ("arrays.v1x.per_ns", "array.a8.per_ns", "arrays.a8.rate", "a8.per_ns"):
            with self.subTest(text), self.assertRaises(figures.Unknown):
                self.figure(text)
        (self.folder / "arrays.json").unlink()
        with self.assertRaises(figures.Missing):
            self.figure("arrays.a8.per_ns")

    def test_in_a_story(self):
        story = self.site / "kernels" / "arrays" / "README.md"
        story.parent.mkdir(parents=True)
        story.write_text(
            f"<!-- figures:{SLUG} -->\nThe rate is <!--=a9.per_ns--><!--/--> of <!--=limits.dram_copy/16--><!--/-->.\n"
        )
        self.assert_one_line(self.render().stderr, "not drawn: ")
        self.assertIn("<!--=a9.per_ns-->200<!--/--> of <!--=limits.dram_copy/16-->250<!--/-->.", story.read_text())


class DocumentsTest(LaddersTest):
    def test_the_ladder_that_is_told_or_any(self):
        path = self.folder / "arrays.json"
        for document in (kinds.RESULT, kinds.RESULT.of(arrays)):
            self.assertEqual("arrays", document.load(path)["suite"])
        with self.assertRaisesRegex(ResultError, "not a result of the suite 'pi'"):
            kinds.RESULT.of(pi).load(path)


def rounded(parts):
    return {name: round(share) for name, share in parts.items()}


if __name__ == "__main__":
    unittest.main()
