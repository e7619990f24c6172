#!/usr/bin/env python3
"""Tests of scripts/sass: which loop is hot, and of which class its instructions are. Disassemblers print given listings."""

import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import SCRIPTS, Sandbox

from suite.tools import sass

# Set-up in a longer loop of integers, then a loop of samples within one of launches.
SAMPLING = ("IMAD R2, R2, R3, R4", "I2FP.F32.U32 R5, R2", "MUFU.SQRT R5, R5", "FMUL.FTZ R5, R5, R5", "FSETP.GTU.FTZ.AND P1, PT, R5, 1, PT",
            "@!P1 IMAD.IADD R6, R6, 0x1, R7", "IMAD.MOV.U32 R8, RZ, RZ, R9", "UIADD3 UR4, UR4, 0x1, URZ", "LDG.E R1, [R2]", "@P2 BRA 0x80")  # fmt: skip
KERNEL = ("LOP3.LUT R1, R1, R2, RZ, 0x3c, !PT", *["SHF.R.U32.HI R8, RZ, 0x1f, R9"] * 6, "@P0 BRA 0x0", *SAMPLING,
          "FADD R1, R1, R2", "@P3 BRA 0x70", "EXIT", "BRA 0x150")  # fmt: skip
COUNTS = (
    "10 instructions: 1 multiply, 1 add, 1 convert, 1 float, 1 XU, 1 compare, 1 memory, 1 control, 1 uniform, 1 other"
)


def listing(*kernels):
    """What cuobjdump -sass prints of kernels: each an architecture, a name, and its instructions."""
    return "".join(
        f"\tcode for {architecture}\n\t\tFunction : {name}\n"
        + "".join(
            f"        /*{16 * at:04x}*/    {text} ;   /* 0x0000001fff087819 */\n"
            for at, text in enumerate(instructions)
        )
        for architecture, name, instructions in kernels
    )


class LoopTest(unittest.TestCase):
    def hot(self, *instructions):
        [kernel] = sass.parse(listing(("sm_90", "f", instructions)))
        return [text for _, _, text in sass.hot_loop(kernel)]

    def test_which_loop_is_hot(self):
        """The innermost with floats, or that which counts bits; of loops alike the longest."""
        counting, shifting = ("POPC R1, R1", "@P0 BRA 0x0"), ("SHL R1, R1", "@P0 BRA 0x0")
        longer = ("LOP3 R1, R1", "SHL R1, R1", "@P0 BRA 0x20")
        for instructions, hot in (
            (KERNEL, SAMPLING), ((*counting, *longer), counting), ((*shifting, *longer), longer),
            (("FADD R1, R1, R2", "@P0 BRA 0x20", "EXIT", "BRA 0x30"), ()),  # no loop
        ):  # fmt: skip
            with self.subTest(hot=hot):
                self.assertEqual(self.hot(*instructions), list(hot))


class CommandTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.bin = self.root / "bin"
        self.bin.mkdir()
        self.add_script(self.bin / "pi_v8", "")
        self.tools = self.root / "tools"
        self.tools.mkdir()

    def sass(self, *arguments, text=None):
        if text is not None:
            (self.root / "listing").write_text(text)
            self.add_script(self.tools / "cuobjdump", f"cat {self.root / 'listing'}")
            self.add_script(self.tools / "nvdisasm", "")
        path = f"{self.tools}:/usr/bin:/bin"
        return self.execute(
            sys.executable, SCRIPTS / "sass", "--bin", self.bin, "--suite", "pi", *arguments, env={"PATH": path}
        )

    def test_a_line_for_each_kernel_of_the_newest_architecture(self):
        text = listing(("sm_75", "old", KERNEL), ("sm_90", "count_hits", KERNEL), ("sm_90", "setup", ("EXIT",)),
                       ("sm_90", "_ZN5bench5probeEv", KERNEL))  # fmt: skip
        process = self.sass(text=text)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertEqual(process.stdout, f"v8 sm_90 count_hits: {COUNTS}\nv8 sm_90 setup: no loop\n")

    def test_named_versions_are_listed(self):
        lines = self.sass("v8", text=listing(("sm_90", "count_hits", KERNEL))).stdout.splitlines()
        self.assertEqual(len(lines), 1 + len(SAMPLING))
        self.assertEqual(lines[2].split(maxsplit=2), ["0090", "convert", "I2FP.F32.U32 R5, R2"])

    def test_a_program_without_kernels(self):
        process = self.sass(text="")
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertIn("v8: ", process.stderr)
        self.assertIn("has no kernel", process.stderr)

    def test_bad_usage(self):
        process = self.sass("v9", text="")
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertIn("pi_v9", process.stderr)


if __name__ == "__main__":
    unittest.main()
