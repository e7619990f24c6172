#!/usr/bin/env python3
"""Tests of scripts/calls, with programs whose times follow a formula."""

import json
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import FAKE_END, FAKE_START, RESULTS, SLUG, MeasuringSandbox

from suite.documents import calls

# Prints the record of a launch, or with --call of a whole call, which takes {overhead_ms} ms more.
PROGRAM = FAKE_START + """
call = "--call" in sys.argv
arguments = [part for part in sys.argv[1:] if part != "--call"]
options = dict(zip(arguments[::2], arguments[1::2]))
{extra}
iters, threads = int(options.get("--iters", 1)), int(options.get("--threads", {threads}))
blocks = {blocks} and int(options.get("--blocks", {blocks}))
work = iters * (4096 if blocks is None else blocks * threads)
ms = work / {rate} / 1e6
run |= {{
    "version": "{version}".replace("cpu", "cpu_openmp"),
    "blocks": blocks, "threads": threads, "iters": iters, "work": work, "call": call, "clock": "wall" if call else "gpu",
    "kernel_ms": [time + {overhead_ms} * call for time in (ms, 2 * ms, 3 * ms)],
    "phases_ms": {{"alloc": [{overhead_ms}] * 3, "run": [ms, 2 * ms, 3 * ms]}} if call else {{}},
}}""" + FAKE_END


class CallsTest(MeasuringSandbox):
    COMMAND, PROGRAM = "calls", PROGRAM

    def setUp(self):
        super().setUp()
        self.stored = self.out / SLUG / "lecture-calls.json"

    def add(self, program, blocks=64, threads=32, rate=1000, overhead_ms=0.125, extra="", context=()):
        """A program: by default of a GPU."""
        suite, version = program.split("_", 1)
        record = RESULTS / ("cpu.json" if version == "cpu" else "gpu.json")
        values = {"blocks": blocks, "threads": threads, "rate": rate, "overhead_ms": overhead_ms, "extra": extra}
        self.add_program(version, record, suite=suite, context={} | dict(context), **values)

    def add_cpu(self, **own):
        self.add("pi_cpu", **{"blocks": None, "threads": 4, "rate": 4} | own)

    def rows(self, version):
        return [row for row in calls.DOCUMENT.load(self.stored)["calls"] if row["version"] == version]

    def commands(self, version):
        return [line.split()[1:] for line in self.log.read_text().splitlines() if line.split()[0] == version]

    def test_every_program_of_the_table(self):
        self.add_cpu()
        for program in ("lecture_k1", "lecture_k2", "lecture_k3", "pi_v8_shared"):
            self.add(program)
        process = self.measure("--per-decade", "1")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        names = ["cpu_serial", "cpu_openmp", "k1", "k2", "k3", "v8_shared"]
        self.assertEqual([*names, f"wrote {self.stored}"], [*(line.split()[0] for line in process.stdout.splitlines()[:-1]),
                                                            process.stdout.splitlines()[-1]])  # fmt: skip
        document = json.loads(self.stored.read_text())
        self.assertEqual(("lecture", set(names)), (document["suite"], {row["version"] for row in document["calls"]}))

    def test_times_of_calls_and_of_the_launch_alone(self):
        self.add("lecture_k3")
        self.measure("--per-decade", "1")
        row = self.rows("k3")[-1]
        self.assertEqual(("lecture_k3", 10**9), (row["program"], row["samples"]))
        self.assertEqual({"median": 2.125, "low": 1.125, "high": 3.125, "min": 1.125, "max": 3.125}, row["call_ms"])
        self.assertEqual({"alloc": 0.125, "run": 2.0}, row["phases_ms"])
        self.assertEqual(2.0, row["kernel_ms"])

    def test_the_cpu_has_calls_only(self):
        self.add_cpu()
        self.add("lecture_k1")
        self.measure("--per-decade", "1")
        self.assertEqual({None}, {row["kernel_ms"] for row in self.rows("cpu_serial")})
        for command in self.commands("cpu"):
            self.assertNotIn("--blocks", command)
        threads = [command[command.index("--threads") + 1] for command in self.commands("cpu") if "--threads" in command]
        self.assertEqual({"1"}, set(threads))

    def test_grids(self):
        for program in ("lecture_k1", "lecture_k3", "pi_v8_shared"):
            self.add(program)
        self.measure("--per-decade", "1")
        shapes = {name: [command for command in self.commands(name) if "--call" in command] for name in ("k1", "k3", "v8_shared")}
        self.assertEqual(["--blocks", "1000"], shapes["k1"][0][:2])
        self.assertEqual(["--blocks", "31", "--threads", "32"], shapes["k3"][0][:4])
        self.assertEqual(["--iters", "5", "--blocks", "64", "--threads", "32"], shapes["v8_shared"][1][:6])
        self.assertEqual(1, shapes["v8_shared"][0].count("--threads"))
        # Up to 10^8 samples, and up to 10^9.
        self.assertEqual([6, 7, 7], [len(shapes[name]) for name in ("k1", "k3", "v8_shared")])

    def test_three_sizes_a_decade(self):
        self.add("lecture_k3")
        self.measure()
        self.assertEqual(19, len(self.rows("k3")))

    def test_a_curve_ends_where_a_call_takes_too_long(self):
        self.add("lecture_k3", rate=0.01)
        self.measure("--per-decade", "1")
        self.assertEqual(7, len(str(self.rows("k3")[-1]["samples"])))  # in 0.2 s; ten times as many would take 2 s

    def test_a_program_that_fails_is_named_and_others_are_stored(self):
        self.add("lecture_k1")
        self.add("lecture_k2", extra='if call: sys.exit("out of luck")')
        process = self.measure("--per-decade", "1")
        self.assertEqual(1, process.returncode)
        self.assertIn("out of luck", process.stderr.splitlines()[0])
        self.assertIn("no new rows of k2", process.stderr.splitlines()[-1])
        self.assertEqual(6, len(self.rows("k1")))
        self.assertIn("error", self.rows("k2")[0])

    def test_rows_of_one_build_join(self):
        self.add("lecture_k1")
        self.measure("--per-decade", "1")
        (self.bin / "lecture_k1").unlink()
        self.add("lecture_k2")
        self.assertEqual(0, self.measure("--per-decade", "1").returncode)
        self.assertEqual([6, 6], [len(self.rows(version)) for version in ("k1", "k2")])

    def test_a_program_that_accepts_no_size(self):
        self.add("lecture_k1", extra="if call: sys.exit(2)")
        self.assertIn("lecture_k1 accepts no size", self.measure().stderr)
        self.assert_nothing_written()

    def test_without_cuda_programs(self):
        self.add_cpu()
        self.assert_ends(self.measure(), 0, "nothing measured")
        self.assert_nothing_written()


if __name__ == "__main__":
    unittest.main()
