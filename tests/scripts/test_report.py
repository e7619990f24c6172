#!/usr/bin/env python3
"""Tests of scripts/report: what is in its file, and what a browser without a network makes of it."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

import browser
from sandbox import RESULTS, SLUG, Sandbox, called

from suite.render import drawing, render, report, site
from suite.render.index import Page
from temporary import temporary_folder

OWN = "nvidia-own"
FOREIGN = "NVIDIA <script>alert(1)</script> <b>`*x*"

# From the smallest figure to the largest, in every form that pages have, and last what is none.
NUMBERS = [
    "-3.63 × 10⁻⁷", "< 0.1 %", "0.5", "(9.4 ± 0.5) × 10⁻¹", "1.02 ± 0.01", "+1.95", "7.00 (v1)", "30.0 [29.9, 30.1]§", "648", "10³",
    "1,234×", "18,000×", "boost 18,500", "3.1 × 10⁵", "1,000,000", "never",
]  # fmt: skip
NONE = ["–", "overlap (v13)", "failed (exit 1): 7 of 9"]
TIMES = ["100 ns", "2 µs", "1.5 ms", "1.1 s", "1.4 min", "1 h", "1.6 d", "2.0 years"]


LONG = [["a", "1"], ["", "9"], ["b", "2"], ["", "8"]]  # two rows each


def table(title, rows):
    return "\n".join([f"| Name | {title} |", "| :--- | ---: |", *(f"| {name} | {figure} |" for name, figure in rows)])


def mixed(figures):
    """Rows with these figures, in an order that is neither theirs nor its reverse."""
    rows = [[f"r{number}", figure] for number, figure in enumerate(figures)]
    return [*rows[1::2], *rows[::2]]


TABLES = {"Figures": mixed(NUMBERS + NONE), "Times": mixed(TIMES), "Long": LONG}
PAGE = Page(
    "Others", "Tables", "others/tables.md", "\n\n".join(["<b>HTML</b>", *(table(*each) for each in TABLES.items())])
)


def git(root, *arguments):
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, timeout=60)


def add_device(results, slug, name, faster=1):
    """A device like that of the fixture, with another name and another rate of v2."""
    shutil.copytree(results / SLUG, results / slug)
    document = json.loads((results / SLUG / "pi.json").read_text())
    document["context"]["device"]["name"] = name
    rate = next(run for run in document["runs"] if run["version"] == "v2")["per_ns"]
    rate.update({name: value * faster for name, value in rate.items()})
    (results / slug / "pi.json").write_text(json.dumps(document))


def make_site(root):
    """A repository that has two devices, of which one is the base of comparisons."""
    shutil.copytree(RESULTS / "site", root, dirs_exist_ok=True)
    add_device(root / "results", "nvidia-h200", "NVIDIA H200")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "Results")


def drawn(charts):
    """A drawing of each chart, in the time of none."""
    return ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' for _ in charts]


def write_report(root, *pages):
    """What scripts/report does, with further pages; the file is report.html."""
    every = lambda root, found, own=render.every_page: [*own(root, found), *pages]
    with mock.patch.object(drawing, "draw", drawn), mock.patch.object(render, "every_page", every):
        return called(report, "--root", root, "--out", root / "report.html")


def setUpModule():
    if report.MarkdownIt is None:
        raise unittest.SkipTest(report.NO_MARKDOWN_IT)
    if not shutil.which("git"):
        raise unittest.SkipTest("this system has no git")
    without_hook = mock.patch.dict(os.environ)  # one of git that runs this test sets some
    without_hook.start()
    unittest.addModuleCleanup(without_hook.stop)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]


class BrowserTest(unittest.TestCase):
    """The report on a machine of one's own, in a browser that is offline."""

    @classmethod
    def setUpClass(cls):
        if not browser.program():
            raise unittest.SkipTest("this system has no chromium")
        root = temporary_folder(cls.addClassCleanup)
        make_site(root)
        add_device(root / "results", OWN, FOREIGN, faster=2)
        write_report(root, PAGE)
        cls.path = root / "report.html"
        ends = contextlib.ExitStack()
        cls.addClassCleanup(ends.close)
        cls.page = ends.enter_context(browser.opened())

    def setUp(self):
        self.page.open(self.path)

    def shown(self):
        """The titles of the pages that can be seen."""
        return self.page.evaluate(
            "[...document.querySelectorAll('h1')].filter((title) => title.checkVisibility()).map((title) => title.textContent)"
        )

    def choose(self, device):
        """Choose a device in the picker, and wait until its pages show."""
        self.page.evaluate(f"""new Promise((resolve) => {{
            const picker = document.querySelector("select");
            addEventListener("hashchange", () => setTimeout(resolve), {{ once: true }});
            picker.value = [...picker.options].find((option) => option.text === {json.dumps(device)}).value;
            picker.dispatchEvent(new Event("change"));
        }})""")

    def click(self, title):
        """Click on the title of a column, and tell the rows of its table."""
        return self.page.evaluate(f"""(() => {{
            const cell = [...document.querySelectorAll("th")].find((cell) => cell.textContent === {json.dumps(title)});
            cell.firstElementChild.click();
            return [...cell.closest("table").tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
        }})()""")

    def test_opens_without_a_request_and_without_an_error(self):
        urls = {told["request"]["url"] for told in self.page.seen["Network.requestWillBeSent"]}
        self.assertEqual([self.path.as_uri()], [url for url in urls if not url.startswith("data:")])
        self.assertFalse(
            self.page.seen.keys() & {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        )
        self.assertEqual(0, self.page.evaluate("[...document.images].filter((image) => !image.naturalWidth).length"))
        self.assertLess(0, self.page.evaluate("document.images.length"))

    def test_every_link_leads_to_a_part_of_the_file_or_into_the_web(self):
        links = self.page.evaluate("[...document.links].map((link) => link.getAttribute('href'))")
        parts = self.page.evaluate("[...document.querySelectorAll('[id]')].map((part) => part.id)")
        self.assertIn("#nvidia-own/pi.md", links)
        self.assertEqual(
            [], [link for link in links if link.removeprefix("#") not in parts and not link.startswith("https://")]
        )
        self.assertEqual(len(parts), len(set(parts)))

    def test_in_the_dark_and_on_a_phone(self):
        for scheme, red in (("dark", range(50)), ("light", range(200, 256))):
            self.page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            shown = self.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
            self.assertIn(int(shown), red)
        self.page.ask("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        self.assertEqual(
            390, self.page.evaluate("document.documentElement.scrollWidth")
        )  # no part is wider than the window

    def test_the_picker_shows_one_device_alone(self):
        self.assertEqual([f"What changed on {FOREIGN}", f"The ladder pi on {FOREIGN}"], self.shown())
        self.choose("NVIDIA H200")
        self.assertEqual(["The ladder pi on NVIDIA H200"], self.shown())
        self.choose("All devices")
        self.assertEqual(["The ladder pi on all devices"], self.shown())

    def test_a_link_to_a_page_of_another_device_shows_it(self):
        self.choose("All devices")
        self.page.evaluate("""new Promise((resolve) => {
            addEventListener("hashchange", () => setTimeout(resolve), { once: true });
            document.querySelector("#all-devices td a[href='#nvidia-h200/pi.md']").click();
        })""")
        self.assertEqual(["The ladder pi on NVIDIA H200"], self.shown())
        self.assertEqual("NVIDIA H200", self.page.evaluate("document.querySelector('select').selectedOptions[0].text"))

    def test_a_click_sorts_by_value(self):
        for title, figures in (("Figures", NUMBERS), ("Times", TIMES)):
            for expected in (figures[::-1], figures):
                sorted_figures = [row[1] for row in self.click(title)]
                self.assertEqual(expected, sorted_figures[: len(figures)])
                self.assertEqual(
                    NONE if title == "Figures" else [], sorted(sorted_figures[len(figures) :], key=NONE.index)
                )
            self.assertEqual(TABLES[title], self.click(title))

    def test_names_sort_by_their_numbers(self):
        names = [row[0] for row in self.click("Name")]  # of the first table
        self.assertEqual([f"r{number}" for number in range(len(names))], names)
        self.assertEqual(names[::-1], [row[0] for row in self.click("Name")])

    def test_rows_that_go_on_move_with_the_first(self):
        self.assertEqual([*LONG[2:], *LONG[:2]], self.click("Long"))

    def test_what_a_machine_says_stays_text(self):
        self.assertEqual(1, self.page.evaluate("document.scripts.length"))
        self.assertEqual(0, self.page.evaluate("document.querySelectorAll('main b').length"))
        options = self.page.evaluate("[...document.querySelectorAll('option')].map((option) => option.text)")
        self.assertIn(f"Your machine: {FOREIGN}", options)


class ReportTest(Sandbox):
    """The text of the file."""

    def setUp(self):
        super().setUp()
        make_site(self.root)
        self.stored = self.root / "results" / SLUG / "pi.json"

    def report(self):
        process = self.succeeded(write_report(self.root))
        self.assertRegex(process.stdout, rf"\Awrote {self.root}/report.html \([0-9.]+ MB\)\n\Z")
        return (self.root / "report.html").read_text()

    def test_results_of_another_device_are_compared_with_the_h200(self):
        add_device(self.root / "results", OWN, "NVIDIA Own", faster=2)
        text = self.report()
        self.assertIn("come first: NVIDIA Own.", text)
        for cells in (
            ("HEAD:./results/nvidia-h200/pi.json", "results/nvidia-own/pi.json"),
            ("NVIDIA H200", "NVIDIA Own"),
        ):
            self.assertIn("\n".join(f'<td style="text-align:left">{cell}</td>' for cell in cells), text)
        self.assertIn(">2.0000</td>", text)

    def test_every_timing_is_a_point_of_its_row_in_order(self):
        document = json.loads(self.stored.read_text())
        run = next(run for run in document["runs"] if run["version"] == "v2")
        run["kernel_ms"] = [2.0, 1.0, 1.5, *run["kernel_ms"][3:]][:3]
        self.stored.write_text(json.dumps(document))
        row = self.report().split("<h2>Every timing, in order</h2>")[1].split("<td>v2</td>")[1].split("</tr>")[0]
        self.assertIn('">3</td><td style="text-align:right">100 %</td>', row)
        # The slowest is at the top, where y is least.
        self.assertIn('<polyline points="0.0,1.0 90.0,23.0 180.0,12.0"/>', row)

    def test_results_of_a_stored_device_are_compared_with_it(self):
        self.stored.write_text(self.stored.read_text() + "\n")
        text = self.report()
        self.assertIn(f"HEAD:./results/{SLUG}/pi.json", text)
        self.assertNotIn("HEAD:./results/nvidia-h200", text)

    def test_without_a_stored_result_nothing_is_compared(self):
        shutil.rmtree(self.root / "results" / "nvidia-h200")
        git(self.root, "commit", "--quiet", "--all", "--message", "No H200")
        add_device(self.root / "results", OWN, "NVIDIA Own")
        text = self.report()
        self.assertIn("Your machine: NVIDIA Own", text)
        self.assertNotIn("What changed", text)

    def test_whose_results_are_not_known(self):
        self.assertIn("no results of your own", self.report())
        shutil.rmtree(self.root / ".git")
        text = self.report()
        self.assertIn("Without git", text)
        self.assertNotIn("Your machine", text)

    def test_a_stored_result_that_cannot_be_read_is_not_compared(self):
        text = self.stored.read_text()
        self.stored.write_text("{")
        git(self.root, "commit", "--quiet", "--all", "--message", "Broken")
        self.stored.write_text(text)
        self.assertIn("Not compared: HEAD:./results", self.report())

    def test_no_results(self):
        shutil.rmtree(self.root / "results")
        (self.root / "results").mkdir()
        self.assertIn("No result yet", self.report())

    def test_charts_that_show_their_data_are_taken_as_they_are(self):
        for path, chart in render.find_charts(self.root, list(site.load(self.root / "results").values())).items():
            path.write_text(drawing.stamped("<svg>stored</svg>\n", chart))
        text = self.report()
        self.assertIn(base64.b64encode(b"<svg>stored</svg>").decode()[:20], text)
        self.assertNotIn(base64.b64encode(drawn([0])[0].encode()).decode()[:20], text)

    def test_charts_that_cannot_be_drawn(self):
        with mock.patch.object(drawing, "draw", side_effect=drawing.DrawingError("no pen")):
            process = called(report, "--root", self.root, "--out", self.root / "report.html")
        self.assert_ends(process, 0, "report: not drawn", "ladder.svg", "no pen")
        self.assertIn("Ladder pi on NVIDIA H200: samples per nanosecond", (self.root / "report.html").read_text())

    def test_errors(self):
        self.stored.write_text("{")
        self.assert_ends(write_report(self.root), 1, str(self.stored), "nothing was written")
        git(self.root, "checkout", "--quiet", ".")
        (self.root / "report.html").mkdir()
        self.assert_ends(write_report(self.root), 5, "report.html could not be written")
        with mock.patch.object(report, "MarkdownIt", None):
            self.assert_ends(write_report(self.root), 1, "markdown-it-py is missing")
        self.assert_ends(write_report(self.root / "docs"), 2, "--root", "no folder results/")


if __name__ == "__main__":
    unittest.main()
