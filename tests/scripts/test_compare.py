#!/usr/bin/env python3
"""Tests of scripts/compare, as a process.

tests/data/compare/a.json and b.json hold times such as 0.98, 1 and 1.02 ms
for a million samples, the lowest and the highest side by side, which is no sign
of autocorrelation, so that every rate, ratio and interval asserted here can be
worked out by hand.
"""

import copy
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import DATA, Sandbox, needs_jsonschema, put

from suite import order_statistics
from suite.analyse import compare, comparison
from suite.documents import records

A, B = DATA / "compare" / "a.json", DATA / "compare" / "b.json"


class CompareTest(Sandbox):
    """Copies of the fixtures to edit, and compare to run on them."""

    def setUp(self):
        super().setUp()
        self.a, self.b = (json.loads(path.read_text()) for path in (A, B))

    def compare(self, *arguments, **options):
        return self.call(compare, *arguments, **options)

    def run_of(self, document, version):
        return next(run for run in document["runs"] if run["version"] == version)

    def store(self, document, name="edited.json"):
        path = self.root / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def output(self, *arguments, **options):
        process = self.succeeded(self.compare(*arguments, **options))
        return process.stdout

    def output_of_edited(self, *options):
        return self.output(self.store(self.a, "a.json"), self.store(self.b, "b.json"), *options)

    def assert_refused(self, document, *parts):
        """As either argument the document is refused, and nothing is printed."""
        path = self.store(document)
        for arguments in ((path, B), (A, path)):
            process = self.compare(*arguments)
            self.assert_ends(process, 2, str(path), *parts)
            self.assertEqual("", process.stdout)

    def assert_rows(self, text, *expected):
        """There are lines with these cells, whatever the blanks between them."""
        lines = [" ".join(line.split()) for line in text.splitlines()]
        for row in expected:
            self.assertIn(row, lines)


