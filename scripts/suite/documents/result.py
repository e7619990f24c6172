"""Results, <ladder>.json and <ladder>-ablations.json: the runs of programs.

A program prints such a document with one run; bench merges those of all
programs into one; render turns that one into tables.
"""

import json
import re

from suite import student
from suite.documents import checks, means, solution
from suite.documents.accepted import MAX_SIGMA
from suite.documents.checks import (
    ABOVE_0, COUNT, FLAG, INTERVAL, LIST, NUMBER, RECORD, TEXT, Each, Value, Maybe, Ruled,
    filled, one_of, or_failed, positive,
)  # fmt: skip
from suite.documents.document import SHARED_CONTEXT, Document
from suite import naming


def is_point(value):
    """Whether it is [samples, hits]."""
    return type(value) is list and [type(count) for count in value] == [int, int] and 0 <= value[1] <= value[0] > 0


def _no_rate(run):
    if run["per_ns"] is None and not run.get("call"):
        return "has no rate" + (": all of its run had been done when it was resumed" if run.get("resumed_from") else "")


def _work_of_other_timings(run):
    work = run.get("work_of_timings")
    if work is not None and len(work) != len(run["kernel_ms"]):
        return f"has {len(run['kernel_ms'])} kernel_ms, but {len(work)} work_of_timings"


def _sigma_of_no_verdict(run):
    """A distance that no verdict passes, and none where there is an error estimate."""
    outcome = run["outcome"]
    sigma, units = outcome["sigma"], (outcome["variance_ratio"] or {}).get("units")
    is_measured = outcome["independent"] == "launches"
    if sigma is None:
        return None if is_measured and units is None else "has no sigma"
    if student.is_beyond(sigma, MAX_SIGMA, units - 1 if is_measured and units else None):
        return f"has sigma {sigma:g}, more than a verdict passes"


def _team(document):
    for run in document["runs"]:
        if run.get("team") is not None:
            return f"{run['version']} was run by a team: its rate is not that of one device"

VERSION = Value("the name of a version", naming.is_version)
STEP = Value("a step", lambda value: type(value) is str and naming.place(value) is not None)
POINT = Value("[samples, hits]", is_point)
INDEPENDENT = one_of("samples", "blocks", "launches")
SPREAD = {"ratio": NUMBER, "sd": NUMBER, "units?": COUNT, "known?": Maybe(NUMBER)}
HITS = {
    "expected": {"count": COUNT, "total": NUMBER}, "hits": COUNT, "samples": COUNT, "pi": NUMBER,
    "pi_sd": Maybe(NUMBER), "bias": NUMBER, "sigma": Maybe(NUMBER), "independent": INDEPENDENT,
    "variance_ratio": Maybe(SPREAD), "trace": Maybe([POINT]),
}  # fmt: skip
RUN = {
    "version": VERSION, "after?": Maybe(STEP), "title": TEXT, "technique": TEXT, "generator": TEXT, "sound": FLAG,
    "soundness": TEXT, "blocks": Maybe(COUNT), "threads": COUNT, "iters": COUNT, "work": ABOVE_0,
    "work_of_timings?": Maybe([ABOVE_0]), "problem?": Maybe(RECORD),
    "launches": COUNT, "batch": COUNT, "kernel_ms": [ABOVE_0], "phases_ms": Each([NUMBER]), "per_ns": Maybe(INTERVAL),
    "effective_per_ns?": Maybe(ABOVE_0), "outcome": RECORD, "registers": Maybe(COUNT), "occupancy": Maybe(NUMBER),
    "sm_clock_mhz?": Maybe(ABOVE_0), "power_w?": Maybe(NUMBER), "per_joule?": Maybe(ABOVE_0), "team?": Maybe(RECORD),
    "rehearsed_blocks?": Maybe(COUNT),
    "resumed_from?": Maybe(COUNT), "warnings": LIST, "clock?": one_of("gpu", "wall"), "call?": FLAG,
    "host_memory?": Maybe(one_of("pinned", "pageable")), "bytes?": Maybe(dict.fromkeys(("pcie_up", "pcie_down", "dram"), NUMBER)),
}  # fmt: skip
FAILED = checks.FAILED | {"version": VERSION, "exit": COUNT, "after?": Maybe(STEP)}

# What ladders estimate: the fields of a run that has such an outcome, and the rules for it.
OUTCOMES = {
    "hits": ({"outcome": HITS}, (_sigma_of_no_verdict,)),
    "means": ({"outcome": means.TABLE}, means.RULES),
    "solution": ({"outcome": solution.TABLE, "problem": solution.PROBLEM}, solution.RULES),
}


def _of_ladder(ladder):
    fields, rules = OUTCOMES[ladder.outcome]
    run = Ruled(RUN | fields, (_no_rate, _work_of_other_timings, *rules))
    return {"row": or_failed(run, FAILED), "fields": {"unit": one_of(ladder.unit), "runs": filled(LIST)}}

# Runs of one GPU or several, and of single devices.
OF_TEAMS = Document("runs", or_failed(RUN, FAILED), schema=2, by_ladder=_of_ladder)
DOCUMENT = OF_TEAMS._replace(rules=(_team,))


# Merging


def failed_run(ladder, version, error, exit_code):
    """A document for a program of a ladder that gave none: one row with its error."""
    row = checks.failed_row(version, error) | {"exit": exit_code}
    return DOCUMENT.of(ladder).made(None, [row], unit=ladder.unit)


def merge(first, second):
    """The runs of both documents under the context that both share.

    A version is kept once, first come: on a machine with one core the serial
    run and the one on all cores are the same.
    """
    known = {run["version"] for run in first["runs"]}
    added = [run for run in second["runs"] if run["version"] not in known]
    context = _merge_contexts(first["context"], second["context"], second["runs"][0]["version"])
    return first | {"context": context, "runs": first["runs"] + added}


def _merge_contexts(first, second, version):
    if first is None or second is None:
        return first or second
    return first | {field: _agreed(field, first[field], second[field], version) for field in SHARED_CONTEXT}


def _agreed(field, first, second, version):
    """The value both have; null, which CPU programs give for the GPU's facts, gives way to a value."""
    if first is None or second is None:
        return second if first is None else first
    if first != second:
        field, first, second = _difference(field, first, second)
        raise checks.ResultError(
            f"mixed contexts: {field} is {json.dumps(first)} in the runs before {version}, {json.dumps(second)} in it"
        )
    return first


def _difference(field, first, second):
    """Narrow a difference between two records down to the first of their fields that differs."""
    if type(first) is not dict or type(second) is not dict:
        return field, first, second
    name = next(name for name in first | second if first.get(name) != second.get(name))
    return f"{field}.{name}", first.get(name), second.get(name)


def device_slug(name):
    """The folder name of a device: lower case, one dash for anything else."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


# Rates


def per_clock_of(run, device):
    """Samples per clock and SM of a run; None where the clock, the SMs or the rate are not known."""
    return samples_per_clock(
        positive(run["per_ns"]["median"]),
        positive(run.get("sm_clock_mhz")),
        positive(device["multiprocessors"]) if device else None,
    )


def samples_per_clock(rate, clock_mhz, multiprocessors):
    """Samples/ns over clock and SMs; None where one of them is."""
    if not (rate and clock_mhz and multiprocessors):
        return None
    return float(rate) * 1e3 / (float(clock_mhz) * float(multiprocessors))
