"""The table of planted faults in docs/method.md, between <!-- faults --> and <!-- /faults -->."""

import re

from suite import markdown
from suite.documents import faults, records
from suite.documents.schema import ResultError
from suite.markdown import escaped
from suite.render.sources import commit_text

NOTHING = "No result yet: run `make faults` on a machine with a GPU."


def filled(path, text, document):
    """The text of the file at path with the table. Raises ResultError if the markers are missing."""
    pattern = re.compile(r"^<!-- faults -->\n.*?^<!-- /faults -->$", re.MULTILINE | re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ResultError(f"{path}: not one '<!-- faults -->' with its '<!-- /faults -->'")
    body = table(document) if document else NOTHING
    return pattern.sub(lambda match: f"<!-- faults -->\n{body}\n<!-- /faults -->", text)


def table(document):
    """A row for each kind of fault, their sum, and what was not found."""
    rows = document["faults"]
    kinds = records.grouped((row["fault"], row) for row in rows)
    cells = [[kind, *counts(own)] for kind, own in kinds.items()] + [["**all**", *counts(rows)]]
    parts = [
        markdown.figures(["Fault", "Planted", "Runs", "Caught", "Missed", "By chance"], cells),
        f"On {escaped(document['context']['device']['name'])}, {commit_text(document)}.",
        *(f"- missed: {escaped(row['name'])}: {markdown.code(row['command'])}" for row in faults.missed(rows)),
        *not_run(rows),
    ]
    return "\n\n".join(parts)


def counts(rows):
    """How many faults there are, command lines that had to find one, how many of these did and did not, and what came of those
    that find it by chance."""
    ran = [row for row in rows if row["caught"] is not None]
    missed = len(faults.missed(rows))
    return [*map(str, (len({row["name"] for row in rows}), len(ran), len(ran) - missed, missed)), by_chance(ran)]


def by_chance(rows):
    """In how many of the runs a fault was found, of the command lines that were run several times: "31 of 32"."""
    several = [row for row in rows if row.get("runs", 1) > 1]
    return f"{sum(row['found'] or 0 for row in several)} of {sum(row['runs'] for row in several)}" if several else ""


def not_run(rows):
    """A line about the runs that could not be made, if any."""
    reasons = sorted({row["said"] for row in rows if row["caught"] is None})
    number = sum(row["caught"] is None for row in rows)
    return [f"Not run: {number} ({'; '.join(reasons)})."] if number else []
