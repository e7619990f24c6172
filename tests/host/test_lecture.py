#!/usr/bin/env python3
"""The programs of the lecture as processes: which grids they accept. No GPU is used: one that is present is hidden.

The programs are those in the folder that PI_BIN names (default: build/ of this repository).
"""

import os
import subprocess
import unittest
from pathlib import Path

BIN = Path(os.environ.get("PI_BIN", Path(__file__).parents[2] / "build")).resolve()
USAGE, NO_GPU = 2, 3
# Block sizes that are accepted and refused.
THREADS = {"k1": ((1,), (2, 32)), "k2": ((32, 96, 1024), (1, 33)), "k3": ((32, 96, 1024), (1, 33))}


class Grids(unittest.TestCase):
    def complaint(self, step, code, *options):
        """The one line with which a program ends."""
        command = [BIN / f"lecture_{step}", *map(str, options)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | {"CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual((process.returncode, process.stdout), (code, ""), process.stderr)
        self.assertRegex(process.stderr, rf"\Alecture_{step}: [^\n]+\n\Z")
        return process.stderr

    def test_block_sizes(self):
        for step, (accepted, refused) in THREADS.items():
            for threads in accepted:
                self.complaint(step, NO_GPU, "--threads", threads, "--blocks", 70_000)
            for threads in refused:
                self.assertIn("--threads", self.complaint(step, USAGE, "--threads", threads))

    def test_a_thread_has_one_sample(self):
        for step in THREADS:
            self.complaint(step, NO_GPU, "--iters", 1)
            self.assertIn("--iters", self.complaint(step, USAGE, "--iters", 2))


if __name__ == "__main__":
    unittest.main()
