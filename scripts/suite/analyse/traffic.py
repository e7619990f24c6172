"""Where the time of a step goes: its phases, and the limit that takes the largest share of it."""

import math
import statistics
from typing import NamedTuple

OTHER = "other"  # the time that no phase accounts for
WHOLE = "sample"  # all of the time of a step with one phase
RNG, TRANSFER, REDUCE = "rng", "transfer", "reduce"  # phases
OVERLAP = 1.02  # phases that add up to more than this times the whole time overlap
MEMORIES = "pinned", "pageable"


class Limit(NamedTuple):
    """What limits a step: its name, and the share of the step's time that it takes alone."""

    name: str
    share: float


def ns_of_unit(run):
    """Nanoseconds per unit of work."""
    return statistics.median(run["kernel_ms"]) / run["work"] * 1e6


def phases_ns(run):
    """Nanoseconds per unit of work of each phase; none where a step has one phase."""
    return {name: statistics.median(times) / run["work"] * 1e6 for name, times in run["phases_ms"].items() if times}


def overlaps(run):
    """Whether phases of a run ran at the same time."""
    return sum(phases_ns(run).values()) > OVERLAP * ns_of_unit(run)


def other_ns(run):
    """The time per unit of work that no phase accounts for; None of a step with one phase, or whose phases overlap."""
    phases = phases_ns(run)
    return max(0.0, ns_of_unit(run) - sum(phases.values())) if phases and not overlaps(run) else None


def limit_of(run, gbps, fused=None):
    """The Limit with the largest share. None where none is known.

    gbps has the rates of limits.json; fused is the rate of the kernel without arrays, in units of work per nanosecond.
    """
    found = [*_of_pcie(run, gbps), *_of_dram(run, gbps), *_of_host(run), *_of_sum(run), *_of_launches(run)]
    found += [Limit("kernel without arrays", 1 / fused / ns_of_unit(run))] if fused else []
    return max(found, key=lambda limit: limit.share, default=None)


# A rate of 10^9 bytes per second is one of bytes per nanosecond.


def _of_pcie(run, gbps):
    times = {memory: time for memory in MEMORIES if (time := _pcie_ns(run, gbps, memory))}
    if not times:
        return []
    transfer = phases_ns(run).get(TRANSFER)
    memory = min(times, key=lambda name: abs(math.log(times[name] / transfer))) if transfer else next(iter(times))
    return [Limit(f"PCIe, {memory}", times[memory] / ns_of_unit(run))]


def _pcie_ns(run, gbps, memory):
    """The least time of a unit's bytes over PCIe; 0 without bytes, None where a rate is not known."""
    moved = {f"{way}_{memory}": _bytes(run, way) for way in ("pcie_up", "pcie_down")}
    rates = {name: gbps.get(name) for name, count in moved.items() if count}
    return None if None in rates.values() else sum(moved[name] / rate for name, rate in rates.items())


def _of_dram(run, gbps):
    count, rate = _bytes(run, "dram"), gbps.get("dram_copy")
    return [Limit("DRAM", count / rate / ns_of_unit(run))] if count and rate else []


def _of_host(run):
    """Random numbers made on the host: by a step without a GPU, or one that copies them up."""
    ns = phases_ns(run).get(RNG)
    on_host = run["blocks"] is None or _bytes(run, "pcie_up")
    return [Limit("host generation", ns / ns_of_unit(run))] if ns and on_host else []


def _of_sum(run):
    """A sum on the GPU that is slower than its bytes."""
    ns = phases_ns(run).get(REDUCE)
    on_gpu = run["blocks"] is not None and not _bytes(run, "pcie_down")
    return [Limit("sum on the GPU", ns / ns_of_unit(run))] if ns and on_gpu else []


def _of_launches(run):
    ns = other_ns(run)
    return [Limit("launch overhead", ns / ns_of_unit(run))] if ns and run["blocks"] is not None else []


def _bytes(run, way):
    return (run.get("bytes") or {}).get(way) or 0
