#!/usr/bin/env python3
"""Tests of scripts/run_peers, and of what becomes of its result. Functions stand in for the packages and the GPU."""

import importlib.util
import json
import math
import os
import shutil
import statistics
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, record
from sandbox import DATA, REPOSITORY, SCRIPTS, SLUG, Sandbox, gpu_document, need_matplotlib, needs_jsonschema, pi
from test_render import RenderTest

from suite import ladders
from suite.documents import kinds, stored
from suite.render import drawing, figures
from suite.studies import peers

FIXTURE = DATA / "peers" / "pi-peers.json"
PEERS = ["pytorch_eager", "pytorch_compiled", "cupy", "jax", "triton", "cuda_tile", "thrust", "curanddx"]
OF_ARRAYS = ["arrays_thrust", "arrays_openmp", "arrays_openacc", "arrays_nvidia"]
FITTING = 785398163
COMMANDS = {
    "pytorch_eager": ("with_arrays", "torch"),
    "pytorch_compiled": ("with_arrays", "torch", "--compile"),
    "cupy": ("with_arrays", "cupy"),
    "jax": ("with_jax",),
    "triton": ("with_triton",),
    "cuda_tile": ("with_cuda_tile",),
}
REPORT = SCRIPTS / "peers" / "report.py"


class PeersTest(StudySandbox):
    """Peers of 10^9 samples a launch, and one hit more in each launch than in the one before."""

    MODULE, SUITE = peers, "pi"

    def setUp(self):
        super().setUp()
        self.ladder = ladders.ladder_named(self.SUITE)
        self.stored = self.out / SLUG / f"{self.SUITE}-peers.json"
        self.answers = {}  # of peers in Python, by command
        if self.SUITE == "pi":
            for version in ("v11", "v27"):
                self.add_version(version)
            for name in (*COMMANDS, "thrust", "curanddx"):
                self.add_peer(name)

    def peers(self, *options):
        return self.measure("--suite", self.SUITE, *options)

    def add_version(self, version, document=None, prefix="pi"):
        self.add_function(f"{prefix}_{version}", lambda options: document or record(version, self.SUITE))

    def add_peer(self, name, ms=2.0, hits=FITTING, says=None, timed=25, text=None, end=None):
        """A peer that prints this, or a text, or that ends."""

        def answer(options):
            numbers = range(3, 3 + timed)
            if end:
                raise end
            return text or {
                "peer": says or name, "package": "fixture 1.0", "generator": "a formula", "samples_per_launch": 10**9,
                "ms": [ms + number / 1000 for number in numbers], "hits": sum(hits + number for number in numbers), "samples": timed * 10**9,
            }  # fmt: skip

        if name not in COMMANDS:
            self.add_function(f"peer_{name}", answer)
            return
        script = COMMANDS[name][0]
        self.answers[COMMANDS[name]] = answer
        self.programs[f"{script}.py"] = lambda options: self.answers[(script, *self.log[-1][2])](options)

    def rows(self):
        runs = kinds.PEERS.of(self.ladder).load(self.stored)["runs"]
        return {row["version"]: row for row in runs if row["version"] not in self.ladder.peers.versions}


class PeersRunTest(PeersTest):
    def test_every_peer_is_stored_with_what_it_measured(self):
        process = self.succeeded(self.peers())
        lines = process.stdout.splitlines()
        self.assertEqual(["v11", "v27", *PEERS], [line.split()[2] for line in lines[1:-1]])
        self.assertEqual(f"wrote {self.stored}", lines[-1])
        rows = self.rows()
        self.assertEqual(PEERS, list(rows))
        row = rows["jax"]
        self.assertEqual(
            ("fixture 1.0", "a formula", 10**9, 25),
            tuple(row[name] for name in ("package", "generator", "work", "launches")),
        )
        hits = 25 * FITTING + sum(range(3, 28))
        self.assertEqual({"hits": hits, "samples": 25 * 10**9}, row["outcome"])
        # The time of launch n is 2 ms + n us.
        self.assertEqual((2.015, 2.003, 2.027), tuple(row["kernel_ms"][name] for name in ("median", "min", "max")))
        rates = [1e9 / ((2 + n / 1000) * 1e6) for n in range(3, 28)]
        for name, function in {"median": statistics.median, "min": min, "max": max}.items():
            self.assertAlmostEqual(function(rates), row["per_ns"][name], places=9)
        self.assertTrue(row["per_ns"]["low"] < row["per_ns"]["median"] < row["per_ns"]["high"])
        # The versions' rates and the context are those of the programs.
        document, run = json.loads(self.stored.read_text()), gpu_document("v11")["runs"][0]
        self.assertEqual(gpu_document("v11")["context"], document["context"])
        self.assertEqual(["v11", "v27", *PEERS], [run["version"] for run in document["runs"]])
        for name in ("title", "generator", "per_ns"):
            self.assertEqual(run[name], document["runs"][0][name])

    def test_only_some_and_those_that_cannot_run_here(self):
        self.assertEqual(0, self.peers("--only", "thrust", "pytorch_compiled").returncode)
        self.assertEqual(["pytorch_compiled", "thrust"], list(self.rows()))
        self.add_peer("cupy", end=Ends(3, "cupy is not installed"))
        self.add_peer("thrust", end=Ends(3, "no GPU for it"))
        process = self.succeeded(self.peers())
        missing = {name: row["missing"] for name, row in self.rows().items() if "missing" in row}
        self.assertEqual({"cupy": "cupy is not installed", "thrust": "no GPU for it"}, missing)
        self.assertIn("cupy is not installed", process.stdout)


