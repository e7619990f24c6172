"""Documents and small sites that tests start from, built from tests/data/.

A stored document there has its rows in short: "like" is what most of them have, and a row only what is its own ("-": not
that field). A list of results that several rows of the battery have stands once, in "lists".
"""

import atexit
import json
import shutil
import tempfile
from pathlib import Path

STORED = Path(__file__).resolve().parents[1] / "data"


def built():
    """A folder with the documents and sites of tests/data/, whole; removed when this process ends."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in ("compare", "evidence", "ladders", "peers", "results"):
        shutil.copytree(STORED / name, folder / name)
    for path in folder.rglob("*.json"):
        document = json.loads(path.read_text())
        if document.keys() & {"like", "lists"}:
            path.write_text(whole_text(document))
    return folder


def whole_text(document):
    """The text of a document that is stored in short."""
    like, lists = (document.pop(name, None) for name in ("like", "lists"))
    rows = next(name for name in ("runs", "kernels") if name in document)
    document[rows] = [whole(row, like, lists) for row in document[rows]]
    return json.dumps(document, indent=1)


def whole(row, like, lists):
    """A row with what it is like, unless it is of another kind: a failure, or another package."""
    row = row if like is None or row.keys() & {"error", "missing", "package"} else merged(like, row)
    return row | {"results": lists[row["results"]]} if lists else row


def merged(like, own):
    """A record with what is its own, in the order of the one it is like."""
    both = {name: merged(value, own[name]) if isinstance(value, dict) and isinstance(own.get(name), dict) else own.get(name, value)
            for name, value in like.items()}  # fmt: skip
    return {
        name: value
        for name, value in (both | {name: own[name] for name in own if name not in like}).items()
        if value != "-"
    }


GONE = object()


def put(document, path, value):
    """Change what a document has at a path such as "runs/v8/outcome/bias". "+" adds to a list, GONE takes away."""
    *way, last = path.split("/")
    for name in way:
        document = document[place_in(document, name)]
    if last == "+":
        document.append(value)
    elif value is GONE:
        document.pop(place_in(document, last))
    else:
        document[place_in(document, last)] = value


def place_in(part, name):
    """Where a part of a document has what is named so: in a list by number, or the first row of a version or source."""
    if isinstance(part, dict):
        return name
    return (
        int(name)
        if name.isdigit()
        else next(n for n, row in enumerate(part) if name in (row.get("version"), row.get("source")))
    )
