"""Put what was measured where results are kept, beside what is there already.

A document is rows under one context. What a script measured anew replaces the
stored rows of the same name; all others stay, if they are of the same build
and machine. If they are not, the stored file is left as it is.
"""

from suite.command import DONE, FAILED, Stop, write_file
from suite.documents import files, records
from suite.documents.records import SHARED_CONTEXT
from suite.documents.schema import ResultError

SAME_BUILD = (*SHARED_CONTEXT, "ncu")


def keep(document, kind, options):
    """Store a document in the folder of its device and print the path. Raises Stop if it went elsewhere or a row failed."""
    target = store(document, kind, *folders(document["context"], options))
    print(f"wrote {target}", flush=True)
    return end(document, kind, target)


def end(document, kind, target):
    """The exit code of a command that stored a document. Raises Stop if a row failed."""
    failed = dict.fromkeys(row[kind.key[0]] for row in document[kind.rows] if records.is_failure(row))
    if failed:
        raise Stop(FAILED, f"{target} has no new rows of {', '.join(failed)}")
    return DONE


def store(document, kind, folder, aside, finished=None, replaces=False):
    """Store a document in a folder, in place of what is there or joined with it; returns the path.

    finished has the keys of the groups of rows that are complete; None: of all that did not fail. Raises Stop where it went
    aside: it does not belong to the stored rows, or it cannot be put in place of what is there.
    """
    try:
        return put(folder, document if replaces else joined(kind.stored_in(folder), document, kind, finished), kind)
    except ResultError as error:
        raise Stop(FAILED, f"{error}; the new result is in {put(aside, document, kind)}") from None
    except Stop as end:  # a folder of another user
        raise Stop(end.code, f"{end.lines[0]}; the new result is in {put(aside, document, kind)}") from None


def folders(context, options, suffix=""):
    """The folder of a device's results, and the one beside the programs for what cannot go there. The CPU counts as one."""
    device = context["device"]
    slug = (records.device_slug(device["name"]) if device else "cpu") + suffix
    return options.out / slug, options.bin / "results" / slug


def put(folder, document, kind):
    """Write a document into a folder, whatever is there; returns the path. Raises Stop."""
    path = kind.path_in(folder)
    write_file(path, files.to_text(kind.thinned(document)))
    return path


def joined(before, document, kind, finished):
    """The document with the stored rows that it has none in place of.

    Rows of what has failed, or is not finished, take no place where others of the same build are stored: they join them.
    Raises ResultError where stored rows of another build would be lost.
    """
    before = before or document | {kind.rows: []}
    if kind.of_commits:
        before = _with_commit_in_rows(before, document["context"]["commit"], kind)
    old, new = grouped(before[kind.rows], kind), grouped(document[kind.rows], kind)
    whole = {key for key, own in new.items() if not any(map(records.has_failed, own))} if finished is None else finished
    lost = [key for key in old if key not in new or finished is not None and key not in whole]
    difference = context_difference(before["context"], document["context"])
    if difference and lost:
        names = ", ".join(" ".join(key) for key in lost)
        raise ResultError(f"{kind.name}.json has rows of {names} from {difference}: measure them too, or remove it")
    if difference:
        return document
    rows = old | {key: own if key in whole else united(old.get(key, []), own, kind) for key, own in new.items()}
    keys = sorted(rows, key=lambda key: kind.order(key[0])) if kind.order else rows
    context = _with_least_idle_power(document["context"], before["context"])
    return before | document | {"context": context, kind.rows: [row for key in keys for row in rows[key]]}


def _with_commit_in_rows(document, commit, kind):
    """The document as one of this commit, whose rows of another one name that."""
    named = [{"commit": document["context"]["commit"]} | row for row in document[kind.rows]]
    rows = [{name: row[name] for name in row if (name, row[name]) != ("commit", commit)} for row in named]
    return document | {"context": document["context"] | {"commit": commit}, kind.rows: rows}


def _with_least_idle_power(context, before):
    """The context, with the idle power of that before if it is lower: a GPU that computed a moment ago draws more."""
    name = "idle_power_w"
    return context | ({name: min(context[name], before[name])} if context.get(name) and before.get(name) else {})


def united(old, new, kind):
    """The rows of what was not measured to its end, with the stored ones that it did not come to, in their order: what is measured
    anew takes the place of its row. A failure is told without stored ones.
    """
    measured = {_inner(row, kind): row for row in records.succeeded(new)}
    rows = {_inner(row, kind): row for row in records.succeeded(old)}
    only_new = measured.keys() >= rows.keys()
    return [*(rows | measured).values(), *(filter(records.has_failed, new) if only_new else [])]


def _inner(row, kind):
    return tuple(row.get(name) for name in kind.inner)


def grouped(rows, kind):
    """Rows by what they are called, in the order of the first of each."""
    return records.grouped((tuple(row.get(name) for name in kind.key), row) for row in rows)


def rows_of_build(kind, folder, context):
    """The rows that a folder has of a build and machine. A modified checkout has none: two may differ under one commit."""
    try:
        before = None if context["commit"] is None or context["dirty"] else kind.stored_in(folder)
    except ResultError:
        before = None  # what cannot be read has no rows
    return before[kind.rows] if before and not context_difference(before["context"], context) else []


def context_difference(before, now):
    """What kept these two contexts apart, in words; "" if rows of both belong together."""
    differing = [field for field in SAME_BUILD if _differs(before.get(field), now.get(field))]
    return f"another {' and another '.join(differing)}" if differing else ""


def _differs(fact, other):
    """Whether two facts differ, in what both documents record of it."""
    if isinstance(fact, dict) and isinstance(other, dict):
        return any(_differs(fact[name], other[name]) for name in fact.keys() & other.keys())
    return fact != other
