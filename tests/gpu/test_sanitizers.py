#!/usr/bin/env python3
"""The replay tests of gpu_tests under NVIDIA's memory and race checkers. Their sizes are small, and still take minutes.

The programs are those in the folder that PI_BIN names (default: build/ of this repository). Without a GPU everything
skips.
"""

import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import test_devices
from test_tools import tool

from test_scale import FULL

PROGRAM = test_devices.BIN / "tests" / "gpu" / "gpu_tests"


def setUpModule():
    if not FULL:
        raise unittest.SkipTest("compute-sanitizer takes minutes: make test-full runs it")
    test_devices.setUpModule()


class Sanitized(unittest.TestCase):
    def assert_clean(self, checker):
        """Every test ran and passed, and the checker reported nothing."""
        command = [tool("compute-sanitizer"), "--tool", checker, "--error-exitcode", "9", PROGRAM,
                   "--gtest_filter=*CountsWhatItsReplayCounts*"]  # fmt: skip
        process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.assertEqual(0, process.returncode, process.stdout)
        self.assertIn("[  PASSED  ]", process.stdout)

    def test_memcheck(self):
        self.assert_clean("memcheck")

    def test_racecheck(self):
        self.assert_clean("racecheck")


if __name__ == "__main__":
    unittest.main()
