"""PractRand's RNG_test: how to run it and how to read its output."""

import re

from suite.analyse.dieharder import FAILED, PASSED, WEAK

PROGRAM = "RNG_test"
LEAST_LOG2_BYTES = 26  # of the first report; the next ones follow at each power of two, whatever the speed

VERSION = re.compile(r"^RNG_test using PractRand version (\S+)", re.MULTILINE)
LENGTH = re.compile(r"^length= .*\(2\^(\d+) bytes\)", re.MULTILINE)
RESULT = re.compile(r'^ *(\S.*?) +R[=<>].*?(?:p ?~?= *(\S+)|"pass"|"fail") +(\S.*?)$', re.MULTILINE)
OTHERS = re.compile(r"(?:\.\.\.and|no anomalies in) (\d+) test result")


def command(is_packed, log2_bytes):
    """The command that tests words, or bits that are packed without gaps. It ends at the first report with a failure, or after so many bytes."""
    words = "stdin" if is_packed else "stdin32"  # stdin assumes no size of words
    return [PROGRAM, words, "-tlmin", str(LEAST_LOG2_BYTES), "-tlmax", str(log2_bytes)]


def parse(text):
    """The stored facts of a run: version, bytes tested, the number of results of the last report, and the notable ones."""
    version = VERSION.search(text)
    reports = list(LENGTH.finditer(text))
    last = text[reports[-1].start() :] if reports else ""
    results = [result_of(match) for match in RESULT.finditer(last)]
    return {
        "version": version and version[1],
        "bytes": 2 ** int(reports[-1][1]) if reports else 0,
        "count": len(results) + sum(int(number) for number in OTHERS.findall(last)),
        "results": results,
    }


def result_of(match):
    name, p, said = match.groups()
    return {"test": name, "p": p_value(p), "assessment": assessment(said)}


def p_value(text):
    """A printed p-value such as 0.02, 3e-1129 or 1-1.8e-3; None if there is none."""
    try:
        return 1 - float(text[2:]) if text.startswith("1-") else float(text)
    except (AttributeError, ValueError):
        return None


def assessment(said):
    """The meaning of PractRand's evaluation."""
    return FAILED if said.startswith("FAIL") else WEAK if "suspicious" in said.lower() else PASSED
