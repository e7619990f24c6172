"""The page of a ladder on a device, and its charts: a module of sections/ for each part that the ladder names.

A section has a HEADING, and section(device, site): its parts in Markdown, none where there are no data. One with a
chart has chart(device, site): what that shows, None where there are no data.
"""

import importlib

from suite.markdown import escaped
from suite.render import sources


def page(device, site):
    """The text of results/<device>/<ladder>.md."""
    name = site.ladder.suite
    files = f"{sources.link(f'{name}.json')}, {sources.link(f'{name}.csv')}"
    facts = f"{sources.facts_text(device.result['context'])}. Data: {files}."
    about = f"{sources.filled(site.ladder.about)} Each rate is the median of repeated launches, with its 95 % interval."
    sections = map(named, site.ladder.sections)
    found = {section.HEADING: section.section(device, site) for section in sections}
    parts = [part for heading, own in found.items() if own for part in (f"## {heading}", *own)]
    return sources.page(f"The ladder {name} on {escaped(device.name)}", facts, about, *parts)


def charts(device, site):
    """What each chart of a device shows, by the name of its file."""
    found = {name: named(section).chart(device, site) for section, name in site.ladder.charts.items()}
    return {name: chart for name, chart in found.items() if chart}


def named(section):
    return importlib.import_module(f"suite.render.sections.{section}")
