"""dieharder: how to run its tests and how to read its output."""

import functools
import re

from suite.analyse.dieharder import assessment
from suite.documents.schema import ResultError
from suite.processes import execute

PROGRAM = "dieharder"
FIELDS = ("test_name", "ntuple", "tsamples", "psamples", "pvalues")
FLAGS = [flag for field in (*FIELDS, "no_whitespace") for flag in ("-D", field)]


def command(test):
    """The command that runs a test on its standard input. parse reads its output."""
    sizes = ["-t", test.tsamples, "-p", test.psamples] if test.psamples else []
    arguments = ["-d", test.number, "-n", test.ntuple, *sizes]
    return [PROGRAM, "-g", "200", "-c", ",", *FLAGS, *map(str, arguments)]


def parse(text):
    """The results that dieharder printed."""
    lines = [line.strip() for line in text.splitlines()]
    return [result_of(line) for line in lines if line and not line.startswith("#")]


def result_of(line):
    try:
        name, ntuple, tsamples, psamples, p = (part.strip() for part in line.rstrip(",").split(","))
        return result(name, int(ntuple), int(tsamples), int(psamples), p_value(p))
    except ValueError:
        raise ResultError(f"dieharder printed '{line}'") from None


def p_value(text):
    """A p-value, or None if the text is no p-value, as for a degenerate stream."""
    p = float(text)
    return p if 0 <= p <= 1 else None


def result(test, ntuple, tsamples, psamples, p):
    """The stored result of a test; p is None if there is none."""
    sizes = {"test": test, "ntuple": ntuple, "tsamples": tsamples, "psamples": psamples}
    return sizes | {"p": p, "assessment": assessment(p, psamples)}


def unfinished(test):
    """The result of a test that did not end."""
    return result(test.name, test.ntuple, test.tsamples, test.psamples, None)


@functools.cache
def version():
    """The version in dieharder's help, or None."""
    help_text = execute(PROGRAM, "-h")
    match = re.search(r"dieharder version (\S+)", help_text.output + help_text.errors)
    return match and match[1]
