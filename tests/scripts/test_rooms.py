#!/usr/bin/env python3
"""Tests of the rooms of scripts/suite/ and of quality/batteries/: none imports from one above it, only ladders/ knows a ladder by
name, and none a text of bench/."""

import ast
import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, SCRIPTS

from suite import ladders
from suite.documents import schema

# What a room may import besides itself. The modules outside of rooms are common to all.
BELOW = {
    "ladders": set(),
    "documents": {"ladders"},
    "analyse": {"ladders", "documents"},
    "tools": {"ladders", "documents", "analyse"},
    "studies": {"ladders", "documents", "analyse", "tools"},
    "render": {"ladders", "documents", "analyse"},
    "batteries": {"documents", "analyse", "tools"},
}


def modules_of(room):
    folder = REPOSITORY / "quality" if room == "batteries" else SCRIPTS / "suite"
    return sorted((folder / room).rglob("*.py"))


def every_module():
    return {*(SCRIPTS / "suite").rglob("*.py"), *modules_of("batteries")}


def names_in(path):
    """The ladders and programs of ladders that the code of a module names: its imports, and texts that are no docstrings."""
    known = ladders.every_ladder()
    program = re.compile(
        rf"({'|'.join({ladder.prefix for ladder in known})})_({'|'.join({ladder.letter for ladder in known})}|cpu)\d*\b.*"
    )
    tree = ast.parse(path.read_text())
    kinds_of_charts = {id(value) for node in ast.walk(tree) if isinstance(node, ast.Dict)
                       for key, value in zip(node.keys, node.values) if isinstance(key, ast.Constant) and key.value == "chart"}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("suite.ladders"):
            yield node.module
    for node in texts_in(tree):
        if id(node) not in kinds_of_charts and (
            node.value in {ladder.suite for ladder in known} or program.fullmatch(node.value)
        ):
            yield node.value


def texts_in(tree):
    """The texts in the code of a module that are no docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def warnings_of_bench():
    """The kind of each warning that bench/ writes, and the C++ of its text."""
    sources = sorted((REPOSITORY / "bench").rglob("*.cpp"))
    return [
        found
        for path in sources
        for found in re.findall(r'\bWarning\{\s*"(\w+)",(.*?)\}[;)}]', path.read_text(), re.DOTALL)
    ]


def phrases_of(path, said):
    """What a module has, as it is or in a pattern, of what is said: two words or more."""
    parts = (one for node in texts_in(ast.parse(path.read_text())) for one in re.split(r"[\\()|\[\]*+?^$]", node.value))
    return [part for part in parts if len(re.findall(r"(?<!-)\b[a-z]{3,}", part)) > 1 and part in said]


class RoomsTest(unittest.TestCase):
    def test_no_import_runs_back_up(self):
        for room, below in BELOW.items():
            modules = modules_of(room)
            self.assertTrue(modules, room)
            for path in modules:
                imported = set(re.findall(r"^from (?:suite\.)?(\w+)", path.read_text(), re.MULTILINE)) & BELOW.keys()
                self.assertLessEqual(imported, below | {room}, path)

    def test_only_ladders_know_a_ladder_by_name(self):
        outside = every_module() - {path for room in ("ladders", "render/charts") for path in modules_of(room)}
        for path in sorted(outside):
            with self.subTest(path.relative_to(REPOSITORY)):
                self.assertEqual([], list(names_in(path)))

    def test_warnings_have_the_kinds_of_the_schema(self):
        listed = schema.definitions()["run"]["properties"]["warnings"]["items"]["properties"]["kind"]["enum"]
        self.assertEqual(listed, sorted({kind for kind, _ in warnings_of_bench()}))

    def test_no_module_knows_the_text_of_a_warning(self):
        said = "\n".join(re.sub(r'"\s+"', "", text) for _, text in warnings_of_bench())
        self.assertIn("too few to see how much", said)
        for path in sorted(every_module()):
            with self.subTest(path.relative_to(REPOSITORY)):
                self.assertEqual([], phrases_of(path, said))

    def test_the_names_are_found(self):
        for ladder in ladders.every_ladder():
            self.assertIn("suite.ladder", (SCRIPTS / "suite" / "ladders" / f"{ladder.suite}.py").read_text())
            self.assertIn(ladder.suite, names_in(SCRIPTS / "suite" / "ladders" / f"{ladder.suite}.py"))


if __name__ == "__main__":
    unittest.main()