class ReportTest(Sandbox):
    """What all Python peers share."""

    def printed(self, name, function, *arguments, **facts):
        spec = importlib.util.spec_from_file_location("report", REPORT)
        report = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(report)
        report.WARM_UP_S = 0
        with mock.patch.object(report, "print", create=True) as printed:
            getattr(report, name)(function, *arguments, **facts)
        return json.loads(printed.call_args.args[0])

    def test_launches_number_on_from_the_warm_up(self):
        record = self.printed("measure", lambda number: (2 + number, 5 + number), peer="jax", samples_per_launch=100)
        numbers = range(3, 28)
        expected = {"ms": [2 + n for n in numbers], "hits": sum(5 + n for n in numbers), "samples": 2500}
        self.assertEqual({"peer": "jax", "samples_per_launch": 100} | expected, record)

    def test_a_mean(self):
        # Half of 10 numbers are 2 and half 6: mean 4, variance 4.
        record = self.printed("measure_mean", lambda number: (1.5, 40, 200), 10, peer="jax")
        self.assertEqual((4, 250, [1.5] * 25), (record["estimate"], record["numbers"], record["ms"]))
        self.assertAlmostEqual(math.sqrt(4 / 250), record["sd"])

    def test_packages_that_are_not_installed_or_broken(self):
        hidden = self.root / "hidden"
        hidden.mkdir()
        environment = os.environ | {"PYTHONPATH": str(hidden)}
        for name in ("torch", "cupy", "jax", "triton", "cuda"):
            (hidden / f"{name}.py").write_text(f"raise ModuleNotFoundError('hidden', name='{name}')\n")
        packages = ("torch", "torch", "cupy", "jax", "triton", "cuda.tile")
        for (script, *arguments), name in zip(COMMANDS.values(), packages, strict=True):
            process = self.execute(
                sys.executable, "-B", SCRIPTS / "peers" / f"{script}.py", *arguments, env=environment
            )
            self.assert_ends(process, 3, f"{name} is not installed")
        # cuda is there with another package in it, as NVIDIA's bindings are.
        (hidden / "cuda.py").write_text("raise ModuleNotFoundError('hidden', name='cuda.tile')\n")
        process = self.execute(sys.executable, "-B", SCRIPTS / "peers" / "with_cuda_tile.py", env=environment)
        self.assert_ends(process, 3, "cuda.tile is not installed")
        (hidden / "jax.py").write_text("import no_such_library\n")
        process = self.execute(sys.executable, "-B", SCRIPTS / "peers" / "with_jax.py", env=environment)
        self.assertEqual((1, True), (process.returncode, "no_such_library" in process.stderr.splitlines()[-1]))


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
            self.assert_ends(
                self.execute(*command, env=os.environ | {"PYTHONPATH": str(self.root)}), 3, "numba finds no GPU"
            )


class Word(int):
    """A word of 32 bits, as those of tiles: sums wrap around."""

    def __new__(cls, value):
        return super().__new__(cls, value % 2**32)

    def __add__(self, other):
        return Word(int(self) + other)


