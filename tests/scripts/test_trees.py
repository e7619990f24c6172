#!/usr/bin/env python3
"""Tests of scripts/trees: its header is up to date, and what it settles is what the hit rule says of every point there."""

import importlib.machinery
import importlib.util
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import SCRIPTS

loader = importlib.machinery.SourceFileLoader("trees", str(SCRIPTS / "trees"))
trees = importlib.util.module_from_spec(importlib.util.spec_from_loader("trees", loader))
loader.exec_module(trees)

UNIT = 2**32 // trees.SIDE  # words in a unit of a place


def rounded(n):
    """A whole number as a float: 24 bits, ties to even."""
    last = 1 << max(n.bit_length() - 24, 0)
    quotient, rest = divmod(abs(n), last)
    quotient += 2 * rest > last or (2 * rest == last and quotient % 2)
    return (quotient if n >= 0 else -quotient) * last


def is_hit(x, y):
    """fmaf(x, x, fmaf(y, y, -2^64)) < 0. The last rounding keeps the sign."""
    return rounded(x) ** 2 + rounded(rounded(y) ** 2 - 2**64) < 0


def stored(bits):
    """The tree of so many bits as the header has it."""
    return re.search(rf"(?s)/// A bit is a function of up to {bits} .*?\n}}}};\n", trees.HEADER.read_text())[0]


class TreesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.places = set()
        status = trees.status

        def noted(place):
            cls.places.add(place)
            return status(place)

        trees.status = noted
        if os.environ.get("SUITE_TESTS") != "full":  # a tree of more than three bits takes two minutes
            computed = trees.tree_text
            trees.tree_text = lambda name, bits: computed(name, bits) if bits <= 3 else stored(bits)
        cls.header = trees.header()
        trees.status = status

    def test_the_header_is_up_to_date(self):
        self.assertEqual(trees.HEADER.read_text(), self.header)

    # The rule is monotonic, so a corner speaks for its place. It treats x and y differently, and a place may stand for its mirror image.
    def test_places_lie_where_the_hit_rule_says(self):
        statuses = {place: trees.status(place) for place in self.places}
        self.assertEqual({trees.INSIDE, trees.OUTSIDE, None}, set(statuses.values()))
        for (_, x, y, width, height), status in statuses.items():
            far = (UNIT * (x + width) - 1, UNIT * (y + height) - 1)
            if status == trees.INSIDE:
                self.assertTrue(is_hit(*far) and is_hit(*far[::-1]), (x, y, width, height))
            elif status == trees.OUTSIDE:
                self.assertFalse(is_hit(UNIT * x, UNIT * y) or is_hit(UNIT * y, UNIT * x), (x, y, width, height))

    def test_the_rule_itself(self):
        self.assertTrue(is_hit(0, 2**32 - 2**8 - 1))
        self.assertFalse(is_hit(0, 2**32 - 1))  # 2^32 as a float
        self.assertFalse(is_hit(2**32 - 1, 0))


if __name__ == "__main__":
    unittest.main()
