"""Result files of the pi suite: read, check, merge, format and write them.

A result file is one JSON document: schema, suite, the context that its runs
share, and the runs. A program prints such a document with one run; bench
merges those of all programs into one; render turns that one into tables. What
else is kept with a result (a profile, a sweep) has the same head: schema,
suite and context.
"""

import json
import math
import os
import re
import secrets
import stat
from pathlib import Path

import student

SCHEMA = 1
SUITE = "pi"
MAX_SIGMA = 5  # of known standard deviations, that a verdict passes
FEWEST_DEPENDENT = 16  # blocks or launches that give an error estimate where samples within one depend on each other

_TEXT = (str,)
_FLAG = (bool,)
_COUNT = (int,)
_NUMBER = (int, float)
_RECORD = (dict,)
_LIST = (list,)
_ABSENT = (type(None),)

_CONTEXT_FIELDS = {
    "date": _TEXT, "commit": _TEXT + _ABSENT, "dirty": _FLAG + _ABSENT,
    "device": _RECORD + _ABSENT, "host": _RECORD, "driver": _TEXT + _ABSENT,
    "runtime": _TEXT + _ABSENT, "compiler": _TEXT, "flags": _TEXT,
}
_DEVICE_FIELDS = {"name": _TEXT, "multiprocessors": _COUNT, "max_clock_mhz": _NUMBER + _ABSENT}
_HOST_FIELDS = {"cpu": _TEXT, "cores": _COUNT, "os": _TEXT}
_RUN_FIELDS = {
    "version": _TEXT, "title": _TEXT, "technique": _TEXT, "sound": _FLAG, "threads": _COUNT,
    "launches": _COUNT, "samples_per_ns": _RECORD, "sigma": _NUMBER + _ABSENT,
    "registers": _COUNT + _ABSENT, "occupancy": _NUMBER + _ABSENT, "warnings": _LIST,
}
# Checked where they are; a table has a dash for those that are absent or null.
_EXTRA_CONTEXT_FIELDS = {"idle_power_w": _NUMBER + _ABSENT}
_EXTRA_RUN_FIELDS = {
    "setup_ms": _NUMBER + _ABSENT, "power_w": _NUMBER + _ABSENT, "samples_per_joule": _NUMBER + _ABSENT,
    "after": _TEXT + _ABSENT, "soundness": _TEXT, "independent": _TEXT, "variance_ratio": _RECORD + _ABSENT,
    "effective_samples_per_ns": _NUMBER + _ABSENT, "team": _RECORD + _ABSENT, "resumed_from": _COUNT + _ABSENT,
}
_RATE_FIELDS = {"median": _NUMBER, "low": _NUMBER, "high": _NUMBER}
_FAILED_FIELDS = {"version": _TEXT, "error": _TEXT}

SHARED_CONTEXT = ("commit", "dirty", "host", "compiler", "flags", "device", "driver", "runtime")
_STEP = re.compile(r"v([1-9]\d*)(t?)")
_VERSION = re.compile(r"cpu_\w+|v[1-9]\d*t?(_\w+)?")


class ResultError(Exception):
    """Something is wrong with a result; the message is one line for the user."""


# Reading


