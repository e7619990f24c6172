#!/usr/bin/env python3
"""Tests of the ladder mcls: the names of its runs, what a result must hold, its pages and charts."""

import copy
import json
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import DATA, GONE, SLUG, mcls, need_matplotlib, needs_jsonschema, put
from test_bench import BenchTest
from test_ladders import PUBLISHED, LaddersTest
from test_render_evidence import cells

from suite import naming
from suite.documents import files, kinds, stored
from suite.documents.schema import ResultError
from suite.render import drawing, figures
from suite.render.sections import steps

DASH = "–"
RESULT = json.loads((DATA / "ladders" / "mcls.json").read_text())
ABLATIONS = json.loads((DATA / "ladders" / "mcls-ablations.json").read_text())
REPORT = PUBLISHED / "k40m-mcls.json"


def options_of(version):
    return mcls.program(version), *mcls.options(version)


class RunsTest(unittest.TestCase):
    def test_programs_and_options(self):
        for version, command in {
            "v8": ("mcls_v8",),
            "v12_ad3d": ("mcls_v12", "--system", "ad3d"),
            "v3_ldg1_sp1_steps10000": ("mcls_v3_ldg1", "--system", "sp1", "--steps", "10000"),
            "v10_steps10000_histories1048576": ("mcls_v10", "--steps", "10000", "--histories", "1048576"),
            "v16_histories200000": ("mcls_v16", "--histories", "200000"),
            "v20_sp1_histories1431808": ("mcls_v20", "--system", "sp1", "--histories", "1431808"),
            "cpu_openmp_sp1": ("mcls_cpu", "--system", "sp1"),
        }.items():
            self.assertEqual(command, options_of(version))

    def test_without_a_finite_variance_a_run_must_say_so(self):
        for version, is_infinite in {
            "v7_sp1": True,
            "v8_l2_sp1_steps10000": True,
            "v7_shift1d": False,
            "v4_sp1": False,
        }.items():
            self.assertEqual(is_infinite, "--infinite-variance" in options_of(version), version)

    def test_names_of_runs(self):
        self.assertNotIn("v13_sp1", mcls.with_options)  # a system that the step refuses
        self.assertIn("v13_shift1d", mcls.with_options)
        self.assertEqual([], [name for name in mcls.with_options if not naming.is_version(name)])

    def test_every_run_beside_the_report_is_measured(self):
        report = json.loads(REPORT.read_text())
        endings = [column["of"] for column in report["columns"] if "of" in column]
        named = {
            name
            for row in report["rows"]
            for of in endings
            for name in re.findall(r"mcls\.(v\w+)", row["here"].replace("{of}", of))
        }
        with_options = {name for name in named if re.search("sp1|shift1d|steps", name)}
        self.assertTrue(with_options)
        # The report has no time of sorted starts on lap2d, and no residual of sp1 that can be predicted.
        self.assertEqual(
            [], [name for name in with_options - mcls.with_options.keys() if not re.search("seeds_sp1", name)]
        )


