#!/usr/bin/env python3
"""Tests of results: checked, merged, formatted, written."""

import copy
import json
import os
import signal
import stat
import sys
import threading
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import SCRIPTS, Sandbox, cpu_document, gpu_document, pi

from suite import numerals
from suite.documents import checks, convergence, files, merit, peers, profile, quality, result, scaling, sweep
class SlugTest(unittest.TestCase):
    def test_lower_case_with_single_dashes(self):
        slugs = {
            "NVIDIA H200": "nvidia-h200",
            "NVIDIA GeForce RTX 4090 (Laptop)": "nvidia-geforce-rtx-4090-laptop",
            "  Tesla__T4 ": "tesla-t4",
            "A/B\\..": "a-b",
        }
        for name, slug in slugs.items():
            self.assertEqual(slug, result.device_slug(name))


class RateTextTest(unittest.TestCase):
    def test_digits_follow_the_interval(self):
        texts = {
            (1206.3, 1205.9, 1206.8): "1206.3 [1205.9, 1206.8]",
            (0.0421337, 0.04211, 0.04215): "0.04213 [0.04211, 0.04215]",
            (30.6123, 30.6, 30.7): "30.61 [30.60, 30.70]",
            (2561.04, 2550.0, 2572.0): "2561 [2550, 2572]",
            (5.0, 5.0, 5.0): "5.0000 [5.0000, 5.0000]",
            (123456.7, 123456.6, 123456.8): "123457 [123457, 123457]",
            (100.0, 10.0, 900.0): "100 [10, 900]",
        }
        for (median, low, high), text in texts.items():
            self.assertEqual(text, numerals.rate_text({"median": median, "low": low, "high": high}))

    def test_three_digits(self):
        for value, text in ((0.09999, "0.100"), (0.9996, "1.00"), (9.996, "10.0"), (12345, "12,300"), (0.0495, "0.0495"), (0, "0")):
            self.assertEqual(text, numerals.three_digits(value))


class MergeTest(unittest.TestCase):
    def test_documents_are_left_as_they_were(self):
        first, second = cpu_document("cpu_serial", 1), gpu_document("v1")
        before = copy.deepcopy((first, second))
        result.merge(first, second)
        self.assertEqual(before, (first, second))

    def test_a_failed_run_takes_the_context_of_the_next(self):
        merged = result.merge(result.failed_run(pi, "v1", "message", 4), gpu_document("v2"))
        self.assertEqual(gpu_document("v2")["context"], merged["context"])
        self.assertEqual(["message", None], [run.get("error") for run in merged["runs"]])


