"""The table of README.md of every ladder on a device, between <!-- ladders:<device> --> and <!-- /ladders -->."""

from suite import markdown
from suite.markdown import LEFT, NONE
from suite.render import blocks, cells, devices

FEW_NOTE = f"{cells.FEW} Fewer than 50 timings: less certain than the others."


def filled(path, text, found):
    """The text of the file at path with this table, from what results/ holds of every ladder."""
    return blocks.with_blocks(path, text, "ladders", lambda slug: ladders_on(slug, found))


def ladders_on(slug, found):
    """A row for each ladder: its question, its first and its best rate on a device, and what limits that."""
    rows = [ladder_row(site.devices[slug], site) for site in found if slug in site.devices]
    if not rows:
        return f"No result for {slug} yet: run `make bench-all`."
    table = markdown.table(["Ladder", "Question", "From → to, per nanosecond", "Limit"], [LEFT] * 4, rows)
    notes = [note for mark, note in ((cells.FEW, FEW_NOTE), (cells.NONE_SOUND, cells.NONE_SOUND_NOTE)) if mark in table]
    return "\n\n".join([table, *([" ".join(notes)] if notes else [])])


def ladder_row(device, site):
    ladder, runs = site.ladder, device.result["runs"]
    first = next((f"{cells.median(run)} ({ladder.first})" for run in runs if run["version"] == ladder.first), NONE)
    story = f"[{ladder.suite}](kernels/{ladder.folder}/README.md)"
    rates = f"{first} → {cells.headline(runs)} {ladder.unit}s"
    return [story, ladder.question, rates, limit(device, cells.best(runs))]


def limit(device, version):
    """The busiest unit of a step, and how much of the time it is busy."""
    return devices.measured(device).steps[version].limit[0] if version else NONE
