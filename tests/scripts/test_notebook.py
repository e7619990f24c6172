#!/usr/bin/env python3
"""Tests of docs/colab.ipynb: its cells run, in a checkout without a GPU, and in a clone on a machine made of stand-ins."""

import csv
import importlib.util
import os
import shutil
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, Sandbox

NOTEBOOK = REPOSITORY / "docs" / "colab.ipynb"
STORED, SOURCE = "results/nvidia-h200/pi.csv", "results/reference/t4-ladder.json"
# A make that measures the stored rates, leaves the idea of a step out, and keeps what was written in its place.
MAKE = f"""
quick=build/quick/results/fixture; own=build/exercise/pi_${{2#STEP=}}; mkdir -p $quick $own
case $1 in
    bench-pi) sed 's/NVIDIA H200/NVIDIA Fixture 9000/' {STORED} > $quick/pi.csv;;
    exercise) echo '// Beat: 3 #include __global__ // Your code. cudaError_t launch' > $own/step.cu;;
    check) cat $own/step.cu >> seen; echo "Right: $2"; exit 1;;
esac"""


class NotebookTest(Sandbox):
    def setUp(self):
        super().setUp()
        for module in ("nbclient", "ipykernel"):
            if not importlib.util.find_spec(module):
                self.skipTest(f"{module} is missing: python3 -m pip install nbclient ipykernel")
        (self.root / "tools").mkdir()
        self.add_tool("nvidia-smi", "echo 'No devices were found'; exit 6")

    def add_tool(self, name, body):
        self.add_script(self.root / "tools" / name, body)

    def add_gpu(self, driver, toolkit):
        self.add_tool(
            "nvidia-smi", f'[ "$1" = --id=0 ] && echo "NVIDIA Fixture 9000, 999.1" || echo "| CUDA Version: {driver} |"'
        )
        self.add_tool("nvcc", f"echo 'Cuda compilation tools, release {toolkit}, V{toolkit}.88'")

    def outputs(self, folder, last="next", repository=""):
        """What each code cell shows if the cells up to one are run in a folder. Raises if one ends with an error."""
        import nbclient
        import nbformat

        notebook = nbformat.read(NOTEBOOK, 4)
        del notebook.cells[[cell.id for cell in notebook.cells].index(last) + 1 :]
        for cell in notebook.cells:
            cell.source = cell.source.replace('REPOSITORY = ""', f'REPOSITORY = "{repository}"')
        with mock.patch.dict(os.environ, PATH=f"{self.root / 'tools'}:{os.environ['PATH']}"):
            nbclient.NotebookClient(
                notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
            ).execute()
        return {cell.id: "".join(map(text_of, cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"}

    def test_without_a_gpu(self):
        suite = shutil.copytree(
            REPOSITORY, self.root / "suite", ignore=shutil.ignore_patterns("build", "build-*", ".git", "__pycache__")
        )
        shown = self.outputs(suite / "docs", last="task_v4")
        self.assertRegex(shown["check"], r"\ANo GPU here: .*\n\Z")
        self.assertIn("stored result: measured on an NVIDIA H200, ", shown["table"])
        self.assertIn("\n| v19: ", shown["table"])
        self.assertIn("<svg", shown["chart"])
        self.assertIn("// Step 4: ", shown["task_v4"])
        self.assertIn("    // Your code.\n}", shown["task_v4"])

    def test_with_a_gpu(self):
        """What make measures is shown, and what it says of the code that stands in the cells."""
        if not shutil.which("git"):
            self.skipTest("git is missing")
        for name in ("kernels/steps.cmake", STORED, SOURCE):
            (self.root / "origin" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, self.root / "origin" / name)
        for command in ("init --quiet", "add .", "-c user.name=n -c user.email=e commit --quiet -m first"):
            self.succeeded(self.execute("git", "-C", self.root / "origin", *command.split()))
        self.add_gpu("13.0", "13.0")
        self.add_tool("make", MAKE)
        shown = self.outputs(self.root, repository=self.root / "origin")
        self.assertIn("NVIDIA Fixture 9000, ", shown["check"])
        self.assertIn("Measured on an NVIDIA Fixture 9000, ", shown["table"])
        seen = (self.root / "suite" / "seen").read_text()
        self.assertRegex(seen, r"(?s)\A// Beat.*__shfl_down_sync.*// Beat.*atomicAdd")
        self.assertRegex(shown["check_v8"], r"(?s)make check STEP=v8: failed, .*\nRight: STEP=v8$")

    def test_versions_of_driver_and_toolkit(self):
        said = {"12.9": "too old for this toolkit", "13.0": "machine code runs, PTX would not", "13.1": ""}
        for driver, says in said.items():
            self.add_gpu(driver, "13.1")
            first, warning = (self.outputs(self.root, last="check")["check"] + "\n").split("\n")[:2]
            self.assertIn(f"for CUDA {driver}, toolkit CUDA 13.1", first)
            self.assertEqual(bool(says), bool(warning))
            self.assertIn(says, warning)

    def test_outside_a_checkout_it_needs_an_address(self):
        with self.assertRaisesRegex(Exception, "Set REPOSITORY to the address"):
            self.outputs(self.root, last="clone")


class StoredTest(unittest.TestCase):
    def test_outputs_are_of_todays_steps(self):
        with (REPOSITORY / STORED).open() as rows:
            expected = [f"| {row['version']}: {row['title']} |" for row in csv.DictReader(rows)]
        shown = NOTEBOOK.read_text()
        self.assertEqual([], [text for text in expected if text not in shown])


def text_of(output):
    """An output as text, of Markdown and SVG their source."""
    data = output.get("data", {})
    return output.get("text") or data.get("text/markdown") or data.get("image/svg+xml") or ""


if __name__ == "__main__":
    unittest.main()
