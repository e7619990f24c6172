"""Which planted faults were found on a GPU, faults.json: a row for each command line that must find one."""


def missed(rows):
    """Those of command lines that did not find their fault."""
    return [row for row in rows if row["caught"] is False]
