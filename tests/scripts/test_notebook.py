#!/usr/bin/env python3
"""Tests of docs/colab.ipynb: all its cells run, in a checkout without a GPU, and in a clone on a machine made of stand-ins."""

import importlib.util
import json
import os
import shutil
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, Sandbox

NOTEBOOK = REPOSITORY / "docs" / "colab.ipynb"
STEP, STORED, SOURCE = (
    "kernels/pi/v05_shared_atomic.cu",
    "results/nvidia-h200/pi.csv",
    "results/reference/t4-ladder.json",
)
RATE = (
    'case $0 in *v5_original) rate=2;; *) rate=500;; esac; echo "{\\"runs\\": [{\\"per_ns\\": {\\"median\\": $rate}}]}"'
)


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
        shown = self.outputs(suite / "docs")
        self.assertRegex(shown["check"], r"\ANo GPU here: .*\n\Z")
        self.assertIn("stored result: measured on an NVIDIA H200, ", shown["table"])
        self.assertIn("\n| v19: ", shown["table"])
        self.assertIn("<svg", shown["chart"])
        self.assertEqual(2, shown["edit"].count("make build TARGETS=kernel_pi_v5: done"), shown["edit"])
        self.assertEqual((REPOSITORY / STEP).read_text(), (suite / STEP).read_text())

    def test_with_a_gpu(self):
        """What make measures is shown. The step is edited while make builds the second program, and at no other time."""
        if not shutil.which("git"):
            self.skipTest("git is missing")
        for name in ("kernels/steps.cmake", STEP, STORED, SOURCE):
            (self.root / "origin" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, self.root / "origin" / name)
        for command in ("init --quiet", "add .", "-c user.name=n -c user.email=e commit --quiet -m first"):
            self.succeeded(self.execute("git", "-C", self.root / "origin", *command.split()))
        self.add_gpu("13.0", "13.0")
        self.add_tool("pi_v5", RATE)
        self.add_tool("make", f"""cat {STEP} >> seen; for name in v4 v5; do cp '{self.root}/tools/pi_v5' build/pi_$name; done
            quick=build/quick/results/fixture; mkdir -p $quick; sed 's/NVIDIA H200/NVIDIA Fixture 9000/' {STORED} > $quick/pi.csv""")  # fmt: skip
        shown = self.outputs(self.root, repository=self.root / "origin")
        self.assertIn("NVIDIA Fixture 9000, ", shown["check"])
        self.assertIn("Measured on an NVIDIA Fixture 9000, ", shown["table"])
        self.assertEqual(1, (self.root / "suite" / "seen").read_text().count("atomicAdd(&shared_counter, mine);"))
        self.assertNotIn("mine", (self.root / "suite" / STEP).read_text())
        self.assertRegex(shown["measure"], r"(?m)^step 5 .* 1 times step 5\nstep 5, edited .* 250 times step 5$")

    def test_versions_of_driver_and_toolkit(self):
        for driver, says in (
            ("12.9", "too old for this toolkit"),
            ("13.0", "machine code runs, PTX would not"),
            ("13.1", ""),
        ):
            self.add_gpu(driver, "13.1")
            first, warning = (self.outputs(self.root, last="check")["check"] + "\n").split("\n")[:2]
            self.assertIn(f"for CUDA {driver}, toolkit CUDA 13.1", first)
            self.assertEqual(bool(says), bool(warning))
            self.assertIn(says, warning)

    def test_outside_a_checkout_it_needs_an_address(self):
        with self.assertRaisesRegex(Exception, "Set REPOSITORY to the address"):
            self.outputs(self.root, last="clone")


class StoredTest(unittest.TestCase):
    def test_no_outputs_that_would_grow_old(self):
        self.assertEqual([], [cell["id"] for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell.get("outputs")])


def text_of(output):
    """An output as text, of Markdown and SVG their source."""
    data = output.get("data", {})
    return output.get("text") or data.get("text/markdown") or data.get("image/svg+xml") or ""


if __name__ == "__main__":
    unittest.main()
