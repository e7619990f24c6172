"""What the stored battery (results/quality.json) says of each generator: its faults, its verdict, and what must hold.

A fault is any of
  a p-value of dieharder that counts as failed (dieharder.py), in any stream of the generator's words; of tests that
      dieharder itself lists as suspect or not to be used, none
  a p-value below 10^-6 of the suite's own tests: pairs (x, y) and pairs of neighbours' words, on the CPU or the GPU;
      mean, variance and distribution of the hits of each stream and correlation of neighbouring streams, on the GPU,
      where streams are as long as those that versions draw; of specimens, on the CPU too
  a p-value below 10^-6 of differences of words, which are whole words or, of bit planes, those of lanes; and of the
      parities of lanes
  a linear bit among the upper 24 of the word, or in bit planes any

The verdict on a generator of the ladder is
  demonstration only              with a fault, or with a cycle of fewer than 10^12 samples that all streams share
  not tested                      without, if a result is missing (missing): there is a p-value of every test of every
                                  stream, and of the suite's tests on the GPU, of the same words
  sound in bit planes             otherwise, if each bit of a word belongs to another sample
  sound for 24-bit coordinates    otherwise, if a bit below the upper 24, which are all that a float keeps, is linear
  sound                           otherwise: in whole words

What PractRand says is recorded and not judged: it is not everywhere. So is what shows in the short streams of the
CPU's tests only (short_stream_faults).
"""

from suite.analyse import dieharder, streams
from suite.analyse.streams import REFERENCE
from suite.documents import quality
from suite.documents.quality import DISPERSION_TESTS, SERIAL_TESTS

DEMONSTRATION, NOT_TESTED = "demonstration only", "not tested"
SOUND, IN_24_BITS, IN_BIT_PLANES = "sound", "sound for 24-bit coordinates", "sound in bit planes"
QUASI_RANDOM = "quasi-random"  # what a version declares whose points are not random: no words to test, so never a verdict

FAILED_BELOW = dieharder.FAILED_BELOW
CYCLE_SAMPLES = 1e12
LOWER_BITS = 8  # of 32, below the upper 24

THRESHOLDS = {
    "failed": dieharder.FAILED_BELOW,
    "weak": dieharder.WEAK_BELOW,
    "dieharder_cpu_seconds": dieharder.CPU_SECONDS,
    "cycle_samples": CYCLE_SAMPLES,
    "lower_bits": LOWER_BITS,
}

# A million streams of 10^5 samples show what fewer do not. Streams that are stretches of one cycle of 2^32 words
# overlap, which gives their hits too much variance; the trinomials' three-term relations give too little.
DISPERSION_ON_GPU = {"lcg": "over", "trinomial_63_1": "under", "trinomial_31_3": "under"}
CLEARLY = 4  # standard deviations
FAR = 4.892  # standard deviations: beyond it, either side, lies 10^-6 of a normal distribution


# Faults


def faults(row, document):
    """What was found wrong with a generator, a text each."""
    return [*dieharder_faults(row, document), *suite_faults(row, document), *word_faults(row), *linear_faults(row)]


def dieharder_faults(row, document):
    tested = [(stream, "") for stream in streams_of(row, document)]
    tested += [(stream, ", full size") for stream in full_streams_of(row, document)]
    texts = [
        f"{len(failures(stream))} of {len(stream['dieharder'])} ({stream_text(stream)}{size})"
        for stream, size in tested
        if failures(stream)
    ]
    return [f"dieharder: {', '.join(texts)}"] if texts else []


def failures(stream):
    """The tests of dieharder that a stream failed, with their ntuple, one for each p-value."""
    return [
        f"{record['test']} {record['ntuple']}"
        for record in stream["dieharder"]
        if record["assessment"] == dieharder.FAILED and record["test"] not in dieharder.SUSPECT
    ]


def streams_of(row, document):
    """The tested streams of a row's words, which may stand in the row of another source that has the same."""
    return next((other["streams"] for other in document["rows"] if other["source"] == row["words_of"]), [])


def full_streams_of(row, document):
    """The same at full size, as far as they are there."""
    full = document["full"] or {"streams": []}
    return [stream for stream in full["streams"] if stream["source"] == row["words_of"]]


def stream_text(stream):
    count = stream["streams"]
    return f"{count:,} stream{'' if count == 1 else 's'}{order_text(stream)}"


def order_text(stream):
    """How a stream's words are taken, where they are not words in turn."""
    return (", lanes" if stream["lanes"] else "") + (", start-up" if stream["iters"] else "")


