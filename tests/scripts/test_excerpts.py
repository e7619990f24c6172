#!/usr/bin/env python3
"""Tests of excerpts: lines of the sources in a story."""

import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import Sandbox

from suite.documents.schema import ResultError
from suite.render import excerpts

SOURCE = """// hit(x)
template <typename Word>
class Two {
    unsigned add(unsigned a) {
        return a + 2;
    }
};

class Ten {
    unsigned add(unsigned a) {
#pragma unroll
        // exercise v10: five times
        for (unsigned i = 0; i < 5; i++) {
            a += 2;
        }
        // end of exercise v10
        return a;
    }
    const unsigned first = 1;
    const unsigned last = 2;  // done
};
"""


class ExcerptTest(Sandbox):
    def setUp(self):
        super().setUp()
        (self.root / "ten.cu").write_text(SOURCE)

    def shown(self, place, old=""):
        text = f"Before.\n<!-- code:ten.cu:{place} -->\n{old}<!-- /code -->\nAfter.\n"
        lines = excerpts.filled(self.root, "README.md", text).splitlines()
        self.assertEqual(["Before.", f"<!-- code:ten.cu:{place} -->", "```cpp"], lines[:3])
        self.assertEqual(["```", "<!-- /code -->", "After."], lines[-3:])
        return lines[3:-3]

    def test_a_function_of_a_class_without_directives_and_marks(self):
        body = ["for (unsigned i = 0; i < 5; i++) {", "    a += 2;", "}", "return a;"]
        expected = ["unsigned add(unsigned a) {", *(f"    {line}" for line in body), "}"]
        self.assertEqual(expected, self.shown("class Ten::add", old="what was there\n"))

    def test_from_a_line_to_another(self):
        expected = ["const unsigned first = 1;", "const unsigned last = 2;  // done"]
        self.assertEqual(expected, self.shown("unsigned first...done"))

    def test_refused(self):
        long = "".join(f"    f({number});\n" for number in range(11))
        for place, source, reason in (
            ("class Three", SOURCE, "no such lines"), ("class Two::nothing", SOURCE, "no such lines"),
            ("class Ten", SOURCE.replace("};", ""), "no such lines"),  # its brace is never closed
            ("void long", f"void long() {{\n{long}}}\n", "13 lines, of at most 12"),
        ):  # fmt: skip
            with self.subTest(place):
                (self.root / "ten.cu").write_text(source)
                with self.assertRaisesRegex(ResultError, f"README.md: code:ten.cu:{place}: {reason}"):
                    self.shown(place)
        with self.assertRaisesRegex(ResultError, "no such lines"):
            excerpts.filled(self.root, "README.md", "<!-- code:gone.cu:x -->\n<!-- /code -->\n")


if __name__ == "__main__":
    unittest.main()
