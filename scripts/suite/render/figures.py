"""Figures in prose: what stands between <!--=PATH--> and <!--/--> is looked up in the results.

A file names their device before them: <!-- figures:nvidia-h200 -->. It holds until another is named. A path names a row, then a
field of it:

  v8.registers                       a run in pi.json or pi-ablations.json; also v3_volatile, cpu_openmp
  v8.after.registers                 a field that names a step leads to the run of that step
  v8.profile.pipes.alu               the longest kernel of v8 that draws samples, in pi-profile.json
  v12.profile.setup.dram_bytes       the kernel of v12 that sets up its generators
  v8.profile.stalls[0].reason        an element of a list
  v8.merit.time[6]                   time to a standard deviation of 10⁻⁶, in pi-merit.json
  peers.cupy.per_ns                  a package in pi-peers.json; v8.peers is the run of v8 beside the packages
  peers.eigen_cg_lap2d.ms_to_1pct    a solver in mcls-peers.json: time to an error of 1 %; ms_to_tolerance, last.iterations
  quality.lcg.dispersion.iters       a generator in quality.json; quality.lcg.gpu is its row of the tests on the GPU,
                                     quality.mrg.tested what the longest run of PractRand read of its words;
                                     v14.tested.part what part that is of the words of v14's run

  steps.count                        how many steps the result has; steps.last is the last one
  limits.pcie_up_pinned              a rate in limits.json
  calls.k2.overtakes.cpu_openmp      samples from which calls of k2 take less time than the CPU's; calls.k2.rows[0].call_ms
  arrays.a8.per_ns                   the same of another ladder; without its name, of the ladder that the file tells, or pi

docs/schema.md lists the fields. Paths and numbers combine by * and /: v8.per_ns/v7.per_ns, 100*v8.occupancy. There
a rate counts as its median. Two functions take a list of numbers: median(v12.phases_ms.seed) is its median, and
ranges(quality.lcg.linear.linear_bits) writes it as ranges.

A colon and a format of Python may follow: v8.profile.issue_pct:.0f. An exponent is written as a power of ten. Without
a format, a number has three digits, and a rate has no decimals after its third digit.

A dash stands for a figure whose file or package is missing. A dash and a warning stand for a figure of a version that
failed or was not measured. A path that leads nowhere is an error.
"""

import ast
import re
import statistics
from typing import NamedTuple

from suite import ladders, markdown, naming, numerals
from suite.analyse import calls, merit, peers, verdicts
from suite.documents import profile, records
from suite.documents.schema import ResultError
from suite.render import cells
from suite.render.sections import merit as merit_section

FIGURE = re.compile(r"<!--=([^\n]*?)-->([^\n]*?)<!--/-->")
OPENING, CLOSING = re.compile(r"<!--=([^\n]*?)(?:-->|$)", re.MULTILINE), "<!--/-->"
DEVICE = re.compile(r"<!-- figures:([a-z0-9-]+) -->")
HTML_LINE = re.compile(r"^[ >]*(?:[-*+] +|\d+[.)] +)?<!--=([^\n]*?)-->", re.MULTILINE)

NO_FIELD = LookupError, TypeError


class Sources(NamedTuple):
    """Where figures are looked up."""

    device: object  # the documents of the text's ladder on its device
    quality: dict | None
    ladders: dict  # those of every ladder on the device, by the ladder's name
    ladder: object = None  # of the text, if it has one


class Unknown(Exception):
    """No result can have this figure. The message says why."""


class Missing(Exception):
    """These results lack this figure. The message says why, "" where a file or a package was not there."""


def figure(text, device, quality=None, ladders=None, ladder=None):
    """The figure that a text names, in the documents of a device and of the battery; either may be None.

    ladders has the documents of every ladder on the device, by the ladder's name, the main one first. ladder is that of
    the text.
    """
    expression, _, form = text.partition(":")
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError):
        raise Unknown("not a path") from None
    return written(evaluated(tree, Sources(device, quality, ladders or {}, ladder)), form)


# Values


def median(values):
    if not values:
        raise Missing("the stored list is empty")
    return statistics.median(values)


def ranges(numbers):
    return verdicts.ranges(numbers) or "none"


FUNCTIONS = {"median": median, "ranges": ranges}


def evaluated(tree, found):
    match tree:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as sign, right=right):
            left, right = (number_of(evaluated(side, found)) for side in (left, right))
            if isinstance(sign, ast.Mult):
                return left * right
            if right == 0:
                raise Missing("a division by 0")
            return left / right
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](list_of(evaluated(argument, found)))
    return value_at(path_of(tree), found)


