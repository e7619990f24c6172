#!/usr/bin/env python3
"""What programs say of their rehearsal, before the first timing, and of their audit, of launches that were timed.

The programs are those of the CPU in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import json
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from test_programs import BIN, Sandbox, setUpModule  # noqa: F401

MOST_AUDITED = 32  # launches
# What makes a launch of each program short.
PROGRAMS = {
    "pi_cpu": ("--iters", "1000"),
    "pi_cpu_bit_sliced": ("--iters", "20000"),
    "pi_cpu_halving": ("--iters", "20000"),
    "options_cpu_asian": ("--iters", "4"),
    "mcls_cpu": ("--histories", "2000"),
}


class Audit(Sandbox):
    def run_of(self, program, *arguments):
        """The run in the JSON of a program."""
        process = self.execute(BIN / program, *arguments, "--json", "-")
        self.assert_succeeds(process)
        return json.loads(process.stdout)["runs"][0]

    def assert_audited(self, run, timed):
        """Some launches were replayed, out of those that this process timed."""
        audit = run["audit"]
        self.assertEqual(timed, audit["timed"])
        replayed = [part["launches"] for part in (audit["full"], audit["brief"]) if part]
        self.assertTrue(1 <= sum(replayed) <= min(MOST_AUDITED, timed), replayed)
        [entropy] = audit["entropy"]
        self.assertRegex(entropy, "^[0-9a-f]{16}$")

    def test_launches_are_replayed_before_the_first_timing_and_after_the_last(self):
        for program, sizes in PROGRAMS.items():
            for arguments in (("--launches", "3"), ("--launches", "2", "--call"), ("--max-time", "0.1")):
                with self.subTest(program, arguments=arguments):
                    run = self.run_of(program, *sizes, *arguments)
                    self.assert_audited(run, run["launches"])
                    brief, full = run["rehearsal"]["brief"], run["rehearsal"]["full"]
                    self.assertTrue(1 <= brief["parts"] <= brief["of"], brief)
                    most = 1.1 * run["work"]  # that of mcls depends on chance
                    self.assertTrue(
                        brief["work"] < full["work"] <= most if full else brief["work"] <= most, (brief, full)
                    )

    def test_of_many_launches_some_are_audited(self):
        self.assert_audited(self.run_of("pi_cpu", "--iters", "100", "--launches", "100"), 100)

    def test_a_resumed_run_audits_what_it_timed_itself(self):
        for program, sizes in PROGRAMS.items():
            with self.subTest(program):
                shape = sizes if program == "mcls_cpu" else ()  # others take it over
                self.run_of(program, *sizes, "--launches", "5", "--checkpoint", program)
                self.assert_audited(self.run_of(program, *shape, "--resume", program, "--launches", "8"), 3)

    def test_nobody_knows_beforehand_which_launches(self):
        first, second = (self.run_of("pi_cpu", "--launches", "2")["audit"]["entropy"] for _ in range(2))
        self.assertNotEqual(first, second)

    def test_the_report_says_both(self):
        process = self.execute(BIN / "pi_cpu", *PROGRAMS["pi_cpu"], "--launches", "3")
        self.assertRegex(process.stdout, r"(?m)^  rehearsal \S.* match(es)? the CPU's recomputation$")
        self.assertRegex(process.stdout, r"(?m)^  audit     [1-3] of 3 launches replayed in a part: \d")

    def test_it_cannot_be_left_out(self):
        for program in PROGRAMS:
            self.assert_fails(self.execute(BIN / program, "--no-audit", "--launches", "1"), 2, "--no-audit")


if __name__ == "__main__":
    unittest.main()
