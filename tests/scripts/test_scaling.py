#!/usr/bin/env python3
"""Tests of scripts/scaling, with programs and an mpirun whose times follow a formula, of the model, and of render."""

import itertools
import json
import math
import os
import random
import shutil
import statistics
import sys
import unittest
from fractions import Fraction
sys.dont_write_bytecode = True

from sandbox import RESULTS, SCRIPTS, SLUG, MeasuringSandbox, need_matplotlib, pi
from test_render_evidence import EvidenceTest, cells

from suite.analyse import scaling_model
from suite.documents import checks, stored
from suite.render import drawing, scaling

# Prints the record of a team: W samples on P GPUs take W / (P r) + L + R log2 P, a launch 5 us more than its samples.
PROGRAM = """#!{python} -S
import json, math, os, sys
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
if "--version" in sys.argv:
    print("pi_{version} 1.0.0\\nMPI: {mpi}")
    sys.exit()
if "--list-devices" in sys.argv:
    if {gpus}:
        for i in range({gpus}): print(f"{{i}}  NVIDIA Fixture 9000, compute capability 9.9")
        sys.exit()
    print("pi: no driver", file=sys.stderr)
    sys.exit(3)
world = int(os.environ.get("WORLD", 0))
if world and "--devices" in options: sys.exit("pi: --devices is for one process")
gpus = len(options["--devices"].split(",")) if "--devices" in options else world
with open("{log}", "a") as log:
    root = os.environ.get("OMPI_ALLOW_RUN_AS_ROOT")
    print("{version}", f"world={{world}}", f"root={{root}}", *sys.argv[1:], file=log)
iters = int(options.get("--iters", 100000))
batch, launches = int(options["--batch"]), int(options["--launches"])
if options.get("--scaling") == "weak": batch, launches = batch * gpus, launches * gpus
per_launch = 2**18 * iters
launch_ms = 0.005 + per_launch / {rate} / 1e6
busy_ms = launch_ms * math.ceil(batch / gpus)
wall_ms = busy_ms + {start_us} / 1e3 + {step_us} / 1e3 * math.log2(gpus)
names = ["NVIDIA Fixture 9000"] * gpus
team = {{"kind": "devices", "mpi": None, "scaling": "strong", "size": gpus, "hosts": ["a"]}}
if world: team |= {{"kind": "mpi", "mpi": "Open MPI v4.1.4, stub"}}
team["wall_ms"] = [wall_ms / batch * part for part in (1, 1, 1.01, 0.99, 1, 1, 1)]
{extra}
team["members"] = [{{"name": name}} for name in names]
document = json.load(open("{record}"))
document["context"] |= {context}
if world and os.environ.get("OMPI_MCA_hwloc_base_binding_policy") != "none": document["context"]["host"]["cores"] = 1
document["runs"][0] |= {{
    "version": "{version}", "work": per_launch, "iters": iters, "launches": launches, "batch": batch,
    "kernel_ms": [busy_ms / batch] * 7, "team": team,
}}
json.dump(document, sys.stdout)
"""

# Rank 0 alone prints, so one process will do. It knows the world's size from the environment.
MPIRUN = """#!{python} -S
import os, subprocess, sys
assert sys.argv[1] == "-np", sys.argv
code = subprocess.call(sys.argv[3:], env=os.environ | {{"WORLD": sys.argv[2]}})
if code: print("-----\\nmpirun detected that a process ended with code", code, "\\n-----", file=sys.stderr)
sys.exit(code)
"""

RATE, START_US, STEP_US = 2600, 12.0, 7.0
FIRST_STRONG_MS, LAST_STRONG_MS = 1, 1000


