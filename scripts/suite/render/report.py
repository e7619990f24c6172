"""Write one HTML file with every page and chart of results/: this machine's beside the stored ones.

The pages are those that scripts/render writes. The file holds all that it shows and asks the network for nothing. A
device picker chooses whose pages show; a click on the title of a column sorts a table. Results that git does not
have are taken for this machine's: they come first, compared with the stored result of the same device, or else with
that of an H200.
"""

import base64
import hashlib
import html
import os
import posixpath
import string
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

from suite import numerals
from suite.analyse import compare
from suite.analyse.compare_report import markdown_report
from suite.analyse.comparison import compare_sides
from suite.command import DONE, FAILED, REPOSITORY, UNWRITTEN, Command, Stop, write_file
from suite.documents import files, records, stored
from suite.documents.schema import ResultError
from suite.markdown import escaped, unfolded
from suite.render import drawing, index, render, sources
from suite.render import site as sites
from suite.render.index import Page

try:
    from markdown_it import MarkdownIt
except ModuleNotFoundError:
    MarkdownIt = None

NO_MARKDOWN_IT = "markdown-it-py is missing: apt-get install python3-markdown-it, or pip install markdown-it-py"
TEMPLATE, SCRIPT = (Path(__file__).with_name(f"report.{suffix}") for suffix in ("html", "js"))

YOURS = "Results that git does not have are taken for those of your machine, and come first: {names}."
NONE_YOURS = "There are no results of your own, only the stored ones. To measure your machine, run `make bench-all`."
NOT_KNOWN = "Without git it is not known which results are your own."

FIGURE = '<td style="text-align:right">{}</td>'
TIMINGS = """<h2>Every timing, in order</h2>
<p>From the first timing on the left to the last, between the fastest and the slowest of a row. Spread: how much longer that takes.</p>
<table><thead><tr><th>Step</th><th>In order</th><th style="text-align:right">Timings</th><th style="text-align:right">Spread</th></tr></thead><tbody>
{rows}
</tbody></table>
"""

ABOUT_CHANGES = "A is the stored result, B that of your machine."

COMMAND = Command("report", __doc__, {
    DONE: "done; a chart that cannot be drawn is left out, with a warning",
    FAILED: "a broken result file, or markdown-it-py is missing",
    UNWRITTEN: "the file could not be written",
})  # fmt: skip


def main():
    """Write the report; returns the exit code."""
    options = parse_arguments()
    if MarkdownIt is None:
        raise Stop(FAILED, NO_MARKDOWN_IT)
    text = report(options.root)
    write_file(options.out, text)
    print(f"wrote {options.out} ({len(text.encode()) / 1e6:.1f} MB)", flush=True)
    return DONE


def parse_arguments():
    """The options; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    here = Path(os.path.relpath(REPOSITORY))
    parser.add_argument(
        "--root", type=Path, default=here, metavar="DIR", help="the folder with results/ (default: this repository)"
    )
    parser.add_argument(
        "--out", type=Path, default=here / "build" / "report.html", metavar="FILE", help="default: %(default)s"
    )
    options = parser.parse_args()
    if not (options.root / "results").is_dir():
        parser.error(f"--root {options.root}: it has no folder results/")
    return options


def report(root):
    """The text of the report on the results of a folder."""
    found = list(sites.load(root / "results").values())
    committed = committed_results(root)
    own = {} if committed is None else own_results(found, committed)
    changed = [page for slug, ladders in own.items() for page in changes_pages(root, slug, ladders, committed)]
    groups = grouped(changed + render.every_page(root, found), own)
    return filled_template(groups, own, status(groups, own, committed), drawings(root, found))


# Whose results


def committed_results(root):
    """The files of results/ that are as git has them, and those that it has otherwise, as True and False; None without git."""
    listed = names_from_git(root, "ls-tree", "-r", "--name-only", "HEAD", "results/")
    changed = names_from_git(root, "diff", "--name-only", "--relative", "HEAD", "--", "results/")
    return None if listed is None or changed is None else {name: name not in changed for name in listed}


def names_from_git(root, command, *options):
    try:
        process = subprocess.run(
            ["git", "-C", root, command, "-z", *options], stdin=subprocess.DEVNULL, capture_output=True
        )
    except OSError:
        return None
    return set(filter(None, os.fsdecode(process.stdout).split("\0"))) if process.returncode == 0 else None


def own_results(found, committed):
    """The ladders of each device, by its folder, whose result is not as git has it."""
    pairs = [(slug, site.ladder) for site in found for slug in site.devices]
    return records.grouped((slug, ladder) for slug, ladder in pairs if not committed.get(result_path(slug, ladder)))


def result_path(slug, ladder):
    return f"results/{slug}/{ladder.suite}.json"


def status(groups, own, committed):
    """Whose results these are, in a line."""
    if committed is None:
        return NOT_KNOWN
    names = [pages[0].subject for slug, pages in groups.items() if slug in own]
    return YOURS.format(names=", ".join(names)) if names else NONE_YOURS


# What changed


def changes_pages(root, slug, ladders, committed):
    """A page that compares a device's results with the stored ones; none if there is nothing to compare with."""
    name = escaped(stored.load_device(root / "results" / slug, ladders[0]).name)
    parts = [part for ladder in ladders for part in changes(root, slug, ladder, committed)]
    text = sources.page(f"What changed on {name}", ABOUT_CHANGES, *parts)
    return [Page(name, "What changed", f"{slug}/changes.md", text)] if parts else []


