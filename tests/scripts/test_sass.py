#!/usr/bin/env python3
"""Tests of scripts/sass and the modules listings and instructions, and of what the steps of pi say of their loops.

Parsing, loops, classes and floor are tested on stored listings (tests/data/sass: kernels compiled by nvcc 13.0, printed
by cuobjdump 13.0 for v6, v8 and v12, by version 12.8 of it and of nvdisasm for the others, most of the code outside the
sampling loop cut away). The tools that the script finds here are shell scripts that print those. Such claims are
tested on the programs in the folder that PI_BIN names (default: build/ of this repository): in SASS where nvdisasm is on
the PATH, and in PTX, as far as it shows there, everywhere.
"""

import functools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from sandbox import BIN, REPOSITORY, SCRIPTS, Sandbox

from suite.analyse import instructions, listings

DATA = REPOSITORY / "tests" / "data" / "sass"
# Steps that are not tested: their loops are not those of one sample after another.
UNTESTED = {"v13", "v14", "v15", "v16", "v16t", "v17", "v18", "v19"}
VERSIONS = [name for name in (path.name.removeprefix("pi_") for path in BIN.glob("pi_v*"))
            if re.fullmatch(r"v\d+t?", name) and name not in UNTESTED]  # fmt: skip
MEMORY = ("memory_global", "memory_shared", "memory_local", "memory_atomic")


def parse(name):
    """The functions of a stored listing."""
    text = (DATA / name).read_text()
    return listings.parse_ptx(text) if name.endswith(".ptx") else listings.parse_sass(text)


def loop_of(name):
    return listings.sampling_loop(parse(name))


def mix_of(name):
    return instructions.mix(loop_of(name))


def sass_loop(body, architecture="90", tests=1):
    """The sampling loop of a listing with these instructions, a line each, and so many hit tests."""
    lines = body.split("\n") + ["FSETP.GTU.FTZ.AND P1, PT, R10, 1, PT"] * tests + ["@P3 BRA 0x0"]
    listing = "".join(f"        /*{16 * at:04x}*/   {line} ;\n" for at, line in enumerate(lines))
    return listings.sampling_loop(listings.parse_sass(f".target sm_{architecture}\nFunction : f\n{listing}"))


# Reading listings


