#!/usr/bin/env python3
"""Tests of scripts/render, with a small fixture."""

import csv
import dataclasses
import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True

from sandbox import (
    REPOSITORY,
    RESULTS,
    SCRIPTS,
    SLUG,
    Sandbox,
    called,
    has_matplotlib,
    needs_jsonschema,
    on_full_disk,
    pi,
)

from suite.documents import kinds
from suite.documents.schema import ResultError
from suite.render import device_page, devices, drawing, index, render
from suite.render.sections import steps
from suite.render.site import load


class RenderTest(Sandbox):
    """A copy of the stored fixture, whose Markdown files are the expected output."""

    FIXTURE = RESULTS / "site"

    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        self.copy_fixture()
        self.readme = self.site / "README.md"
        self.index = self.site / "results" / "README.md"
        self.side_by_side = self.site / "results" / "pi.md"
        self.page = self.site / "results" / SLUG / "pi.md"
        self.result, self.sheet = self.page.with_suffix(".json"), self.page.with_suffix(".csv")

    def render(self, *options, **process_options):
        options = ("--root", self.site, *options)
        return (
            self.execute(SCRIPTS / "render", *options, **process_options)
            if process_options
            else called(render, *options)
        )

    def copy_fixture(self):
        """The stored fixture with charts, empty ones that say what they show: to draw them takes matplotlib."""
        shutil.copytree(self.FIXTURE, self.site)
        for path, chart in self.charts().items():
            path.write_text(drawing.stamped("<svg/>\n", chart))

    def charts(self):
        """What the charts of the site show, by path."""
        return render.find_charts(self.site, [load(self.site / "results")["pi"]])

    def restore(self):
        """Start anew from the stored fixture."""
        shutil.rmtree(self.site)
        self.copy_fixture()

    def edit(self, path, old, new):
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def texts(self):
        return {path: path.read_text() for path in sorted(self.site.rglob("*")) if path.is_file()}

    def assert_refused(self, *parts):
        """render says in one line what is wrong and changes nothing."""
        before = self.texts()
        for options in ((), ("--check",)):
            self.assert_ends(self.render(*options), 1, *parts)
        self.assertEqual(before, self.texts())


class RenderFixtureTest(RenderTest):
    def test_renders_the_expected_output(self):
        expected = self.texts()
        pages = [self.index, self.page, self.side_by_side, self.sheet]
        for page in pages:
            page.unlink()
        stale = re.sub(r"(?s)(<!-- ladders:\S+ -->\n).*?(<!-- /ladders -->)", r"\1stale\n\2", self.readme.read_text())
        self.readme.write_text(stale)
        process = self.succeeded(self.render())
        self.assertEqual(expected, self.texts())
        self.assertEqual([f"wrote {path}" for path in (*pages, self.readme)], process.stdout.splitlines())

    def test_sheet_has_a_line_for_each_version(self):
        runs = json.loads(self.result.read_text())["runs"]
        with self.sheet.open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([run["version"] for run in runs], [row["version"] for row in rows])
        for run, row in zip(runs, rows):
            self.assertEqual((run.get("technique", ""), run.get("error", "")), (row["technique"], row["error"]))
            self.assertEqual(str(run["per_ns"]["median"]) if "per_ns" in run else "", row["per_ns.median"])

    def test_no_results(self):
        shutil.rmtree(self.result.parent)
        self.assertEqual(0, self.render().returncode)
        self.assertIn(f"No result for {SLUG} yet: run `make bench-all`.", self.readme.read_text())
        self.assertNotIn("Median rate", self.side_by_side.read_text())
        shutil.rmtree(self.site / "results" / "reference")
        self.assertEqual(0, self.render().returncode)
        self.assertIn("No result yet: run `make bench-all`.", self.index.read_text())

    def test_figures_of_others_as_stored_in_the_repository(self):
        shutil.rmtree(self.site / "results" / "reference")
        shutil.copytree(REPOSITORY / "results" / "reference", self.site / "results" / "reference")
        self.assertEqual(0, self.render().returncode)
        rows = self.side_by_side.read_text().split("## Figures of others")[1]
        for text in ("| 548 | 18,000× |", "| 2,800 | 350 |", "2109.14801"):
            self.assertIn(text, rows)


