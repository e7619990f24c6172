#!/usr/bin/env python3
"""Tests of scripts/: bench, render and setup as processes in temporary folders, results.py directly.

The programs that bench runs here are shell scripts that print stored records:
what is under test is the script, not what it measures.
"""

import copy
import functools
import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = REPOSITORY / "scripts"
DATA = REPOSITORY / "tests" / "data" / "results"
SLUG = "nvidia-fixture-9000"
NOBODY = 65534

sys.path.insert(0, str(SCRIPTS))
import chart_data
import processes
import results
import stored
from interrupts import setUpModule  # noqa: F401


class Sandbox(unittest.TestCase):
    """A test with a temporary folder of its own."""

    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.root.chmod(0o755)

    def execute(self, *command, **options):
        options = {"capture_output": True, "text": True, "timeout": 60, "stdin": subprocess.DEVNULL} | options
        return subprocess.run([str(part) for part in command], **options)

    def assert_one_line(self, text, *parts):
        self.assertRegex(text, r"\A[^\n]+\n\Z")
        for part in parts:
            self.assertIn(part, text)

    def assert_ends(self, process, code, *parts):
        """The process ended with this exit code and one line on stderr that holds the parts."""
        self.assert_one_line(process.stderr, *parts)
        self.assertEqual(process.returncode, code, process.stderr)

    def assert_no_leftovers(self):
        self.assertEqual([], list(self.root.rglob(".*.tmp")))


def without_root():
    """Options that run a process as somebody whom permissions bind; skips the test if there is no way to."""
    if os.geteuid() != 0:
        return {}
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run(["python3", "--version"], stdout=subprocess.DEVNULL, check=True, cwd="/", **options)
    except (OSError, subprocess.SubprocessError) as error:
        raise unittest.SkipTest(f"cannot run as another user than root: {error}")
    return options


# processes


class ProcessesTest(unittest.TestCase):
    def test_stop_in_a_background_job(self):
        """A shell has it ignore SIGINT, and so do its children."""
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        with subprocess.Popen(["sleep", "60"]) as child:
            processes.stop(child)
        self.assertEqual(child.returncode, -signal.SIGTERM, "not killed")

    def test_an_interrupt_while_a_program_starts_stops_it(self):
        started = []

        def start(*arguments, **options):
            started.append(subprocess.Popen(*arguments, **options))
            os.kill(os.getpid(), signal.SIGINT)  # before anybody knows the process
            return started[0]

        with mock.patch("processes.start", start), self.assertRaises(KeyboardInterrupt):
            processes.execute("sleep", "60")
        self.assertEqual(started[0].returncode, -signal.SIGINT)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)


# bench


class BenchTest(Sandbox):
    """A folder of fake programs, and bench to run them."""

    def setUp(self):
        super().setUp()
        self.bin = self.root / "bin"
        self.out = self.root / "out"
        self.stored = self.out / SLUG / "pi.json"
        self.aside = self.bin / "results" / SLUG / "pi.json"
        self.bin.mkdir()
        self.tools = self.root / "tools"
        self.tools.mkdir()
        self.add_nvidia_smi("exit 9")  # the machine's GPU is none of these tests' business

    def bench(self, *options, **process_options):
        environment = os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}"}
        command = (SCRIPTS / "bench", "--bin", self.bin, "--out", self.out, *options)
        return self.execute(*command, **({"env": environment} | process_options))

    def add_nvidia_smi(self, body):
        self.add_script("nvidia-smi", body, self.tools)

    def add_script(self, name, body, folder=None):
        path = (folder or self.bin) / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def add_record(self, name, document):
        path = self.bin / f"{name}.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def add_cpu(self, serial=None, all_cores=None):
        serial = self.add_record("serial", serial or cpu_document("cpu_serial", 1))
        all_cores = self.add_record("all_cores", all_cores or cpu_document("cpu_openmp", 4))
        self.add_script(
            "pi_cpu",
            f"case $* in '--threads 1 --json -') cat '{serial}';; '--json -') cat '{all_cores}';; *) exit 2;; esac",
        )

    def add_gpu(self, number, document=None):
        record = self.add_record(f"v{number}", document or gpu_document(f"v{number}"))
        self.add_script(f"pi_v{number}", f"case $* in --list-devices) ;; '--json -') cat '{record}';; *) exit 2;; esac")

    def add_failing(self, number, code=4, last_words="pi_v: CUDA error: out of luck"):
        self.add_script(
            f"pi_v{number}",
            f"[ $1 = --list-devices ] && exit 0; echo 'first line' >&2; echo '{last_words}' >&2; exit {code}",
        )

    def store_old_result(self, *versions, **context):
        """Store a result of these versions at 1 sample/ns, by default of v1 and of another build."""
        documents = [gpu_document(version, context or {"commit": "0" * 40}) for version in versions or ["v1"]]
        for document in documents:
            document["runs"][0]["samples_per_ns"] = {"median": 1.0, "low": 1.0, "high": 1.0}
        self.stored.parent.mkdir(parents=True)
        self.stored.write_text(results.to_text(functools.reduce(results.merge, documents)))
        self.old_text = self.stored.read_text()

    def assert_old_result(self):
        self.assertEqual(self.old_text, self.stored.read_text())
        self.assert_no_leftovers()

    def rates(self, path):
        """The median of each version, None where it failed."""
        runs = json.loads(path.read_text())["runs"]
        return {run["version"]: run.get("samples_per_ns", {}).get("median") for run in runs}

    def versions(self, path):
        return [run["version"] for run in json.loads(path.read_text())["runs"]]


def cpu_document(version, threads):
    document = json.loads((DATA / "cpu.json").read_text())
    document["runs"][0] |= {"version": version, "threads": threads}
    return document


def gpu_document(version, context=()):
    document = json.loads((DATA / "gpu.json").read_text())
    document["context"] |= dict(context)
    document["runs"][0]["version"] = version
    return document


