"""The index of results/: which pages there are, and what each of them has."""

import re
from typing import NamedTuple

from suite import markdown
from suite.markdown import LEFT
from suite.render import sources

ABOUT = """Every table and chart shows the data of a JSON file beside it, which has every single time, the machine and the
commit. [docs/schema.md](../docs/schema.md) describes these files, and [docs/method.md](../docs/method.md) how they are
measured."""

NOTHING = "No result yet: run `make bench-all`."


class Page(NamedTuple):
    """A page that the index lists."""

    subject: str  # a device, or all of them
    title: str
    path: str  # from results/
    text: str


def text(pages):
    """The text of results/README.md."""
    rows = [[page.subject, f"[{page.title}]({page.path})", contents(page)] for page in pages]
    table = markdown.table(["Device", "Page", "Contents"], [LEFT] * 3, rows)
    return sources.page("Results", sources.filled(ABOUT), table if rows else NOTHING)


def contents(page):
    """Links to the sections of a page."""
    headings = re.findall(r"^## (.*)$", page.text, re.MULTILINE)
    return " · ".join(f"[{heading}]({page.path}#{anchor(heading)})" for heading in headings)


def anchor(heading):
    """The fragment that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
