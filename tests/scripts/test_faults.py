#!/usr/bin/env python3
"""Tests of the lists of planted faults, of what plants them, and of their table.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from sandbox import BIN, REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tests" / "faults"))

import gpu
import host
import run
from fault import Check, Fault, caught, passed
from planting import Build

from suite.documents import faults as documents
from suite.documents import kinds
from suite.documents.schema import ResultError
from suite.processes import Outcome
from suite.render import faults as rendering

EVERY = host.FAULTS + gpu.FAULTS


class ListsTest(unittest.TestCase):
    def test_every_fault_can_be_planted(self):
        for fault in EVERY:
            text = (REPOSITORY / fault.file).read_text()
            with self.subTest(fault.name):
                self.assertNotEqual(text, fault.planted(text))

    def test_an_old_text_is_found_exactly_once(self):
        fault = Fault("a fault", "a.cpp", "one", "two", ())
        self.assertEqual("two 2", fault.planted("one 2"))
        for text in ("", "one one"):
            with self.assertRaises(ValueError):
                fault.planted(text)

    def test_every_fault_has_a_name_and_checks_of_its_own(self):
        rows = [(fault.name, fault.file, check.mode, check.command) for fault in EVERY for check in fault.checks]
        self.assertEqual(len(rows), len(set(rows)))
        self.assertEqual(len(EVERY), len({fault.name for fault in EVERY}))
        self.assertTrue(all(fault.checks for fault in EVERY))


class ChecksTest(unittest.TestCase):
    PROGRAM = Check("pi_v8", says="replay")
    TESTS = Check("harness_tests")

    RACE = Check("pi_v8", launcher=("compute-sanitizer",), code=9, says="RACECHECK SUMMARY: [1-9]")

    def test_what_is_caught(self):
        """A program must end with its code and reason, tests must fail and not crash, and the checker counts races."""
        said = "pi_v8: a warning\npi_v8: block 1 is not that of its replay\n"
        failed = "[  PASSED  ] 3 tests.\n[  FAILED  ] Judge.TheLimitIsFiveSigma (0 ms)\n"
        races, none = (
            f"========= RACECHECK SUMMARY: {count} hazards displayed (0 errors, 0 warnings)\n" for count in (2, 0)
        )
        for check, code, output, errors, is_caught in (
            (self.PROGRAM, 1, "", said, True), (self.PROGRAM, 0, "", said, False), (self.PROGRAM, 4, "", said, False),
            (self.PROGRAM, 1, "", f"{said}pi_v8: another reason\n", False), (self.PROGRAM, 1, "a replay", "", False),
            (self.TESTS, 1, failed, "", True), (self.TESTS, 139, failed, "", False), (self.TESTS, 1, "cannot open a library", "", False),
            (self.RACE, 9, races, "", True), (self.RACE, 9, none, "", False), (self.RACE, 0, races, "", False),
        ):  # fmt: skip
            with self.subTest(check.program, code=code, output=output, errors=errors):
                self.assertEqual(is_caught, caught(check, Outcome(code, output, errors)))

    def test_a_sound_test_program_must_run_a_test(self):
        for code, count, is_passed in ((0, 10, True), (0, 0, False), (1, 10, False)):
            self.assertEqual(is_passed, passed(self.TESTS, Outcome(code, f"[  PASSED  ] {count} tests.\n", "")))


class SeveralRunsTest(unittest.TestCase):
    """A fault that is found by chance."""

    CHECK = Check("pi_v8", says="audit", times=4, least=3)

    def row_of(self, *codes):
        fault = Fault("a late fault", "a.cu", "one", "two", (self.CHECK,))
        return run.judged(fault, self.CHECK, [Outcome(code, "", "pi_v8: audit: block 1 differs\n") for code in codes])

    def test_three_of_four_runs_must_find_it(self):
        for codes, found, is_caught in (
            ((1, 1, 1, 1), 4, True),
            ((0, 1, 1, 1), 3, True),
            ((1, 1, 0, 0), 2, False),
            ((0,) * 4, 0, False),
        ):
            with self.subTest(codes):
                row = self.row_of(*codes)
                self.assertEqual((4, found, is_caught), (row["runs"], row["found"], row["caught"]))

    def test_the_row_shows_a_run_that_found_it(self):
        self.assertEqual(1, self.row_of(0, 1, 1, 1)["code"])

    def test_without_a_fault_it_is_run_once(self):
        self.assertEqual(1, run.sound(self.CHECK).times)


class PlantingTest(unittest.TestCase):
    """A file of the harness is compiled anew and linked into its tests."""

    FILE, OLD = "bench/estimands/chance/limits.cpp", "return !(std::abs(deviation.sigma) <= deviation.limit);"

    def setUp(self):
        if not (BIN / "tests" / "host" / "harness_tests").exists():
            self.skipTest(f"{BIN} has no tests/host/harness_tests")

    def outcome_with(self, new):
        check = Check("harness_tests", ("--gtest_filter=Deviation.*",))
        with tempfile.TemporaryDirectory() as folder:
            planted = Build(BIN).plant(Fault("a fault", self.FILE, self.OLD, new, (check,)), Path(folder))
            outcome = run.execute([planted[check.program], *check.arguments])
        return passed(check, outcome), caught(check, outcome)

    def test_a_fault_is_caught(self):
        self.assertEqual((False, True), self.outcome_with("return false;"))

    def test_what_is_no_fault_is_not(self):
        self.assertEqual((True, False), self.outcome_with("return !(deviation.limit >= std::abs(deviation.sigma));"))

    def test_a_file_that_a_program_does_not_have_is_an_error(self):
        fault = Fault(
            "a fault", "kernels/lecture/k02_sample_a_thread.cu", "test_sample<<<", "", (Check("harness_tests"),)
        )
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(run.ProgramError, "does not depend on"):
            Build(BIN).plant(fault, Path(folder))


CONTEXT = {
    "date": "2026-01-31T23:59:59Z", "commit": "0123456789abcdef", "dirty": False, "driver": "580", "runtime": "13.0",
    "device": {"name": "NVIDIA Fixture", "multiprocessors": 132, "max_clock_mhz": 1980},
    "host": {"cpu": "Some CPU", "cores": 16, "os": "Linux"}, "compiler": "nvcc", "flags": "-O3",
}  # fmt: skip


def row(program, mode, caught, fault="a dropped warp", said=""):
    return {"name": f"{program}: {fault}", "fault": fault, "file": "a.cu", "program": program, "mode": mode,
            "command": f"{program} --{mode}", "said": said, "caught": caught, "code": None if caught is None else 1}  # fmt: skip


class TableTest(unittest.TestCase):
    TEXT = "# Method\n\n<!-- faults -->\n<!-- /faults -->\n\nmore\n"

    def filled(self, rows):
        document = kinds.FAULTS.made(CONTEXT, rows)
        kinds.FAULTS.check(document)
        return rendering.filled(Path("method.md"), self.TEXT, document)

    def test_it_counts_what_was_planted_caught_and_missed(self):
        text = self.filled([row("pi_v8", "timed", True), row("pi_v8", "profile", False), row("pi_v9", "timed", True),
                            row("pi_v9", "ranks", None, said="mpirun not found"), row("pi_v8", "timed", True, "a zero")])  # fmt: skip
        self.assertIn("| a dropped warp | 2 | 3 | 2 | 1 |  |", text)
        self.assertIn("| a zero | 1 | 1 | 1 | 0 |  |", text)
        self.assertIn("| **all** | 3 | 4 | 3 | 1 |  |", text)
        self.assertIn("On NVIDIA Fixture, commit 0123456789ab.", text)
        self.assertIn("- missed: pi_v8: a dropped warp: `pi_v8 --profile`", text)
        self.assertIn("Not run: 1 (mpirun not found).", text)
        self.assertTrue(text.endswith("<!-- /faults -->\n\nmore\n"))

    def test_it_says_how_often_a_fault_was_found_by_chance(self):
        several = [row("pi_v8", mode, True) | {"runs": 4, "found": hits} for mode, hits in (("timed", 4), ("fixed", 3))]
        text = self.filled([*several, row("pi_v9", "timed", True) | {"runs": 1, "found": 1}])
        self.assertIn("| a dropped warp | 2 | 3 | 3 | 0 | 7 of 8 |", text)

    def test_rendering_twice_changes_nothing(self):
        self.TEXT = once = self.filled([row("pi_v8", "timed", True)])
        self.assertEqual(once, self.filled([row("pi_v8", "timed", True)]))

    def test_without_a_result_or_without_markers(self):
        self.assertIn(rendering.NOTHING, rendering.filled(Path("method.md"), self.TEXT, None))
        with self.assertRaises(ResultError):
            rendering.filled(Path("method.md"), "# Method\n", None)


class StoredTest(unittest.TestCase):
    """What was found once is found: a change of the list is measured anew."""

    def test_all_that_is_listed_was_caught(self):
        document = kinds.FAULTS.stored_in(REPOSITORY / "results")
        if document is None:
            self.skipTest("no results/faults.json yet: make faults on a machine with a GPU")
        self.assertEqual([], [found["command"] for found in documents.missed(document["faults"])])
        measured = {(found["name"], found["mode"], found["command"]) for found in document["faults"]}
        listed = {(fault.name, check.mode, check.command) for fault in gpu.FAULTS for check in fault.checks}
        self.assertEqual(set(), listed - measured)


if __name__ == "__main__":
    unittest.main()
