"""Which planted faults were found on a GPU, faults.json: a row for each command line that must find one."""

from suite.documents import kinds, stored


def load_stored(results):
    """The stored document in the folder results/; None without one."""
    return stored.load_if_there(results, kinds.FAULTS)


def missed(rows):
    """Those of command lines that did not find their fault."""
    return [row for row in rows if row["caught"] is False]
