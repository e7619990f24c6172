"""What results/ holds: the files of each device, and the figures of others, read and checked."""

from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import merit_tables
import profile_tables
import results
import scaling_tables
import verdicts


class Device(NamedTuple):
    """The stored documents of a device; None for what was not measured."""

    slug: str
    result: dict
    ablations: dict | None
    profile: dict | None
    sweep: dict | None
    convergence: dict | None
    merit: dict | None
    peers: dict | None

    @property
    def name(self):
        return self.result["context"]["device"]["name"]


def load_devices(folder):
    """Every device that has a result, by the name of its folder."""
    return {path.parent.name: load_device(path.parent) for path in sorted(folder.glob("*/pi.json"))}


def load_device(folder):
    path = folder / "pi.json"
    result = results.load(path)
    if result["context"]["device"] is None:
        raise results.ResultError(f"{path}: not a GPU's result: context.device is null")
    return Device(
        folder.name,
        result,
        load_if_there(folder / "ablations.json", results.load),
        load_if_there(folder / "profile.json", profile_tables.load),
        load_if_there(folder / "sweep.json", load_sweep),
        load_if_there(folder / "convergence.json", load_convergence),
        load_if_there(folder / "merit.json", load_merit),
        load_if_there(folder / "peers.json", load_peers),
    )


class Scaling(NamedTuple):
    """The stored runs on several GPUs of a kind."""

    slug: str
    document: dict

    @property
    def name(self):
        return f"{self.document['gpus']} × {self.document['context']['device']['name']}"


def load_scalings(folder):
    """Every result on several GPUs, by the name of its folder."""
    paths = sorted(folder.glob("*/scaling.json"))
    return {path.parent.name: Scaling(path.parent.name, results.load(path, check_scaling)) for path in paths}


def load_if_there(path, load):
    return load(path) if path.exists() else None


def load_sweep(path):
    return results.load(path, check_sweep)


def check_sweep(document):
    """Refuse what is no sweep."""
    results.check_head(document, "points")
    for point in document["points"]:
        results.check_fields(point, {"version": (str,), "samples": (int,), "ms": (dict,)}, "a point")
        results.check_interval(point["ms"], f"{point['version']} at {point['samples']} samples: ms")
        if point["samples"] < 1:
            raise results.ResultError(f"{point['version']} has a point without samples")
    results.check_unique(document["points"], "version", "samples")


def load_convergence(path):
    return results.load(path, check_convergence)


def check_convergence(document):
    """Refuse what is no record of convergence."""
    results.check_head(document, "curves")
    for curve in checked_failures(document["curves"]):
        fields = {"version": (str,), "title": (str,), "bias": (int, float), "points": (list,)}
        results.check_fields(curve, fields, "a curve")
        for point in curve["points"]:
            if not is_point(point):
                raise results.ResultError(f"{curve['version']} has a point that is not [samples, hits]")
    results.check_unique(document["curves"])


def checked_failures(rows):
    """The rows to check further: those that did not fail, after what is said of those that did."""
    for row in rows:
        results.check_fields(row, {"version": (str,)}, "a row")
        if results.has_failed(row):
            results.check_failed(row)
    return results.succeeded(rows)


def is_point(point):
    """Whether it is [samples, hits]."""
    if type(point) is not list or [type(count) for count in point] != [int, int]:
        return False
    samples, hits = point
    return 0 <= hits <= samples and samples > 0


def load_merit(path):
    return results.load(path, check_merit)


def check_merit(document):
    """Refuse what is no record of the figure of merit."""
    results.check_head(document, "rows")
    number, text = (int, float), (str, type(None))
    fields = {
        "version": (str,), "title": (str,), "soundness": text, "independent": text, "samples_per_ns": (dict,),
        "variance_ratio": (dict, type(None)), "bias": number, "times": (list,), "tried": (list,),
    }  # fmt: skip
    for row in checked_failures(document["rows"]):
        results.check_fields(row, fields, "a row")
        version = row["version"]
        results.check_interval(row["samples_per_ns"], f"{version}.samples_per_ns")
        if merit_tables.is_dependent(row) or row["variance_ratio"]:
            results.check_fields(row["variance_ratio"], {"ratio": number, "sd": number}, f"{version}.variance_ratio")
        for time in row["times"]:
            check_time(time, version)
        for run in row["tried"]:
            check_above_0(run, ("seconds", "pi_sd", "samples_per_launch", "launches"), f"a run of {version}")
    results.check_unique(document["rows"])


