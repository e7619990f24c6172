#!/usr/bin/env python3
"""Every step under NVIDIA's compute-sanitizer, in one launch of a few small blocks. Its exit code says whether it found anything.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Without a GPU or the tool everything
skips.
"""

import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from test_devices import BIN, environment, gpus  # which adds tests/host and tests/ to the path
from test_scale import FULL
from test_tools import tool

from kernel_files import kernels

FOUND = 99
LINES = 20  # of what the checker says
SECONDS = 150
BLOCKS_OF_AN_ERROR = "16"  # the fewest that options_* take: their errors come from the spread of blocks
ONE_SAMPLE = ("arrays_a1", "arrays_a2", "arrays_a3", "lecture_k1", "lecture_k2", "lecture_k3")  # a thread's


def setUpModule():
    if not FULL:
        raise unittest.SkipTest("compute-sanitizer takes minutes: make test-full runs it")
    gpus.need_one()
    tool("compute-sanitizer")


def shape(program):
    """Options of one small launch. Histories are as many for each entry of the solution: it has 900."""
    if program.startswith("mcls_"):
        return "--blocks", "2", "--histories", "9000"
    if program == "graph_g2":
        return "--walks", "16777216"  # the fewest; two blocks would take minutes for the vertices
    if program.startswith("options_"):
        return "--blocks", BLOCKS_OF_AN_ERROR, "--iters", "32"
    return (*(() if program == "pi_v1" else ("--blocks", "2")), *(() if program in ONE_SAMPLE else ("--iters", "32")))


COMMANDS = {kernel.program: ("--profile", *shape(kernel.program)) for kernel in kernels() if not kernel.is_ablation}
COMMANDS["mcls_solve"] = ("--system", "tiny4", "--tolerance", "1e-3", "--histories", "10000")


def at_once():
    """Processes that the cores and the memory of the first GPU have room for."""
    return max(1, min(os.cpu_count(), int(re.search(r"(\d+) GiB", gpus.listed()[0])[1]) // 3))


class Sanitized(unittest.TestCase):
    def check(self, checker, path, *arguments):
        """What a program comes to under a checker: exit code, and the first lines of both."""
        command = [tool("compute-sanitizer"), "--tool", checker, "--error-exitcode", str(FOUND), str(path), *arguments]
        try:
            process = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS)  # fmt: skip
        except subprocess.TimeoutExpired:
            return None, f"{shlex.join(command)}: still running after {SECONDS} s"
        return process.returncode, "\n".join([shlex.join(command), *process.stdout.splitlines()[:LINES]])

    def assert_clean(self, checker):
        """The checker finds its fault in a kernel that has it, and none in any step; each passes its verdict."""
        code, said = self.check(checker, BIN / "tests" / "gpu" / "checker_faults", checker)
        self.assertEqual(FOUND, code, said)
        with concurrent.futures.ThreadPoolExecutor(at_once()) as pool:
            ended = {name: pool.submit(self.check, checker, BIN / name, *options) for name, options in COMMANDS.items()}
        for name, future in ended.items():
            with self.subTest(checker=checker, program=name):
                code, said = future.result()
                if "bytes of shared memory for a block of" in said:
                    self.skipTest(said)  # this GPU has less
                self.assertEqual(0, code, said)

    def test_memcheck(self):
        self.assert_clean("memcheck")

    def test_racecheck(self):
        self.assert_clean("racecheck")

    def test_initcheck(self):
        self.assert_clean("initcheck")

    def test_synccheck(self):
        self.assert_clean("synccheck")


if __name__ == "__main__":
    unittest.main()
