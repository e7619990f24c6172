"""The page of the random numbers: which can be trusted, and which tests find known faults."""

import re

from suite import markdown, numerals
from suite.analyse import dieharder, verdicts
from suite.markdown import LEFT, NONE, RIGHT, one_line
from suite.render import sources
from suite.render.sources import filled

INTRODUCTION = """dieharder and the suite's own tests read the random words of every generator in the order in which a
version's threads consume them. v16 and v16t use the words of v15 in another way, and v17 draws points that are not
random, so they have no row. The table also has 4P − π, where P is the exact hit probability of the coordinates made of these
words, and the length of the cycle."""

RULE = """Verdicts. *Demonstration only*: a test of dieharder or of the suite failed, or one of the upper 24 bits of a word is
linear, or all streams share a cycle of fewer than 10¹² samples. (The streams of an MRG start in different cycles; their
length is a lower bound.) *Not tested*: no test failed, but a result is missing. *Sound*: every test has a result and none
failed. The verdict also names the use of the words: as whole words; for 24-bit coordinates, if one of the lower 8 bits is
linear; in bit planes, if each bit belongs to another sample and is tested as such. For hits the tests on the GPU count,
because their streams are as long as those of a version."""

LIMITS = "Sound means that these tests found no fault."

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


def page(document, ladders):
    """The text of results/quality.md. Each ladder may add what is known of its generators."""
    known = [filled(ladder.KNOWN_LIMITS) for ladder in ladders if hasattr(ladder, "KNOWN_LIMITS")]
    return sources.page(
        "Which random numbers can be trusted",
        "## The generators",
        f"{filled(INTRODUCTION)} {origin(document)}",
        ladder_table(document),
        dispersion_line(document),
        filled(RULE),
        " ".join([LIMITS, *known]),
        *short_stream_lines(document),
        "## The tests",
        thresholds_line(document),
        error_line(document),
        *full_parts(document),
        "## Does the battery find known faults?",
        specimen_table(document),
    )


def origin(document):
    """Where the data are, and of which commit."""
    gpu = document["gpu"]
    on_gpu = [f"on {device_name(gpu)} {commit_text(gpu['context'])}"] if gpu else []
    return f"Data: {sources.link('quality.json')}, from {', '.join([commit_text(document['context']), *on_gpu])}."


def device_name(gpu):
    device = gpu["context"]["device"]
    return one_line(device["name"]) if device else "a GPU"


def commit_text(context):
    return f"{sources.commit_text(context)} ({context['date']})"


# The ladder


def ladder_table(document):
    """A row for each stream of each source. The first row of a source has the facts about the source."""
    ladder = ladder_of(document)
    with_practrand = any(stream["practrand"] for row in ladder for stream in verdicts.streams_of(row, document))
    titles = ["Generator", "Streams", "dieharder", *practrand_title(with_practrand), "Dispersion", "4P − π",
              "Samples until that is one sd", "Samples in the cycle", "Verdict"]  # fmt: skip
    alignments = [LEFT, RIGHT, LEFT, *[LEFT] * with_practrand, RIGHT, RIGHT, RIGHT, RIGHT, LEFT]
    rows = [cells for row in ladder for cells in source_rows(row, document, with_practrand)]
    return markdown.table(titles, alignments, rows)


def ladder_of(document):
    """The rows of the generators that versions use."""
    return [row for row in document["rows"] if not verdicts.is_specimen(row)]


def practrand_title(with_practrand):
    return ["PractRand"] if with_practrand else []


def source_rows(row, document, with_practrand):
    facts = [dispersion_text(row, document), bias_text(row), bias_samples_text(row), numerals.scientific(row["cycle_samples"])]
    first, blank = [*facts, verdict_text(row, document)], [""] * (len(facts) + 1)
    streams = verdicts.streams_of(row, document)
    return [
        [
            generator_text(row) if number == 0 else "",
            streams_text(stream),
            counts_text(stream),
            *([practrand_text(stream["practrand"])] if with_practrand else []),
            *(first if number == 0 else blank),
        ]
        for number, stream in enumerate(streams)
    ]


def generator_text(row):
    numbers = [int(version[1:]) for version in row["versions"] if re.fullmatch(r"v\d+", version)]
    others = [version for version in row["versions"] if not re.fullmatch(r"v\d+", version)]
    steps = [f"v{part.replace(' to ', ' to v')}" for part in verdicts.ranges(numbers).split(", ") if part]
    return f"{one_line(row['generator'])} ({', '.join(steps + others)})"


