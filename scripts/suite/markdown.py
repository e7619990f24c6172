"""Tables and text in Markdown."""

import re

from suite.command import one_line

NONE = "–"
LEFT, RIGHT = ":---", "---:"

# Emphasis with underscores needs one that ends a word; the names of functions begin with them. A bracket is a link only
# before another.
_MARKUP = re.compile(r"[\\`*<|~$]|\](?=[(\[:])|_(?!\w)|&(?=#?\w+;)")


def table(titles, alignments, rows):
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [titles, alignments, *rows])


def figures(titles, rows):
    """A table whose first column is text and the others are figures."""
    return table(titles, [LEFT] + [RIGHT] * (len(titles) - 1), rows)


def folded(title, *parts):
    """Parts of a page that a reader opens by their title."""
    return "\n\n".join([f"<details><summary>{title}</summary>", *parts, "</details>"])


def unfolded(text):
    """The same text, open."""
    return re.sub(
        "<details><summary>(.*?)</summary>|</details>", lambda found: f"**{found[1]}**" if found[1] else "", text
    )


def escaped(value):
    """Text from a machine or a file, such as the name of a device: on one line, and no character of it is markup."""
    return _MARKUP.sub(r"\\\g<0>", one_line(value))


def cell(markup):
    """Markdown of the suite's own tables, in a cell."""
    return one_line(markup).replace("|", r"\|")


def code(value):
    """Text from a machine or a file as code."""
    return f"`{cell(value).replace('`', chr(39))}`"


def shown(value, form):
    return NONE if value is None else form.format(value)