class CudaTilePeerTest(unittest.TestCase):
    """The generator that the peer in CUDA Tile writes out, with whole numbers for tiles."""

    def test_known_answers_of_philox(self):
        tile = mock.Mock(uint32=Word, uint64=int, astype=lambda value, kind: kind(value), kernel=lambda own: own)
        folder = SCRIPTS / "peers"
        modules = {"cuda": mock.Mock(tile=tile), "cuda.tile": tile, "on_torch": mock.Mock()}
        with mock.patch.dict(sys.modules, modules), mock.patch.object(sys, "path", [str(folder), *sys.path]):
            spec = importlib.util.spec_from_file_location("with_cuda_tile", folder / "with_cuda_tile.py")
            peer = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(peer)
        answers = json.loads((REPOSITORY / "tests" / "data" / "known_answers.json").read_text())["philox4x32_10"]
        self.assertEqual(3, len(answers))
        for answer in answers:
            counter, key, output = (
                [Word(int(word, 16)) for word in answer[name]] for name in ("counter", "key", "output")
            )
            self.assertEqual(output, list(peer.philox(*counter, *key)))


class ArraysPeersTest(PeersTest):
    """The peers of the ladder arrays, which are all programs that a compiler makes, if it can."""

    SUITE = "arrays"

    def setUp(self):
        super().setUp()
        document = json.loads((DATA / "ladders" / "arrays.json").read_text())
        for version in ("a5", "a9"):
            self.add_version(
                version, document=document | {"runs": [document["runs"][0] | {"version": version}]}, prefix="arrays"
            )
        for name in OF_ARRAYS:
            self.add_peer(name)

    @needs_jsonschema
    def test_they_have_a_file_of_their_own_and_one_that_was_not_built_or_has_no_gpu_is_missing(self):
        self.succeeded(self.peers())
        self.assertEqual(OF_ARRAYS, list(self.rows()))
        self.assertEqual(["arrays-peers.json"], os.listdir(self.stored.parent))
        self.stored.unlink()
        (self.bin / "peer_arrays_openacc").unlink()
        self.add_peer("arrays_openmp", end=Ends(3, "no GPU for it"))
        self.succeeded(self.peers())
        rows = self.rows()
        self.assertEqual("no GPU for it", rows["arrays_openmp"]["missing"])
        self.assertIn("peer_arrays_openacc was not built", rows["arrays_openacc"]["missing"])
        self.assertIn("per_ns", rows["arrays_nvidia"])

    def test_usage(self):
        for options, *parts in (
            (("--suite", "arrays", "--only", "thrust"), "arrays", "thrust"), (("--only", "arrays_thrust"), "arrays_thrust"),
            (("--only", "numpy"), "numpy"), (("--suite", "dice"), "dice"), (("--suite", "pi"), "pi_v11"),
        ):  # fmt: skip
            self.assert_ends(self.measure(*options), 2, *parts)
        (self.bin / "arrays_a9").unlink()
        self.assert_ends(self.peers(), 2, "arrays_a9")


class PricesPeersTest(PeersTest):
    """The peers of the ladder asian: 25·10^6 paths, half of which pay 2 × mean."""

    SUITE = "asian"

    def setUp(self):
        super().setUp()
        document = json.loads((DATA / "ladders" / "asian.json").read_text())
        for version in ("a2", "a5"):
            runs = [run for run in document["runs"] if run["version"] == version]
            self.add_version(version, document=document | {"runs": runs}, prefix="options")

    def answer(self, name, mean, variance=46.24):
        n = 25 * 10**6
        return lambda options: {
            "peer": name, "package": "fixture 1.0", "generator": "a formula", "samples_per_launch": 256 * 10**6, "ms": [2.0] * 25,
            "estimate": mean, "sd": math.sqrt(variance / n), "numbers": n,
        }  # fmt: skip

    def run_one(self, mean, variance=46.24):
        self.add_function("peer_asian_nvidia", self.answer("asian_nvidia", mean, variance))
        return self.peers("--only", "asian_nvidia")

    def test_an_estimate_that_fits_the_reference_of_the_versions(self):
        self.assertEqual(0, self.peers("--only", "asian_nvidia").returncode)
        self.assertIn("peer_asian_nvidia was not built", self.rows()["asian_nvidia"]["missing"])
        # 4.2 ± 4.5e-5. 25·10^6 paths have an sd of 1.36e-3, of which five are 6.8e-3.
        self.succeeded(self.run_one(4.2060))
        row = self.rows()["asian_nvidia"]
        self.assertAlmostEqual(4.2060, row["outcome"]["estimate"], places=9)
        self.assertAlmostEqual(1.36e-3, row["outcome"]["sd"], delta=1e-6)
        self.assertAlmostEqual(128.0, row["per_ns"]["median"], places=9)

    def test_estimates_that_do_not_fit(self):
        for mean, variance, words in (
            (4.2080, 46.24, "from 4.2, too far"),
            (4.1920, 46.24, "too far"),
            (4.2, 60.0, "independent"),
        ):
            process = self.failed(self.run_one(mean, variance))
            self.assertIn(words, process.stderr.splitlines()[0])
            self.assertIn(words, self.rows()["asian_nvidia"]["error"])
            self.stored.unlink()
        # Another option has its own reference.
        self.programs["prices_with_quantlib.py"] = self.answer("quantlib", 4.7912, 52.0)
        self.succeeded(self.peers("--only", "quantlib"))