class ColoursTest(unittest.TestCase):
    def test_every_colour_of_a_stored_chart_changes_on_a_dark_page(self):
        charts = sorted((REPOSITORY / "results").rglob("*.svg"))
        self.assertTrue(charts)
        for chart in charts:
            with self.subTest(chart.name):
                style, drawing = chart.read_text().split("</style>", 1)
                self.assertIn("prefers-color-scheme: dark", style)
                for colour in set(re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", drawing)):
                    self.assertIn(f'[style*="{colour}"]', style)


class LinkTest(RenderTest):
    """Every link of the rendered files leads to a file that exists, and to a heading of it."""

    LINK = re.compile(r"\]\(([^)\s:]*?)(?:#([^)\s]*))?\)")

    def test_of_this_repository(self):
        folders = [REPOSITORY / name for name in ("docs", "kernels", "results")]
        self.check([*REPOSITORY.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))])

    def test_of_a_rendered_site(self):
        pages = list(self.site.rglob("*.md"))
        shutil.copytree(REPOSITORY / "docs", self.site / "docs")
        (self.site / "kernels" / "pi").mkdir(parents=True)
        shutil.copy(REPOSITORY / "kernels" / "pi" / "README.md", self.site / "kernels" / "pi")
        self.check(pages)

    def check(self, pages):
        for page in pages:
            for path, anchor in self.LINK.findall(page.read_text()):
                target = (page.parent / path).resolve() if path else page
                with self.subTest(page=page, path=path, anchor=anchor):
                    self.assertTrue(target.exists())
                    if anchor:
                        headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
                        self.assertIn(anchor, map(index.anchor, headings))


class ForeignTextTest(unittest.TestCase):
    """What comes from a machine stays text, on the pages and charts of every ladder."""

    FOREIGN = "<script>`]($x$ *a* ~b~ |](javascript:c) &lt;"
    # As fields have it, by the name of the part that they are in.
    FIELDS = {"device": {"name"}, "host": {"cpu", "os"}, "context": {"driver", "runtime", "compiler", "flags", "ncu"},
              "runs": {"title", "technique", "error", "missing", "package"}, "warnings": {"text"}, "kernels": {"kernel"}}  # fmt: skip
    MARKUP = re.compile(r"(?<!\\)(<script|]\(javascript|\$x|\*a|~b|`]|&lt;)")
    CODE = re.compile(r"(?<!\\)`[^`\n]+`")

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.results = Path(folder.name) / "results"
        for path in (REPOSITORY / "results").glob("nvidia-*/*.json"):
            copy = cls.results / path.relative_to(REPOSITORY / "results")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(json.dumps(cls.spoiled(json.loads(path.read_text()))))
        cls.site = list(load(cls.results).values())

    @classmethod
    def spoiled(cls, value, name=None, part=None):
        if isinstance(value, dict):
            return {key: cls.spoiled(own, key, name) for key, own in value.items()}
        if isinstance(value, list):
            return [cls.spoiled(own, name, name if isinstance(own, dict) else part) for own in value]
        return value + cls.FOREIGN if isinstance(value, str) and name in cls.FIELDS.get(part, ()) else value

    def test_on_pages(self):
        texts = render.render_pages(self.results.parent, self.site)
        pages = {path: text for path, text in texts.items() if path.suffix == ".md"}
        self.assertIn("javascript", "".join(pages.values()))
        for path, text in pages.items():
            with self.subTest(path=path):
                self.assertIsNone(self.MARKUP.search(self.CODE.sub("", text)))

    @unittest.skipUnless(has_matplotlib(), "there is no matplotlib")
    def test_in_charts(self):
        charts = render.find_charts(
            self.results.parent, [site for site in self.site if site.ladder.suite in ("pi", "mcls")]
        )
        for drawn in drawing.draw(list(charts.values())):
            root = ElementTree.fromstring(drawn)
            self.assertFalse([part for part in root.iter() if part.tag.endswith(("script", "}a"))])
            self.assertIn("<script>`](", "".join(root.itertext()))


class OccupancyTest(unittest.TestCase):
    """Warps on a multiprocessor that has blocks, of those that it holds: 64 on compute capability 9.0, 48 on 8.9."""

    def test_a_grid_that_does_not_fill_the_multiprocessors(self):
        for capability, blocks, threads, nominal, text in (
            ("9.0", 1, 1, 0.5, "1.6 %"),  # one warp; the occupancy API says what 32 such blocks would be
            ("9.0", 4224, 1, 0.5, "50 %"),
            ("9.0", 133, 1024, 1.0, "100 %"),  # one multiprocessor has two blocks
            ("9.0", 132, 1000, 1.0, "50 %"),
            ("8.9", 10, 48, 1.0, "4.2 %"),
            ("9.9", 1, 1, 0.5, "50 %"),  # unknown
            ("9.0", 132, 1024, None, "–"),
        ):
            with self.subTest(capability=capability, blocks=blocks, threads=threads):
                cell = steps.occupancy_on({"compute_capability": capability, "multiprocessors": 132})
                self.assertEqual(cell({"blocks": blocks, "threads": threads, "occupancy": nominal}), text)


