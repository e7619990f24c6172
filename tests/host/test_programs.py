#!/usr/bin/env python3
"""Programs as processes: every option of pi_cpu and pi_v8, exit codes, and runs of pi_cpu. No GPU is used: one that is present is hidden.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import csv
import fcntl
import json
import math
import os
import platform
import re
import resource
import select
import shlex
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[1:1] = [str(Path(__file__).parents[2] / "scripts"), str(Path(__file__).parents[1])]
from suite import order_statistics
from interrupts import setUpModule  # noqa: F401
from kernel_files import BIN, kernels
from temporary import temporary_folder

CPU = BIN / "pi_cpu"
STEPS = {
    kernel.name: BIN / kernel.program
    for kernel in kernels()
    if kernel.program.startswith("pi_") and not kernel.is_ablation
}
RATE = "samples/ns"
DEADLINE = 30
ENDLESS = ("--samples", "1e15")
# Of a pooled run of Philox: what it comes to, what is known to be wrong with it, and the digits that leaves.
ESTIMATE = re.compile(
    r"^  pi +3\.1\d+ \+- \S+ \(1 sd\) from [\d,]+ samples, \S+ sd from its expectation\n"
    r"  bias +\+1\.88e-07 known.*\n  believed +3(\.1\d*)? .*last digit",
    re.MULTILINE,
)
INTERRUPTED = {signal.SIGHUP: 129, signal.SIGINT: 130, signal.SIGTERM: 143}  # exit codes
OLD = '{"old": true}\n'
LARGEST_SEED = 2**64 - 1

# Option -> values that are wrong in every program that has it. Seconds need not be whole, and 1e30 of them are a limit like any other.
NEVER_A_COUNT = ("-1", "10x", "", "1.5", "1e-3", "1.55e1", "99999999999999999999", "1e30", "1e-1", "0x10", "nan", "k")
NEVER_SECONDS = ("0", "-1", "10x", "", "inf", "nan", "1e999")
BAD_VALUES = {
    "--iters": ("0", "0k", *NEVER_A_COUNT),
    "--blocks": ("0", "0k", *NEVER_A_COUNT),
    "--threads": ("0", "0k", *NEVER_A_COUNT),
    "--launches": ("0", "0k", *NEVER_A_COUNT),
    "--samples": ("0", "0k", *NEVER_A_COUNT),
    "--batch": ("0", "0k", *NEVER_A_COUNT),
    "--scaling": ("", "both", "Weak", "1", "-1"),
    "--min-time": NEVER_SECONDS,
    "--max-time": NEVER_SECONDS,
    "--seed": (*NEVER_A_COUNT, str(LARGEST_SEED + 1), "1e20", "20000000T", "rand"),
    "--device": NEVER_A_COUNT,
    "--devices": ("0,0", "1,2,1", "0,", ",0", "0,,1", "all,0", "ALL", "0 1", *NEVER_A_COUNT),
    "--checkpoint": ("",),
    "--checkpoint-every": NEVER_SECONDS,
    "--resume": ("",),
    "--judge": ("",),
    "--json": ("",),
    "--csv": ("",),
}
# What else an option needs.
NEEDS = {
    "--scaling": ("--launches", "1"),
    "--checkpoint": ("--launches", "1"),
    "--checkpoint-every": ("--checkpoint", "file", "--launches", "1"),
}
FLAGS = ("--oversubscribe", "--profile", "--no-profile", "--list-devices", "--quiet")
GPU_ONLY = ("--blocks", "--device", "--devices", "--oversubscribe", "--profile", "--no-profile", "--list-devices")

RUN_KEYS = """version after title technique generator sound soundness seed blocks threads iters work launches batch stopped kernel_ms phases_ms
    per_ns effective_per_ns outcome registers shared_bytes occupancy sm_clock_mhz throttle power_w per_joule rehearsal audit team resumed_from warnings""".split()
OUTCOME_KEYS = "expected hits samples pi pi_sd bias sigma independent variance_ratio trace".split()
CONTEXT_KEYS = "date commit dirty device host driver runtime compiler flags".split()


def environment():
    """The environment of this process, without GPUs and without settings of the OpenMP runtime."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    return kept | {"CUDA_VISIBLE_DEVICES": ""}


