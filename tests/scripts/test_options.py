#!/usr/bin/env python3
"""Tests of the pages and charts of the ladders normals and asian: second rates, prices, variances, times to a precision."""

import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, SLUG, need_matplotlib
from test_ladders import PUBLISHED, LaddersTest
from test_render_evidence import cells

from suite.render import drawing, precision
from suite.render.site import load

DASH = "–"
KERNELS = REPOSITORY / "kernels"


class NormalsTest(LaddersTest):
    SUITE = "normals"
    TITLES = ("step", "rate", "base", "sound")
    MORE = ("step", "technique", "first", "stored", "registers", "occupancy", "tested", "sd")

    def test_the_stored_rate_stands_beside_the_rate(self):
        self.assertEqual("900.0 [899.1, 900.9]", self.values("n3:")["stored"])
        self.assertEqual(DASH, self.values("n4:")["stored"])
        page = self.page("normals")
        self.assertIn("Stored: the rate with --store, which also writes every normal to memory.", page)
        self.assertNotIn("n3_store", page.split("## Ablations")[1])
        self.assertIn("n4_linear", page.split("## Ablations")[1])
        (self.folder / "normals-ablations.json").unlink()
        self.assertEqual(DASH, self.values("n3:")["stored"])
        self.assertEqual([""], self.charts("normals")["normals.svg"]["columns"])

    def test_stored_rates_and_what_memory_allows_are_drawn_beside_the_rates(self):
        chart = self.charts("normals")["normals.svg"]
        # 4400 GB/s of writes over 4 bytes
        lines = {line["label"]: line["rate"] for line in chart["lines"]}
        self.assertEqual({"DRAM writes, 4 bytes a normal (stored): 1,100": 1100}, lines)
        self.assertEqual((["", "stored"], 0), (chart["columns"], chart["range"][0]))
        rows = {row["label"].split(":")[0]: row for row in chart["rows"]}
        self.assertEqual(("900", 900.0), (rows["n3"]["texts"][1], rows["n3"]["rates"][1]["median"]))
        self.assertEqual(1, len(rows["n1"]["rates"]))
        self.change("limits", lambda document: document["limits"].pop())  # writes that were not measured have no line
        self.assertEqual([], self.charts("normals")["normals.svg"]["lines"])

    def test_it_is_drawn(self):
        need_matplotlib()
        charts = [self.charts("normals")["normals.svg"], precision.chart(list(load(self.results).values()))]
        for svg, parts in zip(
            drawing.draw(charts), (["normals per nanosecond"], ["GPU time", "asian a7", ">10{0,2} ms<"])
        ):
            for part in parts:  # which decades have a label is up to matplotlib
                self.assertRegex(svg, part)


class StoryTest(LaddersTest):
    def test_in_the_folder_of_the_steps(self):
        story = self.site / "kernels" / "options" / "normals" / "README.md"
        story.parent.mkdir(parents=True)
        story.write_text(
            f"<!-- figures:{SLUG} -->\nRates <!--=n3.per_ns--><!--/--> and <!--=asian.a5.per_ns--><!--/-->.\n"
        )
        self.render()
        text = story.read_text()
        self.assertIn("Rates <!--=n3.per_ns-->1,100<!--/--> and <!--=asian.a5.per_ns-->800<!--/-->.", text)


class QuotedCodeTest(unittest.TestCase):
    def test_it_stands_in_the_kernels(self):
        code = {line.strip() for path in KERNELS.rglob("*.cu*") for line in path.read_text().splitlines()}
        for story in sorted((KERNELS / "options").glob("*/README.md")):
            blocks = re.findall(r"(?ms)^```cpp\n(.*?)^```$", story.read_text())
            self.assertGreater(len(blocks), 5)
            for line in "".join(blocks).splitlines():
                with self.subTest(story.parent.name):
                    self.assertIn(line.strip(), code)


class ClaimsTest(LaddersTest):
    def test_ratios_here_beside_those_of_the_source(self):
        self.assertNotIn("What the source found", self.page("normals"))
        shutil.copy(PUBLISHED / "gpu_gems3.json", self.results / "reference")
        section = self.page("normals").split("## What the source found")[1]
        found = {claim: cells(section, claim)[1:] for claim in (
            "Wallace, normals over those of Tausworthe", "Wallace, normals over those of the CPU", "Wallace, Asian path-steps over those with",
            "Wallace, raw, with", "Asian path-steps with Tausworthe",
        )}  # fmt: skip
        # 900 / 1100 and 400 / 1000; there is no a3, no lookback and no CPU with all threads among the fixtures.
        self.assertEqual(
            [["1.2", "0.818"], ["26", DASH], ["1.06", DASH], ["1.05", DASH], [DASH, "0.400"]], list(found.values())
        )
        self.assertIn("chapter 37", section)


