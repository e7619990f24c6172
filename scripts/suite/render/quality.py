"""The page of the random numbers: which can be trusted, and which tests find known faults."""

import re

from suite import markdown, numerals
from suite.analyse import batteries, dieharder, verdicts
from suite.analyse.batteries import DIEHARDER, DIEHARDER_FULL
from suite.markdown import LEFT, NONE, RIGHT, escaped
from suite.render import cells, sources
from suite.render.sources import filled

INTRODUCTION = """dieharder and the suite's own tests read the random words of every generator in the order in which a
version's threads consume them. v16 and v16t use the words of v15 in another way, and v17 draws points that are not
random, so they have no row. v15_lanes, v18_lanes and v21_lanes are no versions: each of their words is 32 successive bits of one
lane of v15, v18 or v21, which is what one sample sees. The table also has 4P − π, where P is the exact hit probability of the coordinates made of these
words, and the length of the cycle."""

RULE = """Verdicts. *Demonstration only*: a test of a battery or of the suite failed, or one of the upper 24 bits of a word is
linear, or all streams share a cycle of fewer than 10¹² samples. (The streams of an MRG start in different cycles; their
length is a lower bound.) *Not tested*: no test failed, but a result is missing. *Sound*: every test has a result and none
failed. The verdict also names the use of the words: as whole words; for 24-bit coordinates, if one of the lower 8 bits is
linear; in bit planes, if each bit belongs to another sample and is tested as such. For hits the tests on the GPU count,
because their streams are as long as those of a version. "Up to" is what the longest run of PractRand read; every form of
the words that a version uses has its own runs, below."""

DISPERSION = """Dispersion is the variance of the streams' hits divided by the binomial variance, ± one standard deviation,
from {streams:,} streams of {iters:,} samples {where}."""

THRESHOLDS = """A p-value of dieharder {version} fails below 10⁻⁶. It is weak below 0.005 or above 0.995. (dieharder
also fails values above 1 − 10⁻⁶. Its last Kolmogorov-Smirnov test gives values too near 1, so they count as weak here,
unless they come from a single statistic.) A test that has not ended after {seconds} s of computing has no result. The
suite's own tests fail below 10⁻⁶, too. They test the mean, variance and distribution of the hits of {streams:,} streams of
{iters:,} samples; the hits of neighbouring streams; pairs (x, y) and pairs of neighbours' words ({pairs:,} each); the linear
complexity of each bit ({bits:,} words); differences of words or lanes' words up to 4 draws apart, multiplied by the
inverse of the MRGs' multiplier ({difference_words:,}); and of bit planes all parities of {window_bits} bits of successive
draws of a lane or of two neighbours ({window_draws:,} draws)."""


BATTERIES = """SmallCrush and Crush of TestU01 ({testu01}) and PractRand ({practrand}) read the words of every generator
that is declared sound: as they are; as single lanes too, if they are bit planes; only their upper 24 bits, if a lower one
is linear. Those are packed without gaps, so for TestU01 one word in three starts with the leading bits of a coordinate.
SmallCrush also reads bit planes with the bits of each word reversed, since its tests look at leading bits more than at
others. Each battery reads one stream, 1,024 and 65,536 interleaved ones (reversed words: 1,024). A p-value of TestU01 fails
below 10⁻⁶ or above 1 − 10⁻⁶, and is weak below 0.001 or above 0.999. A result of PractRand fails if it says FAIL, and is
weak if it says suspicious; PractRand stops at the first report with a failure. One failed battery is enough to be not
sound. A passed one proves little: SmallCrush finds nothing in 1,024 streams of xorshift32."""

LONG = """Long runs: BigCrush and PractRand on one form of the words, of {streams:,} interleaved streams with the seed {seed:,}. Each of
the {tests} tests of BigCrush reads a launch of its own. PractRand is to read {size} at least."""

CONTROLS = """Generators with known faults, which the batteries must find. `mrg` is that of v14, which uses the upper 24 bits of its words:
as whole words it has weak low bits."""


