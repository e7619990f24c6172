"""Ablations: steps with one thing changed, beside the steps themselves."""

from suite import naming, numerals
from suite.markdown import LEFT, NONE, RIGHT, folded
from suite.render import cells, prices, sources
from suite.render.cells import SOUND_COLUMN, TECHNIQUE

HEADING = "Ablations"


def section(device, site):
    ladder = site.ladder
    runs = device.ablations["runs"] if device.ablations else []
    runs = [
        beside_own_step(run, ladder) for run in runs if naming.is_ablation(run) and not ladder.is_beside(run["version"])
    ]
    if not runs:
        return []
    rates = cells.rates_of(device.result["runs"])
    beside_base = [(f"{ladder.rate} of that step", RIGHT, base_rate(rates)), cells.over_base(rates)]
    clock = [cells.CLOCK] if ladder.phases else []
    columns = [("Ablation", LEFT, cells.step), TECHNIQUE, cells.rate_column(ladder), *clock, *beside_base]
    columns += [*prices.variance_columns(device, ladder), SOUND_COLUMN]
    text = "An ablation is a step with one thing changed, to separate causes."
    return [
        f"{text} {sources.data(device, 'ablations')}",
        folded("The ablations", cells.table(columns, runs)),
        *sources.warnings(runs),
    ]


def beside_own_step(run, ladder):
    """The run; of a program with options, what it is compared with is the program without."""
    own = ladder.base(run["version"])
    return run if own == run["version"] else run | {"after": own}


def base_rate(rates):
    return lambda run: numerals.median_text(rates[run["after"]]) if run.get("after") in rates else NONE
