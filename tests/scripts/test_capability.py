#!/usr/bin/env python3
"""Tests of scripts/capability and of its page. A given nvcc says what ptxas says; one test needs the real one."""

import json
import shutil
import subprocess
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import DATA, REPOSITORY, Sandbox, needs_jsonschema

from suite import ladders
from suite.documents import kinds, records, stored
from suite.render import capability as page
from suite.tools import capability

NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
CONTEXT = {"date": "2026-01-01T00:00:00Z", "commit": "abc", "dirty": False, "compiler": "nvcc 13.0", "flags": "-O3"}
# Two kernels of one template, the first with the registers of the stored run. 7.5 spills, 12.0 is refused; all have 3 resident blocks.
FAKE = r"""
echo "$@" >> {log}
case "$*" in
    *occupancy.cpp*) printf '#!/bin/sh\necho 3\n' > "$2"; chmod +x "$2"; exit;;
    *sm_120*) echo '{repository}/kernels/a.cuh(7): error: no such luck' >&2; exit 1;;
    *sm_75*) spilled=8;;
esac
for registers in 40 50; do
    echo "ptxas info    : Compiling entry function '_ZN4mcls2v14walkILi${{registers}}EEEvv' for 'sm_90'
ptxas info    : Function properties for _ZN4mcls2v14walkILi${{registers}}EEEvv
    0 bytes stack frame, ${{spilled:-0}} bytes spill stores, 0 bytes spill loads
ptxas info    : Used $registers registers, used 1 barriers, 256 bytes smem" >&2
done
"""


def kernel_file(source, nvcc, *flags):
    return capability.KernelFile("mcls", "v7", str(source), str(source.parent), [str(nvcc), *flags, "-c"])


class CommandTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.bin, self.out, self.log = self.root / "bin", self.root / "out", self.root / "log"
        self.bin.mkdir()
        folder = self.out / stored.BASE
        folder.mkdir(parents=True)
        for name in ("mcls", "mcls-ablations"):
            shutil.copy(DATA / "ladders" / f"{name}.json", folder)
        path = folder / "mcls-ablations.json"
        document = json.loads(path.read_text())
        next(run for run in document["runs"] if run["version"] == "v7_sp1")["shared_bytes"] = 80 * 1024
        path.write_text(json.dumps(document))
        self.add_script(self.root / "nvcc", FAKE.format(log=self.log, repository=REPOSITORY))
        self.commands = {}
        self.add("v7")
        self.add("v7_plain")

    def add(self, version, kernel="walk"):
        """A command that compiles the file of a version, whose record names a main kernel."""
        source = self.root / f"{version}.cu"
        source.write_text(f"    .kernel = reinterpret_cast<const void*>({kernel}),\n")
        command = f"{self.root}/nvcc -O3 --generate-code=arch=compute_90,code=[sm_90] -c {source} -o x/kernel_mcls_{version}.dir/v.o"
        self.commands[version] = {"directory": str(self.root), "file": str(source), "command": command}
        (self.bin / "compile_commands.json").write_text(json.dumps(list(self.commands.values())))

    def capability(self, *arguments, **context):
        with mock.patch.object(capability, "context_of", lambda steps: CONTEXT | context):
            return self.call(capability, "--bin", self.bin, "--out", self.out, *arguments)

    def test_what_is_stored_and_shown(self):
        """A step and its program with more shared memory: spills, refusals, errors without the place of the checkout."""
        self.succeeded(self.capability())
        document = kinds.CAPABILITY.load(self.out / "capability.json")
        cells = {row["version"]: {own["capability"]: own for own in row["capabilities"]} for row in document["steps"]}
        self.assertEqual(["v7", "v7_sp1"], list(cells))
        self.assertEqual(
            [24, 24, 0], [cells["v7"]["7.5"]["warps"], cells["v7_sp1"]["8.6"]["warps"], cells["v7_sp1"]["7.5"]["warps"]]
        )
        text = page.page(document, ladders.every_ladder())
        for part in ("| 7.5 | 32 | 64 KiB | 64 KiB | mcls v7_sp1 |", "| v7 | 256 | 256 B | 40 regs · 24 warps · spills 8 / 0 B | 40 regs · 24 warps |",
                     "| v7_sp1 | 256 | 80 KiB | 40 regs · **refuses** · spills 8 / 0 B |", "- 12.0: kernels/a.cuh(7): error: no such luck: v7, v7_sp1\n"):  # fmt: skip
            self.assertIn(part, text)

    def test_what_an_unfinished_run_of_the_commit_left_is_not_compiled_anew(self):
        self.add("v14", "gone")
        for changed, compiled in (
            ({}, 14),
            ({}, 21),
            ({"commit": "def"}, 35),
            ({"dirty": True}, 49),
            ({"dirty": True}, 63),
        ):
            self.failed(self.capability(**changed), "v14 has no kernel gone")
            self.assertEqual(compiled, self.log.read_text().count("-cubin"), changed)
        self.add("v14")
        self.succeeded(self.capability())
        self.assertFalse((self.bin / "results" / "capability.json").exists())

    def stored(self):
        return json.loads((self.out / "capability.json").read_text())

    @needs_jsonschema
    def test_a_version_alone_keeps_the_rows_of_the_others_and_their_commit(self):
        self.succeeded(self.capability())
        self.add("v14")
        self.succeeded(self.capability("v14", commit="def"))
        document = self.stored()
        self.assertEqual("def", document["context"]["commit"])
        self.assertEqual(
            {"v7": "abc", "v7_sp1": "abc", "v14": None},
            {row["version"]: row.get("commit") for row in document["steps"]},
        )
        self.assertIn(
            "compiled the steps, commit abc in 2 rows, commit def in the others,",
            page.page(document, ladders.every_ladder()),
        )
        self.assertEqual(7, self.log.read_text().count("v14.cu"))
        self.failed(self.capability("v14", compiler="nvcc 99"), "rows of mcls v7, mcls v7_sp1 from another compiler")
        self.assertEqual(document, self.stored())

    def test_all_versions_replace_the_stored_rows(self):
        self.succeeded(self.capability())
        del self.commands["v7"]
        self.add("v14")
        self.succeeded(self.capability(commit="def"))
        self.assertEqual([("v14", None)], [(row["version"], row.get("commit")) for row in self.stored()["steps"]])

    def test_a_version_without_a_command(self):
        for arguments, missing in (
            (["v7", "v99"], "v99"),
            (["v7", "--suite", "pi"], "v7"),
            (["--suite", "pi"], "steps"),
        ):
            self.assert_ends(self.capability(*arguments), 2, f"holds no commands that compile {missing}: ")
        self.assert_ends(self.capability("v7_plain"), 2, "holds no commands that compile v7_plain")

    def test_check_names_every_refused_file_and_stores_nothing(self):
        """Of major architectures that the build is not for."""
        self.add_script(
            self.root / "nvcc",
            'case "$*" in *list-gpu-arch*) echo compute_75; echo compute_86; echo compute_90; echo compute_120;; *sm_86*|*sm_90*|*sm_120*) exit 1;; esac',
        )
        process = self.failed(self.capability("--check"))
        refused = ", ".join(f"{command['file']} for 120" for command in self.commands.values())
        self.assertEqual(f"2 files of steps, refused: {refused}\n", process.stdout)
        self.assertFalse((self.out / "capability.json").exists())

    def test_a_folder_without_commands(self):
        (self.bin / "compile_commands.json").unlink()
        self.assert_ends(self.capability(), 2, f"{self.bin} holds no commands")