def strict_json(text):
    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def cpu_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def catches(process, number):
    """Whether a process has a handler for a signal."""
    [mask] = re.findall(r"(?m)^SigCgt:\s*([0-9a-f]+)$", Path(f"/proc/{process.pid}/status").read_text())
    return bool(int(mask, 16) >> (number - 1) & 1)


def screen(output):
    """The lines that a terminal shows after this output."""
    lines, column = [""], 0
    for token in re.findall(r"\x1b\[[\d;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+|\x1b", output):
        if token == "\r":
            column = 0
        elif token == "\n":
            lines.append("")
        elif token in ("\x1b[K", "\x1b[0K"):
            lines[-1] = lines[-1][:column]
        elif token == "\x1b[2K":
            lines[-1] = ""
        elif token.startswith("\x1b"):
            raise ValueError(f"control sequence {token!r} is unknown here")
        else:
            lines[-1] = lines[-1].ljust(column)[:column] + token + lines[-1][column + len(token) :]
            column += len(token)
    return [line.rstrip() for line in lines]


class Sandbox(unittest.TestCase):
    """A test with its own temporary folder, in which the programs run."""

    def setUp(self):
        self.root = temporary_folder(self.addCleanup)
        self.target = self.root / "pi.json"

    def environment(self):
        return environment()

    def start(self, *command, **options):
        options = {
            "cwd": self.root,
            "env": self.environment(),
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
        } | options
        process = subprocess.Popen([str(part) for part in command], **options)
        self.addCleanup(self.stop, process)
        return process

    def stop(self, process):
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()

    def finish(self, process, seconds=DEADLINE):
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail(f"{shlex.join(process.args)}: still running after {seconds} s")
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def execute(self, *command, seconds=DEADLINE, **options):
        return self.finish(self.start(*command, **options), seconds)

    def wait_for(self, what, condition):
        deadline = time.monotonic() + DEADLINE
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"waited in vain for: {what}")
            time.sleep(0.005)

    def read(self, descriptor, until=None):
        """What a program writes to a terminal or a pipe, until it ends or the condition holds for what it wrote."""
        deadline, output = time.monotonic() + DEADLINE, b""
        while not (until and until(output.decode())):
            ready = select.select([descriptor], [], [], max(0, deadline - time.monotonic()))[0]
            self.assertTrue(ready, f"waited in vain after {output!r}")
            try:
                part = os.read(descriptor, 65536)
            except OSError:  # a terminal that the program has left
                break
            if not part:
                break
            output += part
        return output.decode()

    def assert_succeeds(self, process):
        self.assertEqual(process.returncode, 0, f"{shlex.join(process.args)}\n{process.stdout}\n{process.stderr}")

    def assert_fails(self, process, code, *parts):
        """This exit code, one line on stderr that holds the parts, nothing on stdout."""
        told = f"{shlex.join(process.args)}\nexit {process.returncode}\nstdout {process.stdout!r}\nstderr {process.stderr!r}"
        self.assertEqual(process.returncode, code, told)
        self.assertIn(process.stdout, ("", None), told)
        self.assertRegex(process.stderr, r"\A[^\n]*\S[^\n]*\n\Z", told)
        for part in parts:
            self.assertIn(part, process.stderr, told)

    def interrupt(self, process, signum=signal.SIGINT, code=None):
        """Ends a program by a signal; it prints no rate. Returns the ended process."""
        process.send_signal(signum)
        process = self.finish(process)
        self.assertEqual(process.returncode, code or INTERRUPTED[signum], process.stderr)
        self.assertNotIn(RATE, process.stdout + process.stderr)
        return process

    def assert_target_is_old_and_alone(self):
        self.assertEqual(self.target.read_text(), OLD)
        self.assertEqual(os.listdir(self.root), [self.target.name])


