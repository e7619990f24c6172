"""Peers: the same work written for other packages, beside versions of the ladder on the same machine."""

from suite import markdown
from suite.analyse import peers
from suite.markdown import LEFT, escaped
from suite.render import cells, sources
from suite.render.sections import rates

HEADING = "Peers"
OWN = "this suite"

ABOUT = """Short programs for other packages do the same work, each with its own generator. Versions of the ladder, measured on
the same machine, stand beside them. What launches from Python or runs on the CPU also depends on the host."""


def section(device, site):
    if device.peers is None:
        return []
    titles = titles_of(site.ladder)
    return [
        f"{sources.filled(ABOUT)} {sources.data(device, 'peers')}",
        markdown.folded("The rates", table(device.peers, site.ladder, titles)),
        *without_result(peers.packages(device.peers), titles),
        *sources.warnings_of_study(device.peers["runs"]),
    ]


def titles_of(ladder):
    """What tables call the packages, by name."""
    packages = ladder.peers.packages if ladder.peers else {}
    return {name: peer.title or name for name, peer in packages.items()}


def table(document, ladder, names):
    """The versions, then the peers that were measured."""
    rows = peers.versions(document) + [peer for peer in peers.packages(document) if "per_ns" in peer]
    columns = [
        ("Program", LEFT, lambda row: title(row, names) if "package" in row else cells.step(row)),
        ("Package", LEFT, lambda row: escaped(row.get("package", OWN))),
        ("Generator", LEFT, lambda row: escaped(row["generator"])),
        cells.rate_column(ladder),
    ]
    return cells.table(columns, rows)


def title(peer, names):
    return escaped(names.get(peer["version"], peer["version"]))


def without_result(rows, names):
    """A line that says why peers have no row."""
    reasons = [f"{title(row, names)} ({reason(row)})" for row in rows if "per_ns" not in row]
    return [f"Without a result: {'; '.join(reasons)}."] if reasons else []


def reason(row):
    """Why a peer was not measured."""
    return escaped(row["missing"]) if "missing" in row else f"failed: {markdown.code(row['error'])}"


# Chart


def chart(device, site):
    """A bar for each package, for the first of the versions beside them, and for the fastest step; None without a package."""
    packages = [row for row in peers.packages(device.peers) if "per_ns" in row] if device.peers else []
    if not packages:
        return None
    best, unit = cells.best(device.result["runs"]), site.ladder.unit
    own = peers.versions(device.peers)[:1]
    own += [run for run in device.result["runs"] if run["version"] == best != own[0]["version"]] if own else []
    rows = sorted(own + packages, key=lambda row: row["per_ns"]["median"], reverse=True)
    return {
        "chart": "rates",
        "title": sources.chart_title(site.ladder, device.name, f"{unit}s per nanosecond of other packages"),
        "note": f"{best}: the fastest step of the ladder, from the table of its steps. {cells.FEW}: fewer than {cells.ENOUGH} timings.",
        "unit": unit,
        "columns": [""],
        "is_bars": True,
        "rows": [bar(row, titles_of(site.ladder)) for row in rows],
        "lines": [],
        "range": [0, rows[0]["per_ns"]["median"]],
    }


def bar(row, titles):
    """A row of the chart; packages of one title are called by their generators."""
    if "package" not in row:
        return rates.row(row, []) | {"label": f"{row['version']}, {OWN}"}
    name = titles.get(row["version"], row["version"])
    several = list(titles.values()).count(name) > 1
    return rates.row(row, []) | {"label": row["generator"] if several else name, "kind": "package"}
