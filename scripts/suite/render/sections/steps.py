"""The steps of a ladder on a device: table and chart."""

import itertools
import math

from suite import naming, numerals
from suite.analyse import verdicts
from suite.analyse.verdicts import DEMONSTRATION
from suite.documents import records
from suite.documents.profile import kernels_of, limit_of, limit_title, main_kernel
from suite.markdown import NONE, RIGHT, folded, shown
from suite.render import audits, cells, draws, prices, reference_tables, sources
from suite.render.cells import SOUND_COLUMN, STEP, TECHNIQUE
from suite.render.sections import merit

HEADING = "The steps"
MORE = "Techniques, registers, deviations"
REASONS, LEAST = 7, 1.1  # as many rises are explained, each at least by this factor


ABOUT_SOUND = """Sound: the form in which tests found no fault in the random numbers: as whole words (yes), in their upper 24 bits, or in bit
planes.{brackets}{parity} [More]({page})."""
ABOUT_BRACKETS = """ In brackets, in the folded table: what the longest run of PractRand read of such words, and what part that is of the words of
the stored run. Without brackets no test read these words: it is what the step declares."""
ABOUT_PARITY = """ But a parity: a test that knows the recurrence sees a bias in bits 8 to 11, which these steps use."""


def section(device, site):
    runs, limits = cells.in_step_order(device.result["runs"]), limits_of(device)
    ladder, rates = site.ladder, cells.rates_of(runs)
    columns = [
        cells.SHORT_STEP,
        cells.rate_column(ladder),
        cells.over_base(rates),
        *limit_column(limits),
        cells.SOUND_FORM,
    ]
    over_first = (f"× {ladder.first}", RIGHT, lambda run: cells.ratio(run.get("per_ns"), rates.get(ladder.first)))
    others = [STEP, TECHNIQUE, over_first, *prices.columns(device, ladder), *warps(device), SOUND_COLUMN, DISTANCE]
    return [
        cells.table(columns, runs),
        folded(MORE, cells.table(others, runs), *draws.note(device), *audits.note(device)),
        *notes(device, site, runs, limits),
        *sources.clocks(runs),
        *sources.warnings([*runs, *prices.second_runs(device, ladder)]),
    ]


def notes(device, site, runs, limits):
    """What the columns mean."""
    found = []
    if not all(map(cells.has_independent_samples, runs)):
        better = " Compare the [time to a given precision](#figure-of-merit)." if merit.has_rows(device) else ""
        found += [f"Dependent: samples depend on each other, so do not compare these rates with the others.{better}"]
    found += prices.notes(site.ladder)
    if site.quality:
        parity = ABOUT_PARITY if any(run.get("soundness") == verdicts.BUT_PARITY for run in runs) else ""
        brackets = ABOUT_BRACKETS if any("tested" in run for run in runs) else ""
        found += [sources.filled(ABOUT_SOUND, brackets=brackets, parity=parity, page="../quality.md")]
    if limits:
        found += [
            "Busiest: the part of the GPU that is busy for most of the time (issue slots, a pipe or a memory), and for how much of it. See "
            "[what limits each step](#what-limits-each-step)."
        ]
    return found


# Columns


def limit_column(limits):
    return [("Busiest (%)", RIGHT, lambda run: busiest(limits.get(run["version"])))] if limits else []


def busiest(limit):
    return cells.unbroken(f"{limit_title(limit)} {numerals.percent_text(limit['pct'])}", 15) if limit else NONE


def occupancy_on(facts):
    """A cell: resident warps of a multiprocessor that has blocks, of the most possible; fewer where the grid has not enough of them."""
    return lambda run: NONE if run.get("occupancy") is None else f"{numerals.percent_text(resident(run, facts))} %"


def resident(run, facts):
    """The occupancy of a multiprocessor in percent: the occupancy API's, if the grid has so many blocks."""
    most = records.MOST_WARPS.get(facts["compute_capability"])
    if most is None or not run.get("blocks"):
        return 100 * run["occupancy"]
    blocks, warps = math.ceil(run["blocks"] / facts["multiprocessors"]), math.ceil(run["threads"] / 32)
    return 100 * min(run["occupancy"], blocks * warps / most)


