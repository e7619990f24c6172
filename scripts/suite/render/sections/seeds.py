"""The deviations of runs with many seeds: whether they look normal."""

from suite import markdown, numerals
from suite.analyse import deviations
from suite.documents import records
from suite.ladder import SOLUTION
from suite.markdown import LEFT, RIGHT
from suite.render import cells, sources

HEADING = "Other seeds"

ABOUT = """Other tables have one seed. Here a step ran once with each of many, every time with as many launches. A deviation is the
distance of a run's estimate from what is expected, in standard deviations. If the estimates are right and the seeds are
independent, deviations are normal, with mean 0 and variance 1.{solution}"""
OF_SOLUTION = """ That of a solution is the normal deviate with the probability of the chi-square of its functionals: it is above 0 if
these are farther from the exact ones than they should be."""
ABOUT_COLUMNS = """± is what chance makes of so many normal deviations. Distance: the largest between their distribution function and the normal
one (Kolmogorov-Smirnov). p: how often chance alone makes it as large."""


def section(device, site):
    groups = groups_of(device)
    if not groups:
        return sources.failures(device.seeds["runs"]) if device.seeds else []
    about = sources.filled(ABOUT, solution=OF_SOLUTION * (site.ladder.outcome == SOLUTION))
    titles = ["Step", "Seeds", "Options", "Mean", "Variance", "Largest",
              f"Beyond {deviations.FAR} sd (expected)", "Distance", "p"]  # fmt: skip
    table = markdown.table(titles, [LEFT, LEFT, LEFT, *[RIGHT] * 6], map(row_of, groups))
    return [
        sources.data(device, "seeds"),
        markdown.folded("The deviations", about, table, sources.filled(ABOUT_COLUMNS)),
        *sources.failures(device.seeds["runs"]),
    ]


def groups_of(device):
    """The runs of each version, where there are enough to tell a variance."""
    runs = records.succeeded(device.seeds["runs"]) if device.seeds else []
    groups = records.grouped(((run["version"], fixed_options(run)), run) for run in runs)
    return [group for group in groups.values() if len(group) > 1]


def fixed_options(run):
    """The options of a run without its seed."""
    return run["options"].removesuffix(f" --seed {run['seed']}")


def row_of(runs):
    """A row of the table, of the runs of a version."""
    found = deviations.summary([run["deviation"] for run in runs])
    return [
        cells.step(runs[0]),
        f"{found.count:,}, from {min(run['seed'] for run in runs)} to {max(run['seed'] for run in runs)}",
        markdown.code(fixed_options(runs[0])),
        numerals.with_sd(found.mean, found.mean_sd, 2),
        numerals.with_sd(found.variance, found.variance_sd, 2),
        f"{found.largest:+.2f}",
        f"{found.far} ({found.far_expected:.1f})",
        numerals.three_digits(found.distance),
        numerals.ratio_text(found.p),
    ]
