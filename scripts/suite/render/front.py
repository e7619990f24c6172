"""The tables of README.md that set ladders side by side, and GPUs.

<!-- ladders:<device> --> … <!-- /ladders -->          every ladder on a device
<!-- gpus:<device>,<device> --> … <!-- /gpus -->       the fastest step of the first ladder's source: on its GPUs, and on these
"""

from suite import markdown
from suite.markdown import LEFT, NONE
from suite.render import blocks, cells, devices, reference_tables

FEW_NOTE = f"{cells.FEW} Fewer than 50 timings: less certain than the others."


def filled(path, text, found):
    """The text of the file at path with these tables, from what results/ holds of every ladder."""
    text = blocks.with_blocks(path, text, "ladders", lambda slug: ladders_on(slug, found))
    return blocks.with_blocks(path, text, "gpus", lambda slugs: gpus(slugs.split(","), found[0]))


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
    return [story, ladder.question, rates, limit(device, site, cells.best(runs))]


def limit(device, site, version):
    """The busiest unit of a step, and how much of the time it is busy."""
    found = devices.measured(device, site.ladder).steps
    return found[version].limit[0] if version else NONE


def gpus(slugs, site):
    """A row for each GPU of the source and each device of ours: the rate of the source's fastest step, and that per clock and SM."""
    others = [devices.reported(*other) for other in reference_tables.devices_of(site.references).items()]
    ours = [devices.measured(site.devices[slug], site.ladder) for slug in slugs if slug in site.devices]
    step = others[0].fastest if others else site.ladder.first
    rows = [gpu_row(column, column.steps[step]) for column in (*others, *ours) if step in column.steps]
    titles = ["GPU", "SMs", "SM clock (MHz)", f"{step} ({site.ladder.unit}s/ns)", "per clock and SM"]
    return markdown.figures(titles, rows)


def gpu_row(column, figures):
    return [column.title, column.multiprocessors, figures.clock, figures.text, figures.per_clock[0]]