class LadderTest(RenderTest):
    def test_pages_speak_of_the_ladders_own_unit_of_work(self):
        own = {"suite": "walks", "about": "One path is one walk.", "first": "v2", "unit": "path"}
        ladder = dataclasses.replace(pi, **own)
        site = load(self.site / "results")["pi"]._replace(ladder=ladder, references=[])
        device = site.devices[SLUG]
        charts = json.dumps(device_page.charts(device, site), ensure_ascii=False)
        text = device_page.page(device, site) + devices.page(site) + charts
        for part in ("One path is one walk.", "| Paths/ns (95 % interval) | × before |", "| × v2 |", f"{device.name}, 10⁹ paths per joule |",
                     f"Ladder walks on {device.name}: paths per nanosecond", "(walks.json)"):  # fmt: skip
            self.assertIn(part, text)
        self.assertNotRegex(text, "(?i)sample|π|pi[.]json")


class RenderCheckTest(RenderTest):
    def test_an_edited_number_and_a_page_that_is_not_there(self):
        for path, old, new in (
            (self.readme, "→ 1,000 (v4)", "→ 1,001 (v4)"), (self.page, "[29.9,\N{NO-BREAK SPACE}30.1]", "[29.9,\N{NO-BREAK SPACE}30.2]"), (self.page, "", None),
        ):  # fmt: skip
            with self.subTest(path, new=new):
                self.restore()
                path.unlink() if new is None else self.edit(path, old, new)
                self.assert_refused_by_check(path)

    def test_the_tables_of_the_schema(self):
        (self.site / "docs").mkdir()
        page = self.site / "docs" / "schema.md"
        page.write_text("<!-- schema:team -->\n<!-- /schema -->\n")
        self.assert_refused_by_check(page)
        self.assertEqual(0, self.render().returncode)
        self.assertIn(
            "| `size`, `hosts`, `mpi` | number of members, their hosts, the MPI library |\n", page.read_text()
        )
        self.edit(page, "members", "fellows")
        self.assert_refused_by_check(page)
        page.write_text("<!-- schema:crowd -->\n<!-- /schema -->\n")
        self.assert_refused(str(page), "has no definition 'crowd'")

    def test_a_page_whose_data_are_gone(self):
        self.page.with_name("notes.md").write_text("Written by hand.\n")
        self.result.unlink()
        self.assertIn(f"{self.page} differs", self.render("--check").stderr)
        self.assertIn(f"removed {self.page}\n", self.render().stdout)
        self.assertFalse(self.page.exists() or self.sheet.exists())
        self.assertTrue(self.page.with_name("notes.md").exists())

    def test_a_chart_whose_data_are_gone(self):
        drawn, own = self.page.with_name("gone.svg"), self.page.with_name("own.svg")
        drawn.write_text(drawing.stamped("<svg/>\n", {"chart": "of old data"}))
        own.write_text("<svg/>\n")
        self.assertIn(f"{drawn} differs", self.render("--check").stderr)
        self.assertEqual(f"removed {drawn}\n", self.render().stdout)
        self.assertTrue(own.exists() and not drawn.exists())

    def test_edited_data_names_each_file(self):
        self.edit(self.result, '"median": 30.0', '"median": 29.95')
        for old, new in (
            ('"median": 1000.0', '"median": 1001.0'),
            ('"high": 1000.5', '"high": 1002.5'),
        ):  # the rate of the index
            self.edit(self.result, old, new)
        process = self.failed(self.render("--check"))
        lines = process.stderr.splitlines()
        charts = [self.page.with_name(name) for name in ("ladder.svg", "pi-staircase.svg")]
        changed = [self.index, self.page, self.side_by_side, self.sheet, self.readme, *charts]
        self.assertEqual(changed, [Path(line.split()[1]) for line in lines])

    def assert_refused_by_check(self, path):
        before = self.texts()
        self.assert_ends(self.render("--check"), 1, str(path), "differs")
        self.assertEqual(before, self.texts())


