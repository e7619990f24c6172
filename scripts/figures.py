"""Figures inside prose: what stands between <!--=key--> and <!--/--> is looked up in the results.

A file names the device once, <!-- figures:nvidia-h200 -->. Keys:

  v8/v7               ratio of two rates; either may be an ablation or a CPU row: v3_volatile/v3, v8/cpu_openmp
  v8.rate             samples/ns; also v3_volatile.rate, cpu_openmp.rate
  v8.registers        registers of a thread
  v8.occupancy        of the multiprocessor's threads, in %
  v8.setup_ms         ms of the set-up kernel
  v8.power            W
  v8.per_joule        samples per joule, in 10⁹
and from the profile:
  v8.issue v8.alu v8.fma v8.fmaheavy v8.fmalite v8.xu v8.lsu v8.tensor       utilisation in %
  v8.limit v8.limit_name                             the busiest of them, in %, and its name
  v8.stall1 v8.stall1_share  (2, 3)                  warp-stall reasons, the share in %
  v8.compute v8.memory v8.l1 v8.shared               throughput in % of the possible
  v8.achieved_occupancy v8.bytes_per_sector          in %; bytes of the 32 of a sector
  v8.ipc v8.waves v8.lanes v8.duration               instructions per cycle, waves per SM, active lanes, ms
  v8.instructions v8.dram_bytes                      thread instructions per sample; bytes with their unit
  v12.setup.duration …                               the same of the set-up kernel's row

Numbers come without their unit, except for bytes. Where a file of results is
missing they are a dash; where the file is there and lacks the figure, that is an error.
"""

import re
from typing import NamedTuple

import profile_tables
import results
import tables
from ncu import PIPES

FIGURE = re.compile(r"<!--=([^\n]*?)-->([^\n]*?)<!--/-->")
OPENING, CLOSING = re.compile(r"<!--=([^\n]*?)(?:-->|$)", re.MULTILINE), "<!--/-->"
DEVICE = re.compile(r"<!-- figures:([a-z0-9-]+) -->")
HTML_LINE = re.compile(r"^[ >]*(?:[-*+] +|\d+[.)] +)?<!--=([^\n]*?)-->", re.MULTILINE)
RATIO = re.compile(r"(\w+)/(\w+)")
OF_VERSION = re.compile(r"(\w+)\.(setup\.)?(\w+)")


class Unknown(Exception):
    """There is no such figure; the message says why."""


class Source(NamedTuple):
    """Where the figure of a key is, and how it is written."""

    find: object
    text: object


# How figures are written


def whole(value):
    return f"{value:.0f}"


def two_decimals(value):
    return f"{value:.2f}"


def reason(name):
    return name.replace("_", " ")