class ResultTest(unittest.TestCase):
    def load(self, version="v1", **values):
        """Read a result with the run of a version, which has these values at these paths."""
        run = copy.deepcopy(next(run for run in RESULT["runs"] + ABLATIONS["runs"] if run["version"] == version))
        for place, value in values.items():
            put(run, place, value)
        files.parse(json.dumps(RESULT | {"runs": [run]}), "a file", kinds.RESULT.check)

    def test_what_a_program_prints(self):
        for run in RESULT["runs"] + ABLATIONS["runs"]:
            self.load(run["version"])
        for number in (900, 1, None):  # entries that are judged
            self.load(**{"outcome/entries": 900, "outcome/judged_entries": number})

    def test_runs_estimate_solutions(self):
        of_means = json.loads((DATA / "ladders" / "normals.json").read_text())["runs"][0] | {"version": "v10"}
        with self.assertRaisesRegex(ResultError, "v10.outcome lacks 'entries'"):
            kinds.RESULT.check(RESULT | {"runs": [of_means]})

    def test_a_step_of_another_ladder_estimates_one_too(self):
        of_solution = next(run for run in RESULT["runs"] if run["version"] == "v1")
        result = RESULT | {"suite": "graph", "unit": "step"}
        for version in ("g2", "g2_walks268435456"):
            kinds.RESULT.check(result | {"runs": [of_solution | {"version": version, "problem": None}]})
        with self.assertRaisesRegex(ResultError, "g1.outcome lacks 'numbers'"):
            kinds.RESULT.check(result | {"runs": [of_solution | {"version": "g1"}]})
        error = {"relative": 3e-5, "predicted": 2e-5}
        self.assertEqual("1.50 × the expected error", steps.distance({"outcome": {"error": error}}))

    @needs_jsonschema
    def test_fields(self):
        for line, place, value in (
            (" lacks 'problem'", "problem", GONE), (" lacks 'merit'", "outcome/merit", GONE), (".n is 0, not at least 1", "problem/n", 0),
            (".problem.method is \"sideways\", not one of adjoint, forward", "problem/method", "sideways"),
            (".error.predicted is null, not a number", "outcome/error/predicted", None),
            (".outcome.trace[0][0] is 0, not at least 1", "outcome/trace", [[0, 0.1]]),
            (".outcome.judged_entries is 0, not at least 1", "outcome/judged_entries", 0),
        ):  # fmt: skip
            with self.subTest(line), self.assertRaises(ResultError) as caught:
                self.load(**{place: value})
            self.assertRegex(str(caught.exception), rf"^a file: v1[a-z.]*{re.escape(line)}$")