def page(document, ladders, uses, at_scale=()):
    """The text of results/quality.md, which begins with uses. Each ladder may add what is known of its generators. at_scale is the
    section on as many words as steps draw.
    """
    known = [filled(ladder.known_limits) for ladder in ladders if ladder.known_limits]
    return sources.page(
        "Which random numbers can be trusted",
        *uses,
        *([" ".join(known)] if known else []),
        "## The generators",
        filled(INTRODUCTION),
        ladder_table(document),
        dispersion_line(document),
        filled(RULE),
        *short_stream_lines(document),
        "## The tests",
        filled(
            THRESHOLDS,
            **document["sizes"],
            version=", ".join(versions(document, [DIEHARDER])),
            seconds=dieharder.CPU_SECONDS,
        ),
        error_line(document),
        *full_parts(document),
        "## TestU01 and PractRand",
        batteries_line(document),
        battery_table(document),
        long_line(),
        long_table(document),
        filled(CONTROLS),
        control_table(document),
        *at_scale,
        "## Does the battery find known faults?",
        specimen_table(document),
    )


def origin(document):
    """Where the data are, and of which commit."""
    gpu = document["gpu"]
    on_gpu = [f"on {device_name(gpu)} {commit_text(gpu)}"] if gpu else []
    return f"Data: {sources.link('quality.json')}, from {', '.join([commit_text(document), *on_gpu])}."


def device_name(gpu):
    device = gpu["context"]["device"]
    return escaped(device["name"]) if device else "a GPU"


def commit_text(document):
    return f"{sources.commit_text(document)} ({document['context']['date']})"


# The ladder


def ladder_table(document):
    """A row for each stream of each source. The first row of a source has the facts about the source."""
    ladder = ladder_of(document)
    titles = ["Generator", "Streams", "dieharder", "Dispersion", "4P − π", "Samples until that is one sd",
              "Samples in the cycle", "Verdict"]  # fmt: skip
    alignments = [LEFT, RIGHT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT, LEFT]
    rows = [cells for row in ladder for cells in source_rows(row, document)]
    return markdown.table(titles, alignments, rows)


def ladder_of(document):
    """The rows of the generators that versions use."""
    return [row for row in document["rows"] if not verdicts.is_specimen(row)]


def source_rows(row, document):
    facts = [
        dispersion_text(row, document),
        numerals.scientific(row["bias"], digits=3),
        NONE if row["bias_samples"] is None else numerals.scientific(row["bias_samples"]),
        numerals.scientific(row["cycle_samples"]),
    ]
    first, blank = [*facts, verdict_text(row, document)], [""] * (len(facts) + 1)
    streams = verdicts.streams_of(row, document)
    return [
        [
            generator_text(row) if number == 0 else "",
            f"{stream['streams']:,}{batteries.order_text(batteries.run_of(stream))}",
            counts_text(stream),
            *(first if number == 0 else blank),
        ]
        for number, stream in enumerate(streams)
    ]


def generator_text(row):
    return f"{escaped(row['generator'])} ({versions_text(row['versions'])})"


def versions_text(versions):
    """Steps in ranges, then other versions: v1 to v5, v12, v14_xor."""
    steps = {int(version[1:]): version[0] for version in versions if re.fullmatch(r"[a-z]\d+", version)}
    ranges = [part.split(" to ") for part in verdicts.ranges(sorted(steps)).split(", ") if part]
    found = [" to ".join(f"{steps[int(number)]}{number}" for number in part) for part in ranges]
    return ", ".join([*found, *(version for version in versions if not re.fullmatch(r"[a-z]\d+", version))])


def counts_text(*records):
    """How many p-values failed, were weak, or are missing."""
    missing = batteries.count(records, dieharder.NO_RESULT)
    counts = [f"{batteries.count(records, kind)} {kind}" for kind in (dieharder.FAILED, dieharder.WEAK)]
    counts += [f"{missing} without result"] if missing else []
    return f"{', '.join(counts)} of {sum(record['count'] for record in records):,}"


def dispersion_text(row, document):
    """The dispersion from the most samples, marked if it was measured on the CPU and others on the GPU."""
    on_gpu = verdicts.gpu_row(row, document)
    dispersion, on_cpu = (on_gpu or row)["dispersion"], document["gpu"] and not on_gpu
    return f"{dispersion['variance_ratio']:.4f} ± {dispersion['variance_sd']:.4f}{' (CPU)' if on_cpu else ''}"


