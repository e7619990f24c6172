"""Put what was measured where results are kept, beside what is there already.

A document is rows under one context. What a script measured anew replaces the
stored rows of the same name; all others stay, if they are of the same build
and machine. If they are not, the stored file is left as it is.
"""

from suite.command import DONE, FAILED, UNWRITTEN, Stop
from suite.documents import checks, files, result
from suite.documents.document import SHARED_CONTEXT

SAME_BUILD = (*SHARED_CONTEXT, "ncu")


def keep(document, kind, options, suffix=""):
    """Store a document in the folder of its device and print the path. Raises Stop if it went elsewhere or a row failed."""
    target = store(document, kind, *folders(document["context"], options, suffix))
    print(f"wrote {target}", flush=True)
    failed = dict.fromkeys(row[kind.key[0]] for row in document[kind.rows] if checks.has_failed(row))
    if failed:
        raise Stop(FAILED, f"{target} has no new rows of {', '.join(failed)}")
    return DONE


def store(document, kind, folder, aside):
    """Store a document in a folder, and what is stored there with it; returns the path. Raises Stop.

    What does not belong to the stored rows, or finds a broken file in its place, is written into the folder aside.
    """
    try:
        return put(folder, joined(read(folder, kind), document, kind), kind)
    except checks.ResultError as error:
        other = put(aside, document, kind)
        raise Stop(FAILED, f"{error}; the new result is in {other}") from None


def folders(context, options, suffix=""):
    """The folder of a device's results, and the one beside the programs for what cannot go there. The CPU counts as one."""
    device = context["device"]
    slug = (result.device_slug(device["name"]) if device else "cpu") + suffix
    return options.out / slug, options.bin / "results" / slug


def read(folder, kind):
    """The stored document; None where there is no regular file, to which nothing can be added."""
    path = kind.path_in(folder)
    return kind.document.load(path) if path.is_file() else None


def put(folder, document, kind):
    """Write a document into a folder, whatever is there; returns the path. Raises Stop."""
    path = kind.path_in(folder)
    try:
        files.write_text(path, kind.text(document))
    except OSError as error:
        raise Stop(UNWRITTEN, f"{path} could not be written: {error.strerror or error}") from None
    return path


def joined(before, document, kind):
    """The document with the stored rows that it has none in place of.

    A row that failed takes no place where one of the same build is stored. Raises ResultError where stored rows of
    another build would be lost.
    """
    if before is None:
        return document
    old, new = grouped(before[kind.rows], kind), grouped(document[kind.rows], kind)
    lost = [key for key in old if key not in new]
    difference = context_difference(before["context"], document["context"])
    if difference and lost:
        names = ", ".join(" ".join(key) for key in lost)
        raise checks.ResultError(f"{kind.name}.json has rows of {names} from {difference}: measure them too, or remove it")
    if difference:
        return document
    rows = old | {key: group for key, group in new.items() if key not in old or not checks.has_failed(group[0])}
    keys = sorted(rows, key=lambda key: kind.order(key[0])) if kind.order else rows
    known = {name: value for name, value in document.items() if value is not None}  # of runs without MPI its name is null
    return before | known | {kind.rows: [row for key in keys for row in rows[key]]}


def grouped(rows, kind):
    """Rows by what they are called, in the order of the first of each."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in kind.key), []).append(row)
    return groups


def context_difference(before, now):
    """What kept these two contexts apart, in words; "" if rows of both belong together."""
    differing = [field for field in SAME_BUILD if before.get(field) != now.get(field)]
    return f"another {' and another '.join(differing)}" if differing else ""
