"""Blocks between markers in README.md and in the story of a ladder.

<!-- pi:<device> --> … <!-- /pi -->                    the rates of the ladder pi
<!-- quality:<device> --> … <!-- /quality -->          the generator of each version, and its verdict
<!-- candidates:<device> --> … <!-- /candidates -->    the candidates for the generator of a step
"""

import re

from suite import numerals
from suite.documents.schema import ResultError
from suite.markdown import escaped
from suite.render import cells, generators, quality
from suite.render.sections import steps


def filled(path, text, site):
    """The text of the file at path with the blocks of a ladder."""
    of_generators = (("quality", verdicts), ("candidates", candidates)) if site.ladder.candidates else ()
    for name, body in ((site.ladder.suite, rates), *of_generators):
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


def rates(device, site):
    """The ladder at a first look."""
    runs, limits = cells.steps_of(device.result["runs"]), steps.limits_of(device)
    folder = f"results/{device.slug}/"
    parts = [
        headline(runs, escaped(device.name), site.ladder, site.quality),
        steps.short_table(device, runs, limits, site.ladder),
        *steps.notes(device, site, runs, limits, folder, "results/"),
        *([cells.FEW_NOTE] if any(map(cells.has_few_timings, runs)) else []),
    ]
    return "\n\n".join(parts)


def headline(runs, device, ladder, tested):
    """The gain of the ladder on a device, in one sentence: the fastest of the versions that can be trusted."""
    found, first = cells.rates_of(runs), ladder.first
    none = f"No factor for {article(device)} {device}:"
    if first not in found:
        return f"{none} {first} has no result there."
    best = cells.fastest(runs)
    if best is None:
        return f"{none} no version with a sound generator has a result there."
    run = next(run for run in runs if run["version"] == best)
    return (
        f"From {numerals.median_text(found[first])} {ladder.rate.lower()} {ladder.where_first} to "
        f"{numerals.median_text(found[best])}, with a generator that is {trust(run, tested)} ({best}), on {article(device)} {device}: "
        f"a factor of {cells.factor_text(found[best], found[first])}."
    )


def trust(run, tested):
    """In which form the random numbers of a run are sound, and how far they were tested, if they were."""
    row = generators.row_of(run["version"], tested) if tested else None
    return quality.trust_of_run(run, row["verdict"] if row else run.get("soundness"))


def article(device):
    # NVIDIA is spoken with a vowel first.
    return "an" if device.upper().startswith(("NVIDIA", "A", "E", "I", "O")) else "a"


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
