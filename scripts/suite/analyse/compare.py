"""Compare two result files, version by version: two devices, two commits, two compilers.

A and B are each a file, - for standard input, or REV:PATH for a file in git
revision REV. Every ratio is B over A: above 1, B is faster.
"""

import argparse
import math
import os
import subprocess
import sys

from suite.analyse.compare_report import markdown_report, plain_report
from suite.analyse.comparison import Side, compare_sides
from suite.command import UNWRITTEN, USAGE, Command, fail_usage
from suite.documents import kinds
from suite.documents.schema import ResultError

EXPLANATION = """the interval of the ratio:
  It follows from the times per launch in the files, over its work where
  launches differ in it. Of n sorted times, the j-th from below and the j-th
  from above enclose the median; j is the largest number for which P(Bin(n, 1/2)
  < j), the chance to miss it on one side, is at most 1.25 %. The measured
  autocorrelation of successive times widens the interval. Each file's interval
  holds with 97.5 %. The ratio lies between B's lowest over A's highest rate and
  B's highest over A's lowest. Each end depends on two bounds and errs with at
  most 2.5 %, so the interval holds with at least 95 %, even if the two files
  depend on each other (Bonferroni). It needs 7 times in each file. Fewer than
  50 times may not show their autocorrelation. The interval describes the
  scatter within the two runs, not changes from run to run.

verdicts (exactly one holds):
  SAME     the interval lies within 1/1.01 to 1.01: neither is faster by over 1 %
  FASTER   not SAME, and the whole interval is above 1
  SLOWER   not SAME, and the whole interval is below 1
  UNCLEAR  the interval contains 1 and reaches beyond 1 % on a side, or there is
           no interval
  Swapping A and B swaps FASTER and SLOWER and leaves the others unchanged.

hits:
  Seed and grid fix the hits of each launch, on every device. Two runs of a
  version are compared after each number of samples for which both files have the
  hits: eight a decade, and those of the whole run.

"""

SLOWER_THAN_ALLOWED = 1

COMMAND = Command(
    "compare",
    __doc__,
    {
        SLOWER_THAN_ALLOWED: "--fail-on-slower: a version is slower by more than PCT per cent: the upper\n"
        "end of its interval is below 1 - PCT/100. Versions that failed, are in one\n"
        "file only or have no interval do not count as slower.",
        USAGE: "bad usage, or a file that is missing, broken, not a result, or of another ladder",
        UNWRITTEN: "the comparison could not be printed",
    },
    explanation=EXPLANATION,
    unfinished="",
    broken=USAGE,
)
complain = COMMAND.complain


def main():
    """Print the comparison; returns the exit code."""
    options = parse_arguments()
    a, b = load(options.a), load(options.b)
    if a.suite != b.suite:
        fail_usage(f"{a.origin} is of {a.suite}, {b.origin} of {b.suite}: their rates are of different work")
    rows = compare_sides(a, b)
    print((markdown_report if options.markdown else plain_report)(a, b, rows), flush=True)
    if (a.context, a.runs) == (b.context, b.runs):
        complain(0, "A and B are the same run; `make bench-all` measures a new one")
    return judge(rows, options.fail_on_slower)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("a", metavar="A", help="the base: FILE, REV:PATH or -")
    parser.add_argument("b", metavar="B", help="compared with the base: FILE, REV:PATH or -")
    parser.add_argument(
        "--fail-on-slower",
        type=percentage,
        metavar="PCT",
        help="exit 1 if a version is slower by more than PCT per cent",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables instead of plain text")
    options = parser.parse_args()
    if options.a == options.b == "-":
        parser.error("A and B cannot both be standard input")
    return options


def percentage(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < 100:
        raise argparse.ArgumentTypeError(f"{text}: not a percentage from 0 to below 100")
    return value


def judge(rows, percent):
    """The exit code. If it is not 0, a line on stderr gives the reason."""
    if percent is None:
        return 0
    slower = [row.version for row in rows if row.interval and row.interval[1] < 1 - percent / 100]
    if not slower:
        return 0
    return complain(SLOWER_THAN_ALLOWED, f"slower by more than {percent:g} %: {', '.join(slower)}")


# Reading


def load(name, folder="."):
    """Read and check the result that an argument names; folder is one in git's checkout."""
    document = read(name, folder)
    origin = "standard input" if name == "-" else name
    return Side(
        origin,
        document["suite"],
        document["context"],
        {run["version"]: run for run in document["runs"]},
        document["unit"],
    )


def read(name, folder):
    """The document from a file, from standard input or from git; a file comes before REV:PATH."""
    if name == "-":
        return kinds.RESULT.parse(decoded(standard_input(), "standard input"), "standard input")
    if os.path.exists(name) or ":" not in name or name.startswith("-"):
        return kinds.RESULT.load(name)
    return kinds.RESULT.parse(decoded(from_git(name, folder), name), name)


def standard_input():
    if sys.stdin is None:
        raise ResultError("standard input: closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise ResultError(f"standard input: {error.strerror}") from None


def from_git(name, folder):
    """The bytes of REV:PATH."""
    command = ["git", "-C", folder, "cat-file", "blob", name]
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise ResultError(f"{name}: no such file, and git cannot be run: {error.strerror}") from None
    if process.returncode != 0:
        words = process.stderr.decode(errors="replace") or "no message"
        raise ResultError(f"{name}: git: {words.removeprefix('fatal: ')}")
    return process.stdout


def decoded(data, origin):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ResultError(f"{origin}: not text") from None
