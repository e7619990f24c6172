#!/usr/bin/env python3
"""Tests of scripts/bench, with fake programs."""

import functools
import json
import os
import pty
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import (
    PCI_ADDRESS,
    DATA,
    RESULTS,
    SLUG,
    Sandbox,
    called,
    copied_scripts,
    cpu_document,
    gpu_document,
    needs_jsonschema,
    on_full_disk,
)

from interrupts import setUpModule  # noqa: F401
from suite.documents import files, records
from suite.documents.schema import ResultError
from suite.render import render
from suite.tools import bench


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
        self.add_nvidia_smi("exit 9")  # so that no test reads the power of this machine's GPU

    def bench(self, *options, **process_options):
        return self.call(bench, "--bin", self.bin, "--out", self.out, *options, **process_options)

    def add_nvidia_smi(self, body):
        self.add_script(self.tools / "nvidia-smi", body)

    def add_record(self, name, document):
        path = self.bin / f"{name}.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def add_cpu(self, serial=None, all_cores=None):
        serial = self.add_record("serial", serial or cpu_document("cpu_serial", 1))
        all_cores = self.add_record("all_cores", all_cores or cpu_document("cpu_openmp", 4))
        self.add_script(
            self.bin / "pi_cpu",
            f"case $* in '--threads 1 --json -'*) cat '{serial}';; '--json -'*) cat '{all_cores}';; *) exit 2;; esac",
        )

    def add_gpu(self, *numbers, document=None):
        for number in numbers:
            record = self.add_record(f"v{number}", document or gpu_document(f"v{number}"))
            self.add_script(
                self.bin / f"pi_v{number}",
                f"case $* in --list-devices) ;; '--json -'*) cat '{record}';; *) exit 2;; esac",
            )

    def add_failing(self, program, code=4, last_words="pi_v: CUDA error: out of luck"):
        body = f"[ $1 = --list-devices ] && exit 0; echo 'first line' >&2; echo '{last_words}' >&2; exit {code}"
        self.add_script(self.bin / program, body)

    def store_old_result(self, *versions, **context):
        """Store a result of these versions at 1 sample/ns, by default of v1 and of another build."""
        documents = [gpu_document(version, context or {"commit": "0" * 40}) for version in versions or ["v1"]]
        for document in documents:
            document["runs"][0]["per_ns"] = {"median": 1.0, "low": 1.0, "high": 1.0}
        self.stored.parent.mkdir(parents=True)
        self.stored.write_text(files.to_text(functools.reduce(records.merge, documents)))
        self.old_text = self.stored.read_text()

    def assert_old_result(self):
        self.assertEqual(self.old_text, self.stored.read_text())
        self.assert_no_leftovers()

    def versions(self, path):
        return [run["version"] for run in json.loads(path.read_text())["runs"]]


class BenchIdlePowerTest(BenchTest):
    """A program whose device 0 is not the first of nvidia-smi, and an nvidia-smi that knows them by their PCI addresses."""

    LISTED = f"0  Fast, 80 GiB, PCI {PCI_ADDRESS}\\n1  Slow, 8 GiB, PCI 0000:1B:00.0\\n"
    QUERY = f"-i {PCI_ADDRESS} --query-gpu=mig.mode.current,power.draw,utilization.gpu --format=csv,noheader,nounits"

    def idle_power(self, *readings):
        """What is recorded, and said, where nvidia-smi answers so, one reading after the other."""
        record = self.add_record("v1", gpu_document("v1"))
        self.add_script(
            self.bin / "pi_v1", f"case $* in --list-devices) printf '{self.LISTED}';; *) cat '{record}';; esac"
        )
        for number, text in enumerate(readings):
            (self.root / f"reading{number}").write_text(f"{text}\n")
        self.add_nvidia_smi(
            f"[ \"$*\" = '{self.QUERY}' ] || exit 6; cd '{self.root}'; set -- reading*; [ ! -f $1 ] || mv $1 now; cat now"
        )
        process = self.bench()
        self.assertEqual(0, process.returncode, process.stderr)
        return json.loads(self.stored.read_text())["context"].get("idle_power_w"), process.stderr

    def test_is_that_of_the_gpu_that_programs_use(self):
        """That of a slice of a GPU is not known, nor one that cannot be read; of a GPU that computes there is none."""
        for readings, expected, part in (
            ([f"Disabled, {watts}, 0" for watts in (90, 70, 72.5, 71, 75)], 72.5, None), (["Enabled, 71.5, 0"], None, None),
            (["Disabled, 70, 0", "Disabled, 484, 100", "Disabled, 70, 0"], None, "idle power not measured"),
            (["Disabled, [N/A], 0"], None, None), (["Disabled, 70, [N/A]"], None, None), (["Disabled, nan, 0"], None, None), (["No devices were found"], None, None),
        ):  # fmt: skip
            with self.subTest(readings):
                power, complaint = self.idle_power(*readings)
                self.assertEqual(expected, power)
                self.assert_one_line(complaint, part) if part else self.assertEqual("", complaint)


