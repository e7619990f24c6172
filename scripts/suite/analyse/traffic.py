"""Where the time of a step goes: its phases, and the limit that takes the largest share of it."""

from typing import NamedTuple

from suite.documents import records

OTHER = "other"  # the time that no phase has
WHOLE = "sample"  # all of the time of a step with one phase
RNG, TRANSFER, REDUCE = "rng", "transfer", "reduce"  # phases
TOLERANCE = 0.02  # of the time of a step: phases that add up to more than so much above it overlap


class Limit(NamedTuple):
    """What limits a step: its name, and the share of the step's time that it takes alone."""

    name: str
    share: float


def ns_of_unit(run):
    """Nanoseconds per unit of work."""
    return _ns(run, records.typical_ms(run))


def phases_ns(run):
    """Nanoseconds per unit of work of each phase; none where a step has one phase."""
    return {name: _ns(run, times["median"]) for name, times in run["phases_ms"].items()}


def overlaps(run):
    """Whether phases of a run ran at the same time."""
    rest = _rest_ns(run)
    return rest is not None and rest < -TOLERANCE * ns_of_unit(run)


def other_ns(run):
    """The time per unit of work that no phase has; None of a step with one phase, or whose phases overlap."""
    rest = _rest_ns(run)
    return None if rest is None or overlaps(run) else max(0.0, rest)


def other_share(run):
    """The share of a step's time that no phase has; None as above."""
    ns = other_ns(run)
    return None if ns is None else ns / ns_of_unit(run)


def limit_of(run, gbps, base=None, fused=None):
    """The Limit with the largest share. None where none is known, or the rate of some bytes of the run is not.

    gbps has the rates of limits.json; base is the run of the step that this one builds on; fused is the rate of the
    kernel without arrays, in units of work per nanosecond.
    """
    moved = _of_pcie(run, gbps), _of_bytes("DRAM", {"dram": "dram_copy"}, run, gbps)
    if None in moved:
        return None
    found = [*moved, _of_host(run, base), _of_sum(run), Limit(OTHER, other_share(run) or 0)]
    found += [_limit("kernel without arrays", 1 / fused, run)] if fused else []
    largest = max(found, key=lambda limit: limit.share)
    return largest if largest.share else None


def _ns(run, ms):
    return ms / run["work"] * 1e6


def _rest_ns(run):
    """The median over timings of the time less all phases; None of a step with one phase."""
    return _ns(run, run["other_ms"]) if run["phases_ms"] else None


def _limit(name, ns, run):
    return Limit(name, ns / ns_of_unit(run))


def _of_pcie(run, gbps):
    memory = run.get("host_memory")
    return _of_bytes(f"PCIe, {memory}", {way: f"{way}_{memory}" for way in ("pcie_up", "pcie_down")}, run, gbps)


def _of_bytes(name, rates, run, gbps):
    """The limit of the bytes that a run moves, by the names of their rates; None where it needs one that is not known."""
    moved = {rate: count for way, rate in rates.items() if (count := _bytes(run, way))}
    if not moved.keys() <= gbps.keys():
        return None
    # A rate of 10^9 bytes per second is one of bytes per nanosecond.
    return _limit(name, sum(count / gbps[rate] for rate, count in moved.items()), run)


def _of_host(run, base):
    """Random numbers made on the host: by a step without a GPU, or one that copies them up.

    Where phases overlap, that phase also has the time in which it waits for others. Then the time is that of the base.
    """
    by_itself = base if overlaps(run) else run
    is_known = by_itself and not overlaps(by_itself) and all(_words_on_host(own) for own in (run, by_itself))
    return _limit("host generation", phases_ns(by_itself).get(RNG, 0) if is_known else 0, run)


def _words_on_host(run):
    return run["blocks"] is None or _bytes(run, "pcie_up")


def _of_sum(run):
    """A sum on the GPU that is slower than its bytes."""
    on_gpu = run["blocks"] is not None and not _bytes(run, "pcie_down")
    return _limit("sum on the GPU", phases_ns(run).get(REDUCE, 0) if on_gpu else 0, run)


def _bytes(run, way):
    return (run.get("bytes") or {}).get(way) or 0
