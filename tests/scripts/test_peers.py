#!/usr/bin/env python3
"""Tests of scripts/run_peers, and of what becomes of its result.

Stand-ins replace the packages and the GPU; scripts/peers/report.py, which all
peers share, is the real one.
"""

import json
import os
import shutil
import statistics
import sys
import unittest
sys.dont_write_bytecode = True

from sandbox import DATA, SCRIPTS, SLUG, Sandbox, gpu_document, pi
from test_render import RenderTest

from suite.documents import peers, stored
from suite.render import figures

FIXTURE = DATA / "peers" / "pi-peers.json"
PEERS = ["pytorch_eager", "pytorch_compiled", "cupy", "jax", "triton", "thrust"]
OF_ARRAYS = ["arrays_thrust", "arrays_openmp", "arrays_openacc", "arrays_nvidia"]

# 10^9 samples a launch, and one hit more in each launch than in the one before.
PEER = """#!{python} -B
import sys
sys.path.insert(0, "{peers}")
import report
report.WARM_UP_S = 0
{extra}
report.measure(
    lambda number: ({ms} + number / 1000, {hits} + number),
    peer={name} if "--compile" not in sys.argv else "pytorch_compiled",
    package="fixture 1.0", generator="a formula", samples_per_launch=10**9,
)
"""
FITTING = 785398163
FILES = {"pytorch_eager": "with_torch", "cupy": "with_cupy", "jax": "with_jax", "triton": "with_triton"}


class PeersTest(Sandbox):
    """A copy of the scripts whose peers are stand-ins, and a folder of programs."""

    def setUp(self):
        super().setUp()
        self.bin, self.out = self.root / "bin", self.root / "out"
        self.bin.mkdir()
        self.stored = self.out / SLUG / "pi-peers.json"
        self.scripts = self.root / "scripts"
        shutil.copytree(SCRIPTS, self.scripts, ignore=shutil.ignore_patterns("__pycache__"))
        for version in ("v11", "v19"):
            self.add_version(version)
        for name in (*FILES, "thrust"):
            self.add_peer(name)

    def peers(self, *options, scripts=None, **process_options):
        command = [(scripts or self.scripts) / "run_peers", "--bin", self.bin, "--out", self.out, *options]
        return self.execute(*command, **process_options)

    def add_version(self, version, context=(), body=None, ladder="pi"):
        record = self.bin / f"{version}.json"
        record.write_text(json.dumps(gpu_document(version, dict(context))))
        self.add_script(self.bin / f"{ladder}_{version}", body or f'[ "$1" = --list-devices ] || cat "{record}"')

    def add_peer(self, name, extra="", ms=2.0, hits=FITTING, says=None):
        path = self.scripts / "peers" / f"{FILES[name]}.py" if name in FILES else self.bin / f"peer_{name}"
        text = PEER.format(python=sys.executable, peers=SCRIPTS / "peers", extra=extra, ms=ms, hits=hits,
                           name=repr(says or name))  # fmt: skip
        path.write_text(text)
        path.chmod(0o755)

    def rows(self):
        return {peer["peer"]: peer for peer in peers.DOCUMENT.load(self.stored)["peers"]}


