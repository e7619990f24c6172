"""The tables of docs/schema.md, between <!-- schema:<definition> --> and <!-- /schema -->: the fields that results/schema.json describes.

A field without a description shares the row of the one before.
"""

from suite import markdown
from suite.documents import schema
from suite.documents.schema import ResultError
from suite.markdown import LEFT
from suite.render.blocks import with_blocks


def filled(path, text):
    """The text of the file at path with its tables anew."""
    return with_blocks(path, text, "schema", lambda name: table(name, path))


def table(name, path):
    """The table of a definition: fields, their unit if any has one, and what they mean."""
    if name not in schema.definitions():
        raise ResultError(f"{path}: results/schema.json has no definition '{name}'")
    rows = []
    for field, own in schema.definitions()[name]["properties"].items():
        if "description" in own or not rows:
            rows.append([[], own.get("unit", ""), own.get("description", "")])
        rows[-1][0].append(f"`{field}`")
    cells = [[", ".join(fields), unit, meaning] for fields, unit, meaning in rows]
    if any(unit for _, unit, _ in cells):
        return markdown.table(["field", "unit", "meaning"], [LEFT] * 3, cells)
    return markdown.table(["field", "meaning"], [LEFT] * 2, [[fields, meaning] for fields, _, meaning in cells])
