"""What quality/long_runs left in a folder: a text for each test of BigCrush, and for each run of PractRand.

The first line of a text is `run = ` and a JSON object: the run, BigCrush's test, the hash of the words, commit and date. What
the reader of the words printed follows. A text of PractRand may be unfinished: its last report counts.
"""

import json

from batteries.runs import printed
from suite.analyse import batteries
from suite.documents.schema import ResultError

HEAD = "run = "
OF_RUN = ("words_sha256", "commit", "date")


def records_in(folder):
    """A record for each text with a result, in the order of their names. Raises ResultError if the folder has none."""
    paths = [path for path in sorted(folder.iterdir()) if path.is_file()] if folder.is_dir() else []
    records = [record for path in paths if (record := record_of(path))]
    if not records:
        raise ResultError(f"{folder} has no result of quality/long_runs")
    return records


def record_of(path):
    """The record of a text; None without a p-value, or of a test of BigCrush that was stopped."""
    head, _, text = path.read_text(errors="replace").partition("\n")
    if not head.startswith(HEAD):
        return None
    try:
        about = json.loads(head.removeprefix(HEAD))
        run = batteries.Run(*(about[name] for name in ("battery", "source", "form", "streams", "seed")))
        facts = printed(run.battery, about["test"], text)
        record = run._asdict() | {name: about[name] for name in OF_RUN} | facts
    except (ValueError, KeyError, TypeError):
        raise ResultError(f"{path}: its first line describes no run") from None
    stopped = run.battery == batteries.BIG_CRUSH and not facts["bytes"]  # the number of words is the last thing printed
    return record if facts["count"] and not stopped else None
