"""Write the generated tables, charts and figures from the result files.

From results/quality.json, results/<device>/*.json and results/reference/*.json
come the page results/README.md, the charts results/<device>/*.svg and, in
README.md and kernels/pi/README.md, what stands between markers: <!-- pi:<device> -->
and <!-- /pi -->, and likewise with the names quality and candidates, and the
figures inside prose (scripts/suite/render/figures.py). A chart that shows the
current data is left as it is. Without matplotlib no chart is drawn, and one line
says so.
"""

import os
from pathlib import Path

from suite.analyse import verdicts
from suite.command import DONE, FAILED, REPOSITORY, UNWRITTEN, Command, Stop
from suite.documents import files, references, stored
from suite.render import chart_data, figures, pages

COMMAND = Command("render", __doc__, {
    DONE: "done, but for charts where matplotlib is missing, and with a dash and a warning for each figure inside prose\n"
    "that the results lack; with --check: every file agrees with its data",
    FAILED: "a broken result file, missing markers, an unknown figure; with --check: a file differs",
    UNWRITTEN: "a file could not be written",
}, unfinished="")
complain = COMMAND.complain


def main():
    """Render everything, then write or compare it; returns the exit code."""
    options = parse_arguments()
    devices = stored.load_devices(options.root / "results")
    scalings = stored.load_scalings(options.root / "results")
    others = references.load_references(options.root / "results" / "reference")
    quality = verdicts.load_stored(options.root / "results")
    texts = render_pages(options.root, devices, scalings, others, quality)
    charts = find_charts(options.root, devices, scalings, others)
    changed = [path for path, text in texts.items() if text != current_text(path)]
    stale = [path for path, chart in charts.items() if not chart_data.is_current(current_text(path), chart)]
    if options.check:
        return check(changed + stale)
    return write(changed, texts) or redraw(stale, charts)


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


def render_pages(root, devices, scalings, references, quality):
    """Every generated page's path and text."""
    readme, story = root / "README.md", root / "kernels" / "pi" / "README.md"
    with_results = pages.with_results(readme, files.read_text(readme), devices, quality)
    texts = {
        root / "results" / "README.md": pages.page(devices, scalings, references, quality),
        readme: filled_in(readme, with_results, devices, quality),
    }
    if story.exists():
        texts[story] = filled_in(story, files.read_text(story), devices, quality)
    return texts


def filled_in(path, text, devices, quality):
    """The text with its verdicts, candidates and figures."""
    with_tables = pages.with_candidates(path, pages.with_verdicts(path, text, devices, quality), devices, quality)
    return figures.with_figures(path, with_tables, devices, quality, warn=lambda text: complain(0, text))


def find_charts(root, devices, scalings, references):
    """What each chart shows, by its path."""
    charts = {
        root / "results" / slug / name: chart
        for slug, device in devices.items()
        for name, chart in chart_data.charts_of(device, references).items()
    }
    return charts | {
        root / "results" / slug / "scaling.svg": chart_data.scaling(scaling) for slug, scaling in scalings.items()
    }


def current_text(path):
    """What is in the file now; None if there is no such file."""
    return files.read_text(path) if path.exists() else None


def check(changed):
    for path in changed:
        complain(FAILED, f"{path} differs from its data: run scripts/render")
    return FAILED if changed else DONE


def write(changed, texts):
    for path in changed:
        try:
            files.write_text(path, texts[path])
        except OSError as error:
            raise Stop(UNWRITTEN, f"{path} could not be written: {error.strerror or error}") from None
        print(f"wrote {path}", flush=True)
    return 0


def redraw(stale, charts):
    """Draw the charts that do not show their data."""
    if not stale:
        return 0
    try:
        drawn = chart_data.draw([charts[path] for path in stale])
    except chart_data.DrawingError as error:
        return complain(0, f"not drawn: {', '.join(map(str, stale))}: {error}")
    return write(stale, dict(zip(stale, drawn)))
