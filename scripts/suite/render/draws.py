"""What a page says of the random numbers that its rows share."""

from suite.analyse import draws
from suite.render import cells, quality
from suite.render.sections import seeds

ONE_SEED = "Every row has seed {seeds}."
SEVERAL_SEEDS = "The rows have the seeds {seeds}."
SHARED = """ Rows with one generator and seed draw the same random numbers, in whole or in part, so their deviations tell the same
more than once: {sharing}.{alike}"""
ALIKE = " The same hits, of the same numbers: {alike}."
ELSEWHERE = " Another GPU with this seed draws the same again.{more}"
MORE = " [Other seeds](#other-seeds) has other draws."


def note(device):
    """Which rows of a device's table of steps have the same random numbers; none where no seed is stored."""
    runs = cells.in_step_order(device.result["runs"])
    known = draws.seeds_of(runs)
    if not known:
        return []
    head = (ONE_SEED if len(known) == 1 else SEVERAL_SEEDS).format(seeds=", ".join(map(str, known)))
    sharing, same = draws.sharing(runs), draws.alike(runs)
    alike = ALIKE.format(alike=listed(same)) if same else ""
    shared = SHARED.format(sharing=listed(sharing), alike=alike) if sharing else ""
    return [" ".join((head + shared + ELSEWHERE.format(more=MORE if seeds.groups_of(device) else "")).split())]


def listed(groups):
    """v1 to v5, v12; v8, v9."""
    return "; ".join(map(quality.versions_text, groups))
