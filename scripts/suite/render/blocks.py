"""Blocks between markers in the story of a ladder.

<!-- quality:<device> --> … <!-- /quality -->          the generator of each version, and its verdict
<!-- candidates:<device> --> … <!-- /candidates -->    the candidates for the generator of a step
"""

import re

from suite.documents.schema import ResultError
from suite.render import cells, generators


def filled(path, text, site):
    """The text of the file at path with the blocks of a ladder."""
    for name, body in (("quality", verdicts), ("candidates", candidates)) if site.ladder.candidates else ():
        text = with_blocks(path, text, name, lambda slug, body=body: of_device(slug, site, body))
    return text


def with_blocks(path, text, name, body, of="device"):
    """The text with each block of this name anew, whose markers name a device, or what of says."""
    blocks = blocks_named(name)
    markers = re.findall(rf"^<!-- (?:{name}:\S*|/{name}) -->$", text, re.MULTILINE)
    if len(markers) != 2 * len(blocks.findall(text)):
        raise ResultError(f"{path}: a '<!-- {name}:<{of}> -->' or '<!-- /{name} -->' lacks its other half")
    return blocks.sub(lambda match: f"<!-- {name}:{match[1]} -->\n{body(match[1])}\n<!-- /{name} -->", text)


def blocks_named(name):
    return re.compile(rf"^<!-- {name}:([a-z0-9_,-]+) -->\n(.*?)^<!-- /{name} -->$", re.MULTILINE | re.DOTALL)


def of_device(slug, site, body):
    text = body(site.devices[slug], site) if slug in site.devices else None
    return text or nothing(slug)


def nothing(slug):
    return f"No result for {slug} yet: run `make bench-all`."


# What stands in them


def verdicts(device, site):
    if site.quality is None:
        return "No verdict yet: run `make quality`."
    table = generators.version_table(cells.steps_of(device.result["runs"]), site.quality, site.ladder.rate)
    return "\n\n".join([table, *([cells.FEW_NOTE] if cells.FEW in table else [])])


def candidates(device, site):
    """The step whose generator was chosen, and its ablations; "" without any result of them."""
    step = site.ladder.candidates
    runs = [run for run in device.runs if run["version"] == step or run["version"].startswith(f"{step}_")]
    return generators.candidate_table(runs, site.quality, site.ladder.rate) if runs else ""
