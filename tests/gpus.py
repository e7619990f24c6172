"""The GPUs of this machine, as a program lists them: what tests on a GPU skip by, not by the exit code that they test."""

import os
import re
import subprocess
import unittest
from pathlib import Path

NO_GPU = 3
V8 = Path(os.environ.get("SUITE_BIN", Path(__file__).parents[1] / "build")).resolve() / "pi_v8"


def listed(program=V8):
    """A line for each GPU."""
    process = subprocess.run([program, "--list-devices"], capture_output=True, text=True, timeout=60)
    if process.returncode not in (0, NO_GPU):
        raise AssertionError(f"{program.name} --list-devices: exit {process.returncode}: {process.stderr}")
    return re.findall(r"(?m)^\d+  .+$", process.stdout)


def need_one(program=V8):
    """Skips the tests of a machine without a GPU."""
    if not program.exists():
        raise unittest.SkipTest(f"{program.name}, which lists the GPUs, is not built")
    if not listed(program):
        raise unittest.SkipTest(f"{program.name} --list-devices lists no GPU")
