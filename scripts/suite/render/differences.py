"""The chart of the steps whose rates differ on the device that is a column beside the base, and why.

A reason is what alone would make at least half of the difference: the clock, the rate of DRAM, or a phase of the step's time,
copies over PCIe or random numbers made on the host.
"""

from collections import Counter

from suite import numerals
from suite.analyse import comparison, traffic
from suite.documents import profile, records, stored
from suite.markdown import escaped
from suite.render import cells, sources

CHART = "differences.svg"
DRAM, PCIE, HOST, CLOCK, UNKNOWN = ORDER = "DRAM", "PCIe", "host", "clock", "not explained"  # of reasons
LEAST, PART = 0.01, 0.5  # of a rate, so that it differs; of that difference, so that a reason explains it

ABOUT = """Rates of the {column}, of {commits}, stand beside those of the {base} on the page of each ladder. {count:,} steps ran on
both. In {differing} of them the rates differ by more than 1 %, and their 95 % intervals do not overlap.{more} Steps that wait for
memory may differ as much [between two commits](../docs/method.md#what-is-measured)."""


def parts(found):
    """What is compared, and the chart, under a heading; none without both devices."""
    pairs = pairs_of(found)
    if not pairs:
        return []
    shown = chart(found)
    base, column = (escaped(device.name) for device in pairs[0][1:])
    reasons = Counter(row["reason"] for row in shown["rows"]) if shown else {}
    ran = [(f"{suite} {run['version']}", same) for suite, *devices in pairs for run, same in both_runs(*devices)]
    more = {
        "Why": [f"{name} in {count}" for name, count in reasons.items()],
        f"Not measured on the {column}": [name for name, same in ran if not same],
    }
    about = sources.filled(
        ABOUT,
        base=base,
        column=column,
        commits=" and ".join(dict.fromkeys(sources.commit_text(own.result) for *_, own in pairs)),
        count=sum(bool(same) for _, same in ran),
        differing=sum(reasons.values()),
        more="".join(f" {title}: {', '.join(names)}." for title, names in more.items() if names),
    )
    return [f"## {base} and {column}", about, *([sources.image(CHART, shown)] if shown else [])]


def chart(found):
    """A bar for each step whose rates differ, by reason; None without any."""
    pairs = pairs_of(found)
    rows = [row(suite, *own) for suite, *devices in pairs for own in differences(*devices)]
    return {
        "chart": "differences",
        "title": f"Rates that differ: {pairs[0][2].name} against {pairs[0][1].name}",
        "note": "By more than 1 %. A reason is what alone would make at least half of the difference; some would make more than all of it.",
        "axis": "difference of the rate, %",
        "rows": sorted(rows, key=lambda row: ORDER.index(row["reason"])),
    } if rows else None  # fmt: skip


def row(suite, version, change, reason):
    percent = numerals.six_digits(100 * change)
    text = f"{percent:+.1f} %: {reason}".replace("-", "−", 1)
    return {"label": f"{suite} {version}", "percent": percent, "reason": reason, "text": text}


# What differs


def pairs_of(found):
    """The name of each ladder that has both the base and the column, and these."""
    return [
        (site.ladder.suite, site.devices[stored.BASE], device)
        for site in found
        for device in site.devices.values()
        if device.is_column and stored.BASE in site.devices
    ]


def both_runs(base, column):
    """The run of each step of the base, and that of the column; None where it has none."""
    found = {run["version"]: run for run in records.succeeded(column.result["runs"])}
    own = [run for run in cells.steps_of(records.succeeded(base.result["runs"])) if run.get("blocks")]
    return [(run, found.get(run["version"])) for run in own]


def differences(base, column):
    """Each step whose rates differ and whose intervals do not overlap: its name, by what part of the base's rate, and why."""
    for run, same in filter(all, both_runs(base, column)):
        change = same["per_ns"]["median"] / run["per_ns"]["median"] - 1
        if abs(change) > LEAST and not cells.overlap(run["per_ns"], same["per_ns"]):
            yield run["version"], change, reason(change, made_longer(run, same, base, column))


def reason(change, made):
    """What makes most of a change of the rate, by what part of the time each makes it longer."""
    parts = {name: longer / (1 / (1 + change) - 1) for name, longer in made.items()}
    most = max(parts, key=parts.get)
    return most if parts[most] >= PART else UNKNOWN


def made_longer(run, same, base, column):
    """By what part of its time each reason alone would make a step take longer on the column."""
    copies = [device.gbps.get("dram_copy") for device in (base, column)]
    return {
        CLOCK: (comparison.over(run.get("sm_clock_mhz"), same.get("sm_clock_mhz")) or 1) - 1,
        DRAM: dram_share(run, base) * ((comparison.over(*copies) or 1) - 1),
        PCIE: of_phase(traffic.TRANSFER, run, same),
        HOST: of_phase(traffic.RNG, run, same) if run.get("host_memory") else 0,
    }


def dram_share(run, base):
    """For what part of a step's time DRAM is busy, of a step on the GPU's clock: its kernel is all of its time."""
    is_known = base.profile and run.get("clock") != "wall"
    kernel = profile.main_kernel(base.profile, run["version"]) if is_known else None
    return (kernel and kernel["dram_throughput_pct"] or 0) / 100


def of_phase(name, run, same):
    """By what part of a step's time its phase of this name is longer on the column."""
    first, second = (traffic.phases_ns(one).get(name, 0) for one in (run, same))
    return (second - first) / traffic.ns_of_unit(run)
