"""Solvers without random numbers, and Monte Carlo as a part of one, beside the best steps of the ladder."""

from typing import NamedTuple

from suite import markdown, numerals
from suite.analyse import peers
from suite.documents import solution
from suite.markdown import LEFT, NONE, RIGHT, escaped
from suite.render import cells, sources
from suite.render.sections.peers import OWN, without_result
from suite.render.sections.systems import launches_on, runs_of

HEADING = "Other solvers"
METHODS = {
    "cg": "Conjugate gradients", "bicgstab": "BiCGSTAB", "jacobi": "Jacobi's iteration", "ldlt": "Factorisation, LDLᵀ",
    "lu": "Factorisation, LU", "mcsa": "Monte Carlo synthetic acceleration",
}  # fmt: skip
RANDOM = "mcsa"
PROCESSORS = {"gpu": "GPU", "cpu": "CPU"}
BEST = 3  # steps beside the solvers of a system

ABOUT = """Other ways to solve the same systems, on the same machine, up to a residual of 10⁻⁸ of the norm of b. Errors are relative
to the norm of x. Preparation (upload, analysis of the matrix) is not part of the times. Krylov methods have the diagonal as
preconditioner. On the GPU a time is that of a solve by the GPU's clock, with its launches and the checks of the residual between
graphs of iterations; that of mcls_solve is by the host's clock, of one solve. That of a step is K · 10⁴ transitions at its
rate, but not less than a launch takes; where usual launches take longer, some just long enough are measured, too: {short}. The {best} steps are shown
that come to 1 % first. Of the other solvers it is the time of the first iteration within 1 %, interpolated between measured ones.
Eigen's products run on every core of the CPU. A dash: not reached, or not applicable."""

SLOWER = "{step} takes {factor} times as long as the fastest solver without random numbers"
FASTER = "{step} is {factor} times as fast as the fastest solver without random numbers"
COMPARED = "To an error of 1 %, {first} ({rival}, {package}){end}.{guide} Each further digit costs the step a hundred times as much."
GUIDE = " The step is guided by {sweeps} sweeps of Jacobi's iteration, which come close to the solution and are not part of its time."


class Entry(NamedTuple):
    """A way to solve a system."""

    name: str
    package: str
    iterations: str
    prepare: str
    ms_to_1pct: float | None
    ms_to_tolerance: float | None = None
    sweeps: int | None = None  # that guide a step


def section(device, site):
    if device.peers is None:
        return []
    rows, steps, found = peers.packages(device.peers), cells.steps_of(device.result["runs"]), runs_of(device)
    return [
        f"{about(site.ladder)} {sources.data(device, 'peers')}",
        *(
            part
            for system in site.ladder.systems.names
            for part in system_parts(site.ladder, system, steps, found, rows)
        ),
        *without_result([row for row in rows if not peers.is_solver(row)], {}),
    ]


def about(ladder):
    short = (f"{histories:,} histories on {system}" for system, histories in ladder.systems.short.items())
    return sources.filled(ABOUT, short=", ".join(short), best=BEST)


def system_parts(ladder, system, steps, found, rows):
    """The table of a system, and what it says."""
    solvers = [row for row in rows if peers.is_solver(row) and row["system"] == system]
    if not solvers:
        return []
    best, others = best_steps(ladder, system, steps, found), [entry_of(row) for row in solvers]
    exact = [entry_of(row) for row in solvers if row["method"] != RANDOM]
    return [markdown.folded(f"The solvers of {escaped(system)}", table([*best, *others])), *comparison(best, exact)]


def table(entries):
    titles = ["Solver", "Package", "Iterations", "Preparation", "Time to 1 %", "Time to a residual of 10⁻⁸"]
    rows = [[*entry[:4], time_text(entry.ms_to_1pct), time_text(entry.ms_to_tolerance)] for entry in entries]
    return markdown.table(titles, [LEFT, LEFT, *[RIGHT] * 4], rows)


def best_steps(ladder, system, steps, found):
    """The steps that come to 1 % first, fastest first."""
    entries = [entry for step in steps if (entry := entry_of_step(ladder, system, step, found))]
    return sorted(entries, key=lambda entry: entry.ms_to_1pct)[:BEST]


def entry_of_step(ladder, system, step, found):
    """A step with the launches that come to 1 % first; None if none do."""
    runs = launches_on(ladder, found, step["version"], system)
    timed = [(seconds, run["problem"]) for run in runs if (seconds := solution.measured_seconds_to_1pct(run))]
    if not timed:
        return None
    seconds, problem = min(timed, key=lambda pair: pair[0])
    prepare = time_text(problem["prepare_ms"])
    return Entry(cells.step(step), OWN, NONE, prepare, 1e3 * seconds, sweeps=problem.get("sweeps"))


def entry_of(solver):
    last = solver["points"][-1]
    where = "one block of a GPU" if solver["version"].startswith("block_") else PROCESSORS[solver["processor"]]
    return Entry(
        f"{METHODS.get(solver['method'], escaped(solver['method']))}, {where}",
        escaped(solver["package"]),
        f"{last['iterations']:,}{'' if solver['reached'] else ' (not reached)'}",
        time_text(solver["prepare_ms"]),
        peers.ms_to_error(solver),
        peers.ms_to_tolerance(solver),
    )


def time_text(ms):
    return numerals.duration(ms / 1e3) if ms else NONE


def comparison(steps, solvers):
    """A sentence on the fastest step and the fastest solver without random numbers."""
    rival = min((entry for entry in solvers if entry.ms_to_1pct), key=lambda entry: entry.ms_to_1pct, default=None)
    if not steps or rival is None:
        return []
    factor = steps[0].ms_to_1pct / rival.ms_to_1pct
    text, ratio = (SLOWER, factor) if factor > 1 else (FASTER, 1 / factor)
    first = text.format(step=steps[0].name, factor=numerals.three_digits(ratio))
    end = f", which has a residual of 10⁻⁸ after {time_text(rival.ms_to_tolerance)}" if rival.ms_to_tolerance else ""
    guide = GUIDE.format(sweeps=steps[0].sweeps) if steps[0].sweeps else ""
    return [COMPARED.format(first=first, rival=rival.name, package=rival.package, end=end, guide=guide)]
