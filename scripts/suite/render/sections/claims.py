"""What others say of their ratios, and the same ratios here: of a reference table whose rows name a figure of ours."""

from suite import markdown
from suite.markdown import LEFT, NONE, RIGHT, one_line
from suite.render import figures, reference_tables

HEADING = "What the source found, and what is found here"


def section(device, site):
    return [part for reference in site.references if has_figures(reference) for part in parts(reference, device, site)]


def has_figures(reference):
    return any("here" in row for row in reference["rows"])


def parts(reference, device, site):
    """The table with a column more, its note and its source."""
    ladders = {name: own.get(device.slug) for name, own in site.others.items()}
    columns = reference["columns"]
    rows = [
        [*(reference_tables.figure(row.get(column["key"]), column) for column in columns), here(row, device, ladders)]
        for row in reference["rows"]
    ]
    titles = [*(column["title"] for column in columns), one_line(device.name)]
    table = markdown.table(titles, [LEFT, *[RIGHT] * len(columns)], rows)
    return [table, reference.get("note", ""), reference_tables.source_line(reference["source"])]


def here(row, device, ladders):
    """Our figure; a dash where it was not measured."""
    try:
        return figures.figure(row["here"], device, ladders=ladders) if "here" in row else NONE
    except (figures.Missing, figures.Unknown):
        return NONE
