#!/usr/bin/env python3
"""Tests of how programs are started and stopped."""

import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

import sandbox  # noqa: F401: where the suite is

from interrupts import setUpModule  # noqa: F401
from suite import processes


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


if __name__ == "__main__":
    unittest.main()