class PeersRunTest(PeersTest):
    def test_every_peer_is_stored_with_what_it_measured(self):
        process = self.peers()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        lines = process.stdout.splitlines()
        self.assertEqual(["v11", "v19", *PEERS], [line.split()[0] for line in lines[:-1]])
        self.assertEqual(f"wrote {self.stored}", lines[-1])
        rows = self.rows()
        self.assertEqual(PEERS, list(rows))
        row = rows["jax"]
        self.assertEqual(("fixture 1.0", "a formula"), (row["package"], row["generator"]))
        self.assertGreaterEqual(len(row["ms"]), 10)
        # Launches number on from the warm-up; a launch of number n takes 2 ms + n µs and hits n times more.
        numbers = [round((ms - 2) * 1000) for ms in row["ms"]]
        self.assertEqual(list(range(numbers[0], numbers[0] + len(numbers))), numbers)
        self.assertGreater(numbers[0], 0)
        self.assertEqual((len(numbers) * FITTING + sum(numbers), len(numbers) * 10**9), (row["hits"], row["samples"]))

    def test_rates_are_samples_over_time(self):
        self.peers("--only", "thrust")
        row = self.rows()["thrust"]
        rates = [1e9 / (ms * 1e6) for ms in row["ms"]]
        rate = row["per_ns"]
        for name, function in {"median": statistics.median, "min": min, "max": max}.items():
            self.assertAlmostEqual(function(rates), rate[name], places=9)
        self.assertTrue(rate["low"] < rate["median"] < rate["high"])

    def test_the_versions_rates_and_context_are_those_of_the_programs(self):
        self.peers("--only", "jax")
        document, record = json.loads(self.stored.read_text()), gpu_document("v11")
        self.assertEqual(record["context"], document["context"])
        self.assertEqual(["v11", "v19"], [run["version"] for run in document["runs"]])
        for name in ("title", "generator", "per_ns"):
            self.assertEqual(record["runs"][0][name], document["runs"][0][name])

    def test_only_some(self):
        process = self.peers("--only", "thrust", "pytorch_compiled")
        self.assertEqual((0, ["pytorch_compiled", "thrust"]), (process.returncode, list(self.rows())))

    def test_packages_that_are_not_installed(self):
        hidden = self.root / "hidden"
        hidden.mkdir()
        for name in ("torch", "cupy", "jax", "triton"):
            (hidden / f"{name}.py").write_text(f"raise ModuleNotFoundError('hidden', name='{name}')\n")
        self.add_script(self.bin / "peer_thrust", "echo no GPU for it >&2; exit 3")
        process = self.peers(scripts=SCRIPTS, env=os.environ | {"PYTHONPATH": str(hidden)})
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        missing = {name: row["missing"] for name, row in self.rows().items()}
        packages = dict(zip(PEERS, ("torch", "torch", "cupy", "jax", "triton")))
        expected = {name: f"{package} is not installed" for name, package in packages.items()}
        self.assertEqual(expected | {"thrust": "no GPU for it"}, missing)
        self.assertIn("cupy is not installed", process.stdout)
        self.assertEqual([], list(SCRIPTS.rglob("__pycache__")))


class NumbaPeersTest(Sandbox):
    """The peers in numba-cuda, with stand-ins for their packages."""

    def test_with_a_numpy_that_has_no_row_stack(self):
        for path, text in {
            "numba_cuda.py": "", "numpy.py": "vstack = float32 = float", "numba/__init__.py": "", "numba/cuda/random.py": "",
            "numba/cuda/__init__.py": "import numpy; numpy.row_stack\n"
                                      "jit = lambda **_: lambda kernel: kernel; is_available = lambda: False",
        }.items():  # fmt: skip
            path = self.root / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for name in ("normals", "prices"):
            command = [sys.executable, "-BS", SCRIPTS / "peers" / f"{name}_with_numba.py"]
            self.assert_ends(self.execute(*command, env=os.environ | {"PYTHONPATH": str(self.root)}), 3, "numba finds no GPU")


class ArraysPeersTest(PeersTest):
    """The peers of the ladder arrays, which are all programs that a compiler makes, if it can."""

    def setUp(self):
        super().setUp()
        for version in ("a5", "a9"):
            self.add_version(version, ladder="arrays")
        for name in OF_ARRAYS:
            self.add_peer(name)
        self.of_pi, self.stored = self.stored, self.stored.with_name("arrays-peers.json")

    def test_they_have_a_file_of_their_own(self):
        process = self.peers("--suite", "arrays")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(OF_ARRAYS, list(self.rows()))
        self.assertEqual(["a5", "a9"], [run["version"] for run in json.loads(self.stored.read_text())["runs"]])
        self.assertFalse(self.of_pi.exists())

    def test_one_that_was_not_built_or_has_no_gpu_is_missing(self):
        (self.bin / "peer_arrays_openacc").unlink()
        self.add_script(self.bin / "peer_arrays_openmp", "echo no GPU for it >&2; exit 3")
        process = self.peers("--suite", "arrays")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        rows = self.rows()
        self.assertEqual("no GPU for it", rows["arrays_openmp"]["missing"])
        self.assertIn("peer_arrays_openacc was not built", rows["arrays_openacc"]["missing"])
        self.assertIn("per_ns", rows["arrays_nvidia"])

    def test_usage(self):
        self.assert_ends(self.peers("--suite", "arrays", "--only", "thrust"), 2, "arrays", "thrust")
        self.assert_ends(self.peers("--only", "arrays_thrust"), 2, "arrays_thrust")
        self.assert_ends(self.peers("--suite", "dice"), 2, "dice")
        (self.bin / "arrays_a9").unlink()
        self.assert_ends(self.peers("--suite", "arrays"), 2, "arrays_a9")


