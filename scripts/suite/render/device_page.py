"""The page of a ladder on a device, and its charts: a module of sections/ for each part of it.

A section has a HEADING, and section(device, site): its parts in Markdown, none where there are no data. One with a
chart has chart(device, site): what that shows, None where there are no data.
"""

from suite.render import sources
from suite.render.sections import ablations, convergence, energy, merit, peers, profile, steps, sweep

SECTIONS = (steps, merit, peers, ablations, profile, sweep, convergence, energy)
CHARTS = {"ladder.svg": steps, "pipes.svg": profile, "time.svg": sweep, "convergence.svg": convergence, "merit.svg": merit}


def page(device, site):
    """The text of results/<device>/<ladder>.md."""
    file = f"{site.ladder.SUITE}.json"
    facts = f"{sources.facts_text(device.result['context'])}. Data: {sources.link(file)}."
    about = f"{site.ladder.ABOUT} Each rate is the median of repeated launches, with its 95 % interval."
    found = {section.HEADING: section.section(device, site) for section in SECTIONS}
    parts = [part for heading, own in found.items() if own for part in (f"## {heading}", *own)]
    return sources.page(f"The ladder {site.ladder.SUITE} on {device.name}", facts, about, *parts)


def charts(device, site):
    """What each chart of a device shows, by the name of its file."""
    found = {name: section.chart(device, site) for name, section in CHARTS.items()}
    return {name: chart for name, chart in found.items() if chart}
