"""Cells of tables: what a table says of a run."""

from suite import markdown, naming, numerals
from suite.analyse.verdicts import BUT_PARITY, DEMONSTRATION, IN_24_BITS, IN_BIT_PLANES, NOT_TESTED, QUASI_RANDOM, SOUND
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, escaped

SOUND_CELLS = {
    SOUND: "yes", IN_24_BITS: "24 bits", BUT_PARITY: "24 bits but a parity", IN_BIT_PLANES: "bit planes",
    QUASI_RANDOM: QUASI_RANDOM, NOT_TESTED: NOT_TESTED, DEMONSTRATION: "no",
}  # fmt: skip
# The mark of a rate from too few timings, and its footnote.
FEW, ENOUGH = "§", 50
NO_BREAK = "\N{NO-BREAK SPACE}"
FEW_NOTE = f"{FEW} Fewer than 50 timings, which may depend on each other: the interval may be too narrow."
# What stands behind a rate that all timings together do not have, and its footnote.
IN_ALL = "in all"
IN_ALL_NOTE = (
    f"{IN_ALL.capitalize()}: all work over all time of the timings, where it lies outside the interval of the median."
)
LONGEST_LABEL = 45
OVERLAP = "overlap"  # in place of a ratio
# The mark of a rate that stands for a ladder without a step that can be trusted, and its footnote.
NONE_SOUND = "†"
NONE_SOUND_NOTE = (
    f"{NONE_SOUND} No step that ran there has random numbers that pass the tests. Its fastest step is shown."
)


# Rows


def in_step_order(runs):
    """CPU rows first, then the steps by number. Ablations are left out."""
    return sorted((run for run in runs if not naming.is_ablation(run)), key=lambda run: naming.order(run["version"]))


def steps_of(runs):
    return [run for run in in_step_order(runs) if naming.is_step(run)]


def rates_of(runs):
    """The rate of each step that has one, by name."""
    return {run["version"]: run["per_ns"] for run in records.succeeded(runs) if naming.is_step(run)}


def table(columns, runs):
    """A Markdown table of the runs. Columns are (title, alignment, cell of a run)."""
    titles, alignments, cells = zip(*columns)
    return markdown.table(titles, alignments, [[cell(run) for cell in cells] for run in runs])


def table_of_rows(columns, rows):
    """A Markdown table. Columns are (title, alignment, cell of a row); a failed row has its name, the failure, and dashes."""
    titles, alignments, cells = zip(*columns)
    failed = lambda row: [escaped(row["version"]), failure(row), *[NONE] * (len(cells) - 2)]
    return markdown.table(
        titles, alignments, [failed(row) if records.has_failed(row) else [cell(row) for cell in cells] for row in rows]
    )


# Names


def step(run):
    title = f": {escaped(run['title'])}" if "title" in run else ""
    cores = f" ({threads_text(run['threads'])})" if "title" in run and naming.is_cpu(run) else ""
    return f"{run['version']}{title}{cores}"


def short_step(run):
    """The same in fewer words: of the CPU without the name of the row."""
    return unbroken(escaped(cpu_label(run)) if naming.is_cpu(run) else step(run), 27)


def unbroken(text, most=99):
    """A text that stays on one line, if it has at most so many letters."""
    return text.replace(" ", NO_BREAK) if len(text) <= most else text


def cpu_label(run):
    return f"{run['title']}, {threads_text(run['threads'])}" if "threads" in run else run["version"]


def label(run):
    """The label of a row of a chart."""
    title = f"{run['version']}: {run['title']}" if "title" in run else run["version"]
    return shortened(cpu_label(run) if naming.is_cpu(run) else title)


