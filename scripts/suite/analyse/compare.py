"""Compare two result files, version by version: two devices, two commits, two compilers.

A and B are each a file, - for standard input, or REV:PATH for a file as git
has it in REV. Every ratio is B over A: above 1, B is faster.
"""

import argparse
import math
import os
import statistics
import subprocess
import sys
from collections import Counter
from typing import NamedTuple

from suite import markdown, numerals
from suite.analyse import order_statistics
from suite.command import UNWRITTEN, USAGE, Command, one_line
from suite.documents import checks, result
from suite.ladders import naming

EXPLANATION = """the interval of the ratio:
  It follows from the times per launch in the files. Of n sorted times, the j-th
  from below and the j-th from above enclose the median; j is the largest number
  for which P(Bin(n, 1/2) < j), the chance to miss it on one side, is at most
  1.25 %. The measured autocorrelation of successive times widens the interval.
  This is the interval of the files, at 97.5 % instead of 95 %. The ratio then
  lies between B's lowest over A's highest rate and B's highest over A's lowest.
  Each end depends on two bounds and errs with at most 2.5 %, so the interval
  holds with at least 95 %, however the two files depend on each other
  (Bonferroni). It takes 7 times in each file; with fewer there is no interval,
  and fewer than 50 may hide how much they depend on each other. The interval
  describes the scatter within the two runs, not changes from run to run.

verdicts (exactly one holds):
  SAME     the interval lies within 1/1.01 to 1.01: neither is faster by over 1 %
  FASTER   not SAME, and the whole interval is above 1
  SLOWER   not SAME, and the whole interval is below 1
  UNCLEAR  none of these: the interval holds 1 and reaches beyond 1 % on a side,
           or there is no interval
  A swap of A and B turns FASTER into SLOWER and leaves the others as they are.

"""

SLOWER_THAN_ALLOWED = 1

COMMAND = Command("compare", __doc__, {
    SLOWER_THAN_ALLOWED: "--fail-on-slower: a version is slower by more than PCT per cent: the upper\n"
    "end of its interval is below 1 - PCT/100. A version that failed, is in one\n"
    "file only or has no interval does not count as slower.",
    USAGE: "bad usage, or a file that is missing, broken or not a result",
    UNWRITTEN: "the comparison could not be printed",
}, explanation=EXPLANATION, unfinished="", broken=USAGE)
complain = COMMAND.complain

SAME, FASTER, SLOWER, UNCLEAR = "SAME", "FASTER", "SLOWER", "UNCLEAR"
MARGIN = 1.01
TAIL = 0.0125  # the risk of each of the four bounds
FEWEST_TIMES = 7  # the least n with 2^-n <= TAIL

NONE = markdown.NONE
ONE_NUMBER = ("sm_clock_mhz", "per_joule")
SETTINGS = ("generator", "threads", "iters")

LEGEND = """B/A is the ratio of the median rates, above 1 if B is faster. Interval: at least 95 %.
SAME: the interval is within 1 %; FASTER, SLOWER: it is above or below 1; UNCLEAR: neither. More in --help."""


class Side(NamedTuple):
    """A result file: its name for the reader, its context, its runs by version."""

    origin: str
    context: dict
    runs: dict


class Row(NamedTuple):
    """A version: its run on either side if that succeeded; ratio and interval if there are any; verdict or state."""

    version: str
    a: dict | None
    b: dict | None
    ratio: float | None
    interval: tuple | None
    verdict: str


def main():
    """Print the comparison; returns the exit code."""
    options = parse_arguments()
    a, b = load(options.a), load(options.b)
    rows = [compare(version, a.runs.get(version), b.runs.get(version)) for version in in_step_order(a, b)]
    show_table = markdown_table if options.markdown else plain_table
    print("\n\n".join(report(a, b, rows, show_table)), flush=True)
    if (a.context, a.runs) == (b.context, b.runs):
        complain(0, "both are the same run; `make bench-all` measures a new one")
    return judge(rows, options.fail_on_slower)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("a", metavar="A", help="the base: FILE, REV:PATH or -")
    parser.add_argument("b", metavar="B", help="what is compared with it: FILE, REV:PATH or -")
    parser.add_argument(
        "--fail-on-slower",
        type=percentage,
        metavar="PCT",
        help="exit 1 if a version is slower by more than PCT per cent",
    )
    parser.add_argument("--markdown", action="store_true", help="Markdown tables in place of plain text")
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
    """The exit code, with a line that says why if it is not 0."""
    if percent is None:
        return 0
    slower = [row.version for row in rows if row.interval and row.interval[1] < 1 - percent / 100]
    if not slower:
        return 0
    return complain(SLOWER_THAN_ALLOWED, f"slower by more than {percent:g} %: {', '.join(slower)}")