def load(path, check=None):
    """Read the file at path and check it: as a result of single devices, or as check does."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ResultError(f"{path}: not JSON: not even text") from None
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None
    return parse(text, path, check)


def parse(text, origin, check=None):
    """Turn text into a checked document; origin names it in errors."""
    document = parse_json(text, origin)
    try:
        (check or check_result)(document)
    except ResultError as error:
        raise ResultError(f"{origin}: {error}") from None
    return document


def parse_json(text, origin, parse_float=None):
    """Turn text into the object it holds, or say in one line why it holds none."""
    try:
        document = json.loads(text, parse_float=parse_float or _finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise ResultError(f"{origin}: {_syntax_fault(text, error)}") from None
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{origin}: not JSON that a result can hold: {error}") from None
    if not isinstance(document, dict):
        raise ResultError(f"{origin}: not a JSON object")
    return document


def _finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a number")
    return value


def _syntax_fault(text, error):
    body = text.strip()
    if not body:
        return "empty"
    at = f"line {error.lineno}, column {error.colno}"
    reached_end = error.pos >= len(text.rstrip())
    if body.startswith("{") and (reached_end or not body.endswith("}")):
        return f"cut short: the JSON breaks off ({at})"
    return f"not JSON: {error.msg} ({at})"


def check_result(document):
    """Refuse what is no result of single GPUs or CPUs, a row a version."""
    check_team_result(document)
    check_unique(document["runs"])
    for run in document["runs"]:
        if run.get("team") is not None:
            raise ResultError(f"{run['version']} was run by a team: its rate is not that of one device")


def check_team_result(document):
    """Refuse what is no result; runs may be those of several GPUs."""
    check_head(document, "runs")
    if not document["runs"]:
        raise ResultError("holds no runs")
    for run in document["runs"]:
        _check_run(run)


def check_unique(rows, *names):
    """Refuse two rows that have the same version, or the same values of these fields."""
    seen = set()
    for row in rows:
        what = tuple(row.get(name) for name in names or ("version",))
        if what in seen:
            raise ResultError(f"{', '.join(map(str, what))} occurs more than once")
        seen.add(what)


def check_head(document, rows):
    """Check what every stored document begins with, and that there is a list under the name rows."""
    if document.get("suite") != SUITE:
        raise ResultError(f"not a result of the suite '{SUITE}'")
    _check_schema(document.get("schema"))
    check_fields(document, {"context": _RECORD, rows: _LIST}, "the document")
    _check_context(document["context"])


def _check_schema(schema):
    if type(schema) is not int or schema < 1:
        raise ResultError("has no valid schema number")
    if schema > SCHEMA:
        raise ResultError(f"written by a newer version of the suite (schema {schema}, known here: {SCHEMA})")


def _check_context(context):
    check_fields(context, _CONTEXT_FIELDS, "context")
    check_fields(context["host"], _HOST_FIELDS, "context.host")
    if context["device"] is not None:
        check_fields(context["device"], _DEVICE_FIELDS, "context.device")
    check_fields(context, _present(_EXTRA_CONTEXT_FIELDS, context), "context")


def _check_run(run):
    if type(run) is not dict or type(run.get("version")) is not str:
        raise ResultError("a run has no version")
    version = run["version"]
    if not is_version(version):
        raise ResultError(f"a run has the unknown kind of version {json.dumps(version)}")
    if has_failed(run):
        check_failed(run)
        check_fields(run, {"exit": _COUNT} | _present(_EXTRA_RUN_FIELDS, run), version)
        return
    if run.get("resumed_from") is not None and run.get("samples_per_ns", run) is None:
        raise ResultError(f"{version} has no rate: all of its run had been done when it was resumed")
    check_fields(run, _RUN_FIELDS | _present(_EXTRA_RUN_FIELDS, run), version)
    check_interval(run["samples_per_ns"], f"{version}.samples_per_ns")
    if run.get("after") is not None and place(run["after"]) is None:
        raise ResultError(f"{version} builds on {json.dumps(run['after'])}, which is no step")
    _check_sigma(run)


def _check_sigma(run):
    """Refuse a distance that no verdict passes, and none where there is an error estimate."""
    units = (run.get("variance_ratio") or {}).get("units")
    is_measured = run.get("independent") == "launches"
    if run["sigma"] is None:
        if not (is_measured and units is None):
            raise ResultError(f"{run['version']} has no sigma")
    elif student.is_beyond(run["sigma"], MAX_SIGMA, units - 1 if is_measured and units else None):
        raise ResultError(f"{run['version']} has sigma {run['sigma']:g}, more than a verdict passes")


def has_failed(row):
    """Whether a row says why there is no result, and not what was measured."""
    return "error" in row


def check_failed(row):
    """Check the row of a version that failed."""
    check_fields(row, _FAILED_FIELDS, row.get("version", "a row"))


def _present(fields, record):
    return {name: kinds for name, kinds in fields.items() if name in record}


def check_interval(record, where):
    """Check a median with its interval."""
    check_fields(record, _RATE_FIELDS, where)
    if not 0 < record["low"] <= record["median"] <= record["high"]:
        raise ResultError(f"{where} is not 0 < low <= median <= high")


def check_fields(record, fields, where):
    """Check that a record has these fields, each of one of these kinds."""
    if type(record) is not dict:
        raise ResultError(f"{where} is not an object")
    for name, kinds in fields.items():
        if name not in record:
            raise ResultError(f"{where} lacks '{name}'")
        if type(record[name]) not in kinds:
            raise ResultError(f"{where} has an unexpected kind of value in '{name}'")


# What runs are


def is_version(name):
    """Whether this is what a version may be called."""
    return isinstance(name, str) and _VERSION.fullmatch(name) is not None


def is_step(run):
    """Whether a run is a step of the ladder: v7, but not cpu_serial, and not the ablation v7_volatile."""
    return place(run["version"]) is not None


def place(version):
    """Where a step stands in the ladder, v16t between v16 and v17; None for what is no step."""
    match = _STEP.fullmatch(version)
    return (int(match[1]), match[2]) if match else None


def order(version):
    """Where a version stands among all: CPU rows first, then steps by number, each before its ablations."""
    step, _, ablation = version.partition("_")
    return place(step) or (0, ""), ablation if place(step) else ""


def is_cpu(run):
    return run["version"].startswith("cpu_")


def is_ablation(run):
    return not is_step(run) and not is_cpu(run)


# Merging


def failed_run(version, error, exit_code):
    """A document for a program that gave none: one row with its error."""
    row = failed_row(version, error) | {"exit": exit_code}
    return {"schema": SCHEMA, "suite": SUITE, "context": None, "runs": [row]}


def failed_row(version, error):
    """The row of a version that failed, in any document."""
    return {"version": version, "error": str(error)}


def failures(document):
    """The versions of a document that failed."""
    return [run["version"] for run in document["runs"] if has_failed(run)]


def succeeded(rows):
    """The rows of what did not fail."""
    return [row for row in rows if not has_failed(row)]


def merge(first, second):
    """The runs of both documents under the context that both share.

    A version is kept once, first come: on a machine with one core the serial
    run and the one on all cores are the same.
    """
    known = {run["version"] for run in first["runs"]}
    added = [run for run in second["runs"] if run["version"] not in known]
    context = _merge_contexts(first["context"], second["context"], second["runs"][0]["version"])
    return {"schema": SCHEMA, "suite": SUITE, "context": context, "runs": first["runs"] + added}


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
        raise ResultError(
            f"mixed contexts: {field} is {json.dumps(first)} in the runs before {version}, {json.dumps(second)} in it"
        )
    return first


def _difference(field, first, second):
    """Narrow a difference between two records down to the first of their fields that differs."""
    if type(first) is not dict or type(second) is not dict:
        return field, first, second
    name = next(name for name in first | second if first.get(name) != second.get(name))
    return f"{field}.{name}", first.get(name), second.get(name)


# Formatting


def device_slug(name):
    """The folder name of a device: lower case, one dash for anything else."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def rate_text(rate):
    """A rate with its interval, such as '1206.3 [1205.9, 1206.8]'."""
    decimals = _decimals(rate)
    median, low, high = (f"{rate[name]:.{decimals}f}" for name in ("median", "low", "high"))
    return f"{median} [{low}, {high}]"


