"""The errors of estimates of a solution, and the time to an error of 1 %."""

from suite import markdown, numerals
from suite.analyse import peers
from suite.analyse.merit import NEVER
from suite.documents import records, solution
from suite.markdown import NONE, escaped
from suite.render import audits, cells, draws, sources
from suite.render.precision import line_of, point
from suite.render.sections.systems import launches_on, run_on, runs_of, systems_of

HEADING = "Errors, and the time to 1 %"

ABOUT = """Errors are relative to the norm of x, and fall as one over the root of the time. The time to 1 % is that of K · 10⁴
transitions, where K = V L. V is the exact variance of the estimate from one history, summed over the entries of x and divided by
‖x‖²; L is the mean number of its transitions. The rate is that of long launches: a launch that ends so soon
is slower{elsewhere}. Never: V may be infinite."""
ABOUT_FAULTS = "Programs with a planted fault, and what their verdicts say:"
ABOUT_CHECKS = """\
- V, L, K: as above, of all entries. The columns below are of the entries that are judged: not of those whose variance is nearly infinite.
- Error: of the whole run; in brackets, over the exact prediction.
- Largest known bias: what the cutoff and the rounding of tallies may add to a sum of entries, relative to x.
- Residual: of one launch, relative to the norm of b; in brackets, over the exact prediction.
- Worst functional: 64 sums of all entries with random signs are compared with the exact ones. This is the largest distance, in
  standard deviations, and the limit beyond which a run fails.
- Variance: how much these sums vary from launch to launch, over the exact variance.
- Ĥ: the matrix that carries the squares of weights from state to state. If its powers do not become small, V may be infinite."""


def section(device, site):
    ladder, found = site.ladder, runs_of(device)
    steps = [run for run in cells.in_step_order(device.result["runs"]) if "outcome" in run]
    if not steps:
        return []
    return [
        sources.filled(ABOUT, elsewhere=", see [other solvers](#other-solvers)" * (device.peers is not None)),
        markdown.folded("The times", times_table(ladder, steps, found)),
        *(part for system in ladder.systems.names for part in system_parts(ladder, system, steps, found)),
        markdown.folded("What was checked", ABOUT_CHECKS, *draws.note(device), *audits.note(device)),
        *faults_parts(ladder, device.runs),
    ]


# The time to 1 %


def times_table(ladder, steps, found):
    """A row for each step, a column for each system."""
    systems = systems_of(ladder, found)
    rows = [
        [cells.step(step), *(time_cell(run_on(ladder, found, step["version"], system)) for system in systems)]
        for step in steps
    ]
    titles = ["Step", *(f"Time to 1 % at full rate, {system}" for system in systems)]
    return markdown.figures(titles, rows)


def time_cell(run):
    if run is None:
        return NONE
    if not solution.has_estimate(run):
        return NEVER
    seconds = solution.seconds_to_1pct(run)
    return NONE if seconds is None else numerals.duration(seconds)


# What was checked on a system


def system_parts(ladder, system, steps, found):
    """The errors of the steps on a system, how many entries are judged if not all are, and why some have no estimate."""
    runs = [(step, run_on(ladder, found, step["version"], system)) for step in steps]
    runs = [(step, run) for step, run in runs if run]
    if not runs:
        return []
    titles, of_run = zip(*COLUMNS)
    rows = [[cells.step(step), *(cell(run["outcome"]) for cell in of_run)] for step, run in runs]
    return [
        markdown.folded(f"The errors on {escaped(system)}", markdown.figures(["Step", *titles], rows)),
        *said_of([(step["version"], judged_text(run)) for step, run in runs]),
    ]


def said_of(versions):
    """A sentence for each text, with all versions that it is said of."""
    of_text = records.grouped((text, version) for version, text in versions if text)
    return [f"{text}: {', '.join(found)}." for text, found in of_text.items()]