# Reading


def load(name):
    """Read and check what an argument names."""
    document = read(name)
    origin = "standard input" if name == "-" else name
    return Side(origin, document["context"], {run["version"]: run for run in document["runs"]})


def read(name):
    """The document from a file, from standard input or from git; a file comes before REV:PATH."""
    if name == "-":
        return result.DOCUMENT.parse(decoded(standard_input(), "standard input"), "standard input")
    if os.path.exists(name) or ":" not in name or name.startswith("-"):
        return result.DOCUMENT.load(name)
    return result.DOCUMENT.parse(decoded(from_git(name), name), name)


def standard_input():
    if sys.stdin is None:
        raise checks.ResultError("standard input: closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise checks.ResultError(f"standard input: {error.strerror}") from None


def from_git(name):
    """The bytes of REV:PATH."""
    command = ["git", "cat-file", "blob", name]
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise checks.ResultError(f"{name}: no such file, and git cannot be run: {error.strerror}") from None
    if process.returncode != 0:
        words = process.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise checks.ResultError(f"{name}: git: {words[0].removeprefix('fatal: ')}")
    return process.stdout


def decoded(data, origin):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise checks.ResultError(f"{origin}: not JSON: not even text") from None


# Comparing


def in_step_order(a, b):
    """The versions of both: CPU rows first, then by number, a step before its ablations."""
    return sorted(dict.fromkeys([*a.runs, *b.runs]), key=naming.order)


def compare(version, a, b):
    """The row of a version, given its run on either side, None where it has none."""
    base, other = succeeded(a), succeeded(b)
    if not (base and other):
        return Row(version, base, other, None, None, state(a, b))
    ratio = other["per_ns"]["median"] / base["per_ns"]["median"]
    interval = interval_of_ratio(bounds(base), bounds(other))
    return Row(version, base, other, ratio, interval, verdict(interval))


def succeeded(run):
    return run if run and "error" not in run else None


def state(a, b):
    """Why there is nothing to compare."""
    present = {name: run for name, run in (("A", a), ("B", b)) if run}
    failed = [name for name, run in present.items() if "error" in run]
    if len(present) == 2:
        return f"failed in {' and '.join(failed)}"
    return f"only in {''.join(present)}{', failed' if failed else ''}"


def bounds(run):
    """Lowest and highest median rate that the times allow, each at the risk TAIL; None with too few times."""
    times = run["kernel_ms"]
    ends = order_statistics.interval(times, TAIL)
    if ends is None:
        return None
    samples = run["per_ns"]["median"] * statistics.median(times)  # in 1e6 a launch
    return samples / ends[1], samples / ends[0]


def interval_of_ratio(base, other):
    """What the ratio other/base can be, given the bounds of both."""
    if base is None or other is None:
        return None
    return other[0] / base[1], other[1] / base[0]


def verdict(interval):
    """The one word for an interval of the ratio."""
    if interval is None:
        return UNCLEAR
    low, high = interval
    if 1 / MARGIN <= low and high <= MARGIN:
        return SAME
    if low > 1:
        return FASTER
    return SLOWER if high < 1 else UNCLEAR


# Printing. A table's alignments are a character a column: < for text, > for figures.


def report(a, b, rows, show_table):
    """The parts of the comparison, as text."""
    titles = ["Version", "A samples/ns", "B samples/ns", "B/A", "Interval", "Verdict"]
    parts = [
        show_table(["Context", "A", "B"], "<<<", context_rows(a, b)),
        show_table(titles, "<>>>><", rate_rows(rows)),
        summary(rows),
        LEGEND,
    ]
    normalised = normalised_rows(rows, a, b)
    if normalised:
        clock, energy = "samples/clock/SM", "10^9 samples/J"
        titles = ["Version", f"A {clock}", f"B {clock}", "B/A", f"A {energy}", f"B {energy}", "B/A"]
        parts.append(show_table(titles, "<>>>>>>", normalised))
    notes = notes_of(a, b, rows)
    if notes:
        parts.append("\n".join(f"- {one_line(note)}" for note in notes))
    return parts


def context_rows(a, b):
    """What the files are, and every fact of their contexts that differs."""
    rows = [["file", a.origin, b.origin], ["date", a.context["date"], b.context["date"]]]
    first, second = facts(a.context), facts(b.context)
    for name in dict.fromkeys([*first, *second]):
        if name in ("device.name", "commit") or first.get(name) != second.get(name):
            rows.append([name, first.get(name, NONE), second.get(name, NONE)])
    return [[one_line(cell) for cell in row] for row in rows]


def facts(context):
    """The facts of a context as text by name, without the date and what is null."""
    flat = {"device.name": None, "commit": commit_text(context)}
    for name, value in context.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": fact for inner, fact in value.items()}
        elif name not in ("date", "commit", "dirty"):
            flat[name] = value
    return {name: str(value) for name, value in flat.items() if value is not None}


def commit_text(context):
    if context["commit"] is None:
        return None
    return f"{context['commit']:.12}{' with uncommitted changes' if context['dirty'] else ''}"


def rate_rows(rows):
    return [
        [row.version, rate_text(row.a), rate_text(row.b), ratio_text(row.ratio), interval_text(row), row.verdict]
        for row in rows
    ]


def rate_text(run):
    return numerals.median_text(run["per_ns"]) if run else NONE


def ratio_text(ratio):
    if ratio is None:
        return NONE
    return f"{ratio:.4f}" if 0.1 <= ratio < 1000 else f"{ratio:.4g}"


def interval_text(row):
    return f"[{ratio_text(row.interval[0])}, {ratio_text(row.interval[1])}]" if row.interval else NONE


def summary(rows):
    """How many versions have which verdict."""
    counts = Counter(row.verdict if row.a and row.b else "without comparison" for row in rows)
    order = (FASTER, SAME, SLOWER, UNCLEAR, "without comparison")
    return ", ".join(f"{counts[name]} {name}" for name in order if counts[name]) + "."


def normalised_rows(rows, a, b):
    """Rates per clock and SM and per joule, of the versions that have any."""
    lines = []
    for row in rows:
        clock = [per_clock(row.a, a), per_clock(row.b, b)]
        energy = [per_joule(row.a), per_joule(row.b)]
        if any(clock + energy):
            lines.append([row.version, *with_ratio(*clock), *with_ratio(*energy)])
    return lines


def per_clock(run, side):
    return result.per_clock_of(run, side.context["device"]) if run else None


def per_joule(run):
    """In 1e9 samples."""
    value = run.get("per_joule") if run else None
    return value / 1e9 if value else None


def with_ratio(first, second):
    """The cells of two figures and their ratio."""
    ratio = second / first if first and second else None
    return [numerals.four_digits(value) if value else NONE for value in (first, second)] + [ratio_text(ratio)]


def notes_of(a, b, rows):
    """What the reader has to know about single versions."""
    return [
        *(f"{run['version']}: failed in {name} (exit {run['exit']}): {run['error']}" for name, run in failures(a, b)),
        *(f"{row.version}: no interval, too few times: {times_text(row)}" for row in rows if lacks_times(row)),
        *(f"{row.version}: not run alike: {text}" for row in rows for text in differing_settings(row, a, b)),
        *(f"{run['version']}: warning in {name}: {text}" for name, run, text in warnings(a, b)),
    ]


def runs_of(a, b):
    return [(name, run) for name, side in (("A", a), ("B", b)) for run in side.runs.values()]


def failures(a, b):
    return [(name, run) for name, run in runs_of(a, b) if "error" in run]


def warnings(a, b):
    return [(name, run, text) for name, run in runs_of(a, b) if "error" not in run for text in run["warnings"]]


def lacks_times(row):
    return row.ratio is not None and row.interval is None


def times_text(row):
    counts = [len(run.get("kernel_ms") or []) for run in (row.a, row.b)]
    return f"{counts[0]} in A, {counts[1]} in B, {FEWEST_TIMES} needed"


def differing_settings(row, a, b):
    """The settings in which the two runs of a version differ."""
    if not (row.a and row.b):
        return []
    differing = [name for name in SETTINGS if row.a.get(name) != row.b.get(name)]
    if not same_grid(row, a, b):
        differing.append("blocks")
    return [f"{name} {row.a.get(name)} in A, {row.b.get(name)} in B" for name in differing]


def same_grid(row, a, b):
    """Whether both runs have as many blocks, or as many an SM."""
    first, second = row.a.get("blocks"), row.b.get("blocks")
    per_sm = [per_multiprocessor(count, side) for count, side in ((first, a), (second, b))]
    return first == second or (None not in per_sm and per_sm[0] == per_sm[1])


def per_multiprocessor(count, side):
    device = side.context["device"]
    return count / device["multiprocessors"] if device and result.positive(count) else None


def markdown_table(titles, alignments, rows):
    marks = [{"<": markdown.LEFT, ">": markdown.RIGHT}[alignment] for alignment in alignments]
    return markdown.table(titles, marks, [[markdown.one_line(cell) for cell in row] for row in rows])


def plain_table(titles, alignments, rows):
    """Columns set apart by two blanks."""
    lines = [titles, *rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(map(padded, line, alignments, widths)).rstrip() for line in lines)


def padded(cell, alignment, width):
    return f"{cell:{alignment}{width}}"
