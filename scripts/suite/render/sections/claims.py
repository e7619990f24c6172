"""What others say of their ratios, and the same ratios here: of a reference table whose rows name a figure of ours.

Our figure is the last column. If columns have an "of", ours stands beside each of them: the figure that "here" names with
that in the place of {of}.
"""

from suite import markdown
from suite.markdown import NONE, escaped
from suite.render import figures, reference_tables

HEADING = "What the source found, and what is found here"


def section(device, site):
    return [
        part
        for reference in site.references
        if any("here" in row for row in reference["rows"])
        for part in parts(reference, device, site)
    ]


def parts(reference, device, site):
    """The table with our figures, its note and its source."""
    ladders = {name: own.get(device.slug) for name, own in site.others.items()}
    titles, of_row = zip(*columns_of(reference, device, ladders))
    rows = [[cell(row) for cell in of_row] for row in reference["rows"]]
    table = markdown.folded("The figures", markdown.figures(titles, rows))
    return [table, reference.get("note", ""), reference_tables.source_line(reference["source"])]


def columns_of(reference, device, ladders):
    """Title, and cell of a row, of each column."""
    found, name = [], escaped(device.name)
    for column in reference["columns"]:
        found.append(
            (column["title"], lambda row, column=column: reference_tables.figure(row.get(column["key"]), column))
        )
        if "of" in column:
            found.append((name, lambda row, of=column["of"]: here(row, device, ladders, of)))
    if not any("of" in column for column in reference["columns"]):
        found.append((name, lambda row: here(row, device, ladders)))
    return found


def here(row, device, ladders, of=""):
    """Our figure; a dash where it was not measured."""
    try:
        return figures.figure(row["here"].replace("{of}", of), device, ladders=ladders) if "here" in row else NONE
    except (figures.Missing, figures.Unknown):
        return NONE
