#!/usr/bin/env python3
"""Tests of scripts/sweep, with programs whose times follow a formula."""

import json
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import FAKE_END, FAKE_START, RESULTS, MeasuringSandbox

from suite.documents import sweep

# Prints the record of a launch; blocks, threads and time are what it is told, or its own.
PROGRAM = FAKE_START + """
own = {own}
{extra}
iters = int(options["--iters"])
threads = int(options.get("--threads", own["threads"]))
blocks = own["blocks"] and int(options.get("--blocks", own["blocks"]))
samples = iters * (own["streams"] if blocks is None else blocks * threads)
ms = own["overhead_ms"] + samples / own["rate"] / 1e6
rate = samples / ms / 1e6
run |= {{
    "version": own["version"], "blocks": blocks, "threads": threads, "iters": iters, "work": samples,
    "per_ns": {{"median": rate, "low": rate * 0.9, "high": rate * 1.1}},
}}""" + FAKE_END


class SweepTest(MeasuringSandbox):
    COMMAND, PROGRAM = "sweep", PROGRAM

    def add(self, name, extra="", context=(), **own):
        """A program: by default a GPU version of 264 blocks of 1024 threads at 1000 samples/ns."""
        record = RESULTS / ("cpu.json" if name == "cpu" else "gpu.json")
        own = {"version": name, "blocks": 264, "threads": 1024, "overhead_ms": 0.01, "rate": 1000} | own
        self.add_program(name, record, own=own, extra=extra, context=dict(context))

    def add_cpu(self, **own):
        own = {"version": "cpu_openmp", "blocks": None, "threads": 4, "streams": 4096, "rate": 4} | own
        self.add("cpu", **own)

    def add_v1(self, **own):
        self.add("v1", **{"blocks": 1, "threads": 1, "rate": 0.05} | own)

    def document(self):
        return sweep.DOCUMENT.load(self.stored)

    def curves(self):
        curves = {}
        for point in self.document()["points"]:
            curves.setdefault(point["version"], []).append(point)
        return curves

    def samples(self, version):
        return [point["samples"] for point in self.curves()[version]]

    def commands(self, name):
        """The arguments of each run of a program, as a dictionary."""
        lines = [line.split()[1:] for line in self.log.read_text().splitlines() if line.split()[0] == name]
        return [dict(zip(line[::2], line[1::2])) for line in lines]


