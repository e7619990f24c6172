#!/usr/bin/env python3
"""Tests of scripts/sweep, with programs whose times follow a formula."""

import sys
import unittest

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, launch_of, rate_of, record
from sandbox import pi

from suite.documents import kinds
from suite.render import sources
from suite.studies import sweep


class SweepTest(StudySandbox):
    MODULE = sweep

    def add(self, name, version=None, blocks=264, threads=1024, streams=None, overhead_ms=0.01, rate=1000, change=None, context=()):
        """A program: by default a GPU version of 264 blocks of 1024 threads at 1000 samples/ns. change may change its run, or end it."""

        def answer(options):
            shape = launch_of(options, blocks, threads, streams)
            ms = overhead_ms + shape["work"] / rate / 1e6
            run = shape | {"kernel_ms": [ms] * 7, "per_ns": rate_of(shape["work"] / ms / 1e6)}
            run |= (change(options) if change else None) or {}
            return record(version or name, file="gpu.json" if blocks else "cpu.json", context=context, **run)

        self.add_function(f"pi_{name}", answer)

    def add_cpu(self):
        self.add("cpu", "cpu_openmp", blocks=None, threads=4, streams=4096, rate=4)

    def samples(self, version):
        return [run["work"] for run in self.runs(kinds.SWEEP, pi)[version]]

    def shapes(self, name):
        """Iterations, blocks and threads of each run but the first."""
        return [tuple(int(options[part]) for part in ("--iters", "--blocks", "--threads")) for options in self.commands(name)[1:]]


class MeasuresTest(SweepTest):
    def test_what_disturbed_a_run_is_stored_and_told(self):
        low, held = "the SM clock was under 75 % of the maximum: 900 of 1980 MHz (power cap in 7 of 7 timings)", {"timings": 7, "power": 7, "thermal": 0, "sync_boost": 0, "other": 0, "min_c": 50, "max_c": 60}
        warnings = [{"kind": kind, "text": text} for kind, text in (("clock", low), ("interval", "it is wide"), ("power", "it is unknown"))]
        self.add("v8", change=lambda options: {"stopped": "done", "warnings": warnings, "sm_clock_mhz": 900.0, "throttle": held})
        self.succeeded(self.measure("v8", "v8"))
        runs = self.runs(kinds.SWEEP, pi)["v8"]
        self.assertEqual({900.0}, {run["sm_clock_mhz"] for run in runs})
        (told,) = sources.warnings_of_study(runs)
        self.assertIn(f"- v8: {low}", told)
        self.assertIn(f"- clock held down by power cap: v8 in {7 * len(runs)} of {7 * len(runs)} timings (up to 60 °C)\n", f"{told}\n")
        self.assertNotIn(" it is ", told)
        self.assertEqual({"done"}, {run["stopped"] for run in runs})

    def test_default_versions_where_they_are(self):
        self.add_cpu()
        for version in ("v1", "v3", "v9"):
            self.add(version)
        process = self.succeeded(self.measure())
        self.assertEqual(["cpu_openmp", "v1", "v3"], list(self.runs(kinds.SWEEP, pi)))
        self.assertRegex(process.stdout.splitlines()[1], r"^\[1/30\] pi-sweep v1 +992 samples in 0\.01 ms; .* left$")
        self.assertEqual(f"wrote {self.stored}", process.stdout.splitlines()[-1])
        self.stored.unlink()
        self.succeeded(self.measure("v9", "v9"))  # versions of choice
        self.assertEqual(["v9"], list(self.runs(kinds.SWEEP, pi)))

    def test_a_point_a_decade_on_grids_that_fit(self):
        self.add("v8")
        self.measure()
        # Fewer threads a block, powers of two; then fewer blocks; from 264 × 1024 samples on more iterations.
        self.assertEqual([(1, 31, 32), (1, 156, 64), (1, 195, 512), (4, 264, 1024), (37, 264, 1024)], self.shapes("pi_v8")[:5])
        for power, samples in zip(range(3, 13), self.samples("v8"), strict=True):
            self.assertLess(abs(samples / 10**power - 1), 0.1)
        # A run is stored with its options and the summary of its times.
        run = self.runs(kinds.SWEEP, pi)["v8"][0]
        ms = float(f"{0.01 + run['work'] / 1000 / 1e6:.6g}")
        self.assertEqual(dict.fromkeys(("median", "low", "high", "min", "max", "mean"), ms), run["kernel_ms"])
        self.assertEqual("--iters 1 --blocks 31 --threads 32 --max-time 2", run["options"])
        self.measure("--per-decade", "3")
        self.assertEqual(28, len(self.samples("v8")))

    def test_one_thread_stops_where_a_launch_takes_too_long(self):
        self.add("v1", blocks=1, threads=1, rate=0.05)
        self.measure()
        self.assertEqual([10**power for power in range(3, 9)], self.samples("v1"))  # 2 s; then it would be 20
        self.assertEqual({1}, {blocks for _, blocks, _ in self.shapes("pi_v1")})
        self.add("v1", blocks=1, threads=1, rate=1e6)  # no more iterations than there can be
        self.measure()
        self.assertEqual([10**power for power in range(3, 10)], self.samples("v1"))

    def test_the_cpu_has_streams_and_no_grid_and_effort_is_bounded(self):
        self.add_cpu()
        self.add("v8", overhead_ms=0.001)
        self.measure()
        _, *of_cpu = self.commands("pi_cpu")
        self.assertEqual([1, 2, 24, 244], [int(options["--iters"]) for options in of_cpu[:4]])
        self.assertEqual([4096, 8192], self.samples("cpu_openmp")[:2])
        for options in self.commands("pi_cpu"):
            self.assertFalse({"--blocks", "--threads"} & set(options))
        self.assertEqual({"2"}, {options["--max-time"] for options in of_cpu})
        _, first, *others = self.commands("pi_v8")
        self.assertEqual("2", first["--max-time"])
        for options, run in zip(others, self.runs(kinds.SWEEP, pi)["v8"][1:], strict=True):
            self.assertLess(int(options["--launches"]) * run["kernel_ms"]["median"], 3000)

    def test_a_version_that_refuses_few_launches(self):
        def change(options):
            if int(options.get("--launches", 16)) < 16:
                raise Ends(2)
            return {"outcome": record("v17")["runs"][0]["outcome"] | {"independent": "launches"}}

        self.add("v17", change=change)
        self.succeeded(self.measure("v17"))
        self.assertEqual(10, len(self.samples("v17")))

    def test_a_version_of_few_threads(self):
        self.add("v2", blocks=4224, threads=1)
        self.measure("v2")
        self.assertEqual([(1, 1000, 1), (2, 4224, 1)], self.shapes("pi_v2")[:2])

    def test_a_shape_that_is_not_accepted_is_left_out(self):
        self.add("v9", change=lambda options: refuse(int(options.get("--threads", 1024)) < 64))
        self.succeeded(self.measure("v9"))
        self.assertEqual(9, len(self.samples("v9")))


