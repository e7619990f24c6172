#!/usr/bin/env python3
"""The program arrays_a0 as a process.

It is that in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

REPOSITORY = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("SUITE_BIN", REPOSITORY / "build")).resolve()
STREAMS = 262_144  # of a0
HITS = (52_704_542, 52_706_378)  # of launches 0 and 1 with 2^26 samples, computed with numpy


def execute(name, *arguments):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("OMP_", "GOMP_"))}
    return subprocess.run(
        [BIN / f"arrays_{name}", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        env=environment | {"CUDA_VISIBLE_DEVICES": ""},
    )


class OnTheHost(unittest.TestCase):
    def refused(self, code, parts, name, *arguments):
        process = execute(name, *arguments)
        with self.subTest(process.args):
            self.assertEqual((process.returncode, process.stdout), (code, ""), process.stderr)
            self.assertRegex(process.stderr, r"\A[^\n]+\n\Z")
            for part in parts:
                self.assertIn(part, process.stderr)

    def run_of(self, *arguments):
        process = execute("a0", *arguments, "--json", "-")
        self.assertEqual(process.returncode, 0, process.stderr)
        document = json.loads(process.stdout)
        self.assertEqual((document["suite"], document["unit"]), ("arrays", "sample"))
        [run] = document["runs"]
        return run

    def test_golden_hits(self):
        run = self.run_of("--launches", 2)
        self.assertEqual((run["version"], run["work"], run["iters"]), ("a0", 2**26, 256))
        self.assertEqual((run["outcome"]["hits"], run["outcome"]["samples"]), (sum(HITS), 2**27))
        self.assertEqual(list(run["phases_ms"]), ["rng", "compute", "reduce"])

    def test_threads_do_not_change_the_hits(self):
        hits = {
            self.run_of("--launches", 1, "--iters", 3, "--threads", threads)["outcome"]["hits"] for threads in (1, 2, 5)
        }
        self.assertEqual(len(hits), 1)

    def test_a_seed_changes_them(self):
        hits = {self.run_of("--launches", 1, "--iters", 3, "--seed", seed)["outcome"]["hits"] for seed in (1, 2, 3)}
        self.assertGreater(len(hits), 1)

    def test_arrays_that_do_not_fit_are_refused_with_their_size(self):
        iters = 2**32 - 1  # three arrays of 4-byte values, and the count
        self.refused(2, [f"{12 * STREAMS * iters + 8:,} bytes"], "a0", "--iters", iters, "--launches", 1)

    def test_bad_values(self):
        for option in ("--iters", "--threads"):
            self.refused(2, [option], "a0", option, 0, "--launches", 1)
        self.refused(2, ["--blocks"], "a0", "--blocks", 1, "--launches", 1)


if __name__ == "__main__":
    unittest.main()
