"""The first table of the page of random numbers: what each generator may be used for, which steps use it, and how far it was tested."""

from suite import markdown, naming, numerals
from suite.analyse import batteries, draws, verdicts
from suite.documents import records
from suite.markdown import LEFT, NONE, RIGHT, escaped
from suite.render import cells, quality, sources

ABOUT = """A step draws words of 32 bits. It may use them as **whole words**; only their **upper 24 bits**, if a lower bit is linear;
or in **bit planes**, where each bit of a word belongs to another sample. A generator that may be used for **nothing** has a fault
and is there for demonstration. PractRand: what its longest run read; of every form in use it has read {least} at least; in brackets, what part
that is of the words of the longest stored run of a user. TestU01: the battery that every form in use has passed, and BigCrush on one form.
The tests of every form read the words of seed {seed} and launch 0, in three orders: of one stream, of 1,024 and of 65,536 in turn. A second of a
fast step draws many times as many, and that these tests found no fault is no proof. No test here read the words of the last rows, which have no results; their use is what the steps declare."""

USES = {  # in the order of the table
    verdicts.SOUND: "whole words", verdicts.IN_24_BITS: "upper 24 bits", verdicts.BUT_PARITY: "upper 24 bits but for a parity",
    verdicts.IN_BIT_PLANES: "bit planes",
    verdicts.QUASI_RANDOM: "quasi-random points", verdicts.DEMONSTRATION: "nothing", verdicts.NOT_TESTED: "not tested",
}  # fmt: skip


ONE_DRAW = """The stored runs of the ladders have {seeds}. So steps with one generator draw the same random numbers, in whole or in part, in
every ladder and on every GPU: their estimates are not independent."""


def parts(document, sites):
    about = sources.filled(ABOUT, least=numerals.bytes_text(2**batteries.STANDARD.log2_bytes), seed=batteries.SEED)
    return [f"{about} {quality.origin(document)}", table(document, sites), *one_draw(sites)]


def one_draw(sites):
    """That the runs share their seed; none where no seed is stored."""
    known = draws.seeds_of(run for site in sites for device in site.devices.values() for run in device.result["runs"])
    text = f"seed {known[0]}" if len(known) == 1 else f"the seeds {', '.join(map(str, known))}"
    return [sources.filled(ONE_DRAW, seeds=text)] if known else []


def table(document, sites):
    """A row for each generator and use: the tested ones, then those that steps use without a test of their words."""
    tested, users, parts = {}, users_of(document, sites), parts_of(sites)
    for row in quality.ladder_of(document):
        tested.setdefault((row["generator"], row["verdict"]), row)
    keys = sorted({**tested, **users}, key=lambda key: (key not in tested, list(USES).index(key[1])))
    rows = [
        [
            escaped(key[0]),
            users_text(users.get(key, {})),
            USES[key[1]],
            *(test_cells(tested[key], document, parts.get(key)) if key in tested else [NONE] * 4),
        ]
        for key in keys
    ]
    titles = ["Generator", "Used by", "May be used for", "PractRand", "TestU01", "dieharder", "Faults"]
    return markdown.table(titles, [LEFT, LEFT, LEFT, RIGHT, LEFT, LEFT, LEFT], rows)


# Who uses a generator


def users_of(document, sites):
    """The versions that use a generator and declare its words so, by ladder: steps and programs for the CPU on any device, and tested ablations."""
    named = {version for row in document["rows"] for version in row["versions"]}
    users = {}
    for site in sites:
        runs = [run for device in site.devices.values() for run in records.succeeded(device.runs)]
        for run in [run for run in runs if is_user(run, named, site.ladder)]:
            own = users.setdefault((run["generator"], run.get("soundness")), {}).setdefault(site.ladder.suite, {})
            own["CPU" if naming.is_cpu(run) else run["version"]] = None
    return users


def is_user(run, named, ladder):
    """Whether a run draws words whose use it declares; not one with constants in their place, nor an untested ablation."""
    declared = run.get("generator") and run.get("soundness") in USES and run["version"] != ladder.constant
    return declared and (run["version"] in named or not naming.is_ablation(run))


def parts_of(sites):
    """What part of the words of a run was tested, by generator and use: of the run that draws the most."""
    runs = [
        run for site in sites for device in site.devices.values() for run in device.result["runs"] if run.get("tested")
    ]
    found = {}
    for run in runs:
        key = run["generator"], run.get("soundness")
        found[key] = min(run, found.get(key, run), key=lambda run: run["tested"]["part"])
    return found


def users_text(users):
    """pi v1 to v5, v12; normals n1."""
    return "; ".join(f"{suite} {quality.versions_text(versions)}" for suite, versions in users.items()) or NONE


# How far it was tested


def test_cells(row, document, run):
    """How far the words of a generator were tested; run draws the most of them, if one is stored."""
    size = verdicts.tested_bytes(row, document) if row["verdict"] in verdicts.CALLED_SOUND else None
    return [
        NONE if size is None else numerals.bytes_text(size) + (f" ({cells.part_text(run)})" if run else ""),
        testu01_text(row, document),
        quality.counts_text(*verdicts.streams_of(row, document)),
        ", ".join(quality.reasons(row, document)) or "none",
    ]


def testu01_text(row, document):
    """The largest battery of TestU01 that has read every form of the words, and found no failure; BigCrush as far as it has come."""
    records = [record for record in verdicts.battery_records(row, document) if not batteries.failures(record)]
    passed = {batteries.run_of(record): record for record in records}
    return ", ".join([*of_every_form(row, passed), *of_one_form(row, passed)]) or NONE


def of_every_form(row, passed):
    for name, amount in ((batteries.CRUSH, batteries.FULL), (batteries.SMALL_CRUSH, batteries.STANDARD)):
        runs = [run for run in batteries.battery_runs(row, amount) if run.battery == name]
        if all(run in passed and batteries.is_whole(passed[run], amount) for run in runs):
            return [name]
    return []


def of_one_form(row, passed):
    """BigCrush, if it found no failure."""
    runs = [run for run in batteries.long_runs(row) if run.battery == batteries.BIG_CRUSH]
    return [quality.progress_text(passed[run]) for run in runs if run in passed]
