#!/usr/bin/env python3
"""Tests of scripts/scaling, with programs whose times follow a formula, and of the page that render makes."""

import itertools
import json
import math
import os
import shutil
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from programs import Ends, StudySandbox, launch_of, record
from sandbox import GONE, RESULTS, SLUG, graph, need_matplotlib, needs_jsonschema, pi, put
from test_render_evidence import EvidenceTest, cells

from suite.analyse import scaling as analysis
from suite.documents import kinds, stored, storing
from suite.documents.schema import ResultError
from suite.processes import Outcome
from suite.render import drawing, site
from suite.render import scaling as page
from suite.studies import scaling

RATE, ITERS, START_US, STEP_US = 2600, 4400, 12.0, 7.0
MPIRUN = "/usr/bin/mpirun"
FIRST_STRONG_MS, LAST_STRONG_MS = 1, 1000


class ScalingTest(StudySandbox):
    """Programs whose W samples on P GPUs take W / (P r) + L + R log2 P, a launch 5 us more than its samples."""

    MODULE = scaling

    def setUp(self):
        super().setUp()
        self.mpirun, self.mpi, self.gpus = None, {}, {}
        for patch in (mock.patch("shutil.which", lambda name: self.mpirun), mock.patch.dict(os.environ)):
            patch.start()
            self.addCleanup(patch.stop)

    def add(self, version="v27", gpus=2, rate=RATE, mpi="none", change=None, context=(), ladder=pi):
        """A program; change may change its run, of which it gets the number of GPUs, or end it."""
        name = ladder.program(version)
        self.mpi[name], self.gpus[name] = mpi, gpus

        def answer(options):
            devices, ranks = options.get("--devices"), self.log[-1][0]
            self.assertFalse(devices and ranks, "--devices is for one process")
            size = len(devices.split(",")) if devices else ranks
            factor = size if options.get("--scaling") == "weak" else 1
            batch, launches = (factor * int(options.get(name, 1)) for name in ("--batch", "--launches"))
            shape = launch_of({"--iters": ITERS}, 256, 1024)
            busy_ms = (0.005 + shape["work"] / rate / 1e6) * math.ceil(batch / size)
            wall_ms = busy_ms + START_US / 1e3 + STEP_US / 1e3 * math.log2(size)
            team = {
                "kind": "mpi" if ranks else "devices", "mpi": "Open MPI v4.1.4, stub" if ranks else None, "size": size,
                "scaling": options.get("--scaling", "strong"), "hosts": ["a"], "members": [{"name": "NVIDIA Fixture 9000"}] * size,
                "wall_ms": [wall_ms / batch * part for part in (1, 1, 1.01, 0.99, 1, 1, 1)],
            }  # fmt: skip
            run = shape | {"launches": launches, "batch": batch, "kernel_ms": [busy_ms / batch] * 7, "team": team}
            return record(version, context=context, **run | ((change(run, size) if change else None) or {}))

        self.add_function(name, answer)

    def execute_function(self, *command, errors=None):
        name = os.path.basename(command[0])
        if "--version" in command:
            return Outcome(0, f"{name} 1.0.0\nMPI: {self.mpi[name]}\n", "")
        if "--list-devices" in command:
            return Outcome(0, "".join(f"{i}  NVIDIA Fixture 9000\n" for i in range(self.gpus[name])), "")
        return super().execute_function(*command, errors=errors)

    def document(self, gpus=2):
        return stored.load_scalings(self.out, pi)[f"{SLUG}-x{gpus}"].document

    def points(self, gpus=2, **facts):
        points = analysis.points_of(self.document(gpus))
        return [point for point in points if all(point[name] == value for name, value in facts.items())]