class ScalingTest(MeasuringSandbox):
    COMMAND, PROGRAM = "scaling", PROGRAM

    def setUp(self):
        super().setUp()
        self.path = self.root / "path"
        self.path.mkdir()

    def measure(self, *options):
        # The interpreter is named: the only mpirun on the PATH may be that of this test.
        env = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_")}
        command = [sys.executable, SCRIPTS / "scaling", "--bin", self.bin, "--out", self.out, *options]
        return self.execute(*command, env=env | {"PATH": str(self.path)})

    def add_mpirun(self):
        path = self.path / "mpirun"
        path.write_text(MPIRUN.format(python=sys.executable))
        path.chmod(0o755)

    def add(self, version="v11", gpus=2, rate=RATE, mpi="none", extra="", context=()):
        facts = {"gpus": gpus, "rate": rate, "start_us": START_US, "step_us": STEP_US}
        self.add_program(version, mpi=mpi, extra=extra, context=dict(context), **facts)

    def document(self, gpus=2):
        return stored.load_scalings(self.out)[f"{SLUG}-x{gpus}"].document

    def points(self, gpus=2, **facts):
        points = self.document(gpus)["points"]
        return [point for point in points if all(point[name] == value for name, value in facts.items())]

    def commands(self):
        """World, whether root may, and options of each run."""
        lines = [line.split() for line in self.log.read_text().splitlines()]
        return [(world, root, dict(zip(line[::2], line[1::2]))) for _, world, root, *line in lines]

    def assert_measured(self, process):
        self.assertEqual((0, ""), (process.returncode, process.stderr))


class MeasuresTest(ScalingTest):
    def test_defaults(self):
        for version in ("v19", "v11", "v8"):
            self.add(version)
        process = self.measure()
        self.assert_measured(process)
        lines = process.stdout.splitlines()
        self.assertEqual("without MPI: mpirun not found", lines[0])
        self.assertEqual(f"wrote {self.out / f'{SLUG}-x2' / 'scaling.json'}", lines[-1])
        document = self.document()
        self.assertEqual((2, None), (document["gpus"], document["mpi"]))
        self.assertEqual(["v11", "v19"], list(dict.fromkeys(point["version"] for point in document["points"])))
        self.assertEqual(len(lines) - 2, len(document["points"]))
        self.assertEqual(json.loads((RESULTS / "gpu.json").read_text())["context"], document["context"])

    def test_launches_of_almost_half_a_millisecond(self):
        for rate in (30, RATE, 1e5):
            self.add(rate=rate)
            self.assert_measured(self.measure())
            (iters,) = {point["iters"] for point in self.points()}
            launch_ms = 0.005 + 2**18 * iters / rate / 1e6
            self.assertTrue(0.4 <= launch_ms <= 0.5, (rate, iters, launch_ms))
            for point in self.points():
                self.assertEqual(point["launches"] * 2**18 * iters, point["samples"])

    def test_sizes_of_runs(self):
        self.add()
        self.measure()
        weak, strong = self.points(mode="weak"), self.points(mode="strong")
        for gpus in (1, 2):
            alone = [point["run_ms"]["median"] for point in weak if point["gpus"] == gpus]
            self.assertEqual([1, 10], [round(ms / 10) for ms in alone])
        together = [point for point in strong if point["gpus"] == 2]
        alone = [point["launches"] for point in strong if point["gpus"] == 1]
        self.assertEqual(alone, [point["launches"] for point in together])
        times = [point["run_ms"]["median"] for point in together]
        self.assertLess(abs(math.log(times[0] / FIRST_STRONG_MS)), 0.3)
        self.assertLess(abs(math.log(times[-1] / LAST_STRONG_MS)), 0.1)
        for first, second in itertools.pairwise(times):
            self.assertTrue(2.4 < second / first < 4, times)

    def test_options_of_the_programs(self):
        self.add()
        self.measure()
        commands = self.commands()
        self.assertEqual({"world=0"}, {world for world, _, _ in commands})
        measured = [options for _, _, options in commands if "--scaling" in options]
        self.assertEqual({"0", "0,1"}, {options["--devices"] for options in measured})
        for options, point in zip(measured, self.points(), strict=True):
            gpus = len(options["--devices"].split(","))
            self.assertEqual((gpus, options["--scaling"]), (point["gpus"], point["mode"]))
            factor = gpus if options["--scaling"] == "weak" else 1
            self.assertEqual(point["launches"], int(options["--batch"]) * factor)
            timings = int(options["--launches"]) / int(options["--batch"])
            self.assertTrue(timings.is_integer() and timings >= 3)
            self.assertTrue(0.5 <= timings * point["run_ms"]["median"] / 1e3 < 7)

    def test_times_are_those_of_a_run(self):
        self.add()
        self.measure()
        for point in self.points():
            launches = point["launches"] / point["gpus"]
            launch_ms = 0.005 + 2**18 * point["iters"] / RATE / 1e6
            wall_ms = launches * launch_ms + (START_US + STEP_US * (point["gpus"] - 1)) / 1e3  # log2 of 1 and of 2
            expected = {"median": wall_ms, "low": 0.99 * wall_ms, "high": 1.01 * wall_ms}
            for name, ms in expected.items():
                self.assertAlmostEqual(1, point["run_ms"][name] / ms, places=5)
            self.assertAlmostEqual(1, point["kernel_ms"]["median"] / (launches * launch_ms), places=5)

    def test_efficiency(self):
        self.add()
        self.measure()
        self.assertEqual({1.0}, {point["efficiency"] for point in self.points(gpus=2) if point["gpus"] == 1})
        for point in self.points():
            launch_us = 5 + 2**18 * point["iters"] / RATE / 1e3
            each_us = point["launches"] / point["gpus"] * launch_us
            alone_us = START_US + each_us * (point["gpus"] if point["mode"] == "strong" else 1)
            parts = point["gpus"] if point["mode"] == "strong" else 1
            expected = alone_us / parts / (START_US + each_us + STEP_US * math.log2(point["gpus"]))
            self.assertAlmostEqual(expected, point["efficiency"], places=4)

    def test_all_numbers_of_gpus(self):
        for gpus, sizes in {4: [1, 2, 4], 6: [1, 2, 4, 6], 8: [1, 2, 4, 8]}.items():
            self.add(gpus=gpus)
            self.assert_measured(self.measure())
            points = self.document(gpus)["points"]
            self.assertEqual(sizes, sorted({point["gpus"] for point in points}))
            for point in points:
                self.assertEqual(0, point["launches"] % point["gpus"])

    def test_fewer_gpus(self):
        self.add(gpus=8)
        self.assert_measured(self.measure("--gpus", "3"))
        self.assertEqual({1, 2, 3}, {point["gpus"] for point in self.document(3)["points"]})
        self.assert_measured(self.measure("--gpus", "99"))
        self.assertEqual(8, self.document(8)["gpus"])

    def test_versions_of_choice(self):
        self.add("v3")
        self.add("v11")
        self.assert_measured(self.measure("v3", "v3"))
        self.assertEqual({"v3"}, {point["version"] for point in self.points()})


