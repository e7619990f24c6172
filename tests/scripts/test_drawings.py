#!/usr/bin/env python3
"""Tests of docs/drawings/: the stored drawings are those that draw.py makes, stand in the stories, and say what the kernels say."""

import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True

from sandbox import REPOSITORY
from temporary import temporary_folder

FOLDER = REPOSITORY / "docs" / "drawings"
KERNELS = REPOSITORY / "kernels"
SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES, MOST_WIDTH = 40_000, 760
CAPTIONED = re.compile(r"(?m)^!\[[^\]]+\]\((?:\.\./)+docs/drawings/([\w.-]+)\)\n\n\*[^*\n]+\.\*$")

# What a drawing says, in a file that decides it: a pattern there, and what its groups make of the drawing's text.
DECIDED = [
    ("grid-block-warp", "pi/v03_threads_per_block.cu", r"threads = (\d+);", lambda threads: [f"{int(threads) - 1:,} additions"]),
    ("bit-planes", "pi/shared/cell_networks.cuh", r"/// (\d+) lookups\.\ntemplate <>\nstruct Network<3>",
     lambda lookups: [f"{lookups} lookups"]),
    ("dot-product-word", "random/draws.cuh", r"DotMrgDraws : public DotMrg<(\d+), (\d+), \d+, 0x(..)(..)(..)(..)>",
     lambda long, short, *factors: [f"{long} words", f"x[n] = a · x[n−{long}] + x[n−{short}]", *factors]),
    ("half-pairs", "pi/shared/half_cells.cuh", r"half_group_words = (\d+);",
     lambda words: [f"{int(words) - 1} words, {2 * (int(words) - 1)} samples"]),
    ("two-pipes", "options/normals/n08_mrg.cu", r"A pair has (\d+) and (\d+):",
     lambda instructions, results: [f"{instructions} instructions", f"{results} results"]),
    ("two-pipes", "options/normals/n09_two_pipes.cu", r"needs (\d+) results of the XU\n.*of 4, and (\d+) instructions in place of (\d+)\.",
     lambda results, after, before: [f"or {results} results", f"{before} or {after} instructions"]),
    ("walk-tally", "mcls/system/systems.cpp", r"3\.5 : (\d\.\d)\}\);\n *add_neighbours\(entries, i, \{\{1, n, -1, -1\}\}\);",
     lambda diagonal: [f"{(2 / float(diagonal)) ** visits:.2f}" for visits in range(5)]),
    ("tally-window", "mcls/shared/windows.cuh", r"most_in_window = (\d+) \* 1024;", lambda size: [f"{int(size) * 1024:,} states"]),
    ("slot-paths", "mcls/shared/equal_slots.cuh", r" slots = (\d+);", lambda slots: [f"one of {slots} slots"]),
]  # fmt: skip


def words_of(root):
    """The text of a drawing."""
    return "\n".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))


class DrawingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stored = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}

    def test_draw_makes_the_stored_drawings_again(self):
        folder = temporary_folder(self.addCleanup)
        subprocess.run([sys.executable, FOLDER / "draw.py", folder], check=True)
        drawn = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        self.assertEqual(sorted(drawn), sorted(self.stored))
        for name, text in drawn.items():
            self.assertTrue(text == self.stored[name], f"{name} differs: run docs/drawings/draw.py")

    def test_a_drawing_is_small_and_says_what_it_shows(self):
        for name, text in self.stored.items():
            with self.subTest(name):
                root = ElementTree.fromstring(text)
                for part in ("title", "desc"):
                    self.assertTrue(root.findtext(f"{SVG}{part}"), part)
                self.assertTrue(words_of(root).strip())
                self.assertLess(len(text.encode()), MOST_BYTES)
                self.assertLessEqual(float(root.get("width")), MOST_WIDTH)

    def test_its_colours_change_with_the_page(self):
        for name, text in self.stored.items():
            with self.subTest(name):
                style = ElementTree.fromstring(text).find(f"{SVG}style").text
                self.assertIn("prefers-color-scheme: dark", style)
                defined = set(re.findall(r"\.(\w+)", style))
                used = {kind for kinds in re.findall(r' class="([\w ]+)"', text) for kind in kinds.split()}
                self.assertEqual(set(), used - defined)

    def test_each_stands_in_one_story_with_a_caption(self):
        stories = "\n".join(path.read_text(encoding="utf-8") for path in KERNELS.rglob("README.md"))
        self.assertEqual(sorted(self.stored), sorted(re.findall(r"docs/drawings/([^)\s]+)", stories)))
        self.assertEqual(sorted(self.stored), sorted(CAPTIONED.findall(stories)))

    def test_its_numbers_are_those_of_the_kernels(self):
        for name, file, pattern, said in DECIDED:
            with self.subTest(name):
                decided = re.search(pattern, (KERNELS / file).read_text(encoding="utf-8"))
                self.assertTrue(decided, f"{file} has no {pattern}")
                words = words_of(ElementTree.fromstring(self.stored[f"{name}.svg"]))
                for part in said(*decided.groups()):
                    self.assertIn(part, words)


if __name__ == "__main__":
    unittest.main()