@unittest.skipUnless(NVCC, "nvcc is missing")
class CompilerTest(Sandbox):
    def test_what_ptxas_says(self):
        source = self.root / "a.cu"
        source.write_text("""namespace v7 { template <int n> __global__ void walk(double* x) {
            __shared__ double shared[512]; double own[32]; const int t = threadIdx.x;
            for (int i = 0; i < 32; i++) own[i] = x[i * n + t];
            shared[t] = own[t % 32]; __syncthreads();
            for (int i = 0; i < 32; i++) x[i * n + t] = own[i] * shared[511 - t]; } }
            template __global__ void v7::walk<3>(double*);""")
        found = capability.attempt(kernel_file(source, NVCC, "-maxrregcount=24"), "9.0")
        usage = found[capability.main_entry("walk", {"version": "v7"}, found)]
        self.assertEqual((4096, True, True), (usage.shared_bytes, 16 <= usage.registers <= 24, usage.spill_stores > 0))

    def test_what_the_rows_depend_on(self):
        """The flags are those that all steps share, without what names an architecture or a file."""
        own = kernel_file(
            self.root / "a.cu", NVCC, "--generate-code=arch=compute_90,code=[sm_90]", "-O3", "--use_fast_math"
        )
        context = capability.context_of([own, kernel_file(self.root / "b.cu", NVCC, "-O3")])
        self.assertEqual("-O3", context["flags"])
        self.assertRegex(context["compiler"], r"^nvcc \d+\.\d+\.\d+$")

    def test_resident_warps(self):
        """As the programming guide's table has it, and as the GPU of the stored runs says."""
        calculator = capability.built_calculator(kernel_file(self.root / "a.cu", NVCC), self.root)
        known = subprocess.run([NVCC, "--list-gpu-arch"], capture_output=True, text=True, check=True).stdout.split()
        warps = lambda name, registers, threads, shared: capability.resident_warps(
            calculator, name, capability.Usage(registers, 0, 0, 0), threads, shared
        )
        for name, blocks, most, kib in (("7.5", 16, 32, 64), ("8.0", 32, 64, 163), ("8.6", 16, 48, 99), ("8.9", 24, 48, 99), ("9.0", 32, 64, 227),
                                        ("10.0", 32, 64, 227), ("12.0", 24, 48, 99)):  # fmt: skip
            with self.subTest(name):
                if f"compute_{name.replace('.', '')}" not in known:
                    self.skipTest(f"this CUDA does not know compute capability {name}")
                two = 8 if name == "7.5" else 4  # blocks with half of the memory: later GPUs reserve 1 KiB for each
                self.assertEqual([blocks, most, 16, 4, 0, two], [warps(name, *case) for case in (
                    (16, 32, 0), (32, 128, 0), (128, 256, 0), (16, 128, kib * 1024), (16, 128, kib * 1024 + 1), (16, 128, (kib + 1) // 2 * 1024))])  # fmt: skip
        for run in measured():
            with self.subTest(run["version"]):
                self.assertEqual(
                    64 * run["occupancy"], warps("9.0", run["registers"], run["threads"], run["shared_bytes"])
                )


def measured():
    """The stored runs of the steps that have a main kernel."""
    for ladder in ladders.every_ladder():
        device = stored.load_device(REPOSITORY / "results" / stored.BASE, ladder)
        yield from (
            {"suite": ladder.suite} | run
            for run in records.succeeded(device.result["runs"])
            if run["registers"] is not None
        )


class StoredTest(unittest.TestCase):
    def test_every_measured_step_has_a_row_with_the_warps_of_its_run(self):
        """Not with its registers: the run may be of an earlier commit."""
        document = kinds.CAPABILITY.stored_in(REPOSITORY / "results")
        needs = {
            (row["suite"], row["version"]): {cell["capability"]: cell for cell in row["capabilities"]}["9.0"]
            for row in document["steps"]
        }
        for run in measured():
            with self.subTest(suite=run["suite"], version=run["version"]):
                self.assertEqual(64 * run["occupancy"], needs[run["suite"], run["version"]]["warps"], "make capability")


if __name__ == "__main__":
    unittest.main()
