#!/usr/bin/env python3
"""The files of scripts/single: their programs count the same hits as the suite's, with the same seed, and print π and a rate.

The programs of the suite are those in the folder that SUITE_BIN names (default: build/ of this repository). Without a GPU or
nvcc everything skips. SUITE_TESTS=full: every step of pi and of lecture, not only some.
"""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).parent)]

from test_devices import BIN, MINUTE, DeviceSandbox, setUpModule  # noqa: F401
from test_tools import tool

SINGLE = Path(__file__).resolve().parents[2] / "scripts" / "single"
SOME = ("lecture_k3", "pi_v1", "pi_v9", "pi_v12", "pi_v16t", "pi_v17", "pi_v27")
EVERY = ("lecture_k1", "lecture_k2", "pi_v16", *(f"pi_v{number}" for number in range(1, 28)), *SOME)
SEED, LAUNCHES = "77", "16"  # those of a file's program


class SingleFiles(DeviceSandbox):
    def test_the_same_hits(self):
        for step in EVERY if os.environ.get("SUITE_TESTS") == "full" else SOME:
            with self.subTest(step):
                self.assert_succeeds(self.execute(SINGLE, step, "--out", self.root, seconds=MINUTE))
                source = self.root / f"{step}.cu"
                command = source.read_text().splitlines()[0].split()[2:-1]
                self.assert_succeeds(
                    self.execute(tool("nvcc"), *command, source, "-o", self.root / step, seconds=5 * MINUTE)
                )
                process = self.execute(self.root / step, SEED, seconds=MINUTE)
                self.assert_succeeds(process)
                outcome = self.run_of(BIN / step, "--seed", SEED, "--launches", LAUNCHES)["outcome"]
                self.assertRegex(
                    process.stdout, rf"\npi +3\.\d+ from {outcome['hits']} hits of {outcome['samples']} samples, "
                )
                self.assertRegex(process.stdout, r"\nrate +[\d.e+]+ samples/ns\n\Z")


if __name__ == "__main__":
    unittest.main()
