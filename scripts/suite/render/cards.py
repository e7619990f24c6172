"""The card at the end of a step's section of a story, between <!-- card:v8 --> and <!-- /card -->.

It has the rate and its ratio to that of the step that it builds on, the busiest units, instructions by class, a link to the
step's file, and what limits the step. What was not measured is left out; a rate that is not there is a dash.
"""

import os
import re

from suite import naming, numerals
from suite.documents import files, profile, records, step_files
from suite.documents.schema import ResultError
from suite.markdown import NONE, escaped
from suite.render import blocks, cells, figures

MARKER = re.compile("<!-- card:")
UNITS, CLASSES = 4, 3  # that are shown at most
BAR = 10  # characters
IDLE_PCT = 0.1
PREDICTED = "predicted: "  # as a header says
SMALL, OF_ALL = 0.05, 0.01  # changes of a class that are shown: relative to itself, and to all instructions


def filled(root, path, text, site):
    """The text of a story with its cards."""

    def of_device(slug, part):
        return blocks.with_blocks(path, part, "card", lambda version: card(root, path, version, site, slug), of="step")

    return figures.by_device(path, text, MARKER, of_device)


def card(root, path, version, site, slug):
    """The card of a step on a device."""
    is_step = site.ladder.has(version) and naming.place(version)
    file = step_files.path_of(root, site.ladder.program(version)) if is_step else None
    if file is None:
        raise ResultError(f"{path}: card:{version}: no such step")
    base, device = step_files.after(files.read_text(file)), site.devices.get(slug)
    own, *on_others = rates(device, site.ladder, version, base)
    numbers = [own, *strip(device, site.ladder, version), *instructions(device, site.ladder, version, base), *on_others]
    figures_ = "\n".join(["```text", *numbers, "```"])
    code = f"**Code:** [{file.name}]({os.path.relpath(file, path.parent)})."
    return "\n\n".join([figures_, f"{code} {limit(file, site.ladder)}"])


# Figures


def rates(device, ladder, version, base):
    """A line with the rate and its ratio; with several systems a line each, that of the profile first."""
    found = {run["version"]: run for run in device.runs} if device else {}
    systems = ladder.systems.names if ladder.systems else [""]
    name = ladder.systems.version if ladder.systems else lambda version, _: version
    lines = []
    for system in systems:
        run, older = (found.get(name(step, system)) if step else None for step in (version, base))
        if run or system == systems[0]:
            lines.append([version, system, rate(run, ladder), ratio(run, older, base)])
    return aligned(lines)


def rate(run, ladder):
    """The median, and in words what a table marks; a dash if there is none."""
    if not run or records.has_failed(run):
        return cells.failure(run) if run else NONE
    few = " (few timings)" if cells.has_few_timings(run) else ""
    return f"{numerals.median_text(run['per_ns'])} {ladder.unit}s/ns{few}{cells.dependence(run)}"


def ratio(run, older, base):
    """The rate divided by that of the step before; "" if there is none to divide by."""
    if base is None:
        return ""
    text = cells.ratio(run and run.get("per_ns"), older and older.get("per_ns"))
    return f"intervals overlap with {base}'s" if text == cells.OVERLAP else f"{text} × {base}"


def strip(device, ladder, version):
    """Bars of the busiest units, in a ladder of phases bars of these; none if there are no figures."""
    if ladder.phases:
        return phases(device, ladder, version)
    kernel = profile.main_kernel(device.profile, version) if device and device.profile else None
    units = busiest(kernel) if kernel else []
    return aligned(
        [[profile.TITLES[name], bar(pct / 100), f"{numerals.percent_text(pct):>3} %"] for name, pct in units]
    )


def phases(device, ladder, version):
    """Bars of the time of each phase, beside that of a launch."""
    run = next((run for run in records.succeeded(device.runs) if run["version"] == version), {}) if device else {}
    times = {
        name: run["phases_ms"][name]["median"] for name in ladder.phases.order if run.get("phases_ms", {}).get(name)
    }
    total = records.typical_ms(run) if times else None
    return aligned(
        [
            [name, bar(ms / total), f"{numerals.three_digits(ms):>6} ms of {numerals.three_digits(total)}"]
            for name, ms in times.items()
        ]
    )


def busiest(kernel):
    """The busiest units of a kernel, each with its percentage."""
    busy = {name: pct for name, pct in profile.utilisation(kernel).items() if pct and pct >= IDLE_PCT}
    if "fmaheavy" in busy:
        busy.pop("fma", None)  # which is the sum of its parts
    return sorted(busy.items(), key=lambda item: -item[1])[:UNITS]


def bar(share):
    full = min(BAR, round(share * BAR))
    return "█" * full + "░" * (BAR - full)


def instructions(device, ladder, version, base):
    """A line with the instructions of a unit of work, and the classes that changed.

    None without a profile, or in a ladder of phases, whose kernels may each do a part of the work.
    """
    if ladder.phases:
        return []
    (total, after), (old_total, before) = (counted(device, step) for step in (version, base))
    if total is None:
        return []
    change = {name: abs(after[name] - before.get(name, 0)) for name in after}
    least = OF_ALL * max(total, old_total or 0)
    shown = [name for name in after if change[name] >= max(least, SMALL * max(after[name], before.get(name, 0)))]
    parts = [
        f"{profile.CLASSES[name]} {changed(before.get(name), after[name])}"
        for name in sorted(shown, key=change.get, reverse=True)
    ]
    return [
        f"instructions a {ladder.unit}  {changed(old_total, total)}"
        + (f": {', '.join(parts[:CLASSES])}" if parts else "")
    ]


def counted(device, version):
    """Instructions of a unit of work, of all kernels that do it: their sum, and those of each class; None and {} if they are not known."""
    kernels = profile.kernels_of(device.profile) if device and device.profile else []
    own = [row for row in kernels if row["version"] == version and row["samples"] is not None]
    totals = [row["thread_instructions_per_sample"] for row in own]
    if not own or None in totals:
        return None, {}
    classes = {name: [row["instructions_by_class"][name] for row in own] for name in profile.CLASSES}
    return sum(totals), {name: sum(counts) for name, counts in classes.items() if None not in counts}


def changed(before, after):
    return " → ".join(numerals.three_digits(count) for count in (before, after) if count is not None)


def aligned(lines):
    """The lines, column under column; empty columns are left out."""
    columns = [column for column in zip(*lines) if any(column)]
    widths = [max(map(len, column)) for column in columns]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in zip(*columns)]


# Text


def limit(file, ladder):
    """What limits the step, and what comes next, as the header of its file says."""
    said = step_files.part_of(files.read_text(file), "Limit")
    now = step_files.limit_of(said, system=ladder.systems.names[0] if ladder.systems else "").rstrip(".")
    title = "Limit, predicted" if now.startswith(PREDICTED) else "Limit"
    next_ = step_files.next_of(said)
    return f"**{title}:** {escaped(now.removeprefix(PREDICTED))}." + (f" **Next:** {escaped(next_)}" if next_ else "")
