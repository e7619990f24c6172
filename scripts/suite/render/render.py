"""Write the generated pages, charts and figures from the result files in results/.

  results/README.md                 the rate of each ladder on each device, and an index of the pages
  results/<device>/<ladder>.md      a ladder on a device, and its charts, *.svg; not of a device that is a column (documents/stored.py)
  results/<device>/<ladder>.csv     its table, for spreadsheets
  results/<device>/<ladder>-scaling.md  runs on several GPUs
  results/scaling.svg               the chart of all of these; precision.svg: time to a precision, all ladders;
                                    differences.svg: where the rates of a column differ
  results/<ladder>.md               a ladder on all devices, and the figures of others
  results/quality.md                the tests of the random numbers
  results/capability.md             what each step needs on each compute capability
  README.md, kernels/**/README.md   tables, cards and figures between markers (suite/render/front.py, cards.py, excerpts.py, figures.py)
  docs/method.md                    the table of planted faults (suite/render/faults.py)
  docs/schema.md                    the fields of the result files (suite/render/schema_tables.py)

A chart that shows the current data is left as it is. Without matplotlib no chart
is drawn, and one line says so. A page or chart whose data are gone is removed.
"""

import os
from pathlib import Path

from suite.command import DONE, FAILED, REPOSITORY, UNWRITTEN, Command, write_file
from suite.documents import files, kinds
from suite.markdown import escaped
from suite.render import (
    capability, cards, cells, csv_file, device_page, devices, differences, drawing, excerpts, faults, figures, front, index, precision, quality,
    scaling, schema_tables, sources, uses, words,
)  # fmt: skip
from suite.render import site as sites
from suite.render.index import Page

COMMAND = Command(
    "render",
    __doc__,
    {
        DONE: "done; a figure that the results lack is a dash, with a warning; with --check: every file agrees with its data",
        FAILED: "a broken result file, missing markers, an unknown figure; with --check: a file differs",
        UNWRITTEN: "a file could not be written",
    },
    unfinished="",
)
complain = COMMAND.complain


def main():
    """Render everything, then write or compare it; returns the exit code."""
    options = parse_arguments()
    found = list(sites.load(options.root / "results").values())
    texts = render_pages(options.root, found) | render_markers(options.root, found)
    charts = find_charts(options.root, found)
    changed = [path for path, text in texts.items() if text != current_text(path)]
    stale = [path for path, chart in charts.items() if not drawing.is_current(current_text(path), chart)]
    abandoned = without_data(options.root, texts, charts)
    if options.check:
        return check(changed + stale + abandoned)
    return remove(abandoned) or write(changed, texts) or redraw(stale, charts)