class SolversPeersTest(PeersTest):
    """The peers of the ladder mcls, which say how far they are after some iterations."""

    SUITE, NAME = "mcls", "cusparse_cg_lap2d"

    def setUp(self):
        super().setUp()
        document = json.loads((DATA / "ladders" / "mcls.json").read_text())
        run = next(run for run in document["runs"] if run["version"] == "v14") | {"version": "v18"}
        self.add_version("v18", document=document | {"runs": [run]}, prefix="mcls")
        self.add_function("peer_mcls_block", lambda options: self.no_gpu())
        rows = json.loads((DATA / "ladders" / "mcls-peers.json").read_text())["runs"]
        self.kept = next(row for row in rows if row["version"] == self.NAME)
        # It times several solves, of which the median is stored.
        solves = lambda ms: [1.02 * ms, ms, 0.98 * ms]
        self.row = self.kept | {"points": [point | {"ms": solves(point["ms"])} for point in self.kept["points"]]}

    def no_gpu(self):
        raise Ends(3, "no GPU for it")

    def run_one(self, name=NAME, program="peer_mcls_cusparse", **changes):
        solver = {"peer": name} | {field: value for field, value in self.row.items() if field != "version"} | changes
        self.add_function(program, lambda options: solver)
        return self.peers("--only", name)

    def test_what_a_solver_prints_is_stored(self):
        process = self.succeeded(self.run_one())
        self.assertIn("56 iterations in 400 µs", process.stdout)
        self.assertEqual({self.NAME: self.kept}, self.rows())
        self.assertEqual((0, "peer_mcls_cusparse", ["cg", "lap2d"]), self.log[-1])

        # Monte Carlo synthetic acceleration:
        self.succeeded(self.run_one("mcls_solve_sp1", "mcls_solve", method="mcsa", system="sp1"))
        self.assertEqual((0, "mcls_solve", ["--system", "sp1", "--json", "-"]), self.log[-1])

        # One that does not reach its tolerance says so.
        process = self.succeeded(self.run_one(reached=False, points=self.row["points"][:2]))
        self.assertRegex(process.stdout, "16 iterations .* not reached: residual 5.0 × 10⁻¹")

    @needs_jsonschema
    def test_what_no_solver_prints(self):
        first, *others = self.row["points"]
        for part, changes in {
            "points is empty": {"points": []},
            "points[0].ms is empty": {"points": [first | {"ms": []}, *others]},
            "points[0].error is null": {"points": [first | {"error": None}, *others]},
            'processor is "tpu"': {"processor": "tpu"},
            "do not ascend": {"points": [first, first, *others]},
            "says reached: false": {"reached": False},
            "says reached: true": {"points": [first]},
            "its solution is wrong by 1.00e-03": {"points": [*others[:-1], others[-1] | {"error": 1e-3}]},
        }.items():
            process = self.failed(self.run_one(**changes))
            self.assertIn(part, process.stderr.splitlines()[0])
            self.assertIn(part, self.rows()[self.NAME]["error"])
            self.stored.unlink()

    def test_programs_without_a_library_are_missing(self):
        self.assertEqual(0, self.peers().returncode)
        rows = self.rows()
        self.assertEqual("no GPU for it", rows["block_cg_lap2d"]["missing"])
        self.assertIn("peer_mcls_eigen was not built", rows["eigen_lu_sp1"]["missing"])


