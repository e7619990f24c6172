#!/usr/bin/env python3
"""Tests of how programs are found, run for their records, and stopped."""

import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import Sandbox, pi

from interrupts import setUpModule  # noqa: F401
from suite import processes
from suite.documents.schema import ResultError
from suite.tools import programs


class ProcessesTest(unittest.TestCase):
    def test_stop_in_a_background_job(self):
        """A shell has it ignore SIGINT, and so do its children."""
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        with subprocess.Popen(["sleep", "60"]) as child:
            processes.stop(child)
        self.assertEqual(child.returncode, -signal.SIGTERM, "not killed")

    def test_an_interrupt_while_a_program_starts_stops_it(self):
        started = []

        def start(*arguments, **options):
            started.append(subprocess.Popen(*arguments, **options))
            os.kill(os.getpid(), signal.SIGINT)  # before anybody knows the process
            return started[0]

        with mock.patch("suite.processes.start", start), self.assertRaises(KeyboardInterrupt):
            processes.execute("sleep", "60")
        self.assertEqual(started[0].returncode, -signal.SIGINT)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)


class ProgramsTest(Sandbox):
    def test_only_programs_with_a_number_count(self):
        for name in ("v16t", "v2", "v10", "v8_shared", "vnext", "v3-tests", "cpu"):
            self.add_script(self.root / f"pi_{name}", "")
        (self.root / "pi_v5").mkdir()
        (self.root / "pi_v4").write_text("not executable")
        self.assertEqual(["v2", "v8_shared", "v10", "v16t"], list(programs.versions_in(pi, self.root)))
        self.assertEqual(["v2", "v10", "v16t"], list(programs.steps_in(pi, self.root)))

    def test_a_program_without_a_record(self):
        program = self.root / "pi_v8"
        self.assert_no_record(processes.ProgramError, "/pi_v8: No such file", program)
        self.add_script(program, "echo first >&2; echo out of luck >&2; exit 4")
        self.assert_no_record(processes.ProgramError, r"^pi_v8 --iters 5 failed \(exit 4\): out of luck$", program)
        self.add_script(program, "echo '{'")
        self.assert_no_record(ResultError, "^pi_v8: cut short", program)
        program.write_bytes(b"\x7fELF, but no more")
        self.assert_no_record(processes.ProgramError, "/pi_v8: .*format error", program)

    def assert_no_record(self, error, pattern, program):
        with self.assertRaisesRegex(error, pattern):
            programs.Bench().run(program, "--iters", 5)


if __name__ == "__main__":
    unittest.main()
