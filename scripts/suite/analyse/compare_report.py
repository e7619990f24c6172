"""The text of a comparison: tables and remarks."""

from collections import Counter

from suite import markdown, numerals
from suite.analyse import comparison, draws
from suite.analyse.comparison import FASTER, SAME, SLOWER, UNCLEAR
from suite.command import one_line
from suite.documents import records

NONE = markdown.NONE
FEWEST_TIMES = 7  # the least n with 2^-n <= records.COMPARED_TAIL
SETTINGS = ("generator", "threads", "iters")

LEGEND = """B/A is the ratio of the median rates, above 1 if B is faster. Interval: at least 95 %.
SAME: the interval is within 1 %; FASTER, SLOWER: it is above or below 1; UNCLEAR: none of these. See scripts/compare --help."""


def plain_report(a, b, rows):
    """The comparison as text for a terminal."""
    return report(a, b, rows, plain_table, one_line)


def markdown_report(a, b, rows):
    """The comparison in Markdown."""
    return report(a, b, rows, markdown_table, markdown.escaped)


def report(a, b, rows, show_table, shown):
    """The comparison as text; show_table makes a table of titles, alignments and rows, shown one line of what a machine said."""
    titles = ["Version", f"A {a.unit}s/ns", f"B {b.unit}s/ns", "B/A", "Interval", "Verdict"]
    parts = [
        show_table(["Context", "A", "B"], "<<<", context_rows(a, b)),
        show_table(titles, "<>>>><", rate_rows(rows)),
        "\n".join(filter(None, [summary(rows), hits_text(a, b), draws_text(a, b)])),
        LEGEND,
    ]
    normalised = normalised_rows(rows, a, b)
    if normalised:
        clock_a, clock_b = f"A {a.unit}s/clock/SM", f"B {b.unit}s/clock/SM"
        energy_a, energy_b = f"A 10^9 {a.unit}s/J", f"B 10^9 {b.unit}s/J"
        titles = ["Version", clock_a, clock_b, "B/A", energy_a, energy_b, "B/A"]
        parts.append(show_table(titles, "<>>>>>>", normalised))
    notes = notes_of(a, b, rows)
    if notes:
        parts.append("\n".join(f"- {shown(note)}" for note in notes))
    return "\n\n".join(parts)


def context_rows(a, b):
    """The names and dates of the files, and every difference between their contexts."""
    rows = [["file", a.origin, b.origin], ["date", a.context["date"], b.context["date"]]]
    first, second = facts(a.context), facts(b.context)
    for name in dict.fromkeys([*first, *second]):
        if name in ("device.name", "commit") or first.get(name) != second.get(name):
            rows.append([name, first.get(name, NONE), second.get(name, NONE)])
    return [[one_line(cell) for cell in row] for row in rows]


def facts(context):
    """The facts of a context as text by name, without the date and without nulls."""
    flat = {"device.name": None, "commit": records.commit_text(context)}
    for name, value in context.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": fact for inner, fact in value.items()}
        elif name not in ("date", "commit", "dirty"):
            flat[name] = value
    return {name: str(value) for name, value in flat.items() if value is not None}


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
    """The number of versions with each verdict."""
    counts = Counter(row.verdict if row.a and row.b else "without comparison" for row in rows)
    order = (FASTER, SAME, SLOWER, UNCLEAR, "without comparison")
    return ", ".join(f"{counts[name]} {name}" for name in order if counts[name]) + "."


def hits_text(a, b):
    return comparison.hits_text(comparison.agreement(a.runs.values(), b.runs.values()), "A", "B")


def draws_text(a, b):
    """Which versions have the same random numbers in both, so that their estimates are not independent."""
    versions = draws.in_both(a.runs.values(), b.runs.values())
    return (
        f"The same seed and generator in A and B, so one draw and not two, whose counts do not add up: {', '.join(versions)}."
        if versions
        else ""
    )


def normalised_rows(rows, a, b):
    """Rates per clock and SM, and per joule, of versions that have them."""
    lines = []
    for row in rows:
        runs = [(run, side.context["device"]) for run, side in ((row.a, a), (row.b, b))]
        clock = [run and comparison.per_clock_of(run, device) for run, device in runs]
        energy = [run and comparison.per_joule_of(run) for run, _ in runs]
        if any(clock + energy):
            lines.append([row.version, *with_ratio(*clock), *with_ratio(*energy)])
    return lines


def with_ratio(first, second):
    """The cells of two figures and their ratio."""
    return [numerals.three_digits(value) if value else NONE for value in (first, second)] + [
        ratio_text(comparison.over(second, first))
    ]


def notes_of(a, b, rows):
    """Remarks about single versions."""
    runs = [(name, run) for name, side in (("A", a), ("B", b)) for run in side.runs.values()]
    failed = [(name, run) for name, run in runs if records.has_failed(run)]
    short = [row for row in rows if row.ratio is not None and row.interval is None]
    return [
        *(f"{run['version']}: failed in {name} (exit {run['exit']}): {run['error']}" for name, run in failed),
        *(f"{row.version}: no interval, too few times: {times_text(row)}" for row in short),
        *(f"{row.version}: different settings: {text}" for row in rows for text in differing_settings(row, a, b)),
        *(
            f"{run['version']}: warning in {name}: {warning['text']}"
            for name, run in runs
            for warning in run.get("warnings", ())
        ),
    ]


def times_text(row):
    counts = [records.timings(run) for run in (row.a, row.b)]
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
    """Whether both runs have the same number of blocks, in all or per SM."""
    first, second = row.a.get("blocks"), row.b.get("blocks")
    per_sm = [per_multiprocessor(count, side) for count, side in ((first, a), (second, b))]
    return first == second or (None not in per_sm and per_sm[0] == per_sm[1])


def per_multiprocessor(count, side):
    device = side.context["device"]
    return count / device["multiprocessors"] if device and records.positive(count) else None


def markdown_table(titles, alignments, rows):
    marks = [{"<": markdown.LEFT, ">": markdown.RIGHT}[alignment] for alignment in alignments]
    return markdown.table(titles, marks, [[markdown.escaped(cell) for cell in row] for row in rows])


def plain_table(titles, alignments, rows):
    """Columns separated by two blanks."""
    lines = [titles, *rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    shape = "  ".join(f"{{:{alignment}{width}}}" for alignment, width in zip(alignments, widths))
    return "\n".join(shape.format(*line).rstrip() for line in lines)
