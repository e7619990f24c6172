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

import re
import statistics

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
    if "__" in expression:  # what leads out of the names below
        raise Unknown("not a path")
    try:
        value = eval(expression, {"__builtins__": {}}, Names(device, quality, ladders or {}, ladder))
    except (SyntaxError, ValueError, TypeError, AttributeError):
        raise Unknown("not a path") from None
    except ZeroDivisionError:
        raise Missing("a division by 0") from None
    return written(value_of(value), form)


# What Python's eval works on


class Names(dict):
    """The first names of paths. A version that the ladder of the text cannot have is one of the main ladder."""

    def __init__(self, device, quality, ladders, ladder):
        super().__init__(median=median, ranges=ranges)
        self.device, self.quality, self.ladders, self.ladder = device, quality, ladders, ladder

    def __missing__(self, name):
        if name in self.ladders:
            return Space(lambda inner: named(inner, self.ladders[name], self.quality))
        main = next(iter(self.ladders.values()), None)
        is_own = (self.ladder and self.ladder.has(name)) or knows(self.device, name) or not knows(main, name)
        return named(name, self.device if is_own else main, self.quality)


class Space:
    """A namespace whose names are looked up when they are asked for."""

    def __init__(self, look_up):
        self._look_up = look_up

    def __getattr__(self, name):
        return self._look_up(name)


class Place:
    """A value in a row, beside those at the same place of all rows. One that is the name of a step has the fields of its run."""

    def __init__(self, value, alike, device=None):
        self._value, self._alike, self._device = value, alike, device

    def __getattr__(self, field):
        value = value_of(self)
        if isinstance(value, str):
            return getattr(named(value, self._device), field)
        alike = [other[field] for other in self._alike if has(other, field)]
        if has(value, field):
            return Place(value[field], alike, self._device)
        raise Missing("the stored data has none") if alike else Unknown(f"no row has the field {field}")

    __getitem__ = __getattr__

    def __mul__(self, other):
        return number_of(self) * number_of(other)

    def __truediv__(self, other):
        return number_of(self) / number_of(other)

    def __rtruediv__(self, other):
        return other / number_of(self)

    __rmul__ = __mul__


def has(value, field):
    return (
        field in value
        if isinstance(value, dict)
        else isinstance(value, list) and isinstance(field, int) and field < len(value)
    )


def value_of(found):
    value = found._value if isinstance(found, Place) else found
    if value is None:
        raise Missing("the stored data has none")
    return value


def number_of(found):
    value = value_of(found)
    number = value.get("median") if isinstance(value, dict) else value
    if not isinstance(number, int | float):
        raise Unknown("not a number")
    return number


def list_of(found):
    value = value_of(found)
    if not isinstance(value, list) or not all(isinstance(item, int | float) for item in value):
        raise Unknown("not a list of numbers")
    return value


def median(found):
    """The median of a list of times, or that which is left of one."""
    if has(value_of(found), "median"):
        return number_of(found)
    values = list_of(found)
    if not values:
        raise Missing("the stored list is empty")
    return statistics.median(values)


def ranges(found):
    return verdicts.ranges(list_of(found)) or "none"


# Rows by name


def named(name, device, quality=None):
    """What a first name leads to on a device."""
    match name:
        case "steps":
            return Place(steps_of(of_device(device, "result")), [])
        case "limits":
            return Space(lambda limit: row(by_name(of_device(device, "limits")["limits"], "name"), limit).gbps)
        case "calls":
            return Space(lambda version: row(called(of_device(device, name)), version))
        case "peers":
            return Space(lambda package: row(peer_rows(of_device(device, name)), package))
        case "quality":
            return Space(lambda generator: row(generators(quality, generator), generator))
    if naming.is_version(name):
        return Space(lambda field: of_version(name, field, device))
    raise Unknown(f"{name} names no row")


def of_version(version, field, device):
    """A field of a version's run, or its row in another document."""
    kind = field if field in OF_VERSIONS else "ablations" if naming.is_ablation({"version": version}) else "result"
    document = of_device(device, kind)
    if not knows(device, version) and not any(version in ladder.cpu for ladder in ladders.every_ladder()):
        raise Unknown(f"{version} is in no result")
    if field in OF_VERSIONS:
        return row(OF_VERSIONS[field](document), version, device)
    return getattr(row(by_name(document["runs"]), version, device), field)


def row(rows, name, device=None):
    """The row of a name."""
    if name not in rows:
        raise Missing(f"{name} was not measured")
    if records.has_failed(rows[name]):
        raise Missing(f"{name} failed")
    if "missing" in rows[name]:
        raise Missing("")
    return Place(rows[name], rows.values(), device)


def of_device(device, kind):
    """A document of the device."""
    document = getattr(device, kind, None)
    if document is None:
        raise Missing("")
    return document


def knows(device, version):
    """Whether a document of a device has a version."""
    documents = device.documents if device else []
    lists = [rows for document in documents for rows in document.values() if isinstance(rows, list)]
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
    times = lambda solver: {
        "ms_to_1pct": peers.ms_to_error(solver),
        "ms_to_tolerance": peers.ms_to_tolerance(solver),
        "last": solver["points"][-1],
    }
    return by_name(row | times(row) if peers.is_solver(row) else row for row in peers.packages(document))


def merit_rows(document):
    """The rows, each with its times by the decimals of their standard deviation."""
    return by_name(
        row | {"time": {merit.decimals_of(time): time for time in row.get("times", [])}}
        for row in merit.rows(document, ladders.ladder_named(document["suite"]))
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


def generators(quality, name):
    """The generators, each with its row of the tests on the GPU; name must be one of them."""
    if quality is None:
        raise Missing("")
    rows = by_name((row | own_tests(row, quality) for row in quality["rows"]), "source")
    if name not in rows:
        raise Unknown(f"the battery has no generator {name}")
    return rows


def own_tests(row, quality):
    """The row of the tests on the GPU, and up to how many bytes no fault was found."""
    size = verdicts.tested_bytes(row, quality)
    return {"gpu": verdicts.gpu_row(row, quality), "tested": size and numerals.bytes_text(size)}


OF_VERSIONS = {
    "profile": sampling_kernels,
    "merit": merit_rows,
    "peers": lambda document: by_name(peers.versions(document)),
}


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
        found = devices.get(slug), quality, others, ladder
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
