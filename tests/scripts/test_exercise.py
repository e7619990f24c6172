#!/usr/bin/env python3
"""Tests of scripts/exercise: what it leaves out of a step, and how it checks what was written. cmake and the programs are given ones."""

import json
import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, Sandbox, gpu_document

from suite.tools import exercise

FILES = {
    "v2": "kernels/pi/v02_parallel_blocks.cu", "v3": "kernels/pi/v03_threads_per_block.cu", "v4": "kernels/pi/v04_warp_reduction.cu",
    "v8": "kernels/pi/v08_lcg_register.cu", "v13": "kernels/pi/v13_fewest_instructions.cu", "v19": "kernels/pi/shared/cell_networks.cuh",
}  # fmt: skip
IDEAS = {"v2": "totals[blockIdx.x] =", "v3": "__syncthreads()", "v4": "__shfl_down_sync(0x", "v8": "rng::lcg(&state));",
         "v13": "__float_as_uint(", "v19": "lop3<0x80>(v[0], v[1], v[3])"}  # fmt: skip


class ExerciseSandbox(Sandbox):
    def setUp(self):
        super().setUp()
        self.bin = self.root / "bin"
        self.bin.mkdir()

    def exercise(self, *arguments):
        return self.call(exercise, "--bin", self.bin, *arguments)

    def file_of(self, step):
        return self.bin / "exercise" / f"pi_{step}" / FILES[step]


class WriteTest(ExerciseSandbox):
    def test_the_idea_is_left_out_and_all_else_is_there(self):
        for step, file in FILES.items():
            with self.subTest(step):
                self.succeeded(self.exercise(f"pi_{step}"))
                text, own = self.file_of(step).read_text(), (REPOSITORY / file).read_text()
                self.assertIn(IDEAS[step], own)
                self.assertFalse(IDEAS[step] in text)
                head = rf"\A// Exercise: .*make check STEP={step}\n// Step {step[1:]}: .*\n// Change: [^\0]*\n// Why: [^\0]*\n// Beat: +[\d,.]+ samples/ns on an NVIDIA H200\n"
                self.assertRegex(text, head)
                self.assertRegex(text, r"\n *// Hint: .+\n *// Your code\.\n")
                self.assertEqual([], re.findall("// (?:Cost|Limit|Note|exercise|end of exercise)\\b", text))
                code = text[text.index("#include") :].splitlines()
                self.assertEqual(2, sum(line not in own.splitlines() for line in code))

    def test_what_is_no_exercise_and_what_was_begun(self):
        self.assert_ends(self.exercise("v9"), 2, "v9: no such exercise; there are v2, v3, v4, v8, v13, v19")
        self.assert_ends(self.exercise("--check", "v8"), 2, "make exercise STEP=v8 comes first")
        self.succeeded(self.exercise("v8"))
        self.file_of("v8").write_text("mine")
        self.assert_ends(self.exercise("v8"), 2, "v08_lcg_register.cu is there already")
        self.assertEqual("mine", self.file_of("v8").read_text())


class CheckTest(ExerciseSandbox):
    def setUp(self):
        super().setUp()
        self.succeeded(self.exercise("v8"))
        self.add_cmake("")
        self.add_program(self.bin, 1000)
        self.add_program(self.bin / "exercise" / "pi_v8", 800)

    def add_cmake(self, body):
        (self.root / "tools").mkdir(exist_ok=True)
        self.add_script(self.root / "tools" / "cmake", f'echo "$@" >> {self.root}/log\n{body}')

    def add_program(self, folder, rate, body=""):
        """A program with this rate."""
        document = gpu_document("v8")
        document["runs"][0]["per_ns"] |= {"median": rate, "low": rate - 1, "high": rate + 1}
        (folder / "document").write_text(json.dumps(document))
        self.add_script(folder / "pi_v8", f'[ "$1" = --list-devices ] && exit 0\n{body}\ncat {folder}/document')

    def test_a_right_file(self):
        process = self.succeeded(self.exercise("--check", "v8"))
        self.assertIn("Yours 800, v8 1,000 samples/ns on this GPU: 80 %\n", process.stdout)
        self.assertRegex(
            (self.root / "log").read_text(), rf"\A{self.bin}\n--build {self.bin} .*--target exercise_pi_v8 pi_v8\n\Z"
        )

    def test_what_does_not_compile(self):
        self.add_cmake('[ "$1" != --build ]')
        self.assert_ends(self.exercise("--check", "v8"), 1, "pi_v8 does not compile with your file")

    def test_what_counts_wrong(self):
        self.add_program(
            self.bin / "exercise" / "pi_v8", 800, "echo 'pi_v8: block 3 counts 7 hits too many' >&2; exit 1"
        )
        self.assert_ends(self.exercise("--check", "v8"), 1, "pi_v8: block 3 counts 7 hits too many")

    def test_without_a_gpu(self):
        self.add_script(self.bin / "exercise" / "pi_v8" / "pi_v8", "echo 'pi_v8: no usable GPU: none' >&2; exit 3")
        self.assert_ends(
            self.exercise("--check", "v8"),
            3,
            "your file compiles; to judge it a GPU is needed: pi_v8: no usable GPU: none",
        )


if __name__ == "__main__":
    unittest.main()