class MeasuresTest(ScalingTest):
    def test_defaults(self):
        for version in ("v27", "v8", "v3"):
            self.add(version)
        process = self.succeeded(self.measure())
        lines = process.stdout.splitlines()
        self.assertEqual("without MPI: mpirun not found", lines[0])
        self.assertEqual(f"wrote {self.out / f'{SLUG}-x2' / 'pi-scaling.json'}", lines[-1])
        points = self.points()
        self.assertEqual(["v27"], list(dict.fromkeys(point["version"] for point in points)))
        self.assertEqual(len(lines) - 3, len(points))
        self.assertRegex(
            lines[2], r"^\[1/12\] pi-scaling v27 +devices, weak, 1 GPU: 22 launches in 9\.\d+ ms; .* left$"
        )
        self.assertEqual(json.loads((RESULTS / "gpu.json").read_text())["context"], self.document()["context"])
        shutil.rmtree(self.out)
        self.succeeded(self.measure("v3", "v3"))  # versions of choice
        self.assertEqual({"v3"}, {point["version"] for point in self.points()})

    def test_a_launch_is_that_of_the_ladder(self):
        self.add("g2", ladder=graph, rate=12)
        self.succeeded(self.measure())
        measured = self.commands("graph_g2")
        self.assertEqual({"1", "2", "20"}, {own["--batch"] for own in measured if "--scaling" in own})  # of 96 ms each
        self.assertFalse([own for own in measured if "--iters" in own])

    def test_sizes_of_runs_and_options_of_the_programs(self):
        self.add()
        self.measure()
        weak, strong = self.points(mode="weak"), self.points(mode="strong")
        for gpus in (1, 2):
            alone = [point["run_ms"]["median"] for point in weak if point["gpus"] == gpus]
            self.assertEqual([1, 10], [round(ms / 10) for ms in alone])
        alone, together = ([point["launches"] for point in strong if point["gpus"] == gpus] for gpus in (1, 2))
        self.assertEqual(alone, together)
        times = [point["run_ms"]["median"] for point in strong if point["gpus"] == 2]
        self.assertLess(abs(math.log(times[0] / FIRST_STRONG_MS)), 0.3)
        self.assertLess(abs(math.log(times[-1] / LAST_STRONG_MS)), 0.1)
        for first, second in itertools.pairwise(times):
            self.assertTrue(8 < second / first < 12, times)
        measured = [options for options in self.commands("pi_v27") if "--scaling" in options]
        self.assertEqual({"0", "0,1"}, {options["--devices"] for options in measured})
        for options, point in zip(measured, self.points(), strict=True):
            gpus = len(options["--devices"].split(","))
            self.assertEqual((gpus, options["--scaling"]), (point["gpus"], point["mode"]))
            factor = gpus if options["--scaling"] == "weak" else 1
            self.assertEqual(point["launches"], int(options["--batch"]) * factor)
            timings = int(options["--launches"]) / int(options["--batch"])
            self.assertTrue(timings.is_integer() and timings >= 3)
            self.assertTrue(0.5 <= timings * point["run_ms"]["median"] / 1e3 < 7)

    def test_times_and_efficiency_are_those_of_a_run(self):
        self.add()
        self.measure()
        for point in self.points():
            self.assertEqual(point["launches"] * 2**18 * ITERS, point["work"])
            each_ms = point["launches"] / point["gpus"] * (0.005 + 2**18 * ITERS / RATE / 1e6)
            wall_ms = each_ms + (START_US + STEP_US * (point["gpus"] - 1)) / 1e3  # log2 of 1 and of 2
            for name, ms in {"median": wall_ms, "low": 0.99 * wall_ms, "high": 1.01 * wall_ms}.items():
                self.assertAlmostEqual(1, point["run_ms"][name] / ms, places=4)
            self.assertAlmostEqual(1, point["kernel_ms"]["median"] / each_ms, places=4)
            parts = point["gpus"] if point["mode"] == "strong" else 1
            self.assertAlmostEqual((START_US / 1e3 + each_ms * parts) / parts / wall_ms, point["efficiency"], places=4)
            if point["gpus"] == 1:
                self.assertEqual(1.0, point["efficiency"])

    def test_all_numbers_of_gpus(self):
        for gpus, sizes in {4: [1, 2, 4], 6: [1, 2, 4, 6], 8: [1, 2, 4, 8]}.items():
            self.add(gpus=gpus)
            self.succeeded(self.measure())
            points = self.points(gpus)
            self.assertEqual(sizes, sorted({point["gpus"] for point in points}))
            for point in points:
                self.assertEqual(0, point["launches"] % point["gpus"])
        # Fewer GPUs:
        self.succeeded(self.measure("--gpus", "3"))
        self.assertEqual({1, 2, 3}, {point["gpus"] for point in self.points(3)})
        self.succeeded(self.measure("--gpus", "99"))
        self.assertEqual(8, stored.load_scalings(self.out, pi)[f"{SLUG}-x8"].gpus)


