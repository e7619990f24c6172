"""Peers: the same work written for other packages, beside versions of the ladder on the same machine."""

from suite import markdown
from suite.analyse import peers
from suite.markdown import LEFT, RIGHT, escaped
from suite.render import cells, sources

HEADING = "Peers"
OWN = "this suite"

ABOUT = """Short programs for other packages do the same work, each with its own generator. Beside them stand versions
of the ladder, measured on the same machine."""


def section(device, site):
    if device.peers is None:
        return []
    about = f"{sources.filled(ABOUT)} {sources.data(device, 'peers')}"
    titles = titles_of(site.ladder)
    return [
        about,
        markdown.folded("The rates", table(device.peers, site.ladder, titles)),
        *without_result(peers.packages(device.peers), titles),
        *sources.warnings_of_study(device.peers["runs"]),
    ]


def titles_of(ladder):
    """What tables call the packages, by name."""
    packages = ladder.peers.packages if ladder.peers else {}
    return {name: peer.title or name for name, peer in packages.items()}


def table(document, ladder, names):
    """The versions, then the peers that were measured, and how many times as fast as each every version is."""
    runs = peers.versions(document)
    columns = [
        ("Program", LEFT, lambda row: title(row, names) if "package" in row else cells.step(row)),
        ("Package", LEFT, lambda row: escaped(row.get("package", OWN))),
        ("Generator", LEFT, lambda row: escaped(row["generator"])),
        (ladder.rate, RIGHT, cells.median),
        *((f"{run['version']} is × times as fast", RIGHT, ratio_of(run)) for run in runs),
    ]
    return cells.table(columns, runs + [peer for peer in peers.packages(document) if "per_ns" in peer])


def ratio_of(run):
    return lambda row: cells.ratio(run["per_ns"], row["per_ns"])


def title(peer, names):
    return escaped(names.get(peer["version"], peer["version"]))


def without_result(rows, names):
    """A line that says why peers have no row."""
    reasons = [f"{title(row, names)} ({reason(row)})" for row in rows if "per_ns" not in row]
    return [f"Without a result: {'; '.join(reasons)}."] if reasons else []


def reason(row):
    """Why a peer was not measured."""
    return escaped(row["missing"]) if "missing" in row else f"failed: {markdown.code(row['error'])}"