class BenchIdlePowerTest(BenchTest):
    """A program whose device 0 is not the first of nvidia-smi, and an nvidia-smi that knows them by their PCI addresses."""

    LISTED = "0  Fast, 80 GiB, PCI 0000:9A:00.0\\n1  Slow, 8 GiB, PCI 0000:1B:00.0\\n"
    QUERY = "-i 0000:9A:00.0 --query-gpu=mig.mode.current,power.draw,utilization.gpu --format=csv,noheader,nounits"

    def idle_power(self, *readings):
        """What is recorded, and said, where nvidia-smi answers so, one reading after the other."""
        record = self.add_record("v1", gpu_document("v1"))
        self.add_script("pi_v1", f"case $* in --list-devices) printf '{self.LISTED}';; *) cat '{record}';; esac")
        for number, text in enumerate(readings):
            (self.root / f"reading{number}").write_text(f"{text}\n")
        self.add_nvidia_smi(
            f"[ \"$*\" = '{self.QUERY}' ] || exit 6; cd '{self.root}'; set -- reading*; [ ! -f $1 ] || mv $1 now; cat now"
        )
        process = self.bench()
        self.assertEqual(0, process.returncode, process.stderr)
        return json.loads(self.stored.read_text())["context"].get("idle_power_w"), process.stderr

    def test_is_that_of_the_gpu_that_programs_use(self):
        readings = [f"Disabled, {watts}, 0" for watts in (90, 70, 72.5, 71, 75)]
        self.assertEqual((72.5, ""), self.idle_power(*readings))

    def test_of_a_slice_of_a_gpu_is_not_known(self):
        self.assertEqual((None, ""), self.idle_power("Enabled, 71.5, 0"))

    def test_of_a_gpu_that_computes_is_none(self):
        power, complaint = self.idle_power("Disabled, 70, 0", "Disabled, 484, 100", "Disabled, 70, 0")
        self.assertIsNone(power)
        self.assert_one_line(complaint, "idle power not measured")

    def test_that_cannot_be_read_is_not_recorded(self):
        for text in ("Disabled, [N/A], 0", "Disabled, 70, [N/A]", "No devices were found"):
            self.assertEqual((None, ""), self.idle_power(text))


class BenchMergesTest(BenchTest):
    def test_all_programs_in_order_of_number(self):
        self.add_cpu()
        for number in (17, "16t", 16, 2, 1):
            self.add_gpu(number)
        process = self.bench()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(["cpu_serial", "cpu_openmp", "v1", "v2", "v16", "v16t", "v17"], self.versions(self.stored))
        self.assertFalse(self.aside.exists())

    def test_context_is_the_gpus_with_the_first_date(self):
        self.add_cpu()
        self.add_gpu(1)
        self.bench()
        expected = gpu_document("v1")["context"] | {"date": cpu_document("cpu_serial", 1)["context"]["date"]}
        self.assertEqual(expected, json.loads(self.stored.read_text())["context"])

    def test_runs_are_kept_as_they_are(self):
        document = gpu_document("v1")
        document["runs"][0]["expected"] = {"count": 2**64 - 1, "total": 18446744073709551616.0}
        self.add_gpu(1, document)
        self.bench()
        self.assertEqual(document["runs"], json.loads(self.stored.read_text())["runs"])

    def test_one_line_of_progress_a_program(self):
        self.add_cpu()
        self.add_gpu(7)
        lines = self.bench().stdout.splitlines()
        self.assertEqual(4, len(lines))
        self.assertRegex(lines[2], r"v7 +1206\.3 \[1205\.9, 1206\.8\] samples/ns, 23 launches")
        self.assertEqual(f"wrote {self.stored}", lines[3])

    def test_lists_of_numbers_stay_on_one_line(self):
        self.add_gpu(7)
        self.bench()
        self.assertRegex(self.stored.read_text(), r'(?m)^ *"kernel_ms": \[[0-9., ]+\],$')

    def test_only_programs_with_a_number_count(self):
        self.add_gpu(1)
        self.add_script("pi_vnext", "exit 9")
        self.add_script("pi_v3-tests", "exit 9")
        (self.bin / "pi_v2").mkdir()
        (self.bin / "pi_v4").write_text("not executable")
        self.assertEqual(0, self.bench().returncode)
        self.assertEqual(["v1"], self.versions(self.stored))

    def test_one_core_gives_one_cpu_row(self):
        self.add_cpu(all_cores=cpu_document("cpu_serial", 1))
        self.add_gpu(1)
        self.bench()
        self.assertEqual(["cpu_serial", "v1"], self.versions(self.stored))

    def test_relative_folders(self):
        self.add_gpu(1)
        process = self.execute(SCRIPTS / "bench", "--bin", ".", "--out", "../out", cwd=self.bin)
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertEqual(["v1"], self.versions(self.stored))

    def test_stderr_of_a_program_passes_through(self):
        record = self.add_record("v1", gpu_document("v1"))
        self.add_script("pi_v1", f"[ $1 = --list-devices ] && exit 0; echo 'a warning' >&2; cat '{record}'")
        process = self.bench()
        self.assertEqual((0, "a warning\n"), (process.returncode, process.stderr))


