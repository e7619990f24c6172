"""TestU01 by testu01_stdin, which is built where TestU01 is installed: how to run it and how to read its output."""

import re

from suite.analyse import batteries

PROGRAM = "testu01_stdin"

VERSION = re.compile(r"^ Version: +TestU01 (\S+)", re.MULTILINE)
WORDS = re.compile(r"^words = (\d+)$", re.MULTILINE)
RESULT = re.compile(r"^p = (\S+) +(\S.*)$", re.MULTILINE)


def command(folder, battery, is_reversed, test=None):
    """The command that runs a battery, or one test of it, on words, or on words with their bits reversed."""
    only = ["--tests", str(test)] if test else []
    reversed_bits = ["--reversed"] if is_reversed else []
    return [str((folder / PROGRAM).absolute()), battery, *only, *reversed_bits]


def parse(text):
    """The stored facts of a run: TestU01's version, bytes tested, and every p-value."""
    version, words = VERSION.search(text), WORDS.search(text)
    results = [
        {"test": name, "p": float(p), "assessment": batteries.assessment(float(p))} for p, name in RESULT.findall(text)
    ]
    return {
        "version": version and version[1],
        "bytes": 4 * int(words[1]) if words else 0,
        "count": len(results),
        "results": results,
    }
