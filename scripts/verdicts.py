"""What the stored battery (results/quality.json) says of each generator: its faults, its verdict, and what must hold.

A fault is any of
  a p-value of dieharder that counts as failed (dieharder.py), in any stream of the generator's words; of tests that
      dieharder itself lists as suspect or not to be used, none
  a p-value below 10^-6 of the suite's own tests: pairs (x, y) and pairs of neighbours' words, on the CPU or the GPU;
      mean, variance and distribution of the hits of each stream and correlation of neighbouring streams, on the GPU,
      where streams are as long as those that versions draw; of specimens, on the CPU too
  a linear bit among the upper 24 of the word

The verdict on a generator of the ladder is
  demonstration only              with a fault, or with a cycle of fewer than 10^12 samples that all streams share
  sound for 24-bit coordinates    without, if a bit below the upper 24, which are all that a float keeps, is linear
  sound                           otherwise

What PractRand says is recorded and not judged: it is not everywhere. So is what shows in the short streams of the
CPU's tests only (short_stream_faults).
"""

import dieharder
import results

DEMONSTRATION, IN_24_BITS, SOUND = "demonstration only", "sound for 24-bit coordinates", "sound"
QUASI_RANDOM = "quasi-random"  # what a version declares whose points are not random: no words to test, so never a verdict
REFERENCE = "philox"  # must not fail anywhere, whatever the seed

FAILED_BELOW = dieharder.FAILED_BELOW
CYCLE_SAMPLES = 1e12
# Lagged generators, of 704 and 992 bits of state: streams start in so many different cycles that none meets another. What is
# known of a cycle's length is a lower bound, and far more than a stream draws.
MANY_CYCLES = {"mrg", "xor_mrg", "bit_sliced", "folded_mrg_lanes"}
LOWER_BITS = 8  # of 32, below the upper 24

THRESHOLDS = {
    "failed": dieharder.FAILED_BELOW,
    "weak": dieharder.WEAK_BELOW,
    "dieharder_cpu_seconds": dieharder.CPU_SECONDS,
    "cycle_samples": CYCLE_SAMPLES,
    "lower_bits": LOWER_BITS,
}

DISPERSION_TESTS = {
    "p_mean": "mean of the hits",
    "p_variance": "variance of the hits",
    "p_histogram": "distribution of the hits",
    "p_neighbours": "neighbouring streams' hits",
}
SERIAL_TESTS = {"xy": "pairs x, y", "neighbours": "pairs of neighbours"}

# A million streams of 10^5 samples show what fewer do not. Streams that are stretches of one cycle of 2^32 words
# overlap, which gives their hits too much variance; the trinomials' three-term relations give too little.
DISPERSION_ON_GPU = {"lcg": "over", "trinomial_63_1": "under", "trinomial_31_3": "under"}
CLEARLY = 4  # standard deviations
FAR = 4.892  # standard deviations: beyond it, either side, lies 10^-6 of a normal distribution


# Faults


def faults(row, document):
    """What was found wrong with a generator, a text each."""
    return [*dieharder_faults(row, document), *suite_faults(row, document), *linear_faults(row)]