class PagesTest(LaddersTest):
    def section(self, heading):
        return self.page("mcls").split(f"## {heading}\n")[1].split("\n## ")[0]

    def test_rates_by_step_and_system(self):
        steps = self.section("The steps")
        self.assertEqual(
            ["2.000 [1.998, 2.002]", "1.00", DASH], cells(steps, "v1:")[1:]
        )  # no column of ad3d: nothing walked on it
        self.assertEqual("0.250", cells(steps, "v7:")[3])
        self.assertRegex(
            steps, r"Key technique \| Histories of a launch \|[^\0]*\n\| v1: [^|]*\|[^|]*\| [\d.]+ × 10[⁰-⁹]+ \|"
        )
        self.assertIn("failed (exit 4)", cells(steps, "v13")[1])
        fixed = steps.split("### Histories of 10,000 transitions")[1]
        self.assertEqual(
            [["2.50", DASH, DASH, DASH], ["4.00", DASH, "1.50", DASH]],
            [cells(fixed, step)[1:] for step in ("v1:", "v2:")],
        )
        self.assertNotIn("| v14", fixed)
        self.assertEqual(["25,568", "685,730"], cells(steps, "sp1")[1:])
        self.assertNotIn("Rates on the other systems", steps)
        self.put("mcls-ablations", **{"context/commit": "f" * 40})
        data = "Data: [mcls-ablations.json](mcls-ablations.json), from commit ffffffffffff (rates: commit "
        self.assertIn(f"Rates on the other systems. {data}", self.section("The steps"))

    def test_the_time_to_an_error_of_1_percent(self):
        times = self.section("Errors, and the time to 1 %")
        # K 10^4 over the rate: 16 * 800 and 250,000 * 90 over 2 and 1, 20 * 140 and 460,000 * 4 over 400 and 200.
        self.assertEqual(["64 ms", "3.8 min", DASH], cells(times, "v1:")[1:])
        self.assertEqual(["70 µs", "92 ms", DASH], cells(times, "v14:")[1:])
        self.assertEqual(["11 s", DASH, "never"], cells(times, "v7:")[1:])
        page = times  # and errors and checks
        row = cells(page.split("The errors on lap2d")[1], "v1:")[1:]
        self.assertEqual(
            [
                "16.0",
                "800",
                "12,800",
                "0.00410 (1.03 ×)",
                "1.0 × 10⁻⁹",
                "0.301 (1.01 ×)",
                "-2.31 of 5.75",
                "1.01 ± 0.02",
            ],
            row,
        )
        of_sp1 = page.split("The errors on sp1")[1]
        self.assertEqual([DASH, "300", *[DASH] * 6], cells(of_sp1, "v7:")[1:])
        self.assertIn("No estimate, because the variance of a history may be infinite: v7.", of_sp1)

    def test_how_many_entries_are_judged(self):
        def errors(judged):
            self.put("mcls-ablations", **{"runs/v1_shift1d/outcome/judged_entries": judged})
            return self.section("Errors, and the time to 1 %")

        judged = "entries of x are judged"
        self.assertNotIn(judged, errors(1_000_000))
        self.assertIn(f"999,000 of 1,000,000 {judged}: v1.", errors(999_000).split("The errors on shift1d")[1])

    def test_programs_with_a_fault_and_ablations(self):
        faults = self.page("mcls").split("<summary>Faults</summary>")[1]
        self.assertIn("- v2_random_seeds: passed\n", faults)
        self.assertRegex(faults, r"- v2_consecutive_seeds_steps10000: failed \(exit 1\): .* 1\.69 times the exact one")
        section = self.section("Ablations")
        self.assertIn("| v2_random_seeds: ", section)
        for other in ("v1_shift1d", "v2_steps10000", "v14_shift1d", "cpu_openmp_sp1"):
            self.assertNotIn(f"| {other}", section)

    def test_the_findings_of_the_report(self):
        shutil.copy(REPORT, self.results / "reference")
        section = self.section("What the source found, and what is found here")
        own_seeds = cells(section, "Own seeds in place of sequences, fixed length")
        self.assertEqual(["1.56", "1.60", "1.24", DASH, "1.44", DASH], own_seeds[1:])  # 4 / 2.5; v1 has no rate on sp1
        self.assertEqual(["1.012", "1.01"], cells(section, "Residual over the exact prediction, sequences")[1:3])
        self.assertEqual(DASH, cells(section, "Residual over the exact prediction, consecutive seeds")[2])

    def test_without_the_other_systems(self):
        (self.folder / "mcls-ablations.json").unlink()
        page = self.page("mcls")
        self.assertNotIn("### Histories of", page)
        self.assertNotIn("shift1d |", page)

    def test_without_any_success(self):
        for name in ("mcls", "mcls-ablations"):
            self.put(name, runs=[{"version": "v1", "error": "no luck", "exit": 4}])
        self.assertIn("failed (exit 4)", self.page("mcls"))
        self.assertEqual({}, self.charts("mcls"))

    def test_other_solvers(self):
        solvers = self.section("Other solvers")
        lap2d, shift1d = solvers.split("The solvers of ")[1:]
        self.assertEqual(["this suite", DASH, "1.5 ms", "70 µs", DASH], cells(lap2d, "v14:")[1:])
        # Half-way between errors of 10⁻¹ and 10⁻³, after 0.1 and 0.2 ms.
        self.assertEqual(
            ["cuSPARSE 12.6.3", "56", "1.5 ms", "150 µs", "400 µs"], cells(lap2d, "Conjugate gradients, GPU")[1:]
        )
        self.assertEqual(["64 (not reached)", "1.2 ms", DASH, DASH], cells(lap2d, "Jacobi's iteration, GPU")[2:])
        self.assertEqual(["1", "0.15 s", "25 ms", "25 ms"], cells(shift1d, "Factorisation, LDLᵀ, CPU")[2:])
        self.assertNotIn("| v7:", shift1d)  # which was not measured there
        missing = "block_cg_lap2d (failed: `out of luck`); eigen_cg_lap2d (peer_mcls_eigen was not built"
        self.assertIn(f"Without a result: {missing}", shift1d)
        # 150 µs over 70 µs
        self.assertIn(
            "v14: Stratified starts is 2.14 times as fast as the fastest solver without random numbers (Conjugate",
            lap2d,
        )
        # 92 ms over 25 ms: Monte Carlo synthetic acceleration, which is faster, draws random numbers.
        self.assertIn(
            "v14: Stratified starts takes 3.68 times as long as the fastest solver without random numbers (Factorisation",
            shift1d,
        )
        self.assertIn("which has a residual of 10⁻⁸ after 25 ms.", shift1d)
        # An iteration is whole: 10 % after the first one, within 1 % after the second one.
        self.assertEqual("8.0 ms", cells(shift1d, "Monte Carlo synthetic acceleration, GPU")[4])

    def test_a_step_takes_a_launch_at_least_and_names_its_sweeps(self):
        def shortened(runs, histories, per_ns):
            run = copy.deepcopy(next(run for run in runs if run["version"] == "v14"))
            run["problem"]["histories"] = histories
            run["per_ns"] = dict.fromkeys(run["per_ns"], per_ns)
            return run

        self.put("mcls", **{"runs/v14/problem/sweeps": 200})
        lap2d = self.section("Other solvers").split("The solvers of ")[1]
        self.assertIn(
            "The step is guided by 200 sweeps of Jacobi's iteration, which come close to the solution and are not part",
            lap2d,
        )
        time = lambda: cells(self.section("Other solvers").split("The solvers of ")[1], "v14:")[4]
        # A million histories of 140 transitions at 400 a nanosecond
        self.change("mcls", lambda document: document.update(runs=[shortened(document["runs"], 1_000_000, 400.0)]))
        self.assertEqual("350 µs", time())
        short = shortened(RESULT["runs"], 200_000, 250.0) | {"version": "v14_histories200000"}
        self.change("mcls-ablations", lambda document: document["runs"].append(short))
        self.assertEqual("110 µs", time())

    def test_figures_of_solvers_in_prose_and_without_them(self):
        device = stored.load_device(self.folder, mcls)
        expected = {"peers.cusparse_cg_lap2d.ms_to_1pct": "0.150", "peers.cusparse_cg_lap2d.ms_to_tolerance": "0.400",
                    "peers.cusparse_cg_lap2d.last.iterations": "56"}  # fmt: skip
        self.assertEqual(expected, {path: figures.figure(path, device) for path in expected})
        with self.assertRaisesRegex(figures.Missing, "none"):
            figures.figure("peers.cusparse_jacobi_lap2d.ms_to_tolerance", device)
        (self.folder / "mcls-peers.json").unlink()
        self.assertNotIn("Other solvers", self.page("mcls"))
        self.assertEqual([], self.charts("mcls")["mcls-error.svg"]["curves"])

    def test_what_the_charts_show(self):
        charts = self.charts("mcls")
        (line,) = charts["mcls-error.svg"]["lines"]
        # sqrt(2800 / 400e9); 10^4 histories of 140 transitions a launch
        self.assertAlmostEqual(8.36660e-5, line["sd_of_second"], delta=1e-10)
        self.assertEqual({"seconds": 3.5e-6, "sd": 0.047673}, line["points"][0])
        self.assertEqual(3.5e-6, line["dashed_before"])
        (curve,) = charts["mcls-error.svg"]["curves"]
        self.assertEqual({"seconds": 4e-4, "sd": 1e-10}, curve["points"][-1])
        # A line of errors is dashed before the shortest launch.
        run = next(run for run in RESULT["runs"] if run["version"] == "v14")
        problem, times = run["problem"] | {"histories": 5_000}, [0.003, 0.0015, 0.0025, 0.003, 0.003] * 2
        short = run | {"version": "v14_histories200000", "problem": problem, "kernel_ms": times}
        self.put("mcls-ablations", **{"runs/+": short})
        self.assertEqual(1.5e-6, self.charts("mcls")["mcls-error.svg"]["lines"][0]["dashed_before"])
        self.put("mcls", **{"runs/v14/outcome/trace": []})
        self.assertEqual([], self.charts("mcls")["mcls-error.svg"]["lines"][0]["points"])

    def test_they_are_drawn(self):
        need_matplotlib()
        for svg, part in zip(drawing.draw(list(self.charts("mcls").values())), ("the best rate so far", "GPU time")):
            self.assertIn(part, svg)