class TableTest(unittest.TestCase):
    """What a table refuses, and the one line that says where and why."""

    TABLE = {
        "name": checks.TEXT, "size?": checks.Maybe(checks.COUNT), "all": [{"p": checks.NUMBER}], "ms": checks.Each(checks.ABOVE_0),
        "interval": checks.INTERVAL, "mode": checks.one_of("weak", "strong"),
        "part": lambda part: {"seconds": checks.ABOVE_0} if part.get("done") else {"reason": checks.TEXT},
    }  # fmt: skip
    VALUE = {
        "name": "a", "size": None, "all": [{"p": 0.5}, {"p": 1}], "ms": {"seed": 1, "sample": 2.5}, "more": [],
        "interval": {"low": 1, "median": 1.5, "high": 2}, "mode": "weak", "part": {"done": True, "seconds": 3},
    }  # fmt: skip

    def refusal(self, value):
        with self.assertRaises(checks.ResultError) as caught:
            checks.check(value, self.TABLE, "v1")
        return str(caught.exception)

    def test_what_is_as_it_says(self):
        without_size = {name: value for name, value in self.VALUE.items() if name != "size"}
        for value in (self.VALUE, self.VALUE | {"size": 3, "all": [], "ms": {}, "part": {"reason": "late"}}, without_size):
            checks.check(value, self.TABLE, "v1")

    def test_each_field(self):
        lines = {
            'v1.name is null, not text': {"name": None},
            'v1.size is true, not a whole number': {"size": True},
            'v1.all is {"p": 1}, not a list': {"all": {"p": 1}},
            'v1.all[1] lacks \'p\'': {"all": [{"p": 1}, {"q": 1}]},
            'v1.all[0].p is "a\\nb", not a number': {"all": [{"p": "a\nb"}]},
            'v1.all[0].p is true, not a number': {"all": [{"p": True}]},
            'v1.all[0] is 3, not an object': {"all": [3]},
            'v1.ms["seed"] is 0, not a positive number that could have been measured': {"ms": {"seed": 0}},
            'v1.interval is not low <= median <= high': {"interval": {"low": 1, "median": 3, "high": 2}},
            'v1.mode is "flat", not one of weak, strong': {"mode": "flat"},
            'v1.part lacks \'seconds\'': {"part": {"done": True}},
            'v1.part.reason is 1, not text': {"part": {"reason": 1}},
            f'v1.name is [{"0, " * 13}…, not text': {"name": [0] * 99},
        }  # fmt: skip
        for line, change in lines.items():
            self.assertEqual(line, self.refusal(self.VALUE | change))

    def test_what_is_no_object(self):
        for value in (None, [], "a"):
            self.assertIn("v1 is ", self.refusal(value))
        self.assertEqual("v1 lacks 'name'", self.refusal({}))


class SchemaTest(unittest.TestCase):
    """Each kind of document has a schema of its own number, and no other is read."""

    KINDS = (result, merit, peers, sweep, convergence, profile, scaling, quality)

    def test_an_older_and_a_newer_one(self):
        for kind in self.KINDS:
            document = kind.DOCUMENT.of(pi)
            for schema, age in ((document.schema - 1, "an older"), (document.schema + 1, "a newer")):
                line = f"written by {age} version of the suite (schema {schema}, known here: {document.schema})"
                with self.subTest(kind.__name__, schema=schema), self.assertRaises(checks.ResultError) as caught:
                    document.check(document.made(None, []) | {"schema": schema})
                self.assertEqual(line if schema else "has no valid schema number", str(caught.exception))


class TeamTest(unittest.TestCase):
    """Records say who ran them and what they went on from; older ones do not."""

    TEAM = {"kind": "devices", "size": 2, "wall_ms": [1.0]}

    def parsed(self, check=result.DOCUMENT.check, **values):
        document = gpu_document("v1")
        document["runs"][0] |= values
        return files.parse(json.dumps(document), "a file", check)

    def test_with_and_without(self):
        for values in ({}, {"team": None, "resumed_from": None}, {"team": self.TEAM, "resumed_from": 7}):
            (run,) = self.parsed(result.OF_TEAMS.check, **values)["runs"]
            self.assertEqual(values, {name: run[name] for name in values})

    def test_the_rate_of_a_team_is_no_devices(self):
        with self.assertRaisesRegex(checks.ResultError, "a file: v1 was run by a team"):
            self.parsed(team=self.TEAM)

    def test_a_run_with_nothing_left_has_no_rate(self):
        with self.assertRaisesRegex(checks.ResultError, "a file: v1 has no rate: all of its run had been done"):
            self.parsed(resumed_from=20, per_ns=None, kernel_ms=[])


