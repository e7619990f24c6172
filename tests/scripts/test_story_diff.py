#!/usr/bin/env python3
"""Tests of scripts/story_diff: what it prints of the steps in kernels/."""

import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import Sandbox, called

from suite.tools import story_diff


class StoryDiffTest(Sandbox):
    def test_the_diff_with_the_step_of_the_record(self):
        for program, older, newer, line in (
            ("pi_v8", "pi/v07_", "pi/v08_", "+        const float x = to_unit_interval(rng::lcg(&state));"),
            ("pi_v7_volatile", "pi/v07_", "pi/ablations/v07_", "+    volatile Count* counter = shared_counter;"),
            ("options_n9", "options/normals/n08_", "options/normals/n09_", "+                consume(rng::two_pipe_pair(j, radius_word, angle_word));"),
        ):  # fmt: skip
            with self.subTest(program):
                text = self.succeeded(called(story_diff, program)).stdout
                self.assertRegex(text, rf"\A--- kernels/{older}\S*\n\+\+\+ kernels/{newer}\S*\n@@ ")
                self.assertIn(line, text.splitlines())

    def test_the_first_step_and_what_is_no_step(self):
        self.assert_ends(called(story_diff, "pi_v1"), 1, "pi_v1 builds on no step")
        for name in ("pi_v999", "v8", "pi_", "cuda"):
            with self.subTest(name):
                self.assert_ends(called(story_diff, name), 2, f"{name}: no such step")


if __name__ == "__main__":
    unittest.main()
