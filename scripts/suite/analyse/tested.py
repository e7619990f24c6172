"""How far the words that a run draws were tested: how many bytes of such words, and what part of its own that is."""

from suite.analyse import verdicts
from suite.documents import records

# Bytes of a word that are used, and that PractRand reads.
USED_BYTES = {verdicts.IN_24_BITS: 3, verdicts.BUT_PARITY: 3, verdicts.SOUND: 4, verdicts.IN_BIT_PLANES: 4}


def with_tested(device, ladder, document):
    """The documents of a device on a ladder, whose runs have `tested` if tests read the words that they draw."""
    amounts = amounts_of(document) if document else {}
    names = [name for name in ("result", "ablations", "merit") if getattr(device, name)]
    runs = {name: [with_amount(run, ladder, amounts) for run in getattr(device, name)["runs"]] for name in names}
    return device._replace(**{name: getattr(device, name) | {"runs": own} for name, own in runs.items()})


def amounts_of(document):
    """What was tested of the words that are called sound, in bytes, by generator and use."""
    sizes = {
        (row["generator"], row["verdict"]): verdicts.tested_bytes(row, document)
        for row in document["rows"]
        if row["verdict"] in verdicts.CALLED_SOUND
    }
    return {key: size for key, size in sizes.items() if size}


def with_amount(run, ladder, amounts):
    size = None if records.has_failed(run) else amounts.get((run.get("generator"), run.get("soundness")))
    return run if size is None else run | {"tested": {"bytes": size, "part": size / drawn_bytes(run, ladder)}}


def drawn_bytes(run, ladder):
    """The words that the timed launches of a run draw, in bytes that are used of them."""
    return run["work"] * run["launches"] * ladder.words_of(run["version"]) * USED_BYTES[run["soundness"]]