class PointsTest(ScalingTest):
    """A study that was measured twice, the second time only on one GPU, before an interrupt."""

    def setUp(self):
        super().setUp()
        self.add()
        self.succeeded(self.measure())
        self.stored = self.document(2)
        self.alone = [run for run in self.stored["runs"] if run["team"]["size"] == 1]

    def test_efficiencies_stay_when_only_the_runs_on_one_gpu_are_measured_anew(self):
        joined = storing.joined(self.stored, self.stored | {"runs": self.alone}, kinds.SCALING.of(pi), set())
        self.assertEqual(analysis.points_of(self.stored), analysis.points_of(joined))

    def test_an_efficiency_lies_between_those_of_both_intervals(self):
        alone = {"run_ms": {"low": 9, "median": 10, "high": 12}}
        point = analysis.with_efficiency(
            {"gpus": 2, "mode": "strong", "run_ms": {"low": 5, "median": 5, "high": 6}}, alone
        )
        self.assertEqual((1.0, (0.75, 1.2)), (point["efficiency"], point["between"]))

    def test_a_run_on_two_gpus_without_that_on_one_is_no_point(self):
        several = [run for run in self.stored["runs"] if run not in self.alone]
        self.assertEqual([], analysis.points_of(self.stored | {"runs": several}))


class MpiTest(ScalingTest):
    def test_a_process_for_each_gpu(self):
        self.mpirun = MPIRUN
        self.add(mpi="Open MPI v4.1.4")
        self.succeeded(self.measure())
        self.assertEqual({None, "Open MPI v4.1.4, stub"}, {run["team"]["mpi"] for run in self.document()["runs"]})
        by_launcher = {launcher: self.points(launcher=launcher) for launcher in ("devices", "mpi")}
        self.assertEqual(len(by_launcher["devices"]), len(by_launcher["mpi"]))
        measured = [(ranks, "--devices" in words) for ranks, _, words in self.log if "--scaling" in words]
        self.assertEqual({(0, True), (1, False), (2, False)}, set(measured))
        os.environ.pop("OMPI_ALLOW_RUN_AS_ROOT", None)  # root alone is let run
        self.measure()
        self.assertEqual("1" if os.geteuid() == 0 else None, os.environ.get("OMPI_ALLOW_RUN_AS_ROOT"))
        self.assertEqual("none", os.environ["OMPI_MCA_hwloc_base_binding_policy"])

    def test_without_it(self):
        self.add(mpi="Open MPI v4.1.4")
        self.assertIn("without MPI: mpirun not found\n", self.measure().stdout)
        self.mpirun = MPIRUN
        self.assertIn("without MPI: as asked\n", self.measure("--no-mpi").stdout)
        self.assertEqual([], self.points(launcher="mpi"))
        self.add("v3")
        self.assertIn("without MPI: pi_v3 was built without MPI\n", self.measure("v27", "v3").stdout)
        self.assert_ends(self.measure("--mpi", "v3"), 2, "--mpi", "pi_v3 was built without MPI")
        self.succeeded(self.measure("--mpi", "v27"))

    def test_what_the_program_said(self):
        def end(_, size):
            if self.log[-1][0] == 2:
                raise Ends(4, "pi_v27: rank 1 (a): out of luck\nmpirun detected that a process ended with code 4")

        self.mpirun = MPIRUN
        self.add(mpi="Open MPI v4.1.4", change=end)
        process = self.failed(self.measure())
        first, last = process.stderr.splitlines()
        for part in ("mpirun -np 2", "exit 4", "rank 1 (a): out of luck"):
            self.assertIn(part, first)
        self.assertIn("has no new rows of v27", last)
        # What was measured before is stored.
        self.assertEqual({1, 2}, {run["team"]["size"] for run in self.document()["runs"] if "error" not in run})


