"""A ladder's result as CSV, for spreadsheets: what programs write with --csv, a line for each version."""

import csv
import io

NOT_OF_RUNS = ("suite", "unit", "commit", "date", "device")


def text(document):
    """The text of results/<device>/<ladder>.csv."""
    rows = [common(document) | dict(single_values(run)) for run in document["runs"]]
    names = dict.fromkeys(name for row in rows for name, value in row.items() if value is not None or name in NOT_OF_RUNS)
    out = io.StringIO()
    writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: shown(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def common(document):
    context = document["context"]
    values = (document["suite"], document["unit"], context["commit"], context["date"], context["device"]["name"])
    return dict(zip(NOT_OF_RUNS, values))


def single_values(part, path=""):
    """Every value of a run that is no list, with the path to it."""
    for name, value in part.items():
        if isinstance(value, dict):
            yield from single_values(value, f"{path}{name}.")
        elif not isinstance(value, list):
            yield path + name, value


def shown(value):
    return str(value).lower() if isinstance(value, bool) else value
