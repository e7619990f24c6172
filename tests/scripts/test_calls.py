#!/usr/bin/env python3
"""Tests of scripts/calls, with programs whose times follow a formula."""

import sys
import unittest

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, launch_of, record
from sandbox import SLUG, lecture, pi

from suite.documents import kinds
from suite.render import sources
from suite.studies import calls


class TimesTest(StudySandbox):
    MODULE = calls

    def setUp(self):
        super().setUp()
        self.stored = self.out / SLUG / "lecture-calls.json"

    def add(self, program, blocks=64, threads=32, rate=1000, fails=None, **facts):
        """A program, by default of a GPU, whose whole calls take 0.125 ms more than the launch; with fails they end so."""
        suite, version = program.split("_", 1)

        def answer(options):
            is_call = "--call" in options
            if is_call and fails:
                raise Ends(fails)
            shape = launch_of(options, blocks, threads, 4096)
            ms = shape["work"] / rate / 1e6
            times = [ms, 2 * ms, 3 * ms]
            run = shape | {"call": is_call, "clock": "wall" if is_call else "gpu", "kernel_ms": [time + 0.125 * is_call for time in times],
                           "phases_ms": {"alloc": [0.125] * 3, "run": times} if is_call else {}} | facts  # fmt: skip
            name = {"1": "cpu_serial"}.get(options.get("--threads"), "cpu_openmp") if version == "cpu" else version
            return record(name, suite, "cpu.json" if version == "cpu" else "gpu.json", **run)

        self.add_function(program, answer)

    def add_cpu(self):
        self.add("pi_cpu", blocks=None, threads=4, rate=4)


class CallsTest(TimesTest):
    def rows(self, version):
        """The runs of whole calls, and those of the launch alone."""
        runs = self.runs(kinds.CALLS, lecture)[version]
        return [run for run in runs if run["call"]], [run for run in runs if not run["call"]]

    def test_every_program_of_the_table(self):
        """The CPU has calls only."""
        self.add_cpu()
        for program in ("lecture_k1", "lecture_k2", "lecture_k3", "pi_v8_shared"):
            self.add(program)
        process = self.succeeded(self.measure())
        self.assertEqual(
            {"cpu_serial", "cpu_openmp", "v8_shared", "k1", "k2", "k3"}, self.runs(kinds.CALLS, lecture).keys()
        )
        self.assertEqual(f"wrote {self.stored}", process.stdout.splitlines()[-1])
        self.assertEqual([], self.rows("cpu_serial")[1])
        for options in self.commands("pi_cpu"):
            self.assertNotIn("--blocks", options)
        self.assertEqual({"1", None}, {options.get("--threads") for options in self.commands("pi_cpu")})
        # The grids, up to 10^8 samples, and up to 10^9:
        k1, k3, shared = (
            [own for own in self.commands(name) if "--call" in own]
            for name in ("lecture_k1", "lecture_k3", "pi_v8_shared")
        )
        self.assertEqual([16, 19, 19], [len(own) for own in (k1, k3, shared)])
        self.assertEqual("1000", k1[0]["--blocks"])
        self.assertEqual(["31", "32"], [k3[0][name] for name in ("--blocks", "--threads")])
        self.assertEqual(["5", "64", "32"], [shared[3][name] for name in ("--iters", "--blocks", "--threads")])

    def test_times_of_calls_and_of_the_launch_alone(self):
        self.add("lecture_k3")
        self.measure()
        (*_, call), (*_, alone) = self.rows("k3")
        self.assertEqual((10**9, 10**9), (call["work"], alone["work"]))
        self.assertEqual(
            {"median": 2.125, "low": 1.125, "high": 3.125, "min": 1.125, "max": 3.125, "mean": 2.125, "count": 3},
            call["kernel_ms"],
        )
        self.assertEqual({"alloc": {"median": 0.125}, "run": {"median": 2.0}}, call["phases_ms"])
        self.assertEqual(2.0, alone["kernel_ms"]["median"])
        self.assertEqual(19, len(self.rows("k3")[0]))  # three sizes a decade

    def test_a_curve_ends_where_a_call_takes_too_long(self):
        self.add("lecture_k3", rate=0.01)
        self.measure()
        self.assertEqual(7, len(str(self.rows("k3")[0][-1]["work"])))  # in 0.9 s; twice as many would take 2 s

    def test_a_program_that_fails_is_named_and_others_are_stored(self):
        self.add("lecture_k1")
        self.add("lecture_k2", fails=4)
        process = self.failed(self.measure())
        self.assertIn("out of luck", process.stderr.splitlines()[0])
        self.assertIn("no new rows of k2", process.stderr.splitlines()[-1])
        self.assertEqual([16, 16], list(map(len, self.rows("k1"))))

    def test_a_program_that_accepts_no_size(self):
        self.add("lecture_k1", fails=2)
        self.assertIn("lecture_k1 accepts no size", self.measure().stderr)
        self.assert_nothing_written()

    def test_without_cuda_programs(self):
        self.add_cpu()
        self.assert_ends(self.measure(), 0, "nothing measured")
        self.assert_nothing_written()