class PricesTest(LaddersTest):
    SUITE = "asian"
    TITLES = ("step", "rate", "base", "sound")
    MORE = "step technique first constant price variance precision registers occupancy tested sd".split()

    def section(self, heading):
        return self.page("asian").split(f"## {heading}\n")[1].split("\n## ")[0]

    def test_precision_takes_rate_and_variance_into_account(self):
        values = self.values("a6:")
        self.assertEqual(
            ("1.90", "0.200", "9.50"), (values["first"], values["variance"], values["precision"])
        )  # 760 / 400 / 0.2
        self.assertEqual("4.20010 ± 0.00030", values["price"])
        self.assertEqual("250", self.values("a7:")["precision"])  # 500 / 400 / 0.005
        self.assertEqual("40 %", self.values("a2:")["constant"])
        values = self.values("a0:")
        self.assertEqual((DASH, DASH, DASH), (values["variance"], values["precision"], values["sd"]))
        self.put("asian", **{"runs/2": {"version": "a2", "error": "no luck", "exit": 4}})
        self.assertEqual({DASH}, {self.values("a2")[name] for name in self.MORE[2:]})
        self.assertEqual(DASH, self.values("a6:")["precision"])

    def test_other_numbers_of_steps_are_not_compared(self):
        row = cells(self.section("Ablations"), "a6_steps16")
        self.assertEqual(["4.09010 ± 0.00010", "0.200", DASH], row[5:8])
        self.assertIn("(a6)", row[4], "beside the step itself, not that which it builds on")

    def test_pairs_of_paths_have_no_variance_of_plain_paths(self):
        self.put(
            "asian-ablations", **{"runs/0/outcome/number": "pairs of paths", "runs/0/outcome/variance_ratio": None}
        )
        self.assertEqual(DASH, cells(self.section("Ablations"), "a6_steps16")[6])

    def test_times_to_a_precision(self):
        section = self.section("Figure of merit")
        self.assertEqual(["*3.1 ms*", "*0.31 s*", "*31 s*"], cells(section, "a6")[6:])
        self.assertEqual(["98 µs", "1.1 ms", "never"], cells(section, "a7")[6:])
        self.assertEqual("3,800", cells(section, "a6")[3])
        self.assertNotIn("| a0", section)

    def test_time_to_precision_of_the_fastest_step_of_each_ladder(self):
        chart = precision.chart(list(load(self.results).values()))
        lines, (curve,) = {line["label"]: line for line in chart["lines"]}, chart["curves"]
        self.assertEqual(["normals n3", "asian a6", "mcls v14"], list(lines))
        # a fifth of the variance of plain paths, 46.24, of 256 steps: sqrt(0.2 * 46.24 * 256 / 760e9) of 4.2
        self.assertAlmostEqual(1.3288e-5, lines["asian a6"]["sd_of_second"], delta=1e-8)
        self.assertAlmostEqual(8.36660e-5, lines["mcls v14"]["sd_of_second"], delta=1e-10)  # sqrt(2800 / 400e9)
        self.assertEqual(("asian a7", lines["asian a6"]["hue"]), (curve["label"], curve["hue"]))
        self.assertAlmostEqual(98e-6, curve["points"][0]["seconds"], delta=1e-6)
        self.render()
        self.assertIn(
            f"## Time to precision\n\n![{chart['title']}](precision.svg)", (self.results / "README.md").read_text()
        )

    def test_the_rates_are_drawn_with_their_intervals(self):
        rows = {row["label"].split(":")[0]: row for row in self.charts("asian")["asian-rates.svg"]["rows"]}
        (rate,) = rows["a6"]["rates"]
        self.assertTrue(rate["low"] < rate["median"] == 760 < rate["high"])
        self.assertIn("](asian-rates.svg)", self.page("asian"))

    def test_the_order_of_averaging(self):
        section = self.section("The price against the number of steps")
        # sd of the ratio: its derivatives are 1, 1 + 4.5 and 4.5, over 0.02.
        self.assertEqual(["64", "4.18010 ± 0.00010", "0.09000 ± 0.00014", DASH], cells(section, "a6_steps64")[1:])
        self.assertEqual("4.500 ± 0.074", cells(section, "a6 ")[4])
        (self.folder / "asian-ablations.json").unlink()
        self.assertNotIn("number of steps", self.page("asian"))


if __name__ == "__main__":
    unittest.main()