class MpiTest(ScalingTest):
    def test_a_process_for_each_gpu(self):
        self.add_mpirun()
        self.add(mpi="Open MPI v4.1.4")
        self.assert_measured(self.measure())
        self.assertEqual("Open MPI v4.1.4, stub", self.document()["mpi"])
        by_launcher = {launcher: self.points(launcher=launcher) for launcher in ("devices", "mpi")}
        self.assertEqual(len(by_launcher["devices"]), len(by_launcher["mpi"]))
        measured = [(world, options) for world, _, options in self.commands() if "--scaling" in options]
        self.assertEqual({("world=0", "0"), ("world=0", "0,1"), ("world=1", None), ("world=2", None)},
                         {(world, options.get("--devices")) for world, options in measured})  # fmt: skip

    def test_root_alone_is_let_run(self):
        self.add_mpirun()
        self.add(mpi="Open MPI v4.1.4")
        self.measure()
        allowed = {root for _, root, _ in self.commands()}
        self.assertEqual({"root=1"} if os.geteuid() == 0 else {"root=None"}, allowed)

    def test_without_it(self):
        self.add(mpi="Open MPI v4.1.4")
        self.assertIn("without MPI: mpirun not found\n", self.measure().stdout)
        self.add_mpirun()
        self.assertIn("without MPI: as asked\n", self.measure("--no-mpi").stdout)
        self.assertEqual([], self.points(launcher="mpi"))
        self.add("v19")
        self.assertIn("without MPI: pi_v19 was built without it\n", self.measure().stdout)
        self.assert_ends(self.measure("--mpi"), 2, "--mpi", "pi_v19 was built without it")
        self.assert_measured(self.measure("--mpi", "v11"))

    def test_what_the_program_said(self):
        self.add_mpirun()
        said = 'if world == 2: sys.exit(print("pi_v11: rank 1 (a): out of luck", file=sys.stderr) or 4)'
        self.add(mpi="Open MPI v4.1.4", extra=said)
        self.assert_ends(self.measure(), 1, "mpirun -np 2", "exit 4", "rank 1 (a): out of luck", "nothing was written")
        self.assert_nothing_written()

    def test_one_gpu(self):
        self.add_mpirun()
        self.add(gpus=1, mpi="Open MPI v4.1.4")
        process = self.measure()
        self.assert_ends(process, 0, "at least two GPUs", "nothing was written")
        self.assertIn(" mpi ", process.stdout)
        self.assert_nothing_written()


