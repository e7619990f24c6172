"""The tables of results in Markdown: the ladder, its ablations, energy, and the figures of others."""

from decimal import Decimal
from typing import NamedTuple

from suite import markdown, numerals
from suite.analyse.verdicts import DEMONSTRATION, IN_24_BITS, IN_BIT_PLANES, NOT_TESTED, QUASI_RANDOM, SOUND
from suite.documents import checks
from suite.ladders import pi
from suite.markdown import LEFT, NONE, RIGHT, one_line, shown

SOUND_CELLS = {
    SOUND: "yes", IN_24_BITS: "24 bits", IN_BIT_PLANES: "bit planes", QUASI_RANDOM: QUASI_RANDOM, NOT_TESTED: NOT_TESTED,
    DEMONSTRATION: "no",
}  # fmt: skip


class Ladder(NamedTuple):
    """What a row is compared with: rates by number of the step, and by version the limit's name and percentage."""

    rates: dict
    limits: dict


# Rows and cells


def in_step_order(runs):
    """CPU rows first, then the steps by number. Ablations are no steps."""
    return sorted((run for run in runs if not pi.is_ablation(run)), key=lambda run: pi.order(run["version"]))


def rates_of(runs):
    """The rate of each step that has one, by its name."""
    return {run["version"]: run["per_ns"] for run in checks.succeeded(runs) if pi.is_step(run)}


def table(columns, runs, ladder):
    """A Markdown table of the runs; columns are (title, alignment, cell of a run in the ladder)."""
    titles = [title for title, _, _ in columns]
    alignments = [alignment for _, alignment, _ in columns]
    return markdown.table(titles, alignments, [[cell(run, ladder) for _, _, cell in columns] for run in runs])


def cells_of(row, cells):
    """The cells of a row whose first one names it; of what failed, its name, why, and dashes."""
    if not checks.has_failed(row):
        return [cell(row) for cell in cells]
    return [one_line(row["version"]), failure(row), *[NONE] * (len(cells) - 2)]


def step(run, _=None):
    title = f": {one_line(run['title'])}" if "title" in run else ""
    cores = f" ({threads_text(run['threads'])})" if "title" in run and pi.is_cpu(run) else ""
    return f"{run['version']}{title}{cores}"


def threads_text(count):
    return f"{count} thread{'' if count == 1 else 's'}"


def technique(run, _=None):
    return one_line(run["technique"]) if "technique" in run else NONE


def rate(run, _=None):
    return failure(run) or numerals.rate_text(run["per_ns"])


def median(run, _=None):
    return failure(run) or numerals.median_text(run["per_ns"])


def has_independent_samples(run):
    """Whether the samples of a run are independent of each other; one that failed is marked neither way."""
    return checks.has_failed(run) or run["outcome"]["independent"] == "samples"


def with_dependence(cell):
    """The cell of a rate, marked where its samples depend on each other."""
    return lambda run, ladder: cell(run) + ("" if has_independent_samples(run) else " (dependent)")


def failure(run):
    """What stands in place of the rate of a version that failed, or that was not measured (its error is None)."""
    if not checks.has_failed(run):
        return ""
    if run["error"] is None:
        return NONE
    message = one_line(run["error"]).replace("`", "'")
    code = f" (exit {run['exit']})" if "exit" in run else ""
    return f"failed{code}: `{message}`"


def over_first(run, ladder):
    return ratio(run.get("per_ns"), ladder.rates.get("v1"))


def over_base(run, ladder):
    """The rate over that of the step that a version builds on, and which that is: 1.76 (v8)."""
    base = run.get("after")
    return f"{ratio(run.get('per_ns'), ladder.rates.get(base))} ({base})" if base else NONE


def ratio(rate, base):
    return factor_text(rate, base) if rate and base else NONE


def factor_text(rate, base):
    """How many times the base a rate is, to three significant digits."""
    return numerals.three_digits(rate["median"] / base["median"])


def of_limit(run, ladder):
    limit = ladder.limits.get(run["version"])
    return f"{numerals.percent_text(limit['pct'])} %" if limit else NONE


def registers(run, _=None):
    return shown(run.get("registers"), "{}")


def occupancy(run, _=None):
    return shown(run.get("occupancy"), "{:.0%}").replace("%", " %")


def distance(run, _=None):
    text = shown(run.get("outcome", {}).get("sigma"), "{:+.2f}")
    return "+0.00" if text == "-0.00" else text


def sound(run, _=None):
    """Whether the random numbers of a run can be trusted."""
    return SOUND_CELLS.get(soundness(run), NONE)


