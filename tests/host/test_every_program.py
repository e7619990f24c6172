#!/usr/bin/env python3
"""What holds for every program that is built: help, version, mistakes, what it says of its kernel file, and how it ends without a GPU.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). A GPU that is present is hidden.
"""

import os
import re
import sys
import unittest
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from test_programs import Sandbox, setUpModule  # noqa: F401

from kernel_files import BIN, KERNELS, kernels

EVERY_KERNEL = kernels()
STEPS_ON_THE_CPU = """pi_cpu pi_cpu_bit_sliced pi_cpu_halving arrays_a0 mcls_cpu mcls_cpu_counted_paths
    options_cpu_normals options_cpu_asian options_cpu_lookback
    options_cpu_normals_vectors options_cpu_asian_vectors options_cpu_lookback_vectors""".split()
TOOLS_ON_THE_CPU = ("suite_stream", "pi_expectations", "options_wallace_tests", "testu01_stdin")
# Program -> arguments with which it uses a GPU.
STEPS_ON_A_GPU = {kernel.program: () for kernel in EVERY_KERNEL}
TOOLS_ON_A_GPU = {
    "suite_limits": (),
    "options_moments": (),
    "options_references": (),
    "mcls_solve": (),
    "suite_quality": ("--gpu",),
    "suite_words": ("--generator", "lcg", "--test", "bits"),
}
PEERS_ON_A_GPU = {
    "peer_thrust": (),
    "peer_arrays_thrust": (),
    "peer_arrays_nvidia": (),
    "peer_arrays_openmp": (),
    "peer_arrays_openacc": (),
    "peer_normals_curand_device": (),
    "peer_normals_curand_host": ("philox",),
    "peer_normals_curanddx": (),
    "peer_curanddx": (),
    "peer_asian_nvidia": (),
    "peer_lookback_nvidia": (),
    "peer_mcls_block": ("lap2d",),
    "peer_mcls_cusparse": ("cg", "lap2d"),
}
PEERS_ON_THE_CPU = ("peer_mcls_eigen",)
RENAMED = {f"mcls_v10_graph{ablation}": f"graph_g1{ablation}" for ablation in ("", "_hubs", "_paths")}
# What is built only where the machine has a library or a compiler for it.
OPTIONAL = {
    "testu01_stdin",
    "peer_mcls_eigen",
    "peer_mcls_cusparse",
    "peer_arrays_nvidia",
    "peer_arrays_openmp",
    "peer_arrays_openacc",
    *(name for name in PEERS_ON_A_GPU if re.search("curand|_nvidia$", name)),
}


class Grid(NamedTuple):
    """Block sizes that a step accepts and refuses, and whether it accepts more than one block."""

    threads: tuple
    refused: tuple
    one_block: bool = False


WHOLE_WARPS = Grid((32, 96, 1024), (1, 33))
ANY_SIZE = Grid((1, 33, 1024), ())
POOLS = Grid((256,), (128,))
# Of the steps that accept others.
GRIDS = {
    "pi_v1": Grid((1,), (2,), one_block=True),
    "pi_v2": Grid((1,), (2,)),
    "pi_v3": ANY_SIZE,
    "pi_v5": ANY_SIZE,
    "pi_v12": Grid((1, 64, 256, 1024), (33, 96)),
    "lecture_k1": Grid((1,), (2, 32)),
    "arrays_a9": ANY_SIZE,
    "options_n4": POOLS,
    "options_n5": POOLS,
    "options_a3": POOLS,
}
ONE_SAMPLE = ("lecture_k1", "lecture_k2", "lecture_k3", "arrays_a1", "arrays_a2", "arrays_a3")  # a thread's
LARGEST_BLOCK = 1024

BUILT = {path.name for path in BIN.iterdir() if path.is_file() and os.access(path, os.X_OK)}
ON_A_GPU = STEPS_ON_A_GPU | TOOLS_ON_A_GPU | PEERS_ON_A_GPU
WITH_OPTIONS = BUILT & {*STEPS_ON_THE_CPU, *TOOLS_ON_THE_CPU, *STEPS_ON_A_GPU, *TOOLS_ON_A_GPU}