class TableTest(CompareTest):
    def test_ratio_interval_and_verdict_of_each_version(self):
        text = self.output(A, B)
        self.assert_rows(
            text,
            "Version A samples/ns B samples/ns B/A Interval Verdict",
            "cpu_serial 1.00 1.00 1.0000 [0.9980, 1.0020] SAME",  # 0.999/1.001 and 1.001/0.999
            "v1 1.00 1.00 1.0000 [0.9980, 1.0020] SAME",
            "v2 0.500 1.00 2.0000 [1.8095, 2.2105] FASTER",  # 1.9/1.05 and 2.1/0.95
            "v3 1.00 0.500 0.5000 [0.4524, 0.5526] SLOWER",  # 0.95/2.1 and 1.05/1.9
            "v4 1.00 1.00 1.0000 [0.9608, 1.0408] UNCLEAR",  # 0.98/1.02 and 1.02/0.98
            "v5 1.00 – – – failed in B",
            "v6 1.00 – – – only in A",
            "v7 – 1.00 – – only in B",
            "v8 1.00 1.00 1.0000 – UNCLEAR",
            "v9 – – – – failed in A and B",
            "v10 1.00 1.00 1.0000 [0.9980, 1.0020] SAME",
            "1 FASTER, 3 SAME, 1 SLOWER, 2 UNCLEAR, 4 without comparison.",
            # Rates per clock and SM, and per joule: A has 10 SMs at 2 GHz; B has 20 at 1 GHz, in v3 at 0.5 GHz.
            "v1 0.0500 0.0500 1.0000 2.00 1.00 0.5000",
            "v2 0.0250 0.0500 2.0000 2.00 1.00 0.5000",
            "v3 0.0500 0.0500 1.0000 2.00 1.00 0.5000",
            "v4 0.0500 0.0500 1.0000 2.00 – –",
            "v5 0.0500 – – 2.00 – –",
            "v7 – 0.0500 – – 1.00 –",
        )
        second = text.split("samples/clock/SM")[-1]
        self.assertNotIn("cpu_serial", second)
        self.assertNotRegex(second, r"(?m)^v9 ")
        notes = [
            "- v9: failed in A (exit 4): pi_v9: CUDA error: out of | luck",
            "- v5: failed in B (exit 4): pi_v5: CUDA error: out of | luck",
            "- v9: failed in B (exit 4): pi_v9: CUDA error: out of | luck",
            "- v8: no interval, too few times: 7 in A, 3 in B, 7 needed",
            "- v4: different settings: iters 1000 in A, 2000 in B",
            "- v1: warning in B: the clock fell to 700 MHz of 1000 MHz",
        ]
        self.assertEqual(notes, text.splitlines()[-6:])

    def test_versions_are_in_step_order(self):
        """Variants of a number and ablations stand after their step."""
        self.a["runs"].reverse()
        for version in ("v2_constant", "v2t_constant", "v2t", "v10_one_family"):
            self.a["runs"].insert(0, self.run_of(self.a, "v1") | {"version": version})
        text = self.output_of_edited()
        versions = re.findall(r"(?m)^(v\d\w*|cpu_\w+)", text.split("Verdict")[1].split("FASTER,")[0])
        expected = "cpu_serial v1 v2 v2_constant v2t v2t_constant v3 v4 v5 v6 v7 v8 v9 v10 v10_one_family"
        self.assertEqual(expected.split(), versions)
        self.assert_rows(text, "v2_constant 1.00 – – – only in A")

    def test_columns_are_aligned(self):
        blocks = self.output(A, B).split("\n\n")
        for block, title in ((blocks[1], "B/A"), (blocks[4], "A 10^9 samples/J")):
            lines = block.splitlines()
            end = lines[0].index(title) + len(title)
            for line in lines[1:]:
                self.assertRegex(line[:end], r"\S\Z", line)
                self.assertRegex(line[end:], r"\A( |\Z)", line)

    def test_what_differs_between_the_contexts(self):
        text = self.output(A, B)
        context = text.split("\n\n")[0]
        self.assert_rows(
            context, f"file {A} {B}", "date 2026-01-31T12:00:00Z 2026-02-28T12:00:00Z",
            "device.name NVIDIA Fixture 9000 NVIDIA Fixture 500",
            "commit 012345678901 abcdef9876ab with uncommitted changes", "device.multiprocessors 10 20",
            "compiler nvcc 13.0.88, g++ 12.2.0 nvcc 12.4.131, g++ 12.2.0",
        )  # fmt: skip
        for same in ("driver", "runtime", "flags", "host"):
            self.assertNotIn(same, context)

    def test_each_fact_of_a_context(self):
        self.b = copy.deepcopy(self.a)
        self.b["context"] |= {"driver": "9.9.9", "runtime": None, "flags": "-O0", "dirty": True}
        self.b["context"]["host"]["cores"] = 8
        context = self.output_of_edited().split("\n\n")[0]
        self.assert_rows(context, "driver 1.2.3 9.9.9", "runtime 13.0 –", "flags -O3 -O0", "host.cores 4 8",
                         "commit 012345678901 012345678901 with uncommitted changes")  # fmt: skip
        self.assertNotIn("compiler", context)

    def test_equal_contexts_still_name_device_and_commit(self):
        process = self.compare(A, A)
        self.assert_ends(process, 0, "the same run")
        context = process.stdout.split("\n\n")[0]
        self.assert_rows(context, "device.name NVIDIA Fixture 9000 NVIDIA Fixture 9000")
        self.assertEqual(5, len(context.splitlines()))

    def test_a_different_grid(self):
        self.run_of(self.b, "v1")["blocks"] = 80  # four an SM against two
        self.run_of(self.b, "v2")["blocks"] = 20  # as many as in A
        self.run_of(self.b, "v3")["threads"] = 256
        text = self.output_of_edited()
        self.assertIn("- v1: different settings: blocks 20 in A, 80 in B", text)
        self.assertIn("- v3: different settings: threads 128 in A, 256 in B", text)
        self.assertNotIn("v2: not", text)

    def test_hits_of_the_first_launches(self):
        for document, last in ((self.a, 3_000_000), (self.b, 5_000_000)):
            for version, hits in (
                ("v1", 785_000),
                ("v2", 785_000 + (document is self.b)),
                ("v3", 785_000),
                ("v4", 785_000),
            ):
                run = self.run_of(document, version)
                run |= {"blocks": 20, "iters": 1000}
                run["outcome"] |= {"samples": last, "hits": 785_000 * last // 10**6, "trace": [[10**6, hits]]}
        self.run_of(self.a, "v3")["outcome"]["trace"] = None
        self.run_of(self.b, "v4")["seed"] = 5
        lines = self.output_of_edited().splitlines()
        self.assertIn(
            "Hits of the first launches: the same in cpu_serial, v1; "
            "DIFFERENT in v2: after 1,000,000 samples 785,000 in A, 785,001 in B; "
            "not compared, as seed or grid differ: v4, v8, v10; not compared, as no number of samples is in both: v3.",
            lines)  # fmt: skip

    def test_no_hits_where_a_ladder_counts_none(self):
        path = DATA / "ladders" / "asian.json"
        text = self.compare(path, path).stdout
        self.assertNotIn("Hits", text)
        self.assertIn("A path-steps/ns", text)
        self.assertNotIn("sample", text)

    def test_markdown(self):
        self.a["context"]["compiler"] = "nvcc | g++\nand more"
        self.run_of(self.a, "v1")["warnings"] = [{"kind": "clock", "text": "<script>](x)"}]
        text = self.output_of_edited("--markdown")
        self.assertIn("- v1: warning in A: \\<script>\\](x)\n", text)
        for row in (
            "| Version | A samples/ns | B samples/ns | B/A | Interval | Verdict |", "| :--- | ---: | ---: | ---: | ---: | :--- |",
            "| v2 | 0.500 | 1.00 | 2.0000 | [1.8095, 2.2105] | FASTER |", "| v5 | 1.00 | – | – | – | failed in B |",
            "| v4 | 0.0500 | 0.0500 | 1.0000 | 2.00 | – | – |",
        ):  # fmt: skip
            self.assertIn(f"{row}\n", text)
        self.assertIn("| compiler | nvcc \\| g++ and more | nvcc 12.4.131", text)
        self.assert_whole_tables(text, 3)

    def assert_whole_tables(self, text, count):
        tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
        self.assertEqual(count, len(tables))
        for table in tables:
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
            self.assertEqual(1, len(widths), table)


class MissingValuesTest(CompareTest):
    def test_null_and_absent_figures_are_dashes(self):
        for name in ("sm_clock_mhz", "per_joule"):
            self.run_of(self.b, "v1")[name] = None
            del self.run_of(self.b, "v2")[name]
        for version in ("v1", "v2"):
            self.run_of(self.b, version)["kernel_ms"] = []
        self.assert_rows(
            self.output_of_edited(), "v1 1.00 1.00 1.0000 – UNCLEAR", "v2 0.500 1.00 2.0000 – UNCLEAR", "v1 0.0500 – – 2.00 – –",
            "v2 0.0250 – – 2.00 – –", "- v1: no interval, too few times: 7 in A, 0 in B, 7 needed",
        )  # fmt: skip

    def test_results_of_the_cpu_alone(self):
        for document in (self.a, self.b):
            document["context"] |= {"device": None, "driver": None, "runtime": None, "commit": None, "dirty": None}
            document["runs"] = document["runs"][:1]
        text = self.output_of_edited()
        self.assert_rows(text, "cpu_serial 1.00 1.00 1.0000 [0.9980, 1.0020] SAME")
        self.assertNotIn("device", text)
        self.assertNotIn("/clock/", text)
        self.b = json.loads(B.read_text())  # against a GPU
        self.assert_rows(self.output_of_edited(), "device.name – NVIDIA Fixture 500", "v1 – 1.00 – – only in B")

    def test_no_version_in_both(self):
        self.a["runs"], self.b["runs"] = self.a["runs"][-2:-1], self.b["runs"][-1:]
        text = self.output_of_edited("--fail-on-slower", "0")
        self.assert_rows(text, "v9 – – – – only in A, failed", "v10 – 1.00 – – only in B", "2 without comparison.")


class IntervalTest(unittest.TestCase):
    def test_rank_is_the_largest_with_half_the_risk(self):
        for count in range(0, 400):
            j = rank(count)
            self.assertLessEqual(missed(count, j), Fraction(1, 80), count)
            self.assertGreater(missed(count, j + 1), Fraction(1, 80), count)

    def test_ranks_that_can_be_counted_by_hand(self):
        # 1/128 is at most 1.25 %, 1/64 is not; with 10 times 11/1024 is; with 9 10/512 is not.
        self.assertEqual({0: 0, 6: 0, 7: 1, 9: 1, 10: 2}, {n: rank(n) for n in (0, 6, 7, 9, 10)})

    def test_rank_of_very_many(self):
        # By the normal approximation: half less 2.2414 standard deviations of sqrt(n)/2.
        for count in (2_000, 100_000):
            self.assertAlmostEqual(count / 2 - 2.2414 * math.sqrt(count) / 2, rank(count), delta=1)

    def test_times_of_any_unit_of_work(self):
        fast = {"kernel_ms": [2.0, 8.0] * 3 + [4.0], "per_ns": {"median": 1000.0}}
        slow = {"kernel_ms": [1.0] * 7, "per_ns": {"median": 10.0}}
        self.assertEqual(
            (50.0, 200.0), comparison.interval_of_ratio(records.rate_bounds(slow), records.rate_bounds(fast))
        )

    def test_launches_that_differ_in_their_work(self):
        run = {"kernel_ms": [1.0] * 7, "work_of_timings": [4e6, 1e6] * 3 + [2e6], "per_ns": {"median": 2.0}}
        self.assertEqual([1.0, 4.0], records.rate_bounds(run))
        self.assertEqual([2.0, 2.0], records.rate_bounds(run | {"work_of_timings": None}))

    def test_interval_holds_the_ratio(self):
        # Skewed times with a ratio of 2; of 2000 intervals at least 95 % hold it, less 4 standard deviations.
        draw = random.Random(20260131)
        for count in (7, 10, 23):
            held = sum(self.holds_two(draw, count) for _ in range(2000))
            self.assertGreater(held, 1900 - 4 * math.sqrt(2000 * 0.95 * 0.05), count)

    def holds_two(self, draw, count):
        sides = []
        for true_median in (2.0, 1.0):
            times = [true_median * draw.lognormvariate(0, 0.5) for _ in range(count)]
            median = sorted(times)[count // 2] if count % 2 else sum(sorted(times)[count // 2 - 1 : count // 2 + 1]) / 2
            sides.append(records.rate_bounds({"kernel_ms": times, "per_ns": {"median": 1 / median}}))
        low, high = comparison.interval_of_ratio(*sides)
        return low <= 2 <= high


def rank(count):
    return order_statistics.rank(count, records.COMPARED_TAIL)


def missed(count, j):
    """P(Bin(count, 1/2) < j), exactly."""
    return Fraction(sum(math.comb(count, i) for i in range(j)), 2**count)


class VerdictTest(unittest.TestCase):
    def test_verdicts(self):
        for word, *intervals in (
            ("SAME", (0.995, 1.005), (1 / 1.01, 1.01), (1.001, 1.009), (0.991, 0.999)),  # the last two are certain and too small to matter
            ("FASTER", (1.001, 1.02), (1.5, 3.0)), ("SLOWER", (0.98, 0.999), (0.2, 0.3)),
            # (0.99, 1.0) is the mirror image of (1.0, 1.0101).
            ("UNCLEAR", (0.99, 1.0), (0.98, 1.005), (0.995, 1.011), (1.0, 1.02), (0.5, 2.0), None),
        ):  # fmt: skip
            for interval in intervals:
                self.assertEqual(word, comparison.verdict(interval), interval)

    def test_a_swap_of_the_files_mirrors_the_verdict(self):
        mirrored = {"SAME": "SAME", "UNCLEAR": "UNCLEAR", "FASTER": "SLOWER", "SLOWER": "FASTER"}
        ends = [0.5, 0.985, 0.9905, 0.995, 1.0, 1.005, 1.0095, 1.015, 2.0]
        for low in ends:
            for high in (end for end in ends if end >= low):
                self.assertEqual(mirrored[comparison.verdict((low, high))], comparison.verdict((1 / high, 1 / low)))


class OtherLadderTest(CompareTest):
    def test_results_of_two_ladders_are_not_compared(self):
        process = self.compare(A, DATA / "ladders" / "mcls.json")
        self.assert_ends(process, 2, str(A), "of pi", "mcls.json of mcls")
        self.assertEqual("", process.stdout)


class FailOnSlowerTest(CompareTest):
    def test_only_what_is_slower_for_certain(self):
        # v3 is at 0.5 of the base, at most at 0.5526 of it.
        for percent, code in {"0": 1, "44": 1, "44.7": 1, "44.8": 0, "50": 0, "99": 0}.items():
            process = self.compare(A, B, "--fail-on-slower", percent)
            self.assertEqual(code, process.returncode, percent)
            self.assertIn("SLOWER", process.stdout)
            if code:
                self.assert_ends(process, 1, f"slower by more than {percent} %: v3\n")

    def test_names_every_one(self):
        self.run_of(self.a, "v10")["per_ns"] |= {"median": 2.0, "low": 1.9, "high": 2.1}
        process = self.compare(self.store(self.a), B, "--fail-on-slower", "10")
        self.assert_ends(process, 1, "slower by more than 10 %: v3, v10\n")

    def test_zero_per_cent_takes_certainty_and_not_size(self):
        self.a["runs"] = [self.run_of(self.a, "v1")]
        times = self.run_of(self.b, "v1")["kernel_ms"]
        self.run_of(self.b, "v1")["kernel_ms"] = [1.0] * len(times)
        self.run_of(self.b, "v1")["per_ns"] |= {"median": 0.995, "low": 0.995, "high": 0.995}
        process = self.compare(self.store(self.a, "a.json"), self.store(self.b), "--fail-on-slower", "0")
        self.assertIn("SAME", process.stdout)
        self.assert_ends(process, 1, "v1")


class SourcesTest(CompareTest):
    @needs_jsonschema
    def test_standard_input_on_either_side(self):
        expected = self.output(A, B)
        for arguments, path in ((("-", B), A), ((A, "-"), B)):
            with open(path) as file:
                text = self.output(*arguments, stdin=file)
            self.assertIn("standard input", text)
            self.assertEqual(without_files(expected), without_files(text))

    @needs_jsonschema
    def test_broken_standard_input(self):
        for text, part in (
            (b"", "empty"),
            (b"{", "cut short"),
            (b"[]", "not a JSON object"),
            (b"\xff\xfe", "not text"),
        ):
            path = self.root / "input"
            path.write_bytes(text)
            with open(path) as file:
                self.assert_ends(self.compare("-", B, stdin=file), 2, "compare: standard input", part)

    @needs_jsonschema
    def test_closed_standard_input(self):
        process = self.compare("-", B, preexec_fn=lambda: os.close(0))
        self.assert_ends(process, 2, "standard input: closed")

    def test_text_that_a_terminal_would_act_on(self):
        self.run_of(self.b, "v1")["warnings"] = [{"kind": "clock", "text": "red \x1b[31m\nalert"}]
        self.assertIn("- v1: warning in B: red ?[31m alert\n", self.output(A, self.store(self.b)))


def without_files(text):
    """The comparison without its first two lines, which name the files."""
    return [" ".join(line.split()) for line in text.splitlines()[2:]]


@unittest.skipUnless(shutil.which("git"), "this system has no git")
class GitTest(CompareTest):
    """A repository whose result was committed and then replaced."""

    PATH = "results/nvidia-fixture-9000/pi.json"

    def setUp(self):
        super().setUp()
        environment = mock.patch.dict(os.environ)
        environment.start()
        self.addCleanup(environment.stop)
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            del os.environ[name]  # a hook of git that runs this test sets some
        self.stored = self.root / self.PATH
        self.stored.parent.mkdir(parents=True)
        shutil.copy(A, self.stored)
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "A result")
        shutil.copy(B, self.stored)

    def git(self, *arguments):
        who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(self.root), *who, *arguments], check=True, timeout=60)

    @needs_jsonschema
    def test_the_committed_result_against_the_one_that_replaced_it(self):
        text = self.output(f"HEAD:{self.PATH}", self.PATH, cwd=self.root)
        self.assert_rows(text, "v2 0.500 1.00 2.0000 [1.8095, 2.2105] FASTER", f"file HEAD:{self.PATH} {self.PATH}")
        text = self.output(B, f"HEAD:{self.PATH}", cwd=self.root)  # as the second argument
        self.assert_rows(text, "v2 1.00 0.500 0.5000 [0.4524, 0.5526] SLOWER")
        below = self.stored.parent
        self.assertIn("FASTER", self.output(f"HEAD:{self.PATH}", "pi.json", cwd=below))
        self.assertIn("FASTER", self.output("HEAD:./pi.json", "pi.json", cwd=below))

    @needs_jsonschema
    def test_a_file_with_such_a_name_comes_first(self):
        shutil.copy(A, self.root / "HEAD:a.json")
        self.assertIn("FASTER", self.output("HEAD:a.json", B, cwd=self.root))

    @needs_jsonschema
    def test_what_git_does_not_have(self):
        for name, *parts in (
            ("HEAD:results/none.json", "compare: HEAD:results/none.json: git: ", "'results/none.json'"),
            ("HEAD:results", ": git: ", "results"),
            ("nowhere:pi.json", ": git: ", "'nowhere'"), ("HEAD:", ": git: ", "HEAD:"),
        ):  # fmt: skip
            self.assert_ends(self.compare(name, B, cwd=self.root), 2, *parts)
        # An option is not passed to git.
        self.assert_ends(self.compare("--", "--help:me", B, cwd=self.root), 2, "--help:me", "No such file")
        self.stored.write_bytes(b"\xff")
        self.git("commit", "--quiet", "--all", "--message", "A broken result")
        self.assert_ends(self.compare(f"HEAD:{self.PATH}", B, cwd=self.root), 2, "not text")
        with tempfile.TemporaryDirectory() as folder:
            self.assert_ends(self.compare("HEAD:pi.json", B, cwd=folder), 2, "HEAD:pi.json", "git")

    def test_without_git(self):
        (self.root / "bin").mkdir()
        self.add_script(
            self.root / "bin" / "python3", f'exec {sys.executable} "$@"'
        )  # a link would leave a virtual environment
        process = self.compare("HEAD:pi.json", B, env={"PATH": str(self.root / "bin")})
        self.assert_ends(process, 2, "no such file, and git cannot be run")


