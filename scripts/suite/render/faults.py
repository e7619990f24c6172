"""The table of planted faults in docs/method.md, between <!-- faults --> and <!-- /faults -->."""

import re

from suite import markdown
from suite.documents import faults
from suite.documents.schema import ResultError
from suite.markdown import LEFT, RIGHT, escaped
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
    kinds = {}
    for row in rows:
        kinds.setdefault(row["fault"], []).append(row)
    cells = [[kind, *counts(own)] for kind, own in kinds.items()] + [["**all**", *counts(rows)]]
    parts = [
        markdown.table(["Fault", "Planted", "Runs", "Caught", "Missed"], [LEFT] + [RIGHT] * 4, cells),
        f"On {escaped(document['context']['device']['name'])}, {commit_text(document['context'])}.",
        *(f"- missed: {escaped(row['name'])}: {markdown.code(row['command'])}" for row in faults.missed(rows)),
        *not_run(rows),
    ]
    return "\n\n".join(parts)


def counts(rows):
    """How many faults there are, runs that had to find one, and how many of these did and did not."""
    ran = [row for row in rows if row["caught"] is not None]
    missed = len(faults.missed(rows))
    return [str(number) for number in (len({row["name"] for row in rows}), len(ran), len(ran) - missed, missed)]


def not_run(rows):
    """A line about the runs that could not be made, if any."""
    reasons = sorted({row["said"] for row in rows if row["caught"] is None})
    number = sum(row["caught"] is None for row in rows)
    return [f"Not run: {number} ({'; '.join(reasons)})."] if number else []