class PricesPeersTest(PeersTest):
    """The peers of the ladder asian: 10^6 paths a launch, half of which pay 2 × mean."""

    PEER = """#!{python} -B
import sys
sys.path.insert(0, "{peers}")
import report
report.WARM_UP_S = 0
n, mean, squares = 10**6, {mean}, {squares}
report.measure_mean(lambda number: (2.0, n * mean, n * squares), n, peer="{name}", package="fixture 1.0",
                    generator="a formula", samples_per_launch=256 * n)
"""

    def setUp(self):
        super().setUp()
        self.stored = self.stored.with_name("asian-peers.json")
        for version in ("a2", "a5"):
            document = json.loads((DATA / "ladders" / "asian.json").read_text())
            document["runs"] = [run for run in document["runs"] if run["version"] == version]
            record = self.bin / f"{version}.json"
            record.write_text(json.dumps(document))
            self.add_script(self.bin / f"options_{version}", f'[ "$1" = --list-devices ] || cat "{record}"')

    def add(self, path, name, mean, variance=46.24):
        values = {"mean": mean, "squares": variance + mean**2, "name": name}
        path.write_text(self.PEER.format(python=sys.executable, peers=SCRIPTS / "peers", **values))
        path.chmod(0o755)

    def run_one(self, mean, variance=46.24):
        self.add(self.bin / "peer_asian_nvidia", "asian_nvidia", mean, variance)
        return self.peers("--suite", "asian", "--only", "asian_nvidia")

    def test_an_estimate_that_fits_the_reference_of_the_versions(self):
        # 4.2 ± 4.5e-5. 25·10^6 paths have an sd of 1.36e-3, of which five are 6.8e-3.
        process = self.run_one(4.2060)
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        row = self.rows()["asian_nvidia"]
        self.assertAlmostEqual(4.2060, row["estimate"], places=9)
        self.assertAlmostEqual(1.36e-3, row["sd"], delta=1e-6)
        self.assertAlmostEqual(128.0, row["per_ns"]["median"], places=9)

    def test_estimates_that_do_not_fit(self):
        for mean, variance, words in ((4.2080, 46.24, "from 4.2, too far"), (4.1920, 46.24, "too far"), (4.2, 60.0, "independent")):
            process = self.run_one(mean, variance)
            self.assertEqual(1, process.returncode)
            self.assertIn(words, process.stderr.splitlines()[0])
            self.assertIn(words, self.rows()["asian_nvidia"]["error"])
            self.stored.unlink()

    def test_another_option_has_its_own_reference(self):
        self.add(self.scripts / "peers" / "prices_with_quantlib.py", "quantlib", 4.7912, 52.0)
        process = self.peers("--suite", "asian", "--only", "quantlib")
        self.assertEqual((0, ""), (process.returncode, process.stderr))

    def test_programs_that_were_not_built_are_missing(self):
        self.assertEqual(0, self.peers("--suite", "asian", "--only", "asian_nvidia").returncode)
        self.assertIn("peer_asian_nvidia was not built", self.rows()["asian_nvidia"]["missing"])


