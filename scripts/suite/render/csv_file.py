"""A ladder's result as CSV, for spreadsheets: what programs write with --csv, a line for each version."""

import csv
import io


def text(document):
    """The text of results/<device>/<ladder>.csv."""
    context = document["context"]
    common = {
        "suite": document["suite"], "unit": document["unit"], "commit": context["commit"], "date": context["date"],
        "device": context["device"]["name"],
    }  # fmt: skip
    as_stored = [{name: run[name] for name in run if name != "tested"} for run in document["runs"]]
    runs = [dict(single_values(run)) for run in as_stored]
    filled = (name for run in runs for name, value in run.items() if value is not None)
    out = io.StringIO()
    writer = csv.DictWriter(out, dict.fromkeys([*common, *filled]), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: shown(value) for name, value in (common | run).items()} for run in runs)
    return out.getvalue()


def single_values(part, path=""):
    """Every value of a run that is no list, with the path to it."""
    for name, value in part.items():
        if isinstance(value, dict):
            yield from single_values(value, f"{path}{name}.")
        elif not isinstance(value, list):
            yield path + name, value


def shown(value):
    return str(value).lower() if isinstance(value, bool) else value