def changes(root, slug, ladder, committed):
    """The comparison of a ladder's result, under its heading; none if nothing is stored."""
    own = result_path(slug, ladder)
    bases = [path for path in (own, result_path(stored.BASE, ladder)) if path in committed]
    if not bases:
        return []
    try:
        a, b = compare.load(f"HEAD:./{bases[0]}", root), compare.load(str(root / own))._replace(origin=own)
        text = markdown_report(a, b, compare_sides(a, b))
    except ResultError as error:  # the stored one may be of an older version of the suite
        text = f"Not compared: {escaped(error)}."
    return [f"## The ladder {ladder.suite}", text]


# Into one file


def grouped(pages, own):
    """The pages of each device, and those of all devices, by an identifier; own devices first."""
    groups = records.grouped((posixpath.dirname(page.path) or index.anchor(page.subject), page) for page in pages)
    return dict(sorted(groups.items(), key=lambda group: group[0] not in own))


def drawings(root, found):
    """The text of every chart, by its path from results/; one that does not show its data is drawn for the report alone."""
    charts = render.find_charts(root, found)
    texts = {path: render.current_text(path) for path in charts}
    stale = [path for path, chart in charts.items() if not drawing.is_current(texts[path], chart)]
    known = {path: text for path, text in texts.items() if path not in stale} | render.draw(
        stale, charts, COMMAND.complain
    )
    return {path.relative_to(root / "results").as_posix(): text for path, text in known.items()}


def filled_template(groups, own, status, drawings):
    """The HTML of the report. The browser runs its script by the hash, and no other."""
    paths = {page.path for pages in groups.values() for page in pages}
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.options["html"] = False
    script = files.read_text(SCRIPT)
    return string.Template(files.read_text(TEMPLATE)).substitute(
        hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        script=script,
        status=markdown.renderInline(status),
        options="\n".join(option(slug, pages[0].subject, slug in own, markdown) for slug, pages in groups.items()),
        groups="\n".join(group(slug, pages, paths, drawings, markdown) for slug, pages in groups.items())
        or markdown.render(index.NOTHING),
    )


def option(slug, subject, is_own, markdown):
    name = ("Your machine: " if is_own else "") + markdown.renderInline(subject)
    return f'<option value="{html.escape(slug)}">{name}</option>'


def group(slug, pages, paths, drawings, markdown):
    """The pages of a device, with links to each."""
    links = " · ".join(f'<a href="#{html.escape(page.path)}">{html.escape(page.title)}</a>' for page in pages)
    articles = [
        f'<article id="{html.escape(page.path)}">\n{body(page, paths, drawings, markdown)}{timings(page.runs)}</article>'
        for page in pages
    ]
    return "\n".join([f'<div class="group" id="{html.escape(slug)}">', f"<nav>{links}</nav>", *articles, "</div>"])


def body(page, paths, drawings, markdown):
    """The HTML of a page, whose links and charts lead out of the file nowhere but into the web."""
    tokens = markdown.parse(unfolded(page.text.removeprefix(sources.HEAD)))
    for token, content in zip(tokens, tokens[1:]):
        if token.type == "heading_open":
            token.attrSet("id", f"{page.path}/{index.anchor(content.content)}")
        if content.children:
            content.children = list(kept(content.children, page, paths, drawings))
    return markdown.renderer.render(tokens, markdown.options, {})


def kept(tokens, page, paths, drawings):
    """The parts of a line, without links to files that are not in the report; a chart that is not there is its text."""
    address = None
    for token in tokens:
        if token.type == "link_open":
            address = address_of(unquote(token.attrGet("href")), page, paths)
            token.attrSet("href", address)
        if token.type == "image":
            yield from shown(token, drawings.get(resolved(token.attrGet("src"), page)))
        elif address or token.type not in ("link_open", "link_close"):
            yield token


def address_of(link, page, paths):
    """Where a link of a page leads within the report, or into the web; None if neither."""
    if urlsplit(link).scheme:
        return link
    path, _, fragment = link.partition("#")
    path = resolved(path, page) if path else page.path
    return "#" + "/".join(filter(None, [path, fragment])) if path in paths else None


def resolved(path, page):
    """The path from results/ to what a page names by its own."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))


def shown(image, drawing):
    """An image with its drawing in it, or what it shows in words."""
    if drawing is None:
        return image.children
    image.attrSet("src", f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}")
    return [image]


# Every timing


def timings(runs):
    """A table with a line through the timings of each run; nothing without any."""
    rows = [
        f"<tr><td>{html.escape(run['version'])}</td><td>{sparkline(times)}</td>{FIGURE.format(f'{len(times):,}')}"
        f"{FIGURE.format(f'{numerals.percent_text(100 * (max(times) / min(times) - 1))} %')}</tr>"
        for run in records.succeeded(runs)
        if len(times := run["kernel_ms"]) > 1
    ]
    return TIMINGS.format(rows="\n".join(rows)) if rows else ""


def sparkline(times):
    """A line from left to right, one point a timing, from the fastest at the bottom to the slowest at the top."""
    low, span = min(times), max(times) - min(times) or 1
    step = 180 / (len(times) - 1)
    points = " ".join(f"{step * place:.1f},{23 - 22 * (time - low) / span:.1f}" for place, time in enumerate(times))
    return f'<svg width="180" height="24" role="img" aria-label="timings"><polyline points="{points}"/></svg>'
