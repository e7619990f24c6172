"""The steps of a ladder whose time has phases: table and chart."""

from suite import numerals
from suite.analyse import traffic
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, folded
from suite.render import cells, sources
from suite.render.cells import SOUND_COLUMN, STEP

HEADING = "The steps"

ABOUT = """The phases are the median times per {unit}, in nanoseconds; other is the median of the time that no phase has.
Bytes are those that a {unit} needs moved over PCIe, up and down, and between the GPU and its memory. % of limit is the
largest share of a step's time that one of these alone takes: its bytes over PCIe, at the rate of its host memory, pinned or
pageable; its bytes of DRAM, at the rate of a copy; random numbers made on the host; a sum on the GPU; other; or the time of
the kernel without arrays ({fused}). There is a dash where the rate of a step's bytes was not measured."""

OVERLAPPING = """The phases of {versions} overlap: they add up to more than its time, and nothing is left over. As a phase then
includes waiting, % of limit takes the time for random numbers on the host from the step that it builds on, and may be above 100."""
MUCH = 2  # % of a step's time
MUCH_OTHER = "Other is more than {much} % of the time of {steps}."


def section(device, site):
    runs, ladder = cells.in_step_order(device.result["runs"]), site.ladder
    overlapping = [run["version"] for run in records.succeeded(runs) if traffic.overlaps(run)]
    notes = [sources.filled(ABOUT, unit=ladder.unit, fused=ladder.phases.fused[-1])]
    notes += [sources.filled(OVERLAPPING, versions=", ".join(overlapping))] if overlapping else []
    notes += other_notes(runs) + ([sources.data(device, "limits")] if device.limits else [])
    main, others = columns(runs, device, site)
    return [
        cells.table(main, runs),
        " ".join(notes),
        folded("Phases and bytes", cells.table(others, runs)),
        *sources.clocks(runs),
        *sources.warnings(runs, without=("phases",)),
    ]


def other_notes(runs):
    """Names the steps on the wall clock much of whose time no phase has, if there are any."""
    on_wall = [run for run in records.succeeded(runs) if run.get("clock") == "wall"]
    percent = {run["version"]: 100 * (traffic.other_share(run) or 0) for run in on_wall}
    found = [f"{name} ({numerals.percent_text(share)} %)" for name, share in percent.items() if share > MUCH]
    return [MUCH_OTHER.format(much=MUCH, steps=", ".join(found))] if found else []


# Columns


def columns(runs, device, site):
    """Those of the table, and those of the one below it, which a reader opens."""
    ladder, names = site.ladder, dict.fromkeys(name for run in records.succeeded(runs) for name in run["phases_ms"])
    limit = ("% of limit", LEFT, limit_cell(runs, device.gbps, fused_rate(device, site)))
    others = [
        *((f"{name} (ns)", RIGHT, phase_cell(name)) for name in in_order(names, ladder)),
        (f"{traffic.OTHER} (ns)", RIGHT, measured(lambda run: ns_text(traffic.other_ns(run)))),
        ("PCIe (bytes)", RIGHT, bytes_cell("pcie_up", "pcie_down")),
        ("DRAM (bytes)", RIGHT, bytes_cell("dram")),
    ]
    main = [STEP, cells.rate_column(ladder), cells.CLOCK, cells.over_base(cells.rates_of(runs)), limit, SOUND_COLUMN]
    return main, [STEP, *others]


def in_order(found, ladder):
    """These phases in the ladder's order, then those that it does not name, and last the time that no phase has."""
    order = ladder.phases.order
    return sorted(found, key=lambda name: order.index(name) if name in order else len(order) + (name == traffic.OTHER))


def measured(of_run):
    """A cell that is a dash where a run failed, or where of_run gives None."""
    return lambda run: NONE if records.has_failed(run) or (text := of_run(run)) is None else text


def ns_text(ns):
    return None if ns is None else numerals.three_digits(ns)


def phase_cell(name):
    return measured(lambda run: ns_text(traffic.phases_ns(run).get(name)))


def bytes_cell(*ways):
    return measured(lambda run: f"{sum(run['bytes'][way] for way in ways):g}" if run.get("bytes") else None)


def limit_cell(runs, gbps, fused):
    by_version = {run["version"]: run for run in records.succeeded(runs)}

    def text(run):
        limit = traffic.limit_of(run, gbps, by_version.get(run.get("after")), fused)
        return f"{numerals.percent_text(100 * limit.share)} % ({limit.name})" if limit else None

    return measured(text)


# Chart


def chart(device, site):
    """The shares of the phases of each step's time; below them those of the ladder's article."""
    runs, ladder = cells.in_step_order(device.result["runs"]), site.ladder
    rows = [{"label": cells.label(run), "parts": parts(run)} for run in runs]
    article = [article_row(row) for own in site.references for row in own["rows"] if "total_s" in row]
    overlapping = [run["version"] for run in records.succeeded(runs) if traffic.overlaps(run)]
    return {
        "chart": "phases",
        "title": sources.chart_title(ladder, device.name, "the phases of each step's time"),
        "note": f"Those of {', '.join(overlapping)} overlap." if overlapping else "",
        "phases": in_order(dict.fromkeys(name for row in rows + article for name in row["parts"]), ladder),
        "rows": rows,
        "article": {"title": ladder.phases.article, "rows": article},
    }


def parts(run):
    """The share of each phase, and of the rest, in the time of a run; of phases that overlap, in their sum."""
    if records.has_failed(run):
        return {}
    times = traffic.phases_ns(run)
    return shares(
        times | {traffic.OTHER: traffic.other_ns(run) or 0.0} if times else {traffic.WHOLE: traffic.ns_of_unit(run)}
    )


def shares(times):
    whole = sum(times.values())
    return {name: numerals.six_digits(100 * time / whole) for name, time in times.items() if time > 0}


def fused_rate(device, site):
    """The rate of the kernel without arrays on this device, None without a result of it."""
    suite, version, _ = site.ladder.phases.fused
    fused = site.others.get(suite, {}).get(device.slug)
    rates = cells.rates_of(fused.result["runs"]) if fused else {}
    return rates[version]["median"] if version in rates else None


def article_row(row):
    """A row of a reference table that gives the times of phases."""
    times = {
        name: float(row[f"{name}_s"] or 0) for name in ("rng", "transfer", "compute", "other") if f"{name}_s" in row
    }
    return {"label": cells.shortened(row["version"]), "parts": shares(times)}