class SolversPeersTest(PeersTest):
    """The peers of the ladder mcls, which say how far they are after some iterations."""

    NAME = "cusparse_cg_lap2d"

    def setUp(self):
        super().setUp()
        self.stored = self.stored.with_name("mcls-peers.json")
        document = json.loads((DATA / "ladders" / "mcls.json").read_text())
        document["runs"] = [next(run for run in document["runs"] if run["version"] == "v14") | {"version": "v18"}]
        record = self.bin / "v18.json"
        record.write_text(json.dumps(document))
        self.add_script(self.bin / "mcls_v18", f'[ "$1" = --list-devices ] || cat "{record}"')
        self.add_script(self.bin / "peer_mcls_block", "echo no GPU for it >&2; exit 3")
        rows = json.loads((DATA / "ladders" / "mcls-peers.json").read_text())["peers"]
        self.row = next(row for row in rows if row["peer"] == self.NAME)

    def run_one(self, name=NAME, program="peer_mcls_cusparse", **changes):
        (self.bin / "solver.json").write_text(json.dumps(self.row | {"peer": name} | changes))
        self.add_script(self.bin / program, f'echo "$*" >"{self.root}/arguments"; cat "{self.bin}/solver.json"')
        return self.peers("--suite", "mcls", "--only", name)

    def test_what_a_solver_prints_is_stored(self):
        process = self.run_one()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertIn("56 iterations in 400 µs", process.stdout)
        self.assertEqual({self.NAME: self.row}, self.rows())
        self.assertEqual("cg lap2d\n", (self.root / "arguments").read_text())

    def test_monte_carlo_synthetic_acceleration(self):
        process = self.run_one("mcls_solve_sp1", "mcls_solve", method="mcsa", system="sp1")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual("--system sp1 --json -\n", (self.root / "arguments").read_text())

    def test_one_that_does_not_reach_its_tolerance_says_so(self):
        process = self.run_one(reached=False, points=self.row["points"][:2])
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertRegex(process.stdout, "16 iterations .* not reached: residual 5.0 × 10⁻¹")

    def test_what_no_solver_prints(self):
        first, *others = self.row["points"]
        for part, changes in {
            "points is empty": {"points": []},
            "points[0].ms is empty": {"points": [first | {"ms": []}, *others]},
            "points[0].error is null": {"points": [first | {"error": None}, *others]},
            "processor is \"tpu\"": {"processor": "tpu"},
            "do not ascend": {"points": [first, first, *others]},
            "says reached: false": {"reached": False},
            "says reached: true": {"points": [first]},
            "its solution is wrong by 1.00e-03": {"points": [*others[:-1], others[-1] | {"error": 1e-3}]},
        }.items():
            process = self.run_one(**changes)
            self.assertEqual(1, process.returncode)
            self.assertIn(part, process.stderr.splitlines()[0])
            self.assertIn(part, self.rows()[self.NAME]["error"])
            self.stored.unlink()

    def test_programs_without_a_library_are_missing(self):
        self.assertEqual(0, self.peers("--suite", "mcls").returncode)
        rows = self.rows()
        self.assertEqual("no GPU for it", rows["block_cg_lap2d"]["missing"])
        self.assertIn("peer_mcls_eigen was not built", rows["eigen_lu_sp1"]["missing"])


class PeersFailTest(PeersTest):
    def assert_recorded(self, name, *parts):
        """The peer is stored with its error, the others are measured, and the exit code says so."""
        process = self.peers("--only", name, "cupy")
        self.assertEqual(1, process.returncode, process.stderr)
        first, last = process.stderr.splitlines()
        self.assertIn(f"has no new rows of {name}", last)
        for part in (name, *parts):
            self.assertIn(part, first)
        self.assertIn("per_ns", self.rows()["cupy"])
        for part in parts:
            self.assertIn(part, self.rows()[name]["error"])
        self.stored.unlink()

    def test_one_that_ends_with_an_error(self):
        self.add_peer("jax", extra='raise RuntimeError("first\\nout of luck")')
        self.assert_recorded("jax", "out of luck")

    def test_a_package_that_is_there_and_broken(self):
        broken = "report.importlib.import_module = lambda name: __import__('no_such_library')"
        self.add_peer("jax", extra=f"{broken}\nreport.require('jax')")
        self.assert_recorded("jax", "no_such_library")

    def test_hits_that_do_not_fit_pi(self):
        # 25·10^9 samples: one sd is 1.04e-5, so that 6e-5 is too far, and 4e-5 is not.
        for excess in (15_000, -15_000):
            self.add_peer("jax", hits=FITTING + excess)
            self.assert_recorded("jax", "too far")
        for excess in (10_000, -10_000):
            self.add_peer("jax", hits=FITTING + excess)
            self.assertEqual(0, self.peers("--only", "jax").returncode)
            self.stored.unlink()

    def test_what_no_peer_measures(self):
        self.add_peer("jax", ms=-1)
        self.assert_recorded("jax", "ms[0] is -0.9", "not a positive number")
        self.add_peer("jax", says="cupy")
        self.assert_recorded("jax", "calls itself cupy")
        self.add_peer("jax", extra="report.TIMED = 9")
        self.assert_recorded("jax", "9 launches")
        self.add_peer("jax", extra="print('hello')")
        self.assert_recorded("jax", "not JSON")
        self.add_peer("jax", extra="print('{}'); sys.exit()")
        self.assert_recorded("jax", "lacks 'peer'")

    def test_versions_of_different_builds(self):
        self.add_version("v19", context={"commit": "f" * 40})
        self.assert_ends(self.peers(), 1, "mixed contexts: commit", "nothing was written")
        self.assertFalse(self.out.exists())

    def test_interrupted(self):
        self.add_script(self.bin / "peer_thrust", "exit 130")
        self.assert_ends(self.peers("--only", "thrust"), 130, "nothing was written")
        self.assertFalse(self.out.exists())

    def test_usage(self):
        self.assert_ends(self.peers("--only", "numpy"), 2, "numpy")
        (self.bin / "pi_v19").unlink()
        self.assert_ends(self.peers(), 2, "pi_v19")


