"""What the sums of suite_words say: how far each is from that of fair words, and the smallest bias that would show."""

import math
from typing import NamedTuple

SIGNIFICANT = 1e-6  # a smaller p-value is a failure
SEEN = 5  # standard deviations at which a bias counts as seen

# Generators with known faults, which the tests must find, and what the fault is.
CONTROLS = {
    "unmixed_mrg": "MRG 20, 3 modulo 2^32 with nothing added",
    "shift_mrg": "MRG 20, 3 modulo 2^32 plus a shift, without the dot product in turns",
    "bad_dot_mrg": "MRG 17, 5 modulo 2^32 plus a dot product with the factor 9d89a3b9",
    "lcg": "LCG 1664525, 1013904223",
    "lcg_consecutive": "the same, seeded with base + thread",
}
# A failure of these tests is known of a generator that is used: bit b of v14's words has a parity with a mean of 2^-b.
KNOWN = {
    "mrg": "the parity of bit b of draws that the recurrence ties has a mean near 2^-b, which shows in every bit of these many words",
    "xorwow": "its lowest bits are linear, and these tests read whole words; v1 to v5 and v12 use the upper 24 bits",
}


class Use(NamedTuple):
    """A step that draws the words of a generator, and how many a sample takes."""

    step: str
    words: float


def _of_planes(*planes):
    """Words a sample of a bit-sliced step, whose levels take so many planes: 2^planes slots, of which those that are cut have four
    halves each in the next level; the last level cuts half of its slots, whose samples take two words.
    """
    words, left = 0, 1
    for own, following in zip(planes, [*planes[1:], planes[-1] + 1]):
        words, left = words + left * own / 32, left * 2.0 ** (following - 2 - own)
    return words + 2 * left


USES = {
    "alternating_mrg": Use("v23", _of_planes(5, 5, 6, 7, 8, 9, 10, 11)),
    "dot_mrg": Use("v20", _of_planes(5, 5, 6, 7, 8, 9, 10, 11)),
    "folded_mrg": Use("v15", _of_planes(6, 6, 7, 8, 9, 10)),
    "mrg": Use("v14", 2),
    "philox": Use("v6", 2),
    "shifted_mrg": Use("v27", 3.26 / 32),
    "xorwow": Use("v5", 2),
}


class Found(NamedTuple):
    """Statistics of a row that share their law."""

    name: str
    count: int  # of statistics
    largest: float  # deviation from that of fair words, in standard deviations, with its sign
    where: str  # which it is
    sees: float | None  # the smallest bias that would be SEEN

    @property
    def p(self):
        """The probability that the largest of as many is that far out (Bonferroni)."""
        return min(1.0, self.count * math.erfc(abs(self.largest) / math.sqrt(2)))


def found_in(row):
    """The statistics of a row, group by group."""
    return [_of_group(group) for group in row["groups"]] + [_of_largest(largest) for largest in row["largest"]]


def _of_group(group):
    sd = math.sqrt(group["terms"] * group["variance"])
    deviations = [total / sd for total in group["sums"]]
    number, largest = max(enumerate(deviations), key=lambda pair: abs(pair[1]))
    where = f"{group['what']} {group['first'] + number}" if len(deviations) > 1 else ""
    return Found(
        group["name"],
        len(deviations),
        largest,
        where,
        SEEN * math.sqrt(group["variance"] / group["terms"]) / group["unit"],
    )


def _of_largest(largest):
    root = math.sqrt(largest["terms"])
    return Found(largest["name"], largest["tested"], largest["sums"][0] / root, largest["of_draws"][0], SEEN / root)


def fails(found):
    return found.p < SIGNIFICANT


def words_to_see(row):
    """How many words show the fault that a row found, at SEEN; None if it found none."""
    failed = [found for found in found_in(row) if fails(found)]
    return row["words"] * (SEEN / max(abs(found.largest) for found in failed)) ** 2 if failed else None


def complaints(document):
    """What is not as it must be: a fault in a generator that is used, or a control of which no test finds the fault."""
    rows = document["rows"]
    bad = [
        f"{row['generator']}, {row['test']}{order_text(row)}: {found.name}: {found.largest:+.1f} sd"
        for row in rows if row["generator"] not in CONTROLS and row["generator"] not in KNOWN
        for found in found_in(row) if fails(found)
    ]  # fmt: skip
    controls = {row["generator"] for row in rows} & CONTROLS.keys()
    seen = {row["generator"] for row in rows if words_to_see(row)}
    return bad + [f"{name}: no test finds its fault" for name in sorted(controls - seen)]


def order_text(row):
    return "" if row["order"] == "stream" else f", first words of {row['order']}"


# Adding


def is_continued(row, more):
    """Whether the sums of two rows add up: of the same words and sums, of launches that they do not share."""
    same = all(row[name] == more[name] for name in ("generator", "test", "order", "seed", "size", "fingerprint"))
    apart = all(end <= first or last <= begin for begin, end in row["launches"] for first, last in more["launches"])
    return same and apart and not row["largest"] and not more["largest"]


def added(row, more):
    """The row of both rows' launches."""
    groups = [
        group
        | {"terms": group["terms"] + other["terms"], "sums": [a + b for a, b in zip(group["sums"], other["sums"])]}
        for group, other in zip(row["groups"], more["groups"])
    ]
    totals = {name: row[name] + more[name] for name in ("words", "seconds")}
    return row | totals | {"launches": _joined(row["launches"] + more["launches"]), "groups": groups}


def _joined(ranges):
    """Ranges of launches, neighbours as one."""
    joined = []
    for begin, end in sorted(ranges):
        if joined and joined[-1][1] == begin:
            joined[-1] = [joined[-1][0], end]
        else:
            joined.append([begin, end])
    return joined
