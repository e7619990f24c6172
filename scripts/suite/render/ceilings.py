"""Lines of a chart: the rates that a path of bytes or a unit of the GPU allows."""

import statistics

from suite import naming, numerals
from suite.documents import profile, records


def of_bytes(device, ladder):
    """The rates that paths of bytes allow, by their texts; none where a path was not measured."""
    gbps = device.gbps
    return {text: gbps[name] / count for text, (name, count) in ladder.ceilings.items() if name in gbps}


def of_units(device, ladder):
    """The rates that units of the GPU allow at the clock of the runs, by their texts; none where a number is not known."""
    clocks = [run.get("sm_clock_mhz") for run in records.succeeded(device.result["runs"]) if naming.is_step(run)]
    clocks = [clock for clock in clocks if clock]
    if not clocks:
        return {}
    per_ns = statistics.median(clocks) / 1e3 * device.result["context"]["device"]["multiprocessors"]
    found = {}
    for wall in ladder.walls:
        needs = instructions_of(device, wall.needs) if isinstance(wall.needs, str) else wall.needs
        if needs:
            found[wall.text.format(needs=numerals.three_digits(needs))] = wall.lanes * per_ns / needs
    return found


def instructions_of(device, version):
    """Thread instructions of a unit of work, from the profile of a version; None without it."""
    kernel = profile.main_kernel(device.profile, version) if device.profile else None
    return kernel["thread_instructions_per_sample"] if kernel else None


def lines(rates):
    return [
        {"label": f"{text}: {numerals.three_digits(rate)}", "rate": numerals.six_digits(rate), "limit": False}
        for text, rate in rates.items()
    ]