class Program:
    """Tests of one program, without a result: `program` is its path."""

    @property
    def name(self):
        return self.program.name

    def options(self):
        return [option for option in (*BAD_VALUES, *FLAGS) if self.program != CPU or option not in GPU_ONLY]

    def refused(self, *arguments, names):
        """Exit 2, and a line that names what was wrong."""
        if self.program == CPU and not {"--launches", "--samples", "--max-time"} & set(arguments):
            arguments += ("--launches", "1")  # not for long, should it run after all
        with self.subTest(command=shlex.join([self.name, *arguments])):
            self.assert_fails(self.execute(self.program, *arguments), 2, *names)
            self.assertEqual(os.listdir(self.root), [])

    def test_help(self):
        process = self.execute(self.program, "--help")
        self.assert_succeeds(process)
        self.assertEqual(process.stderr, "")
        for option in self.options():
            self.assertRegex(process.stdout, rf"(?<![\w-]){option}(?![\w-])")
        samples = process.stdout.partition("  --samples")[2].partition("\n  --")[0]
        for word in ("pool", "standard deviation", "bias", "digits"):
            self.assertRegex(samples, rf"\b{word}\b")
        for option in set(GPU_ONLY) - set(self.options()):
            self.assertNotRegex(process.stdout, rf"(?<![\w-]){option}(?![\w-])")

    def test_bad_values_are_refused(self):
        for option in self.options():
            for value in BAD_VALUES.get(option, ()):
                self.refused(*NEEDS.get(option, ()), option, value, names=[option])

    def test_missing_values_are_refused(self):
        for option in self.options():
            if option in BAD_VALUES:
                with self.subTest(command=f"{self.name} {option}"):
                    self.assert_fails(self.execute(self.program, *NEEDS.get(option, ()), option), 2, option)

    def test_flags_take_no_value(self):
        for option in self.options():
            if option in FLAGS:
                self.refused(f"{option}=10x", names=[option])

    def test_launches_and_samples_exclude_each_other(self):
        self.refused("--launches", "1", "--samples", "1", names=["--launches", "--samples"])
        self.refused("--samples", "1", "--launches", "1", names=["--launches", "--samples"])


class OnTheGpu(Program, Sandbox):
    program = STEPS["v8"]

    def no_gpu(self, *arguments):
        with self.subTest(command=shlex.join([self.name, *arguments])):
            self.assert_fails(self.execute(self.program, *arguments), 3, "GPU")
            self.assertEqual(os.listdir(self.root), [])

    def test_without_a_gpu(self):
        for arguments in (
            ("--list-devices",),
            ("--profile",),
            ("--quiet",),
            ("--devices", "all", "--batch", "8"),
            ("--scaling", "weak", "--launches", "2", "--checkpoint", "file"),
        ):
            self.no_gpu(*arguments)

    def test_an_existing_result_is_left_as_it_was(self):
        self.target.write_text(OLD)
        self.assert_fails(self.execute(self.program, "--json", self.target), 3, "GPU")
        self.assert_target_is_old_and_alone()


class OnTheCpu(Program, Sandbox):
    program = CPU


class CpuSandbox(Sandbox):
    program = CPU
    SMALL = ("--iters", "100", "--threads", "2")

    def measure(self, *arguments):
        """The document of a run with --json -."""
        process = self.execute(self.program, *arguments, "--json", "-")
        self.assert_succeeds(process)
        return strict_json(process.stdout)

    def run_of(self, *arguments):
        [run] = self.measure(*arguments)["runs"]
        return run

    def hits(self, *arguments):
        return self.run_of(*arguments)["outcome"]["hits"]


