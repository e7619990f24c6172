#!/usr/bin/env python3
"""The harness knows no ladder: a ladder of the tests' own, thrown dice with a unit, sums and phases of its own, goes through all
that programs have in common; and the words of the ladder pi stand in no file of bench/ but those of its estimand.

The programs are those in tests/ladder of the build folder that SUITE_BIN names (default: build/ of this repository).
"""

import bisect
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import gpus
import mpi_launcher
from temporary import temporary_folder

REPOSITORY = Path(__file__).resolve().parents[2]
LADDER = Path(os.environ.get("SUITE_BIN", REPOSITORY / "build")).resolve() / "tests" / "ladder"
CPU, LOADED, GPU = (LADDER / name for name in ("dice_cpu", "dice_loaded", "dice_gpu"))
STREAMS, ITERS = 64, 500
LAUNCH = STREAMS * ITERS
SMALL = ("--iters", ITERS, "--threads", "1")
PHASES = ["clear", "throw", "add"]


def eyes(seed, launch, stream, i, weights=(1,) * 6):
    """As tests/ladder/dice.hpp has it."""
    mask = 2**64 - 1
    z = (seed * 0x9E3779B97F4A7C15 + (launch << 44) + (stream << 22) + i) & mask
    for _ in range(2):
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        z ^= z >> 31
    return 1 + bisect.bisect_right(list(itertools.accumulate(weights)), (z >> 32) * sum(weights) >> 32)


def thrown_again(seed, launch, streams, iters, sides):
    """The throws of a launch with --again: all eyes."""
    for stream in range(streams):
        throws = (eyes(seed, launch, stream, i, (1,) * sides) for i in itertools.count())
        lasts = 0
        while lasts < iters:
            face = next(throws)
            lasts += face != sides
            yield face