class StoryTest(LaddersTest):
    def test_a_version_that_was_not_measured_is_not_that_of_another_ladder(self):
        story = self.site / "kernels" / "mcls" / "README.md"
        story.parent.mkdir(parents=True)
        for measured, rate in ((True, "2.00"), (False, DASH)):
            story.write_text(
                f"<!-- figures:{SLUG} -->\nIt walks at <!--=v1.per_ns--><!--/-->.\n"
            )  # the ladder pi has a v1, too
            if not measured:
                (self.folder / "mcls.json").unlink()
            self.render()
            self.assertIn(f"-->{rate}<!--/-->", story.read_text())


class BenchMclsTest(BenchTest):
    def setUp(self):
        super().setUp()
        self.stored = self.out / SLUG / "mcls-ablations.json"

    def add_program(self, version, **commands):
        """A program that prints the runs of a fixture, by its options."""
        runs = {run["version"]: run for run in RESULT["runs"] + ABLATIONS["runs"]}
        records = {given: self.add_record(name, RESULT | {"runs": [runs[name]]}) for name, given in commands.items()}
        cases = " ".join(f"'{given} --json -'*|'{given}--json -'*) cat '{path}';;" for given, path in records.items())
        self.add_script(
            self.bin / f"mcls_{version}",
            f"case \"$*\" in --list-devices) ;; {cases} *) echo '{version}: refused' >&2; exit 2;; esac",
        )

    def test_steps_on_other_systems_are_kept_beside_them(self):
        self.add_program("v7", v7="", v7_sp1="--system sp1 --infinite-variance")
        self.add_script(self.bin / "mcls_v10_graph", "exit 2")  # whose work is another ladder's now
        self.run_mcls("--full")
        self.assertEqual(["v7"], self.versions(self.out / SLUG / "mcls.json"))
        runs = {run["version"]: run for run in json.loads(self.stored.read_text())["runs"]}
        self.assertEqual(0.25, runs["v7_sp1"]["per_ns"]["median"])
        self.assertIn("v7_shift1d_steps10000", runs)  # which this program refuses
        self.assertNotIn("v10_graph", runs)

    def test_only_some_steps(self):
        for version in ("v1", "v2", "v7"):
            self.add_program(version, **{version: ""})
        self.add_script(self.bin / "mcls_v2_random_seeds", "exit 2")
        self.run_mcls("--full", "v7")
        self.run_mcls("--full", "v1")
        self.assertEqual(["v1", "v7"], self.versions(self.out / SLUG / "mcls.json"))
        self.assertEqual({"v1", "v7"}, {version.partition("_")[0] for version in self.versions(self.stored)})
        self.assert_ends(self.bench("--suite", "mcls", "v3"), 2, "holds no programs of mcls with the versions v3")

    def add_cpu_programs(self, **context):
        """The CPU programs, which know no GPU."""
        cpu = {"device": None, "driver": None, "runtime": None, **context}
        runs = {run["version"]: run for run in RESULT["runs"] + ABLATIONS["runs"]}
        own = {
            version: runs["cpu_openmp"] | {"version": version}
            for version in ("cpu_serial", "cpu_openmp", "cpu_openmp_sp1")
        }
        records = {
            version: self.add_record(version, RESULT | {"context": RESULT["context"] | cpu, "runs": [run]})
            for version, run in own.items()
        }
        self.add_script(
            self.bin / "mcls_cpu",
            f"""case "$*" in *sp1*) cat '{records["cpu_openmp_sp1"]}';;
            *system*) exit 2;; '--threads 1 '*) cat '{records["cpu_serial"]}';; *) cat '{records["cpu_openmp"]}';; esac""",
        )

    def run_mcls(self, *options):
        return self.bench("--suite", "mcls", "--partial", *options)

    def run_cpu(self, *options):
        process = self.run_mcls(*options, "cpu")
        self.assertNotIn("skipped", process.stderr)
        return process

    def test_rows_of_the_cpu_join_those_of_the_gpu_beside_it(self):
        ladder = self.stored.with_name("mcls.json")
        self.add_program("v7", v7="", v7_sp1="--system sp1 --infinite-variance")
        self.add_script(self.bin / "mcls_v10_graph", "exit 2")  # whose work is another ladder's now
        self.run_mcls("--full")
        before = json.loads(ladder.read_text())["context"]
        self.add_cpu_programs(date="2026-03-03T00:00:00Z")
        for listed in (f"0  {before['device']['name']}, 139 GiB", None):
            if listed:
                self.add_script(self.bin / "mcls_v7", f"echo '{listed}'")
            else:
                (self.bin / "mcls_v7").unlink()  # then the stored rows tell
            self.run_cpu("--full")
            self.assertEqual(["cpu_serial", "cpu_openmp", "v7"], self.versions(ladder))
            self.assertEqual(before | {"date": "2026-03-03T00:00:00Z"}, json.loads(ladder.read_text())["context"])
            self.assertLessEqual({"cpu_openmp_sp1", "v7_sp1"}, set(self.versions(self.stored)))
            self.assertNotIn(
                "error",
                next(run for run in json.loads(self.stored.read_text())["runs"] if run["version"] == "cpu_openmp_sp1"),
            )
            for path in (ladder, self.stored):
                document = json.loads(path.read_text())
                path.write_text(
                    json.dumps(document | {"runs": [run for run in document["runs"] if "cpu" not in run["version"]]})
                )

    def test_rows_of_the_cpu_of_another_build_or_without_a_gpu_do_not(self):
        ladder = self.stored.with_name("mcls.json")
        self.add_program("v7", v7="")
        self.run_mcls()
        before = ladder.read_text()
        self.add_script(self.bin / "mcls_v7", f"echo '0  {RESULT['context']['device']['name']}'")
        self.add_cpu_programs(commit="f" * 40)
        self.assert_ends(self.run_cpu(), 1, "mcls.json has rows of v7 from another commit")
        self.add_cpu_programs()
        self.add_script(self.bin / "mcls_v7", "exit 3")
        self.assertIn(str(self.bin / "results" / "cpu" / "mcls.json"), self.run_cpu().stdout)
        self.assertEqual(before, ladder.read_text())

    def test_a_verdict_that_finds_its_fault_is_no_failure(self):
        self.add_program("v1", v1="", v1_steps10000="--steps 10000", v1_shift1d="--system shift1d")
        self.add_failing("mcls_v2_random_seeds", 1, "v2_random_seeds: 1.69 times the exact variance")
        process = self.run_mcls("--full")
        self.assertIn(
            "bench: no rate of v2_random_seeds: v2_random_seeds: 1.69 times the exact variance", process.stderr
        )
        complaint = process.stderr.splitlines()[-1]
        self.assertIn("v1_sp1", complaint)  # which failed
        self.assertNotIn("v2_random_seeds", complaint)
        # Another failure of it is one.
        self.add_failing("mcls_v2_random_seeds", 4, "v2_random_seeds: out of luck")
        self.assertIn("v2_random_seeds", self.run_mcls("--full").stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
