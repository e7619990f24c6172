"""The page of a ladder on a device, and its charts: a module of sections/ for each part that the ladder names.

A section has a HEADING, and section(device, site): its parts in Markdown, none where there are no data. One with a
chart, which stands before them, folded but for the first, has chart(device, site): what that shows, None where there are no data.
"""

import importlib

from suite.markdown import escaped, folded
from suite.render import sources

ABOUT_RATES = "Each rate is the median of launches, with its 95 % interval, of this card: another may differ by {}. Rates of the CPU differ more."


def page(device, site):
    """The text of results/<device>/<ladder>.md."""
    name = site.ladder.suite
    files = f"{sources.link(f'{name}.json')}, {sources.link(f'{name}.csv')}"
    facts = f"{sources.facts_text(device.result['context'])}. Data: {files}."
    about = f"{sources.filled(site.ladder.about)} {ABOUT_RATES.format(site.ladder.spread)}"
    drawn = charts(device, site)
    parts = [part for section in site.ladder.sections for part in section_parts(section, device, site, drawn)]
    return sources.page(f"The ladder {name} on {escaped(device.name)}", facts, about, *parts)


def section_parts(name, device, site, drawn):
    """A section with its heading and its chart, if it is among those drawn; none where there are no data."""
    parts, chart = named(name).section(device, site), site.ladder.charts.get(name)
    images = [sources.image(chart, drawn[chart])] if chart in drawn else []
    images = images if name == site.ladder.sections[0] else [folded("The chart", image) for image in images]
    return [f"## {named(name).HEADING}", *images, *parts] if parts else []


def charts(device, site):
    """What each chart of a device shows, by the name of its file."""
    return {name: chart for part, name in site.ladder.charts.items() if (chart := named(part).chart(device, site))}


def named(section):
    return importlib.import_module(f"suite.render.sections.{section}")