def parse_arguments():
    """The options; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("--check", action="store_true", help="write nothing, name what differs from its data")
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(os.path.relpath(REPOSITORY)),
        metavar="DIR",
        help="the folder with README.md and results/ (default: this repository)",
    )
    return parser.parse_args()


def render_pages(root, found):
    """The path and text of every page in results/, and of the tables beside them."""
    pages = every_page(root, found)
    texts = {root / "results" / page.path: page.text for page in pages if page.text}
    sheets = {
        root / "results" / slug / f"{site.ladder.suite}.csv": csv_file.text(device.result)
        for site in found
        for slug, device in site.devices.items()
        if not device.is_column
    }
    parts = [part for section in (precision, differences, scaling) for part in section.parts(found)]
    return {root / "results" / "README.md": index.text(pages, parts)} | texts | sheets


def every_page(root, found):
    """The pages that the index lists, in its order."""
    return [page for site in found for page in ladder_pages(site)] + common_pages(root, found)


def ladder_pages(site):
    """The pages of a ladder."""
    ladder, name = site.ladder, site.ladder.suite
    pages = [
        Page(
            escaped(device.name), f"Ladder {name}", device.page, "" if device.is_column else device_page.page(device, site),
            ladder, cells.headline(device.result["runs"]), device.result["runs"],
        )
        for device in site.devices.values()
    ]  # fmt: skip
    pages += [
        Page(
            escaped(several.name), f"Ladder {name} on several GPUs", f"{slug}/{scaling.file_name(ladder)}.md",
            scaling.page(several, site), ladder, scaling.headline(several),
        )
        for slug, several in site.scalings.items()
    ]  # fmt: skip
    side_by_side = Page(
        index.EVERY_DEVICE, f"Ladder {name} side by side", f"{name}.md", devices.page(site), ladder, "side by side"
    )
    return [*pages, *([side_by_side] if pages or site.references else [])]


def common_pages(root, found):
    """The pages that belong to no ladder."""
    pages = []
    if found[0].quality:
        first = next(iter(found[0].devices.values()), None)
        at_scale = words.section(kinds.WORDS.stored_in(root / "results"), first.result["runs"] if first else [])
        text = quality.page(
            found[0].quality, [site.ladder for site in found], uses.parts(found[0].quality, found), at_scale
        )
        pages.append(Page("All generators", "Random numbers", "quality.md", text))
    if compiled := kinds.CAPABILITY.stored_in(root / "results"):
        text = capability.page(compiled, [site.ladder for site in found])
        pages.append(Page("Other GPUs", "Compute capabilities", "capability.md", text))
    return pages


def render_markers(root, found):
    """The path and text of README.md, of every story and of the method, with their blocks and figures."""
    readme = root / "README.md"
    texts = {readme: with_figures(readme, front.filled(readme, files.read_text(readme), found), found[0])}
    for site in found:
        story = root / "kernels" / site.ladder.folder / "README.md"
        if story.exists():
            text = excerpts.filled(root, story, cards.filled(root, story, files.read_text(story), site))
            texts[story] = with_figures(story, text, site)
    method = root / "docs" / "method.md"
    if method.exists():
        texts[method] = faults.filled(method, files.read_text(method), kinds.FAULTS.stored_in(root / "results"))
    fields = root / "docs" / "schema.md"
    if fields.exists():
        texts[fields] = schema_tables.filled(fields, files.read_text(fields))
    return texts


def with_figures(path, text, site):
    return figures.with_figures(
        path, text, site.devices, site.quality, lambda line: complain(DONE, line), site.others, site.ladder
    )


def find_charts(root, found):
    """What each chart shows, by its path."""
    charts = {
        root / "results" / slug / name: chart
        for site in found
        for slug, device in site.devices.items()
        if not device.is_column
        for name, chart in device_page.charts(device, site).items()
    }
    shared = {page.CHART: page.chart(found) for page in (scaling, precision, differences)}
    return charts | {root / "results" / name: chart for name, chart in shared.items() if chart}


def current_text(path):
    """What is in the file now; None if there is no such file."""
    return files.read_text(path) if path.exists() else None


def check(changed):
    for path in changed:
        complain(FAILED, f"{path} differs from its data: run scripts/render")
    return FAILED if changed else DONE


def write(changed, texts):
    for path in changed:
        write_file(path, texts[path])
        print(f"wrote {path}", flush=True)
    return 0


def without_data(root, texts, charts):
    """The generated pages in results/ that are none of texts, the tables beside them, and the drawings that are none of charts."""
    pages = sorted((root / "results").rglob("*.md"))
    gone = [path for path in pages if path not in texts and sources.is_generated(path)]
    drawings = [
        path
        for path in sorted((root / "results").rglob("*.svg"))
        if path not in charts and drawing.is_drawn(files.read_text(path))
    ]
    return [*gone, *(sheet for path in gone if (sheet := path.with_suffix(".csv")).exists()), *drawings]


def remove(paths):
    for path in paths:
        path.unlink()
        print(f"removed {path}", flush=True)
    return 0


def redraw(stale, charts):
    """Draw the charts that do not show their data."""
    drawn = draw(stale, charts, complain)
    return write(drawn, drawn)


def draw(stale, charts, complain):
    """The texts of these charts by path; none if they cannot be drawn, which one line then says."""
    if not stale:
        return {}
    try:
        return dict(zip(stale, drawing.draw([charts[path] for path in stale])))
    except drawing.DrawingError as error:
        complain(DONE, f"not drawn: {', '.join(map(str, stale))}: {error}")
        return {}