class StopsTest(ScalingTest):
    def test_with_one(self):
        self.add(gpus=1)
        for options in ((), ("--gpus", "1")):
            process = self.measure(*options)
            self.assert_ends(process, 0, "at least two GPUs", "nothing was written")
            self.assertIn("1 GPU ", process.stdout)
        self.assert_nothing_written()

    def test_programs_that_do_something_else(self):
        several = "if gpus > 1: "
        cases = {
            'sys.exit("first\\nout of luck")': ("pi_v11 --devices 0", "exit 1", "out of luck"),
            several + 'team["size"] = 1': ("ran on 1 GPUs instead of 2",),
            several + 'names[1] = "NVIDIA Other"': ("the GPUs differ: NVIDIA Fixture 9000, NVIDIA Other",),
            several + "batch //= 2": ("pi_v11 timed", "at once instead of"),
            several + "busy_ms *= 1.3": ("a launch of 0.5", "more than 0.5"),
            'team["wall_ms"][0] = 0': ("pi_v11.team.wall_ms[0] is 0, not a positive number",),
            'team["wall_ms"] = []': ("pi_v11.team.wall_ms is empty",),
            "team = None": ("team",),
            "busy_ms = 1e3 * batch": ("no launch takes about 0.45 ms",),
        }
        for extra, parts in cases.items():
            with self.subTest(extra=extra):
                self.add(extra=extra.replace("team = None", "team = {}"))
                self.assert_ends(self.measure(), 1, *parts, "nothing was written")
                self.assert_nothing_written()

    def test_programs_of_several_builds(self):
        self.add("v11")
        self.add("v19", context={"commit": "f" * 40})
        self.assert_ends(self.measure(), 1, "mixed contexts", "commit", "nothing was written")
        self.assert_nothing_written()

    def test_usage(self):
        self.add()
        self.assert_ends(self.measure("v9"), 2, "pi_v9")
        self.assert_ends(self.measure("cpu"), 2, "cpu")
        self.assert_ends(self.measure("--gpus", "0"), 2, "--gpus 0")
        self.assert_ends(self.measure("--gpus", "two"), 2, "--gpus")


# The model


def synthetic(rate, start_us, step_us, sizes=(1, 2), noise=0.0, seed=1):
    """Points of a known model: strong and weak runs of 1 ms to 1 s, with relative noise."""
    source = random.Random(seed)
    points = []
    for gpus in sizes:
        for power in range(13):
            samples = round(rate * 1e6 * 10 ** (power / 4))
            us = Fraction(samples, gpus) / Fraction(rate) / 1000 + Fraction(start_us)
            us += Fraction(step_us) * int(math.log2(gpus))
            ms = float(us / 1000) * (1 + noise * source.gauss(0, 1))
            points.append({"gpus": gpus, "samples": samples, "run_ms": {"median": ms}})
    return points