class ParsingTest(unittest.TestCase):
    def test_functions_and_architecture(self):
        self.assertEqual(
            [(function.name, function.architecture) for function in parse("v12.sm_90.sass")],
            [
                ("_ZN2pi3v1212computeValueEPyPK17curandStateXORWOWm", "90"),
                ("_ZN2pi3v127initRNGEP17curandStateXORWOWmm", "90"),
            ],
        )
        for name, architecture in (("v8.sm_75.nvdisasm", "75"), ("v8.sm_120.nvdisasm", "120"), ("v8.ptx", "90")):
            with self.subTest(name):
                [function] = parse(name)
                self.assertEqual((function.name, function.architecture), ("_ZN2pi2v810count_hitsEPyjmm", architecture))

    def test_several_architectures_in_one_listing(self):
        texts = [(DATA / name).read_text() for name in ("v8.sm_90.sass", "v8.sm_75.nvdisasm")]
        functions = listings.parse_sass("".join(texts))
        self.assertEqual([function.architecture for function in functions], ["90", "90", "75"])

    def test_instructions_with_encodings(self):
        [kernel, probe] = parse("v8.sm_90.sass")
        self.assertEqual(len(kernel.instructions), (0xB60 - 0x6A0) // 16 + 1)
        self.assertEqual(len(probe.instructions), 0x120 // 16 + 1)
        self.assertEqual(kernel.instructions[0], ("SHF.R.U32.HI", ("R8", "RZ", "0x1f", "R9")))
        self.assertEqual(kernel.instructions[2], ("BRA", ("0xa00",)))
        self.assertEqual(kernel.places["0x700"], 6)

    def test_instructions_with_labels(self):
        [kernel] = parse("v8.sm_75.nvdisasm")
        self.assertEqual(kernel.instructions[0], ("BRA", ("`(.L_x_1)",)))
        first = kernel.instructions[kernel.places[".L_x_2"]]
        self.assertEqual(first, ("IMAD.MOV.U32", ("R20", "RZ", "RZ", "0x19660d")))

    def test_instructions_with_scheduling_hints(self):
        loop = loop_of("v8.sm_120.nvdisasm")
        operands = " ".join(operand for line in loop.instructions for operand in line.operands)
        self.assertNotRegex(operands, "[?&]|trans")
        self.assertIn(("FSETP.GTU.FTZ.AND", ("P0", "PT", "R8", "1", "PT")), loop.instructions)

    def test_ptx(self):
        [kernel] = parse("v8.ptx")
        self.assertIn(("mad.lo.s32", ("%r31", "%r81", "1664525", "1013904223")), kernel.instructions)
        self.assertEqual(kernel.instructions[kernel.places["$L__BB0_3"]].opcode, "mad.lo.s32")
        self.assertFalse([line for line in kernel.instructions if line.opcode.startswith((".", "reg", "param"))])

    def test_nothing_to_parse(self):
        for text in ("", "cuobjdump info : no device code\n", "/*0000*/ EXIT ;"):
            self.assertEqual(listings.parse_sass(text), [])
            self.assertEqual(listings.parse_ptx(text), [])


class LoopTest(unittest.TestCase):
    # Version: samples a trip and instructions a trip, counted by hand in the listing.
    SIZES = {
        "v1.sm_90.sass": (4, 0x1920 - 0x1320),
        "v6.sm_90.sass": (4, 0xD30 - 0x5B0),
        "v8.sm_90.sass": (4, 0x9F0 - 0x700),
        "v8.sm_75.nvdisasm": (4, 0x9C0 - 0x6D0),
        "v8.sm_120.nvdisasm": (4, 0x9E0 - 0x680),
        "v10.sm_90.sass": (16, 0x15C0 - 0xA80),
        "v12.sm_90.sass": (1, 0x3E0 - 0x1C0),
    }

    def test_sampling_loop(self):
        for name, (samples, last) in self.SIZES.items():
            with self.subTest(name):
                loop = loop_of(name)
                self.assertEqual((loop.samples, len(loop.instructions), loop.inner), (samples, last // 16 + 1, 0))

    def test_loops_of_set_up_and_remainder_are_not_it(self):
        [kernel] = parse("v1.sm_90.sass")
        tests = [
            sum(map(listings.is_hit_test, kernel.instructions[loop.first : loop.last + 1]))
            for loop in listings.loops(kernel)
        ]
        # Set-up has loops, behind the unrolled loop comes one for what is left, and the code ends in a branch to itself.
        self.assertEqual(sorted(tests)[-2:], [1, 4])
        self.assertGreater(tests.count(0), 2)

    def test_loops_inside(self):
        [kernel] = parse("v5.sm_90.sass")
        loop = listings.sampling_loop([kernel])
        self.assertEqual((loop.samples, len(loop.instructions)), (4, (0x1C40 - 0x13B0) // 16 + 1))
        # Four of LDS, IMAD.U32, IADD3, IMAD.X, ATOMS, two ISETP, BRA.
        self.assertEqual(loop.inner, 4 * 8)

    def test_the_innermost_of_loops_with_the_same_tests(self):
        lines = ["MOV R0, RZ", "FSETP.LE.AND P1, PT, R1, 1, PT", "@P1 BRA 0x10", "@P0 BRA 0x0"]
        listing = "".join(f"/*{16 * at:04x}*/ {line} ;\n" for at, line in enumerate(lines))
        loop = listings.sampling_loop(listings.parse_sass("Function : f\n" + listing))
        self.assertEqual([line.root for line in loop.instructions], ["FSETP", "BRA"])

    def test_two_branches_back_are_one_loop(self):
        lines = ["FSETP.LE.AND P1, PT, R1, 1, PT", "@P1 BRA 0x0", "MOV R0, RZ", "@P0 BRA 0x0"]
        listing = "".join(f"/*{16 * at:04x}*/ {line} ;\n" for at, line in enumerate(lines))
        [function] = listings.parse_sass("Function : f\n" + listing)
        self.assertEqual(listings.loops(function), [(0, 3)])

    def test_hit_tests(self):
        for opcode, operands, expected in (
            ("FSETP.GTU.FTZ.AND", ("P0", "PT", "R8", "1", "PT"), True),
            ("FSETP.LE.AND", ("P0", "PT", "R14", "1", "!P0"), True),
            ("FSETP.GT.AND", ("P0", "PT", "R8", "10", "PT"), False),
            ("FSETP.NEU.AND", ("P0", "PT", "|R8|", "+INF", "PT"), False),
            ("ISETP.NE.AND", ("P0", "PT", "R8", "1", "PT"), False),
            ("setp.le.ftz.f32", ("%p3", "%f7", "0f3F800000"), True),
            ("setp.le.f32", ("%p3", "%f7", "0f40000000"), False),
            ("setp.ne.s32", ("%p3", "%r7", "1"), False),
        ):
            with self.subTest(opcode):
                self.assertEqual(listings.is_hit_test(listings.Instruction(opcode, operands)), expected)

    def test_no_sampling_loop(self):
        for functions in ([], parse("v8.sm_90.sass")[1:], parse("v12.sm_90.sass")[1:]):
            with self.assertRaisesRegex(listings.ListingError, "hit"):
                listings.sampling_loop(functions)


# Counting


class ClassTest(unittest.TestCase):
    def assert_class(self, expected, opcode, *operands):
        instruction = listings.Instruction(opcode, operands)
        self.assertEqual(instructions.class_of(instruction), expected, instruction)

    def test_what_an_instruction_does_counts_not_what_runs_it(self):
        self.assert_class("integer_multiply", "IMAD", "R8", "R8", "R16", "0x3c6ef35f")
        self.assert_class("integer_multiply", "IMAD.WIDE.U32", "R16", "R16", "-0x326172a9", "RZ")
        self.assert_class("integer_multiply", "IMAD.HI.U32", "R15", "R8", "-0x2daee0ad", "RZ")
        self.assert_class("move_other", "IMAD.MOV.U32", "R16", "RZ", "RZ", "0x19660d")
        self.assert_class("move_other", "IMAD.U32", "R17", "RZ", "RZ", "UR5")
        self.assert_class("logic_shift", "IMAD.SHL.U32", "R7", "R12", "0x2", "RZ")
        self.assert_class("integer_add", "IMAD.IADD", "R19", "R3", "0x1", "R6")
        self.assert_class("integer_add", "IMAD.X", "R9", "RZ", "RZ", "R9", "P1")
        self.assert_class("move_other", "HFMA2", "R3", "-RZ", "RZ", "1.49e-06", "1549")
        self.assert_class("float", "HFMA2", "R3", "R4", "R5", "R6")

    def test_uniform_datapath(self):
        self.assert_class("integer_add", "UIADD3", "UR4", "UR4", "0x1", "URZ")
        self.assert_class("compare_select", "UISETP.NE.AND", "UP1", "UPT", "UR5", "URZ", "UPT")
        self.assert_class("move_other", "ULDC.64", "UR4", "c[0x0][0x208]")
        self.assert_class("move_other", "UMOV", "UR4", "URZ")

    def test_conversions_old_and_new(self):
        self.assert_class("conversion", "I2F.U32", "R6", "R0")
        self.assert_class("conversion", "I2FP.F32.U32", "R6", "R0")

    def test_memory_by_kind(self):
        self.assert_class("memory_global", "LDG.E.64", "R2", "[R2]")
        self.assert_class("memory_shared", "STS.64", "[R3]", "R22")
        self.assert_class("memory_local", "STL.64", "[R1+0x8]", "R4")
        self.assert_class("memory_atomic", "ATOMS.CAST.SPIN.64", "R10", "[R17]", "R8", "R10")
        self.assert_class("memory_atomic", "ATOMG.E.ADD.64", "R10", "[R17]", "R8")

    def test_ptx(self):
        self.assert_class("integer_multiply", "mad.lo.s32", "%r31", "%r81", "1664525", "1013904223")
        self.assert_class("float", "mul.ftz.f32", "%f6", "%f5", "%f5")
        self.assert_class("float", "div.approx.ftz.f32", "%f3", "%f1", "%f2")
        self.assert_class("conversion", "cvt.rn.f32.u32", "%f1", "%r31")
        self.assert_class("move_other", "cvt.u64.u32", "%rd1", "%r29")
        self.assert_class("compare_select", "setp.le.ftz.f32", "%p3", "%f7", "0f3F800000")
        self.assert_class("memory_atomic", "atom.shared.add.u64", "%rd33", "[%r433]", "%rd32")
        self.assert_class("memory_shared", "st.shared.u64", "[%r1]", "%rd1")
        self.assert_class("memory_shared", "ld.shared::cta.u64", "%rd1", "[%r1]")
        self.assert_class("memory_global", "ld.global.nc.u32", "%r1", "[%rd1]")
        self.assert_class("memory_global", "ld.u32", "%r1", "[%rd1]")
        self.assert_class("move_other", "ld.param.u32", "%r1", "[param_1]")

    def test_unknown(self):
        self.assert_class(None, "FROB.F32", "R1", "R2")
        loop = sass_loop("FROB.F32 R1, R2\nIADD3 R1, R1, R2, RZ")
        self.assertEqual(instructions.unknown_opcodes(loop), {"FROB"})
        self.assertEqual(instructions.mix(loop)["classes"]["move_other"], 1)

    def test_every_instruction_of_every_listing_is_known(self):
        for path in sorted(DATA.iterdir()):
            if path.suffix == ".json":
                continue
            with self.subTest(path.name):
                unknown = {line.opcode for function in parse(path.name) for line in function.instructions
                           if instructions.class_of(line) is None}
                self.assertEqual(unknown, set())


class MixTest(unittest.TestCase):
    V8 = {"integer_multiply": 8, "integer_add": 5, "conversion": 8, "float": 16, "compare_select": 9, "control": 1}

    def assert_mix(self, name, **expected):
        """Counts a trip, by hand."""
        mix = mix_of(name)
        trip = {key: count * mix["samples_per_trip"] for key, count in mix["classes"].items() if count}
        self.assertEqual(trip, expected)
        self.assertEqual(mix["instructions"] * mix["samples_per_trip"], sum(expected.values()))

    def test_v8_in_every_kind_of_listing(self):
        for name, moves in (("v8.sm_90.sass", 1), ("v8.sm_75.nvdisasm", 1), ("v8.sm_120.nvdisasm", 8), ("v8.ptx", 1)):
            with self.subTest(name):
                self.assert_mix(name, **self.V8, move_other=moves)

    def test_v6(self):
        self.assert_mix(
            "v6.sm_90.sass", integer_multiply=37, logic_shift=38, integer_add=9, conversion=8, float=16,
            compare_select=9, control=1, move_other=3,
        )  # fmt: skip

    def test_v5_has_an_atomic_and_a_load_in_each_inner_loop(self):
        mix = mix_of("v5.sm_90.sass")
        self.assertEqual((mix["classes"]["memory_shared"], mix["classes"]["memory_atomic"]), (1, 1))
        self.assertEqual(mix["inner_loops"], 8)

    def test_ptx(self):
        self.assertEqual(mix_of("v11.ptx")["classes"]["conversion"], 0)
        self.assertEqual(mix_of("v5.ptx")["classes"]["memory_atomic"], 1)

    def test_all_classes_are_named_always(self):
        self.assertEqual(tuple(mix_of("v8.sm_90.sass")["classes"]), instructions.CLASSES)


class FloorTest(unittest.TestCase):
    def assert_floor(self, loop, limit, cycles):
        floor = instructions.floor(loop)
        self.assertEqual(floor["limit"], limit)
        self.assertAlmostEqual(floor["cycles"], cycles, places=12)

    def test_v8_on_90_is_bound_by_issue(self):
        # A trip: 48 instructions for 128 lanes; on the ALU 8 I2FP, 4 FSETP, 4 SEL, 4 IADD3, 1 ISETP for 64; on the FMAs
        # 8 IMAD, 1 IMAD.MOV, 1 VIADD (these on the heavy one, of 64), 12 FMUL and 4 FFMA for 128.
        loop = loop_of("v8.sm_90.sass")
        self.assert_floor(loop, "issue", 48 / 4 / 128)
        expected = {"issue": 48 / 4 / 128, "ALU": 21 / 4 / 64, "FMA": 26 / 4 / 128, "FMA heavy": 10 / 4 / 64}
        cycles = instructions.cycles(loop)
        self.assertEqual(set(cycles), set(expected))
        for name, value in expected.items():
            self.assertAlmostEqual(cycles[name], value, places=12)

    def test_v8_on_75_is_bound_by_conversions(self):
        self.assert_floor(loop_of("v8.sm_75.nvdisasm"), "XU", 8 / 4 / 16)

    def test_v6_on_90_is_bound_by_multiplications(self):
        # 36 with a 64-bit product take two turns each; 1 IMAD, 3 IMAD.MOV and 4 VIADD take one.
        self.assert_floor(loop_of("v6.sm_90.sass"), "FMA heavy", (36 * 2 + 8) / 4 / 64)

    def test_v7_on_90_is_bound_by_the_alu(self):
        # 24 LOP3, 8 SHF, 8 I2FP, 4 FSETP, 4 SEL, 4 IADD3, 1 ISETP.
        self.assert_floor(loop_of("v7.sm_90.sass"), "ALU", 53 / 4 / 64)

    def test_floats_share_their_pipe_with_integers_before_86(self):
        body = "\n".join(["FFMA R1, R1, R1, R2"] * 6 + ["IMAD R3, R3, R4, R5"] * 6)
        self.assert_floor(sass_loop(body, "80"), "FMA", 12 / 64)
        self.assert_floor(sass_loop(body, "86"), "issue", 14 / 128)

    def test_a_pipe_that_helps_out(self):
        # On 12.0 adds and comparisons may go to either of two pipes: 12 adds, 1 test, 8 multiplications on 64 + 64.
        body = "\n".join(["IADD3 R1, R1, R2, RZ"] * 12 + ["IMAD R3, R3, R4, R5"] * 8)
        loop = sass_loop(body, "120")
        self.assertAlmostEqual(instructions.cycles(loop)["ALU + FMA heavy"], 21 / 128, places=12)
        self.assert_floor(loop, "issue", 22 / 128)
        self.assert_floor(sass_loop(body, "86"), "ALU", 13 / 64)

    def test_uniform_instructions_and_branches_take_issue_slots_only(self):
        self.assert_floor(sass_loop("\n".join(["UIADD3 UR4, UR4, 0x1, URZ"] * 10)), "issue", 12 / 128)

    def test_no_floor_without_rates(self):
        for loop in (sass_loop("IADD3 R1, R1, R2, RZ", "70"), loop_of("v8.ptx")):
            self.assertIsNone(instructions.floor(loop))
            self.assertIsNone(instructions.cycles(loop))

    def test_samples_per_ns(self):
        # 132 multiprocessors at 1980 MHz issue 33,454 instructions a nanosecond.
        self.assertAlmostEqual(instructions.samples_per_ns(12 / 128, 132, 1980), 33454.08 / 12, places=6)


class CountersTest(unittest.TestCase):
    """The counts against those of an H200's counters: what was executed, by Nsight Compute."""

    def setUp(self):
        self.launches = json.loads((DATA / "counters.json").read_text())["launches"]

    def per_sample(self, launch, counter):
        """Of one warp: what a thread's instruction is."""
        warps = launch["blocks"] * -(-launch["threads"] // 32)
        return launch[counter] / (warps * launch["iters"])

    def assert_within(self, tolerance, counted, measured):
        self.assertLess(abs(counted / measured - 1), tolerance, f"counted {counted}, measured {measured}")

    def test_instructions(self):
        for version, launch in self.launches.items():
            with self.subTest(version):
                mix = mix_of(f"{version}.sm_90.sass")
                counted = mix["instructions"]
                if version == "v5":
                    rounds = self.per_sample(launch, "shared_atomics") / mix["classes"]["memory_atomic"]
                    counted += (rounds - 1) * mix["inner_loops"]
                self.assert_within(0.05, counted, self.per_sample(launch, "inst_executed"))

    def test_pipes(self):
        # A pipe of 16 lanes is busy with a warp's instruction for 2 cycles, one of each quarter of a multiprocessor.
        for version, launch in self.launches.items():
            if "alu_cycles" not in launch:
                continue
            with self.subTest(version):
                cycles = mix_of(f"{version}.sm_90.sass")["cycles"]
                self.assert_within(0.01, cycles["ALU"] * 64, self.per_sample(launch, "alu_cycles") / 2)
                self.assert_within(0.01, cycles["FMA"] * 128, self.per_sample(launch, "fma_cycles") / 2)
                # Floats, too, go where the heavy half is free.
                self.assertLess(cycles["FMA heavy"] * 64, self.per_sample(launch, "fma_heavy_cycles") / 2)
                self.assertEqual(("XU" in cycles, launch["xu"]), (False, 0))


# The script


class ScriptTest(Sandbox):
    """A folder that looks like a build, with tools that print stored listings, alone on the PATH."""

    def setUp(self):
        super().setUp()
        self.bin, self.tools = self.root / "bin", self.root / "tools"
        self.bin.mkdir()
        self.tools.mkdir()
        for name in ("sh", "cat", "cp", "echo"):
            (self.tools / name).symlink_to(shutil.which(name))
        self.json = self.root / "sass.json"
        self.add_program("v8")

    def add_program(self, version, device=None):
        listing = f"echo '{device}'" if device else "echo 'no GPU' >&2; exit 3"
        self.add_script(self.bin / f"pi_{version}", listing)

    def add_cuobjdump(self, **listings):
        """Prints each program's listing; knows no others."""
        cases = " ".join(f"*/pi_{version}) cat '{DATA / name}';;" for version, name in listings.items())
        self.add_script(
            self.tools / "cuobjdump",
            "[ $1 = --version ] && echo 'Cuda compilation tools, release 13.0, V13.0.85' && exit\n"
            f"case $2 in {cases} *) echo 'nvdisasm warning : old' >&2; echo 'cuobjdump fatal   : no' >&2; exit 1;; esac",
        )
        self.add_nvdisasm("v8.sm_75.nvdisasm")

    def add_edited(self, edit):
        """v8's listing, edited."""
        listing = self.root / "listing"
        listing.write_text(edit((DATA / "v8.sm_90.sass").read_text()))
        self.add_cuobjdump(v8=listing)

    def add_nvdisasm(self, name):
        self.add_script(self.tools / "nvdisasm", f"[ $1 = --version ] && echo V13.0.85 || cat '{DATA / name}'")

    def add_build(self, output, *versions):
        """A CMake build whose nvcc writes its arguments into `calls` and makes that listing of anything."""
        note = f'echo "$*" >>\'{self.root / "calls"}\''
        self.add_script(self.root / "nvcc", f'{note}; while [ "$1" != -o ]; do shift; done; cp \'{DATA / output}\' "$2"')
        (self.bin / "CMakeCache.txt").write_text(f"CMAKE_CUDA_COMPILER:FILEPATH={self.root / 'nvcc'}\n")
        for version in versions:
            makefile = self.bin / "kernels" / "pi" / "CMakeFiles" / f"kernel_pi_{version}.dir" / "flags.make"
            makefile.parent.mkdir(parents=True)
            architecture = "--generate-code=arch=compute_75,code=[compute_75,sm_75]"
            makefile.write_text(f"# Generated\nCUDA_FLAGS = -O3 -DNDEBUG {architecture} --use_fast_math -std=c++17\n")

    def sass(self, *options):
        command = (sys.executable, SCRIPTS / "sass", "--bin", self.bin, *options)
        return self.execute(*command, env={"PATH": str(self.tools)})

    def figures(self, *options):
        """What --json holds of a run that succeeds."""
        process = self.sass("--json", self.json, *options)
        self.assertEqual(process.returncode, 0, process.stderr)
        return json.loads(self.json.read_text())


class ReadingProgramsTest(ScriptTest):
    def test_table(self):
        self.add_program("v10")
        self.add_cuobjdump(v8="v8.sm_90.sass", v10="v10.sm_90.sass")
        process = self.sass("--clock", "1980", "--sms", "132")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        title, heading, v8, v10 = process.stdout.splitlines()
        self.assertIn("sm_90", title)
        self.assertIn("cuobjdump 13.0.85", title)
        classes = "multiply add convert float compare control other"
        self.assertEqual(heading.split(), f"all {classes} limit samples/cycle/SM samples/ns".split())
        self.assertEqual(v8.split(), "v8 12 2 1.25 2 4 2.25 0.25 0.25 issue 10.67 2788".split())
        self.assertEqual(v10.split(), "v10 11.31 2 1.06 2 4 2.06 0.06 0.12 issue 11.31 2957".split())

    def test_figures(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        figures = self.figures("--clock", "1980", "--sms", "132")
        self.assertEqual((figures["schema"], figures["suite"], figures["level"]), (1, "pi", "sass"))
        self.assertEqual(figures["device"], {"multiprocessors": 132, "clock_mhz": 1980})
        [loop] = figures["loops"]
        expected = {"version": "v8", "architecture": "90", "samples_per_trip": 4, "instructions": 12, "inner_loops": 0}
        self.assertEqual(loop | expected, loop)
        self.assertEqual(loop["classes"]["conversion"], 2)
        self.assertEqual(loop["floor"]["limit"], "issue")
        self.assertAlmostEqual(loop["floor"]["samples_per_ns"], 2787.84, places=2)

    def test_all_versions_in_step_order(self):
        for version in ("v17", "v16t", "v16"):
            self.add_program(version)
        self.add_cuobjdump(**dict.fromkeys(("v8", "v16", "v16t", "v17"), "v8.sm_90.sass"))
        self.assertEqual([loop["version"] for loop in self.figures()["loops"]], ["v8", "v16", "v16t", "v17"])

    def test_only_the_versions_asked_for(self):
        self.add_program("v11")
        self.add_cuobjdump(v8="v8.sm_90.sass", v11="v11.sm_90.sass")
        self.assertEqual([loop["version"] for loop in self.figures("v11")["loops"]], ["v11"])

    def test_inner_loops_are_marked(self):
        self.add_program("v5")
        self.add_cuobjdump(v5="v5.sm_90.sass")
        output = self.sass("v5").stdout
        self.assertIn("34.5*", output)
        self.assertIn("once", output.splitlines()[-1])

    def test_rate_on_the_gpu_present_if_it_runs_that_code(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        for capability, rate in (("9.0", 2787.84), ("8.0", None)):
            with self.subTest(capability):
                device = f"0  NVIDIA H200, compute capability {capability}, 132 multiprocessors, 1980 MHz, 140 GiB"
                self.add_program("v8", device)
                [loop] = self.figures()["loops"]
                self.assertEqual(loop["floor"]["samples_per_ns"] and round(loop["floor"]["samples_per_ns"], 2), rate)

    def test_without_a_gpu_no_rate(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        figures = self.figures()
        self.assertEqual((figures["device"], figures["loops"][0]["floor"]["samples_per_ns"]), (None, None))

    def test_one_that_cannot_be_read_does_not_hide_the_others(self):
        self.add_program("v9")
        self.add_cuobjdump(v8="v8.sm_90.sass")
        process = self.sass()
        self.assert_ends(process, 1, "v9", "cuobjdump fatal")
        self.assertIn("v8", process.stdout)

    def test_no_sampling_loop(self):
        self.add_edited(lambda text: text.partition("FSETP")[0])
        self.assert_ends(self.sass(), 1, "v8", "no loop tests for a hit")

    def test_unknown_opcode_is_said(self):
        self.add_edited(lambda text: text.replace("I2FP.F32", "FROB.F32"))
        self.assert_ends(self.sass(), 0, "v8", "sm_90", "FROB")


class CompilingTest(ScriptTest):
    def test_an_architecture_that_is_not_in_the_program(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        self.add_build("v8.sm_75.nvdisasm", "v8")
        figures = self.figures("--arch", "sm_75;90")
        limits = [(loop["architecture"], loop["floor"]["limit"]) for loop in figures["loops"]]
        self.assertEqual(limits, [("75", "XU"), ("90", "issue")])
        [call] = (self.root / "calls").read_text().splitlines()
        flags = r"-cubin -arch=sm_75 -O3 -DNDEBUG --use_fast_math -std=c\+\+17 -I\S+ -o \S+ "
        self.assertRegex(call, flags + r"\S+/kernels/pi/v08_\w+\.cu\Z")

    def test_an_architecture_without_known_rates(self):
        self.add_edited(lambda text: text.replace("sm_90", "sm_110"))
        self.assertIsNone(self.figures()["loops"][0]["floor"])
        self.assertNotIn("limit", self.sass().stdout)

    def test_nvdisasm_alone(self):
        self.add_nvdisasm("v8.sm_75.nvdisasm")
        self.add_build("v8.sm_75.nvdisasm", "v8")
        figures = self.figures()
        self.assertEqual(figures["level"], "sass")
        self.assertIn("nvdisasm", figures["tool"])
        # The build's architecture, where none is asked for.
        self.assertEqual([loop["architecture"] for loop in figures["loops"]], ["75"])

    def test_tools_beside_the_compiler(self):
        self.add_build("v8.ptx", "v8")
        self.tools, tools = self.root, self.tools
        self.add_cuobjdump(v8="v8.sm_90.sass")
        self.tools = tools
        self.assertEqual(self.figures()["level"], "sass")

    def test_without_a_disassembler_ptx_and_it_is_said(self):
        self.add_build("v8.ptx", "v8")
        process = self.sass("--json", self.json)
        self.assert_ends(process, 0, "nvdisasm", "PTX")
        self.assertIn("PTX", process.stdout.splitlines()[0])
        self.assertNotIn("limit", process.stdout)
        figures = json.loads(self.json.read_text())
        [loop] = figures["loops"]
        self.assertEqual((figures["level"], loop["instructions"], loop["floor"]), ("ptx", 12, None))
        self.assertIn("-ptx -arch=compute_75 ", (self.root / "calls").read_text())

    def test_cuobjdump_without_nvdisasm_is_of_no_use(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        (self.tools / "nvdisasm").unlink()
        self.add_build("v8.ptx", "v8")
        self.assert_ends(self.sass(), 0, "nvdisasm", "PTX")

    def test_ptx_on_request(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        self.add_build("v8.ptx", "v8")
        process = self.sass("--ptx")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertIn("PTX", process.stdout)

    def test_no_tool_at_all(self):
        self.assert_ends(self.sass(), 3, "cuobjdump", "nvdisasm", "nvcc")

    def test_compiler_fails(self):
        self.add_build("v8.ptx", "v8")
        self.add_script(self.root / "nvcc", "echo 'nvcc fatal   : Unsupported gpu architecture' >&2; exit 1")
        process = self.sass("--ptx")
        self.assert_ends(process, 1, "v8", "Unsupported gpu architecture")
        self.assertEqual(process.stdout, "")

    def test_no_build_to_take_flags_from(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        self.assert_ends(self.sass("--arch", "75"), 1, "v8", "sm_75")


class UsageTest(ScriptTest):
    def test_bad_usage(self):
        for options, part in (
            (("--arch", "hopper"), "hopper"),
            (("--clock", "1980"), "--sms"),
            (("--sms", "132"), "--clock"),
            (("--clock", "0", "--sms", "132"), "positive"),
            (("--clock", "nan", "--sms", "132"), "positive"),
            (("8",), "8"),
            (("v9",), "pi_v9"),
        ):
            with self.subTest(options):
                self.assert_ends(self.sass(*options), 2, part)

    def test_result_cannot_be_written(self):
        self.add_cuobjdump(v8="v8.sm_90.sass")
        (self.root / "file").touch()
        self.assert_ends(self.sass("--json", self.root / "file" / "sass.json"), 5, "file/sass.json")


# What the steps say of their loops


@functools.cache
def compiled_loops(*options):
    """The rows that scripts/sass gives for the programs of this build."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "sass.json"
        command = [sys.executable, str(SCRIPTS / "sass"), "--bin", str(BIN), "--json", str(output), *options, *VERSIONS]
        process = subprocess.run(command, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
        if process.returncode != 0:
            raise AssertionError(f"scripts/sass: {process.stderr}")
        return json.loads(output.read_text())["loops"]


class CompiledTest(unittest.TestCase):
    OPTIONS = ()

    @classmethod
    def setUpClass(cls):
        if not any(BIN.glob("pi_v*")):
            raise unittest.SkipTest(f"no programs in {BIN}")
        cls.loops = compiled_loops(*cls.OPTIONS)

    def of(self, version):
        """The loops of a version, one an architecture."""
        found = [loop for loop in self.loops if loop["version"] == version]
        self.assertTrue(found, version)
        return found

    def assert_classes(self, version, **expected):
        for loop in self.of(version):
            with self.subTest(version=version, architecture=loop["architecture"]):
                self.assertEqual({name: loop["classes"][name] for name in expected}, expected)


class ClaimsAnywhere:
    """Claims that show in SASS and in PTX alike."""

    def test_conversions(self):
        for version, conversions in (("v7", 2), ("v8", 2), ("v9", 2), ("v10", 2), ("v11", 0)):
            self.assert_classes(version, conversion=conversions)

    def test_no_memory_in_the_loops(self):
        for version in ("v3", "v4", "v6", "v7", "v8", "v9", "v10", "v11"):  # counters in shared memory are in a register there
            self.assert_classes(version, **dict.fromkeys(MEMORY, 0))

    def test_v5_has_an_atomic_for_every_sample(self):
        self.assert_classes("v5", memory_atomic=1, memory_global=0, memory_local=0)

    def test_v6_takes_four_samples_a_trip(self):
        for loop in self.of("v6"):
            self.assertEqual(loop["samples_per_trip"], 4)

    def test_v8_draws_by_one_multiplication(self):
        for version in ("v8", "v9", "v10", "v11"):
            self.assert_classes(version, integer_multiply=2)

    def test_v9_is_as_v8(self):
        for one, other in zip(self.of("v8"), self.of("v9"), strict=True):
            self.assertEqual((one["instructions"], one["classes"]), (other["instructions"], other["classes"]))

    def test_v12_is_not_unrolled(self):
        for loop in self.of("v12"):
            self.assertEqual(loop["samples_per_trip"], 1)


class PtxClaimsTest(ClaimsAnywhere, CompiledTest):
    OPTIONS = ("--ptx", "--arch", "90")


@unittest.skipUnless(shutil.which("nvdisasm"), "no nvdisasm on the PATH: the claims are tested in PTX only")
class SassClaimsTest(ClaimsAnywhere, CompiledTest):
    def test_v5_is_v3_and_a_loop_for_each_atomic(self):
        same = ("integer_multiply", "logic_shift", "conversion", "float")
        for plain, atomic in zip(self.of("v3"), self.of("v5"), strict=True):
            self.assertEqual([plain["classes"][name] for name in same], [atomic["classes"][name] for name in same])
            self.assertEqual((atomic["classes"]["memory_shared"], atomic["classes"]["memory_atomic"]), (1, 1))
            self.assertGreater(atomic["inner_loops"], 0)

    def test_v7_draws_by_three_shifts_and_three_exclusive_ors(self):
        self.assert_classes("v7", logic_shift=12, integer_multiply=0)

    def test_v11_shift_and_or_are_one(self):
        self.assert_classes("v11", logic_shift=2)

    def test_v11_subtraction_replaces_the_scaling(self):
        for with_conversion, without in zip(self.of("v8"), self.of("v11"), strict=True):
            self.assertEqual(with_conversion["classes"]["float"], without["classes"]["float"])

    def test_v10_takes_16_samples_a_trip(self):
        for loop in self.of("v10"):
            if loop["architecture"] == "90":
                self.assertEqual(loop["samples_per_trip"], 16)


if __name__ == "__main__":
    unittest.main()
