"""Figures inside prose: what stands between <!--=key--> and <!--/--> is looked up in the results.

A file names the device once, <!-- figures:nvidia-h200 -->. Keys:

  v8/v7               ratio of two rates; either may be an ablation or a CPU row: v3_volatile/v3, v8/cpu_openmp
  v8/after            ratio of its rate to that of the step it builds on
  v8.after            that step
  v8.rate             samples/ns; also v3_volatile.rate, cpu_openmp.rate
  v8.registers        registers of a thread
  v8.occupancy        of the multiprocessor's threads, in %
  v8.setup_ms         ms of the set-up kernel
  v8.power            W
  v8.per_joule        samples per joule, in 10⁹
  v8.soundness        what it declares its random numbers to be
  v8.bias             4P − π of its coordinates
  v8.variance_ratio   variance of the estimate over the binomial one, with its standard deviation
  v8.effective        samples/ns over that
  v8.time6 (7, 8)     time to one standard deviation of 10⁻⁶, with its unit, or "never"; from merit.json
and from the profile:
  v8.issue v8.alu v8.fma v8.fmaheavy v8.fmalite v8.xu v8.lsu v8.tensor       utilisation in %
  v8.limit v8.limit_name                             the busiest of them, in %, and its name
  v8.stall1 v8.stall1_share  (2, 3)                  warp-stall reasons, the share in %
  v8.compute v8.memory v8.l1 v8.shared               throughput in % of the possible
  v8.achieved_occupancy v8.bytes_per_sector          in %; bytes of the 32 of a sector
  v8.ipc v8.waves v8.lanes v8.duration               instructions per cycle, waves per SM, active lanes, ms
  v8.instructions v8.dram_bytes                      thread instructions per sample; bytes with their unit
  v12.setup.duration …                               the same of the set-up kernel's row

and from peers.json, where a package that was not there is a dash:
  peer.cupy.rate v15/peer.cupy                       samples/ns; ratio of two of its rates

and from results/quality.json, by the generator's name there:
  quality.lcg.verdict                                in words
  quality.lcg.bias quality.lcg.bias_samples          4P − π; the samples at which that is one standard deviation
  quality.lcg.cycle_samples                          samples that use up the cycle
  quality.lcg.linear_bits quality.lcg.complexity0    linear bits of the word; linear complexity of bit 0 (1, 2, …)
  quality.lcg.failed quality.lcg.weak quality.lcg.total    p-values of dieharder, of 1024 streams
  quality.lcg.single.failed …                        of a single one
  quality.lcg.streams quality.lcg.iters              how many streams of how many samples had their hits counted
  quality.lcg.variance_ratio quality.lcg.variance_sd    variance of those hits over the binomial one
  quality.lcg.times_round quality.lcg.overlapping    times they go round the cycle; share of them that overlap
      on the GPU if that is stored; quality.lcg.short_streams … on the CPU, whose streams are short
  quality.lcg.lag1 quality.lcg.lag_sd  (2, 3, 4)     correlation of hits so many samples apart

Numbers come without their unit, but for bytes and times to an sd. Where a file of results is
missing they are a dash. Where a version failed or was not measured they are a dash, too, with
a warning. A name that no file knows is an error.
"""

import re
import statistics
from typing import NamedTuple

from suite import markdown, numerals
from suite.analyse import dieharder, verdicts
from suite.documents import checks, merit, profile
from suite.documents.profile import PIPES
from suite.ladders import pi
from suite.render import merit_tables, tables

FIGURE = re.compile(r"<!--=([^\n]*?)-->([^\n]*?)<!--/-->")
OPENING, CLOSING = re.compile(r"<!--=([^\n]*?)(?:-->|$)", re.MULTILINE), "<!--/-->"
DEVICE = re.compile(r"<!-- figures:([a-z0-9-]+) -->")
HTML_LINE = re.compile(r"^[ >]*(?:[-*+] +|\d+[.)] +)?<!--=([^\n]*?)-->", re.MULTILINE)
RATIO = re.compile(r"(\w+)/(\w+)")
OF_VERSION = re.compile(r"(\w+)\.(setup\.)?(\w+)")
PEER_RATE, OVER_PEER = re.compile(r"peer\.(\w+)\.rate"), re.compile(r"(\w+)/peer\.(\w+)")
BATTERY = re.compile(r"quality\.(\w+)\.(single\.)?(\w+)")