class CpuReport(CpuSandbox):
    def test_report(self):
        process = self.execute(CPU, *self.SMALL, "--launches", "3")
        self.assert_succeeds(process)
        self.assertRegex(process.stdout, rf"\d {RATE}")
        numbers = process.stdout.replace(",", "")
        self.assertRegex(numbers, rf"\b{3 * 4096 * 100}\b")
        self.assertRegex(numbers, r"\b3\.1[34]\d+")
        self.assertRegex(numbers, r"\bseed 1234\b")

    def test_quiet(self):
        process = self.execute(CPU, *self.SMALL, "--launches", "10", "--quiet", "--json", self.target)
        self.assert_succeeds(process)
        self.assertEqual(process.stdout, "")
        self.assertNotIn(RATE, process.stderr)
        self.assertEqual(strict_json(self.target.read_text())["schema"], 3)

    def test_csv_has_what_json_has_in_single_values(self):
        sheet = self.target.with_suffix(".csv")
        [run] = self.measure(*self.SMALL, "--launches", "10", "--csv", sheet)["runs"]
        [row] = csv.DictReader(sheet.open())
        self.assertEqual(("pi", "sample", run["technique"]), (row["suite"], row["unit"], row["technique"]))
        self.assertIn(",", row["technique"])
        for name in ("median", "low", "high"):
            self.assertEqual(run["per_ns"][name], float(row[f"per_ns.{name}"]))
        self.assertEqual(
            (run["outcome"]["hits"], "true", ""), (int(row["outcome.hits"]), row["sound"], row["registers"])
        )
        self.assertNotIn("kernel_ms", row)
        process = self.execute(CPU, *self.SMALL, "--launches", "10", "--csv", "-")
        self.assert_succeeds(process)
        self.assertEqual(2, len(list(csv.reader(process.stdout.splitlines()))))

    def test_time_limit_is_said(self):
        # A tenth of a second is less than any run takes that stops by itself.
        process = self.execute(CPU, *self.SMALL, "--max-time", "0.1", "--json", "-")
        self.assert_succeeds(process)
        self.assertIn("--max-time", process.stderr)
        [run] = strict_json(process.stdout)["runs"]
        self.assertIn(run["stopped"], ("few_timings", "out_of_time"))
        self.assertEqual(["interval"], [own["kind"] for own in run["warnings"] if "--max-time" in own["text"]])


