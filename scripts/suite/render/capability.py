"""The page of the compute capabilities, results/capability.md: what each step needs on each of them, and what refuses to run there."""

from suite import markdown
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, escaped
from suite.render import sources

ABOUT = """What the main kernel of each step needs on GPUs of other compute capabilities: registers of a thread, warps that are
resident on a multiprocessor, and the bytes that a thread spills, if there are any (stored / loaded). Nothing was run there. {compiler}
compiled the steps, {commit}, and NVIDIA's occupancy calculator gave the warps. Threads and dynamic shared memory of a block are those
of the stored runs of an H200. A step has a second row if its program needs more shared
memory with other options. **refuses**: a block needs more shared memory than this GPU has for one. The program then ends with exit code
3, and its one line says how much it needs, and how much there is. A step whose work is done by a library's kernel, or by several, has no numbers. Data:
[capability.json](capability.json)."""


def page(document, ladders):
    """The text of the page: what refuses, and a table for each ladder."""
    compiler = escaped(document["context"]["compiler"])
    about = sources.filled(ABOUT, compiler=compiler, commit=sources.commit_text(document))
    parts = [about, "## What refuses to run", refusals_table(document)]
    for ladder in ladders:
        rows = [row for row in document["steps"] if row["suite"] == ladder.suite]
        parts += [f"## Ladder {ladder.suite}", table(document, rows), *errors(rows)] if rows else []
    return sources.page("Steps by compute capability", *parts)


def refusals_table(document):
    """The shared memory of each compute capability, and the steps that need more."""
    rows = []
    for limit in document["limits"]:
        name = limit["capability"]
        refused = records.grouped(
            (row["suite"], row["version"])
            for row in document["steps"]
            if any(cell["capability"] == name and cell.get("warps") == 0 for cell in row["capabilities"])
        )
        text = "; ".join(f"{suite} {', '.join(versions)}" for suite, versions in refused.items())
        sizes = [size(limit[f"shared_per_{part}"]) for part in ("multiprocessor", "block")]
        rows.append([name, str(limit["warps"]), *sizes, text or NONE])
    titles = [
        "Compute capability",
        "Most warps of a multiprocessor",
        "Its shared memory",
        "Most of a block",
        "Refuse to run",
    ]
    return markdown.table(titles, [RIGHT] * 4 + [LEFT], rows)


def table(document, rows):
    names = [limit["capability"] for limit in document["limits"]]
    cells = [
        [row["version"], markdown.shown(row["threads"], "{}"), shared(row), *map(shown, row["capabilities"])]
        for row in rows
    ]
    return markdown.figures(["Step", "Threads", "Shared memory", *names], cells)


def shared(row):
    """The most shared memory that a block needs on any of them: the static part differs a little."""
    known = [cell["shared_bytes"] for cell in row["capabilities"] if cell.get("shared_bytes") is not None]
    return size(max(known)) if known else NONE


def size(count):
    return f"{count} B" if count < 1024 else f"{round(count / 1024, 1):g} KiB"


def shown(cell):
    """What a table says of a step on a compute capability."""
    if "error" in cell:
        return NONE
    if "registers" not in cell:
        return "builds"
    spilled = cell["spill_stores"], cell["spill_loads"]
    spills = " · spills {} / {} B".format(*spilled) if any(spilled) else ""
    warps = {None: "", 0: " · **refuses**"}.get(cell["warps"], f" · {cell['warps']} warps")
    return f"{cell['registers']} regs{warps}{spills}"


def errors(rows):
    """A list of why steps do not compile, if any."""
    pairs = [(row["version"], cell) for row in rows for cell in row["capabilities"] if "error" in cell]
    found = records.grouped(((cell["capability"], cell["error"]), version) for version, cell in pairs)
    lines = [f"- {name}: {escaped(error)}: {', '.join(versions)}" for (name, error), versions in found.items()]
    return ["\n".join(lines)] if lines else []