def suite_faults(row, document):
    """The suite's own tests that a source failed, and where, unless wherever it was tested."""
    gpu = gpu_row(row, document)
    on_cpu = failed_pairs(row) + (failed_dispersions(row) if is_specimen(row) else [])
    on_gpu = failed_pairs(gpu) + failed_dispersions(gpu) if gpu else []
    failed = {}
    for place, titles in (("CPU", on_cpu), ("GPU", on_gpu)):
        for title in titles:
            failed.setdefault(title, []).append(place)
    everywhere = 2 if gpu else 1
    return [title if len(places) == everywhere else f"{title} ({places[0]})" for title, places in failed.items()]


def failed_dispersions(part):
    return failed(dispersion_tests(part))


def failed_pairs(part):
    return failed(pair_tests(part))


def word_faults(row):
    """The tests of a source's words that fail, which need no samples."""
    return word_tests(row, is_failed)


def failed(tests):
    return [title for title, p in tests if is_failed(p)]


def is_failed(p):
    return p is not None and p < FAILED_BELOW


# Tests of the suite: titles and p-values


def dispersion_tests(part):
    return [(title, part["dispersion"][name]) for name, title in DISPERSION_TESTS.items()]


def pair_tests(part):
    return [(title, part["serial"][name]["p"]) for name, title in SERIAL_TESTS.items()]


def word_tests(row, holds_of):
    """Titles of the tests of words whose p-value something holds of."""
    lags = [lag for lag, found in enumerate(row["differences"] or [], 1) if holds_of(found["p"])]
    windows = [window for window in row["parities"] or [] if holds_of(window["p"]) or holds_of(window["p_largest"])]
    lanes = {lane for window in windows for lane in range(window["first"], window["first"] + window["bits"])}
    return [
        *([f"differences of words {ranges(lags)} apart"] if lags else []),
        *([f"parities of lanes {ranges(sorted(lanes))}"] if lanes else []),
    ]


def short_stream_faults(row):
    """What is wrong with the hits of the CPU's short streams: remarkable, but no part of the verdict."""
    return failed_dispersions(row) + [f"hits {lag} apart" for lag in correlated_lags(row)]


def correlated_lags(row):
    """The distances at which hits of a stream correlate."""
    lags = row.get("lags")
    if not lags:
        return []
    distances = [abs(correlation) / lags["sd"] for correlation in lags["correlation"]]
    return [lag for lag, distance in enumerate(distances, 1) if distance > FAR]


def gpu_row(row, document):
    """What the GPU measured of the same source and words, None if nothing."""
    gpu = document["gpu"] or {"rows": []}
    return next((other for other in gpu["rows"] if is_gpu_row(other, row, document)), None)


def is_gpu_row(other, row, document):
    return other["source"] == row["source"] and other["words_sha256"] == words_hash(row, document)


def words_hash(row, document):
    """The hash by which the words of a row are known, None if no such stream was tested."""
    stream = streams.of_many_threads(row["words_of"])
    return next((other["words_sha256"] for other in streams_of(row, document) if streams.stream_of(other) == stream), None)


def dispersion_of(row, document):
    """The dispersion from the most samples: the GPU's where there is one."""
    return (gpu_row(row, document) or row)["dispersion"]


def linear_faults(row):
    used = [bit for bit in linear_bits(row) if row["bit_planes"] or bit >= LOWER_BITS]
    return [f"linear bits {ranges(used)}"] if used else []


def linear_bits(row):
    return row["linear"]["linear_bits"] if row["linear"] else []