class CpuJson(CpuSandbox):
    def test_scripts_find_the_same_interval(self):
        for launches in (5, 11, 200):
            with self.subTest(launches=launches):
                run = self.run_of(*self.SMALL, "--launches", launches, "--batch", "1")
                ms = order_statistics.summary(run["kernel_ms"])
                for figure, of_times in (("low", "high"), ("high", "low")):
                    rate = run["work"] / ms[of_times] / 1e6
                    self.assertTrue(math.isclose(run["per_ns"][figure], rate, rel_tol=1e-6), (figure, rate, run))

    def test_schema(self):
        document = self.measure(*self.SMALL, "--launches", "3")
        self.assertEqual((document["schema"], document["suite"], document["unit"]), (3, "pi", "sample"))
        self.assertEqual(set(CONTEXT_KEYS) - set(document["context"]), set())
        self.assertEqual({"cpu", "cores", "os"} - set(document["context"]["host"]), set())
        self.assertIsNone(document["context"]["device"])
        self.assertIsInstance(document["context"]["dirty"], bool)
        [run] = document["runs"]
        self.assertEqual(set(RUN_KEYS) - set(run), set())
        self.assertEqual(set(OUTCOME_KEYS) - set(run["outcome"]), set())
        self.assertEqual({"count", "total"} - set(run["outcome"]["expected"]), set())
        self.assertEqual({"median", "low", "high", "min", "max"} - set(run["per_ns"]), set())
        self.assertIsInstance(run["warnings"], list)
        self.assertIs(run["sound"], True)
        self.assertEqual(run["phases_ms"], {})
        for key in ("team", "resumed_from"):
            self.assertIsNone(run[key], key)

    def test_figures_follow_from_each_other(self):
        run = self.run_of(*self.SMALL, "--launches", "11")
        self.assertEqual((run["iters"], run["threads"], run["launches"], run["seed"]), (100, 2, 11, 1234))
        self.assertEqual(run["work"], 4096 * 100)
        outcome = run["outcome"]
        self.assertEqual(outcome["samples"], 11 * run["work"])
        self.assertEqual(len(run["kernel_ms"]), math.ceil(11 / run["batch"]))
        rates = run["per_ns"]
        for figure, of_times in (("median", statistics.median), ("min", max), ("max", min)):
            time_ms = of_times(run["kernel_ms"])
            self.assertTrue(math.isclose(rates[figure], run["work"] / time_ms / 1e6, rel_tol=1e-3), (figure, run))
        for lower, higher in (("min", "max"), ("low", "high")):
            self.assertTrue(rates[lower] <= rates["median"] <= rates[higher], rates)
        self.assertAlmostEqual(outcome["pi"], 4 * outcome["hits"] / outcome["samples"], places=9)
        chance = outcome["expected"]["count"] / outcome["expected"]["total"]
        self.assertAlmostEqual(chance, math.pi / 4, places=6)
        sd = math.sqrt(outcome["samples"] * chance * (1 - chance))
        self.assertAlmostEqual(outcome["sigma"], (outcome["hits"] - outcome["samples"] * chance) / sd, places=4)
        self.assertAlmostEqual(outcome["pi_sd"] / (4 * sd / outcome["samples"]), 1, places=9)
        self.assertAlmostEqual(outcome["bias"], 4 * chance - math.pi, places=14)

    def test_trace(self):
        run = self.run_of(*self.SMALL, "--launches", "11")
        outcome = run["outcome"]
        launch = run["work"]
        # Marks after the first launch: 421,697, 562,341, 749,894, 1,000,000, 1,333,521, 1,778,279, 2,371,374, 3,162,278, 4,216,965.
        self.assertEqual([samples // launch for samples, _ in outcome["trace"]], [1, 2, 3, 4, 5, 6, 8, 11])
        self.assertEqual(outcome["trace"][-1], [outcome["samples"], outcome["hits"]])
        for samples, hits in outcome["trace"]:
            with self.subTest(samples=samples):
                self.assertEqual(hits, self.hits(*self.SMALL, "--launches", samples // launch))

    def test_version_says_how_it_ran(self):
        self.assertEqual(self.run_of("--iters", "1", "--launches", "1", "--threads", "1")["version"], "cpu_serial")
        self.assertEqual(self.run_of("--iters", "1", "--launches", "1", "--threads", "2")["version"], "cpu_openmp")

    def cores(self, *launcher, **variables):
        """Threads, cores that may be used, and cores of the machine that a run on all cores records; and warnings that these are shared."""
        process = self.execute(
            *launcher, CPU, "--iters", "1", "--launches", "1", "--json", "-", env=environment() | variables
        )
        self.assert_succeeds(process)
        document = strict_json(process.stdout)
        host, run = document["context"]["host"], document["runs"][0]
        self.assertEqual(run["version"], "cpu_openmp")
        bound = [warning["text"] for warning in run["warnings"] if warning["kind"] == "sharing"]
        return run["threads"], host["cores"], host["machine_cores"], bound

    def test_all_cores_by_default(self):
        threads, cores, machine, _ = self.cores()
        self.assertEqual(threads, cores)
        self.assertEqual(machine, os.sysconf("SC_NPROCESSORS_ONLN"))
        self.assertLessEqual(cores, len(os.sched_getaffinity(0)))  # fewer with a quota

    @unittest.skipUnless(shutil.which("taskset"), "this system has no taskset")
    def test_one_core_is_a_row_of_its_own(self):
        first = min(os.sched_getaffinity(0))
        self.assertEqual(self.cores("taskset", "-c", first)[:3], (1, 1, os.sysconf("SC_NPROCESSORS_ONLN")))

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "this process may use one core only")
    def test_all_cores_whatever_openmp_is_told(self):
        usual = self.cores()
        for variables in (
            {"OMP_PROC_BIND": "true"}, {"OMP_PROC_BIND": "true", "OMP_PLACES": "{0}"}, {"GOMP_CPU_AFFINITY": "0"},
            {"OMP_NUM_THREADS": "1"}, {"OMP_STACKSIZE": "100000G"}, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores", "OMP_NUM_THREADS": "1"},
        ):  # fmt: skip
            with self.subTest(variables):
                self.assertEqual(self.cores(**variables), usual)

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "this process may use one core only")
    def test_threads_that_are_bound_all_the_same_are_told(self):
        usual = self.cores()
        *numbers, warning = self.cores(LD_PRELOAD=str(BIN / "tests" / "host" / "libbound_at_start.so"))
        self.assertEqual((*numbers, []), usual)
        self.assertEqual(warning, [f"{usual[0]} threads are bound to 1 cores of the {usual[1]} that they may use"])


class NoUsableGpu(Sandbox):
    """A driver that fails as the CUDA Runtime API reference has it, "Data types used by CUDA Runtime": cudaError."""

    def line_for(self, code, *arguments):
        driver = {"LD_LIBRARY_PATH": str(BIN / "tests" / "host" / "fake_cuda"), "FAKE_CUDA_CODE": str(code)}
        process = self.execute(*arguments or (STEPS["v8"],), env=os.environ | driver)
        self.assert_fails(process, 3, "pi_v8: no usable GPU: ")
        return process.stderr

    def test_each_failure_of_the_driver_has_its_own_cause_and_remedy(self):
        lines = []
        for code, *words in (
            (3, "/dev/nvidia"), (34, "stubs", "LD_LIBRARY_PATH"), (36, "newer"), (46, "busy", "--compute-mode"),
            (100, "CUDA_VISIBLE_DEVICES"), (801, "virtual GPU"), (802, "nvidia-fabricmanager"), (803, "restart the machine"),
            (804, "compat", "LD_LIBRARY_PATH"), (999, "/dev/nvidia-uvm"), (304, "cudaErrorOperatingSystem"),
        ):  # fmt: skip
            with self.subTest(code):
                lines.append(self.line_for(code))
                self.assertEqual(lines[-1], self.line_for(code, STEPS["v8"], "--list-devices"))
                for word in words:
                    self.assertIn(word, lines[-1])
                self.assertEqual("restart" in lines[-1], code == 803)
        self.assertEqual(len(set(lines)), len(lines))

    def test_a_limit_of_memory_is_named(self):
        for code in (2, 304, 999):
            line = self.line_for(code, "bash", "-c", f"ulimit -v 8000000; exec {shlex.quote(str(STEPS['v8']))}")
            self.assertIn("memory is limited (ulimit -v)", line)


class CpuHits(CpuSandbox):
    def test_golden(self):
        # Counted by tests/data/golden.py: v6's streams, 4096 threads, launches 0 and up.
        for seed, launches, iters, hits in ((1234, 3, 100, 964433), (LARGEST_SEED, 2, 101, 649137), (0, 1, 3, 9590)):
            with self.subTest(seed=seed):
                self.assertEqual(self.hits("--seed", seed, "--launches", launches, "--iters", iters), hits)

    def test_threads_do_not_change_the_hits(self):
        self.assertEqual(
            len({self.hits("--iters", "100", "--launches", "3", "--threads", threads) for threads in (1, 2, 3, 7)}), 1
        )

    def test_random_seed_is_told_and_reproduces(self):
        first, second = (self.run_of(*self.SMALL, "--launches", "3", "--seed", "random") for _ in range(2))
        self.assertNotEqual(first["seed"], second["seed"])
        self.assertEqual(self.hits(*self.SMALL, "--launches", "3", "--seed", first["seed"]), first["outcome"]["hits"])


class CpuBitSliced(CpuSandbox):
    program = BIN / "pi_cpu_bit_sliced"
    V3 = {"avx2", "fma", "bmi1", "bmi2"}
    V4_AND_MORE = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512_vnni", "avx512_vpopcntdq"}

    def test_threads_change_the_version_and_not_the_outcome(self):
        serial, *others = (
            self.run_of("--iters", "10000", "--launches", "3", "--threads", threads) for threads in (1, 2, 3)
        )
        self.assertEqual(serial["version"], "cpu_bit_sliced_serial")
        for run in others:
            self.assertEqual((run["version"], run["outcome"]), ("cpu_bit_sliced", serial["outcome"]))
        self.assertEqual(serial["outcome"]["samples"], 3 * serial["streams"] * 10000)

    def test_it_says_the_widest_instruction_set_of_the_machine(self):
        if platform.machine() != "x86_64":
            self.skipTest("the instruction sets are those of x86-64")
        flags = set(re.search(r"(?m)^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text())[1].split())
        sets = (("x86-64-v4, VNNI, VPOPCNTDQ", self.V4_AND_MORE), ("x86-64-v3", self.V3), ("x86-64", set()))
        widest = next(name for name, needed in sets if needed <= flags)
        self.assertEqual(self.run_of("--iters", "1", "--launches", "1")["isa"], widest)


class CpuWriting(CpuSandbox):
    FEW = (*CpuSandbox.SMALL, "--launches", "10")

    def test_file(self):
        process = self.execute(CPU, *self.FEW, "--json", self.target)
        self.assert_succeeds(process)
        self.assertIn(RATE, process.stdout)
        [run] = strict_json(self.target.read_text())["runs"]
        self.assertEqual(run["outcome"]["samples"], 10 * 4096 * 100)
        self.assertEqual(os.listdir(self.root), ["pi.json"])

    def test_unwritable_paths_are_noticed_before_measuring(self):
        (self.root / "file").touch()
        for path in ("missing/pi.json", "file/pi.json"):
            with self.subTest(command=shlex.join(["pi_cpu", *ENDLESS, "--json", path])):
                self.assert_fails(self.execute(CPU, *self.SMALL, *ENDLESS, "--json", path, seconds=5), 5, path)

    def test_pipe_by_its_descriptor(self):
        read_end, write_end = os.pipe()
        arguments = [CPU, *self.SMALL, "--launches", "6", "--quiet", "--json", f"/dev/fd/{write_end}"]
        process = subprocess.run(arguments, pass_fds=[write_end], capture_output=True, text=True, timeout=60)
        os.close(write_end)
        with open(read_end) as pipe:
            self.assertEqual(json.load(pipe)["suite"], "pi", process.stderr)
        self.assertEqual(process.returncode, 0, process.stderr)

    def test_full_standard_output(self):
        for arguments in (("--json", "-"), ()):
            with (
                self.subTest(command=shlex.join(["pi_cpu", *arguments]) + " > /dev/full"),
                open("/dev/full", "w") as full,
            ):
                process = self.execute(CPU, *self.FEW, *arguments, stdout=full)
                self.assert_fails(process, 5)
                self.assertNotIn(RATE, process.stderr)

    def test_full_disk_leaves_the_old_file(self):
        self.target.write_text(OLD)
        # Python ignores SIGXFSZ, and so does a program that it starts with its signals as they are.
        process = self.execute(
            CPU,
            *self.FEW,
            "--json",
            self.target,
            restore_signals=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        )
        self.assert_fails(process, 5, str(self.target))
        self.assert_target_is_old_and_alone()


class CpuInterrupted(CpuSandbox):
    # At least fifty launches, each of a tenth of a second on the fastest cores.
    BY_THE_RULE = ("--iters", "30k", "--threads", "1", "--max-time", "600")

    def start_computing(self, seconds, *arguments):
        process = self.start(CPU, *arguments)
        self.wait_for("a run that computes", lambda: process.poll() is not None or cpu_seconds(process) > seconds)
        self.assertIsNone(process.poll())
        return process

    def test_pooled_run_tells_what_it_reached(self):
        self.target.write_text(OLD)
        for number in INTERRUPTED:
            with self.subTest(signal=number.name):
                # Two threads take a second of processor time in half a second or more, and the warm-up is over after 0.2 s.
                process = self.start_computing(1.0, *self.SMALL, *ENDLESS, "--json", self.target)
                process = self.interrupt(process, number)
                self.assertRegex(process.stdout, ESTIMATE)
                self.assertRegex(
                    process.stderr, r"\Api_cpu: interrupted after [1-9][\d,]* of [\d,]+ launches, no result written\n\Z"
                )
                self.assert_target_is_old_and_alone()

    def test_run_by_the_stopping_rule_has_nothing_to_tell(self):
        for number in INTERRUPTED:
            with self.subTest(signal=number.name):
                process = self.interrupt(self.start_computing(0.2, *self.BY_THE_RULE), number)
                self.assertEqual((process.stdout, process.stderr), ("", "pi_cpu: interrupted, no result\n"))

    def test_second_signal_ends_it_at_once(self):
        # One launch of hours.
        # It has been rehearsed: that takes up to 4 s of two cores, and a first signal would end the program.
        process = self.start_computing(6, "--iters", "4G", "--launches", "1", "--threads", "2")
        process.send_signal(signal.SIGINT)
        self.wait_for("the first signal to be noted", lambda: not catches(process, signal.SIGINT))
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        process = self.finish(process, seconds=5)
        self.assertEqual((process.returncode, process.stdout, process.stderr), (-signal.SIGTERM, "", ""))


class CpuTerminal(CpuSandbox):
    SECOND = (*CpuSandbox.SMALL, "--max-time", "1")

    def open_terminal(self):
        terminal, program_end = os.openpty()
        self.addCleanup(os.close, terminal)
        fcntl.ioctl(program_end, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        return terminal, program_end

    def at_terminal(self, *arguments, stdout=None):
        """Output of a run whose stderr (and, unless it goes elsewhere, stdout) is a terminal, and its standard output."""
        terminal, program_end = self.open_terminal()
        process = self.start(CPU, *arguments, stderr=program_end, stdout=stdout or program_end)
        os.close(program_end)
        output = self.read(terminal)
        process = self.finish(process)
        self.assertEqual(process.returncode, 0, output)
        return output, process.stdout

    def report(self, lines):
        return [line for line in lines if line and "warning:" not in line]

    def assert_same_report(self, lines, others):
        """The same lines by their first words: figures differ from run to run."""
        self.assertEqual(
            [line.split()[0] for line in self.report(lines)], [line.split()[0] for line in self.report(others)]
        )

    def test_progress_is_for_terminals(self):
        plain = self.execute(CPU, *self.SECOND)
        self.assert_succeeds(plain)
        self.assertNotRegex(plain.stderr, r"[\r\x1b]")
        self.assertNotIn(RATE, plain.stderr)
        self.assertNotRegex(plain.stdout, r"[\r\x1b]")
        self.assertIn(RATE, plain.stdout)
        for line in plain.stderr.splitlines():
            self.assertIn("warning:", line)

        progress, report = self.at_terminal(*self.SECOND, stdout=subprocess.PIPE)
        self.assertRegex(progress, r"\r[^\r\n]*launches")
        self.assertLess(max(len(part) for part in re.split(r"[\r\n]", progress) if "warning:" not in part), 80)
        self.assertEqual(self.report(screen(progress)), [])
        self.assert_same_report(report.splitlines(), plain.stdout.splitlines())

        both, _ = self.at_terminal(*self.SECOND)
        self.assertRegex(both, r"\r[^\r\n]*launches")
        self.assert_same_report(screen(both), plain.stdout.splitlines())
        after_progress = re.split(r"\r(?!\n)|\x1b\[[\d;?]*[A-Za-z]", both)[-1]
        self.assertEqual(self.report(screen(both)), self.report(after_progress.splitlines()))

    def test_quiet_shows_no_progress(self):
        output, report = self.at_terminal(*self.SECOND, "--quiet", stdout=subprocess.PIPE)
        self.assertEqual(report, "")
        self.assertEqual([line for line in output.splitlines() if "warning:" not in line], [])

    def interrupted_at_terminal(self, *arguments, until):
        """Output of a run before it is interrupted, and what the terminal shows in the end."""
        terminal, program_end = self.open_terminal()
        process = self.start(CPU, *arguments, stderr=program_end, stdout=program_end)
        os.close(program_end)
        before = self.read(terminal, until=lambda text: until in text)
        process.send_signal(signal.SIGINT)
        output = before + self.read(terminal)
        self.assertEqual(self.finish(process).returncode, 130, output)
        return before, "\n".join(screen(output))

    def test_pooled_run_that_is_interrupted(self):
        output, left = self.interrupted_at_terminal(*self.SMALL, *ENDLESS, until=" left")
        progress = re.split(r"\r(?:\x1b\[K)?", output)[-1]
        self.assertRegex(progress, rf"\A\S+ of 1e\+15, \d+\.\d %, \S+ {RATE}, 3\.\d+ \+- \S+, \S+ (s|min|h|d) left\Z")
        self.assertLess(len(progress), 80)
        self.assertRegex(left, ESTIMATE)
        self.assertNotIn(RATE, left)
        self.assertNotIn(" left", left)

    def test_progress_is_cut_to_the_terminal(self):
        terminal, program_end = self.open_terminal()
        fcntl.ioctl(program_end, termios.TIOCSWINSZ, struct.pack("4H", 24, 30, 0, 0))
        self.start(CPU, *self.SMALL, *ENDLESS, stderr=program_end)
        os.close(program_end)
        output = self.read(terminal, until=lambda text: len(text.split("\x1b[K")[-1]) >= 29)
        self.assertEqual(len(output.split("\x1b[K")[-1]), 29, output)

    def test_no_rate_is_left_on_the_screen_of_an_interrupted_run(self):
        _, left = self.interrupted_at_terminal(*CpuInterrupted.BY_THE_RULE, until="launches")
        self.assertNotIn(RATE, left)


if __name__ == "__main__":
    unittest.main()