def check_time(time, version):
    """Refuse what is no time to a standard deviation."""
    where = f"a time of {version}"
    check_above_0(time, ("target",), where)
    if time.get("how") not in merit_tables.HOWS:
        raise results.ResultError(f"{where} is not one of {', '.join(merit_tables.HOWS)}")
    if time["how"] != merit_tables.NEVER:
        check_above_0(time, ("seconds", "samples"), where)


def check_above_0(record, names, where):
    """Refuse a record in which one of these is no number above 0."""
    results.check_fields(record, dict.fromkeys(names, (int, float)), where)
    for name in names:
        if not record[name] > 0:
            raise results.ResultError(f"{where} has {record[name]} for '{name}'")


def load_peers(path):
    return results.load(path, check_peers)


def check_peers(document):
    """Refuse what is no record of peers."""
    results.check_head(document, "peers")
    results.check_fields(document, {"runs": (list,)}, "the document")
    for run in document["runs"]:
        results.check_fields(run, {"version": (str,), "title": (str,)}, "a run")
        check_rate(run, run["version"])
    for peer in document["peers"]:
        results.check_fields(peer, {"peer": (str,)}, "a peer")
        if "missing" not in peer and "error" not in peer:
            results.check_fields(peer, {"package": (str,)}, peer["peer"])
            check_rate(peer, peer["peer"])
    results.check_unique(document["runs"])
    results.check_unique(document["peers"], "peer")


def check_rate(row, name):
    """Refuse a row without its generator or its rate."""
    results.check_fields(row, {"generator": (str,), "samples_per_ns": (dict,)}, name)
    results.check_interval(row["samples_per_ns"], f"{name}.samples_per_ns")


def check_scaling(document):
    """Refuse what is no record of runs on several GPUs."""
    results.check_head(document, "points")
    results.check_fields(document, {"gpus": (int,), "mpi": (str, type(None))}, "the document")
    if document["context"]["device"] is None:
        raise results.ResultError("not a GPU's result: context.device is null")
    fields = {"version": (str,), "launcher": (str,), "mode": (str,)}
    counts = ("gpus", "launches", "samples", "iters")
    for point in document["points"]:
        results.check_fields(point, fields | dict.fromkeys(counts, (int,)), "a point")
        where = f"{point['version']} on {point['gpus']} GPUs"
        check_above_0(point, (*counts, "efficiency"), where)
        for name in ("run_ms", "kernel_ms"):
            results.check_interval(point.get(name), f"{where}: {name}")
        if point["launcher"] not in scaling_tables.LAUNCHERS or point["mode"] not in scaling_tables.MODES:
            raise results.ResultError(f"{where} has an unknown launcher or mode")
    results.check_unique(document["points"], "version", "launcher", "mode", "gpus", "launches")
    if max((point["gpus"] for point in document["points"]), default=0) != document["gpus"]:
        raise results.ResultError(f"no point is on {document['gpus']} GPUs, or one is on more")


def load_quality(folder):
    """The stored battery with the verdicts that follow from it, None if there is none."""
    return load_if_there(folder / "quality.json", lambda path: verdicts.with_verdicts(verdicts.load(path)))


# Figures of others


def load_references(folder):
    """The tables that come from elsewhere, in the order of their files' names."""
    return [load_reference(path) for path in sorted(folder.glob("*.json"))]


def load_reference(path):
    # Decimal keeps a figure as its source prints it: 0.030 stays 0.030.
    reference = results.parse_json(read_text(path), path, parse_float=Decimal)
    try:
        check_reference(reference)
    except results.ResultError as error:
        raise results.ResultError(f"{path}: not a reference table: {error}") from None
    return reference


def check_reference(reference):
    results.check_fields(reference, {"title": (str,), "source": (dict,), "columns": (list,), "rows": (list,)}, "it")
    results.check_fields(reference, {"note": (str,)} if "note" in reference else {}, "it")
    source = {"author": (str,), "year": (int,), "title": (str,), "url": (str,)}
    results.check_fields(reference["source"], source, "the source")
    for column in reference["columns"]:
        results.check_fields(column, {"key": (str,), "title": (str,)}, "a column")
    for row in reference["rows"]:
        results.check_fields(row, {}, "a row")
        results.check_fields(row, {key: (str, int, Decimal, type(None)) for key in row}, "a row")


def read_text(path):
    """The text of a file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise results.ResultError(f"{path}: not text") from None
    except OSError as error:
        raise results.ResultError(f"{path}: {error.strerror}") from None
