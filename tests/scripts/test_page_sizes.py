#!/usr/bin/env python3
"""Tests of how large pages are as GitHub shows them: heights, tables that fit their column, words that fit their chart. A browser measures them."""

import contextlib
import sys
import unittest

sys.dont_write_bytecode = True

import browser
from sandbox import REPOSITORY

from suite.render import report
from temporary import temporary_folder

COLUMN = 838  # px
HIGHEST = {"pi": 5000, "mcls": 6000}  # px, of the pages of these ladders

# What GitHub's own style sheet makes of Markdown, as far as it takes room. Liberation Sans is as wide as Arial.
STYLE = """
body { margin: 0; font: 16px/1.5 "Liberation Sans", Arial, monospace; overflow-wrap: break-word }
article { width: 838px; overflow: hidden }
p, ul, ol, table, pre, details { margin: 0 0 16px }
ul, ol { padding-left: 2em } li + li { margin-top: 4px } li > p { margin-top: 16px }
h1, h2, h3, h4 { margin: 24px 0 16px; line-height: 1.25 }
h1 { font-size: 32px; padding-bottom: 10px; border-bottom: 1px solid } h2 { font-size: 24px; padding-bottom: 8px; border-bottom: 1px solid }
h3 { font-size: 20px } h4 { font-size: 16px }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; border-spacing: 0 }
th, td { padding: 6px 13px; border: 1px solid }
code, pre { font: 85% "Liberation Mono", monospace } code { padding: .2em .4em; white-space: break-spaces }
pre { padding: 16px; overflow: auto; line-height: 1.45 } pre code { padding: 0; font-size: 100%; white-space: pre }
img { max-width: 100% }
"""
WORDS, WIDTH = "Ladders of CUDA kernels", 180.5  # px of these words in Arial

MEASURED = """(() => {
    const tables = [...document.querySelectorAll("table")].filter((table) => table.checkVisibility());
    return {
        height: Math.round(document.querySelector("article").getBoundingClientRect().height),
        tables: tables.map((table) => [table.scrollWidth, table.rows[0].innerText.replaceAll("\\t", " | ")]),
        images: [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src),
        font: document.querySelector("#font").getBoundingClientRect().width,
    };
})()"""

CUT = """[...document.querySelectorAll("text")].filter((text) => {
    const [own, all] = [text, document.documentElement].map((element) => element.getBoundingClientRect());
    return own.left < all.left - 1 || own.right > all.right + 1 || own.top < all.top - 1 || own.bottom > all.bottom + 1;
}).map((text) => text.textContent)"""


class SizesTest(unittest.TestCase):
    """Every page of results/ and its charts, drawings, and README.md."""

    @classmethod
    def setUpClass(cls):
        if report.MarkdownIt is None:
            raise unittest.SkipTest(report.NO_MARKDOWN_IT)
        if not browser.program():
            raise unittest.SkipTest("this system has no chromium")
        ends = contextlib.ExitStack()
        cls.addClassCleanup(ends.close)
        page, file = ends.enter_context(browser.opened()), temporary_folder(cls.addClassCleanup) / "page.html"
        cls.sizes, cls.cut = {}, {}
        for path in [path for folder in ("results", "docs") for path in REPOSITORY.glob(f"{folder}/**/*.svg")]:
            page.open(path)
            cls.cut[path.name] = page.evaluate(CUT)
        for path in [REPOSITORY / "README.md", *sorted(REPOSITORY.glob("results/**/*.md"))]:
            file.write_text(html_of(path))
            page.open(file)
            cls.sizes[path.relative_to(REPOSITORY)] = size = page.evaluate(MEASURED)
            if abs(size["font"] - WIDTH) > 1:
                raise unittest.SkipTest("this system has neither Arial nor a font as wide, such as fonts-liberation")

    def test_no_table_is_wider_than_its_column(self):
        tables = [(str(path), *table) for path, size in self.sizes.items() for table in size["tables"]]
        self.assertLess(20, len(tables))
        self.assertEqual([], [table for table in tables if table[1] > COLUMN])

    def test_long_pages_stay_below_their_heights(self):
        heights = {path: size["height"] for path, size in self.sizes.items() if path.stem in HIGHEST}
        self.assertLess(3, len(heights))
        self.assertEqual({}, {str(path): own for path, own in heights.items() if own >= highest(path)})

    def test_no_words_of_a_chart_are_cut(self):
        self.assertLess(20, len(self.cut))
        self.assertEqual({}, {name: words for name, words in self.cut.items() if words})

    def test_every_image_is_shown(self):
        self.assertEqual([], [image for size in self.sizes.values() for image in size["images"]])


def highest(path):
    """How many px a page may have. That of all devices has 1000 more for each beyond the second."""
    devices = len([*REPOSITORY.glob(f"results/*/{path.stem}.json")]) if path.parent.name == "results" else 0
    return HIGHEST[path.stem] + 1000 * max(0, devices - 2)


def html_of(path):
    markdown = report.MarkdownIt("commonmark").enable("table")
    return f"""<!DOCTYPE html><meta charset="utf-8"><base href="{path.as_uri()}"><style>{STYLE}</style>
<span id="font" style="position: absolute; visibility: hidden">{WORDS}</span>
<article>{markdown.render(path.read_text())}</article>"""


if __name__ == "__main__":
    unittest.main()