class BenchMergesTest(BenchTest):
    def test_all_programs_in_order_of_number(self):
        """Runs are kept as they are, each on a line; the context is the GPU's, with the first date."""
        self.add_cpu()
        self.add_gpu(17, "16t", 16, 2, 1)
        document = gpu_document("v7")
        document["runs"][0]["outcome"]["expected"] = {"count": 2**64 - 1, "total": 18446744073709551616.0}
        self.add_gpu(7, document=document)
        process = self.succeeded(self.bench())
        stored = json.loads(self.stored.read_text())
        self.assertEqual(
            ["cpu_serial", "cpu_openmp", "v1", "v2", "v7", "v16", "v16t", "v17"], self.versions(self.stored)
        )
        self.assertEqual(document["runs"], [run for run in stored["runs"] if run["version"] == "v7"])
        self.assertEqual(8, self.stored.read_text().count('\n{"version":'))
        self.assertEqual(
            gpu_document("v1")["context"] | {"date": cpu_document("cpu_serial", 1)["context"]["date"]},
            stored["context"],
        )
        self.assertFalse(self.aside.exists())
        head, *runs, wrote = process.stdout.splitlines()
        self.assertEqual("8 runs, about 24 s", head)
        self.assertRegex(runs[1], r"^\[2/8\] pi cpu_openmp .*; \d+ s left$")
        self.assertRegex(runs[7], r"^\[8/8\] pi v17 +1,206\.3 \[1,205\.9, 1,206\.8\] samples/ns, 23 launches$")
        self.assertEqual((8, f"wrote {self.stored}"), (len(runs), wrote))
        for character in "\r\033":  # those of a terminal
            self.assertNotIn(character, process.stdout)

    def test_a_limit_of_time_goes_to_every_program(self):
        self.add_cpu()
        self.add_gpu(8)
        for program in (self.bin / "pi_cpu", self.bin / "pi_v8"):  # accept nothing else now
            self.add_script(program, program.read_text().replace("--json -'*", "--json - --max-time 2'"))
        self.assertEqual(0, self.bench("--max-time", "2").returncode)


class BenchRefusesMixedContextsTest(BenchTest):
    def test_each_shared_field(self):
        first = gpu_document("v1")
        device, host = first["context"]["device"], first["context"]["host"]
        for field, context in {
            "commit": {"commit": "f" * 40}, "dirty": {"dirty": True}, "compiler": {"compiler": "another compiler"},
            "flags": {"flags": "-O0"}, "driver": {"driver": "9.9.9"}, "runtime": {"runtime": "12.0"},
            "device.name": {"device": device | {"name": "Another GPU"}},
            "host.cores": {"host": host | {"cores": 8}},
        }.items():  # fmt: skip
            with self.subTest(field), self.assertRaisesRegex(ResultError, f"mixed contexts: {field} is .* before v2, "):
                records.merge(first, gpu_document("v2", context))

    def test_programs_of_different_builds(self):
        self.store_old_result()
        self.add_cpu()
        self.add_gpu(1, document=gpu_document("v1", {"commit": "f" * 40}))
        self.assert_ends(self.bench("--partial"), 1, "commit", "0123456789abcdef", "ffff")
        self.assert_old_result()
        self.assertFalse(self.aside.exists())


class BenchKeepsWhatIsStoredTest(BenchTest):
    """A folder that holds only some programs."""

    def test_rows_of_another_build_are_not_lost(self):
        for context in ({"commit": "f" * 40}, {"driver": "9.9"}, {"dirty": True}):
            with self.subTest(context):
                shutil.rmtree(self.out, ignore_errors=True)
                self.store_old_result("v1", "v2", "v8", **context)
                self.add_gpu(2)
                self.assert_ends(self.bench(), 1, "pi.json has rows of v1, v8", *context, f"is in {self.aside}")
                self.assert_old_result()
                (run,) = json.loads(self.aside.read_text())["runs"]
                self.assertEqual(("v2", 1206.3), (run["version"], run["per_ns"]["median"]))

    def test_ablations_too(self):
        ablations = self.stored.with_name("pi-ablations.json")
        self.add_gpu(1, "1_a")
        self.bench("--full")
        (self.bin / "pi_v1_a").unlink()
        self.add_gpu("1_b")
        self.assertEqual(0, self.bench("--full").returncode)
        self.assertEqual(["v1_a", "v1_b"], self.versions(ablations))