class ModelTest(unittest.TestCase):
    def test_parameters_of_exact_times(self):
        cases = ((2607, 12, 7, (1, 2)), (14192, 30, 2.5, (1, 2, 4, 8)), (0.5, 100, 0, (1, 4)))
        for rate, start_us, step_us, sizes in cases:
            model = scaling_model.fit(synthetic(rate, start_us, step_us, sizes))
            self.assertAlmostEqual(1, model.rate.value / rate, places=9)
            self.assertAlmostEqual(start_us, model.start_us.value, places=5)
            self.assertAlmostEqual(step_us, model.step_us.value, places=5)
            self.assertLess(model.residual, 1e-9)

    def test_standard_errors_are_the_scatter_of_repetitions(self):
        models = [scaling_model.fit(synthetic(14192, 30, 5, noise=0.002, seed=seed)) for seed in range(300)]
        for name, truth in (("rate", 14192), ("start_us", 30), ("step_us", 5)):
            values = [getattr(model, name).value for model in models]
            stated = statistics.fmean(getattr(model, name).sd for model in models)
            scatter = statistics.stdev(values)
            self.assertLess(abs(statistics.fmean(values) - truth), 4 * scatter / math.sqrt(len(values)))
            self.assertTrue(0.85 < stated / scatter < 1.15, (name, stated, scatter))

    def test_the_largest_difference_is_relative(self):
        points = synthetic(2607, 12, 7)
        points[5]["run_ms"]["median"] *= 1.02
        self.assertTrue(0.015 < scaling_model.fit(points).residual < 0.02)

    def test_one_gpu_determines_no_step(self):
        model = scaling_model.fit(synthetic(2607, 12, 7, sizes=(1,)))
        self.assertAlmostEqual(2607, model.rate.value, places=5)
        self.assertIsNone(model.step_us)
        self.assertIsNone(scaling_model.seconds(model, 10**18, 2))
        self.assertIsNone(scaling_model.shortest_us(model, 0.98, 1024, 450))
        self.assertIsNone(scaling_model.efficiency(model, 1e4, 1024))
        self.assertAlmostEqual(10**18 / 2607e9, scaling_model.seconds(model, 10**18, 1), delta=1)

    def test_points_that_determine_nothing(self):
        points = synthetic(2607, 12, 7)
        several = [point for point in points if point["gpus"] == 2]
        for some in ([], points[:1], several, [points[0]] * 5):
            self.assertIsNone(scaling_model.fit(some))

    def test_as_many_points_as_parameters(self):
        points = synthetic(2607, 12, 7)
        model = scaling_model.fit([points[0], points[9], points[-1]])
        self.assertAlmostEqual(7, model.step_us.value, places=5)
        self.assertIsNone(model.step_us.sd)

    def test_predictions(self):
        model = scaling_model.fit(synthetic(10000, 30, 5))  # 80 us besides the samples, on 1,024 GPUs
        self.assertAlmostEqual(1e18 / 1e13 / 8 + 45e-6, scaling_model.seconds(model, 10**18, 8), places=3)
        self.assertAlmostEqual(1e18 / 1e13 / 1024 + 80e-6, scaling_model.seconds(model, 10**18, 1024), places=6)
        # 10 ms: 9.92 ms of samples, and a 1024th of the 30 us that one GPU would take besides.
        self.assertAlmostEqual((9920 + 30 / 1024) / 10000, scaling_model.efficiency(model, 10000, 1024), places=9)
        self.assertEqual(0, scaling_model.efficiency(model, 79, 1024))
        shortest = scaling_model.shortest_us(model, 0.98, 1024, 450)
        self.assertAlmostEqual(0.98, scaling_model.efficiency(model, shortest, 1024), places=9)
        self.assertTrue(3990 < shortest < 4000)  # 80 us are 2 % of 4 ms
        self.assertAlmostEqual(80 + 4500, scaling_model.shortest_us(model, 0.98, 1024, 4500), places=3)

    def test_what_is_below_0_counts_as_0(self):
        model = scaling_model.fit(synthetic(10000, 30, -5))
        self.assertAlmostEqual(-5, model.step_us.value, places=5)
        self.assertAlmostEqual(30, scaling_model.overhead_us(model, 1024), places=5)


# Rendered


def scaling_document(context):
    """Exact times of 10,000 samples/ns a GPU, 30 us and 5 us a step (of MPI 10), on 1, 2 and 4 GPUs."""
    points = []
    for launcher, step_us in (("devices", 5), ("mpi", 10)):
        alone = {}
        for gpus in (1, 2, 4):
            for mode, launches in (("weak", 25), ("weak", 250), ("strong", 8), ("strong", 100), ("strong", 1000)):
                total = launches * gpus if mode == "weak" else launches
                busy_us = total / gpus * 400
                ms = (busy_us + 30 + step_us * math.log2(gpus)) / 1e3
                alone.setdefault((mode, launches), ms)
                efficiency = alone[mode, launches] / ms / (gpus if mode == "strong" else 1)
                points.append({
                    "version": "v19", "launcher": launcher, "mode": mode, "gpus": gpus, "launches": total,
                    "samples": total * 4 * 10**9, "iters": 1000, "run_ms": dict.fromkeys(("median", "low", "high"), ms),
                    "kernel_ms": dict.fromkeys(("median", "low", "high"), busy_us / 1e3), "efficiency": efficiency,
                })  # fmt: skip
    return {"schema": 1, "suite": "pi", "context": context, "gpus": 4, "mpi": "Open MPI v4.1.4", "points": points}


