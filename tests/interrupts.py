"""Signals as a shell's foreground job has them: imported as setUpModule by tests that interrupt what they start."""

import signal
import unittest


def setUpModule():
    # A shell that starts a job in the background has it ignore SIGINT, nohup SIGHUP, and children inherit that.
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        unittest.addModuleCleanup(signal.signal, number, signal.signal(number, handler))
