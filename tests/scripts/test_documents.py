#!/usr/bin/env python3
"""Tests of results: checked, merged, formatted, written."""

import copy
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import unittest
from unittest import mock


sys.dont_write_bytecode = True

from sandbox import GONE, SCRIPTS, Sandbox, cpu_document, gpu_document, lecture, needs_jsonschema, pi, put

from suite import numerals
from suite.documents import files, kinds, records, schema
from suite.documents.schema import ResultError
from suite.ladders import every_ladder


class TextTest(unittest.TestCase):
    def test_slugs_are_lower_case_with_single_dashes(self):
        slugs = {"NVIDIA H200": "nvidia-h200", "NVIDIA GeForce RTX 4090 (Laptop)": "nvidia-geforce-rtx-4090-laptop",
                 "  Tesla__T4 ": "tesla-t4", "A/B\\..": "a-b"}  # fmt: skip
        self.assertEqual(slugs, {name: records.device_slug(name) for name in slugs})

    def test_digits_of_a_rate_follow_the_interval(self):
        for text, median, low, high in (
            ("1,206.3 [1,205.9, 1,206.8]", 1206.3, 1205.9, 1206.8), ("0.04213 [0.04211, 0.04215]", 0.0421337, 0.04211, 0.04215),
            ("30.61 [30.60, 30.70]", 30.6123, 30.6, 30.7), ("2,561 [2,550, 2,572]", 2561.04, 2550.0, 2572.0),
            ("5.0000 [5.0000, 5.0000]", 5.0, 5.0, 5.0), ("123,457 [123,457, 123,457]", 123456.7, 123456.6, 123456.8),
            ("100 [10, 900]", 100.0, 10.0, 900.0),
        ):  # fmt: skip
            self.assertEqual(text, numerals.rate_text({"median": median, "low": low, "high": high}))
        for value, text in (
            (0.09999, "0.100"),
            (0.9996, "1.00"),
            (9.996, "10.0"),
            (12345, "12,300"),
            (0.0495, "0.0495"),
            (0, "0"),
        ):
            self.assertEqual(text, numerals.three_digits(value))
        for value, text in ((0.99996, "1.000"), (99.996, "100.0"), (1206.34, "1,206"), (29256.4, "29,260")):
            self.assertEqual(text, numerals.four_digits(value))

    def test_a_document_is_read_as_it_was_written(self):
        document = gpu_document("v1")
        document["runs"][0]["technique"] = 'quotes ", brackets [\n 1,\n 2\n], an × and a \\'
        self.assertEqual(document, json.loads(files.to_text(document)))


class MergeTest(unittest.TestCase):
    def test_documents_are_left_as_they_were(self):
        first, second = cpu_document("cpu_serial", 1), gpu_document("v1")
        before = copy.deepcopy((first, second))
        records.merge(first, second)
        self.assertEqual(before, (first, second))

    def test_a_failed_run_takes_the_context_of_the_next(self):
        merged = records.merge(
            kinds.RESULT.of(pi).made(None, [records.failed_row("v1", "message")]), gpu_document("v2")
        )
        self.assertEqual(gpu_document("v2")["context"], merged["context"])
        self.assertEqual(["message", None], [run.get("error") for run in merged["runs"]])


