"""Blocks between markers in the story of a ladder.

<!-- candidates:<device> --> … <!-- /candidates -->    the candidates for the generator of a step
"""

import re

from suite.documents.schema import ResultError
from suite.render import generators


def filled(path, text, site):
    """The text of the file at path with the blocks of a ladder."""
    return with_blocks(path, text, "candidates", lambda slug: of_device(slug, site)) if site.ladder.candidates else text


def with_blocks(path, text, name, body, of="device"):
    """The text with each block of this name anew, whose markers name a device, or what of says."""
    blocks = blocks_named(name)
    markers = re.findall(rf"^<!-- (?:{name}:.*|/{name}) -->$", text, re.MULTILINE)
    if len(markers) != 2 * len(blocks.findall(text)):
        raise ResultError(f"{path}: a '<!-- {name}:<{of}> -->' or '<!-- /{name} -->' lacks its other half")
    return blocks.sub(lambda match: f"<!-- {name}:{match[1]} -->\n{body(match[1])}\n<!-- /{name} -->", text)


def blocks_named(name):
    return re.compile(rf"^<!-- {name}:([^\n]+) -->\n(.*?)^<!-- /{name} -->$", re.MULTILINE | re.DOTALL)


def of_device(slug, site):
    text = candidates(site.devices[slug], site) if slug in site.devices else None
    return text or nothing(slug)


def nothing(slug):
    return f"No result for {slug} yet: run `make bench-all`."


def candidates(device, site):
    """The step whose generator was chosen, and its ablations; "" without any result of them."""
    step = site.ladder.candidates
    runs = [run for run in device.runs if run["version"] == step or run["version"].startswith(f"{step}_")]
    return generators.candidate_table(runs, site.quality, site.ladder.rate) if runs else ""
