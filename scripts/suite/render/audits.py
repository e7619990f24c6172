"""What a page says of the audits of its rows."""

from suite.render import cells, quality
from suite.render.sources import filled

ABOUT = """Audited after the last timing: {launches} launches of each row, chosen at random among those that were timed.{without}
[How](../../docs/method.md#audit)."""


def note(device):
    """How many launches the host replayed, and of which rows none; nothing where no row has an audit, as in older results."""
    known = [run for run in cells.in_step_order(device.result["runs"]) if "audit" in run]
    audits = [(run["audit"]["full"], run["audit"]["brief"]) for run in known if run["audit"]]
    counts = [sum(part["launches"] for part in audit if part) for audit in audits]
    if not counts:
        return []
    least, most = min(counts), max(counts)
    launches = least if least == most else f"{least} to {most}"
    without = quality.versions_text([run["version"] for run in known if not run["audit"]])
    return [filled(ABOUT, launches=launches, without=f" None of {without}." if without else "")]