def soundness(run):
    """What a run declares its random numbers to be. None of a failure."""
    return run.get("soundness")

STEP = ("Step", LEFT, step)
TECHNIQUE = ("Key technique", LEFT, technique)
RATE = ("Samples/ns (95 % interval)", RIGHT, with_dependence(rate))
MEDIAN = ("Samples/ns", RIGHT, with_dependence(median))
OVER_BASE = ("× over the step it builds on", RIGHT, over_base)
FACTORS = [("× over v1", RIGHT, over_first), OVER_BASE]
OF_LIMIT = ("% of limit", RIGHT, of_limit)
SOUND_COLUMN = ("Sound", LEFT, sound)
RESOURCES = [("Registers", RIGHT, registers), ("Occupancy", RIGHT, occupancy), ("sd from expectation", RIGHT, distance)]


# The ladder


def full_table(runs, limits):
    """The steps and the CPU, with everything that a table can hold."""
    columns = [STEP, TECHNIQUE, RATE, *FACTORS, *limit_column(limits), *RESOURCES, SOUND_COLUMN]
    return table(columns, runs, Ladder(rates_of(runs), limits))


def short_table(runs, limits):
    """The steps, with what a first look needs."""
    columns = [STEP, TECHNIQUE, MEDIAN, *FACTORS, *limit_column(limits), SOUND_COLUMN]
    return table(columns, runs, Ladder(rates_of(runs), limits))


def limit_column(limits):
    return [OF_LIMIT] if limits else []


# Ablations


def ablation_table(runs, steps):
    """Steps with one thing changed, beside the steps themselves; "" where there are none."""
    runs = [run for run in runs if pi.is_ablation(run)]
    columns = [("Ablation", LEFT, step), TECHNIQUE, RATE, BASE, OVER_BASE, SOUND_COLUMN]
    return table(columns, runs, Ladder(rates_of(steps), {})) if runs else ""


def base_rate(run, ladder):
    base = ladder.rates.get(run.get("after"))
    return numerals.median_text(base) if base else NONE

BASE = ("That step's samples/ns", RIGHT, base_rate)


# Energy


def energy_table(runs, others):
    """Power and samples per joule of every step, and the rows of others."""
    titles = ["Step", "Samples/ns", "Power (W)", "10⁹ samples per joule", "Sound"]
    rows = [energy_row(run) for run in runs if pi.is_step(run)] + others
    return markdown.table(titles, [LEFT, RIGHT, RIGHT, RIGHT, LEFT], rows)


def energy_row(run):
    power, per_joule = run.get("power_w"), run.get("per_joule")
    billions = NONE if per_joule is None else numerals.three_digits(per_joule / 1e9)
    return [step(run), median(run), shown(power, "{:.0f}"), billions, sound(run)]


def other_devices(references):
    """Rows of the devices of others that have one rate, and not one for each version."""
    return [other_device(row, reference) for reference in references for row in reference["rows"] if is_device(row)]


def is_device(row):
    return isinstance(row.get("device"), str) and is_number(row.get("samples_per_ns"))


def is_number(value):
    return isinstance(value, (int, Decimal)) and value > 0


def other_device(row, reference):
    """A device of a reference table: its rate, its power where the source states it, and what follows from both."""
    source, samples, power = reference["source"], row["samples_per_ns"], row.get("power_w")
    first, *others = source["author"].split(",")
    name = one_line(f"*{row['device']}* ({first}{' et al.' if others else ''}, {source['year']})")
    per_joule = numerals.three_digits(float(samples / power)) if is_number(power) else NONE
    return [name, f"{samples:,}", f"{power:,}" if is_number(power) else NONE, per_joule, NONE]


# Figures of others


def reference_section(reference):
    """One table of results/reference, as its file gives it, with note and source."""
    columns, rows = reference["columns"], reference["rows"]
    parts = [
        f"### {reference['title']}",
        markdown.table(
            [column["title"] for column in columns],
            [RIGHT if is_numeric(column, rows) else LEFT for column in columns],
            [[figure(row.get(column["key"]), column) for column in columns] for row in rows],
        ),
        reference.get("note", ""),
        source_line(reference["source"]),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def is_numeric(column, rows):
    return all(not isinstance(row.get(column["key"]), str) for row in rows)


def figure(value, column):
    """A cell: text, or a number with the column's suffix."""
    if value is None:
        return NONE
    return one_line(value) if isinstance(value, str) else f"{value:,}{column.get('suffix', '')}"


def source_line(source):
    return f"Source: {source['author']} ({source['year']}), *{source['title']}*, <{source['url']}>."
