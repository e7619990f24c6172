"""Programs that are functions of a test, for tests of commands that run programs: no process is started."""

import json
import math
import sys
from pathlib import Path
from unittest import mock

from sandbox import RESULTS, SLUG, Sandbox, called

from suite.processes import Outcome, ProgramError


class Ends(Exception):
    """A program ends with this exit code, and says something on stderr."""

    def __init__(self, code, said="out of luck"):
        super().__init__(said)
        self.code, self.said = code, said


def record(version, suite="pi", file="gpu.json", context=(), outcome=(), document=None, **run):
    """The document that a program prints: the first run of a fixture, or of a document of another ladder, with changes."""
    document = document or json.loads((RESULTS / file).read_text()) | {"suite": suite}
    document["runs"] = document["runs"][:1]
    document["context"] |= dict(context)
    document["runs"][0] |= {"version": version, **run}
    document["runs"][0]["outcome"] |= dict(outcome)
    return document


class StudySandbox(Sandbox):
    """A folder of such programs, and the command MODULE of scripts/ that runs them."""

    MODULE = None

    def setUp(self):
        super().setUp()
        self.bin, self.out = self.root / "bin", self.root / "out"
        self.bin.mkdir()
        self.stored = self.out / SLUG / f"pi-{self.MODULE.COMMAND.name}.json"
        self.programs, self.log = {}, []  # what they do by name; each run: number of ranks, name, and arguments
        patch = mock.patch("suite.processes.execute", self.execute_function)
        patch.start()
        self.addCleanup(patch.stop)

    def add_function(self, name, function):
        """A program: function takes its options as a dictionary, and returns the document that it prints."""
        self.programs[name] = function
        self.add_script(self.bin / name, "exit 99")

    def execute_function(self, *command, errors=None):
        ranks, words = 0, list(command)
        if words[0] == "mpirun":
            ranks, words = int(words[2]), words[3:]
        if words[0] == sys.executable:
            words = words[2:]
        name, arguments = Path(words[0]).name, words[1:]
        if name not in self.programs:
            raise ProgramError(f"{words[0]}: No such file or directory")
        if "--list-devices" in arguments:
            return Outcome(0, "0  GPU\n", "")
        self.log.append((ranks, name, arguments))
        try:
            answer = self.programs[name](options_of(arguments))
            return Outcome(0, answer if isinstance(answer, str) else json.dumps(answer), "")
        except Ends as end:
            return Outcome(end.code, "", f"first\n{end.said}\n")

    def measure(self, *options):
        return called(self.MODULE, "--bin", self.bin, "--out", self.out, *options)

    def commands(self, name):
        """The options of each run of a program."""
        return [options_of(arguments) for _, program, arguments in self.log if program == name]

    def runs(self, kind, ladder):
        """The stored runs of each version."""
        found = {}
        for run in kind.of(ladder).load(self.stored)["runs"]:
            found.setdefault(run["version"], []).append(run)
        return found


def options_of(arguments):
    """Options by name with their values, "" of a flag."""
    values = [*arguments[1:], "--"]
    return {
        name: "" if value.startswith("--") else value for name, value in zip(arguments, values) if name.startswith("--")
    }


def launch_of(options, blocks, threads, streams=None):
    """The shape of a launch as told by options, or its own: blocks, threads, iters, work."""
    iters, threads = int(options.get("--iters", 1)), int(options.get("--threads", threads))
    blocks = blocks and int(options.get("--blocks", blocks))
    return {
        "blocks": blocks,
        "threads": threads,
        "iters": iters,
        "work": iters * math.prod([streams] if blocks is None else [blocks, threads]),
    }


def rate_of(median):
    return {"median": median, "low": 0.9 * median, "high": 1.1 * median, "min": 0.9 * median, "max": 1.1 * median}
