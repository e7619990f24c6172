#!/usr/bin/env python3
"""The programs of the options for the CPU as processes.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import json
import os
import subprocess
import unittest
from pathlib import Path

BIN = Path(os.environ.get("SUITE_BIN", Path(__file__).parents[2] / "build")).resolve()
# Ladder, unit, units of a path or of a group of normals, expected estimate, and the largest distance that chance explains.
ON_THE_CPU = {
    "normals": ("normal", 496, 1, 5e-4),
    "asian": ("path-step", 256, 4.202289, 0.15),
    "lookback": ("path-step", 8, 17.7981436, 0.5),
}


def execute(program, *arguments):
    return subprocess.run(
        [BIN / program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
    )


class OnTheCpu(unittest.TestCase):
    def run_of(self, ladder, threads, form="", iters=65):
        process = execute(
            f"options_cpu_{ladder}{form}", "--iters", iters, "--launches", 2, "--threads", threads, "--json", "-"
        )
        self.assertEqual(process.returncode, 0, process.stderr)
        document = json.loads(process.stdout)
        self.assertEqual(document["suite"], ladder)
        self.assertEqual(document["unit"], ON_THE_CPU[ladder][0])
        return document["runs"][0]

    def test_their_estimates_are_right_and_do_not_depend_on_threads(self):
        for ladder, (_, steps, expected, distance) in ON_THE_CPU.items():
            with self.subTest(ladder):
                serial, parallel = self.run_of(ladder, 1), self.run_of(ladder, 3)
                self.assertEqual((serial["version"], parallel["version"]), ("cpu_serial", "cpu_openmp"))
                self.assertEqual(serial["outcome"], parallel["outcome"])
                self.assertEqual(serial["outcome"]["numbers"], 2 * 1024 * 65)
                self.assertEqual(serial["work"], 1024 * 65 * steps)
                self.assertAlmostEqual(serial["outcome"]["estimate"], expected, delta=distance)

    def test_in_vectors_they_are_rehearsed_and_right(self):
        for ladder, (_, _, expected, distance) in ON_THE_CPU.items():
            with self.subTest(ladder):
                serial, parallel = (self.run_of(ladder, threads, "_vectors", iters=4) for threads in (1, 3))
                self.assertEqual((serial["version"], parallel["version"]), ("cpu_vectors_serial", "cpu_vectors"))
                self.assertEqual(serial["outcome"], parallel["outcome"])
                self.assertGreater(serial["rehearsal"]["brief"]["parts"], 0)
                self.assertAlmostEqual(serial["outcome"]["estimate"], expected, delta=distance)


if __name__ == "__main__":
    unittest.main()