class PeersFailTest(PeersTest):
    def assert_recorded(self, *parts, **facts):
        """The peer is stored with its error, the others are measured, and the exit code says so."""
        self.add_peer("jax", **facts)
        process = self.failed(self.peers("--only", "jax", "cupy"))
        first, last = process.stderr.splitlines()
        self.assertIn("has no new rows of jax", last)
        for part in ("jax", *parts):
            self.assertIn(part, first)
        self.assertIn("per_ns", self.rows()["cupy"])
        for part in parts:
            self.assertIn(part, self.rows()["jax"]["error"])
        self.stored.unlink()

    def test_hits_that_do_not_fit_pi(self):
        # 25·10^9 samples: one sd is 1.04e-5, so that 6e-5 is too far, and 4e-5 is not.
        for excess in (15_000, -15_000):
            self.assert_recorded("too far", hits=FITTING + excess)
        for excess in (10_000, -10_000):
            self.add_peer("jax", hits=FITTING + excess)
            self.assertEqual(0, self.peers("--only", "jax").returncode)
            self.stored.unlink()

    @needs_jsonschema
    def test_what_no_peer_measures(self):
        for parts, facts in (
            (("out of luck",), {"end": Ends(1)}), (("ms[0] is -0.9", "not above"), {"ms": -1}), (("calls itself cupy",), {"says": "cupy"}),
            (("9 launches",), {"timed": 9}), (("not JSON",), {"text": "hello"}), (("lacks 'peer'",), {"text": "{}"}),
        ):  # fmt: skip
            with self.subTest(parts):
                self.assert_recorded(*parts, **facts)

    def test_interrupted(self):
        self.add_peer("thrust", end=Ends(130))
        self.assert_ends(self.peers("--only", "jax", "thrust"), 130, f"what was measured is in {self.stored}")
        self.assertEqual(["jax"], list(self.rows()))


# Rendering


class RenderPeersTest(RenderTest):
    """A site with the fixture of peers: v11 at 2600 samples/ns, v15 at 5200, PyTorch at 130, Thrust at 520."""

    def setUp(self):
        super().setUp()
        self.peers = self.site / "results" / SLUG / "pi-peers.json"
        shutil.copy(FIXTURE, self.peers)

    def test_the_table(self):
        before = self.page.read_text()
        self.assertEqual(0, self.render().returncode)
        section = self.page.read_text().replace("\N{NO-BREAK SPACE}", " ").split("## Peers\n")[1]
        self.assertIn("[pi-peers.json](pi-peers.json)", section)
        table, _, reasons = section.split("\n\n")[5:8]
        self.assertEqual([
            "| Program | Package | Generator | Samples/ns (95 % interval) |",
            "| :--- | :--- | :--- | ---: |",
            "| v11: Bits | this suite | LCG | 2,600 [2,599, 2,601] |",
            "| v15: Next | this suite | another | 5,200 [5,199, 5,201] |",
            "| PyTorch, eager | torch 2.11.0 | Philox4x32-10 | 130.00 [129.90, 130.10]§ |",
            "| Thrust | Thrust 3.0.1 | minstd_rand | 520 [519, 521]§ |",
        ], table.splitlines())  # fmt: skip
        self.assertEqual("Without a result: CuPy (cupy is not installed); JAX (failed: `out of \\| luck`).", reasons)
        self.peers.unlink()  # without it there is no section
        self.assertEqual(0, self.render().returncode)
        self.assertEqual(before, self.page.read_text())
        self.assertNotIn("Peers", before)

    def test_the_bars(self):
        chart = self.charts()[self.peers.with_suffix(".svg")]
        bars = [(row["label"], row["kind"], row["rates"][0]["median"]) for row in chart["rows"]]
        # The first of the versions, v11, and the fastest sound step of pi.json, v4; not v15, which is neither.
        self.assertEqual([("v11, this suite", "demonstration", 2600), ("v4, this suite", "sound", 1000.0),
                          ("Thrust", "package", 520), ("PyTorch, eager", "package", 130)], bars)  # fmt: skip
        self.assertEqual([0, 2600], chart["range"])
        need_matplotlib()
        (svg,) = drawing.draw([chart])
        for text in ("PyTorch, eager", "520§", "other packages", "samples per nanosecond"):
            self.assertIn(text, svg)

    @needs_jsonschema
    def test_a_broken_file(self):
        edits = [
            ('"median": 130,', '"median": 0,'), ('"package": "torch 2.11.0",', ""), ('"generator": "LCG",', ""),
            ('"version": "cupy",', ""), ('"runs": [', '"runs": [3,'), ('"schema": 3', '"schema": 4'),
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
            with self.assertRaisesRegex(
                figures.Missing, "^$"
            ):  # without a warning: its package or its file is not there
                figures.figure(path, documents)


if __name__ == "__main__":
    unittest.main()