class StopsTest(SweepTest):
    def test_the_cpu_alone_has_no_device(self):
        self.add_cpu()
        self.assert_ends(self.measure(), 0, "nothing measured")
        self.assert_nothing_written()

    def test_what_fails_is_told_and_what_was_measured_before_is_stored(self):
        self.add("v1")
        self.add("v8", change=lambda options: refuse(options["--iters"] == "37", 1))
        self.add("v3", context={"commit": "f" * 40})
        self.add("v11", change=lambda _: refuse(True))
        process = self.failed(self.measure())
        mixed, failed, refused, last = process.stderr.splitlines()
        self.assertIn("mixed contexts: commit", mixed)
        self.assertIn("pi_v8 --iters 37 --blocks 264 --threads 1024 --launches 2926 failed (exit 1): out of luck", failed)
        self.assertIn("pi_v11 does not accept its own shape", refused)
        self.assertEqual(f"sweep: {self.stored} has no new rows of v3, v8, v11", last)
        runs = self.runs(kinds.SWEEP, pi)
        self.assertEqual((10, 5), (len(runs["v1"]), len(runs["v8"])))  # four points, and the failure
        self.assertIn("out of luck", runs["v8"][-1]["error"])

    def test_no_shape_is_accepted(self):
        self.add("v9", change=lambda options: refuse("--blocks" in options))
        self.failed(self.measure("v9"), "pi_v9 accepts no size")
        self.assert_nothing_written()

    def test_usage(self):
        self.add("v8")
        for arguments, part in ((["v9"], "pi_v9"), (["w8"], "w8"), (["--per-decade", "2"], "--per-decade")):
            self.assert_ends(self.measure(*arguments), 2, part)


def refuse(is_refused, code=2):
    if is_refused:
        raise Ends(code)


if __name__ == "__main__":
    unittest.main()
