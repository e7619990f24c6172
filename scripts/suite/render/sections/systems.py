"""The steps of a ladder that solves several systems: the rate of each step on each of them."""

from suite import markdown, numerals
from suite.documents import records
from suite.markdown import NONE, RIGHT, escaped
from suite.render import cells, sources
from suite.render.cells import SOUND_COLUMN, STEP, TECHNIQUE
from suite.render.sections import steps

HEADING = "The steps"
chart = steps.chart  # of the first system

ABOUT = """Histories end when their weight falls below 10⁻⁹ of the first one, after 10,000 transitions, or by absorption.
A dash: the step does not accept the system, or was not measured on it."""
ABOUT_FIXED = """Every history has {steps} transitions, as in the report. Weights that have become 0 are walked, too. Measured of steps
that can have such histories, on the systems of the report."""
ABOUT_SYSTEMS = "x = H x + b, from A x = b by division of each row by its diagonal entry."


def section(device, site):
    ladder, limits = site.ladder, steps.limits_of(device)
    runs, found = cells.in_step_order(device.result["runs"]), runs_of(device)
    first = ladder.systems.names[0]
    others = [(name, RIGHT, rate_on(ladder, found, name)) for name in systems_of(ladder, found) if name != first]
    over_base = cells.over_base(cells.rates_of(runs))
    more = [STEP, TECHNIQUE, HISTORIES, over_base, *steps.limit_column(limits), *steps.warps(device), SOUND_COLUMN]
    is_other = sources.is_of_another_commit(device, "ablations")
    return [
        sources.filled(ABOUT),
        cells.table([STEP, cells.rate_column(ladder), *others], runs),
        markdown.folded(steps.MORE, cells.table(more, runs)),
        *steps.notes(device, site, runs, limits),
        *([f"Rates on the other systems. {sources.data(device, 'ablations')}"] if is_other else []),
        *fixed_parts(ladder, runs, found),
        *systems_parts(ladder, found),
        *sources.clocks(device.runs),
        *sources.warnings(device.runs),
    ]


def histories(run):
    return numerals.scientific(run["problem"]["histories"]) if "problem" in run else NONE


HISTORIES = ("Histories of a launch", RIGHT, histories)


def runs_of(device):
    """The runs of a device, by name."""
    return {run["version"]: run for run in device.runs}


def systems_of(ladder, found):
    """What the programs tell of each system that any of them walked on, by its name."""
    known = {run["problem"]["system"]: run["problem"] for run in records.succeeded(found.values())}
    return {system: known[system] for system in ladder.systems.names if system in known}


def run_on(ladder, found, version, system, is_fixed=False, is_short=False):
    """The run of a program on a system; None if it did not accept it, was not measured, or failed."""
    run = found.get(ladder.systems.version(version, system, is_fixed, is_short))
    return run if run and not records.has_failed(run) else None


def launches_on(ladder, found, version, system):
    """The runs of a step on a system: in usual launches, and in those that just come to an error of 1 %, if there are any."""
    runs = [run_on(ladder, found, version, system, is_short=is_short) for is_short in (False, True)]
    return list(filter(None, runs))


# Tables


def rate_on(ladder, found, system, is_fixed=False):
    """The cell of a row: the rate of its version on a system."""

    def cell(run):
        own = found.get(ladder.systems.version(run["version"], system, is_fixed))
        return cells.median(own) if own else NONE

    return cell


def fixed_parts(ladder, runs, found):
    """Rates with histories of a fixed length, of the steps that have any."""
    rows = [
        run
        for run in runs
        if any(run_on(ladder, found, run["version"], system, True) for system in ladder.systems.names)
    ]
    if not rows:
        return []
    columns = [STEP, *((system, RIGHT, rate_on(ladder, found, system, True)) for system in ladder.systems.names)]
    steps_text = f"{ladder.systems.fixed_steps:,}"
    return [
        f"### Histories of {steps_text} transitions",
        sources.filled(ABOUT_FIXED, steps=steps_text),
        markdown.folded("The rates", cells.table(columns, rows)),
    ]


def systems_parts(ladder, found):
    """The size of each system."""
    rows = [
        [escaped(name), f"{facts['n']:,}", f"{facts['entries_of_h']:,}"]
        for name, facts in systems_of(ladder, found).items()
    ]
    table = markdown.figures(["System", "Unknowns", "Entries of H"], rows)
    return [markdown.folded("The systems", ABOUT_SYSTEMS, table)] if rows else []