class Dice(unittest.TestCase):
    def setUp(self):
        self.root = temporary_folder(self.addCleanup)

    def execute(self, *command, **options):
        options = {
            "capture_output": True,
            "text": True,
            "timeout": 60,
            "stdin": subprocess.DEVNULL,
            "cwd": self.root,
        } | options
        return subprocess.run([str(part) for part in command], **options)

    def document(self, *command, **options):
        process = self.execute(*command, "--json", "-", **options)
        self.assertEqual(process.returncode, 0, process.stderr)
        return json.loads(process.stdout)

    def run_of(self, *command, **options):
        return self.document(*command, **options)["runs"][0]

    def assert_refused(self, process, code, *parts):
        self.assertEqual((process.returncode, process.stdout), (code, ""), process.stderr)
        self.assertRegex(process.stderr, r"\A[^\n]+\n\Z")
        for part in parts:
            self.assertIn(part, process.stderr)

    def test_command_line(self):
        text = self.execute(CPU, "--help").stdout
        self.assertIn("--throws N", text)
        self.assertNotIn("samples", text)
        self.assertEqual(self.run_of(CPU, *SMALL, "--throws", 2 * LAUNCH + 1)["launches"], 3)
        self.assert_refused(self.execute(CPU, "--samples", "5"), 2, "--samples")
        self.assert_refused(self.execute(CPU, "--throws", "5", "--launches", "2"), 2, "--throws", "--launches")
        self.assert_refused(self.execute(CPU, "--launches", "9e18", "--iters", "1M"), 2, "2^63 throws")

    def test_json(self):
        document = self.document(CPU, *SMALL, "--launches", "3", "--seed", "5")
        self.assertEqual((document["suite"], document["unit"]), ("dice", "throw"))
        [run] = document["runs"]
        self.assertEqual((run["work"], run["launches"]), (LAUNCH, 3))
        throws = [eyes(5, launch, stream, i) for launch in range(3) for stream in range(STREAMS) for i in range(ITERS)]
        self.assertAlmostEqual(run["outcome"]["mean"], statistics.fmean(throws), places=12)
        self.assertEqual(run["outcome"]["trace"][-1], [3 * LAUNCH, sum(throws)])
        self.assertEqual(list(run["phases_ms"]), PHASES)
        self.assertLessEqual(sum(times[0] for times in run["phases_ms"].values()), run["kernel_ms"][0] + 1e-6)
        self.assertAlmostEqual(
            run["per_ns"]["median"] * statistics.median(run["kernel_ms"]) * 1e6 / LAUNCH, 1, places=6
        )

    def test_report(self):
        text = self.execute(CPU, *SMALL, "--launches", "3").stdout
        for pattern in (
            r"throws/ns",
            r"\n  mean +3\.\d+ \+- ",
            rf"\n  phases +{PHASES[0]} [^\n]*, {PHASES[1]} [^\n]*, {PHASES[2]} ",
        ):
            self.assertRegex(text, pattern)
        self.assertNotRegex(text, r"sample|\bpi\b|hits")

    def test_whole_calls(self):
        run, call = (self.run_of(CPU, *SMALL, "--launches", "3", *mode) for mode in ((), ("--call",)))
        self.assert_same(run, call)
        self.assertEqual((run["call"], call["call"]), (False, True))
        self.assertEqual(list(call["phases_ms"]), ["alloc", "run", "copy", "sum", "free"])
        apart = [ms - sum(phases) for ms, *phases in zip(call["kernel_ms"], *call["phases_ms"].values())]
        self.assertGreaterEqual(min(apart), -1e-6)
        self.assertLess(statistics.median(apart), 0.01, "ms between phases, while the clock is read")
        if not mpi_launcher.why_not(CPU):
            process = self.execute(mpi_launcher.MPIRUN, "-np", 2, CPU, "--call", env=os.environ | mpi_launcher.SETTINGS)
            self.assertEqual((process.returncode, process.stdout), (2, ""), process.stderr)
            self.assertIn("--call", process.stderr)

    def test_verdict(self):
        for arguments in (("--launches", "3"), ("--max-time", "0.2"), ("--call", "--max-time", "0.2")):
            self.assert_refused(self.execute(LOADED, *SMALL, *arguments), 1, "sd from its mean")
            self.assert_refused(self.execute(LOADED, *SMALL, *arguments, "--json", "loaded.json"), 1)
        self.assertEqual(os.listdir(self.root), [])

    def assert_same(self, run, other):
        keys = ("work", "launches", "seed")
        self.assertEqual([run[key] for key in keys], [other[key] for key in keys])
        self.assertEqual(run["outcome"], other["outcome"])

    def test_checkpoint_and_resume(self):
        whole = self.run_of(CPU, *SMALL, "--launches", "9")
        self.run_of(CPU, *SMALL, "--launches", "4", "--checkpoint", "dice.checkpoint")
        self.assert_same(self.run_of(CPU, "--resume", "dice.checkpoint", "--launches", "9", "--threads", "1"), whole)

    def test_checkpoint_of_another_ladder(self):
        self.run_of(CPU, *SMALL, "--launches", "4", "--checkpoint", "dice.checkpoint")
        self.assert_refused(
            self.execute(LADDER.parents[1] / "pi_cpu", "--resume", "dice.checkpoint"), 2, "dice_cpu", "pi_cpu"
        )

    def test_own_options_choose_the_problem(self):
        (self.root / "die.txt").write_text("1 2\n0 4")
        for options, name, weights in (
            ((), "cpu", [1] * 6),
            (("--sides", "6"), "cpu", [1] * 6),
            (("--sides", "20"), "cpu_sides20", [1] * 20),
            (("--die", "die.txt"), r"cpu_die[0-9a-f]{16}", [1, 2, 0, 4]),
        ):
            with self.subTest(options):
                run = self.run_of(CPU, *SMALL, "--launches", "2", *options)
                self.assertRegex(run["version"], rf"\A{name}\Z")
                self.assertEqual(run["problem"], {"weights": weights, "again": False})
                throws = [
                    eyes(1234, launch, stream, i, weights)
                    for launch in range(2)
                    for stream in range(STREAMS)
                    for i in range(ITERS)
                ]
                self.assertEqual(run["outcome"]["trace"][-1], [2 * LAUNCH, sum(throws)])
        text = self.execute(CPU, "--help").stdout
        for option in ("--sides N ", "--die FILE ", "--again "):
            self.assertIn(option, text)

    def test_own_options_are_refused_in_one_line(self):
        files = {"empty": "", "one": "5", "none": "0 0", "word": "1 two 3", "negative": "1 -2", "only": "0 3"}
        for name, text in files.items():
            (self.root / name).write_text(text)
        wrong = [(("--sides", value), "--sides") for value in ("1", "21", "six")]
        wrong += [(("--die", name), name) for name in ("absent", "empty", "one", "none", "word", "negative")]
        wrong += [
            (("--sides",), "--sides"),
            (("--sides", "5", "--sides", "6"), "--sides"),
            (("--again=2",), "--again"),
            (("--die", "only", "--again"), "--again"),
            (("--die", "only", "--sides", "6"), "--die excludes --sides"),
        ]
        for program in (CPU, GPU):  # before it looks for a GPU
            for options, named in wrong:
                with self.subTest(program=program.name, options=options):
                    self.assert_refused(self.execute(program, *options), 2, named)

    def test_a_checkpoint_belongs_to_a_problem(self):
        (self.root / "die.txt").write_text("1 2 3")
        (self.root / "same.txt").write_text("1\n2\n3\n")
        whole = self.run_of(CPU, *SMALL, "--launches", "9", "--die", "die.txt")
        self.run_of(CPU, *SMALL, "--launches", "4", "--die", "die.txt", "--checkpoint", "dice.checkpoint")
        resume = ("--resume", "dice.checkpoint", "--launches", "9", "--threads", "1")
        for options in ((), ("--sides", "3"), ("--die", "die.txt", "--again")):
            self.assert_refused(self.execute(CPU, *resume, *options), 2, "holds a run of dice_cpu_die")
        (self.root / "die.txt").write_text("1 2 4")
        self.assert_refused(self.execute(CPU, *resume, "--die", "die.txt"), 2, "holds a run of dice_cpu_die")
        self.assert_same(self.run_of(CPU, *resume, "--die", "same.txt"), whole)

    def test_work_that_only_the_launches_tell(self):
        run = self.run_of(CPU, *"--iters 50 --threads 1 --again --sides 2 --launches 4 --batch 1 --seed 3".split())
        throws = [list(thrown_again(3, launch, STREAMS, 50, 2)) for launch in range(4)]
        work = [len(launch) for launch in throws]
        self.assertGreater(len(set(work)), 1)
        self.assertEqual(
            (run["version"], run["work_of_timings"], run["work"]), ("cpu_sides2_again", work, sum(work) / 4)
        )
        self.assertEqual(run["outcome"]["trace"][-1], [sum(work), sum(map(sum, throws))])
        rates = sorted(done / ms / 1e6 for done, ms in zip(work, run["kernel_ms"]))
        self.assertAlmostEqual(run["per_ns"]["max"], rates[-1])
        self.assertAlmostEqual(1, run["per_ns"]["median"] * statistics.median(1 / rate for rate in rates))
        self.assertIsNone(self.run_of(CPU, *SMALL, "--launches", "2")["work_of_timings"])

    def test_a_goal_of_such_work_is_about_reached(self):
        self.assertEqual(
            self.run_of(CPU, *SMALL, "--again", "--throws", 20 * LAUNCH)["launches"], 17
        )  # 6/5 throws for each
        again = ("--iters", 50, "--threads", "1", "--again")
        whole = self.run_of(CPU, *again, "--launches", "9")
        self.run_of(CPU, *again, "--launches", "4", "--checkpoint", "dice.checkpoint")
        self.assert_same(
            self.run_of(CPU, "--resume", "dice.checkpoint", "--launches", "9", "--threads", "1", "--again"), whole
        )

    def test_ranks_have_the_same_problem(self):
        if reason := mpi_launcher.why_not(CPU):
            self.skipTest(reason)
        for name in ("first", "second"):
            (self.root / f"{name}.txt").write_text("1 2 3" if name == "first" else "1 2 4")
        run = (CPU, "--iters", 50, "--threads", "1", "--launches", "6", "--again", "--die")
        mpirun = (mpi_launcher.MPIRUN, "-np", 1)
        settings = {"env": os.environ | mpi_launcher.SETTINGS}
        whole = self.run_of(*run, "first.txt")
        ranks = self.run_of(*mpirun, *run, "first.txt", "--json", "-", ":", "-np", 1, *run, "first.txt", **settings)
        self.assertEqual(ranks["outcome"].pop("trace")[-1], whole["outcome"].pop("trace")[-1])
        self.assert_same(ranks, whole)
        for other, parts in (("second.txt", "rank 0 runs dice_cpu_die"), ("absent.txt", "absent.txt")):
            process = self.execute(*mpirun, *run, "first.txt", ":", "-np", 1, *run, other, **settings)
            self.assertEqual((process.returncode, process.stdout), (2, ""), process.stderr)
            self.assertIn(parts, process.stderr)

    def test_two_ranks(self):
        if reason := mpi_launcher.why_not(CPU):
            self.skipTest(reason)
        whole = self.run_of(CPU, *SMALL, "--launches", "9")
        ranks = self.run_of(
            mpi_launcher.MPIRUN, "-np", 2, CPU, *SMALL, "--launches", "9", env=os.environ | mpi_launcher.SETTINGS
        )
        self.assertEqual(ranks["team"]["size"], 2)
        trace = ranks["outcome"].pop("trace")
        self.assertEqual(trace[-1], whole["outcome"].pop("trace")[-1])
        self.assert_same(ranks, whole)

    def test_on_a_gpu(self):
        gpus.need_one(GPU)
        run = self.run_of(GPU, "--iters", "100", "--launches", "3")
        streams = run["blocks"] * run["threads"]
        throws = (eyes(1234, launch, stream, i) for launch in range(3) for stream in range(streams) for i in range(100))
        self.assertEqual(run["outcome"]["trace"][-1], [3 * 100 * streams, sum(throws)])
        self.assertEqual(list(run["phases_ms"]), PHASES)
        for launch in range(len(run["kernel_ms"])):
            of_phases = sum(times[launch] for times in run["phases_ms"].values())
            self.assertLess(of_phases, 1.05 * run["kernel_ms"][launch])
        self.assertGreater(min(run["phases_ms"]["add"]), 0)
        self.assertEqual(self.execute(GPU, "--profile").returncode, 0)
        (self.root / "die.txt").write_text("3 0 2 1")
        run = self.run_of(
            GPU, "--iters", "100", "--launches", "3", "--blocks", "2", "--threads", "64", "--die", "die.txt"
        )
        throws = (
            eyes(1234, launch, stream, i, (3, 0, 2, 1))
            for launch in range(3)
            for stream in range(128)
            for i in range(100)
        )
        self.assertEqual(run["outcome"]["trace"][-1], [3 * 100 * 128, sum(throws)])
        run = self.run_of(GPU, *"--iters 20 --launches 3 --blocks 2 --threads 64 --sides 3 --again --batch 1".split())
        self.assertEqual(
            run["work_of_timings"], [len(list(thrown_again(1234, launch, 128, 20, 3))) for launch in range(3)]
        )
        self.assertEqual(self.execute(GPU, "--profile", "--die", "die.txt").returncode, 0)


