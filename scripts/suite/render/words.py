"""The section of the page of random numbers on tests that read as many words as steps draw, of results/words.json."""

from suite import markdown, numerals
from suite.analyse import words
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, escaped
from suite.render import cells, sources
from suite.render.sources import filled

ABOUT = """`make quality-words` reads the words of each generator on the GPU, from other streams than the steps' usual seed has: seed
{seed}. Each statistic is a sum with a known mean and variance, were the words fair. The first table says how many words were read
at most, and how long a step draws as many at its stored rate."""

DEVIATIONS = """The largest deviation of each test in standard deviations, and of how many statistics it is the largest. Of n fair
statistics the largest is within 5 standard deviations with the probability 1 − n × 6 × 10⁻⁷; a test fails below 10⁻⁶. "Sees" is the smallest
bias that would be 5 standard deviations in as many words: the mean of (−1)^parity, a correlation, or a variance relative to that of fair
words. s and r are the lags of the generator's recurrence, for others 3 and 20 (XORWOW: 1 and 5); even and odd n are told apart.
**First words** are the first 16 words of successive threads, launches or seeds, as one sequence: n − 16 is the same word of the stream
before."""

CONTROLS = """Generators with known faults: the tests that find them, and how many words show the fault at 5 standard deviations."""

NAMES = {
    "bits": "each bit", "pair": "parity of n, n − s", "recurrence": "parity of n, n − s, n − r", "doubled": "parity of n, n − 2s, n − 2r",
    "squared": "parity of n, n − 2s, n − 2r and n − r one bit lower", "cubed": "parity of n, n − 3s, n − r, n − 2r, n − 3r",
    "substituted": "parity of n, n − 2s, n − r, n − r − s", "substituted_far": "parity of n, n − s, n − r − s, n − 2r",
    "neighbours": "parity of n, n − s, n − r and the three before", "turned": "parity of n, n − s and n − r turned by 1 to 31 bits",
    "lags": "ones of words 0 to 64 apart", "blocks": "ones of 640 to 1,024,000 words", "products": "products of ones at the lags",
    "successive": "every parity of 21 successive draws of a lane", "tied": "every parity of 14 draws of a lane up to 43 apart",
}  # fmt: skip


def section(document, runs):
    """The section's parts; none without a document. runs are those of pi's steps, for their rates."""
    if not document:
        return []
    rows = document["rows"]
    seeds = ", ".join(f"{seed}" for seed in sorted({row["seed"] for row in rows}))
    return [
        "## As many words as steps draw",
        f"{filled(ABOUT, seed=seeds)} {origin(document)}",
        amounts(rows, runs),
        markdown.folded("The deviations", deviations(rows), filled(DEVIATIONS)),
        *known(rows),
        filled(CONTROLS),
        controls(rows),
    ]


def origin(document):
    device = escaped(document["context"]["device"]["name"])
    return f"Data: {sources.link('words.json')}, on {device}, {sources.commit_text(document)}."


def generators(rows):
    """Those that steps use, in the order of the rows."""
    return [name for name in dict.fromkeys(row["generator"] for row in rows) if name not in words.CONTROLS]


def amounts(rows, runs):
    """How many words of each generator were read, by one test and in all, and how long its step draws as many."""
    read = records.grouped((row["generator"], row["words"]) for row in rows)
    columns = [
        ("Generator", LEFT, str),
        ("Words of one test", RIGHT, lambda name: numerals.scientific(max(read[name]))),
        ("Of all tests", RIGHT, lambda name: numerals.scientific(sum(read[name]))),
        ("As much as", LEFT, lambda name: drawn_text(words.USES[name], max(read[name]), runs)),
    ]
    return cells.table(columns, generators(rows))


def drawn_text(use, count, runs):
    """'v23 draws in 2 min', at its stored rate."""
    run = next((run for run in records.succeeded(runs) if run["version"] == use.step), None)
    if not run:
        return NONE
    seconds = count / use.words / run["per_ns"]["median"] / 1e9
    return f"{use.step} draws in {numerals.duration(seconds)}"


def deviations(rows):
    """A row for each test, with a column for each generator."""
    names = generators(rows)
    own = [row for row in rows if row["generator"] in names]
    tests = records.grouped(((row["test"], row["order"] != "stream"), row) for row in own)
    lines = []
    for (test, first_words), found in tests.items():
        of_name = records.grouped((row["generator"], row) for row in found)
        title = NAMES[test] + (" (first words)" if first_words else "")
        sees = [one.sees for row in found for one in words.found_in(row)]
        lines.append([title, sees_text(sees), *[largest_text(of_name.get(name)) for name in names]])
    return markdown.figures(["Test", "Sees", *names], lines)


def sees_text(sees):
    """One bias, or the least and the greatest."""
    ends = [numerals.scientific(value) for value in (min(sees), max(sees))]
    return " to ".join(dict.fromkeys(ends))


def largest_text(rows):
    """'−2.65 of 64 (10¹⁵)': the deviation that is least probable, of how many, and the words that were read."""
    if not rows:
        return NONE
    found = [found for row in rows for found in words.found_in(row)]
    worst = min(found, key=lambda one: one.p)
    failed = "**" if words.fails(worst) else ""
    count = sum(one.count for one in found)
    return f"{failed}{worst.largest:+.2f}{failed} of {count:,} ({numerals.scientific(max(row['words'] for row in rows))})".replace(
        "-", "−", 1
    )


def known(rows):
    """What is known of generators that fail here and are used all the same."""
    return [f"{name}: {words.KNOWN[name]}." for name in generators(rows) if name in words.KNOWN]


def controls(rows):
    """Each control with the tests that find its fault, those that need the fewest words first."""
    lines = []
    for name, about in words.CONTROLS.items():
        own = [row for row in rows if row["generator"] == name]
        if not own:
            continue
        seen = sorted((words.words_to_see(row), test_text(row)) for row in own if words.words_to_see(row))
        passed = [test_text(row) for row in own if not words.words_to_see(row)]
        lines.append([f"{name}: {about}", "; ".join(f"{test} {numerals.scientific(count)}" for count, test in seen) or "nothing",
                      ", ".join(passed) or "none"])  # fmt: skip
    return markdown.table(["Control", "Found by, from so many words on", "Passed"], [LEFT] * 3, lines)


def test_text(row):
    return row["test"] + ("" if row["order"] == "stream" else f" of {row['order']}")