class RenderedTest(EvidenceTest):
    def setUp(self):
        super().setUp()
        self.several = self.site / "results" / f"{SLUG}-x4"
        self.several.mkdir()
        self.stored = self.several / "scaling.json"
        self.scaling_page = self.stored.with_suffix(".md")
        self.original = scaling_document(json.loads(self.result.read_text())["context"])
        self.write(self.original)

    def write(self, document):
        self.stored.write_text(json.dumps(document))

    def chart(self):
        return scaling.chart(stored.load_scalings(self.site / "results")[f"{SLUG}-x4"])

    def section(self):
        self.rendered()
        return self.scaling_page.read_text()

    def rows(self, start):
        lines = [line for line in self.section().splitlines() if line.startswith(f"| {start} |")]
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]

    def test_why_one_gpu_is_slower_than_on_the_page_of_the_ladder(self):
        result = json.loads(self.result.read_text())
        run = next(run for run in result["runs"] if run["version"] == "v3")
        run.update(version="v19", iters=100_000, per_ns=dict.fromkeys(("median", "low", "high", "min", "max"), 10_000.0))
        self.result.write_text(json.dumps(result))
        alone = [point for point in self.original["points"] if (point["mode"], point["gpus"]) == ("weak", 1)]
        point = max(alone, key=lambda point: point["launches"])
        own = point["samples"] / point["run_ms"]["median"] / 1e6
        cost_us = 4e9 * (1 / own - 1 / 10_000) / 1e3
        [row] = [row for row in self.rows("v19") if row[1] == "1,000"]
        self.assertEqual(["v19", "1,000", f"{own:,.0f}", "100,000", "10,000", f"{cost_us:.0f}"], row)
        self.assertIn(f"[the table of the ladder](../{SLUG}/pi.md)", self.section())
        self.result.write_text(json.dumps(result).replace("v19", "v20"))
        self.assertNotIn("One GPU is slower here", self.section())

    def test_points(self):
        measured = [row for row in self.rows("v19") if row[2] in ("weak", "strong")]
        self.assertEqual(10, len(measured))
        # 25 launches of 0.4 ms each, 30 us, and 5 us for each doubling: 10.03, 10.035, 10.04.
        row = ["v19", "one process", "weak", "1.00 × 10¹¹ each", "10.03", "10.04", "10.04", "100.0 %", "99.9 %"]
        self.assertEqual(row, measured[0])
        # 8 launches: 3.23 ms, with MPI's 10 us 1.64 on 2 and 0.85 on 4: 3.23 / 2 / 1.64 and 3.23 / 4 / 0.85.
        row = ["MPI", "strong", "3.20 × 10¹⁰", "3.230", "1.640", "0.8500", "98.5 %", "95.0 %"]
        self.assertEqual(row, measured[7][1:])

    def test_model_and_predictions(self):
        section, (first, second, *predicted) = self.section(), self.rows("v19")[12:]
        values = [float(cell.replace(",", "").split(" ± ")[0]) for cell in [*first[2:5], second[4]]]
        self.assertEqual([10000, 30, 5, 10], values)
        self.assertEqual("0.00 %", first[5])
        # 80 us (with MPI 130) besides the samples are 2 % of 4 ms (6.5), and 0.8 % (1.3) of 10 ms.
        times = ["1.2 d", "3.5 h", "1.6 min"]
        self.assertEqual([["4.0 ms", "99.2 %", *times], ["6.5 ms", "98.7 %", *times]], [row[2:] for row in predicted])
        for text in ("T = W / (P r) + L + R log₂ P", "identical", "lower bound", "nothing fails", "0.40 ms", "10¹⁸",
                     "Open MPI v4.1.4", "# More than one GPU: 4 × NVIDIA Fixture 9000", "(scaling.json)", "(scaling.svg)"):  # fmt: skip
            self.assertIn(text, section)
        self.assertNotIn("below 0", section)

    def test_parameters_to_the_digits_that_they_have(self):
        texts = {(14192.3, 2.4): "14,192 ± 2", (31.42, 0.36): "31.4 ± 0.4", (-0.31, 1.2): "0 ± 1",
                 (-3.1, 1.2): "-3 ± 1", (7.0, None): "7"}  # fmt: skip
        self.assertEqual(texts, {pair: scaling.value_text(scaling_model.Value(*pair)) for pair in texts})

    def test_a_step_too_small_to_be_seen(self):
        for point in self.original["points"]:
            faster_us = 8 * math.log2(point["gpus"])
            for name in ("median", "low", "high"):
                point["run_ms"][name] -= faster_us / 1e3
        self.write(self.original)
        self.assertIn("A parameter below 0", self.section())
        predicted = self.rows("v19")[14]
        self.assertEqual("1.5 ms", predicted[2])  # 30 us are 2 % of 1.5 ms

    def test_the_first_table_is_the_short_one(self):
        # 250 launches of 4e9 samples in 100.03 ms; four times as many in 100.04. Nearest to 10 ms: 100 launches.
        row = ["v19", "one process", "9,997", "39,980", "100.0 %", "99.7 %"]
        self.assertEqual(row, cells(self.section(), "v19"))

    def test_without_a_result(self):
        self.stored.unlink()
        self.rendered()
        self.assertFalse(self.scaling_page.exists())
        self.assertNotIn("scaling", self.index.read_text())
        self.assertEqual(0, self.render("--check").returncode)

    def test_other_devices_are_as_they_were(self):
        before = self.page.read_text()
        self.assertEqual(before, self.rendered())
        self.assertEqual([SLUG], list(stored.load_devices(self.site / "results", pi)))

    def test_no_other_result(self):
        for path in (self.readme, self.story):
            path.write_text("<!-- pi:none -->\n<!-- /pi -->\n")
        shutil.rmtree(self.folder)
        self.assertEqual(0, self.render(env=self.environment()).returncode)
        self.assertFalse(self.page.exists())
        self.assertIn(f"[Several GPUs]({SLUG}-x4/scaling.md)", self.index.read_text())

    def test_check_finds_another_number(self):
        self.rendered()
        for path, chart in self.charts().items():
            path.write_text(drawing.stamped("<svg/>\n", chart))
        self.assertEqual(0, self.render("--check").returncode)
        self.original["points"][12] |= {"run_ms": dict.fromkeys(("median", "low", "high"), 0.95), "efficiency": 0.85}
        self.write(self.original)
        said = self.render("--check")
        self.assertEqual(1, said.returncode)
        for path in (self.scaling_page, self.several / "scaling.svg"):
            self.assertIn(f"{path} differs", said.stderr)

    def test_what_the_chart_shows(self):
        chart = self.chart()
        self.assertEqual(["v19, one process", "v19, MPI"], [line["label"] for line in chart["strong"]["lines"]])
        # 8, 100 and 1000 launches on 4 GPUs: 0.8, 10 and 100 ms, and 40 us.
        expected = [[ms, 100 * alone / 4 / ms] for ms, alone in ((0.84, 3.23), (10.04, 40.03), (100.04, 400.03))]
        for point, (ms, pct) in zip(chart["strong"]["lines"][0]["points"], expected, strict=True):
            self.assertAlmostEqual(ms, point[0], places=6)
            self.assertAlmostEqual(pct, point[1], places=3)
        self.assertEqual([1, 2, 4], [gpus for gpus, _ in chart["weak"]["lines"][1]["points"]])
        self.assertAlmostEqual(100 * 100.03 / 100.05, chart["weak"]["lines"][1]["points"][2][1], places=3)
        self.assertEqual({"pct": 98.0, "text": "98 %"}, chart["wanted"])
        self.assertEqual(90, chart["lowest"])

    def test_the_chart_is_drawn(self):
        need_matplotlib()
        chart = self.chart()
        first, second = (drawing.draw([chart])[0] for _ in range(2))
        self.assertEqual(first, second)
        self.assertTrue(drawing.is_current(first, chart))

    def test_documents_that_there_are_not(self):
        changes = [
            lambda d: d.update(points=[]),
            lambda d: d.update(gpus=8),
            lambda d: d.update(gpus="4"),
            lambda d: d.pop("mpi"),
            lambda d: d["context"].update(device=None),
            lambda d: d["points"].append(3),
            lambda d: d["points"][0].pop("efficiency"),
            lambda d: d["points"][0].update(efficiency=0),
            lambda d: d["points"][0].update(launcher="slurm"),
            lambda d: d["points"][0].update(mode="sideways"),
            lambda d: d["points"][0].update(launches=0),
            lambda d: d["points"][0]["run_ms"].update(low=1e9),
            lambda d: d["points"][0].update(kernel_ms=None),
        ]
        for number, change in enumerate(changes):
            with self.subTest(number=number):
                document = json.loads(json.dumps(self.original))
                change(document)
                self.write(document)
                with self.assertRaisesRegex(checks.ResultError, "scaling.json"):
                    stored.load_scalings(self.site / "results")
        self.assert_refused(str(self.stored))


if __name__ == "__main__":
    unittest.main()
