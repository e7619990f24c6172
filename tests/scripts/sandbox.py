"""What tests of scripts/ share: where things are, a temporary folder, and records as programs print them."""

import contextlib
import functools
import io
import json
import os
import resource
import runpy
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = REPOSITORY / "scripts"
BIN = Path(os.environ.get("SUITE_BIN", REPOSITORY / "build")).resolve()
SLUG = "nvidia-fixture-9000"
PCI_ADDRESS = f"{os.getpid():08X}:9A:00.0"  # of a GPU that no other test has: commands keep each other from one
NOBODY = 65534

sys.path[1:1] = [str(SCRIPTS), str(REPOSITORY / "quality"), str(REPOSITORY / "tests")]

import fixtures
from fixtures import GONE, put  # noqa: F401
from suite import ladders
from suite.documents import schema
from suite.render import drawing
from temporary import temporary_folder

DATA = fixtures.built()
RESULTS = DATA / "results"


def check_once(value, definition, where="", check=schema.check, known=set()):
    """Check a value as the scripts do, but the same value only once: most tests read the same documents."""
    same = (definition, json.dumps(value, default=repr))
    if same not in known:
        check(value, definition, where)
        known.add(same)


schema.check = check_once

pi, lecture, arrays, normals, asian, lookback, mcls, graph = map(
    ladders.ladder_named, ("pi", "lecture", "arrays", "normals", "asian", "lookback", "mcls", "graph")
)


def called(module, *arguments):
    """What a command of scripts/ does, as subprocess.run tells it, but called in this process: most tests need no start of Python."""
    return told([module.COMMAND.name, *map(str, arguments)], lambda: module.COMMAND.run(module.main))


def entered(name, *arguments):
    """The same of an entry script, such as scripts/bench."""
    return told(
        [str(SCRIPTS / name), *map(str, arguments)], lambda: runpy.run_path(str(SCRIPTS / name), run_name="__main__")
    )


def told(command, action):
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    without_waiting = mock.patch("os.fsync")  # for the disk
    with (
        without_waiting,
        mock.patch.object(sys, "argv", command),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        try:
            code = action()
        except SystemExit as end:
            code = end.code or 0
    return subprocess.CompletedProcess(
        command, code, *(stream.buffer.getvalue().decode() for stream in (output, errors))
    )


def copied_scripts(root):
    """A copy of scripts/ in a folder, with what they read and import beside it."""
    (root / "results").mkdir(exist_ok=True)
    shutil.copy(REPOSITORY / "results" / "schema.json", root / "results")
    without_bytecode = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPOSITORY / "quality" / "batteries", root / "quality" / "batteries", ignore=without_bytecode)
    return shutil.copytree(SCRIPTS, root / "scripts", ignore=without_bytecode)


class Sandbox(unittest.TestCase):
    """A test with its own temporary folder."""

    def setUp(self):
        self.root = temporary_folder(self.addCleanup)
        self.root.chmod(0o755)

    def add_script(self, path, body):
        """A program of shell."""
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def execute(self, *command, **options):
        options = {"capture_output": True, "text": True, "timeout": 60, "stdin": subprocess.DEVNULL} | options
        return subprocess.run([str(part) for part in command], **options)

    def call(self, module, *arguments, **options):
        """What a command of scripts/ does, with the programs of tools/ before others; with options of a process in one of its own."""
        path = {"PATH": f"{self.root / 'tools'}:{os.environ['PATH']}"}
        if options:
            return self.execute(SCRIPTS / module.COMMAND.name, *arguments, **({"env": os.environ | path} | options))
        with mock.patch.dict(os.environ, path):
            return called(module, *arguments)

    def assert_one_line(self, text, *parts):
        self.assertRegex(text, r"\A[^\n]+\n\Z")
        for part in parts:
            self.assertIn(part, text)

    def assert_ends(self, process, code, *parts):
        """The process ended with this exit code and one line on stderr that holds the parts."""
        self.assert_one_line(process.stderr, *parts)
        self.assertEqual(process.returncode, code, process.stderr)

    def succeeded(self, process):
        """The process ended with 0 and nothing on stderr; returns it."""
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        return process

    def failed(self, process, *parts):
        """The process ended with 1, and its stderr holds the parts; returns it."""
        self.assertEqual(1, process.returncode, process.stderr)
        for part in parts:
            self.assertIn(part, process.stderr)
        return process

    def assert_no_leftovers(self):
        self.assertEqual([], list(self.root.rglob(".*.tmp")))

    def assert_nothing_written(self):
        """In a test whose command stores into self.out."""
        self.assertFalse(self.out.exists())
        self.assert_no_leftovers()


@functools.cache
def has_matplotlib():
    return any(map(drawing.has_matplotlib, drawing.PYTHONS))


def need_matplotlib():
    """Skips the test where no Python can draw charts."""
    if not has_matplotlib():
        raise unittest.SkipTest(drawing.NO_MATPLOTLIB)


needs_jsonschema = unittest.skipUnless(schema.jsonschema, "jsonschema is missing")


def without_root():
    """Options that run a process as a user who is not root; skips the test where that is impossible."""
    if os.geteuid() != 0:
        return {}
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run(["python3", "--version"], stdout=subprocess.DEVNULL, check=True, cwd="/", **options)
    except (OSError, subprocess.SubprocessError) as error:
        raise unittest.SkipTest(f"cannot run as another user than root: {error}")
    return options


def on_full_disk(room):
    """Options that run a process whose files can hold so many bytes. A pipe takes more."""

    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    return {"preexec_fn": limit_files}


def cpu_document(version, threads):
    document = json.loads((RESULTS / "cpu.json").read_text())
    document["runs"][0] |= {"version": version, "threads": threads}
    return document


def gpu_document(version, context=()):
    document = json.loads((RESULTS / "gpu.json").read_text())
    document["context"] |= dict(context)
    document["runs"][0]["version"] = version
    return document
