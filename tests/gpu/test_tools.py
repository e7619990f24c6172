#!/usr/bin/env python3
"""A program under NVIDIA's tools, typed as its name alone: what slows launches gets one of them and prints no rate.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Without a GPU everything
skips; so does the test of a tool that is not installed, or that may not count anything.
"""

import shutil
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from test_devices import BIN, MINUTE, RATE, DeviceSandbox, environment, setUpModule  # noqa: F401

V11 = BIN / "pi_v11"


def tool(name):
    path = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    if not path:
        raise unittest.SkipTest(f"there is no {name}")
    return path


class UnderATool(DeviceSandbox):
    def assert_profiled(self, process, name):
        """A verdict, no rate, and one line that says why."""
        self.assert_succeeds(process)
        report = [line for line in process.stdout.splitlines() if not line.startswith("=")]
        self.assertEqual(sum(f"one launch under {name}, not timed" in line for line in report), 1, process.stdout)
        self.assertEqual(sum("sd from its expectation" in line for line in report), 1, process.stdout)
        self.assertNotIn(RATE, process.stdout + process.stderr)

    def test_environment_of_ncu(self):
        under_ncu = environment() | {"NV_COMPUTE_PROFILER_PERFWORKS_DIR": "/nowhere"}
        process = self.execute(V11, env=under_ncu)
        self.assert_profiled(process, "Nsight Compute")
        self.assertEqual(process.stderr, "")
        for option in (("--launches", "20"), ("--no-profile", "--max-time", "0.5")):
            with self.subTest(option=option):
                process = self.execute(V11, *option, env=under_ncu)
                self.assert_succeeds(process)
                self.assertIn(RATE, process.stdout)
                self.assertRegex(process.stderr, "(?m)^pi_v11: warning: .*Nsight Compute.*the rate means nothing$")

    def test_variables_that_slow_launches_are_told(self):
        left = {"CUDA_LAUNCH_BLOCKING": "1", "CUDA_DEVICE_MAX_CONNECTIONS": "1", "CUDA_FORCE_PTX_JIT": "0"}
        process = self.execute(V11, "--max-time", "0.5", env=environment() | left)
        self.assert_succeeds(process)
        told = "the environment has CUDA_LAUNCH_BLOCKING, CUDA_DEVICE_MAX_CONNECTIONS: launches may take longer"
        self.assertIn(f"pi_v11: warning: {told}\n", process.stderr)
        self.assertNotIn("the environment has", self.execute(V11, "--max-time", "0.5").stderr)

    def test_ncu(self):
        process = self.execute(tool("ncu"), "--clock-control", "none", V11, seconds=2 * MINUTE)
        if "ERR_NVGPUCTRPERM" in process.stdout + process.stderr:
            self.skipTest("ncu lacks the permission to count")
        self.assert_profiled(process, "Nsight Compute")
        self.assertEqual(process.stdout.count("==PROF== Profiling"), 1, process.stdout)

    def test_compute_sanitizer(self):
        self.assert_profiled(
            self.execute(tool("compute-sanitizer"), V11, "--iters", "100", seconds=2 * MINUTE), "compute-sanitizer"
        )

    def test_nsys(self):
        process = self.execute(
            tool("nsys"), "profile", "-o", self.root / "trace", V11, "--max-time", "0.5", seconds=2 * MINUTE
        )
        self.assert_succeeds(process)
        self.assertIn(RATE, process.stdout)
        self.assertNotIn("the rate means nothing", process.stderr)


if __name__ == "__main__":
    unittest.main()