class EveryProgram(Sandbox):
    def test_is_known_here(self):
        known = {*STEPS_ON_THE_CPU, *TOOLS_ON_THE_CPU, *ON_A_GPU, *PEERS_ON_THE_CPU, *RENAMED}
        self.assertEqual(known - OPTIONAL, BUILT - OPTIONAL, f"known here, and in {BIN}")

    def test_explains_itself(self):
        for name in sorted(WITH_OPTIONS):
            with self.subTest(name):
                process = self.execute(BIN / name, "--help")
                self.assert_succeeds(process)
                self.assertEqual("", process.stderr)
                introduction, _, usage = process.stdout.partition("\nUsage: ")
                self.assertTrue(introduction.strip(), process.stdout)
                self.assertTrue(usage.startswith(f"{name} "), process.stdout)
                self.assertEqual([], [line for line in process.stdout.splitlines() if len(line.rstrip()) > 80])
                for option in ("--help", "--version"):
                    self.assertRegex(usage, rf"(?<![\w-]){option}(?![\w-])")

    def test_tells_its_version(self):
        for name in sorted(WITH_OPTIONS):
            with self.subTest(name):
                process = self.execute(BIN / name, "--version")
                self.assert_succeeds(process)
                self.assertEqual("", process.stderr)
                of_step = name in STEPS_ON_A_GPU or name in STEPS_ON_THE_CPU
                mpi = r"MPI: (none|[^\n]*\d[^\n]*)\n" if of_step else ""
                self.assertRegex(process.stdout, rf"\A{name} \d+\.\d+\.\d+ \(commit [^\n]+\)\n{mpi}\Z")

    def test_says_its_new_name(self):
        for former, name in RENAMED.items():
            for arguments in ((), ("--help",), ("--json", "-")):
                with self.subTest(former, arguments=arguments):
                    self.assert_fails(self.execute(BIN / former, *arguments), 2, f"{former}: ", f" {name} ")

    def test_refuses_what_it_does_not_know(self):
        for name in sorted(WITH_OPTIONS):
            with self.subTest(name):
                self.assert_fails(self.execute(BIN / name, "--bogus"), 2, f"{name}: ", "--bogus")

    def test_tools_refuse_devices_that_are_none_and_files_that_cannot_be_written(self):
        for name, arguments in TOOLS_ON_A_GPU.items():
            with self.subTest(name):
                for device in ("-1", "x", "1.5", "99999999999"):
                    self.assert_fails(
                        self.execute(BIN / name, *arguments, "--device", device), 2, f"{name}: ", "--device"
                    )
                self.assert_fails(
                    self.execute(BIN / name, *arguments, "--json", "missing/file"), 5, f"{name}: ", "missing"
                )

    def test_says_in_a_line_that_there_is_no_gpu(self):
        for name in sorted(BUILT & ON_A_GPU.keys()):
            outputs = [()] if name in PEERS_ON_A_GPU else [("--json", "-"), ("--json", "file")]
            for output in outputs:
                with self.subTest(name, output=output):
                    self.assert_fails(self.execute(BIN / name, *ON_A_GPU[name], *output), 3, f"{name}: no usable GPU")
                    self.assertEqual([], os.listdir(self.root))

    def test_that_can_do_without_a_gpu_says_how(self):
        self.assert_fails(self.execute(BIN / "mcls_solve"), 3, "mcls_solve: no usable GPU", "--cpu")


