"""Ablations: steps with one thing changed, beside the steps themselves."""

from suite import numerals
from suite.ladders import naming
from suite.markdown import LEFT, NONE, RIGHT
from suite.render import cells, sources
from suite.render.cells import OVER_BASE, SOUND_COLUMN, TECHNIQUE

HEADING = "Ablations"


def section(device, site):
    runs = [run for run in device.ablations["runs"] if naming.is_ablation(run)] if device.ablations else []
    if not runs:
        return []
    ladder = site.ladder
    base = (f"{ladder.RATE} of that step", RIGHT, base_rate)
    columns = [("Ablation", LEFT, cells.step), TECHNIQUE, cells.rate_column(ladder), base, OVER_BASE, SOUND_COLUMN]
    compared = cells.Compared(cells.rates_of(device.result["runs"]), {})
    text = "An ablation is a step with one thing changed, to separate causes."
    return [f"{text} {sources.data(device, 'ablations')}", cells.table(columns, runs, compared), *sources.warnings(runs)]


def base_rate(run, compared):
    base = compared.rates.get(run.get("after"))
    return numerals.median_text(base) if base else NONE