class SigmaTest(unittest.TestCase):
    """A distance that no verdict passes was not printed by a program."""

    def check(self, sigma, units=None, independent=None):
        ratio = units and {"ratio": 1.0, "sd": 0.1, "units": units, "over": "blocks"}
        document = gpu_document("v1")
        facts = {"sigma": sigma, "independent": independent or "samples", "variance_ratio": ratio}
        document["runs"][0]["outcome"] |= facts
        result.DOCUMENT.parse(json.dumps(document), "a file")

    def test_limits(self):
        # Two-sided quantiles of Student's t at the probability beyond 5 normal sd, from its incomplete beta function.
        for limit, facts in (
            (5, ()), (5, (264,)), (8.267096, (16, "launches")), (5, (132, "blocks")), (5.259150, (132, "launches")),
        ):  # fmt: skip
            for sign in (1, -1):
                self.check(sign * limit * 0.999999, *facts)
                with self.assertRaisesRegex(checks.ResultError, "a file: v1 has sigma"):
                    self.check(sign * limit * 1.000001, *facts)

    def test_none_without_an_error_estimate_only(self):
        self.check(None, independent="launches")
        for facts in ((), (264,), (16, "launches")):
            with self.assertRaisesRegex(checks.ResultError, "a file: v1 has no sigma"):
                self.check(None, *facts)


class ToTextTest(unittest.TestCase):
    def test_round_trip(self):
        document = gpu_document("v1")
        document["runs"][0]["technique"] = 'quotes ", brackets [\n 1,\n 2\n], an × and a \\'
        self.assertEqual(document, json.loads(files.to_text(document)))


class WriteTextTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.target = self.root / "target"

    def test_makes_the_folder(self):
        files.write_text(self.root / "a" / "b", "text")
        self.assertEqual("text", (self.root / "a" / "b").read_text())

    def test_a_new_file_has_the_permissions_of_the_umask(self):
        self.addCleanup(os.umask, os.umask(0o027))
        files.write_text(self.target, "text")
        self.assertEqual(0o640, stat.S_IMODE(self.target.stat().st_mode))

    def test_an_existing_file_keeps_its_permissions(self):
        self.target.write_text("old")
        self.target.chmod(0o604)
        files.write_text(self.target, "new")
        self.assertEqual(0o604, stat.S_IMODE(self.target.stat().st_mode))
        self.assertEqual("new", self.target.read_text())

    def test_links_are_followed(self):
        (self.root / "folder").mkdir()
        self.target.symlink_to("folder/file")
        for text in ("first", "second"):
            files.write_text(self.target, text)
            self.assertEqual("folder/file", os.readlink(self.target))
            self.assertEqual(text, (self.root / "folder" / "file").read_text())
        self.assertEqual(["file"], os.listdir(self.root / "folder"))

    def test_a_circle_of_links_is_an_error(self):
        self.target.symlink_to(self.target)
        with self.assertRaises(OSError):
            files.write_text(self.target, "text")
        self.assertTrue(self.target.is_symlink())

    def test_a_pipe_is_written_into(self):
        os.mkfifo(self.target)
        received = []
        reader = threading.Thread(target=lambda: received.append(self.target.read_text()))
        reader.start()
        files.write_text(self.target, "text")
        reader.join(timeout=30)
        self.assertEqual(["text"], received)
        self.assertTrue(stat.S_ISFIFO(self.target.stat().st_mode))

    def test_a_device_is_written_into(self):
        files.write_text("/dev/null", "text")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_a_failure_before_the_rename_leaves_the_old_file(self):
        self.target.write_text("old")
        for step in ("os.fsync", "os.replace"):
            for error in (OSError("no luck"), KeyboardInterrupt()):
                with self.subTest(step=step, error=error), mock.patch(step, side_effect=error):
                    with self.assertRaises(type(error)):
                        files.write_text(self.target, "new")
                self.assertEqual("old", self.target.read_text())
                self.assert_no_leftovers()

    def test_a_kill_before_the_rename_leaves_the_old_file(self):
        self.target.write_text("old")
        code = (
            "import os, signal, sys\nfrom suite.documents import files\n"
            "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
            "files.write_text(sys.argv[1], 'new')\n"
        )
        environment = os.environ | {"PYTHONPATH": str(SCRIPTS), "PYTHONDONTWRITEBYTECODE": "1"}
        process = self.execute(sys.executable, "-c", code, self.target, env=environment)
        self.assertEqual(-signal.SIGKILL, process.returncode)
        self.assertEqual("old", self.target.read_text())


if __name__ == "__main__":
    unittest.main()