class BrokenInputTest(CompareTest):
    def test_what_is_no_result(self):
        text = A.read_text()
        for document, *parts in (
            (text[: len(text) // 2], "cut short"), ("", "empty"),
            (self.a | {"suite": "options"}, "not a result of a known suite", "'pi'"),
            (self.a | {"runs": [*self.a["runs"], self.a["runs"][1]]}, "v1 occurs more than once"),
        ):  # fmt: skip
            with self.subTest(parts):
                self.assert_refused(document, *parts)

    @needs_jsonschema
    def test_values_that_nothing_can_be_computed_with(self):
        huge = {"median": 10**400, "low": 1, "high": 10**400}
        figures = {
            "kernel_ms": ["1.0", 1.0, {}, [1.0, 0], [1.0, -1.0], [True], [None], [10**400], ["1"]],
            "sm_clock_mhz": ["fast", 0, -1.0, True, [1.0]], "per_joule": ["many", 0, -1.0, 10**400],
            "per_ns": [huge, {"median": 5e-324, "low": 5e-324, "high": 1.0}],
        }  # fmt: skip
        for place, value, *parts in (
            ("runs/v1/team", {"kind": "devices", "size": 2, "wall_ms": [1.0]}, "v1 was run by a team"),
            ("runs/v1/work_of_timings", [1.0], "kernel_ms, but 1 work_of_timings"),
            *(("context/device/multiprocessors", value, "multiprocessors") for value in (0, -10)),
            *((f"runs/v1/{name}", value, "v1", name) for name, values in figures.items() for value in values),
        ):
            with self.subTest(place, value=value):
                document = copy.deepcopy(self.a)
                put(document, place, value)
                self.assert_refused(document, *parts)

    @needs_jsonschema
    def test_usage_and_files_that_are_not_there(self):
        for arguments, *parts in (
            ((self.root / "none.json", B), "none.json", "No such file"), ((A, self.root), str(self.root), "Is a directory"), (("", B),),
            ((), "A, B"), ((A,), "B"), ((A, B, A), "unrecognized"), ((A, B, "--frob\nnicate"), "--frob nicate"), (("-", "-"), "both"),
            *(((A, B, f"--fail-on-slower={text}"), "--fail-on-slower", "percentage")
              for text in ("-1", "100", "1e9", "nan", "inf", "five", "")),
        ):  # fmt: skip
            with self.subTest(arguments):
                self.assert_ends(self.compare(*arguments), 2, *parts)

    def test_help_explains_the_interval_the_words_and_the_exit_codes(self):
        text = self.output("--help")
        for part in ("SAME", "FASTER", "SLOWER", "UNCLEAR", "Bonferroni", "exit codes", "REV:PATH", "1.25 %"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
