#!/usr/bin/env python3
"""Tests of the cards of a story: at the end of a step's section, what its data and its file say of it."""

import json
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import DATA, GONE, REPOSITORY, SLUG, Sandbox, called, put

from kernel_files import kernels

from suite.render import cards, render, site

FILE = """// Step {number}: {name}
// Change: something.
// Limit:  {limit}
const bench::Step step = {{.name = "v{number}", {after}}};
"""
# Shares of the time that units are busy, and instructions of a sample.
CLASSES = {"integer": 8.0, "bit": 6.0, "fp16": 0, "fp32": 4.0, "fp64": 0, "conversion": 2.0, "memory": 0.01, "control": 0.25,
           "inter_thread_communication": 0, "uniform": 0.25, "misc": 0}  # fmt: skip


class CardTest(Sandbox):
    """A small site: v1, v3 after v1 and v8 after v3, whose files are these."""

    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        shutil.copytree(DATA / "evidence" / "site", self.site)
        self.folder = self.site / "kernels" / "pi"
        self.story = self.folder / "README.md"
        self.write("v01_one", 1, "latency of memory; sp1: L2. Next: more of it.")
        self.write("v03_three", 3, "predicted: XU, as in v1.", '.after = "v1",')
        self.write("v08_eight", 8, "the issue slots, not L1. More.", '.after = "v3",')
        self.edit("pi", ("runs/v3/per_ns", self.rate(300)), ("runs/v8/per_ns", self.rate(900)))
        self.edit("pi-profile", *((f"kernels/{version}/instructions_by_class", CLASSES) for version in ("v3", "v8")))

    def write(self, name, number, limit, after=""):
        text = FILE.format(number=number, name=name, limit=limit, after=after)
        (self.folder / f"{name}.cu").write_text(text)

    def edit(self, name, *changes):
        path = self.site / "results" / SLUG / f"{name}.json"
        document = json.loads(path.read_text())
        for place, value in changes:
            put(document, place, value)
        path.write_text(json.dumps(document))

    @staticmethod
    def rate(median, width=1):
        return {
            "median": median,
            "low": median - width,
            "high": median + width,
            "min": median - width,
            "max": median + width,
        }

    def card(self, version):
        found = site.load(self.site / "results")["pi"]
        return cards.card(self.site, self.story, version, found, SLUG)

    def lines(self, version):
        """The lines of figures."""
        return re.match(r"```text\n(.*?)\n```", self.card(version), re.DOTALL)[1].splitlines()


class FiguresTest(CardTest):
    def test_the_rate_is_the_stored_one_beside_the_step_that_it_builds_on(self):
        self.assertEqual("v8  900 samples/ns  3.00 × v3", self.lines("v8")[0])
        self.assertEqual("v1  0.0501 samples/ns", self.lines("v1")[0])  # builds on none

    def test_what_a_table_marks_stands_in_words(self):
        self.edit("pi", ("runs/v8/stopped", "few_timings"), ("runs/v8/outcome/independent", "blocks"))
        self.assertIn("samples/ns (few timings) (dependent)  3.00 × v3", self.lines("v8")[0])

    def test_a_ratio_that_would_be_noise(self):
        self.edit("pi", ("runs/v3/per_ns", self.rate(899.5)))
        self.assertRegex(self.lines("v8")[0], "intervals overlap with v3's$")

    def test_busiest_units(self):
        units = {"alu": 81.2, "fma": 95, "fmaheavy": 61, "fmalite": 27, "xu": 50, "lsu": 0.01, "tensor": 0}
        self.edit("pi-profile", ("kernels/v8/pipes", units), ("kernels/v8/issue_pct", 92.3))
        expected = ["issue slots  █████████░   92 %", "ALU          ████████░░   81 %", "FMA heavy    ██████░░░░   61 %",
                    "XU           █████░░░░░   50 %"]  # fmt: skip
        self.assertEqual(expected, self.lines("v8")[1:5])

    def test_instructions_by_class_that_changed(self):
        """Those that changed by more than a twentieth of their own and a hundredth of all, the largest change first."""
        self.edit("pi-profile", ("kernels/v3/thread_instructions_per_sample", 20.5), ("kernels/v8/thread_instructions_per_sample", 12.0),
                  ("kernels/v8/instructions_by_class", CLASSES | {"bit": 1.0, "integer": 4.5, "fp32": 3.9, "memory": 0.09}))  # fmt: skip
        self.assertEqual(
            "instructions a sample  20.5 → 12.0: bits 6.00 → 1.00, integer 8.00 → 4.50", self.lines("v8")[-1]
        )
        self.edit("pi-profile", ("kernels/v3", GONE))
        self.assertEqual("instructions a sample  12.0: integer 4.50, float 3.90, conversion 2.00", self.lines("v8")[-1])

    def test_a_step_without_a_profile_has_no_strip(self):
        self.edit("pi-profile", ("kernels/v8", GONE))
        self.assertEqual(1, len(self.lines("v8")))
        (self.site / "results" / SLUG / "pi-profile.json").unlink()
        self.assertEqual(1, len(self.lines("v3")))

    def test_a_step_that_was_not_measured_or_failed(self):
        self.edit("pi", ("runs/v3", {"version": "v3", "error": "no memory", "exit": 4}))
        self.assertEqual("v8  900 samples/ns  – × v3", self.lines("v8")[0])
        self.assertIn("failed (exit 4): `no memory`", self.lines("v3")[0])
        self.edit("pi", ("runs/v8", GONE))
        self.assertEqual("v8  –  – × v3", self.lines("v8")[0])
        shutil.rmtree(self.site / "results" / SLUG)
        self.assertEqual(["v8  –  – × v3"], self.lines("v8"))