def data_size(value):
    """Bytes to three digits, in the largest unit that leaves at least one of them."""
    size, unit = next((pair for pair in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")) if value >= pair[0]), (1, "bytes"))
    return f"{value / size:.3g} {unit}"


# Where figures are


def field(name, text, scale=1):
    """A field of a run, or of a kernel in the profile."""
    return Source(lambda row: scaled(row.get(name), scale), text)


def scaled(value, scale):
    return None if value is None else value * scale


def pipe(name):
    return Source(lambda row: row["pipes"][name], tables.percent_text)


def stall(rank, name, text, scale=None):
    def find(row):
        value = row["stalls"][rank - 1][name] if len(row["stalls"]) >= rank else None
        return scaled(value, scale) if scale else value

    return Source(find, text)


OF_RESULT = {
    "rate": Source(lambda run: run["samples_per_ns"], results.median_text),
    "registers": field("registers", whole),
    "occupancy": field("occupancy", tables.percent_text, 100),
    "setup_ms": field("setup_ms", tables.three_digits),
    "power": field("power_w", whole),
    "per_joule": field("samples_per_joule", tables.three_digits, 1e-9),
}
OF_PROFILE = {
    "issue": field("issue_pct", tables.percent_text),
    **{name: pipe(name) for name in PIPES},
    "limit": Source(lambda row: row["limit"] and row["limit"]["pct"], tables.percent_text),
    "limit_name": Source(lambda row: row["limit"], profile_tables.limit_title),
    **{f"stall{rank}": stall(rank, "reason", reason) for rank in (1, 2, 3)},
    **{f"stall{rank}_share": stall(rank, "share", tables.percent_text, 100) for rank in (1, 2, 3)},
    "compute": field("compute_throughput_pct", tables.percent_text),
    "memory": field("memory_throughput_pct", tables.percent_text),
    "l1": field("l1_throughput_pct", tables.percent_text),
    "shared": field("shared_throughput_pct", tables.percent_text),
    "achieved_occupancy": field("achieved_occupancy_pct", tables.percent_text),
    "bytes_per_sector": field("bytes_per_sector", tables.three_digits),
    "ipc": field("ipc", two_decimals),
    "waves": field("waves_per_sm", tables.three_digits),
    "lanes": field("active_lanes", tables.three_digits),
    "duration": field("duration_ms", tables.three_digits),
    "instructions": field("thread_instructions_per_sample", tables.three_digits),
    "dram_bytes": field("dram_bytes", data_size),
}


def figure(key, device):
    """The text for a key, given a device's documents or None; a dash where there is no file to look it up in."""
    if match := RATIO.fullmatch(key):
        return ratio(*match.groups(), device)
    match = OF_VERSION.fullmatch(key)
    if not match:
        raise Unknown("no such kind of key")
    version, setup, name = match.groups()
    if name in OF_RESULT and not setup:
        return written(OF_RESULT[name], run_of(version, device))
    if name in OF_PROFILE:
        return written(OF_PROFILE[name], kernel_of(version, bool(setup), device))
    raise Unknown(f"there is no figure '{name}'")


def written(source, row):
    if row is None:
        return tables.NONE
    value = source.find(row)
    if value is None:
        raise Unknown("the stored data has none")
    return source.text(value)


def ratio(version, base, device):
    rows = run_of(version, device), run_of(base, device)
    return tables.NONE if None in rows else tables.ratio(*(row["samples_per_ns"] for row in rows))


def run_of(version, device):
    """The run of a version, None where there is no file that could have it."""
    document = document_of(version, device)
    if document is None:
        return None
    run = next((run for run in document["runs"] if run["version"] == version), None)
    if run is None or "error" in run:
        raise Unknown(f"{version} {'failed' if run else 'has no result'}")
    return run


def document_of(version, device):
    if device is None:
        return None
    return device.ablations if results.is_ablation({"version": version}) else device.result


def kernel_of(version, setup, device):
    """The profiled kernel of a version, None without a profile. One that sets up draws no samples."""
    if device is None or device.profile is None:
        return None
    kernels = [row for row in device.profile["kernels"] if row["version"] == version]
    row = next((row for row in kernels if (row["samples"] is None) == setup), None)
    if row is None:
        raise Unknown(f"the profile has no {'set-up ' if setup else ''}kernel of {version}")
    return row


# In a text


def with_figures(path, text, devices):
    """The text of the file at path, with each of its figures looked up anew."""
    keys = OPENING.findall(text)
    if len(keys) != len(FIGURE.findall(text)) or len(keys) != text.count(CLOSING):
        raise results.ResultError(f"{path}: a '<!--=key-->' or '<!--/-->' lacks its other half on the same line")
    if broken := HTML_LINE.search(text):
        raise results.ResultError(f"{path}: {broken[1]} begins a line, all of which Markdown then takes for HTML")
    device = devices.get(device_named(path, text)) if keys else None
    return FIGURE.sub(lambda match: f"<!--={match[1]}-->{looked_up(path, match[1], device)}<!--/-->", text)


def device_named(path, text):
    names = DEVICE.findall(text)
    if len(names) != 1:
        raise results.ResultError(f"{path}: has figures, and not one '<!-- figures:<device> -->' but {len(names)}")
    return names[0]


def looked_up(path, key, device):
    try:
        return figure(key, device)
    except Unknown as error:
        raise results.ResultError(f"{path}: {key}: {error}") from None
