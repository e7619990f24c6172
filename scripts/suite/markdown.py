"""Tables in Markdown."""

NONE = "–"
LEFT, RIGHT = ":---", "---:"


def table(titles, alignments, rows):
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [titles, alignments, *rows])


def one_line(text):
    """Text for a table cell: one line, with | escaped."""
    return " ".join(str(text).split()).replace("|", "\\|")


def shown(value, form):
    return NONE if value is None else form.format(value)