class LaunchesTest(TimesTest):
    """Of pi launches alone are timed."""

    def setUp(self):
        super().setUp()
        self.stored = self.out / SLUG / "pi-calls.json"

    def launches(self, version):
        return self.runs(kinds.CALLS, pi)[version]

    def test_a_size_a_decade_on_grids_that_fit(self):
        self.add_cpu()
        self.add("pi_v8", blocks=264, threads=1024)
        process = self.succeeded(self.measure("--suite", "pi"))
        self.assertRegex(
            process.stdout.splitlines()[1], r"^\[1/20\] pi-calls v8 +a launch of 992 samples in .* ms; .* left$"
        )
        self.assertEqual({"v8", "cpu_openmp"}, self.runs(kinds.CALLS, pi).keys())
        _, first, *others = self.commands("pi_v8")
        # Fewer threads a block, powers of two; then fewer blocks; from 264 × 1024 samples on more iterations.
        shapes = [
            tuple(int(options[part]) for part in ("--iters", "--blocks", "--threads")) for options in (first, *others)
        ]
        self.assertEqual([(1, 31, 32), (1, 156, 64), (1, 195, 512), (4, 264, 1024), (37, 264, 1024)], shapes[:5])
        for power, run in zip(range(3, 13), self.launches("v8"), strict=True):
            self.assertLess(abs(run["work"] / 10**power - 1), 0.1)
            self.assertFalse(run["call"])
        self.assertEqual("--iters 1 --blocks 31 --threads 32 --max-time 2", self.launches("v8")[0]["options"])
        self.assertEqual({None}, {options.get("--max-time") for options in others})
        _, *of_cpu = self.commands("pi_cpu")
        self.assertEqual([1, 2, 24, 244], [int(options["--iters"]) for options in of_cpu[:4]])
        self.assertEqual({"2"}, {options["--max-time"] for options in of_cpu})

    def test_a_curve_ends_where_a_launch_takes_too_long(self):
        self.add("pi_v1", blocks=1, threads=1, rate=0.05)
        self.measure()
        self.assertEqual(
            [10**power for power in range(3, 9)], [run["work"] for run in self.launches("v1")]
        )  # 4 s; then it would be 40

    def test_what_disturbed_a_run_is_stored_and_told(self):
        warnings = [{"kind": "clock", "text": "it is low"}, {"kind": "power", "text": "it is unknown"}]
        held = {"timings": 7, "power": 7, "thermal": 0, "sync_boost": 0, "other": 0, "min_c": 50, "max_c": 60}
        self.add("pi_v8", warnings=warnings, sm_clock_mhz=900.0, throttle=held)
        self.succeeded(self.measure())
        runs = self.launches("v8")
        self.assertEqual({900.0}, {run["sm_clock_mhz"] for run in runs})
        (told,) = sources.warnings_of_study(runs)
        self.assertIn("- v8: it is low", told)
        self.assertIn(
            f"- clock held down by power cap: v8 in {7 * len(runs)} of {7 * len(runs)} timings (up to 60 °C)\n",
            f"{told}\n",
        )
        self.assertNotIn("unknown", told)


if __name__ == "__main__":
    unittest.main()