class EveryStep(Sandbox):
    def refused(self, program, option, value, *parts):
        self.assert_fails(self.execute(BIN / program, option, value), 2, f"{program}: {option}", *parts)

    def accepted(self, program, option, value):
        self.assert_fails(self.execute(BIN / program, option, value), 3, "no usable GPU")

    def test_accepts_the_grids_that_it_can_run(self):
        for kernel in EVERY_KERNEL:
            if kernel.is_ablation:
                continue
            grid = GRIDS.get(kernel.program, WHOLE_WARPS)
            with self.subTest(kernel.program):
                for threads in grid.threads:
                    self.accepted(kernel.program, "--threads", threads)
                for threads in grid.refused:
                    self.refused(kernel.program, "--threads", threads, kernel.name)
                self.refused(kernel.program, "--threads", LARGEST_BLOCK + 1)
                (self.refused if grid.one_block else self.accepted)(kernel.program, "--blocks", 2)

    def test_of_one_sample_a_thread_refuses_more(self):
        for program in ONE_SAMPLE:
            with self.subTest(program):
                self.accepted(program, "--iters", 1)
                self.refused(program, "--iters", 2)


class EveryStepOnTheCpu(Sandbox):
    def test_is_rehearsed(self):
        for program in STEPS_ON_THE_CPU:
            with self.subTest(program):
                few = () if program.startswith("mcls_") else ("--iters", "3")
                process = self.execute(BIN / program, *few, "--launches", "2")
                self.assert_succeeds(process)
                self.assertRegex(process.stdout, r"(?m)^  rehearsal .* match(es)? the CPU's recomputation$")


class EveryKernelFile(Sandbox):
    """What a program says of itself is what its kernel file and the ladder's story say."""

    @classmethod
    def setUpClass(cls):
        cls.introductions = {}

    def introduction(self, kernel):
        if kernel not in self.introductions:
            self.introductions[kernel] = self.execute(BIN / kernel.program, "--help").stdout.partition("\nUsage")[0]
        return self.introductions[kernel]

    def builds_on(self, kernel):
        return re.search(r"(?m)^Builds on: (.*)$", self.introduction(kernel))[1]

    def test_has_a_title_of_which_the_program_speaks(self):
        for kernel in EVERY_KERNEL:
            with self.subTest(kernel.program):
                self.assertRegex(self.introduction(kernel), rf"\A{kernel.name}: ")
                head = kernel.file.read_text().partition("\n")[0].lower()
                of, title = re.fullmatch(
                    r"// (?:kernel|step|ablation of step|ablation of|candidate for step) (\w+): (.*)", head
                ).groups()
                self.assertEqual(kernel.step, kernel.step[0] + of.lstrip("abcdefghijklmnopqrstuvwxyz"))
                self.assertTrue(
                    [word for word in re.findall(r"[\w-]{4,}", title) if word in self.introduction(kernel).lower()],
                    head,
                )

    def test_names_the_step_that_it_changes(self):
        for kernel in EVERY_KERNEL:
            with self.subTest(kernel.program):
                change = re.search(r"(?m)^// Change: (?:as|against) (\w+)", kernel.file.read_text())
                named = {change[1]} if change else set()
                if kernel.is_ablation:  # which may also be another step, changed towards its own
                    named.add(kernel.step)
                if named:
                    self.assertIn(self.builds_on(kernel), named)

    def test_stands_in_the_story_with_the_step_that_it_builds_on(self):
        told = {}
        for story in KERNELS.rglob("README.md"):
            for file, base in re.findall(r"(?m)^\|[^\n]*?\]\(([\w/]+\.cu)\)[^|\n]*\| *(\w*|–) *\|", story.read_text()):
                told[story.parent / file] = base.strip("–") or "nothing"
        steps = {kernel.file: self.builds_on(kernel) for kernel in EVERY_KERNEL if not kernel.is_ablation}
        self.assertEqual(sorted(steps.items()), sorted(told.items()))

    def test_introduces_itself_differently(self):
        first = {}
        for kernel in EVERY_KERNEL:
            words = self.introduction(kernel).partition("\nGenerator: ")[0].partition(":")[2]
            self.assertNotIn((kernel.ladder, words), first)
            first[kernel.ladder, words] = kernel.program


if __name__ == "__main__":
    unittest.main()