# Rendering


class RenderPeersTest(RenderTest):
    """A site with the fixture of peers: v11 at 2600 samples/ns, v15 at 5200, PyTorch at 130, Thrust at 520."""

    def setUp(self):
        super().setUp()
        self.peers = self.site / "results" / SLUG / "pi-peers.json"
        shutil.copy(FIXTURE, self.peers)

    def test_the_table(self):
        self.assertEqual(0, self.render().returncode)
        section = self.page.read_text().split("## Peers\n")[1]
        self.assertIn("[pi-peers.json](pi-peers.json)", section)
        table, reasons = section.split("\n\n")[1:3]
        self.assertEqual([
            "| Program | Package | Generator | Samples/ns | v11 is × times as fast | v15 is × times as fast |",
            "| :--- | :--- | :--- | ---: | ---: | ---: |",
            "| v11: Bits | this suite | LCG | 2600 | 1.00 | 2.00 |",
            "| v15: Next | this suite | another | 5200 | 0.500 | 1.00 |",
            "| PyTorch, eager | torch 2.11.0 | Philox4x32-10 | 130.00 | 20.0 | 40.0 |",
            "| Thrust | Thrust 3.0.1 | minstd_rand | 520 | 5.00 | 10.0 |",
        ], table.splitlines())  # fmt: skip
        self.assertEqual("Without a result: CuPy (cupy is not installed); JAX (failed: `out of \\| luck`).", reasons)

    def test_without_it_there_is_no_section(self):
        self.peers.unlink()
        self.assertEqual(0, self.render("--check").returncode)
        self.assertNotIn("Peers", self.page.read_text())

    def test_a_broken_file(self):
        edits = [
            ('"median": 130,', '"median": 0,'), ('"package": "torch 2.11.0", ', ""), ('"generator": "LCG", ', ""),
            ('"peer": "cupy", ', ""), ('"runs": [', '"runs": [3, '), ('"schema": 2', '"schema": 3'),
        ]  # fmt: skip
        for old, new in edits:
            with self.subTest(new):
                shutil.copy(FIXTURE, self.peers)
                self.edit(self.peers, old, new)
                self.assert_refused(str(self.peers))

    def test_figures_in_prose(self):
        device = stored.load_device(self.peers.parent, pi)
        ratio = "v15.peers.per_ns/peers.thrust.per_ns"
        expected = {"peers.thrust.per_ns": "520", ratio: "10.0"}
        self.assertEqual(expected, {path: figures.figure(path, device) for path in expected})
        for path in ("peers.jax.per_ns", "peers.numpy.per_ns", ratio.replace("v15", "v10")):
            with self.assertRaisesRegex(figures.Missing, "failed|measured"):
                figures.figure(path, device)
        for path, documents in {"peers.cupy.per_ns": device, ratio: device._replace(peers=None)}.items():
            with self.assertRaisesRegex(figures.Missing, "^$"):  # without a warning: its package or its file is not there
                figures.figure(path, documents)


if __name__ == "__main__":
    unittest.main()
