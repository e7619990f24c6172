#!/usr/bin/env python3
"""What real programs print is read, stored and rendered: one program of each kind, from --json to a page.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Those on a GPU skip without one.
"""

import json
import re
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import BIN, RESULTS, SLUG, Sandbox, arrays, asian, called, lecture, lookback, mcls, normals, pi

import gpus
from suite.documents import files, kinds, schema
from suite.render import drawing, render

SHORT = ("--launches", "6", "--batch", "1")  # the fewest timings with an interval
ON_THE_CPU = {  # whose program has a step's record, and a shorter launch than the usual one
    pi: ("--iters", "100"),
    arrays: ("--iters", "1"),
    normals: ("--iters", "65"),
    asian: ("--iters", "65"),
    lookback: ("--iters", "65"),
    mcls: ("--histories", "20000"),
}
ON_A_GPU = {pi: "v8", lecture: "k3", arrays: "a10", normals: "n5", asian: "a5", lookback: "l3", mcls: "v15"}
GPU = json.loads((RESULTS / "gpu.json").read_text())["context"]["device"]


class EndToEnd(Sandbox):
    def output_of(self, name, *options):
        process = self.execute(BIN / name, *options)
        self.assertEqual(0, process.returncode, process.stderr)
        return process.stdout

    def record(self, ladder, version, *options):
        """What the program of a step prints, read as every result is."""
        command = ladder.cpu.get(version) or (ladder.program(version), *ladder.options(version))
        text = self.output_of(*command, *SHORT, *options, "--quiet", "--json", "-")
        return files.parse(text, command[0], kinds.RESULT.of(ladder).check)

    def page(self, ladder, document, **others):
        """The page of a site that holds this result and other documents alone."""
        folder = self.root / "results" / SLUG
        folder.mkdir(parents=True, exist_ok=True)
        (self.root / "README.md").write_text(f"<!-- {ladder.suite}:{SLUG} -->\n<!-- /{ladder.suite} -->\n")
        for name, content in {ladder.suite: document, **others}.items():
            (folder / f"{name}.json").write_text(files.to_text(content))
        with mock.patch.object(drawing, "PYTHONS", ()):
            process = called(render, "--root", self.root)
        self.assertEqual(0, process.returncode, process.stderr)
        return (folder / f"{ladder.suite}.md").read_text()

    def assert_shows(self, page, document):
        """The page has the title, and the rate that the program printed, as far as its digits go."""
        [run] = document["runs"]
        self.assertIn(f"| {run['version']}: {run['title']}", page)
        shown = re.search(
            r"(?m)^\|[^|]*\| ([\d.,]+)\s\[([\d.,]+),\s([\d.,]+)\] ", page
        ).groups()  # "29,256 [29,250, 29,260]"
        for text, name in zip(shown, ("median", "low", "high")):
            digits = len(text.partition(".")[2])
            self.assertAlmostEqual(run["per_ns"][name], float(text.replace(",", "")), delta=0.501 * 10.0**-digits)


class OnTheCpu(EndToEnd):
    def test_every_ladder(self):
        for ladder, options in ON_THE_CPU.items():
            with self.subTest(ladder.suite):
                document = self.record(ladder, next(iter(ladder.cpu)), *options)
                self.assertIsNone(document["context"]["device"])
                document["context"]["device"] = GPU  # pages are those of GPUs
                self.assert_shows(self.page(ladder, document), document)


class OnAGpu(EndToEnd):
    def setUp(self):
        gpus.need_one()
        super().setUp()

    def test_every_ladder(self):
        for ladder, version in ON_A_GPU.items():
            with self.subTest(ladder.suite):
                document = self.record(ladder, version)
                page = self.page(ladder, document)
                self.assert_shows(page, document)
                self.assertIn(document["context"]["device"]["name"], page)

    def test_rates_of_memory(self):
        limits = files.parse(self.output_of("suite_limits", "--json", "-"), "suite_limits", kinds.LIMITS.check)
        self.assertGreater(min(limit["gbps"] for limit in limits["limits"]), 0)
        self.assertIn("(limits.json)", self.page(arrays, self.record(arrays, "a10"), limits=limits))

    def test_a_solver(self):
        solver = files.parse_json(self.output_of("mcls_solve", "--system", "tiny4", "--json", "-"), "mcls_solve")
        schema.check(solver, "solver", "mcls_solve")

    def test_moments_of_normals(self):
        document = json.loads(self.output_of("options_moments", "--json", "-"))
        self.assertTrue(document["transforms"])
        for transform in document["transforms"]:
            with self.subTest(transform["name"], steps=transform["steps"]):
                self.assertEqual(0, transform["bad"])
                self.assertAlmostEqual(1, transform["powers"][2], delta=1e-5)  # of a normal
                self.assertAlmostEqual(3, transform["powers"][4], delta=1e-5)


if __name__ == "__main__":
    unittest.main()
