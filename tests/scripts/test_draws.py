#!/usr/bin/env python3
"""Tests of what results say of random numbers that several rows share, and of audits: pages, and scripts/compare."""

import json
import sys
import unittest

sys.dont_write_bytecode = True

from programs import record
from sandbox import SLUG, Sandbox, called

from suite.analyse import compare, draws
from suite.documents import stored
from suite.render import audits
from suite.render.draws import note


class DrawsTest(Sandbox):
    def runs(self):
        """v1, v2 and v3 have one generator, of which v1 and v2 count the same hits."""
        hits = {"v1": 785, "v2": 785, "v3": 786, "v4": 785}
        runs = [
            record(version, outcome={"samples": 10**3, "hits": count, "trace": []})["runs"][0]
            for version, count in hits.items()
        ]
        runs[-1]["generator"] = "another"
        return runs

    def test_rows_with_one_generator_and_seed(self):
        runs = self.runs()
        self.assertEqual([["v1", "v2", "v3"]], draws.sharing(runs))
        self.assertEqual([["v1", "v2"]], draws.alike(runs), "v4 has the same hits by chance")
        runs[1]["seed"] = 5
        self.assertEqual([["v1", "v3"]], draws.sharing(runs))
        self.assertEqual([], draws.alike(runs))
        self.assertEqual([5, 1234], draws.seeds_of(runs))

    def test_the_page_names_them(self):
        def said(runs):
            return " ".join(note(stored.Device(SLUG, {"suite": "pi", "runs": runs})))

        runs = self.runs()
        text = said(runs)
        self.assertIn("Every row has seed 1234.", text)
        self.assertIn("more than once: v1 to v3.", text)
        self.assertIn("The same hits, of the same numbers: v1, v2.", text)
        runs[0]["seed"] = runs[1]["seed"] = 5
        self.assertIn("The rows have the seeds 5, 1234.", said(runs))
        self.assertNotIn("more than once", said(runs[2:]))
        for run in runs:
            del run["seed"]  # of an older build
        self.assertEqual("", said(runs))

    def test_the_page_says_how_many_launches_were_audited(self):
        def said(*found):
            runs = self.runs()
            for run, audit in zip(runs, found):
                run["audit"] = audit
            return " ".join(audits.note(stored.Device(SLUG, {"suite": "pi", "runs": runs})))

        def audit(full, brief):
            part = lambda count: {"launches": count, "parts": count, "of": 264, "work": 10**6} if count else None
            return {
                "timed": 500,
                "full": part(full),
                "brief": part(brief),
                "entropy": ["0123456789abcdef"],
                "seconds": 0.2,
            }

        self.assertEqual("", said(), "results from before there were audits")
        self.assertEqual("", said(None), "nothing was timed")
        chosen = "32 launches of each row, chosen at random among those that were timed. [How]"
        self.assertIn(chosen, said(audit(2, 30), audit(None, 32)))
        self.assertIn("5 to 32 launches", said(audit(32, None), audit(5, None)))
        self.assertIn("timed. None of v3.", said(audit(32, None), audit(5, None), None))

    def test_compare_says_that_two_files_are_one_draw(self):
        path, other = self.root / "a.json", self.root / "b.json"
        document = record("v8")
        path.write_text(json.dumps(document))
        document["context"]["date"] = "2026-03-01T12:00:00Z"
        other.write_text(json.dumps(document))
        said = "The same seed and generator in A and B, so one draw and not two, whose counts do not add up: v8."
        self.assertIn(said, called(compare, path, other).stdout)
        document["runs"][0]["seed"] = 5
        other.write_text(json.dumps(document))
        self.assertNotIn("one draw", called(compare, path, other).stdout)


if __name__ == "__main__":
    unittest.main()
