#!/usr/bin/env python3
"""Tests of scripts/story_diff: what it prints of the steps in kernels/, and what it leaves out."""

import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import Sandbox, called

from kernel_files import kernels

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

    def test_every_step_differs_in_code_alone(self):
        """Neither header comments nor records are shown, and the older file is the one that the record names."""
        for program, after in every_step():
            with self.subTest(program):
                text = self.printed(program)
                self.assertNotRegex(text, r"(?m)^[+-]// (Step|Change|Why|Cost|Limit)\b")
                self.assertNotRegex(text, r"(?m)^[+-] *\.(name|title|lesson) = ")
                number = re.match(r"[a-z](\d+)(t?)", after)
                if "@@" in text:
                    self.assertRegex(text, rf"--- kernels/\S*/{after[0]}{int(number[1]):02}{number[2]}_")

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
