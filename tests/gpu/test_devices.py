#!/usr/bin/env python3
"""The programs on several GPUs, in one process and under MPI: any number of GPUs must count what one counts.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Without a GPU everything
skips. Where there is one alone it is a team of one, and the ranks share it.
"""

import os
import re
import signal
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).parents[1] / "host"), str(Path(__file__).parents[1])]

import gpus
import mpi_launcher
from test_programs import BIN, RATE, STEPS, strict_json
from test_programs import setUpModule as accept_interrupts
from test_scale import OFTEN, SAVED, MpiSandbox, ScaleSandbox, Stored, answer, number

V8 = BIN / "pi_v8"
THOROUGH = ("v6", "v8", "v11", "v17", "v19")
# Of every version: a power of two is what v17 takes; 37 is divided evenly by no number of GPUs.
WORK = ("--iters", "256", "--launches", "37")
FAR = ("--iters", "1k", "--launches", "100M")  # minutes, whatever the version and the GPUs
MINUTE = 60


def environment():
    """The environment of this process with its GPUs, without settings of the OpenMP runtime."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}


GPUS = len(gpus.listed()) if V8.exists() else 0


def setUpModule():
    gpus.need_one()
    accept_interrupts()


class DeviceSandbox(ScaleSandbox):
    def environment(self):
        return environment()

    def run_of(self, program, *arguments):
        return self.record(self.execute(program, *arguments, "--json", "-", seconds=MINUTE))

    def start_saving(self, program, *arguments):
        """A long run that has saved something."""
        process = self.start(program, *FAR, "--checkpoint", self.file, *OFTEN, *arguments)
        self.wait_for_progress(process)
        return process


class NoCode(DeviceSandbox):
    def test_for_this_gpu(self):
        """The driver is told to ignore machine code; programs built for this GPU hold nothing else."""
        for name in ("pi_v8", "mcls_v11", "suite_limits", "options_moments"):
            with self.subTest(name):
                process = self.execute(BIN / name, env=self.environment() | {"CUDA_FORCE_PTX_JIT": "1"}, seconds=MINUTE)
                self.assert_fails(process, 3, f"{name}: no usable GPU: this program holds no code for it")


class SameHits(DeviceSandbox):
    def test_of_one_device_and_of_all(self):
        for version, program in STEPS.items():
            with self.subTest(version=version):
                one = self.run_of(program, *WORK, "--device", "0")
                team = self.run_of(program, *WORK, "--devices", "all")
                self.assertEqual(answer(team), answer(one))
                self.assertIsNone(one["team"])
                self.assertEqual(team["team"]["size"], GPUS)

    def test_of_a_team_of_one(self):
        for version in THOROUGH:
            with self.subTest(version=version):
                program = STEPS[version]
                self.assertEqual(
                    answer(self.run_of(program, *WORK, "--devices", "0")), answer(self.run_of(program, *WORK))
                )

    def test_in_batches(self):
        one = self.run_of(V8, *WORK)
        for batch in ("1", "5", "37", "100"):
            with self.subTest(batch=batch):
                self.assertEqual(answer(self.run_of(V8, *WORK, "--devices", "all", "--batch", batch)), answer(one))

    def test_of_fewer_launches_than_devices(self):
        one = self.run_of(V8, "--iters", "256", "--launches", "1")
        self.assertEqual(answer(self.run_of(V8, "--iters", "256", "--launches", "1", "--devices", "all")), answer(one))

    @unittest.skipIf(GPUS < 2, "one GPU alone")
    def test_in_any_order(self):
        one = self.run_of(V8, *WORK)
        for devices in ("1", "1,0", ",".join(str(i) for i in reversed(range(GPUS)))):
            with self.subTest(devices=devices):
                run = self.run_of(V8, *WORK, "--devices", devices)
                self.assertEqual(answer(run), answer(one))
                self.assertEqual([str(member["device"]) for member in run["team"]["members"]], devices.split(","))

    def test_by_the_stopping_rule(self):
        run = self.run_of(V8, "--iters", "1k", "--max-time", "0.5", "--devices", "all")
        whole = self.run_of(V8, "--iters", "1k", "--launches", run["launches"])
        for count in ("hits", "samples"):
            self.assertEqual(run["outcome"][count], whole["outcome"][count])


class Team(DeviceSandbox):
    def test_record(self):
        process = self.execute(V8, *WORK, "--devices", "all", "--batch", "10", "--json", "-", seconds=MINUTE)
        self.assert_succeeds(process)
        document = strict_json(process.stdout)
        [run] = document["runs"]
        team = run["team"]
        self.assertEqual((team["kind"], team["scaling"], team["size"], team["mpi"]), ("devices", "strong", GPUS, None))
        self.assertEqual(len(team["hosts"]), 1)
        self.assertEqual((run["batch"], len(run["kernel_ms"]), len(team["wall_ms"])), (10, 4, 4))
        self.assertGreater(min(team["wall_ms"]), 0)
        self.assertEqual([member["device"] for member in team["members"]], list(range(GPUS)))
        for member, line in zip(team["members"], gpus.listed()):
            self.assertEqual((member["rank"], member["host"]), (None, team["hosts"][0]))
            self.assertIn(member["name"], line)
            self.assertGreater(member["launches"], 0)
            self.assertGreater(member["per_ns"], 0)
        self.assertEqual(sum(member["launches"] for member in team["members"]), run["launches"])
        self.assertEqual(document["context"]["device"]["name"], team["members"][0]["name"])

    def test_weak_scaling_multiplies_the_work(self):
        run = self.run_of(
            V8, "--iters", "256", "--launches", "5", "--batch", "2", "--scaling", "weak", "--devices", "all"
        )
        self.assertEqual((run["launches"], run["batch"], run["team"]["scaling"]), (5 * GPUS, 2 * GPUS, "weak"))
        self.assertEqual(answer(run), answer(self.run_of(V8, "--iters", "256", "--launches", 5 * GPUS)))

    def test_report(self):
        process = self.execute(V8, *WORK, "--devices", "all", seconds=MINUTE)
        self.assert_succeeds(process)
        self.assertIn(RATE, process.stdout)

    def test_devices_that_are_refused(self):
        for devices in ("0,0", "9999", f"0,{GPUS}", str(GPUS), ""):
            with self.subTest(devices=devices):
                self.assert_fails(self.execute(V8, *WORK, "--devices", devices), 2, "--devices")


class Continued(DeviceSandbox):
    """A run that one set of GPUs begins, and another ends."""

    FIRST_AND_SECOND = {
        "one, then all": (("--device", "0"), ("--devices", "all")),
        "all, then one": (("--devices", "all"), ()),
        "all, then all": (("--devices", "all"), ("--devices", "all")),
    }

    def assert_continues_exactly(self, program, devices):
        done = self.done()
        run = self.run_of(program, "--resume", self.file, "--launches", done + 37, *devices)
        self.assertEqual(run["resumed_from"], done)
        self.assertEqual(answer(run), answer(self.run_of(program, "--iters", "1k", "--launches", done + 37)))
        self.assertEqual(self.done(), done + 37)

    def test_interrupted(self):
        for version in ("v8", "v19"):
            for order, (first, second) in self.FIRST_AND_SECOND.items():
                with self.subTest(version=version, order=order):
                    program = STEPS[version]
                    process = self.start_saving(program, *first)
                    process = self.interrupt(process)
                    told = SAVED.pattern.replace("pi_cpu", program.name)
                    line = re.fullmatch(told, process.stderr.splitlines(keepends=True)[-1])
                    self.assertEqual((number(line[1]), line[3]), (self.done(), str(self.file)))
                    self.assert_continues_exactly(program, second)
                    self.file.unlink()

    def test_killed(self):
        for order, (first, second) in self.FIRST_AND_SECOND.items():
            with self.subTest(order=order):
                process = self.start_saving(V8, *first)
                process.kill()
                process.wait()
                self.assert_continues_exactly(V8, second)
                self.file.unlink()

    def test_point_sets(self):
        v17 = STEPS["v17"]
        self.assert_succeeds(
            self.execute(v17, "--iters", "256", "--launches", "20", "--checkpoint", self.file, seconds=MINUTE)
        )
        run = self.run_of(v17, "--resume", self.file, "--launches", "37", "--devices", "all")
        self.assertEqual(answer(run), answer(self.run_of(v17, *WORK)))

    def test_shape_of_the_file(self):
        grid = ("--blocks", "7", "--threads", "64", "--iters", "100")
        self.assert_succeeds(self.execute(V8, *grid, "--launches", "3", "--checkpoint", self.file, seconds=MINUTE))
        saved = Stored(self.file.read_bytes()).run
        self.assertEqual((saved["blocks"], saved["threads"], saved["iters"]), (7, 64, 100))
        self.assertEqual(
            answer(self.run_of(V8, "--resume", self.file, "--launches", "9", "--devices", "all")),
            answer(self.run_of(V8, *grid, "--launches", "9")),
        )
        before = self.file.read_bytes()
        for option, value in (
            ("--blocks", "8"),
            ("--threads", "32"),
            ("--iters", "101"),
            ("--seed", "5"),
            ("--launches", "8"),
        ):
            with self.subTest(option=option):
                self.assert_fails(self.execute(V8, "--resume", self.file, option, value), 2, option)
        self.assert_fails(self.execute(STEPS["v7"], "--resume", self.file), 2, str(self.file))
        self.assertEqual(self.file.read_bytes(), before)

    def test_nothing_left_to_do(self):
        self.assert_succeeds(self.execute(V8, *WORK, "--checkpoint", self.file, seconds=MINUTE))
        for devices in ((), ("--devices", "all")):
            run = self.run_of(V8, "--resume", self.file, *devices)
            self.assertEqual((run["resumed_from"], run["kernel_ms"], run["per_ns"]), (37, [], None))
            self.assertEqual(answer(run), answer(self.run_of(V8, *WORK)))


class Mpi(DeviceSandbox, MpiSandbox):
    def shared(self, ranks):
        return ("--oversubscribe",) if ranks > GPUS else ()

    def run_of_ranks(self, ranks, program, *arguments):
        return self.record(self.execute_ranks(ranks, *arguments, *self.shared(ranks), "--json", "-", program=program))

    def test_two_ranks(self):
        for version in THOROUGH:
            with self.subTest(version=version):
                program = STEPS[version]
                self.assertEqual(answer(self.run_of_ranks(2, program, *WORK)), answer(self.run_of(program, *WORK)))

    def test_other_numbers_of_ranks(self):
        one = self.run_of(V8, *WORK)
        for ranks in sorted({1, 3, GPUS, GPUS + 1}):
            with self.subTest(ranks=ranks):
                self.assertEqual(answer(self.run_of_ranks(ranks, V8, *WORK)), answer(one))

    def test_record(self):
        team = self.run_of_ranks(2, V8, *WORK)["team"]
        self.assertEqual((team["kind"], team["size"], len(team["members"])), ("mpi", 2, 2))
        self.assertIn(mpi_launcher.flavour(mpi_launcher.mpi_of(V8)), team["mpi"])
        self.assertEqual([member["rank"] for member in team["members"]], [0, 1])
        self.assertEqual(sorted(member["device"] for member in team["members"]), [0, 0] if GPUS == 1 else [0, 1])
        self.assertEqual(sum(member["launches"] for member in team["members"]), 37)

    def test_more_ranks_than_gpus_are_refused(self):
        self.assert_one_error(self.execute_ranks(GPUS + 1, *WORK, program=V8), 2, "--oversubscribe")

    def test_devices_are_for_one_process(self):
        self.assert_one_error(
            self.execute_ranks(2, *WORK, "--devices", "0", *self.shared(2), program=V8), 2, "--devices"
        )

    def test_continues_what_one_device_began(self):
        self.interrupt(self.start_saving(V8), signal.SIGTERM)
        goal = self.done() + 37
        run = self.run_of_ranks(2, V8, "--resume", self.file, "--launches", goal)
        self.assertEqual(answer(run), answer(self.run_of(V8, "--iters", "1k", "--launches", goal)))


if __name__ == "__main__":
    unittest.main()