class Unknown(Exception):
    """There is no such key; the message says why."""


class Missing(Exception):
    """The results have no such figure; the message says why."""


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


def three_digit_power(value):
    return numerals.scientific(value, digits=3)


def grouped(value):
    return f"{value:,}"


def four_decimals(value):
    return f"{value:.4f}"


def bit_ranges(bits):
    return verdicts.ranges(bits) or "none"


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
    return Source(lambda row: row["pipes"][name], numerals.percent_text)


def stall(rank, name, text, scale=None):
    def find(row):
        value = row["stalls"][rank - 1][name] if len(row["stalls"]) >= rank else None
        return scaled(value, scale) if scale else value

    return Source(find, text)


def part(name, field, text, index=None):
    """A field of a record in a row that may lack it, or one of the values in that field."""

    def find(row):
        value = (row.get(name) or {}).get(field)
        return value if value is None or index is None else value[index]

    return Source(find, text)


def dispersion_figures(prefix, dispersion, overlap):
    """Where the figures of streams whose hits were counted are."""
    return {
        f"{prefix}streams": part(dispersion, "streams", grouped),
        f"{prefix}iters": part(dispersion, "iters", grouped),
        f"{prefix}variance_ratio": part(dispersion, "variance_ratio", four_decimals),
        f"{prefix}variance_sd": part(dispersion, "variance_sd", four_decimals),
        f"{prefix}times_round": part(overlap, "times_round", numerals.three_digits),
        f"{prefix}overlapping": part(overlap, "overlapping", numerals.three_digits),
    }


def time_to(decimals):
    return Source(lambda row: merit.time_to(decimals, row), merit_tables.time_text)


def set_up_ms(phases):
    """The median time of the set-up kernel, None of a version without one."""
    return statistics.median(phases["seed"]) if "seed" in phases else None

OF_RESULT = {
    "rate": Source(lambda run: run["per_ns"], numerals.median_text),
    "after": field("after", str),
    "registers": field("registers", whole),
    "occupancy": field("occupancy", numerals.percent_text, 100),
    "setup_ms": Source(lambda run: set_up_ms(run["phases_ms"]), numerals.three_digits),
    "power": field("power_w", whole),
    "per_joule": field("per_joule", numerals.three_digits, 1e-9),
    "soundness": Source(tables.soundness, str),
    "bias": part("outcome", "bias", three_digit_power),
    "variance_ratio": part("outcome", "variance_ratio", merit_tables.ratio_text),
    "effective": field("effective_per_ns", numerals.three_digits),
}
OF_MERIT = {f"time{decimals}": time_to(decimals) for decimals in (6, 7, 8)}
OF_PROFILE = {
    "issue": field("issue_pct", numerals.percent_text),
    **{name: pipe(name) for name in PIPES},
    "limit": Source(lambda row: row["limit"] and row["limit"]["pct"], numerals.percent_text),
    "limit_name": Source(lambda row: row["limit"], profile.limit_title),
    **{f"stall{rank}": stall(rank, "reason", reason) for rank in (1, 2, 3)},
    **{f"stall{rank}_share": stall(rank, "share", numerals.percent_text, 100) for rank in (1, 2, 3)},
    "compute": field("compute_throughput_pct", numerals.percent_text),
    "memory": field("memory_throughput_pct", numerals.percent_text),
    "l1": field("l1_throughput_pct", numerals.percent_text),
    "shared": field("shared_throughput_pct", numerals.percent_text),
    "achieved_occupancy": field("achieved_occupancy_pct", numerals.percent_text),
    "bytes_per_sector": field("bytes_per_sector", numerals.three_digits),
    "ipc": field("ipc", two_decimals),
    "waves": field("waves_per_sm", numerals.three_digits),
    "lanes": field("active_lanes", numerals.three_digits),
    "duration": field("duration_ms", numerals.three_digits),
    "instructions": field("thread_instructions_per_sample", numerals.three_digits),
    "dram_bytes": field("dram_bytes", data_size),
}
# Of a generator in the battery: of its row, as row_of completes it, and of one of its streams.
OF_GENERATOR = {
    "verdict": field("verdict", str),
    "bias": field("bias", three_digit_power),
    "bias_samples": field("bias_samples", numerals.scientific),
    "cycle_samples": field("cycle_samples", numerals.scientific),
    "linear_bits": part("linear", "linear_bits", bit_ranges),
    **{f"complexity{bit}": part("linear", "complexity", str, bit) for bit in range(32)},
    **dispersion_figures("", "dispersion", "overlap"),
    **dispersion_figures("short_", "short_dispersion", "short_overlap"),
    **{f"lag{lag}": part("lags", "correlation", four_decimals, lag - 1) for lag in (1, 2, 3, 4)},
    "lag_sd": part("lags", "sd", four_decimals),
}
OF_STREAM = {
    "failed": Source(lambda stream: dieharder.count(stream["dieharder"], dieharder.FAILED), str),
    "weak": Source(lambda stream: dieharder.count(stream["dieharder"], dieharder.WEAK), str),
    "total": Source(lambda stream: len(stream["dieharder"]), str),
}


