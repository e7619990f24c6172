#!/usr/bin/env python3
"""Run one test of CMake's, and say what it skipped: how ctest runs every Python file and every GoogleTest program.

usage: run.py [--part i/n | --at-once n] <test file or program> [argument]...

Each reason to skip is printed as a line "skipped: <test>: <reason>"; make test repeats them at its end. --part runs each
n-th test only, from the i-th on; i counts from 1. --at-once runs all n parts of a program side by side. Exit codes: 0 passed, 1 failed, 77 more was skipped than passed. Where
there is no test to run, as behind a filter that matches none, that is a failure.
"""

import argparse
import concurrent.futures
import importlib
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

PASSED, FAILED, SKIPPED = 0, 1, 77


class Outcome(unittest.TextTestResult):
    """What unittest found; it also counts what passed."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def tests_of(suite):
    """The tests of nested suites, in order."""
    return [test for part in suite for test in (tests_of(part) if isinstance(part, unittest.TestSuite) else [part])]


def run_python(file, part, parts):
    """Run every parts-th test of a file: whether all went well, how many passed, and the reasons to skip."""
    sys.path.insert(0, str(file.parent))
    found = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(file.stem))
    chosen = unittest.TestSuite(tests_of(found)[part - 1 :: parts])
    outcome = unittest.TextTestRunner(resultclass=Outcome).run(chosen)
    return outcome.wasSuccessful(), outcome.passed, [reason for _, reason in outcome.skipped]


def run_program(command, part, parts):
    """The same of a GoogleTest program."""
    environment = os.environ | {
        "GTEST_TOTAL_SHARDS": str(parts),
        "GTEST_SHARD_INDEX": str(part - 1),
        "GTEST_COLOR": "no",
    }
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    said = "".join(lines)
    reasons = re.findall(r"^\S+: Skipped\n(.*?)\n*^\[  SKIPPED \]", said, re.MULTILINE | re.DOTALL)
    return process.returncode == 0, len(re.findall(r"(?m)^\[       OK \]", said)), reasons


def run_at_once(command, parts):
    """The same of all parts of a program."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda part: run_program(command, part, parts), range(1, parts + 1)))
    good, passed, reasons = zip(*outcomes)
    return all(good), sum(passed), sum(reasons, [])


def main():
    """Run the test that the command line names; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    file = Path(options.command[0]).resolve()
    if file.suffix == ".py":
        good, passed, reasons = run_python(file, part, parts)
        name = os.path.relpath(file, Path(__file__).resolve().parents[1])
    else:
        good, passed, reasons = (
            run_at_once(options.command, options.at_once)
            if options.at_once > 1
            else run_program(options.command, part, parts)
        )
        name = file.name
    for reason in sorted(set(reasons)):
        print(f"skipped: {name}: {' '.join(reason.split())}", flush=True)
    if not good:
        return FAILED
    if not passed and not reasons:
        print(f"{name}: part {options.part} has no test", file=sys.stderr)
        return FAILED
    return SKIPPED if len(reasons) > passed else PASSED


if __name__ == "__main__":
    sys.exit(main())