class BenchRefusesMixedContextsTest(BenchTest):
    def test_each_shared_field(self):
        others = {
            "commit": "f" * 40,
            "dirty": True,
            "compiler": "another compiler",
            "flags": "-O0",
            "driver": "9.9.9",
            "runtime": "12.0",
        }
        for field, value in others.items():
            with self.subTest(field):
                self.refuse({field: value}, field, json.dumps(value))

    def test_a_field_within_the_device(self):
        device = gpu_document("v1")["context"]["device"] | {"name": "Another GPU"}
        self.refuse({"device": device}, "device.name", '"NVIDIA Fixture 9000"', '"Another GPU"')

    def test_a_field_within_the_host(self):
        self.refuse({"host": {"cpu": "Fixture CPU", "cores": 8, "os": "Linux 1.2.3"}}, "host.cores", "is 4", "8 in it")

    def test_cpu_and_gpu_programs_of_different_builds(self):
        self.add_cpu()
        self.add_gpu(1, gpu_document("v1", {"commit": "f" * 40}))
        self.assert_ends(self.bench(), 1, "commit", "0123456789abcdef", "ffff")

    def refuse(self, context, *parts):
        shutil.rmtree(self.out, ignore_errors=True)
        self.store_old_result()
        self.add_gpu(1)
        self.add_gpu(2, gpu_document("v2", context))
        self.assert_ends(self.bench("--partial"), 1, "mixed contexts", *parts)
        self.assert_old_result()
        self.assertFalse(self.aside.exists())


class BenchKeepsWhatIsStoredTest(BenchTest):
    """A folder that holds only some programs."""

    SAME = {"date": "2020-01-01T00:00:00Z"}

    def test_rows_of_the_same_build_stay(self):
        self.store_old_result("v1", "v2", "v8", **self.SAME)
        self.add_gpu(2)
        self.add_gpu(5)
        process = self.bench()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual({"v1": 1.0, "v2": 1206.3, "v5": 1206.3, "v8": 1.0}, self.rates(self.stored))
        self.assertEqual(gpu_document("v1")["context"], json.loads(self.stored.read_text())["context"])

    def test_a_failure_takes_the_place_of_no_rate(self):
        self.store_old_result("v1", "v2", **self.SAME)
        for version in (2, 3):
            self.add_failing(version)
        self.add_gpu(1)
        self.assertEqual(1, self.bench("--partial").returncode)
        self.assertEqual({"v1": 1206.3, "v2": 1.0, "v3": None}, self.rates(self.stored))

    def test_rows_of_another_build_are_not_lost(self):
        for context in ({"commit": "f" * 40}, {"driver": "9.9"}, {"dirty": True}):
            with self.subTest(context):
                shutil.rmtree(self.out, ignore_errors=True)
                self.store_old_result("v1", "v2", "v8", **context)
                self.add_gpu(2)
                self.assert_ends(self.bench(), 1, "pi.json has rows of v1, v8", *context, f"is in {self.aside}")
                self.assert_old_result()
                self.assertEqual({"v2": 1206.3}, self.rates(self.aside))

    def test_a_broken_file_is_not_replaced(self):
        self.store_old_result()
        self.old_text = self.old_text[:100]
        self.stored.write_text(self.old_text)
        self.add_gpu(1)
        self.assert_ends(self.bench(), 1, str(self.stored), "cut short", f"is in {self.aside}")
        self.assert_old_result()

    def test_ablations_too(self):
        ablations = self.stored.with_name("ablations.json")
        self.add_gpu(1)
        self.add_gpu("1_a")
        self.bench()
        (self.bin / "pi_v1_a").unlink()
        self.add_gpu("1_b")
        self.assertEqual(0, self.bench().returncode)
        self.assertEqual(["v1_a", "v1_b"], self.versions(ablations))