def ranges(numbers):
    """Rising numbers in words: '0 to 3, 7, 8'."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first} to {last}" if last > first + 1 else f"{first}, {last}" if last > first else str(first)
                     for first, last in runs)  # fmt: skip


# Missing results


def missing(row, document):
    """The tests of a generator that have no result, a text each."""
    return [*missing_of_dieharder(row, document), *missing_of_suite(row), *missing_on_gpu(row, document)]


def missing_of_dieharder(row, document):
    words = next((other for other in document["rows"] if other["source"] == row["words_of"]), None)
    if words is None:
        return [f"the words of {row['words_of']}"]
    tested = {streams.stream_of(stream): stream["dieharder"] for stream in words["streams"]}
    unfinished = {
        stream: dieharder.unfinished_tests(tested.get(stream, [])) for stream in streams.streams_of_words(words)
    }
    return [
        f"dieharder: {len(tests)} of {len(dieharder.TESTS)} tests ({stream_text(stream._asdict())})"
        for stream, tests in unfinished.items()
        if tests
    ]


def missing_of_suite(row):
    texts = without_result(pair_tests(row)) + word_tests(row, is_absent)
    if not row["differences"]:
        texts.append("differences of words")
    if row["bit_planes"] and not row["parities"]:
        texts.append("parities of lanes")
    return texts + ([] if row["linear"] else ["linear bits"])


def missing_on_gpu(row, document):
    gpu = gpu_row(row, document)
    if gpu is None:
        return ["the tests on the GPU of these words"]
    return [f"{title} (GPU)" for title in without_result([*pair_tests(gpu), *dispersion_tests(gpu)])]


def without_result(tests):
    return [title for title, p in tests if is_absent(p)]


def is_absent(p):
    return p is None


# Verdicts


def is_specimen(row):
    """Whether it is a generator with known faults, which no version uses."""
    return not row["versions"]


def with_verdicts(document):
    """The document with a verdict in the row of each source of the ladder."""
    rows = [row | {"verdict": None if is_specimen(row) else verdict(row, document)} for row in document["rows"]]
    return document | {"rows": rows}


def verdict(row, document):
    """What may be said of a generator, by the rule above."""
    if faults(row, document) or is_short(row):
        return DEMONSTRATION
    if missing(row, document):
        return NOT_TESTED
    if row["bit_planes"]:
        return IN_BIT_PLANES
    return IN_24_BITS if linear_bits(row) else SOUND


def is_short(row):
    """Whether a launch or two use up the cycle. Threads of a lagged generator start in so many that none meets another."""
    return not row["lagged"] and row["cycle_samples"] < CYCLE_SAMPLES


def complaints(document):
    """What is not as expected, a line each."""
    return [
        *(f"{row['source']}: no test found its fault" for row in unfound_specimens(document)),
        *wrong_declarations(document),
        *reference_failures(document),
        *wrong_dispersions(document),
    ]


def unfound_specimens(document):
    """Generators with known faults that nothing was found wrong with."""
    return [row for row in document["rows"] if is_specimen(row) and not faults(row, document)]


def wrong_declarations(document):
    """Verdicts that are not what a source declares, but for those that are still to come (untested)."""
    return [
        f"{row['source']} is declared '{row['soundness']}', the verdict is '{row['verdict']}'"
        for row in document["rows"]
        if not is_specimen(row) and row["verdict"] not in (row["soundness"], NOT_TESTED)
    ]


def untested(document):
    """The generators that no verdict is possible on yet, and what is missing, a line each."""
    return [
        f"{row['source']} is not tested, missing: {'; '.join(missing(row, document))}"
        for row in document["rows"]
        if row["verdict"] == NOT_TESTED
    ]


def reference_failures(document):
    """What the reference did not pass, with any seed."""
    row = next((row for row in document["rows"] if row["source"] == REFERENCE), None)
    if row is None:
        return [f"{REFERENCE} was not tested"]
    tested = [*streams_of(row, document), *document["philox_seeds"]]
    return [
        f"{REFERENCE}, seed {stream['seed']}, {stream_text(stream)}: {record['test']} {record['ntuple']}"
        f" {record['assessment']}"
        for stream in tested
        for record in stream["dieharder"]
        if record["assessment"] in (dieharder.FAILED, dieharder.NO_RESULT)
    ]


def wrong_dispersions(document):
    """Sources whose dispersion on the GPU is not what theirs must be."""
    gpu = document["gpu"] or {"rows": []}
    measured = {row["source"]: row["dispersion"] for row in gpu["rows"] if row["source"] in DISPERSION_ON_GPU}
    return [
        f"{source}: {dispersion['variance_ratio']:.4f} of the binomial variance on the GPU, expected"
        f" {DISPERSION_ON_GPU[source]} 1"
        for source, dispersion in measured.items()
        if not is_clearly(DISPERSION_ON_GPU[source], dispersion)
    ]


def is_clearly(direction, dispersion):
    distance = (dispersion["variance_ratio"] - 1) / dispersion["variance_sd"]
    return (distance if direction == "over" else -distance) > CLEARLY


# The stored battery


def load_stored(folder):
    """The battery in a folder with the verdicts that follow from it, None if there is none."""
    path = folder / "quality.json"
    return with_verdicts(quality.DOCUMENT.load(path)) if path.exists() else None