def streams_text(stream):
    return f"{stream['streams']:,}{verdicts.order_text(stream)}"


def counts_text(stream):
    """How many p-values failed, were weak, or are missing."""
    found = stream["dieharder"]
    missing = dieharder.count(found, dieharder.NO_RESULT)
    counts = [f"{dieharder.count(found, kind)} {kind}" for kind in (dieharder.FAILED, dieharder.WEAK)]
    return f"{', '.join([*counts, *([f'{missing} without result'] if missing else [])])} of {len(found)}"


def practrand_text(record):
    if not record:
        return NONE
    size = f"{record['bytes'] / 2**20:,.0f} MiB"
    return f"{one_line(record['first_failure'])} at {size}" if record["first_failure"] else f"none in {size}"


def dispersion_text(row, document):
    """The dispersion, marked if it was measured on the CPU and others on the GPU."""
    text = variance_text(verdicts.dispersion_of(row, document))
    return f"{text} (CPU)" if document["gpu"] and not verdicts.gpu_row(row, document) else text


def variance_text(dispersion):
    return f"{dispersion['variance_ratio']:.4f} ± {dispersion['variance_sd']:.4f}"


def bias_text(row):
    return numerals.scientific(row["bias"], digits=3)


def bias_samples_text(row):
    return NONE if row["bias_samples"] is None else numerals.scientific(row["bias_samples"])


def verdict_text(row, document):
    """The verdict, with those of its reasons that other columns do not show."""
    linear = verdicts.linear_bits(row)
    reasons = [
        *verdicts.suite_faults(row, document),
        *verdicts.word_faults(row),
        *([f"linear bits {verdicts.ranges(linear)}"] if linear else []),
        *(["short cycle"] if verdicts.is_short(row) else []),
    ]
    if row["verdict"] == verdicts.NOT_TESTED:
        reasons = [f"no result of {text}" for text in verdicts.missing(row, document)]
    return f"{row['verdict']}: {', '.join(reasons)}" if reasons else row["verdict"]


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


def thresholds_line(document):
    version, seconds = document["tools"]["dieharder"], document["thresholds"]["dieharder_cpu_seconds"]
    return filled(THRESHOLDS, **document["sizes"], version=version, seconds=seconds)


def error_line(document):
    """The results of Philox with several seeds, and the probability that a sound generator fails a test."""
    of_seeds = [record for stream in document["philox_seeds"] for record in stream["dieharder"]]
    everything = of_seeds + [
        record
        for row in ladder_of(document)
        for stream in row["streams"]
        for record in stream["dieharder"]
    ]
    seeds = verdicts.ranges(sorted(stream["seed"] for stream in document["philox_seeds"]))
    failed, weak = (dieharder.count(of_seeds, kind) for kind in (dieharder.FAILED, dieharder.WEAK))
    return (
        f"Philox with the seeds {seeds}: {failed} failed, {weak} weak of {len(of_seeds)} p-values. The probability that a "
        f"sound generator fails one of them is at most {len(of_seeds)} × 10⁻⁶ = {family_error(of_seeds)}; for all "
        f"{len(everything):,} p-values here it is {family_error(everything)}."
    )


def family_error(records):
    return numerals.scientific(len(records) * dieharder.FAILED_BELOW)


def full_parts(document):
    """The tests at full size, if there are any."""
    if not document["full"] or not document["full"]["streams"]:
        return []
    lines = [f"- {full_line(stream)}" for stream in document["full"]["streams"]]
    return ["All tests of dieharder, at full size:", "\n".join(lines)]


def full_line(stream):
    failed = [f"{record['test']} {record['ntuple']}" for record in stream["dieharder"]
              if record["assessment"] == dieharder.FAILED]  # fmt: skip
    names = f": {', '.join(dict.fromkeys(failed))}" if failed else ""
    return f"{stream['source']}, {verdicts.stream_text(stream)}: {counts_text(stream)}{names}"


# Generators with known faults


def specimen_table(document):
    """What found each of the known faults."""
    specimens = [row for row in document["rows"] if verdicts.is_specimen(row)]
    rows = [
        [f"{row['source']}: {one_line(row['generator'])}", "; ".join(verdicts.faults(row, document)) or "nothing"]
        for row in specimens
    ]
    return markdown.table(["Specimen", "What found it"], [LEFT, LEFT], rows)