def verdict_text(row, document):
    """The verdict, with those of its reasons that other columns do not show."""
    found = reasons(row, document)
    if row["verdict"] == verdicts.NOT_TESTED:
        found = [f"no result of {text}" for text in verdicts.missing(row, document)]
    verdict = trust_text(row, document)
    return f"{verdict}: {', '.join(found)}" if found else verdict


def reasons(row, document):
    """The faults of a generator except those that dieharder finds."""
    linear = verdicts.linear_bits(row)
    return [
        *dict.fromkeys(record["battery"] for record in verdicts.failed_runs(row, document)),
        *verdicts.suite_faults(row, document),
        *verdicts.word_faults(row),
        *([f"linear bits {verdicts.ranges(linear)}"] if linear else []),
        *(["short cycle"] if verdicts.is_short(row) else []),
    ]


def trust_text(row, document):
    """The verdict; of words that are called sound, up to how many bytes no fault was found in them."""
    count = verdicts.tested_bytes(row, document) if row["verdict"] in verdicts.CALLED_SOUND else None
    form = "sound as whole words" if row["verdict"] == verdicts.SOUND else row["verdict"]
    return form + ("" if count is None else f", up to {numerals.bytes_text(count)}")


# Below the table


def dispersion_line(document):
    gpu = document["gpu"]
    sizes, where = (gpu["sizes"], f"on {device_name(gpu)}") if gpu else (document["sizes"], "on the CPU")
    return filled(DISPERSION, **sizes, where=where)


def short_stream_lines(document):
    """What the hits of shorter streams show."""
    found = {row["source"]: verdicts.short_stream_faults(row) for row in ladder_of(document)}
    texts = [f"{source} ({', '.join(faults)})" for source, faults in found.items() if faults]
    if not texts:
        return []
    return [
        f"Streams of only {document['sizes']['iters']:,} samples show more, which is not part of the verdict: "
        f"{'; '.join(texts)}."
    ]


def error_line(document):
    """The results of Philox with several seeds, and the probability that a sound generator fails a test."""
    of_seeds = verdicts.reference_records(document)
    ladder = [row for row in ladder_of(document) if row["words_of"] == row["source"]]
    tested = of_seeds + [record for row in ladder for record in verdicts.streams_of(row, document)]
    seeds = verdicts.ranges(sorted(record["seed"] for record in of_seeds))
    failed, weak = (batteries.count(of_seeds, kind) for kind in (dieharder.FAILED, dieharder.WEAK))
    of_philox, of_all = (sum(record["count"] for record in records) for records in (of_seeds, tested))
    return (
        f"Philox with the seeds {seeds}: {failed} failed, {weak} weak of {of_philox} p-values. The probability that a "
        f"sound generator fails one of them is at most {of_philox} × 10⁻⁶ = {family_error(of_philox)}; for all "
        f"{of_all:,} p-values here it is {family_error(of_all)}."
    )


def family_error(count):
    return numerals.scientific(count * dieharder.FAILED_BELOW)


def full_parts(document):
    """The tests at full size, if there are any."""
    lines = [f"- {full_line(record)}" for record in document["runs"] if record["battery"] == DIEHARDER_FULL]
    return ["All tests of dieharder, at full size:", "\n".join(lines)] if lines else []


def full_line(record):
    failed = [
        f"{result['test']} {result['ntuple']}"
        for result in record["results"]
        if result["assessment"] == dieharder.FAILED
    ]
    names = f": {', '.join(dict.fromkeys(failed))}" if failed else ""
    return f"{record['source']}, {batteries.text_of(batteries.run_of(record))}: {counts_text(record)}{names}"


# TestU01 and PractRand


def batteries_line(document):
    testu01, practrand = (
        ", ".join(f"version {version}" for version in versions(document, names)) or "no results: it was not installed"
        for names in ((*batteries.P_VALUES, batteries.BIG_CRUSH), [batteries.PRACTRAND])
    )
    return filled(BATTERIES, testu01=testu01, practrand=practrand)


def versions(document, names):
    """The versions that gave the stored results of batteries with these names."""
    found = {record["version"] for record in document["runs"] if record["battery"] in names}
    return sorted(filter(None, found))


