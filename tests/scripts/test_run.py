#!/usr/bin/env python3
"""Tests of tests/run.py, which runs a part of a test for ctest and says what it skipped."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, Sandbox

RUN = REPOSITORY / "tests" / "run.py"
SKIPS = "self.skipTest('no tool')"

# As GoogleTest prints it.
GOOD = "[ RUN      ] Suite.Good\n[       OK ] Suite.Good (0 ms)"
SKIPPED = """[ RUN      ] Suite.Skipped
/some/where/test.cpp:14: Skipped
no usable GPU:
no driver

[  SKIPPED ] Suite.Skipped (0 ms)"""


class RunTest(Sandbox):
    def run_python(self, *bodies, part="1/1"):
        """A file with a test for each of these bodies, which tell their numbers."""
        tests = "".join(
            f"    def test_{i}(self):\n        print('ran', {i})\n        {body}\n" for i, body in enumerate(bodies)
        )
        path = self.root / "test_example.py"
        path.write_text(f"import unittest\nclass Example(unittest.TestCase):\n    pass\n{tests}")
        return self.execute(sys.executable, RUN, "--part", part, path)

    def run_program(self, said, code=0, parts=("--part", "3/4")):
        self.add_script(
            self.root / "program",
            f"echo $GTEST_SHARD_INDEX of $GTEST_TOTAL_SHARDS, $*\ncat <<'END'\n{said}\nEND\nexit {code}",
        )
        return self.execute(sys.executable, RUN, *parts, self.root / "program", "--gtest_filter=-A*")

    def skips(self, process):
        return [line for line in process.stdout.splitlines() if line.startswith("skipped: ")]

    def test_exit_codes_of_a_file(self):
        for bodies, code in ((("pass",), 0), (("pass", "pass", SKIPS), 0), ((SKIPS,), 77), ((SKIPS, SKIPS, "pass"), 77),
                             (("self.fail()", SKIPS, SKIPS), 1), (("1 / 0",), 1), ((), 1)):  # fmt: skip
            with self.subTest(bodies):
                self.assertEqual(code, self.run_python(*bodies).returncode)

    def test_each_reason_of_a_file_is_a_line(self):
        process = self.run_python("pass", SKIPS, SKIPS, "self.skipTest('no\\nlibrary')", "pass", "pass", "pass")
        path = os.path.relpath(self.root / "test_example.py", REPOSITORY)
        self.assertEqual([f"skipped: {path}: no library", f"skipped: {path}: no tool"], self.skips(process))
        self.assertEqual(0, process.returncode)

    def test_a_file_that_is_skipped_before_any_test(self):
        process = self.run_python("pass\ndef setUpModule():\n    raise unittest.SkipTest('no GPU')")
        self.assertEqual((77, 1), (process.returncode, len(self.skips(process))), process.stderr)

    def test_parts_of_a_file_have_every_test_once(self):
        ran = [self.run_python(*["pass"] * 7, part=f"{part}/3").stdout.split()[1::2] for part in (1, 2, 3)]
        self.assertEqual([["0", "3", "6"], ["1", "4"], ["2", "5"]], ran)

    def test_a_part_of_a_program(self):
        process = self.run_program(GOOD)
        self.assertEqual((0, "2 of 4, --gtest_filter=-A*"), (process.returncode, process.stdout.splitlines()[0]))
        self.assertIn(GOOD, process.stdout)

    def test_all_parts_of_a_program_at_once(self):
        process = self.run_program(SKIPPED, parts=("--at-once", "3"))
        self.assertEqual(
            [f"{part} of 3, --gtest_filter=-A*" for part in range(3)],
            sorted(re.findall("^[0-9] of .*", process.stdout, re.MULTILINE)),
        )
        self.assertEqual((77, 1), (process.returncode, len(self.skips(process))))
        self.assertEqual(
            1, self.run_program(GOOD, code="$((GTEST_SHARD_INDEX == 1))", parts=("--at-once", "3")).returncode
        )

    def test_exit_codes_of_a_program(self):
        for said, ended, code in (
            (GOOD, 0, 0),
            (f"{GOOD}\n{SKIPPED}", 0, 0),
            (SKIPPED, 0, 77),
            (SKIPPED, 1, 1),
            (SKIPPED, 9, 1),
            ("", 0, 1),
        ):
            with self.subTest(said, ended=ended):
                self.assertEqual(code, self.run_program(said, ended).returncode)
        self.assertEqual(1, self.run_program(f"{SKIPPED}\nEND\nkill -9 $$\ncat <<'END'").returncode)  # a signal ends it

    def test_each_reason_of_a_program_is_a_line(self):
        process = self.run_program(f"{SKIPPED}\n{GOOD}\n{SKIPPED}")
        self.assertEqual(["skipped: program: no usable GPU: no driver"], self.skips(process))


if __name__ == "__main__":
    unittest.main()
