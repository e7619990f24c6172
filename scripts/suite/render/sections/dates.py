"""The price against the number of steps of a path."""

import math

from suite import markdown, numerals
from suite.documents import records
from suite.markdown import NONE
from suite.render import prices, sources

HEADING = "The price against the number of steps"

ABOUT = """The same paths, averaged on fewer dates. If the price differed from its limit by a constant over the number of steps,
each difference would be 4 times the next, where that number grows by 4."""


def section(device, site):
    """A row for each version that the ladder names, if two of them have a price."""
    found = {
        run["version"]: run["outcome"] for run in records.succeeded(device.runs) if run["version"] in site.ladder.dates
    }
    outcomes = [found[version] | {"version": version} for version in site.ladder.dates if version in found]
    if len(outcomes) < 2:
        return []
    differences = [None, *map(difference, outcomes, outcomes[1:])]
    ratios = [None, None, *map(ratio, outcomes, outcomes[1:], outcomes[2:])]
    rows = [
        [outcome["version"], f"{outcome['steps']:,}", prices.estimate_text(outcome), *map(text, (change, times))]
        for outcome, change, times in zip(outcomes, differences, ratios)
    ]
    titles = ["Version", "Steps", "Price", "Difference from the row above", "That of the row above over it"]
    return [sources.filled(ABOUT), markdown.figures(titles, rows)]


def difference(before, after):
    """The difference of two prices, and its standard deviation."""
    return after["estimate"] - before["estimate"], math.hypot(after["sd"], before["sd"])


def ratio(first, second, third):
    """The difference of the first two prices over that of the last two, and its standard deviation to first order."""
    last = third["estimate"] - second["estimate"]
    value = (second["estimate"] - first["estimate"]) / last
    return value, math.hypot(first["sd"], (1 + value) * second["sd"], value * third["sd"]) / abs(last)


def text(pair):
    return numerals.with_sd(*pair, 2) if pair else NONE