def dieharder_faults(row, document):
    streams = [(stream, "") for stream in streams_of(row, document)]
    streams += [(stream, ", full size") for stream in full_streams_of(row, document)]
    texts = [
        f"{len(failures(stream))} of {len(stream['dieharder'])} ({stream_text(stream)}{size})"
        for stream, size in streams
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
    return f"{count:,} stream{'' if count == 1 else 's'}{', lanes' if stream['lanes'] else ''}"


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
    return [title for name, title in DISPERSION_TESTS.items() if is_failed(part["dispersion"][name])]


def failed_pairs(part):
    return [title for name, title in SERIAL_TESTS.items() if is_failed(part["serial"][name]["p"])]


def is_failed(p):
    return p is not None and p < FAILED_BELOW


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
    """What the GPU measured of the same source, None if nothing."""
    gpu = document["gpu"] or {"rows": []}
    return next((other for other in gpu["rows"] if other["source"] == row["source"]), None)


def dispersion_of(row, document):
    """The dispersion from the most samples: the GPU's where there is one."""
    return (gpu_row(row, document) or row)["dispersion"]


def linear_faults(row):
    upper = [bit for bit in linear_bits(row) if bit >= LOWER_BITS]
    return [f"linear bits {ranges(upper)}"] if upper else []


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
    return IN_24_BITS if linear_bits(row) else SOUND


def is_short(row):
    """Whether a launch or two use up the cycle."""
    return row["source"] not in MANY_CYCLES and row["cycle_samples"] < CYCLE_SAMPLES


def complaints(document):
    """What is not as it must be, a line each."""
    return [
        *(f"{row['source']}: nothing found it" for row in unfound_specimens(document)),
        *wrong_declarations(document),
        *reference_failures(document),
        *wrong_dispersions(document),
    ]


def unfound_specimens(document):
    """Generators with known faults that nothing was found wrong with."""
    return [row for row in document["rows"] if is_specimen(row) and not faults(row, document)]


def wrong_declarations(document):
    return [
        f"{row['source']} is declared '{row['soundness']}', the verdict is '{row['verdict']}'"
        for row in document["rows"]
        if not is_specimen(row) and row["soundness"] != row["verdict"]
    ]


def reference_failures(document):
    """What the reference did not pass, with any seed."""
    row = next((row for row in document["rows"] if row["source"] == REFERENCE), None)
    if row is None:
        return [f"{REFERENCE} was not tested"]
    streams = [*streams_of(row, document), *document["philox_seeds"]]
    return [
        f"{REFERENCE}, seed {stream['seed']}, {stream_text(stream)}: {record['test']} {record['ntuple']}"
        f" {record['assessment']}"
        for stream in streams
        for record in stream["dieharder"]
        if record["assessment"] in (dieharder.FAILED, dieharder.NO_RESULT)
    ]


def wrong_dispersions(document):
    """Sources whose dispersion on the GPU is not what theirs must be."""
    gpu = document["gpu"] or {"rows": []}
    measured = {row["source"]: row["dispersion"] for row in gpu["rows"] if row["source"] in DISPERSION_ON_GPU}
    return [
        f"{source}: {dispersion['variance_ratio']:.4f} of the binomial variance on the GPU, which must be"
        f" {DISPERSION_ON_GPU[source]} 1"
        for source, dispersion in measured.items()
        if not is_clearly(DISPERSION_ON_GPU[source], dispersion)
    ]


def is_clearly(direction, dispersion):
    distance = (dispersion["variance_ratio"] - 1) / dispersion["variance_sd"]
    return (distance if direction == "over" else -distance) > CLEARLY


# Documents


def load(path):
    """The stored battery at path, checked."""
    return results.load(path, check)


def check(document):
    """Refuse what is no stored battery."""
    check_measured(document)
    parts = {"tools": (dict,), "thresholds": (dict,), "philox_seeds": (list,)}
    results.check_fields(document, parts | {"gpu": (dict, type(None)), "full": (dict, type(None))}, "the document")
    for row in document["rows"]:
        results.check_fields(row, {"streams": (list,), "verdict": (str, type(None))}, row["source"])
        check_streams(row["streams"], row["source"])
    check_streams(document["philox_seeds"], "philox_seeds")
    if document["gpu"] is not None:
        check_gpu(document["gpu"])
    if document["full"] is not None:
        check_full(document["full"])


def check_measured(document):
    """Refuse what is not a document of pi_quality."""
    results.check_head(document, "rows")
    results.check_fields(document, {"sizes": (dict,)}, "the document")
    for row in document["rows"]:
        check_row(row)


def check_row(row):
    results.check_fields(row, {"source": (str,)}, "a row")
    number, count = (int, float), (int,)
    fields = {
        "generator": (str,), "versions": (list,), "soundness": (str, type(None)), "words_of": (str,),
        "bit_planes": (bool,), "bias": number, "bias_samples": (*number, type(None)), "cycle_samples": number,
        "linear": (dict, type(None)),
    }  # fmt: skip
    results.check_fields(row, fields, row["source"])
    check_suite(row)
    if row["linear"] is not None:
        results.check_fields(row["linear"], {"linear_bits": (list,), "complexity": (list,)}, f"{row['source']}.linear")


def check_suite(row):
    """Check what the suite's own tests say in a row."""
    where = row["source"]
    results.check_fields(row, {"dispersion": (dict,), "serial": (dict,)}, where)
    number = (int, float)
    p_values = dict.fromkeys(DISPERSION_TESTS, (*number, type(None)))
    fields = p_values | {"variance_ratio": number, "variance_sd": number}
    results.check_fields(row["dispersion"], fields, f"{where}.dispersion")
    results.check_fields(row["serial"], dict.fromkeys(SERIAL_TESTS, (dict,)), f"{where}.serial")
    for name in SERIAL_TESTS:
        results.check_fields(row["serial"][name], {"p": (*number, type(None))}, f"{where}.serial.{name}")


def check_streams(streams, where):
    fields = {"streams": (int,), "lanes": (bool,), "seed": (int,), "words_sha256": (str,), "dieharder": (list,)}
    for stream in streams:
        results.check_fields(stream, fields, f"a stream of {where}")
        for record in stream["dieharder"]:
            check_record(record, f"a test of {where}")


def check_record(record, where):
    fields = {"test": (str,), "ntuple": (int,), "p": (int, float, type(None)), "assessment": (str,)}
    results.check_fields(record, fields, where)


def check_gpu(gpu):
    results.check_fields(gpu, {"context": (dict,), "sizes": (dict,), "rows": (list,)}, "gpu")
    for row in gpu["rows"]:
        results.check_fields(row, {"source": (str,)}, "a row of gpu")
        check_suite(row)


def check_full(full):
    results.check_fields(full, {"streams": (list,)}, "full")
    check_streams(full["streams"], "full")
    for stream in full["streams"]:
        results.check_fields(stream, {"source": (str,)}, "a stream of full")