def figure(key, device, quality=None):
    """The text for a key, given a device's documents or None; a dash where there is no file to look it up in."""
    if match := RATIO.fullmatch(key):
        return ratio(*match.groups(), device)
    if match := PEER_RATE.fullmatch(key):
        return written(OF_RESULT["rate"], peer_of(match[1], device))
    if match := OVER_PEER.fullmatch(key):
        return over_peer(*match.groups(), device)
    if match := BATTERY.fullmatch(key):
        return of_generator(*match.groups(), quality)
    match = OF_VERSION.fullmatch(key)
    if not match:
        raise Unknown("no such kind of key")
    version, setup, name = match.groups()
    if name in OF_RESULT and not setup:
        return written(OF_RESULT[name], run_of(version, device))
    if name in OF_MERIT and not setup:
        return written(OF_MERIT[name], merit_of(version, device))
    if name in OF_PROFILE:
        return written(OF_PROFILE[name], kernel_of(version, bool(setup), device))
    raise Unknown(f"there is no figure '{name}'")


def written(source, row):
    if row is None:
        return markdown.NONE
    value = source.find(row)
    if value is None:
        raise Missing("the stored data has none")
    return source.text(value)


def ratio(version, base, device):
    run = run_of(version, device)
    if run and base == "after":
        base = run.get("after")
        if base is None:
            raise Missing(f"{version} names no step that it builds on")
    rows = run, run_of(base, device)
    return markdown.NONE if None in rows else tables.ratio(*(row["per_ns"] for row in rows))


def check_known(version, device):
    """Refuse a version of which the results of a device have no row at all: it is misspelt."""
    if document_of(version, device) is None:
        return
    documents = [device.result, device.ablations, device.profile, device.merit]
    lists = [rows for document in documents if document for rows in document.values() if isinstance(rows, list)]
    if not any(row["version"] == version for rows in lists for row in rows):
        raise Unknown(f"{version} is in no result")


def run_of(version, device):
    """The run of a version, None where there is no file that could have it."""
    check_known(version, device)
    document = document_of(version, device)
    if document is None:
        return None
    run = next((run for run in document["runs"] if run["version"] == version), None)
    return there(run, version, "has no result")


def there(row, name, otherwise):
    """A row that was found and did not fail."""
    if row is None:
        raise Missing(f"{name} {otherwise}")
    if checks.has_failed(row):
        raise Missing(f"{name} failed")
    return row


def document_of(version, device):
    if device is None:
        return None
    return device.ablations if pi.is_ablation({"version": version}) else device.result


