"""The same estimate as others would write it, peers.json."""

from suite.documents import checks, files

SCHEMA = 2


def load(path):
    return files.load(path, check)


def check(document):
    """Refuse what is no record of peers."""
    checks.check_head(document, "peers", SCHEMA)
    checks.check_fields(document, {"runs": (list,)}, "the document")
    for run in document["runs"]:
        checks.check_fields(run, {"version": (str,), "title": (str,)}, "a run")
        check_rate(run, run["version"])
    for peer in document["peers"]:
        checks.check_fields(peer, {"peer": (str,)}, "a peer")
        if "missing" not in peer and "error" not in peer:
            checks.check_fields(peer, {"package": (str,)}, peer["peer"])
            check_rate(peer, peer["peer"])
    checks.check_unique(document["runs"])
    checks.check_unique(document["peers"], "peer")


def check_rate(row, name):
    """Refuse a row without its generator or its rate."""
    checks.check_fields(row, {"generator": (str,), "per_ns": (dict,)}, name)
    checks.check_interval(row["per_ns"], f"{name}.per_ns")
