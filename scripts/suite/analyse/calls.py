"""Times of whole calls against samples, from the runs of a study, and where GPU programs overtake the CPU."""

from suite import naming
from suite.analyse.crossings import overtaking
from suite.documents import records


def curves(document):
    """The rows of each version, by samples: the time of a call, of its phases, and of the launch alone."""
    found = {}
    runs = records.succeeded(document["runs"]) if document else []
    alone = {(run["version"], run["work"]): run["kernel_ms"]["median"] for run in runs if not run["call"]}
    for run in runs:
        if run["call"]:
            phases = {name: ms["median"] for name, ms in run.get("phases_ms", {}).items()}
            row = {"samples": run["work"], "call_ms": run["kernel_ms"], "phases_ms": phases}
            found.setdefault(run["version"], []).append(row | {"kernel_ms": alone.get((run["version"], run["work"]))})
    return {version: sorted(rows, key=lambda row: row["samples"]) for version, rows in found.items()}


def crossings(found):
    """Where the calls of each GPU program overtake those of each CPU program."""
    points = {version: points_of(rows) for version, rows in found.items()}
    bases = [version for version in found if naming.is_cpu({"version": version})]
    return {
        version: {base: overtaking(points[version], points[base]) for base in bases} for version in found if version not in bases
    }


def points_of(rows):
    """Points (samples, median in ms) of a curve."""
    return [[row["samples"], row["call_ms"]["median"]] for row in rows]
