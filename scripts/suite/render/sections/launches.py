"""Time of a launch against its samples, of a ladder that times no whole calls."""

from suite.render.sections import calls

HEADING = "Time against samples"
ABOUT = "The time of a launch includes the set-up of its generators. Short launches are timed many in a row."
chart = calls.chart


def section(device, site):
    return calls.parts(device, ABOUT, lambda found: [])
