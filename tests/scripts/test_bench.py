#!/usr/bin/env python3
"""Tests of scripts/bench, with fake programs."""

import functools
import json
import os
import resource
import shutil
import signal
import stat
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import RESULTS, SCRIPTS, SLUG, Sandbox, cpu_document, gpu_document, without_root

from interrupts import setUpModule  # noqa: F401
from suite.documents import files, result


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
            document["runs"][0]["per_ns"] = {"median": 1.0, "low": 1.0, "high": 1.0}
        self.stored.parent.mkdir(parents=True)
        self.stored.write_text(files.to_text(functools.reduce(result.merge, documents)))
        self.old_text = self.stored.read_text()

    def assert_old_result(self):
        self.assertEqual(self.old_text, self.stored.read_text())
        self.assert_no_leftovers()

    def rates(self, path):
        """The median of each version, None where it failed."""
        runs = json.loads(path.read_text())["runs"]
        return {run["version"]: run.get("per_ns", {}).get("median") for run in runs}

    def versions(self, path):
        return [run["version"] for run in json.loads(path.read_text())["runs"]]


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
        document["runs"][0]["outcome"]["expected"] = {"count": 2**64 - 1, "total": 18446744073709551616.0}
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
        text = (RESULTS / "gpu.json").read_text()
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
        limit = 2 * (RESULTS / "gpu.json").stat().st_size

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


if __name__ == "__main__":
    unittest.main()