class Words(unittest.TestCase):
    WORDS = re.compile(r"\b(hits?|samples?|pi|Expectation)\b", re.IGNORECASE)

    def test_of_a_ladder_stand_in_its_estimand_alone(self):
        found = []
        for path in sorted((REPOSITORY / "bench").rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".cu") or "estimands" in path.parts:
                continue
            lines = path.read_text().splitlines()
            found += [
                f"{path.relative_to(REPOSITORY)}:{i}: {line.strip()}"
                for i, line in enumerate(lines, 1)
                if self.WORDS.search(line) or "bench/estimands" in line
            ]
        self.assertEqual(found, [])


class Floors(unittest.TestCase):
    """A folder of bench/, and of the ladder mcls, includes only its own files and those of folders above it, in this order. Folders
    in one tuple do not include each other."""

    FLOORS = {
        "bench": (("",), ("options",), ("measure",), ("workers",), ("record",), ("run",), ("limits",),
                  ("estimands/chance",), ("estimands",), ("estimands/hits", "estimands/means", "estimands/solution")),
        "kernels/mcls": (("system", "shared"), ("tables",), ("analysis", "replay"), ("problem",), ("launches",), ("",),
                         ("ablations", "solve")),
    }  # fmt: skip
    PLACES = {f"{root}/{folder}".rstrip("/"): place
              for root, floors in FLOORS.items() for place, folders in enumerate(floors) for folder in folders}  # fmt: skip

    def folder(self, path):
        """The folder of a file, of which gpu/ and cpu/ are rooms."""
        return str(Path(path).parent).removesuffix("/gpu").removesuffix("/cpu")

    def is_right(self, path, included):
        own, other = self.folder(path), self.folder(included)
        return own == other or self.PLACES[other] < self.PLACES[own]

    def assert_right(self, root):
        found = []
        for path in sorted((REPOSITORY / root).rglob("*.[ch]*")):
            path = path.relative_to(REPOSITORY)
            includes = re.findall(rf'^#include "({root}/[^"]+)"', (REPOSITORY / path).read_text(), re.MULTILINE)
            found += [f"{path} includes {included}" for included in includes if not self.is_right(path, included)]
        self.assertEqual(found, [])

    def test_no_include_leads_back_up(self):
        self.assert_right("bench")

    def test_no_include_of_mcls_leads_back_up(self):
        self.assert_right("kernels/mcls")

    def test_no_include_leads_to_a_folder_below(self):
        for root, below in (("bench", "kernels|quality|tests"), ("kernels", "quality|tests")):
            for path in sorted((REPOSITORY / root).rglob("*.[ch]*")):
                self.assertIsNone(re.search(rf'^#include "(?:{below})/', path.read_text(), re.MULTILINE), path)

    def test_an_include_that_leads_back_up_is_found(self):
        self.assertFalse(self.is_right("bench/measure/a.cpp", "bench/record/b.hpp"))
        self.assertFalse(self.is_right("bench/estimands/means/a.cpp", "bench/estimands/hits/b.hpp"))
        self.assertTrue(self.is_right("bench/workers/gpu/a.cu", "bench/workers/b.hpp"))
        self.assertTrue(self.is_right("bench/run/a.cpp", "bench/step.hpp"))
        self.assertFalse(self.is_right("kernels/mcls/tables/a.cpp", "kernels/mcls/problem/b.hpp"))
        self.assertTrue(self.is_right("kernels/mcls/v01_a.cu", "kernels/mcls/launches/b.hpp"))


if __name__ == "__main__":
    unittest.main()