def number_of(value):
    number = value.get("median") if isinstance(value, dict) else value
    if not isinstance(number, int | float):
        raise Unknown("not a number")
    return number


def list_of(value):
    if not isinstance(value, list) or not all(isinstance(item, int | float) for item in value):
        raise Unknown("not a list of numbers")
    return value


def path_of(tree):
    """The names and indices of a path, in order."""
    match tree:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=base, attr=name):
            return [*path_of(base), name]
        case ast.Subscript(value=base, slice=ast.Constant(value=int() as index)):
            return [*path_of(base), index]
    raise Unknown("not a path")


def value_at(path, found):
    """The value that a path leads to."""
    path, found = of_ladder(path, found)
    rows, name, fields = table_of(path, found)
    if name not in rows:
        raise Missing(f"{name} was not measured")
    if records.has_failed(rows[name]):
        raise Missing(f"{name} failed")
    if "missing" in rows[name]:
        raise Missing("")
    try:
        value, rest = descend(rows[name], fields)
    except NO_FIELD:
        if not any(leads_somewhere(row, fields) for row in rows.values()):
            raise Unknown(f"no row has the field {'.'.join(map(str, fields))}") from None
        value = None
    if value is None:
        raise Missing("the stored data has none")
    return value_at([value, *rest], found) if rest else value


def descend(value, fields):
    """The value at the fields of a row, and the fields left where it is null or the name of another row.

    Raises one of NO_FIELD.
    """
    for number, field in enumerate(fields):
        if value is None or isinstance(value, str):
            return value, fields[number:]
        value = value[field]
    return value, []


def leads_somewhere(row, fields):
    try:
        descend(row, fields)
    except NO_FIELD:
        return False
    return True


# Rows by name


def table_of(path, found):
    """The rows, by name, among which the first names of a path choose; the name of the row, and its fields."""
    match path:
        case ["steps", _]:
            return {"steps": steps_of(of_device(found.device, "result"))}, "steps", path[1:]
        case ["limits", name]:
            return by_name(of_device(found.device, "limits")["limits"], "name"), name, ["gbps"]
        case ["calls", name, _, *_]:
            return called(of_device(found.device, "calls")), name, path[2:]
        case ["quality", name, _, *_]:
            rows = generators(found.quality)
            if name not in rows:
                raise Unknown(f"the battery has no generator {name}")
            return rows, name, path[2:]
        case ["peers", name, _, *_]:
            return peer_rows(of_device(found.device, "peers")), name, path[2:]
        case [version, "profile" | "merit" | "peers" as kind, _, *_]:
            rows = OF_VERSIONS[kind](of_device(found.device, kind))
            check_version(version, found.device)
            return rows, version, path[2:]
        case [version, _, *_] if naming.is_version(version):
            rows = by_name(of_device(found.device, "ablations" if naming.is_ablation({"version": version}) else "result")["runs"])
            check_version(version, found.device)
            return rows, version, path[1:]
    raise Unknown("a path has the name of a row and a field")


def of_ladder(path, found):
    """The path without the name of a ladder, and the documents of that ladder.

    A version that the ladder of the text cannot have is one of the main ladder.
    """
    first = path[0]
    if first in found.ladders and len(path) > 1:
        return path[1:], found._replace(device=found.ladders[first])
    if found.ladder and found.ladder.has(first):
        return path, found
    main = next(iter(found.ladders.values()), None)
    if not knows(found.device, first) and knows(main, first):
        return path, found._replace(device=main)
    return path, found


def of_device(device, kind):
    """A document of the device."""
    document = getattr(device, kind, None)
    if document is None:
        raise Missing("")
    return document


def check_version(version, device):
    """Refuse a misspelt version: one that no document of the device has, and that is no program for the CPU."""
    if not knows(device, version) and not any(version in ladder.cpu for ladder in ladders.every_ladder()):
        raise Unknown(f"{version} is in no result")


def knows(device, version):
    """Whether a document of a device has a version."""
    lists = [rows for document in device.documents for rows in document.values() if isinstance(rows, list)] if device else []
    return any(row.get("version") == version for rows in lists for row in rows)


def steps_of(result):
    """How many steps a result has, and which is the last."""
    steps = cells.steps_of(result["runs"])
    return {"count": len(steps), "last": steps[-1]["version"]}


def by_name(rows, name="version"):
    return {row[name]: row for row in rows}


def sampling_kernels(document):
    """The longest kernel of each version that draws samples, with the one that sets up its generators, if there is one."""
    set_up = by_name(row for row in document["kernels"] if row.get("samples", 0) is None)
    failed = [row for row in document["kernels"] if records.has_failed(row)]
    versions = dict.fromkeys(row["version"] for row in profile.kernels_of(document))
    mains = filter(None, (profile.main_kernel(document, version) for version in versions))
    limited = [row | {"limit": profile.limit_of(row)} for row in mains]
    return by_name(row | {"setup": set_up.get(row["version"])} for row in failed + limited)


