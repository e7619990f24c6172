"""The candidates for the generator of a step, in the story of a ladder."""

from suite import markdown, naming
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, escaped
from suite.render import cells, quality


def candidate_table(runs, document, rate_title):
    """What the candidates for a step's generator cost and buy, beside that step."""
    titles = ["Candidate", "Generator", rate_title, "× the step", "Registers", "Verdict"]
    rates = {run["version"]: run["per_ns"] for run in records.succeeded(runs)}
    rows = [candidate_row(run, rates, document) for run in runs]
    return markdown.table(titles, [LEFT, LEFT, RIGHT, RIGHT, RIGHT, LEFT], rows)


def candidate_row(run, rates, document):
    tested = row_of(run["version"], document) if document else None
    step = run["version"] if naming.is_step(run) else run.get("after")
    own, base = run.get("per_ns"), rates.get(step)
    ratio = f"{own['median'] / base['median']:.2f}" if own and base else NONE
    verdict = quality.trust_of_run(run, tested["verdict"]) if tested else run.get("soundness") or NONE
    generator, registers = escaped(run.get("generator", NONE)), str(run.get("registers", NONE))
    return [run["version"], generator, cells.median(run), ratio, registers, verdict]


def row_of(version, document):
    """The row of the source that a version uses, None if there is none."""
    return next((row for row in document["rows"] if version in row["versions"]), None)
