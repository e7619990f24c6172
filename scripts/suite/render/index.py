"""The index of results/: which pages there are, and what each of them has."""

import re

from suite import markdown
from suite.markdown import LEFT
from suite.render import sources

ABOUT = """Every table and chart shows the data of a JSON file beside it, which has every single time, the machine and the
commit. [docs/schema.md](../docs/schema.md) describes these files, and [docs/method.md](../docs/method.md) how they are
measured."""

NOTHING = "No result yet: run `make bench-all`."


def page(pages):
    """The text of results/README.md; pages are (subject, title, path from results/, text) of all other pages."""
    rows = [[subject, f"[{title}]({path})", contents(path, text)] for subject, title, path, text in pages]
    table = markdown.table(["Device", "Page", "Contents"], [LEFT] * 3, rows)
    return sources.page("Results", sources.filled(ABOUT), table if rows else NOTHING)


def contents(path, text):
    """Links to the sections of a page."""
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    return " · ".join(f"[{heading}]({path}#{anchor(heading)})" for heading in headings)


def anchor(heading):
    """The fragment that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