def judged_text(run):
    """What a run says of entries without a verdict, or ""."""
    outcome = run["outcome"]
    if not solution.has_estimate(run):
        return f"No estimate, because {escaped(outcome['no_estimate'])}"
    if solution.is_judged_in_part(run):
        return f"{outcome['judged_entries']:,} of {outcome['entries']:,} entries of x are judged"
    return ""


def faults_parts(ladder, runs):
    """What the verdicts on programs with a fault say."""
    faulty = [run for run in runs if ladder.is_faulty(run["version"])]
    lines = [f"- {run['version']}: {cells.failure(run) or 'passed'}" for run in faulty]
    return [markdown.folded("Faults", ABOUT_FAULTS, "\n".join(lines))] if lines else []


def number(value):
    return NONE if value is None else numerals.three_digits(value)


def variance(outcome):
    return number(outcome["merit"] and outcome["merit"]["k"] / outcome["length"]["mean"])


def over_prediction(name):
    """The cell of a measured value, and in brackets its ratio to the predicted one."""

    def cell(outcome):
        found = outcome[name]
        if not found:
            return NONE
        ratio = f" ({found['relative'] / found['predicted']:.2f} ×)" if found["predicted"] > 0 else ""
        return f"{numerals.ratio_text(found['relative'])}{ratio}"

    return cell


def systematic(outcome):
    bias = (outcome["error"] or {}).get("systematic")
    return NONE if bias is None else numerals.ratio_text(bias)


def worst_functional(outcome):
    worst = outcome["verdict"]["functionals"]
    return f"{worst['sigma']:+.2f} of {worst['limit']:.2f}" if worst else NONE


def dispersion(outcome):
    ratio = outcome["verdict"]["dispersion"]
    return numerals.with_sd(ratio["value"], ratio["sd"], 1) if ratio else NONE


COLUMNS = (
    ("V", variance), ("L", lambda outcome: number(outcome["length"]["mean"])),
    ("K", lambda outcome: number(outcome["merit"] and outcome["merit"]["k"])), ("Error", over_prediction("error")), ("Largest known bias", systematic),
    ("Residual", over_prediction("residual")), ("Worst functional (sd)", worst_functional), ("Variance", dispersion),
)  # fmt: skip


# Chart


def chart(device, site):
    """Lines of some steps on the first system, and the errors that were measured along the way; None without any."""
    ladder, runs = site.ladder, {run["version"]: run for run in records.succeeded(device.result["runs"])}
    lines = [
        line_of(runs[step], step, ladder.hue(step), shortest_launch(ladder, device, step))
        | {"points": measured_points(runs[step])}
        for step in ladder.systems.error_lines
        if step in runs and runs[step]["outcome"]["merit"]
    ]
    if not lines:
        return None
    curves = curves_of(device, ladder)
    return {
        "chart": "merit",
        "title": sources.chart_title(
            ladder, device.name, f"relative error on {ladder.systems.names[0]} against GPU time"
        ),
        "note": "Lines: computed from rate and variance, dashed before the shortest launch. Dots: measured."
        + " CG: conjugate gradients." * bool(curves),
        "lines": lines,
        "curves": curves,
        "span": [1e-6, 1.0],
    }


def shortest_launch(ladder, device, step):
    """Seconds of the shortest launch that was measured of a step on the first system."""
    runs = launches_on(ladder, runs_of(device), step, ladder.systems.names[0])
    return min(map(records.shortest_ms, runs)) / 1e3


def measured_points(run):
    """The errors of a run so far, against the time that its work takes."""
    rate = run["per_ns"]["median"]
    return [point(work / rate / 1e9, error) for work, error in run["outcome"]["trace"] or [] if error]


def curves_of(device, ladder):
    """The curve of each solver that stands beside the steps: its error after some iterations, as far as it is not 0."""
    rows = peers.packages(device.peers) if device.peers else []
    return [
        {
            "label": ladder.systems.error_curves[row["version"]],
            "hue": ladder.hue(row["version"]),
            "points": [point(own["ms"] / 1e3, own["error"]) for own in row["points"] if own["error"] > 0],
        }
        for row in rows
        if row["version"] in ladder.systems.error_curves and peers.is_solver(row)
    ]
