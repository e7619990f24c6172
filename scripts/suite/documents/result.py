"""Results, pi.json and ablations.json: the runs of programs.

A program prints such a document with one run; bench merges those of all
programs into one; render turns that one into tables.
"""

import json
import re
from decimal import Decimal

from suite import student
from suite.documents import checks, files
from suite.documents.checks import ABSENT, COUNT, FLAG, LIST, NUMBER, RECORD, TEXT, present
from suite.ladders import pi

MAX_SIGMA = 5  # of known standard deviations, that a verdict passes
FEWEST_DEPENDENT = 16  # blocks or launches that give an error estimate where samples within one depend on each other

SCHEMA = 2
_RUN_FIELDS = {
    "version": TEXT, "title": TEXT, "technique": TEXT, "sound": FLAG, "soundness": TEXT, "threads": COUNT,
    "work": COUNT, "launches": COUNT, "kernel_ms": LIST, "phases_ms": RECORD, "per_ns": RECORD, "outcome": RECORD,
    "registers": COUNT + ABSENT, "occupancy": NUMBER + ABSENT, "warnings": LIST,
}
_EXTRA_RUN_FIELDS = {
    "after": TEXT + ABSENT, "effective_per_ns": NUMBER + ABSENT, "power_w": NUMBER + ABSENT,
    "per_joule": NUMBER + ABSENT, "team": RECORD + ABSENT, "resumed_from": COUNT + ABSENT,
}
_OUTCOME_FIELDS = {
    "expected": RECORD, "hits": COUNT, "samples": COUNT, "pi": NUMBER, "pi_sd": NUMBER + ABSENT, "bias": NUMBER,
    "sigma": NUMBER + ABSENT, "independent": TEXT, "variance_ratio": RECORD + ABSENT, "trace": LIST + ABSENT,
}


# Reading


def load(path):
    """The result at path, checked to be of single devices."""
    return files.load(path, check)


def parse(text, origin):
    """The result that a program printed; origin names it in errors."""
    return files.parse(text, origin, check)


def check(document):
    """Refuse what is no result of single GPUs or CPUs, a row a version."""
    check_team(document)
    checks.check_unique(document["runs"])
    for run in document["runs"]:
        if run.get("team") is not None:
            raise checks.ResultError(f"{run['version']} was run by a team: its rate is not that of one device")


def check_team(document):
    """Refuse what is no result; runs may be those of several GPUs."""
    checks.check_head(document, "runs", SCHEMA)
    checks.check_fields(document, {"unit": TEXT}, "the document")
    if not document["runs"]:
        raise checks.ResultError("holds no runs")
    for run in document["runs"]:
        _check_run(run)


def _check_run(run):
    if type(run) is not dict or type(run.get("version")) is not str:
        raise checks.ResultError("a run has no version")
    version = run["version"]
    if not pi.is_version(version):
        raise checks.ResultError(f"a run has the unknown kind of version {json.dumps(version)}")
    if checks.has_failed(run):
        checks.check_failed(run)
        checks.check_fields(run, {"exit": COUNT} | present(_EXTRA_RUN_FIELDS, run), version)
        return
    if run.get("resumed_from") is not None and run.get("per_ns", run) is None:
        raise checks.ResultError(f"{version} has no rate: all of its run had been done when it was resumed")
    checks.check_fields(run, _RUN_FIELDS | present(_EXTRA_RUN_FIELDS, run), version)
    checks.check_interval(run["per_ns"], f"{version}.per_ns")
    if run.get("after") is not None and pi.place(run["after"]) is None:
        raise checks.ResultError(f"{version} builds on {json.dumps(run['after'])}, which is no step")
    if any(type(times) is not list for times in run["phases_ms"].values()):
        raise checks.ResultError(f"{version}.phases_ms has a phase that is not a list of times")
    _check_outcome(run["outcome"], version)


def _check_outcome(outcome, version):
    """Refuse a distance that no verdict passes, and none where there is an error estimate."""
    checks.check_fields(outcome, _OUTCOME_FIELDS, f"{version}.outcome")
    units = (outcome["variance_ratio"] or {}).get("units")
    is_measured = outcome["independent"] == "launches"
    if outcome["sigma"] is None:
        if not (is_measured and units is None):
            raise checks.ResultError(f"{version} has no sigma")
    elif student.is_beyond(outcome["sigma"], MAX_SIGMA, units - 1 if is_measured and units else None):
        raise checks.ResultError(f"{version} has sigma {outcome['sigma']:g}, more than a verdict passes")


# Merging


def failed_run(version, error, exit_code):
    """A document for a program that gave none: one row with its error."""
    row = checks.failed_row(version, error) | {"exit": exit_code}
    return {**checks.head(None, SCHEMA), "unit": pi.UNIT, "runs": [row]}


def failures(document):
    """The versions of a document that failed."""
    return [run["version"] for run in document["runs"] if checks.has_failed(run)]


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
    return first | {field: _agreed(field, first[field], second[field], version) for field in checks.SHARED_CONTEXT}


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


def positive(value):
    """The value if it is a number that a measurement can give, otherwise None."""
    is_number = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
    return value if is_number and 1e-30 < value < 1e30 else None


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
