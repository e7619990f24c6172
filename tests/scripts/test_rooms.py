#!/usr/bin/env python3
"""Tests of which room of scripts/suite/ imports which: none one that stands above it."""

import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import SCRIPTS

# What a room may import besides itself. The modules outside of rooms are common to all.
BELOW = {
    "ladders": set(),
    "documents": {"ladders"},
    "analyse": {"ladders", "documents"},
    "measure": {"ladders", "documents", "analyse"},
    "render": {"ladders", "documents", "analyse"},
}


class RoomsTest(unittest.TestCase):
    def test_no_import_runs_back_up(self):
        for room, below in BELOW.items():
            modules = list((SCRIPTS / "suite" / room).rglob("*.py"))
            self.assertTrue(modules, room)
            for path in modules:
                imported = set(re.findall(r"^from suite\.(\w+)", path.read_text(), re.MULTILINE)) & BELOW.keys()
                self.assertLessEqual(imported, below | {room}, path)


if __name__ == "__main__":
    unittest.main()