class CheckTest(unittest.TestCase):
    """What the schema refuses, and the one line that says where and why."""

    def refusal(self, document, kind=kinds.RESULT):
        with self.assertRaises(ResultError) as caught:
            files.parse(json.dumps(document), "a file", kind.check)
        return str(caught.exception).removeprefix("a file: ")

    @needs_jsonschema
    def test_each_place(self):
        nulls = f"context.driver is [{'0, ' * 13}…, not text or null"
        names = ", ".join(repr(ladder.suite) for ladder in every_ladder())
        ladders = f"not a result of a known suite ({names})"
        run = gpu_document("v1")["runs"][0]
        rate = {"low": 1, "high": 2, "min": 1, "max": 2}
        for line, place, value in (
            ("runs[0].version is null, not text", "runs/0/version", None), ("v1.per_ns is null, not an object", "runs/0/per_ns", None),
            ("v1.blocks is true, not a whole number or null", "runs/0/blocks", True),
            ("v1.kernel_ms[1] is \"a\\nb\", not a number", "runs/0/kernel_ms", [1.5, "a\nb"]),
            ("v1.per_ns lacks 'median'", "runs/0/per_ns", rate),
            ("v1.per_ns is not low <= median <= high", "runs/0/per_ns", rate | {"median": 3}),
            ("v1.team.kind is \"crowd\", not one of devices, mpi", "runs/0/team", {"kind": "crowd", "size": 2, "wall_ms": [1.0]}),
            ("v1.outcome lacks 'hits'", "runs/0/outcome/hits", GONE), ("the document lacks 'context'", "context", GONE),
            ("runs is {}, not a list", "runs", {}), ("runs[0] is 3, not an object", "runs", [3]),
            ("v1 occurs more than once", "runs/+", run), (nulls, "context/driver", [0] * 99),
            ("has no valid schema number", "schema", True), (ladders, "suite", "rho"),
        ):  # fmt: skip
            document = gpu_document("v1")
            put(document, place, value)
            with self.subTest(line):
                self.assertEqual(line, self.refusal(document))

    def test_what_is_of_another_ladder_or_study(self):
        self.assertEqual(
            "not a result of the suite 'lecture'", self.refusal(gpu_document("v1"), kinds.RESULT.of(lecture))
        )
        study = kinds.CALLS.of(pi).made(gpu_document("v1")["context"], [{"version": "v1", "error": "no"}])
        self.assertIn("in a study calls, not", self.refusal(study, kinds.MERIT.of(pi)))

    def test_the_rate_of_a_team_is_no_devices(self):
        document = gpu_document("v1")
        document["runs"][0] |= {"team": {"kind": "devices", "size": 2, "wall_ms": [1.0]}, "resumed_from": 7}
        kinds.OF_TEAM.check(document)
        self.assertIn("v1 was run by a team", self.refusal(document))

    def test_an_older_and_a_newer_one(self):
        every = [kind.of(pi) for kind in (kinds.RESULT, *kinds.OTHERS.values())] + [kinds.LIMITS, kinds.FAULTS]
        for kind in every:
            document = kind.made(None, [])
            for number, age in ((document["schema"] - 1, "an older"), (document["schema"] + 1, "a newer")):
                line = f"written by {age} version of the suite (schema {number}, known here: {document['schema']})"
                with self.subTest(kind.name, number=number):
                    self.assertEqual(
                        line if number else "has no valid schema number",
                        self.refusal(document | {"schema": number}, kind),
                    )


class SchemaTest(unittest.TestCase):
    @needs_jsonschema
    def test_the_published_schema_is_one(self):
        schema.jsonschema.Draft7Validator.check_schema(json.loads(schema.PATH.read_text()))

    @needs_jsonschema
    def test_the_stored_documents_are_as_it_says(self):
        whole = schema.jsonschema.Draft7Validator(json.loads(schema.PATH.read_text()))
        known = [json.loads(path.read_text()) for path in schema.PATH.parent.glob("*/limits.json")]
        self.assertTrue(known)
        for document in known:
            whole.validate(document)
        self.assertFalse(whole.is_valid({"schema": 1, "suite": "limits"}))

    def test_without_jsonschema_documents_are_read(self):
        code = """if True:
            import sys
            sys.modules["jsonschema"] = None
            from suite.documents import schema
            schema.check({}, "limits")
            schema.check([], "result")
            print(schema.number_of("limits"))"""
        process = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True)
        self.assertEqual((0, "1\n", ""), (process.returncode, process.stdout, process.stderr))


class WriteTextTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.target = self.root / "target"

    def test_a_new_file_has_the_permissions_of_the_umask(self):
        self.addCleanup(os.umask, os.umask(0o027))
        files.write_text(self.root / "a" / "b", "text")  # and makes the folder
        self.assertEqual("text", (self.root / "a" / "b").read_text())
        files.write_text(self.target, "text")
        self.assertEqual(0o640, stat.S_IMODE(self.target.stat().st_mode))
        self.target.chmod(0o604)  # one that exists keeps its own
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

    def test_a_pipe_and_a_device_are_written_into(self):
        os.mkfifo(self.target)
        received = []
        reader = threading.Thread(target=lambda: received.append(self.target.read_text()))
        reader.start()
        files.write_text(self.target, "text")
        reader.join(timeout=30)
        self.assertEqual(["text"], received)
        self.assertTrue(stat.S_ISFIFO(self.target.stat().st_mode))
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