class BenchFailingProgramTest(BenchTest):
    def test_keeps_a_row_and_the_others_but_not_the_stored_file(self):
        self.store_old_result()
        self.add_gpu(1)
        self.add_failing(5)
        self.add_gpu(6)
        process = self.bench()
        self.assertEqual(1, process.returncode)
        self.assert_old_result()
        self.assertEqual(["v1", "v5", "v6"], self.versions(self.aside))
        row = json.loads(self.aside.read_text())["runs"][1]
        self.assertEqual({"version": "v5", "error": "pi_v: CUDA error: out of luck", "exit": 4}, row)
        last = process.stderr.splitlines()[-1]
        self.assertEqual(
            f"bench: v5 failed: {self.stored} is not replaced, the incomplete result is in {self.aside}", last
        )
        self.assertRegex(process.stdout, r"v5 +failed \(exit 4\): pi_v: CUDA error: out of luck")

    def test_partial_replaces_the_stored_file(self):
        self.store_old_result()
        self.add_gpu(1)
        self.add_failing(5)
        process = self.bench("--partial")
        self.assertEqual(1, process.returncode)
        self.assertEqual(["v1", "v5"], self.versions(self.stored))
        self.assertFalse(self.aside.exists())
        self.assertEqual(f"bench: v5 failed: {self.stored} has no new rate of it", process.stderr.splitlines()[-1])

    def test_first_program_fails(self):
        self.add_failing(1, code=1)
        self.add_gpu(2)
        self.assertEqual(1, self.bench().returncode)
        self.assertEqual(["v1", "v2"], self.versions(self.aside))

    def test_cpu_program_fails(self):
        self.add_script("pi_cpu", "exit 1")
        self.add_gpu(1)
        self.assertEqual(1, self.bench().returncode)
        self.assertEqual(["cpu_serial", "cpu_openmp", "v1"], self.versions(self.aside))

    def test_every_cuda_version_fails(self):
        self.add_cpu()
        self.add_failing(1)
        process = self.bench("--partial")
        self.assertEqual(1, process.returncode)
        self.assertEqual(["cpu_serial", "cpu_openmp", "v1"], self.versions(self.bin / "results" / "cpu" / "pi.json"))
        self.assertFalse(self.out.exists())

    def test_nothing_succeeds(self):
        self.add_failing(1)
        process = self.bench()
        self.assertEqual(1, process.returncode)
        self.assertEqual("bench: no program succeeded, nothing was written", process.stderr.splitlines()[-1])
        self.assertFalse((self.bin / "results").exists())

    def test_error_of_a_program_without_a_last_word(self):
        self.assertEqual({"error": "exit code 7, without a message", "exit": 7}, self.error_of("exit 7"))

    def test_error_of_a_program_that_a_signal_ends(self):
        self.assertEqual({"error": "ended by SIGKILL, without a message", "exit": 137}, self.error_of("kill -KILL $$"))

    def test_error_of_a_program_that_prints_no_record(self):
        self.assertEqual({"error": "pi_v2: empty", "exit": 0}, self.error_of("exit 0"))

    def test_error_of_a_program_that_prints_half_a_record(self):
        text = (DATA / "gpu.json").read_text()
        record = self.add_record("half", text[: len(text) // 2])
        error = self.error_of(f"cat '{record}'")["error"]
        self.assertIn("cut short", error)

    def test_error_of_a_program_that_cannot_be_executed(self):
        self.add_gpu(1)
        (self.bin / "pi_v2").write_bytes(b"\x7fELF, but no more")
        (self.bin / "pi_v2").chmod(0o755)
        process = self.bench()
        self.assertEqual(1, process.returncode)
        self.assertEqual(126, json.loads(self.aside.read_text())["runs"][1]["exit"])

    def error_of(self, body):
        """What the row of a program says that does this."""
        self.add_gpu(1)
        self.add_script("pi_v2", body)
        self.assertEqual(1, self.bench().returncode)
        row = json.loads(self.aside.read_text())["runs"][1]
        self.assertEqual("v2", row.pop("version"))
        return row


class BenchWithoutGpuTest(BenchTest):
    REASON = "pi_v1: no usable GPU: no driver; install one"

    def setUp(self):
        super().setUp()
        self.cpu_result = self.bin / "results" / "cpu" / "pi.json"
        self.add_script("pi_v1", f"echo '{self.REASON}' >&2; exit 3")

    def test_runs_the_cpu_rows_only(self):
        self.store_old_result()
        self.add_cpu()
        self.assert_ends(self.bench(), 0, "CUDA versions skipped", self.REASON)
        self.assertEqual(["cpu_serial", "cpu_openmp"], self.versions(self.cpu_result))
        self.assert_old_result()

    def test_leaves_the_out_folder_alone(self):
        self.add_cpu()
        self.bench("--partial")
        self.assertFalse(self.out.exists())

    def test_a_failing_cpu_program_still_counts(self):
        record = self.add_record("all_cores", cpu_document("cpu_openmp", 4))
        self.add_script("pi_cpu", f"[ $1 = --threads ] && exit 1; cat '{record}'")
        process = self.bench()
        self.assertEqual(1, process.returncode)
        self.assertEqual(["cpu_serial", "cpu_openmp"], self.versions(self.cpu_result))

    def test_no_cpu_program_either(self):
        process = self.bench()
        self.assertEqual(1, process.returncode)
        self.assertIn("nothing was written", process.stderr)

    def test_no_cuda_programs(self):
        (self.bin / "pi_v1").unlink()
        self.add_cpu()
        self.assert_ends(self.bench(), 0, "CUDA versions skipped", "no pi_v<number>")
        self.assertTrue(self.cpu_result.exists())


class BenchUsageTest(BenchTest):
    def test_no_programs(self):
        self.assert_ends(self.bench(), 2, str(self.bin), "pi_cpu")


class BenchWriteFailureTest(BenchTest):
    def setUp(self):
        super().setUp()
        self.add_gpu(1)

    def test_out_is_a_path_under_a_file(self):
        (self.root / "file").write_text("")
        self.out = self.root / "file" / "out"
        self.assert_ends(self.bench(), 5, "could not be written", "Not a directory")

    def test_the_target_is_a_folder(self):
        self.stored.mkdir(parents=True)
        self.assert_ends(self.bench(), 5, "could not be written", "Is a directory")

    def test_read_only_folder(self):
        options = without_root()
        scripts = shutil.copytree(SCRIPTS, self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.store_old_result()
        self.stored.parent.chmod(0o555)
        self.addCleanup(self.stored.parent.chmod, 0o755)
        command = [scripts / "bench", "--bin", self.bin, "--out", self.out]
        self.assert_ends(self.execute(*command, **options), 5, "could not be written", "Permission denied")
        self.assert_old_result()

    def test_full_disk(self):
        for number in range(2, 6):
            self.add_gpu(number)
        self.store_old_result()
        # Room for what one program prints, not for what bench makes of five.
        limit = 2 * (DATA / "gpu.json").stat().st_size

        def fill_disk():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        self.assert_ends(self.bench(preexec_fn=fill_disk), 5, "could not be written", "File too large")
        self.assert_old_result()

    def test_stored_file_is_a_link_to_a_device(self):
        self.stored.parent.mkdir(parents=True)
        self.stored.symlink_to("/dev/null")
        self.assertEqual(0, self.bench().returncode)
        self.assertEqual("/dev/null", os.readlink(self.stored))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


# results.py


class SlugTest(unittest.TestCase):
    def test_lower_case_with_single_dashes(self):
        slugs = {
            "NVIDIA H200": "nvidia-h200",
            "NVIDIA GeForce RTX 4090 (Laptop)": "nvidia-geforce-rtx-4090-laptop",
            "  Tesla__T4 ": "tesla-t4",
            "A/B\\..": "a-b",
        }
        for name, slug in slugs.items():
            self.assertEqual(slug, results.device_slug(name))


class RateTextTest(unittest.TestCase):
    def test_digits_follow_the_interval(self):
        texts = {
            (1206.3, 1205.9, 1206.8): "1206.3 [1205.9, 1206.8]",
            (0.0421337, 0.04211, 0.04215): "0.04213 [0.04211, 0.04215]",
            (30.6123, 30.6, 30.7): "30.61 [30.60, 30.70]",
            (2561.04, 2550.0, 2572.0): "2561 [2550, 2572]",
            (5.0, 5.0, 5.0): "5.0000 [5.0000, 5.0000]",
            (123456.7, 123456.6, 123456.8): "123457 [123457, 123457]",
            (100.0, 10.0, 900.0): "100 [10, 900]",
        }
        for (median, low, high), text in texts.items():
            self.assertEqual(text, results.rate_text({"median": median, "low": low, "high": high}))


class MergeTest(unittest.TestCase):
    def test_documents_are_left_as_they_were(self):
        first, second = cpu_document("cpu_serial", 1), gpu_document("v1")
        before = copy.deepcopy((first, second))
        results.merge(first, second)
        self.assertEqual(before, (first, second))

    def test_a_failed_run_takes_the_context_of_the_next(self):
        merged = results.merge(results.failed_run("v1", "message", 4), gpu_document("v2"))
        self.assertEqual(gpu_document("v2")["context"], merged["context"])
        self.assertEqual(["v1"], results.failures(merged))


class TeamTest(unittest.TestCase):
    """Records say who ran them and what they went on from; older ones do not."""

    TEAM = {"kind": "devices", "size": 2, "wall_ms": [1.0]}

    def parsed(self, check=None, **values):
        document = gpu_document("v1")
        document["runs"][0] |= values
        return results.parse(json.dumps(document), "a file", check)

    def test_with_and_without(self):
        for values in ({}, {"team": None, "resumed_from": None}, {"team": self.TEAM, "resumed_from": 7}):
            (run,) = self.parsed(results.check_team_result, **values)["runs"]
            self.assertEqual(values, {name: run[name] for name in values})

    def test_the_rate_of_a_team_is_no_devices(self):
        with self.assertRaisesRegex(results.ResultError, "a file: v1 was run by a team"):
            self.parsed(team=self.TEAM)

    def test_a_run_with_nothing_left_has_no_rate(self):
        with self.assertRaisesRegex(results.ResultError, "a file: v1 has no rate: all of its run had been done"):
            self.parsed(resumed_from=20, samples_per_ns=None, kernel_ms=[])


class SigmaTest(unittest.TestCase):
    """A distance that no verdict passes was not printed by a program."""

    def check(self, sigma, units=None, independent=None):
        ratio = units and {"ratio": 1.0, "sd": 0.1, "units": units, "over": "blocks"}
        document = gpu_document("v1")
        document["runs"][0] |= {"sigma": sigma, "independent": independent or "samples", "variance_ratio": ratio}
        results.parse(json.dumps(document), "a file")

    def test_limits(self):
        # Two-sided quantiles of Student's t at the probability beyond 5 normal sd, from its incomplete beta function.
        for limit, facts in (
            (5, ()), (5, (264,)), (8.267096, (16, "launches")), (5, (132, "blocks")), (5.259150, (132, "launches")),
        ):  # fmt: skip
            for sign in (1, -1):
                self.check(sign * limit * 0.999999, *facts)
                with self.assertRaisesRegex(results.ResultError, "a file: v1 has sigma"):
                    self.check(sign * limit * 1.000001, *facts)

    def test_none_without_an_error_estimate_only(self):
        self.check(None, independent="launches")
        for facts in ((), (264,), (16, "launches")):
            with self.assertRaisesRegex(results.ResultError, "a file: v1 has no sigma"):
                self.check(None, *facts)


class ToTextTest(unittest.TestCase):
    def test_round_trip(self):
        document = gpu_document("v1")
        document["runs"][0]["technique"] = 'quotes ", brackets [\n 1,\n 2\n], an × and a \\'
        self.assertEqual(document, json.loads(results.to_text(document)))


class WriteTextTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.target = self.root / "target"

    def test_makes_the_folder(self):
        results.write_text(self.root / "a" / "b", "text")
        self.assertEqual("text", (self.root / "a" / "b").read_text())

    def test_a_new_file_has_the_permissions_of_the_umask(self):
        self.addCleanup(os.umask, os.umask(0o027))
        results.write_text(self.target, "text")
        self.assertEqual(0o640, stat.S_IMODE(self.target.stat().st_mode))

    def test_an_existing_file_keeps_its_permissions(self):
        self.target.write_text("old")
        self.target.chmod(0o604)
        results.write_text(self.target, "new")
        self.assertEqual(0o604, stat.S_IMODE(self.target.stat().st_mode))
        self.assertEqual("new", self.target.read_text())

    def test_links_are_followed(self):
        (self.root / "folder").mkdir()
        self.target.symlink_to("folder/file")
        for text in ("first", "second"):
            results.write_text(self.target, text)
            self.assertEqual("folder/file", os.readlink(self.target))
            self.assertEqual(text, (self.root / "folder" / "file").read_text())
        self.assertEqual(["file"], os.listdir(self.root / "folder"))

    def test_a_circle_of_links_is_an_error(self):
        self.target.symlink_to(self.target)
        with self.assertRaises(OSError):
            results.write_text(self.target, "text")
        self.assertTrue(self.target.is_symlink())

    def test_a_pipe_is_written_into(self):
        os.mkfifo(self.target)
        received = []
        reader = threading.Thread(target=lambda: received.append(self.target.read_text()))
        reader.start()
        results.write_text(self.target, "text")
        reader.join(timeout=30)
        self.assertEqual(["text"], received)
        self.assertTrue(stat.S_ISFIFO(self.target.stat().st_mode))

    def test_a_device_is_written_into(self):
        results.write_text("/dev/null", "text")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_a_failure_before_the_rename_leaves_the_old_file(self):
        self.target.write_text("old")
        for step in ("os.fsync", "os.replace"):
            for error in (OSError("no luck"), KeyboardInterrupt()):
                with self.subTest(step=step, error=error), mock.patch(step, side_effect=error):
                    with self.assertRaises(type(error)):
                        results.write_text(self.target, "new")
                self.assertEqual("old", self.target.read_text())
                self.assert_no_leftovers()

    def test_a_kill_before_the_rename_leaves_the_old_file(self):
        self.target.write_text("old")
        code = (
            "import os, signal, sys, results\n"
            "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
            "results.write_text(sys.argv[1], 'new')\n"
        )
        environment = os.environ | {"PYTHONPATH": str(SCRIPTS), "PYTHONDONTWRITEBYTECODE": "1"}
        process = self.execute(sys.executable, "-c", code, self.target, env=environment)
        self.assertEqual(-signal.SIGKILL, process.returncode)
        self.assertEqual("old", self.target.read_text())


# render


class RenderTest(Sandbox):
    """A copy of the stored fixture, whose README.md and results/README.md are the expected output."""

    FIXTURE = DATA / "site"

    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        self.copy_fixture()
        self.readme = self.site / "README.md"
        self.page = self.site / "results" / "README.md"
        self.result = self.site / "results" / SLUG / "pi.json"

    def render(self, *options, **process_options):
        return self.execute(SCRIPTS / "render", "--root", self.site, *options, **process_options)

    def copy_fixture(self):
        """The stored fixture with charts, empty ones that say what they show: to draw them takes matplotlib."""
        shutil.copytree(self.FIXTURE, self.site)
        for path, chart in self.charts().items():
            path.write_text(chart_data.stamped("<svg/>\n", chart))

    def charts(self):
        """What the charts of the site show, by path."""
        results_folder = self.site / "results"
        references = stored.load_references(results_folder / "reference")
        return {
            results_folder / slug / name: chart
            for slug, device in stored.load_devices(results_folder).items()
            for name, chart in chart_data.charts_of(device, references).items()
        }

    def restore(self):
        """Start anew from the stored fixture."""
        shutil.rmtree(self.site)
        self.copy_fixture()

    def edit(self, path, old, new):
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def texts(self):
        return {path: path.read_text() for path in sorted(self.site.rglob("*")) if path.is_file()}

    def assert_refused(self, *parts):
        """render says in one line what is wrong and changes nothing."""
        before = self.texts()
        for options in ((), ("--check",)):
            self.assert_ends(self.render(*options), 1, *parts)
        self.assertEqual(before, self.texts())


class RenderFixtureTest(RenderTest):
    def test_renders_the_expected_output(self):
        expected = self.texts()
        self.page.unlink()
        stale = re.sub(r"(?s)(<!-- pi:\S+ -->\n).*?(<!-- /pi -->)", r"\1stale\n\2", self.readme.read_text())
        self.readme.write_text(stale)
        process = self.render()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(expected, self.texts())
        self.assertEqual([f"wrote {self.page}", f"wrote {self.readme}"], process.stdout.splitlines())

    def test_nothing_to_do(self):
        for options in ((), ("--check",)):
            process = self.render(*options)
            self.assertEqual((0, "", ""), (process.returncode, process.stdout, process.stderr))

    def test_no_results(self):
        shutil.rmtree(self.result.parent)
        self.assertEqual(0, self.render().returncode)
        self.assertIn(f"No result for {SLUG} yet: run `make bench-all`.", self.readme.read_text())
        self.assertIn("No result yet: run `make bench-all`.", self.page.read_text())

    def test_no_headline_without_its_base(self):
        document = json.loads(self.result.read_text())
        document["runs"] = [run for run in document["runs"] if run["version"] != "v1"]
        self.result.write_text(json.dumps(document))
        self.assertEqual(0, self.render().returncode)
        self.assertIn("v1 has no result", self.readme.read_text())

    def test_renders_what_bench_writes(self):
        bench = self.root / "bin"
        bench.mkdir()
        (bench / "pi_v7").write_text(f"#!/bin/sh\n[ $1 = --list-devices ] || cat '{DATA / 'gpu.json'}'\n")
        (bench / "pi_v7").chmod(0o755)
        self.result.unlink()
        process = self.execute(SCRIPTS / "bench", "--bin", bench, "--out", self.site / "results")
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertEqual(0, self.render().returncode)
        row = "| v7: Custom xorshift32 | own xorshift32, no library | 1206.3 [1205.9, 1206.8] |"
        self.assertIn(row, self.page.read_text())

    def test_figures_of_others_as_stored_in_the_repository(self):
        shutil.rmtree(self.site / "results" / "reference")
        shutil.copytree(REPOSITORY / "results" / "reference", self.site / "results" / "reference")
        self.assertEqual(0, self.render().returncode)
        rows = self.page.read_text().split("## Reference")[1]
        for text in (
            "| 0.030 | 1× |",
            "| 548 | 18,000× |",
            "| NVIDIA A10G | 72 | 31.2 | 637 | 1,316 |",
            "| 2,800 | 350 |",
            "2109.14801",
        ):
            self.assertIn(text, rows)


class RenderCheckTest(RenderTest):
    def test_an_edited_number_in_the_readme(self):
        self.edit(self.readme, "| 750 | 750 (v1) |", "| 751 | 750 (v1) |")
        self.assert_refused_by_check(self.readme)

    def test_an_edited_number_on_the_page(self):
        self.edit(self.page, "[29.9, 30.1]", "[29.9, 30.2]")
        self.assert_refused_by_check(self.page)

    def test_a_page_that_is_not_there(self):
        self.page.unlink()
        self.assert_refused_by_check(self.page)

    def test_edited_data_names_each_file(self):
        self.edit(self.result, '"median": 30.0', '"median": 29.95')
        process = self.render("--check")
        self.assertEqual(1, process.returncode)
        lines = process.stderr.splitlines()
        self.assertEqual(3, len(lines))
        self.assertIn(str(self.page), lines[0])
        self.assertIn(str(self.readme), lines[1])
        self.assertIn(str(self.result.with_name("ladder.svg")), lines[2])

    def assert_refused_by_check(self, path):
        before = self.texts()
        self.assert_ends(self.render("--check"), 1, str(path), "differs")
        self.assertEqual(before, self.texts())


class RenderBrokenInputTest(RenderTest):
    def test_a_file_cut_in_half(self):
        text = self.result.read_text()
        self.result.write_text(text[: len(text) // 2])
        self.assert_refused(str(self.result), "cut short")

    def test_a_file_cut_anywhere(self):
        text = self.result.read_text().rstrip()
        for end in range(1, len(text)):
            with self.assertRaisesRegex(results.ResultError, "cut short"):
                results.parse(text[:end], "origin")

    def test_an_empty_file(self):
        self.result.write_text("")
        self.assert_refused(str(self.result), "empty")

    def test_what_is_not_json(self):
        for data in (b"samples: 12\n", b"\xff\xfe\x00", b"[1, 2]", b'{"suite": "pi", }', b"[" * 100_000):
            self.result.write_bytes(data)
            self.assert_ends(self.render(), 1, str(self.result), "not")

    def test_a_newer_schema(self):
        self.edit(self.result, '"schema": 1', '"schema": 2')
        self.assert_refused(str(self.result), "written by a newer version of the suite")

    def test_no_valid_schema(self):
        for schema in ("0", "true", '"1"', "1.0", "null"):
            self.restore()
            self.edit(self.result, '"schema": 1', f'"schema": {schema}')
            self.assert_refused(str(self.result), "schema")

    def test_another_suite(self):
        self.edit(self.result, '"suite": "pi"', '"suite": "options"')
        self.assert_refused(str(self.result), "not a result of the suite 'pi'")

    def test_values_that_no_result_has(self):
        edits = {
            '"sigma": 2.5': ['"sigma": NaN', '"sigma": 1e999', '"sigma": "2.5"', '"sigmoid": 2.5',
                             '"sigma": 2.5, "variance_ratio": 3', '"sigma": 2.5, "effective_samples_per_ns": "3"',
                             '"sigma": 2.5, "independent": null', '"sigma": 2.5, "team": []',
                             '"sigma": 2.5, "resumed_from": 1.5', '"sigma": 77', '"sigma": null',
                             '"sigma": 2.5, "after": "v7_volatile"', '"sigma": 2.5, "team": {}'],
            '"median": 30.0': ['"median": 0', '"median": -1', '"median": true', '"median": 31.0'],
            '"version": "v4"': ['"version": "v2"', '"version": 4', '"version": "four"', '"version": "v0"', '"edition": "v4"'],
            '"warnings": []': ['"warnings": null'],
            '"name": "NVIDIA Fixture 9000"': ['"name": null'],
            '"exit": 4': ['"exit": "4"'],
        }
        for old, news in edits.items():
            for new in news:
                with self.subTest(new):
                    self.restore()
                    self.edit(self.result, old, new)
                    self.assert_refused(str(self.result))

    def test_a_result_without_runs(self):
        document = json.loads(self.result.read_text()) | {"runs": []}
        self.result.write_text(json.dumps(document))
        self.assert_refused(str(self.result), "holds no runs")

    def test_a_result_that_is_not_a_gpus(self):
        shutil.copy(DATA / "cpu.json", self.result)
        self.assert_refused(str(self.result), "device")

    def test_a_broken_reference(self):
        reference = self.site / "results" / "reference" / "sample.json"
        for text in ("{}", '{"columns": 3}', '{"title": "half a', "[]"):
            reference.write_text(text)
            self.assert_refused(str(reference))

    def test_markers(self):
        texts = {
            "no markers": "# Title\n",
            "no end": "<!-- pi:a -->\ntext\n",
            "no start": "text\n<!-- /pi -->\n",
            "a start within": "<!-- pi:a -->\n<!-- pi:b -->\n<!-- /pi -->\n",
            "a second end": "<!-- pi:a -->\n<!-- /pi -->\n<!-- /pi -->\n",
        }
        for name, text in texts.items():
            with self.subTest(name):
                self.readme.write_text(text)
                self.assert_refused(str(self.readme), "<!-- pi:<device> -->")

    def test_no_readme(self):
        self.readme.unlink()
        self.assert_refused(str(self.readme), "No such file")

    def test_usage(self):
        self.assert_ends(self.execute(SCRIPTS / "render", "--root"), 2, "--root")

    def test_full_disk(self):
        self.page.unlink()

        def fill_disk():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        # Its complaint goes through a pipe, which the limit does not concern.
        self.assert_ends(self.render(preexec_fn=fill_disk), 5, str(self.page), "File too large")
        self.assertFalse(self.page.exists())
        self.assert_no_leftovers()


# setup


class SetupTest(Sandbox):
    """scripts/setup with a PATH that has nothing but what the test puts there."""

    LIBRARIES = ["libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libboost-dev", "libgtest-dev"]

    def setUp(self):
        super().setUp()
        self.bash = shutil.which("bash")
        if not self.bash:
            self.skipTest("this system has no bash")
        self.script = shutil.copy(SCRIPTS / "setup", self.root / "setup")
        self.tools = self.root / "tools"
        self.tools.mkdir()
        for name in ("nvcc", "g++", "make", "git", "python3"):
            self.add_tool(name, "exit 0")
        self.add_cmake("3.25.1")

    def add_tool(self, name, body):
        path = self.tools / name
        path.write_text(f"#!{self.bash}\n{body}\n")
        path.chmod(0o755)

    def add_cmake(self, version):
        self.add_tool("cmake", f"echo 'cmake version {version}'")

    def add_dpkg(self, installed):
        names = f" {' '.join(installed)} "
        self.add_tool("dpkg-query", f"case '{names}' in *\" ${{!#}} \"*) echo installed;; *) exit 1;; esac")

    def setup_script(self, *options, environment=(), **process_options):
        environment = {"PATH": str(self.tools)} | dict(environment)
        return self.execute(self.bash, self.script, *options, env=environment, cwd=self.root, **process_options)

    def test_silent_where_nothing_is_missing(self):
        self.add_dpkg(self.LIBRARIES)
        process = self.setup_script()
        self.assertEqual((0, "", ""), (process.returncode, process.stdout, process.stderr))

    def test_without_dpkg_the_libraries_are_left_to_cmake(self):
        self.assertEqual(0, self.setup_script().returncode)

    def test_missing_tools_without_root(self):
        (self.tools / "cmake").unlink()
        (self.tools / "make").unlink()
        process = self.setup_script(**without_root())
        self.assert_ends(process, 1, "sudo apt-get install -y cmake make\n")

    def test_missing_libraries_without_root(self):
        self.add_dpkg(self.LIBRARIES[:2])
        process = self.setup_script(**without_root())
        self.assert_ends(process, 1, "sudo apt-get install -y nlohmann-json3-dev libboost-dev libgtest-dev\n")

    def test_missing_tool_without_apt(self):
        (self.tools / "git").unlink()
        self.assert_ends(self.setup_script(), 1, "sudo apt-get install -y git\n")

    def test_ci_asks_for_the_formatter_too(self):
        self.assert_ends(self.setup_script("--ci", **without_root()), 1, "sudo apt-get install -y clang-format\n")

    def test_quality_asks_for_dieharder_too(self):
        process = self.setup_script("--quality", **without_root())
        self.assert_ends(process, 1, "sudo apt-get install -y dieharder\n")
        self.add_tool("dieharder", "exit 0")
        self.assertEqual(0, self.setup_script("--quality").returncode)

    def test_root_installs_what_is_missing(self):
        self.need_root()
        (self.tools / "make").unlink()
        self.add_dpkg(self.LIBRARIES[1:])
        self.add_tool("apt-get", f"echo \"$DEBIAN_FRONTEND $*\" >> '{self.root}/calls'")
        process = self.setup_script()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        calls = (self.root / "calls").read_text().splitlines()
        self.assertEqual(
            [
                "noninteractive -qq update",
                "noninteractive -qq install -y --no-install-recommends make libcli11-dev",
            ],
            calls,
        )

    def test_apt_fails(self):
        self.need_root()
        (self.tools / "make").unlink()
        self.add_tool("apt-get", "exit 100")
        self.assert_ends(self.setup_script(), 1, "apt-get could not install: make")

    def test_no_nvcc(self):
        process = self.setup_script(environment={"CUDACXX": "/nowhere/nvcc"})
        self.assert_ends(process, 1, "CUDA Toolkit", "12.0", "13.0")

    def test_no_nvcc_anywhere(self):
        if os.path.exists("/usr/local/cuda/bin/nvcc"):
            self.skipTest("this system has a CUDA Toolkit in its usual place")
        (self.tools / "nvcc").unlink()
        self.assert_ends(self.setup_script(), 1, "CUDA Toolkit")

    def test_nvcc_where_cudacxx_says(self):
        (self.tools / "nvcc").rename(self.root / "my-nvcc")
        process = self.setup_script(environment={"CUDACXX": str(self.root / "my-nvcc")})
        self.assertEqual((0, ""), (process.returncode, process.stderr))

    def test_versions_of_cmake(self):
        for version, code in {"3.25.0": 0, "3.30.2-rc1": 0, "4.0.3": 0, "3.24.4": 1, "3.9.6": 1, "2.99": 1}.items():
            self.add_cmake(version)
            self.assertEqual(code, self.setup_script().returncode, version)

    def test_old_cmake(self):
        self.add_cmake("3.22.1")
        self.assert_ends(self.setup_script(), 1, "CMake 3.25 or later", "3.22")

    def test_old_compiler(self):
        self.add_tool("g++", "echo 11.4.0")
        self.assert_ends(self.setup_script(), 1, "g++ 12.0 or later", "11.4")
        process = self.setup_script(environment={"CXX": "g++-12"})
        self.assertEqual((0, ""), (process.returncode, process.stderr))

    def test_old_packages_are_not_installed(self):
        self.add_dpkg(self.LIBRARIES)
        self.add_tool("apt-get", f"echo \"$*\" >> '{self.root}/calls'")
        for tool, candidate, part in (
            ("cmake", "3.22.1-1ubuntu1.22.04.2", "CMake 3.25 or later"),
            ("g++", "4:11.2.0-1ubuntu1", "g++ 12.0 or later"),
        ):
            (self.tools / tool).rename(self.root / tool)
            self.add_tool("apt-cache", f"echo '{tool}:'; echo '  Installed: (none)'; echo '  Candidate: {candidate}'")
            self.assert_ends(self.setup_script(), 1, part, "Ubuntu 24.04")
            (self.root / tool).rename(self.tools / tool)
        calls = self.root / "calls"
        self.assertNotIn("install", calls.read_text() if calls.exists() else "")

    def test_charts_are_named_with_what_else_is_missing(self):
        (self.tools / "python3").unlink()
        self.add_dpkg(self.LIBRARIES)
        with_matplotlib = self.execute("/usr/bin/python3", "-c", "import matplotlib").returncode == 0
        expected = "python3\n" if with_matplotlib else "python3 python3-matplotlib\n"
        process = self.setup_script("--charts", **without_root())
        self.assert_ends(process, 1, f"sudo apt-get install -y {expected}")

    def test_charts_are_optional(self):
        self.add_dpkg(self.LIBRARIES)
        (self.tools / "apt-get").unlink(missing_ok=True)
        self.add_tool("python3", "exit 1")
        process = self.setup_script("--charts")
        self.assertEqual(0, process.returncode)
        if process.stderr:  # /usr/bin/python3 has none either
            self.assert_one_line(process.stderr, "charts will not be drawn", "python3-matplotlib")

    def test_usage(self):
        self.assert_ends(self.setup_script("--frobnicate"), 2, "--frobnicate")

    def need_root(self):
        if os.geteuid() != 0:
            self.skipTest("only root installs packages")


if __name__ == "__main__":
    unittest.main()