class BenchFailingProgramTest(BenchTest):
    def test_keeps_a_row_and_the_others_and_says_it_once(self):
        """The stored file is replaced with --partial only."""
        self.store_old_result()
        self.add_gpu(1, 6)
        self.add_failing("pi_v5")
        for options, path, outcome in (
            ((), self.aside, f"{self.stored} is not replaced, the incomplete result is in {self.aside}"),
            (("--partial",), self.stored, f"{self.stored} has no new rate of it"),
        ):
            with self.subTest(options):
                process = self.failed(self.bench(*options))
                self.assertEqual(["v1", "v5", "v6"], self.versions(path))
                row = json.loads(path.read_text())["runs"][1]
                self.assertEqual({"version": "v5", "error": "pi_v: CUDA error: out of luck", "exit": 4}, row)
                self.assertEqual(f"bench: v5 failed: {outcome}", process.stderr.splitlines()[-1])
                self.assertIn("first line\n", process.stderr)
                self.assertRegex(process.stderr, r"\[2/3\] pi v5 +failed \(exit 4\): pi_v: CUDA error: out of luck")
                self.assertEqual(1, (process.stdout + process.stderr).count("out of luck"))
                self.assertIn("[3/3] pi v6", process.stdout)
            if not options:
                self.assert_old_result()
                shutil.rmtree(self.aside.parent)
        self.assertFalse(self.aside.exists())

    def test_the_first_program_fails(self):
        self.add_gpu(1, 2)
        for program, versions in (("pi_cpu", ["cpu_serial", "cpu_openmp", "v1", "v2"]), ("pi_v1", ["v1", "v2"])):
            self.add_failing(program, code=1)
            self.assertEqual(1, self.bench().returncode)
            self.assertEqual(versions, self.versions(self.aside))
            (self.bin / program).unlink()

    def test_error_of_a_program(self):
        text = (RESULTS / "gpu.json").read_text()
        half = self.add_record("half", text[: len(text) // 2])
        for body, code, error in (
            ("exit 7", 7, "exit code 7, without a message"),
            ("kill -KILL $$", 137, "ended by SIGKILL, without a message"),
            ("exit 0", 0, "pi_v2: empty"),
            (f"cat '{half}'", 0, "pi_v2: cut short"),
            (None, 126, ""),  # it cannot be executed
        ):
            with self.subTest(body):
                self.add_gpu(1)
                self.add_script(self.bin / "pi_v2", body)
                if body is None:
                    (self.bin / "pi_v2").write_bytes(b"\x7fELF, but no more")
                self.assertEqual(1, self.bench().returncode)
                row = json.loads(self.aside.read_text())["runs"][1]
                self.assertEqual(("v2", code, error), (row["version"], row["exit"], row["error"][: len(error)]))


class BenchExtentTest(BenchTest):
    """What runs, for how long, and where it is stored, by the options."""

    def setUp(self):
        super().setUp()
        self.log = self.root / "log"

    def add(self, version, document=None):
        """A program of the ladder pi that writes down how it was called."""
        self.add_gpu(version, document=document)
        program = self.bin / f"pi_v{version}"
        program.write_text(
            program.read_text().replace("\n", f'\n[ $1 = --list-devices ] || echo "v{version} $*" >> {self.log}\n', 1)
        )

    def calls(self, *options):
        """How programs were called."""
        self.log.unlink(missing_ok=True)
        self.succeeded(self.bench(*options))
        return self.log.read_text().splitlines()

    def test_steps_by_default_and_all_with_full(self):
        for version in (1, "1_a", 2):
            self.add(version)
        self.assertEqual(["v1 --json - --max-time 2.5", "v2 --json - --max-time 2.5"], self.calls())
        self.assertEqual(["v1 --json -", "v2 --json -", "v1_a --json -"], self.calls("--full"))
        self.assertEqual(["v1 --json - --max-time 2.5", "v2 --json - --max-time 2.5"], self.calls())
        self.assertEqual(["v1_a"], self.versions(self.stored.with_name("pi-ablations.json")))  # stays
        shutil.rmtree(self.out)  # and only some steps:
        self.add(10)
        self.assertEqual(["v1 --json - --max-time 2.5", "v10 --json - --max-time 2.5"], self.calls("v10", "v1"))
        self.assertEqual(["v1 --json -", "v1_a --json -"], self.calls("--full", "v1"))
        self.assertEqual(["v1", "v10"], self.versions(self.stored))

    def test_usage(self):
        self.add(1)
        for options, *parts in (
            (("v1", "v99"), "holds no programs of pi", "with the versions v99"), (("--quick", "--full"), "--full", "--quick"),
            (("--suite", "options"), "--suite", "options"), (("--suite", "arrays"), "holds no programs of arrays"),
            *(((f"--max-time={text}",), "--max-time", text) for text in ("0", "-1", "nan", "inf", "soon")),
        ):  # fmt: skip
            with self.subTest(options):
                self.assert_ends(self.bench(*options), 2, *parts)
        self.assertFalse(self.log.exists())
        self.assertEqual(["v1 --json - --max-time 1.5"], self.calls("--max-time", "1.5", "--full"))

    def test_quick_replaces_nothing_but_what_was_quick(self):
        self.store_old_result("v1", "v2")
        for version in (1, "1_a", 2):
            self.add(version)
        quick = self.bin / "quick" / "results" / SLUG
        for versions in (["v1", "v2"], ["v2"]):
            own = versions if len(versions) == 1 else []
            self.assertEqual([f"{name} --json - --max-time 0.3" for name in versions], self.calls("--quick", *own))
            self.assertEqual(versions, self.versions(quick / "pi.json"))
        self.assert_old_result()
        self.assertEqual([quick / "pi.json"], list(self.bin.rglob("results/*/*")))
        self.assertEqual([self.stored], list(self.out.rglob("*.*")))

    def test_quick_prints_a_table_and_stores_what_can_be_rendered(self):
        for version, rate in ((1, 2.0), (2, 500.0)):
            document = gpu_document(f"v{version}")
            document["runs"][0]["per_ns"] = {"median": rate, "low": rate, "high": rate}
            self.add(version, document)
        self.add_failing("pi_v5")
        process = self.failed(self.bench("--quick"))
        table = process.stdout.split("\n\n")[1].splitlines()
        self.assertEqual(
            [
                ["pi", "samples/ns", "×", "over", "v1"],
                ["v1", "2.00", "1.00"],
                ["v2", "500", "250"],
                ["v5", "failed", "–"],
            ],
            [line.split() for line in table],
        )
        self.assertEqual(["v1", "v2", "v5"], self.versions(self.bin / "quick" / "results" / SLUG / "pi.json"))
        self.assertEqual(0, called(render, "--root", self.bin / "quick").returncode)
        # From page to page: to the rates of each ladder, and to those of its steps.
        for page, part in (
            ("README.md", "(results/README.md)"), ("results/README.md", f"({SLUG}/pi.md)"), (f"results/{SLUG}/pi.md", "| v1:"),
        ):  # fmt: skip
            self.assertIn(part, (self.bin / "quick" / page).read_text())


class BenchTellsTest(BenchTest):
    """What a user sees while it runs."""

    def on_a_terminal(self, *options, **environment):
        """The exit code and what a terminal shows."""
        control, terminal = pty.openpty()
        environment = (
            os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}", "NO_COLOR": "", "TERM": "xterm"} | environment
        )
        streams = {"capture_output": False, "text": False, "stdout": terminal, "stderr": terminal}
        process = self.bench(*options, env=environment, **streams)
        os.close(terminal)
        with os.fdopen(control, "rb") as shown:
            return process.returncode, read_all(shown).replace("\r\n", "\n")

    def warn(self, version, *kinds, said=()):
        """Make a program say these lines, and warnings of these kinds, which its document has too."""
        program, document = self.bin / f"pi_{version}", gpu_document(version)
        warnings = [{"kind": kind, "text": f"of its {kind}"} for kind in kinds]
        document["runs"][0]["warnings"] = warnings
        self.add_record(version, document)
        lines = [*said, *(f"pi_{version}: warning: {warning['text']}" for warning in warnings)]
        echo = "".join(f"echo '{line}' >&2\n" for line in lines)
        program.write_text(program.read_text().replace("\n", f"\n[ $1 = --list-devices ] || {{ true; {echo}}}\n", 1))

    @needs_jsonschema
    def test_a_terminal_has_a_line_that_is_rewritten(self):
        self.add_gpu(1, 2)
        code, shown = self.on_a_terminal()
        self.assertEqual(0, code)
        self.assertRegex(shown, r"^2 runs, about 6 s\n")
        self.assertIn("\r\033[K[1/2] pi v1 … 6 s left\r\033[K", shown)
        self.assertRegex(shown, r"\r\033\[K\[2/2\] pi v2 … \d+ s left\r\033\[K")
        left = [line.rpartition("\r\033[K")[2] for line in shown.split("\n")]  # when all is done
        self.assertRegex(
            "\n".join(left[1:3]), r"\A\[1/2\] pi v1 +1,206\.3 .* launches\n\[2/2\] pi v2 +1,206\.3 .* launches\Z"
        )

    def test_a_failure_is_red_on_a_terminal(self):
        self.add_gpu(1)
        self.add_failing("pi_v5")
        red = r"\033\[31m\[2/2\] pi v5 +failed \(exit 4\): .*out of luck\033\[0m\n"
        self.assertRegex(self.on_a_terminal()[1], red)
        code, shown = self.on_a_terminal(NO_COLOR="1")
        self.assertNotIn("\033[31m", shown)
        self.assertEqual(1, code)
        code, shown = self.on_a_terminal(TERM="dumb")  # such as that of an editor
        self.assertNotIn("\033", shown)
        self.assertEqual(1, code)

    def test_every_warning_is_told_once_and_wide_intervals_together(self):
        self.add_gpu(1, 2, 3)
        self.warn("v1", "interval", "interval")
        self.warn("v2", "power")
        self.warn("v3", "power", "clock", "interval", said=["another word"])  # that of the power in the same words
        process = self.bench()
        self.assertEqual(0, process.returncode)
        self.assertEqual([
            "pi_v2: warning: of its power", "another word", "pi_v3: warning: of its clock",
            "bench: stopped with fewer than 50 timings or an interval wider than 0.5 %: pi v1, v3",
        ], process.stderr.splitlines())  # fmt: skip
        self.assertNotIn("stopped with", self.bench("--quick").stderr)  # where all are

    def test_a_program_that_speaks_has_a_line_of_its_own_and_an_interrupt_leaves_none_behind(self):
        self.add_gpu(1)
        self.warn("v1", "clock", "power")
        self.add_script(self.bin / "pi_v2", "exit 130")
        code, shown = self.on_a_terminal()
        self.assertEqual(130, code)
        for kind in ("clock", "power"):
            self.assertIn(f"\r\033[Kpi_v1: warning: of its {kind}\n", shown)
        self.assertRegex(shown, r"s left\r\033\[Kbench: interrupted, nothing was written\n\Z")


def read_all(terminal):
    """What was written to a terminal; its end is an error."""
    text = b""
    try:
        while part := terminal.read1():
            text += part
    except OSError:
        pass
    return text.decode()


class BenchWithoutGpuTest(BenchTest):
    REASON = "pi_v1: no usable GPU: no driver; install one"

    def setUp(self):
        super().setUp()
        self.cpu_result = self.bin / "results" / "cpu" / "pi.json"
        self.add_script(self.bin / "pi_v1", f"echo '{self.REASON}' >&2; exit 3")

    def test_runs_the_cpu_rows_only(self):
        self.add_cpu()
        self.bench("--partial")
        self.assertFalse(self.out.exists())
        self.store_old_result()
        for options in ((), ("v1",)):
            self.assert_ends(self.bench(*options), 0, "CUDA versions skipped", self.REASON)
        self.assertEqual(["cpu_serial", "cpu_openmp"], self.versions(self.cpu_result))
        self.assert_old_result()
        (self.bin / "pi_v1").unlink()
        self.assert_ends(self.bench(), 0, "CUDA versions skipped", "there are none")

    def test_a_library_that_cannot_be_loaded_is_no_verdict(self):
        """Although the dynamic loader, and OpenMP without threads, then end a program with its exit code."""
        (self.bin / "pi_v1").unlink()
        self.add_cpu()
        for said in (
            f"{self.bin}/pi_cpu: /opt/libgomp.so.1: version `GOMP_4.0' not found (required by {self.bin}/pi_cpu)",
            "libgomp: Thread creation failed: Resource temporarily unavailable",
        ):
            self.add_script(self.bin / "pi_cpu", f'echo; echo "{said.replace("`", chr(92) + "`")}" >&2; exit 1')
            process = self.bench()
            self.assertEqual(1, process.returncode)
            self.assertIn(f"failed (exit 126): {said}", process.stderr)

    def test_a_failing_cpu_program_still_counts_and_one_that_there_is_not(self):
        self.failed(self.bench(), "nothing was written")
        record = self.add_record("all_cores", cpu_document("cpu_openmp", 4))
        self.add_script(self.bin / "pi_cpu", f"[ $1 = --threads ] && exit 1; cat '{record}'")
        self.failed(self.bench())
        self.assertEqual(["cpu_serial", "cpu_openmp"], self.versions(self.cpu_result))


class LaddersTest(BenchTest):
    """Several ladders, each with its programs and its file."""

    LIMITS = {"schema": 1, "suite": "limits", "context": gpu_document("v1")["context"],
              "limits": [{"name": "pcie_up_pinned", "gbps": 55.1}, {"name": "dram_copy", "gbps": 4300.0}]}  # fmt: skip

    def add(self, program, suite=None, context=(), **values):
        """A program of any ladder: its record, and that of a program that needs no GPU if it is a0."""
        own, version = program.split("_", 1)
        document = cpu_document(version, 1) if version == "a0" else gpu_document(version, context)
        document["runs"][0] |= values
        record = self.add_record(program, document | {"suite": suite or own})
        self.add_script(
            self.bin / program, f"case $* in --list-devices) ;; '--json -'*) cat '{record}';; *) exit 2;; esac"
        )

    def add_limits(self, document=None):
        record = self.add_record("limits", document or self.LIMITS)
        self.add_script(self.bin / "suite_limits", f"cat '{record}'")

    def file(self, name, folder=None):
        return (folder or self.out / SLUG) / f"{name}.json"

    def test_each_goes_to_its_own_file(self):
        self.add_cpu()
        for program in ("pi_v1", "pi_v1_x", "arrays_a0", "arrays_a2", "arrays_a10", "arrays_a9_philox", "lecture_k1"):
            self.add(program)
        self.add_limits()
        self.succeeded(self.bench("--full"))
        for name, versions in {
            "pi": ["cpu_serial", "cpu_openmp", "v1"], "pi-ablations": ["v1_x"], "lecture": ["k1"],
            "arrays": ["a0", "a2", "a10"], "arrays-ablations": ["a9_philox"],
        }.items():  # fmt: skip
            self.assertEqual(versions, self.versions(self.file(name)))
            self.assertEqual(name.split("-")[0], json.loads(self.file(name).read_text())["suite"])
        self.assertEqual(self.LIMITS, json.loads(self.file("limits").read_text()))

    def test_one_of_choice(self):
        for program in ("pi_v1", "arrays_a1", "lecture_k1"):
            self.add(program)
        self.assertEqual(0, self.bench("--suite", "lecture").returncode)
        self.assertEqual(["lecture.json"], [path.name for path in (self.out / SLUG).iterdir()])
        self.assertEqual(0, self.bench("--suite", "lecture", "--suite", "pi").returncode)
        self.assertEqual({"lecture.json", "pi.json"}, {path.name for path in (self.out / SLUG).iterdir()})
        self.add("options_n1_x")  # ladders with one prefix
        self.assert_ends(self.bench("--suite", "normals"), 2, "holds no programs of normals")

    def test_a_full_measurement_of_arrays_takes_longer(self):
        self.add("arrays_a1")
        program, log = self.bin / "arrays_a1", self.root / "log"
        program.write_text(program.read_text().replace("\n", f'\n[ $1 = --list-devices ] || echo "$*" >> {log}\n', 1))
        for options in (["--full"], ["--full", "--max-time", "1.5"], []):
            self.assertEqual(0, self.bench(*options).returncode)
        self.assertEqual(
            ["--json - --min-time 5", "--json - --max-time 1.5", "--json - --max-time 2.5"],
            log.read_text().splitlines(),
        )

    def test_a_ladder_that_fails_does_not_stop_the_next(self):
        for program in ("pi_v1", "arrays_a1"):
            self.add(program)
        self.add_failing("lecture_k1")
        self.add_failing("arrays_a2")
        self.add("arrays_a3", suite="pi")  # a record of another ladder is a failure
        self.failed(self.bench(), "no program of lecture succeeded")
        self.assertEqual(["v1"], self.versions(self.stored))
        rows = json.loads(self.file("arrays", self.aside.parent).read_text())["runs"]
        self.assertEqual(["a1", "a2", "a3"], [row["version"] for row in rows])
        self.assertIn("arrays_a3: not a result of the suite 'arrays'", rows[2]["error"])
        self.assertFalse(self.file("arrays").exists())

    def test_without_a_gpu_only_the_host_steps_run(self):
        self.add("arrays_a0")
        for program in ("arrays_a1", "lecture_k1"):
            self.add_script(self.bin / program, "echo 'no driver' >&2; exit 3")
        self.add_limits()
        self.assert_ends(self.bench(), 0, "CUDA versions skipped: no driver")
        self.assertEqual(["a0"], self.versions(self.file("arrays", self.bin / "results" / "cpu")))
        self.assertFalse(self.out.exists())
        self.assert_ends(self.bench("--suite", "lecture"), 0, "CUDA versions skipped: no driver")

    def test_limits_that_cannot_be_measured(self):
        self.add("arrays_a1")
        self.assert_ends(self.bench(), 0, "limits not measured", "suite_limits")
        self.add_limits({"schema": 1})
        fault = "suite_limits: not a result of the suite 'limits'"
        for reason in (fault, "out of luck"):
            process = self.failed(self.bench())
            self.assertEqual(f"bench: {reason}; no new limits.json\n", process.stderr)
            self.add_script(self.bin / "suite_limits", "echo out of luck >&2; exit 4")
        self.assertEqual(["a1"], self.versions(self.file("arrays")))
        self.assertFalse(self.file("limits").exists())

    def test_runs_that_are_not_done_any_more_are_counted(self):
        self.add_failing("pi_v1")
        self.add("pi_v1_x")
        self.add("lecture_k1")
        lines = self.bench("--full").stdout.splitlines()
        self.assertEqual("3 runs, about 24 s", lines[0])
        self.assertRegex(lines[-2], r"^\[3/3\] lecture k1 ")

    def test_limits_belong_to_a_stored_result(self):
        self.add("arrays_a1")
        self.add_failing("arrays_a2")
        self.add_limits()
        for options, is_stored in (((), False), (("--partial",), True)):
            self.assertEqual(1, self.bench(*options).returncode)
            self.assertEqual([is_stored] * 2, [self.file(name).exists() for name in ("arrays", "limits")])

    def test_what_fails_after_the_result_does_not_take_it_back(self):
        self.add("arrays_a1")
        self.add("arrays_a1_x", context={"commit": "f" * 40})
        self.add_limits({"schema": 1})
        process = self.bench("--full")
        self.assertEqual((1, ["a1"]), (process.returncode, self.versions(self.file("arrays"))))
        ablations, limits = process.stderr.splitlines()
        self.assertRegex(ablations, "mixed contexts: commit .*; no new arrays-ablations.json$")
        self.assertEqual("bench: suite_limits: not a result of the suite 'limits'; no new limits.json", limits)

    def test_a_library_that_is_missing_is_no_failure(self):
        self.add("arrays_a0")
        self.add_failing("arrays_a1", code=3)  # no step finds its GPU
        self.assertEqual(1, self.bench().returncode)
        self.assertFalse(self.out.exists())
        (self.bin / "arrays_a0").unlink()
        for program in ("arrays_a1", "arrays_a1_x"):
            self.add(program)
        for program in ("arrays_a9", "arrays_a9_philox"):
            self.add_failing(program, code=3, last_words="no usable cuRAND")  # or too little shared memory
        self.add_limits()
        process = self.bench("--full")
        self.assertEqual(0, process.returncode)
        own = [line for line in process.stderr.splitlines() if line.startswith("bench: ")]
        self.assertEqual([f"bench: no rate of {name}: no usable cuRAND" for name in ("a9", "a9_philox")], own)
        for name, versions in {"arrays": ["a1", "a9"], "arrays-ablations": ["a1_x", "a9_philox"]}.items():
            self.assertEqual(versions, self.versions(self.file(name)))
            last = json.loads(self.file(name).read_text())["runs"][-1]
            self.assertEqual((3, "no usable cuRAND"), (last["exit"], last["error"]))
        self.assertTrue(self.file("limits").exists())
        self.assertIn("arrays a9  not run (exit 3): no usable cuRAND", re.sub("  +", "  ", process.stdout))
        self.add_failing("arrays_a9", code=3, last_words="arrays_a9: no usable GPU: it is lost")
        self.assertEqual(1, self.bench().returncode)

    def test_an_option_of_a_step_makes_another_version(self):
        record = {name: self.add_record(name, self.of_normals(name)) for name in ("n3", "n3_store")}
        self.add_script(
            self.bin / "options_n3",
            f"""case $* in
            --list-devices) ;; '--json -'*) cat '{record["n3"]}';; '--store --json -'*) cat '{record["n3_store"]}';; *) exit 2;; esac""",
        )
        self.add("arrays_a1")
        self.add_limits()
        process = self.succeeded(self.bench())
        self.assertEqual(
            [1, 1], [process.stdout.count(text) for text in (" limits ", "limits.json")]
        )  # they are measured once
        self.assertIn(" normals/ns", process.stdout)
        self.assertEqual(["n3"], self.versions(self.file("normals")))
        self.assertEqual(["n3_store"], self.versions(self.file("normals-ablations")))
        self.assertIn("[1/1] normals n3 ", self.bench("n3").stdout)

    def of_normals(self, version):
        """The record of a program of the ladder normals."""
        document = json.loads((DATA / "ladders" / "normals.json").read_text())
        document["runs"] = [run | {"version": version} for run in document["runs"] if run["version"] == "n3"]
        return document

    def test_an_interrupt_says_what_it_cost(self):
        self.add("pi_v1")
        cases = (("lecture_k1", (), "no more results of lecture"), ("pi_v1_x", ("--full",), "no new pi-ablations.json"))
        for program, options, cost in cases:
            self.add_script(self.bin / program, "exit 130")
            self.assert_ends(self.bench(*options), 130, f"interrupted, {cost}")
            self.assertEqual(["v1"], self.versions(self.stored))
            self.assertFalse(self.file("lecture").exists())

    def test_an_interrupt_leaves_the_ablations_that_ran_before(self):
        for version in ("v1", "v1_a"):
            self.add(f"pi_{version}")
        self.add_script(self.bin / "pi_v1_b", "exit 130")
        self.assert_ends(self.bench("--full"), 130, "interrupted, the ablations that ran before are stored")
        self.assertEqual(["v1_a"], self.versions(self.file("pi-ablations")))

    def test_an_interrupt_ends_all_where_the_ablations_cannot_be_stored(self):
        for version in ("v1", "v1_a", "v1_b"):
            self.add(f"pi_{version}")
        self.succeeded(self.bench("--full"))
        before = self.file("pi-ablations").read_text()
        for version in ("v1", "v1_a"):
            self.add(f"pi_{version}", context={"flags": "-O0"})
        self.add_script(self.bin / "pi_v1_b", "exit 130")
        self.add_script(self.bin / "lecture_k1", "echo asked >&2; exit 1")
        process = self.bench("--full")
        self.assertEqual(130, process.returncode)
        self.assertIn("has rows of v1_b from another flags", process.stderr)
        self.assertNotIn("asked", process.stderr)
        self.assertEqual(before, self.file("pi-ablations").read_text())

    @needs_jsonschema
    def test_a_new_ladder_is_one_module(self):
        scripts = copied_scripts(self.root)
        module = (scripts / "suite" / "ladders" / "lecture.py").read_text()
        for old, new in {'suite="lecture"': 'suite="dice"', 'prefix="lecture"': 'prefix="dice"', '"sample"': '"throw"',
                         "place=2": "place=9", 'letter="k"': 'letter="d"'}.items():  # fmt: skip
            self.assertIn(old, module)
            module = module.replace(old, new)
        module = re.sub(r"(?s)    calls=.*?\n    \),\n", "", module)  # a study of its own
        (scripts / "suite" / "ladders" / "dice.py").write_text(module)
        document = gpu_document("d1") | {"suite": "dice", "unit": "throw"}
        record = self.add_record("d1", document)
        self.add_script(self.bin / "dice_d1", f"[ $1 = --list-devices ] || cat '{record}'")
        command = (scripts / "bench", "--bin", self.bin, "--out", self.root / "site" / "results")
        process = self.succeeded(self.execute(*command))
        self.assertIn(" throws/ns", process.stdout)
        (self.root / "site" / "README.md").write_text("<!-- dice:a -->\n<!-- /dice -->\n")
        process = self.execute(scripts / "render", "--root", self.root / "site")
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertIn("| d1:", (self.root / "site" / "results" / SLUG / "dice.md").read_text())


class BenchWriteFailureTest(BenchTest):
    @needs_jsonschema
    def test_full_disk(self):
        self.add_gpu(*range(1, 6))
        self.store_old_result()
        # Room for what one program prints, not for what bench makes of five.
        room = 2 * (RESULTS / "gpu.json").stat().st_size
        self.assert_ends(self.bench(**on_full_disk(room)), 5, "could not be written", "File too large")
        self.assert_old_result()


if __name__ == "__main__":
    unittest.main()