def merit_of(version, device):
    """The row of a version in the figure of merit, None without one."""
    check_known(version, device)
    if device is None or device.merit is None:
        return None
    row = next((row for row in device.merit["rows"] if row["version"] == version), None)
    return there(row, version, "has no figure of merit")


def over_peer(version, name, device):
    peer = peer_of(name, device)
    if peer is None:
        return markdown.NONE
    run = next((run for run in device.peers["runs"] if run["version"] == version), None)
    run = there(run, version, "was not measured with the peers")
    return tables.ratio(run["per_ns"], peer["per_ns"])


def peer_of(name, device):
    """The row of a peer, None where none were measured, or its package was missing."""
    if device is None or device.peers is None:
        return None
    peer = next((peer for peer in device.peers["peers"] if peer["peer"] == name), None)
    peer = there(peer, f"the peer {name}", "has no result")
    return None if "missing" in peer else peer


def kernel_of(version, setup, device):
    """The profiled kernel of a version, None without a profile. One that sets up draws no samples."""
    check_known(version, device)
    if device is None or device.profile is None:
        return None
    kernels = [row for row in device.profile["kernels"] if row["version"] == version]
    row = next((row for row in kernels if checks.has_failed(row) or (row["samples"] is None) == setup), None)
    return there(row, version, f"has no {'set-up ' if setup else ''}kernel in the profile")


def of_generator(source, single, name, quality):
    """A figure of a generator in the battery."""
    if name in OF_STREAM:
        return written(OF_STREAM[name], stream_of(source, 1 if single else 1024, quality))
    if name in OF_GENERATOR and not single:
        return written(OF_GENERATOR[name], row_of(source, quality))
    raise Unknown(f"there is no figure '{name}'")


def row_of(source, quality):
    """The row of a generator, its hits counted on the GPU where they were, None without a battery."""
    if quality is None:
        return None
    row = next((row for row in quality["rows"] if row["source"] == source), None)
    if row is None:
        raise Unknown(f"the battery knows no {source}")
    best = verdicts.gpu_row(row, quality) or row
    short = {"short_dispersion": row["dispersion"], "short_overlap": row.get("overlap")}
    return row | short | {"dispersion": best["dispersion"], "overlap": best.get("overlap")}


def stream_of(source, count, quality):
    """The stream of so many threads of a generator, None without a battery."""
    row = row_of(source, quality)
    if row is None:
        return None
    streams = [stream for stream in verdicts.streams_of(row, quality) if not stream["lanes"]]
    stream = next((stream for stream in streams if stream["streams"] == count), None)
    if stream is None:
        raise Missing(f"the battery has no stream of {count} threads of {source}")
    return stream


# In a text


def with_figures(path, text, devices, quality=None, warn=lambda text: None):
    """The text of the file at path, with each of its figures looked up anew; warn is told once of each one missing."""
    keys = OPENING.findall(text)
    if len(keys) != len(FIGURE.findall(text)) or len(keys) != text.count(CLOSING):
        raise checks.ResultError(f"{path}: a '<!--=key-->' or '<!--/-->' lacks its other half on the same line")
    if broken := HTML_LINE.search(text):
        raise checks.ResultError(f"{path}: {broken[1]} begins a line, and Markdown would take the whole line for HTML")
    device = devices.get(device_named(path, text)) if keys else None
    texts = {key: looked_up(path, key, device, quality, warn) for key in dict.fromkeys(keys)}
    return FIGURE.sub(lambda match: f"<!--={match[1]}-->{texts[match[1]]}<!--/-->", text)


def device_named(path, text):
    names = DEVICE.findall(text)
    if len(names) != 1:
        raise checks.ResultError(f"{path}: has figures, and not one '<!-- figures:<device> -->' but {len(names)}")
    return names[0]


def looked_up(path, key, device, quality, warn):
    try:
        return figure(key, device, quality)
    except Missing as error:
        warn(f"{path}: {key} is a dash: {error}")
        return markdown.NONE
    except Unknown as error:
        raise checks.ResultError(f"{path}: {key}: {error}") from None