def distance(run):
    """How far a run's estimate is from what is expected; of many estimates, their error relative to the expected one."""
    outcome = run.get("outcome", {})
    if error := outcome.get("error"):
        return f"{error['relative'] / error['predicted']:.2f} × the expected error"
    text = shown(outcome.get("sigma"), "{:+.2f}")
    return "+0.00" if text == "-0.00" else text


DISTANCE = ("sd from expectation", RIGHT, distance)


def warps(device):
    """Columns of registers and of occupancy."""
    facts = device.result["context"]["device"]
    return [
        ("Registers", RIGHT, lambda run: shown(run.get("registers"), "{}")),
        ("Occupancy", RIGHT, occupancy_on(facts)),
    ]


def limits_of(device):
    """Name and percentage of the busiest unit of each profiled version."""
    if device.profile is None:
        return {}
    versions = {row["version"] for row in kernels_of(device.profile)}
    kernels = {version: main_kernel(device.profile, version) for version in versions}
    limits = {version: limit_of(kernel) for version, kernel in kernels.items() if kernel}
    return {version: limit for version, limit in limits.items() if limit}


# Chart


def chart(device, site):
    """The staircase: the rates of the steps, of which those with dependent samples are never the best; None without a rate."""
    ladder = site.ladder
    runs = [
        run for run in records.succeeded(cells.steps_of(device.result["runs"])) if run["version"] != ladder.constant
    ]
    if not runs:
        return None
    rows, lines = rows_of(runs, ladder), lines_of(device, site)
    drawn = [row["rate"] for row in rows] + [line["rate"] for line in lines]
    return {
        "chart": "stairs",
        "title": sources.chart_title(ladder, device.name, "the best rate so far"),
        "note": f"{ladder.unit.capitalize()}s per nanosecond, logarithmic. Hollow: no faster than the best step before.",
        "rows": rows,
        "lines": lines,
        "range": span(drawn, 4),
    }


def span(rates, room):
    """The ends of a logarithmic axis of rates, with room above them, as a factor."""
    return [10.0 ** math.floor(math.log10(min(rates) / 2)), numerals.six_digits(max(rates) * room)]


def rows_of(runs, ladder):
    """The steps, those that are the best so far, and the reasons of the largest gains."""
    rates = [run["per_ns"]["median"] if cells.has_independent_samples(run) else 0 for run in runs]
    before = [0, *itertools.accumulate(rates, max)]
    gains = [rate / best if best else 0 for rate, best in zip(rates, before)]
    least = sorted([*gains, *[LEAST] * REASONS], reverse=True)[REASONS - 1]
    return [
        {
            "label": run["version"] if run is runs[0] else run["version"].removeprefix(ladder.letter),
            "kind": kind_of(run),
            "rate": run["per_ns"]["median"],
            "is_best": rate > best,
            "reason": f"× {numerals.three_digits(gain)} {reason(run, ladder)}" if gain >= least else "",
        }
        for run, rate, best, gain in zip(runs, rates, before, gains)
    ]


def kind_of(run):
    """What a reader must know to compare a rate with the others."""
    if naming.is_cpu(run):
        return "cpu"
    if not cells.has_independent_samples(run):
        return "dependent"
    return "demonstration" if run.get("soundness") == DEMONSTRATION else "sound"


def reason(run, ladder):
    """Why a step is faster, in a few words: those of the ladder, or the step's title."""
    title = run.get("title", "")
    return ladder.reasons.get(run["version"], title if title[1:2].isupper() else title[:1].lower() + title[1:])


def lines_of(device, site):
    """The fastest rate of the CPU, and the best figure of others."""
    runs = [run for run in records.succeeded(device.result["runs"]) if naming.is_cpu(run)]
    cpu = [line(cells.cpu_label(run), run["per_ns"]["median"], cells.median(run), True) for run in runs]
    found = (cpu, reference_lines(site.references))
    return [max(lines, key=lambda line: line["rate"]) for lines in found if lines]


def line(name, rate, text, is_cpu):
    return {"label": f"{cells.shortened(name)}: {text}", "rate": rate, "is_cpu": is_cpu}


def reference_lines(references):
    """The best figure of each GPU of others, and of the fastest of their other devices, which run no versions."""
    gpus = [(max(facts["rates"].values()), name) for name, facts in reference_tables.devices_of(references).items()]
    others = [(row["samples_per_ns"], row["device"]) for row in reference_tables.one_rate_devices(references)]
    return [line(name, float(rate), f"{rate:,}", False) for rate, name in gpus + sorted(others)[-1:]]