class SweepMeasuresTest(SweepTest):
    def test_default_versions_where_they_are(self):
        self.add_cpu()
        self.add_v1()
        self.add("v3")
        self.add("v9")
        process = self.measure()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(["cpu_openmp", "v1", "v3"], list(self.curves()))
        lines = process.stdout.splitlines()
        self.assertEqual(["cpu", "v1", "v3"], [line.split()[0] for line in lines[:-1]])
        self.assertEqual(f"wrote {self.stored}", lines[-1])

    def test_versions_of_choice(self):
        self.add_v1()
        self.add("v9")
        self.assertEqual(0, self.measure("v9", "v9").returncode)
        self.assertEqual(["v9"], list(self.curves()))

    def test_a_point_a_decade_on_grids_that_fit(self):
        self.add("v8")
        self.measure()
        shapes = [(int(c["--iters"]), int(c["--blocks"]), int(c["--threads"])) for c in self.commands("v8")[1:]]
        # Fewer threads a block, powers of two; then fewer blocks; from 264 × 1024 samples on more iterations.
        self.assertEqual([(1, 31, 32), (1, 156, 64), (1, 195, 512), (4, 264, 1024), (37, 264, 1024)], shapes[:5])
        self.assertEqual(10, len(shapes))
        for power, samples in zip(range(3, 13), self.samples("v8")):
            self.assertLess(abs(samples / 10**power - 1), 0.1)

    def test_three_points_a_decade(self):
        self.add("v8")
        self.measure("--per-decade", "3")
        self.assertEqual(28, len(self.samples("v8")))

    def test_times_are_those_of_the_rates(self):
        self.add("v8")
        self.measure()
        point = self.curves()["v8"][-1]
        ms = 0.01 + point["samples"] / 1000 / 1e6
        for name, expected in {"median": ms, "low": ms / 1.1, "high": ms / 0.9}.items():
            self.assertAlmostEqual(1, point["ms"][name] / expected, places=4)

    def test_one_thread_stops_where_a_launch_takes_too_long(self):
        self.add_v1()
        self.measure()
        self.assertEqual([10**power for power in range(3, 9)], self.samples("v1"))  # 2 s; then it would be 20
        self.assertEqual({"1"}, {command["--blocks"] for command in self.commands("v1")[1:]})

    def test_no_more_iterations_than_there_can_be(self):
        self.add("v1", blocks=1, threads=1, rate=1e6)
        self.measure()
        self.assertEqual([10**power for power in range(3, 10)], self.samples("v1"))

    def test_the_cpu_has_streams_and_no_grid(self):
        self.add_cpu()
        self.add_v1()
        self.measure()
        self.assertEqual([1, 2, 24, 244], [int(c["--iters"]) for c in self.commands("cpu")[1:5]])
        self.assertEqual([4096, 8192], self.samples("cpu_openmp")[:2])
        for command in self.commands("cpu"):
            self.assertFalse({"--blocks", "--threads"} & set(command))

    def test_effort_is_bounded(self):
        self.add_cpu()
        self.add("v8", overhead_ms=0.001)
        self.measure()
        for command in self.commands("cpu")[1:]:
            self.assertEqual("2", command["--max-time"])
        first, *others = self.commands("v8")[1:]
        self.assertEqual("2", first["--max-time"])
        for command, point in zip(others, self.curves()["v8"][1:]):
            self.assertLess(int(command["--launches"]) * point["ms"]["median"], 3000)

    def test_a_version_that_refuses_few_launches(self):
        self.add("v17", extra='outcome["independent"] = "launches"\nif int(options.get("--launches", 16)) < 16: sys.exit(2)')
        process = self.measure("v17")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(10, len(self.samples("v17")))

    def test_a_version_of_few_threads(self):
        self.add("v2", blocks=4224, threads=1)
        self.measure("v2")
        shapes = [(int(c["--iters"]), int(c["--blocks"]), int(c["--threads"])) for c in self.commands("v2")[1:]]
        self.assertEqual([(1, 1000, 1), (2, 4224, 1)], shapes[:2])

    def test_a_shape_that_is_not_accepted_is_left_out(self):
        self.add("v9", extra='if int(options.get("--threads", 1024)) < 64: sys.exit(2)')
        process = self.measure("v9")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(9, len(self.samples("v9")))

    def test_no_shape_is_accepted(self):
        self.add("v9", extra='if "--blocks" in options: sys.exit(2)')
        process = self.measure("v9")
        self.assertEqual(0, process.returncode)
        self.assertIn("no points", process.stdout)

    def test_context_is_the_gpus(self):
        self.add_cpu()
        self.add("v8")
        self.measure()
        expected = json.loads((RESULTS / "gpu.json").read_text())["context"]
        date = json.loads((RESULTS / "cpu.json").read_text())["context"]["date"]
        self.assertEqual(expected | {"date": date}, self.document()["context"])


class SweepStopsTest(SweepTest):
    def test_the_cpu_alone_has_no_device(self):
        self.add_cpu()
        self.assert_ends(self.measure(), 0, "nothing measured")
        self.assert_nothing_written()

    def test_a_program_fails(self):
        self.add_v1()
        self.add("v8", extra='if options["--iters"] == "37": sys.exit("first\\nout of luck")')
        self.assert_ends(self.measure(), 1, "pi_v8 --iters 37", "exit 1", "out of luck", "nothing was written")
        self.assert_nothing_written()

    def test_a_program_does_not_accept_its_own_shape(self):
        self.add("v8", extra="sys.exit(2)")
        self.assert_ends(self.measure(), 1, "pi_v8", "nothing was written")

    def test_mixed_contexts(self):
        self.add_v1()
        self.add("v8", context={"commit": "f" * 40})
        self.assert_ends(self.measure(), 1, "mixed contexts", "commit", "nothing was written")
        self.assert_nothing_written()

    def test_usage(self):
        self.add("v8")
        self.assert_ends(self.measure("v9"), 2, "pi_v9")
        self.assert_ends(self.measure("v8_shared"), 2, "v8_shared")
        self.assert_ends(self.measure("--per-decade", "2"), 2, "--per-decade")


if __name__ == "__main__":
    unittest.main()
