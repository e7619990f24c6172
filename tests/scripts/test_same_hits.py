#!/usr/bin/env python3
"""Tests of the stored results: every device counts the same hits, and its documents are of one commit."""

import collections
import itertools
import json
import shutil
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, Sandbox

from suite import ladders
from suite.analyse import comparison
from suite.documents import stored
from suite.processes import run_program

BASE = REPOSITORY / "results" / stored.BASE


class StoredResultsTest(unittest.TestCase):
    def test_all_devices_count_the_same_hits(self):
        found = agreements(REPOSITORY / "results")
        self.assertTrue(found, "no ladder of hits on two devices")
        self.assertEqual({}, differences(found))
        for name, own in found.items():
            with self.subTest(name):
                if own.at_no_point or not own.same:
                    self.skipTest(comparison.hits_text(own, *name[1:]))

    def test_the_documents_of_a_folder_are_of_one_clean_commit(self):
        """Those that git has, with the commits that rows name."""
        if not shutil.which("git"):
            self.skipTest("no git")
        pattern = '"commit":("[0-9a-f]+"|null)|"dirty":true'
        found = run_program("git", "-C", REPOSITORY, "grep", "-oE", pattern, "HEAD", "--", "results/*/*.json")
        if found.errors:  # no repository, or another owner's
            self.skipTest(found.errors)
        self.assertTrue(found.output)
        named = {(line.split("/")[1], line.split(":", 2)[2]) for line in found.output.splitlines()}
        folders = collections.Counter(folder for folder, _ in named)
        self.assertEqual(set(), {folder for folder, commits in folders.items() if commits > 1})


class ShapeTest(unittest.TestCase):
    def test_what_fixes_the_hits_of_a_launch(self):
        """Seed and grid; on a CPU the streams, which any number of threads share."""
        for version, name, is_fixed in (*(("v1", name, True) for name in ("seed", "blocks", "threads", "iters")), ("v1", "streams", False),
                                        ("cpu_openmp", "streams", True), ("cpu_openmp", "threads", False)):  # fmt: skip
            run = {"version": version, "seed": 1, "blocks": 2, "threads": 3, "iters": 4, "streams": 5}
            self.assertEqual(
                is_fixed, comparison.shape_of(run) != comparison.shape_of(run | {name: 9}), (version, name)
            )


class PlantedDifferenceTest(Sandbox):
    """The stored results of a device, and the same as if they were of a second one."""

    def setUp(self):
        super().setUp()
        self.second = self.root / "second"
        shutil.copytree(BASE, self.root / BASE.name)
        shutil.copytree(BASE, self.second)

    def change(self, document, version, change):
        path = self.second / document
        content = json.loads(path.read_text())
        change(next(run for run in content["runs"] if run["version"] == version))
        path.write_text(json.dumps(content))

    def test_none(self):
        found = agreements(self.root)
        self.assertEqual(({"pi", "lecture", "arrays"}, {}), ({name[0] for name in found}, differences(found)))
        self.assertTrue(all(own.same for own in found.values()))

    def test_one_hit_of_a_step_and_of_an_ablation(self):
        for document, version in (("pi.json", "v8"), ("pi-ablations.json", "v8_shared"), ("arrays.json", "a0")):
            self.change(document, version, lambda run: run["outcome"].update(hits=run["outcome"]["hits"] + 1))
        self.assertEqual({"v8", "v8_shared", "a0"}, differences(agreements(self.root)).keys())

    def test_another_grid_counts_other_hits(self):
        self.change(
            "pi.json", "v8", lambda run: run.update(blocks=5) or run["outcome"].update(hits=run["outcome"]["hits"] + 1)
        )
        found = agreements(self.root)
        self.assertEqual({}, differences(found))
        self.assertEqual(["v8"], found["pi", BASE.name, "second"].of_other_launches)


def agreements(results):
    """How each two devices agree, by the names of the ladder and of both."""
    found = {}
    for ladder in ladders.every_ladder():
        if ladder.outcome == "hits":
            for first, second in itertools.combinations(stored.load_devices(results, ladder).values(), 2):
                found[ladder.suite, first.slug, second.slug] = comparison.agreement(first.runs, second.runs)
    return found


def differences(found):
    return {version: (name, point) for name, own in found.items() for version, point in own.different.items()}


if __name__ == "__main__":
    unittest.main()
