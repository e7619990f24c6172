#!/usr/bin/env python3
"""The steps that need cuRAND's library, where it cannot be used: one line, exit code 3. The others run.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Without a GPU everything
skips.
"""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from test_devices import BIN, MINUTE, DeviceSandbox, environment, setUpModule  # noqa: F401

LIBRARY = "libcurand.so.10"
NEED_IT = """arrays_a6_curand_host arrays_a9 arrays_a9_mrg32k3a arrays_a9_mt19937 arrays_a9_philox arrays_a9_sobol
    arrays_a9_xorwow options_a1 options_a7""".split()
WORK = ("--blocks", "32", "--launches", "16")


class WithoutCurand(DeviceSandbox):
    """A file that is no library hides the real one: LD_LIBRARY_PATH comes first."""

    def execute_without(self, name):
        (self.root / LIBRARY).write_bytes(b"")
        folders = f"{self.root}:{environment().get('LD_LIBRARY_PATH', '')}".rstrip(":")
        return self.execute(BIN / name, *WORK, env=environment() | {"LD_LIBRARY_PATH": folders}, seconds=MINUTE)

    def test_steps_that_need_it_say_so(self):
        for name in NEED_IT:
            with self.subTest(name):
                process = self.execute_without(name)
                self.assertEqual((process.returncode, process.stdout), (3, ""), process.stderr)
                self.assertRegex(
                    process.stderr,
                    rf"\A{name}: (no usable cuRAND: [^\n]*{LIBRARY}[^\n]*LD_LIBRARY_PATH|a7 needs )[^\n]*\n\Z",
                )

    def test_others_run(self):
        for name in ("arrays_a5", "arrays_a10", "arrays_a11", "options_a5"):
            with self.subTest(name):
                self.assert_succeeds(self.execute_without(name))


if __name__ == "__main__":
    unittest.main()
