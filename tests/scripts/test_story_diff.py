#!/usr/bin/env python3
"""Tests of scripts/story_diff: what it prints of the steps in kernels/, and what it leaves out."""

import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, Sandbox, called

from kernel_files import kernels

from suite.documents import step_files
from suite.tools import story_diff


def every_step():
    """The programs of all steps whose record names the step before, and that step's version."""
    for kernel in kernels():
        after = re.search(r'\.after = "(\w+)"', kernel.file.read_text())
        if after and not kernel.is_ablation:
            yield kernel.program, after[1]


class StoryDiffTest(Sandbox):
    def printed(self, program):
        return self.succeeded(called(story_diff, program)).stdout

    def test_every_step_has_one_to_ten_lines(self):
        """Of code, without header comments, descriptions and includes; the older file is the one that the record names."""
        for program, after in every_step():
            with self.subTest(program):
                text = self.printed(program)
                number = re.match(r"[a-z](\d+)(t?)", after)
                self.assertRegex(text, rf"\A--- kernels/\S*/{after[0]}{int(number[1]):02}{number[2]}_\S*\n\+\+\+ kernels/")
                lines = [line for line in text.splitlines()[2:] if line[0] in "+-"]
                self.assertIn(len(lines), range(1, 11))
                self.assertNotRegex("\n".join(lines), r"(?m)^[+-] *(//|#|\.name|\.title|\.lesson)")

    def test_the_lines_that_hold_the_idea(self):
        for program, line in (
            ("pi_v4", "+        mine += __shfl_down_sync(0xffffffffu, mine, offset);"),
            ("pi_v8", "+        const float x = to_unit_interval(rng::lcg(&state));"),
            ("pi_v13", "+    return __float_as_uint(distance) >> 31;  // the sign bit: 1 inside"),
            ("pi_v22", "+        ones_ = lop3<0x96>(ones_, first, second);           // the exclusive or: the sum"),  # in its own include
            ("arrays_a3", "+        sums[blockIdx.x] += flags[i];"), ("mcls_v10", "+using Method = Adjoint<AliasRows>;"),
            ("mcls_v13", "+    .sampling = Sampling::absorbing,"),  # which only its record has
            ("mcls_v21", "+                row = row_of(atomicAdd(word, walker) % walker);"),  # in its own include
            ("options_n9", "+                consume(rng::two_pipe_pair(j, radius_word, angle_word));"),
        ):  # fmt: skip
            with self.subTest(program):
                self.assertIn(line, self.printed(program).splitlines())

    def test_what_only_names_the_namespace_of_an_older_step_is_no_change(self):
        self.assertIn("v22::decide_in_pairs<", step_files.path_of(REPOSITORY, "pi_v23").read_text())  # v22 has it without
        self.assertNotIn("decide_in_pairs", self.printed("pi_v23"))

    def test_what_the_host_makes_ready_is_no_idea_of_a_step_with_a_kernel(self):
        equipping = "std::make_unique<"
        self.assertIn(equipping, step_files.path_of(REPOSITORY, "options_a1").read_text())
        for program in ("options_a1", "options_a2"):  # a2 drops what a1 makes
            self.assertNotIn(equipping, self.printed(program))
        self.assertIn(equipping, self.printed("arrays_a8"))  # it has no kernel

    def test_the_include_that_holds_the_idea(self):
        for program, include, name in (
            ("pi_v8", "kernels/random/lcg.cuh", "lcg"), ("pi_v19", "kernels/pi/device/cell_networks.cuh", "OctantNetwork"),
            ("mcls_v12", "kernels/mcls/device/regeneration.cuh", "walk_share"), ("options_n9", "kernels/random/normals/box_muller.cuh", "two_pipe_pair"),
        ):  # fmt: skip
            with self.subTest(program):
                self.assertRegex(self.printed(program), rf"(?m)^In {include}: .*\b{name}\b")

    def test_an_ablation(self):
        self.assertRegex(self.printed("pi_v7_volatile"), r"(?m)^\+.*counter\[threadIdx.x\] = ")

    def test_the_first_step_and_what_is_no_step(self):
        self.assert_ends(called(story_diff, "pi_v1"), 1, "pi_v1 builds on no step")
        for name in ("pi_v999", "v8", "pi_", "cuda"):
            with self.subTest(name):
                self.assert_ends(called(story_diff, name), 2, f"{name}: no such step")


if __name__ == "__main__":
    unittest.main()
