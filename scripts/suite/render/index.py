"""The index of results/: the fastest rate of each ladder on each device, and which pages have what."""

import re
from typing import NamedTuple

from suite import markdown
from suite.ladder import Ladder
from suite.markdown import LEFT, NONE
from suite.render import cells, sources

ABOUT = """The rate of each ladder's fastest step on each device, with the name of that step. A rate leads to the page with every
step, and "side by side" to all devices of a ladder, those of others among them. The step is the fastest that was
measured there with independent samples and [sound random numbers](../docs/method.md#when-a-generator-is-called-sound). A dash:
not measured there."""

DATA = """Each page is made from JSON files beside it, which hold the times, the machine and the commit.
[docs/schema.md](../docs/schema.md) describes these files, and [docs/method.md](../docs/method.md) how they are measured."""

WHERE = "Where several devices have a section, the link leads to the first of them."

EVERY_DEVICE = "All devices"
NOTHING = "No result yet: run `make bench-all`."


class Page(NamedTuple):
    """A page that the index lists."""

    subject: str  # a device, or all of them
    title: str
    path: str  # from results/
    text: str  # "" of a device that is a column of the page at this path
    ladder: Ladder | None = None  # None of a page that belongs to no ladder
    headline: str = NONE  # its figure in the index
    runs: tuple = ()  # whose timings the report shows


def text(pages, parts=()):
    """The text of results/README.md, with these parts."""
    of_ladders = [page for page in pages if page.ladder]
    shown = matrix(of_ladders)
    note = [cells.NONE_SOUND_NOTE] if cells.NONE_SOUND in shown else []
    first = [sources.filled(ABOUT), shown, *note] if of_ladders else [NOTHING]
    sections = more(of_ladders, [page for page in pages if not page.ladder])
    return sources.page(
        "Results",
        *first,
        *parts,
        sources.filled(DATA),
        *(["## Which page has what", WHERE, sections] if sections else []),
    )


def matrix(pages):
    """A row for each ladder, a column for each device: the headline of the page, which leads there."""
    subjects = sorted(dict.fromkeys(page.subject for page in pages), key=EVERY_DEVICE.__eq__)
    found = {(page.ladder, page.subject): f"[{page.headline}]({page.path})" for page in pages}
    rows = [
        [f"{ladder.suite} ({ladder.unit}s/ns)", *(found.get((ladder, subject), NONE) for subject in subjects)]
        for ladder in dict.fromkeys(page.ladder for page in pages)
    ]
    return markdown.figures(["Ladder", *subjects], rows)


def more(of_ladders, common):
    """Where each section stands: by its heading, the ladders whose pages have it, each by its first page; "" without any."""
    found = {}
    for page in of_ladders:
        for heading in headings(page)[1:]:  # the matrix leads to the first
            found.setdefault(heading, {}).setdefault(page.ladder.suite, link(page, page.ladder.suite, heading))
    rows = [[heading, " · ".join(links.values())] for heading, links in found.items()]
    rows += [
        [f"[{page.title}]({page.path})", " · ".join(link(page, heading, heading) for heading in headings(page))]
        for page in common
    ]
    return markdown.table(["Section", "Pages"], [LEFT] * 2, rows) if rows else ""


def headings(page):
    return re.findall(r"^## (.*)$", page.text, re.MULTILINE)


def link(page, text, heading):
    return f"[{text}]({page.path}#{anchor(heading)})"


def anchor(heading):
    """The fragment that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