class OtherLaddersTest(Sandbox):
    """Cards of this repository's files with stored figures of other ladders."""

    def figures_of(self, ladder, version):
        folder = self.root / "results" / SLUG
        if not folder.exists():
            folder.mkdir(parents=True)
            for path in (DATA / "ladders").glob("*.json"):
                shutil.copy(path, folder)
        found = site.load(self.root / "results")[ladder]
        story = REPOSITORY / "kernels" / ladder / "README.md"
        return cards.card(REPOSITORY, story, version, found, SLUG).split("```")[1].splitlines()[1:]

    def test_phases(self):
        expected = ["rng       ██████████   0.190 ms of 0.200", "transfer  ████████░░   0.170 ms of 0.200",
                    "compute   █░░░░░░░░░  0.0200 ms of 0.200"]  # fmt: skip
        self.assertEqual(expected, self.figures_of("arrays", "a8")[1:])

    def test_a_line_for_each_system(self):
        expected = ["v14  lap2d    400 transitions/ns  – × v13", "v14  shift1d  200 transitions/ns  – × v13"]
        self.assertEqual(expected, self.figures_of("mcls", "v14"))
        self.assertEqual(["v2  lap2d  3.00 transitions/ns  1.50 × v1"], self.figures_of("mcls", "v2"))


class TextTest(CardTest):
    def test_the_file_of_the_step(self):
        self.assertIn("**Code:** [v08_eight.cu](v08_eight.cu).", self.card("v8"))

    def test_the_limit_is_that_of_the_header(self):
        for version, line in (("v1", "**Limit:** latency of memory. **Next:** more of it."), ("v3", "**Limit, predicted:** XU, as in v1."),
                              ("v8", "**Limit:** the issue slots, not L1.")):  # fmt: skip
            with self.subTest(version):
                self.assertTrue(self.card(version).endswith(f" {line}"))


class RenderTest(CardTest):
    def render(self, *options):
        return called(render, "--root", self.site, *options)

    def setUp(self):
        super().setUp()
        self.story.write_text(
            f"<!-- figures:{SLUG} -->\n\nThree.\n\n<!-- card:v3 -->\n<!-- /card -->\n\nEight.\n\n<!-- card:v8 -->\nold\n<!-- /card -->\n"
        )
        self.assertEqual(0, self.render().returncode)

    def test_cards_stand_between_their_markers(self):
        text = self.story.read_text()
        for version in ("v3", "v8"):
            self.assertIn(f"<!-- card:{version} -->\n{self.card(version)}\n<!-- /card -->\n", text)
        self.assertNotIn("old", text)

    def test_a_card_is_of_the_device_named_before_it(self):
        text = self.story.read_text()
        self.story.write_text(text.replace("Eight.", "<!-- figures:another-gpu -->\nEight."))
        self.assertEqual(0, self.render().returncode)
        three, eight = self.story.read_text().split("Eight.")
        self.assertIn(self.card("v3"), three)
        self.assertIn("v8  –", eight)

    def test_a_stale_card_is_found(self):
        for change in (lambda: self.edit("pi", ("runs/v3/per_ns", self.rate(450))),
                       lambda: self.write("v08_eight", 8, "XU.", '.after = "v3",'),
                       lambda: self.story.write_text(self.story.read_text().replace("samples/ns", "samples/s"))):  # fmt: skip
            self.render()
            self.assertNotIn(str(self.story), self.render("--check").stderr)
            change()
            self.assertIn(f"{self.story} differs", self.render("--check").stderr)

    def test_markers_that_are_refused(self):
        for markers, complaint in (("<!-- card:v9 -->\n<!-- /card -->", "card:v9: no such step"), ("<!-- card:v8_shared -->\n<!-- /card -->", "card:v8_shared"),
                                   ("<!-- card:v8 -->\n", "'<!-- card:<step> -->' or '<!-- /card -->' lacks its other half")):  # fmt: skip
            with self.subTest(markers):
                self.story.write_text(f"<!-- figures:{SLUG} -->\n{markers}\n")
                self.assert_ends(self.render(), 1, complaint)
        self.story.write_text("<!-- card:v8 -->\n<!-- /card -->\n")
        self.assert_ends(self.render(), 1, "figures:<device>")


class RepositoryTest(unittest.TestCase):
    """The cards of this repository's stories."""

    def test_no_step_of_a_story_with_cards_is_left_out(self):
        stories = {path.parent: path.read_text() for path in (REPOSITORY / "kernels").rglob("README.md")}
        with_cards = {
            (folder, version)
            for folder, text in stories.items()
            for version in re.findall(r"<!-- card:(\w+) -->", text)
        }
        self.assertGreater(len(with_cards), 30)
        folders = {folder for folder, _ in with_cards}
        for kernel in kernels():
            if not kernel.is_ablation and kernel.file.parent in folders:
                with self.subTest(kernel.program):
                    self.assertIn((kernel.file.parent, kernel.step), with_cards)


if __name__ == "__main__":
    unittest.main()