def peer_rows(document):
    """The peers; a solver with its times to an error of 1 % and to its tolerance."""
    rows = [row | solver_times(row) if peers.is_solver(row) else row for row in peers.packages(document)]
    return by_name(rows)


def solver_times(solver):
    return {"ms_to_1pct": peers.ms_to_error(solver), "ms_to_tolerance": peers.ms_to_tolerance(solver), "last": solver["points"][-1]}


def merit_rows(document):
    """The rows, each with its times by the decimals of their standard deviation."""
    return by_name(
        row | {"time": {merit.decimals_of(time): time for time in row.get("times", [])}} for row in merit.rows(document, ladders.ladder_named(document["suite"]))
    )


def called(document):
    """The programs whose calls were timed: their rows, and from how many samples they overtake each CPU program."""
    found = calls.curves(document)
    starts = calls.crossings(found)
    return {
        version: {
            "version": version,
            "rows": rows,
            "overtakes": {base: start and start["samples"] for base, start in starts.get(version, {}).items()},
        }
        for version, rows in found.items()
    }


def generators(quality):
    """The generators, each with its row of the tests on the GPU."""
    if quality is None:
        raise Missing("")
    return by_name((row | own_tests(row, quality) for row in quality["rows"]), "source")


def own_tests(row, quality):
    """The row of the tests on the GPU, and up to how many bytes no fault was found."""
    size = verdicts.tested_bytes(row, quality)
    return {"gpu": verdicts.gpu_row(row, quality), "tested": size and numerals.bytes_text(size)}


OF_VERSIONS = {"profile": sampling_kernels, "merit": merit_rows, "peers": lambda document: by_name(peers.versions(document))}


# Texts


def written(value, form):
    """The text of a value in a format, or by its kind."""
    if form:
        return formatted(number_of(value), form)
    match value:
        case str():
            return value.replace("_", " ")
        case int():
            return f"{value:,}"
        case float():
            return numerals.three_digits(value)
        case {"median": _, "low": _, "high": _}:
            return numerals.median_text(value)
        case {"ratio": _, "sd": _}:
            return merit_section.ratio_text(value)
        case {"target": _, "how": _}:
            return merit_section.time_text(value)
    raise Unknown("a record or list, and not a figure")


def formatted(number, form):
    try:
        text = f"{number:{form}}"
    except ValueError:
        raise Unknown(f"no format for a number: {form}") from None
    return numerals.with_power(text)


# In a text


def with_figures(path, text, devices, quality=None, warn=lambda text: None, ladders=None, ladder=None):
    """The text of the file at path, with each of its figures looked up anew; warn is told once of each missing one.

    devices are those of the text's ladder, by slug, and ladders has those of every ladder by its name.
    """
    keys = OPENING.findall(text)
    if len(keys) != len(FIGURE.findall(text)) or len(keys) != text.count(CLOSING):
        raise ResultError(f"{path}: a '<!--=path-->' or '<!--/-->' lacks its other half on the same line")
    if broken := HTML_LINE.search(text):
        raise ResultError(f"{path}: {broken[1]} begins a line, and Markdown would take the whole line for HTML")

    def of_device(slug, part):
        others = {name: own.get(slug) for name, own in (ladders or {}).items()}
        found = Sources(devices.get(slug), quality, others, ladder)
        texts = {key: looked_up(path, key, found, warn) for key in dict.fromkeys(OPENING.findall(part))}
        return FIGURE.sub(lambda match: f"<!--={match[1]}-->{texts[match[1]]}<!--/-->", part)

    return by_device(path, text, OPENING, of_device)


def by_device(path, text, needing, fill):
    """The text whose parts, each of one device, are filled by fill(slug, part); before the first device nothing may be what needs one."""
    first, *rest = DEVICE.split(text)
    if needing.search(first):
        raise ResultError(f"{path}: '<!-- figures:<device> -->' must come before the first figure")
    parts = (f"<!-- figures:{slug} -->{fill(slug, part)}" for slug, part in zip(rest[::2], rest[1::2]))
    return first + "".join(parts)


def looked_up(path, key, found, warn):
    try:
        return figure(key, *found)
    except Missing as error:
        if str(error):
            warn(f"{path}: {key} is a dash: {error}")
        return markdown.NONE
    except Unknown as error:
        raise ResultError(f"{path}: {key}: {error}") from None