class StopsTest(ScalingTest):
    def test_with_one(self):
        self.add(gpus=1)
        for options in ((), ("--gpus", "1")):
            self.assert_ends(self.measure(*options), 0, "at least two GPUs", "nothing was measured")
        self.assert_nothing_written()

    @needs_jsonschema
    def test_programs_that_do_something_else(self):
        def ends(run, size):
            raise Ends(1, "out of luck")

        def of_team(**changes):
            return lambda run, size: {"team": run["team"] | changes} if size > 1 else None

        def held_up(run, size):
            return {"team": run["team"] | {"wall_ms": [2 * ms for ms in run["team"]["wall_ms"]]}} if size == 1 else None

        members = [{"name": "NVIDIA Fixture 9000"}, {"name": "NVIDIA Other"}]
        cases = [
            (ends, ("pi_v27 --devices 0", "exit 1", "out of luck")),
            (of_team(size=1), ("ran on 1 GPUs instead of 2",)),
            (of_team(members=members), ("the GPUs differ: NVIDIA Fixture 9000, NVIDIA Other",)),
            (lambda run, size: {"batch": run["batch"] // size}, ("pi_v27 timed", "at once instead of")),
            (of_team(wall_ms=[0, 1]), ("v27.team.wall_ms[0] is 0, not above",)),
            (of_team(wall_ms=[]), ("pi_v27 timed nothing",)),
            (held_up, ("an efficiency of 2.0", "held up the one GPU")),
            (lambda run, size: {"team": {}}, ("v27.team lacks 'kind'",)),
            (lambda run, size: {"team": None}, ("ran on no team GPUs",)),
        ]
        for change, parts in cases:
            with self.subTest(parts):
                self.add(change=change)
                process = self.failed(self.measure())
                for part in parts:
                    self.assertIn(part, process.stderr.splitlines()[0])

    def test_usage(self):
        self.add()
        for options, part in (
            (("v9",), "pi_v9"),
            (("cpu",), "cpu"),
            (("--gpus", "0"), "--gpus 0"),
            (("--gpus", "two"), "--gpus"),
        ):
            self.assert_ends(self.measure(*options), 2, part)


# Rendered


def scaling_document(context):
    """Exact times of 10,000 samples/ns a GPU, 30 us and 5 us a step (of MPI 10), on 1, 2 and 4 GPUs."""
    runs = []
    for launcher, step_us in (("devices", 5), ("mpi", 10)):
        for gpus in (1, 2, 4):
            for mode, launches in (("weak", 25), ("weak", 250), ("strong", 8), ("strong", 100), ("strong", 1000)):
                total = launches * gpus if mode == "weak" else launches
                busy_us = total / gpus * 400
                mpi = "Open MPI v4.1.4" if launcher == "mpi" else None
                runs.append(run_of(launcher, mode, gpus, total, busy_us, busy_us + 30 + step_us * math.log2(gpus), mpi))
    return {"schema": 3, "suite": "pi", "unit": "sample", "study": "scaling", "context": context, "runs": runs}


def run_of(launcher, mode, gpus, launches, busy_us, us, mpi):
    kernel_ms, wall_ms = (dict.fromkeys(("median", "low", "high"), time / 1e3 / launches) for time in (busy_us, us))
    team = {"kind": launcher, "mpi": mpi, "scaling": mode, "size": gpus, "wall_ms": wall_ms}
    options = f"{launcher} --scaling {mode} {gpus} {launches}"
    return {
        "version": "v19",
        "iters": 1000,
        "work": 4 * 10**9,
        "batch": launches,
        "kernel_ms": kernel_ms,
        "team": team,
        "options": options,
    }


class RenderedTest(EvidenceTest):
    def setUp(self):
        super().setUp()
        self.several = self.site / "results" / f"{SLUG}-x4"
        self.several.mkdir()
        self.stored = self.several / "pi-scaling.json"
        self.scaling_page = self.stored.with_suffix(".md")
        self.original = scaling_document(json.loads(self.result.read_text())["context"])
        self.write(self.original)

    def write(self, document):
        self.stored.write_text(json.dumps(document))

    def chart(self):
        return page.chart(site.load(self.site / "results").values())

    def section(self):
        self.rendered()
        return self.scaling_page.read_text()

    def rows(self, start):
        lines = [line for line in self.section().splitlines() if line.startswith(f"| {start} |")]
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]

    def test_points(self):
        measured = [row for row in self.rows("v19") if row[2] in ("weak", "strong")]
        self.assertEqual(10, len(measured))
        # 25 launches of 0.4 ms each, 30 us, and 5 us for each doubling: 10.03, 10.035, 10.04.
        row = ["v19", "one process", "weak", "1.00 × 10¹¹ each", "10.03", "10.04", "10.04"]
        self.assertEqual([*row, "100.0 % [100.0, 100.0]", "99.9 % [99.9, 99.9]"], measured[0])
        # 8 launches: 3.23 ms, with MPI's 10 us 1.64 on 2 and 0.85 on 4: 3.23 / 2 / 1.64 and 3.23 / 4 / 0.85.
        row = ["MPI", "strong", "3.20 × 10¹⁰", "3.230", "1.640", "0.8500"]
        self.assertEqual([*row, "98.5 % [98.5, 98.5]", "95.0 % [95.0, 95.0]"], measured[7][1:])

        # The first table is the short one: 250 launches of 4e9 samples in 100.03 ms; four times as many in 100.04.
        # Nearest to 10 ms: 100 launches.
        section = self.section()
        row = ["v19", "one process", "0.4000", "9,997§", "39,980§"]
        self.assertEqual(
            [*row, "100.0 % [100.0, 100.0], 100.0 ms", "99.7 % [99.7, 99.7], 10.04 ms"], cells(section, "v19")
        )
        for part in ("Open MPI v4.1.4", "# pi on more than one GPU: 4 × NVIDIA Fixture 9000", "(pi-scaling.json)",
                     "![Efficiency of several GPUs that share the same work](../scaling.svg)"):  # fmt: skip
            self.assertIn(part, section)
        # A version that failed has no points, also where some were measured before; the page says why.
        self.original["runs"] += [
            self.original["runs"][0] | {"version": "v20"},
            {"version": "v20", "error": "out of luck"},
        ]
        self.write(self.original)
        self.assertEqual(section.replace("\n§", "\n- v20: failed: `out of luck`\n\n§"), self.section())

    def test_nothing_to_compare(self):
        """A version that failed in the end, and one that ran on one GPU alone."""
        failed = [*self.original["runs"], {"version": "v19", "error": "out of luck"}]
        alone = [run for run in self.original["runs"] if run["team"]["size"] == 1]
        for runs, end in ((failed, "## Efficiency\n\n- v19: failed: `out of luck`\n"), (alone, "## Efficiency\n")):
            self.write(self.original | {"runs": runs})
            self.assertTrue(self.section().endswith(end))

    def test_the_headline(self):
        """Sound numbers come first, then one process: MPI that is twice as fast is none."""
        unsound, untested = (
            [run | {"soundness": soundness} for run in self.original["runs"]]
            for soundness in ("demonstration only", "not tested")
        )
        slower = [run | {"version": "v11", "work": run["work"] / 4} for run in self.original["runs"]]
        mpi = [run | {"work": run["work"] * (1 + (run["team"]["kind"] == "mpi"))} for run in self.original["runs"]]
        for runs, text in ((unsound, "39,980§† (v19)"), (untested, "39,980§† (v19)"), (unsound + slower, "9,996§ (v11)"),
                           (mpi, "39,980§ (v19)")):  # fmt: skip
            self.write(self.original | {"runs": runs})
            (several,) = stored.load_scalings(self.site / "results", pi).values()
            self.assertEqual(text, page.headline(several))

    def test_without_a_result(self):
        before = self.page.read_text()  # of another device
        self.assertEqual(before, self.rendered())
        self.assertEqual([SLUG], list(stored.load_devices(self.site / "results", pi)))
        self.stored.unlink()
        self.rendered()
        self.assertFalse(self.scaling_page.exists())
        self.assertNotIn("scaling", self.index.read_text())
        self.assertEqual(0, self.render("--check").returncode)

    def test_no_other_result(self):
        self.without_prose()
        shutil.rmtree(self.folder)
        self.assertEqual(0, self.render(env=self.environment()).returncode)
        self.assertFalse(self.page.exists())
        # 4 x 250 launches of 4e9 samples in 100.04 ms.
        self.assertIn(f"| pi (samples/ns) | [39,980§ (v19)]({SLUG}-x4/pi-scaling.md) |", self.index.read_text())
        self.assertRegex(
            self.index.read_text(), r"not measured on several GPUs yet: pi v27, .*\n\n!\[.*\(scaling.svg\)"
        )

    def test_check_finds_another_number(self):
        self.rendered()
        for path, chart in self.charts().items():
            path.write_text(drawing.stamped("<svg/>\n", chart))
        self.assertEqual(0, self.render("--check").returncode)
        self.original["runs"][12]["team"]["wall_ms"] = dict.fromkeys(("median", "low", "high"), 0.12)
        self.write(self.original)
        said = self.render("--check")
        self.assertEqual(1, said.returncode)
        for path in (self.scaling_page, self.site / "results" / "scaling.svg"):
            self.assertIn(f"{path} differs", said.stderr)

    def test_what_the_chart_shows(self):
        chart = self.chart()
        (panel,) = chart["panels"]
        self.assertEqual("pi\n4 × NVIDIA Fixture 9000", panel["title"])
        self.assertEqual([("v19", False), ("v19", True)], [(own["version"], own["is_open"]) for own in panel["lines"]])
        # 8, 100 and 1000 launches on 4 GPUs: 0.8, 10 and 100 ms, and 40 us.
        expected = [[ms, 100 * alone / 4 / ms] for ms, alone in ((0.84, 3.23), (10.04, 40.03), (100.04, 400.03))]
        for point, (ms, pct) in zip(panel["lines"][0]["points"], expected, strict=True):
            self.assertAlmostEqual(ms, point[0], places=6)
            self.assertAlmostEqual(pct, point[1], places=3)
        self.assertEqual(98, chart["wanted"])
        self.assertEqual(90, chart["lowest"])

    def test_the_chart_is_drawn(self):
        need_matplotlib()
        chart = self.chart()
        self.assertEqual(2, len(drawing.draw([chart, chart | {"panels": 3 * chart["panels"]}])))
        first, second = (drawing.draw([chart])[0] for _ in range(2))
        self.assertEqual(first, second)
        self.assertTrue(drawing.is_current(first, chart))

    @needs_jsonschema
    def test_documents_that_there_are_not(self):
        for place, value in (
            ("runs", []), ("runs", [{"version": "v19", "error": "out of luck"}]), ("context/device", None), ("runs/+", 3),
            ("runs/0/team", GONE), ("runs/0/team/size", 0), ("runs/0/team/kind", "slurm"), ("runs/0/team/scaling", "sideways"),
            ("runs/0/batch", 0), ("runs/0/kernel_ms", None),
        ):  # fmt: skip
            with self.subTest(place, value=value):
                document = json.loads(json.dumps(self.original))
                put(document, place, value)
                self.write(document)
                with self.assertRaisesRegex(ResultError, "scaling.json"):
                    stored.load_scalings(self.site / "results", pi)
        self.assert_refused(str(self.stored))


if __name__ == "__main__":
    unittest.main()