def shortened(text):
    """A text that has room in a chart."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def threads_text(count):
    return f"{count} thread{'' if count == 1 else 's'}"


def technique(run):
    return escaped(run["technique"]) if "technique" in run else NONE


# Rates


def rate(run):
    """The median with its interval, and the rate of all timings where it lies outside; or why there is none."""
    return failure(run) or unbroken(records.rate_text(run)) + few_mark(run) + in_all(run) + dependence(run)


def median(run):
    """The median, or why there is none."""
    return failure(run) or numerals.median_text(run["per_ns"]) + few_mark(run)


def in_all(run):
    """The rate of all timings together, ", 2,551 in all", where the interval of their median does not hold it."""
    own, total = run["per_ns"], run["per_ns"].get("total")
    if total is None or own["low"] <= total <= own["high"]:
        return ""
    text = numerals.with_decimals_of(own, total)
    return "" if text in numerals.rate_parts(own) else f", {text} {IN_ALL}"


def few_mark(run):
    return FEW if has_few_timings(run) else ""


def has_few_timings(run):
    """Whether a program stopped before it had as many timings as it wants, or a peer has fewer."""
    if "package" in run:
        return run.get("launches", ENOUGH) < ENOUGH
    return run.get("stopped") == "few_timings"


def dependence(run):
    return "" if has_independent_samples(run) else " (dependent)"


def has_independent_samples(run):
    """Whether the samples or paths of a run are independent of each other, or the run failed."""
    return records.has_failed(run) or run.get("outcome", {}).get("independent") not in ("blocks", "launches")


def fastest(runs):
    """The fastest step whose samples are independent and come from a sound generator; None if there is none."""
    best = max(trusted(runs), key=lambda run: run["per_ns"]["median"], default=None)
    return best and best["version"]


def trusted(runs):
    """The steps whose samples are independent and come from a sound generator."""
    return [
        run for run in records.succeeded(runs) if naming.is_step(run) and run["sound"] and has_independent_samples(run)
    ]


def best(runs):
    """The step whose rate stands for a ladder: the fastest to be trusted, or of all where there is none; None without a rate."""
    measured = {run["version"]: run["per_ns"]["median"] for run in steps_of(records.succeeded(runs))}
    return fastest(runs) or max(measured, key=measured.get, default=None)


def headline(runs):
    """The rate of that step and its name, 29,256 (v23), marked if it is not to be trusted; a dash without one."""
    version = best(runs)
    rate = next((median(run) for run in runs if run["version"] == version), None)
    return f"{rate}{'' if fastest(runs) else NONE_SOUND} ({version})" if rate else NONE


def failure(run):
    """What stands in place of the rate of a version that failed, or that was not measured (its error is None)."""
    if not records.has_failed(run):
        return ""
    if run["error"] is None:
        return NONE
    code = f" (exit {run['exit']})" if "exit" in run else ""
    return f"{records.failed_word(run)}{code}: {markdown.code(run['error'])}"


def ratio(rate, base):
    """One rate divided by another; none where their intervals overlap, which would be noise."""
    if not rate or not base:
        return NONE
    return OVERLAP if rate != base and overlap(rate, base) else numerals.three_digits(rate["median"] / base["median"])


def overlap(a, b):
    return a["low"] <= b["high"] and b["low"] <= a["high"]


def footnotes(text):
    """What the marks in a text mean."""
    return [note for mark, note in ((f" {IN_ALL}", IN_ALL_NOTE), (FEW, FEW_NOTE)) if mark in text]


# Random numbers


def sound_form(run):
    """In which form the random numbers of a run can be trusted."""
    return unbroken(SOUND_CELLS.get(run.get("soundness"), NONE), 10)


def sound(run):
    """The same, up to how many bytes, and what part that is of those of the run."""
    tested = f" ({numerals.bytes_text(run['tested']['bytes'])}, {part_text(run)})" if run.get("tested") else ""
    return sound_form(run) + tested


def part_text(run):
    percent = 100 * run["tested"]["part"]
    return f"{'over 100' if percent > 100 else f'{percent:.2g}'} %"


# Columns

STEP = ("Step", LEFT, step)
CLOCK = ("Clock", LEFT, lambda run: {"gpu": "GPU", "wall": "wall"}.get(run.get("clock"), NONE))
TECHNIQUE = ("Key technique", LEFT, technique)
SHORT_STEP = ("Step", LEFT, short_step)
SOUND_COLUMN = ("Sound", LEFT, sound)
SOUND_FORM = ("Sound", LEFT, sound_form)


def rate_column(ladder):
    return (f"{ladder.rate} (95 % interval)", RIGHT, rate)


def over_base(rates):
    """The rate divided by that of the step that a version builds on, and the name of that step: 1.76 (v8)."""

    def cell(run):
        base = run.get("after")
        return unbroken(f"{ratio(run.get('per_ns'), rates.get(base))} ({base})") if base else NONE

    return ("× before", RIGHT, cell)
