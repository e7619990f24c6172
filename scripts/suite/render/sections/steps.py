"""The steps of a ladder on a device: table and chart."""

import math

from suite import naming, numerals
from suite.analyse import verdicts
from suite.analyse.verdicts import DEMONSTRATION
from suite.documents import records
from suite.documents.profile import kernels_of, limit_of, main_kernel
from suite.markdown import NONE, RIGHT, shown
from suite.render import audits, ceilings, cells, draws, prices, reference_tables, sources
from suite.render.cells import OVER_BASE, SOUND_COLUMN, STEP, TECHNIQUE
from suite.render.sections import merit

HEADING = "The steps"
MARKS = {"demonstration": "†", "dependent": "‡"}
LONGEST_LABEL = 45
DASHED = {False: "the best figures of others", True: "what memory allows"}


ABOUT_SOUND = """Sound: the form in which tests found no fault in the random numbers: as whole words (yes), in their upper 24 bits, or in bit
planes.{brackets}{parity} [More]({page})."""
ABOUT_BRACKETS = """ In brackets: what the longest run of PractRand read of such words, and what part that is of the words of the stored run."""
ABOUT_PARITY = """ But a parity: a test that knows the recurrence sees a bias in bits 8 to 11, which these steps use."""


def section(device, site):
    runs, limits = cells.in_step_order(device.result["runs"]), limits_of(device)
    ladder = site.ladder
    columns = [
        STEP,
        TECHNIQUE,
        cells.rate_column(ladder),
        *factors(ladder),
        *prices.columns(ladder),
        *limit_column(limits),
        *resources(device),
    ]
    return [
        cells.table([*columns, SOUND_COLUMN], runs, prices.compared(device, ladder, limits)),
        *notes(device, site, runs, limits),
        *draws.note(device),
        *audits.note(device),
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
            "% of limit: utilisation of the busiest unit (issue slots, a pipe or a memory), from Nsight Compute. See [what limits each "
            "step](#what-limits-each-step)."
        ]
    return found


# Columns


def factors(ladder):
    """The rate divided by that of the first step, and by that of the step that a step builds on."""

    def over_first(run, compared):
        return cells.ratio(run.get("per_ns"), compared.rates.get(ladder.first))

    return [(f"× over {ladder.first}", RIGHT, over_first), OVER_BASE]


def limit_column(limits):
    return [("% of limit", RIGHT, of_limit)] if limits else []


def of_limit(run, compared):
    limit = compared.limits.get(run["version"])
    return f"{numerals.percent_text(limit['pct'])} %" if limit else NONE


def registers(run, _=None):
    return shown(run.get("registers"), "{}")


def occupancy_on(facts):
    """A cell: resident warps of a multiprocessor that has blocks, of the most possible; fewer where the grid has not enough of them."""
    return lambda run, _=None: (
        NONE if run.get("occupancy") is None else f"{numerals.percent_text(resident(run, facts))} %"
    )


def resident(run, facts):
    """The occupancy of a multiprocessor in percent: the occupancy API's, if the grid has so many blocks."""
    most = records.MOST_WARPS.get(facts["compute_capability"])
    if most is None or not run.get("blocks"):
        return 100 * run["occupancy"]
    blocks, warps = math.ceil(run["blocks"] / facts["multiprocessors"]), math.ceil(run["threads"] / 32)
    return 100 * min(run["occupancy"], blocks * warps / most)


def distance(run, _=None):
    text = shown(run.get("outcome", {}).get("sigma"), "{:+.2f}")
    return "+0.00" if text == "-0.00" else text


def warps(device):
    """Columns of registers and of occupancy."""
    facts = device.result["context"]["device"]
    return [("Registers", RIGHT, registers), ("Occupancy", RIGHT, occupancy_on(facts))]


def resources(device):
    return [*warps(device), ("sd from expectation", RIGHT, distance)]


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
    runs = cells.in_step_order(device.result["runs"])
    ladder, second = site.ladder, prices.second_rates(device, site.ladder)
    walls = ceilings.of_bytes(device, ladder)
    lines = [*reference_lines(site.references), *ceilings.lines(walls)]
    rates = [run["per_ns"]["median"] for run in runs if "error" not in run] + [line["rate"] for line in lines]
    return {
        "chart": "ladder",
        "title": sources.chart_title(ladder, device.name, f"{ladder.unit}s per nanosecond"),
        "note": f"Bars: 95 % interval of the median, where it is wider than its dot.{few_text(runs)}"
        + (f" Dashed: {DASHED[bool(walls)]}." if lines else ""),
        "unit": ladder.unit,
        "second": second and ladder.second_rate.title,
        "rows": [
            row(run) | {"second": second_rate(second.get(ladder.second(run["version"])))} if second else row(run)
            for run in runs
        ],
        "lines": lines,
        "scale": "linear" if walls else "log",
        "range": span(rates, bool(walls)),
    }


def few_text(runs):
    return f" {cells.FEW}: fewer than 50 timings." if any(map(cells.has_few_timings, runs)) else ""


def span(rates, is_linear):
    """The first and last rate of the axis."""
    if not rates:
        return [0, 1000] if is_linear else [0.01, 1000]
    if is_linear:
        return [0, numerals.six_digits(max(rates) * 1.08)]
    return [10.0 ** math.floor(math.log10(min(rates) / 2)), numerals.six_digits(max(rates) * 2)]


def second_rate(rate):
    return rate and {"rate": rate["median"], "text": numerals.median_text(rate)}


def row(run):
    """A run in a chart."""
    failed = "error" in run
    rate = None if failed else {name: run["per_ns"][name] for name in ("median", "low", "high")}
    text = "failed" if failed else cells.median(run)
    return {"label": row_label(run), "kind": kind_of(run), "rate": rate, "text": text}


def row_label(run):
    if naming.is_cpu(run):
        label = cpu_label(run)
    else:
        label = f"{run['version']}: {run['title']}" if "title" in run else run["version"]
    mark = MARKS.get(kind_of(run))
    return f"{shortened(label)} {mark}" if mark else shortened(label)


def kind_of(run):
    """What a reader must know to compare the rate of a run with the others."""
    if naming.is_cpu(run):
        return "cpu"
    if not cells.has_independent_samples(run):
        return "dependent"
    return "demonstration" if run.get("soundness") == DEMONSTRATION else "sound"


def cpu_label(run):
    return f"{run['title']}, {cells.threads_text(run['threads'])}" if "threads" in run else run["version"]


def shortened(text):
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def reference_lines(references):
    """The best figure of each GPU of others, and of the fastest of their other devices, which run no versions."""
    best = {name: max(facts["rates"].values()) for name, facts in reference_tables.devices_of(references).items()}
    others = [row for row, _ in reference_tables.one_rate_devices(references)]
    if others:
        fastest = max(others, key=lambda row: row["samples_per_ns"])
        best[fastest["device"]] = fastest["samples_per_ns"]
    return [{"label": f"{shortened(name)}: {rate:,}", "rate": float(rate)} for name, rate in best.items()]