def median_text(rate):
    """The median of a rate, with the digits that its interval supports."""
    return f"{rate['median']:.{_decimals(rate)}f}"


def _decimals(rate):
    """Decimals down to the first digit of the interval's half width, within 3 to 5 significant digits."""
    half_width = (rate["high"] - rate["low"]) / 2
    digits = 5
    if half_width > 0:
        digits = magnitude(rate["median"]) - magnitude(half_width) + 1
    return max(0, min(max(digits, 3), 5) - 1 - magnitude(rate["median"]))


def magnitude(value):
    """The power of ten of a positive number's first digit: 3 for 1206.3."""
    return math.floor(math.log10(value))


def to_text(document):
    """The document as JSON, a field a line, but a list of numbers on one line."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    # A line break inside brackets is layout: within a JSON string it would be escaped.
    return re.sub(r'\[\n([^][{}"]*)\n\s*\]', lambda match: f"[{' '.join(match[1].split())}]", text) + "\n"


def to_compact_text(document):
    """The same, but records without lists and records in them on one line, too."""
    return re.sub(r"\{\n[^][{}]*\}", lambda match: re.sub(r"\n\s*", " ", match[0]), to_text(document))


# Writing


def write_text(path, text):
    """Replace the file at path by text in one step, or leave it as it was.

    Symbolic links are followed. What exists and is no regular file, such as
    /dev/null or a pipe, is written straight into. Raises OSError.
    """
    data = text.encode("utf-8", errors="replace")
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            file.write(data)
    else:
        _replace_file(os.path.realpath(path), data, mode)


def _mode_of(path):
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _replace_file(target, data, mode):
    folder, name = os.path.split(target)
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(6)}.tmp")
    # Not tempfile: its files are private, these are to have the permissions of any new file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
