#!/usr/bin/env python3
"""Tests of scripts/single. nvcc compiles its files as their first lines say, for sm_90; SUITE_TESTS=full: those of all steps.

The kernels must be those of the suite: their PTX is compared with that of the step's own file, compiled as the build does.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import BIN, REPOSITORY, Sandbox, called, lecture, pi

from suite.documents import stored
from suite.tools import capability, single

NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
COMMAND = "// nvcc -O3 --use_fast_math -arch=native {}.cu"
LARGE = {
    "pi_v15",
    *(f"pi_v{number}" for number in range(18, 28)),
}  # their networks and tables alone take 200 lines and more
SOME = ("pi_v11", "pi_v25")


def every_step():
    kernels = (own for own in capability.kernel_files(BIN) if own.suite in ("pi", "lecture"))
    return [f"{own.suite}_{own.version}" for own in kernels if "_" not in own.version]


def kernels_in(ptx):
    """The entries of PTX, without the names of what is local to a file."""
    return re.sub(
        r"_INTERNAL_\w{8}_\d+_\w+?_cu_\w{8}\d*", "", re.sub(r"\b_ZN\d+(?=_INTERNAL)", "", ptx[ptx.index(".entry") :])
    )


class SingleTest(Sandbox):
    stored = {
        f"{ladder.suite}_{run['version']}": run["outcome"]
        for ladder in (pi, lecture)
        for run in stored.load_device(REPOSITORY / "results" / stored.BASE, ladder).result["runs"]
    }

    def written(self, step, name=None):
        path = self.root / f"{name or step}.cu"
        self.succeeded(called(single, step, "--out", self.root))
        return path

    def test_a_step_with_and_without_the_name_of_its_ladder(self):
        text = self.written("v11", "pi_v11").read_text()
        self.assertEqual(text, self.written("pi_v11").read_text())
        self.assertTrue(self.written("k2", "lecture_k2").exists())

    def test_what_is_no_step(self):
        for name in ("v99", "mcls_v11", "pi_v7_volatile", "pi_cpu", ""):
            with self.subTest(name):
                process = called(single, name, "--out", self.root)
                self.assert_ends(process, 2, "no such step; there are v1, ", ", v16, v16t, v17, ", ", v27, k1, k2, k3")
        self.assertEqual([], list(self.root.iterdir()))

    def test_each_file_is_short_and_names_no_file_of_the_suite(self):
        for step in every_step():
            with self.subTest(step):
                text = self.written(step).read_text()
                lines = text.splitlines()
                self.assertEqual(COMMAND.format(step), lines[0])
                self.assertEqual([], [line for line in lines if line.startswith("#include") and "<" not in line])
                self.assertNotIn("// exercise", text)
                if step not in LARGE:
                    self.assertLessEqual(len(lines), 400)
                if step in self.stored:
                    expected = self.stored[step]["expected"]["count"]
                    self.assertEqual([str(expected)], re.findall(r"bench::Expectation \w+\{(\d+)u", text))


@unittest.skipUnless(NVCC, "nvcc is missing")
class CompiledTest(Sandbox):
    def test_the_kernels_are_those_of_the_suite(self):
        own = {f"{own.suite}_{own.version}": own for own in capability.kernel_files(BIN)}
        for step in every_step() if os.environ.get("SUITE_TESTS") == "full" else SOME:
            with self.subTest(step):
                self.succeeded(called(single, step, "--out", self.root))
                command = COMMAND.format(step).removeprefix("// nvcc").replace("native", "sm_90").split()
                self.nvcc(*command, "-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra", "-o", step, cwd=self.root)
                ptx = self.nvcc(*command, "-ptx", "-o", "-", cwd=self.root)
                flags = [word for word in own[step].command[1 : own[step].command.index("-c")] if "arch=" not in word]
                expected = self.nvcc(*flags, "-arch=sm_90", "-ptx", "-o", "-", own[step].file, cwd=own[step].folder)
                self.assertTrue(kernels_in(ptx) == kernels_in(expected), "the PTX of the kernels differs")

    def nvcc(self, *arguments, cwd):
        return subprocess.run([NVCC, *arguments], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    unittest.main()