def battery_table(document):
    """A row for each form of the words of each generator that is declared sound."""
    found = {batteries.run_of(record): record for record in current_records(document)}
    names = batteries_used(found)
    sound = [
        row
        for row in ladder_of(document)
        if row["soundness"] in verdicts.CALLED_SOUND and row["words_of"] == row["source"]
    ]
    rows = [
        [
            generator_text(row),
            batteries.form_text(form),
            *[result_text(runs_on(row, form, name), found) for name in names],
        ]
        for row in sound
        for form in batteries.forms_of(row)
    ]
    return markdown.table(["Generator", "Words", *names], [LEFT, LEFT, *[LEFT] * len(names)], rows)


def runs_on(row, form, battery):
    """The runs of a battery on one form of a generator's words."""
    amount = batteries.FULL if battery == batteries.CRUSH else batteries.STANDARD
    return [run for run in batteries.battery_runs(row, amount) if (run.form, run.battery) == (form, battery)]


def current_records(document):
    """The runs on words that the generators draw now."""
    return [record for row in document["rows"] for record in verdicts.battery_records(row, document)]


def batteries_used(found):
    """The names of the batteries that have a column. Crush has one if there is a result."""
    crush = [batteries.CRUSH] if any(run.battery == batteries.CRUSH for run in found) else []
    return [batteries.SMALL_CRUSH, *crush, batteries.PRACTRAND]


def result_text(runs, found):
    """What the runs of one battery on different numbers of streams found together, and which are missing."""
    records = [found[run] for run in runs if run in found]
    if not records:
        return "no result" if runs else NONE
    missing = [batteries.streams_text(run.streams) for run in runs if run not in found]
    return "; ".join([battery_counts(records), *([f"no result of {', '.join(missing)}"] if missing else [])])


def battery_counts(records):
    """How many results of runs failed or were weak, and the amount read."""
    sizes = sorted({round(record["bytes"] / 2**20) for record in records})
    amount = f"{sizes[0]:,} MiB" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,} MiB"
    return f"{counts_text(*records)} ({amount}{' each' if len(records) > 1 else ''})"


def long_line():
    amounts = {"tests": len(batteries.BIG_CRUSH_TESTS), "size": numerals.bytes_text(2**batteries.LONG.log2_bytes)}
    return filled(LONG, streams=batteries.LONG_STREAMS, seed=batteries.LONG_SEED, **amounts)


def long_table(document):
    """What the long runs found, and how far they have come."""
    found = {batteries.run_of(record): record for record in current_records(document)}
    rows = [
        [generator_text(row), batteries.form_text(runs[0].form), *[long_text(found.get(run)) for run in runs]]
        for row in ladder_of(document)
        if (runs := batteries.long_runs(row))
    ]
    return markdown.table(["Generator", "Words", batteries.BIG_CRUSH, batteries.PRACTRAND], [LEFT] * 4, rows)


def long_text(record):
    """What a long run found, if there is one; of an unfinished one how far it has come."""
    if record is None:
        return "not run"
    size = numerals.bytes_text(record["bytes"])
    if record["battery"] == batteries.BIG_CRUSH:
        return f"{counts_text(record)} ({progress_text(record)}, {size})"
    return f"{counts_text(record)} ({'' if batteries.is_whole(record, batteries.LONG) else 'so far '}{size})"


def progress_text(record):
    """How many tests of BigCrush have a result."""
    done, of_all = len(batteries.done_of(record)), len(batteries.BIG_CRUSH_TESTS)
    return batteries.BIG_CRUSH if done == of_all else f"so far {done} of the {of_all} tests of {batteries.BIG_CRUSH}"


def control_table(document):
    """What the batteries found in generators with known faults."""
    found = {batteries.run_of(record): record for record in current_records(document)}
    rows = [[run.source, batteries.text_of(run), run.battery, result_text([run], found)] for run in batteries.CONTROLS]
    return markdown.table(["Generator", "Words", "Battery", "Found"], [LEFT] * 4, rows)


# Generators with known faults


def specimen_table(document):
    """What found each of the known faults."""
    columns = [
        ("Specimen", LEFT, lambda row: f"{row['source']}: {escaped(row['generator'])}"),
        ("What found it", LEFT, lambda row: "; ".join(verdicts.faults(row, document)) or "nothing"),
    ]
    return cells.table(columns, filter(verdicts.is_specimen, document["rows"]))