class RenderBrokenInputTest(RenderTest):
    def test_a_file_cut_anywhere(self):
        text = self.result.read_text().rstrip()
        for end in range(1, len(text)):
            with self.assertRaisesRegex(ResultError, "cut short"):
                kinds.RESULT.parse(text[:end], "origin")

    def test_what_is_not_json(self):
        for data in (b"samples: 12\n", b"\xff\xfe\x00", b"[1, 2]", b'{"suite": "pi", }', b"[" * 100_000):
            self.result.write_bytes(data)
            self.assert_ends(self.render(), 1, str(self.result), "not")

    @needs_jsonschema
    def test_documents_that_are_refused(self):
        text = self.result.read_text()
        old, suite = '"schema": 3', '"suite": "pi"'
        for broken, part in (
            (text[: len(text) // 2], "cut short"), ("", "empty"),
            (text.replace(suite, '"suite": "options"'), "not a result of the suite 'pi'"),
            (text.replace(old, '"schema": 1'), "written by an older version of the suite (schema 1, known here: 3)"),
            *((text.replace(old, f'"schema": {schema}'), "schema") for schema in ("0", "true", '"1"', "1.0", "null")),
            (json.dumps(json.loads(text) | {"runs": []}), "runs is empty"), ((RESULTS / "cpu.json").read_text(), "device"),
        ):  # fmt: skip
            with self.subTest(part):
                self.assertNotEqual(text, broken)
                self.result.write_text(broken)
                self.assert_refused(str(self.result), part)

    @needs_jsonschema
    def test_values_that_no_result_has(self):
        edits = {
            '"sigma": 2.5': ['"sigma": NaN', '"sigma": 1e999', '"sigma": "2.5"', '"sigmoid": 2.5'],
            '"variance_ratio": null': ['"variance_ratio": 3'],
            '"independent": "samples"': ['"independent": null'],
            '"registers": 42': [
                '"registers": 42, "effective_per_ns": "3"',
                '"registers": 42, "team": []',
                '"registers": 42, "resumed_from": 1.5',
                '"registers": 42, "after": "v7_volatile"',
                '"registers": 42, "team": {}',
                '"registers": 42, "phases_ms": {"seed": 1.5}',
                '"registers": 42, "outcome": null',
            ],
            '"unit": "sample"': ['"unit": null', '"unit": "path"', '"units": "sample"'],
            '"median": 30.0': ['"median": 0', '"median": -1', '"median": true', '"median": 31.0'],
            '"version": "v4"': [
                '"version": "v2"',
                '"version": 4',
                '"version": "four"',
                '"version": "v01"',
                '"edition": "v4"',
            ],
            '"warnings": []': [
                '"warnings": null',
                '"warnings": ["slow"]',
                '"warnings": [{"kind": "other", "text": "slow"}]',
            ],
            '"stopped": "precise"': ['"stopped": "soon"'],
            '"name": "NVIDIA Fixture 9000"': ['"name": null'],
            '"exit": 4': ['"exit": "4"'],
        }
        for old, news in edits.items():
            for new in news:
                with self.subTest(new):
                    self.restore()
                    self.edit(self.result, old, new)
                    with self.assertRaisesRegex(ResultError, str(self.result)):
                        load(self.site / "results")["pi"]

    @needs_jsonschema
    def test_a_broken_reference(self):
        reference = self.site / "results" / "reference" / "sample.json"
        for text in ("{}", '{"columns": 3}', '{"title": "half a', "[]"):
            reference.write_text(text)
            self.assert_refused(str(reference))

    def test_markers(self):
        start, end = "<!-- ladders:a -->\n", "<!-- /ladders -->\n"
        for text in (f"{start}text\n", f"text\n{end}", start + start + end, start + end + end):
            with self.subTest(text):
                self.readme.write_text(text)
                self.assert_refused(str(self.readme), "<!-- ladders:<device> -->")
        self.readme.unlink()
        self.assert_refused(str(self.readme), "No such file")
        self.assert_ends(called(render, "--root"), 2, "--root")

    @needs_jsonschema
    def test_full_disk(self):
        self.index.unlink()
        self.assert_ends(self.render(**on_full_disk(100)), 5, str(self.index), "File too large")
        self.assertFalse(self.index.exists())
        self.assert_no_leftovers()


if __name__ == "__main__":
    unittest.main()
