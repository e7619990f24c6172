"""The faults of each generator and its verdict, from the stored battery (results/quality.json).

A fault is any of these:
- A p-value of dieharder counts as failed (dieharder.py), in any stream of the generator's words. Tests that dieharder
  itself lists as suspect or "do not use" do not count.
- A p-value of the suite's own tests is below 10^-6. The tests of pairs (x, y) and of neighbouring words count on the CPU
  and on the GPU. The tests of each stream's hits (mean, variance, distribution, correlation of neighbouring streams)
  count on the GPU only, where streams are as long as in the versions. For specimens they count on the CPU too.
- A p-value of the differences of words (of lanes, for bit planes) or of the parities of lanes is below 10^-6.
- A bit is linear: one of the upper 24 of a word, or any bit in bit planes.
- A result of TestU01 or PractRand is a failure (batteries.py), on the words in a form in which the generator is used. Long runs
  count as far as they have come.

The verdict on a generator of the ladder is the first that applies:
  demonstration only              It has a fault, or all streams share a cycle of fewer than 10^12 samples.
  not tested                      A result is missing: a p-value of a test of a stream, or of the suite's tests on the
                                  GPU, or a run of SmallCrush or PractRand, for the same words. Where those are not
                                  installed, stored runs of the same words hold.
  sound in bit planes             Each bit of a word belongs to another sample.
  sound for 24-bit coordinates    A bit below the upper 24 is linear. A float keeps only the upper 24. With "but for a known
                                  parity" if a test that knows the recurrence sees a parity of these bits (KNOWN_PARITIES).
  sound                           In whole words.

Faults that only the CPU's short streams show are recorded, but not judged (short_stream_faults).
"""

from suite.analyse import batteries, dieharder
from suite.analyse.batteries import DIEHARDER, DIEHARDER_FULL, LOWER_BITS, REFERENCE, SEED
from suite.documents import quality, records
from suite.documents.quality import DISPERSION_TESTS, SERIAL_TESTS

DEMONSTRATION, NOT_TESTED = "demonstration only", "not tested"
SOUND, IN_24_BITS, IN_BIT_PLANES = "sound", "sound for 24-bit coordinates", "sound in bit planes"
BUT_PARITY = f"{IN_24_BITS} but for a known parity"
CALLED_SOUND = (SOUND, IN_24_BITS, BUT_PARITY, IN_BIT_PLANES)
QUASI_RANDOM = "quasi-random"  # declared by versions whose points are not random; never a verdict, as it has no words

# Generators of which a parity of bits that a version uses is known to have a bias, too small for the batteries. That of the
# MRG is counted by tests/host/kernels/random/parity_test.cpp.
KNOWN_PARITIES = ("mrg",)

FAILED_BELOW = dieharder.FAILED_BELOW
CYCLE_SAMPLES = 1e12

# Expected faults that only a million streams of 10^5 samples show. Streams from one cycle of 2^32 words overlap, so the
# variance of their hits is too large. The trinomials' three-term relations make it too small.
DISPERSION_ON_GPU = {"lcg": "over", "trinomial_63_1": "under", "trinomial_31_3": "under"}
CLEARLY = 4  # standard deviations
FAR = 4.892  # standard deviations: a normal distribution is farther out, on either side, with probability 10^-6


# Faults


def faults(row, document):
    """The faults of a generator, one text each."""
    return [
        *dieharder_faults(row, document),
        *battery_faults(row, document),
        *suite_faults(row, document),
        *word_faults(row),
        *linear_faults(row),
    ]


def dieharder_faults(row, document):
    records = [(record, "") for record in streams_of(row, document)]
    records += [(record, ", full size") for record in records_of(row, document, DIEHARDER_FULL)]
    texts = [
        f"{len(batteries.failures(record))} of {record['count']} ({batteries.text_of(batteries.run_of(record))}{size})"
        for record, size in records
        if batteries.failures(record)
    ]
    return [f"dieharder: {', '.join(texts)}"] if texts else []


def battery_faults(row, document):
    """The runs of TestU01 and PractRand that failed, one text for each battery."""
    texts = {}
    for record in failed_runs(row, document):
        counts = f"{len(batteries.failures(record))} of {record['count']}"
        where = batteries.text_of(batteries.run_of(record))
        texts.setdefault(record["battery"], []).append(f"{counts} ({where})")
    return [f"{battery}: {', '.join(of_battery)}" for battery, of_battery in texts.items()]


def failed_runs(row, document):
    """The failed runs of TestU01 and PractRand on a generator's words, in a form in which it is used."""
    records = battery_records(row, document)
    return [record for record in records if record["form"] in batteries.forms_of(row) and batteries.failures(record)]


def tested_bytes(row, document):
    """What the longest run of PractRand read of the words of a source; None if it has not read every form in which a version uses them."""
    runs = [run for run in batteries.battery_runs(row, batteries.STANDARD) if run.battery == batteries.PRACTRAND]
    found = {
        batteries.run_of(record): record["bytes"]
        for record in battery_records(row, document)
        if record["battery"] == batteries.PRACTRAND
    }
    of_forms = [size for run, size in found.items() if run.form in batteries.forms_of(row)]
    return max(of_forms) if found.keys() >= set(runs) else None


def records_of(row, document, *names, seed=SEED):
    """The runs of these batteries on the words that a generator draws now, with this seed."""
    return [
        record for record in document["runs"]
        if record["source"] == row["words_of"] and record["words_sha256"] == row["words_sha256"]
        and record["seed"] == seed and record["battery"] in names
    ]  # fmt: skip


def battery_records(row, document):
    """The runs of TestU01 and PractRand, the long ones among them."""
    usual = records_of(row, document, batteries.SMALL_CRUSH, batteries.CRUSH, batteries.PRACTRAND)
    return usual + records_of(row, document, batteries.BIG_CRUSH, batteries.PRACTRAND, seed=batteries.LONG_SEED)


def streams_of(row, document):
    """The runs of dieharder on a row's words."""
    return records_of(row, document, DIEHARDER)


def suite_faults(row, document):
    """The suite's own tests that a source failed, with the place if it passed the test in another place."""
    gpu = gpu_row(row, document)
    on_cpu = failed(pair_tests(row) + (dispersion_tests(row) if is_specimen(row) else []))
    on_gpu = failed(pair_tests(gpu) + dispersion_tests(gpu)) if gpu else []
    found = records.grouped([*((title, "CPU") for title in on_cpu), *((title, "GPU") for title in on_gpu)])
    everywhere = 2 if gpu else 1
    return [title if len(places) == everywhere else f"{title} ({places[0]})" for title, places in found.items()]


def word_faults(row):
    """The failed tests of a source's words. They need no samples."""
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
    """Titles of the tests of words with a p-value for which holds_of is true."""
    lags = [lag for lag, found in enumerate(row["differences"] or [], 1) if holds_of(found["p"])]
    windows = [window for window in row["parities"] or [] if holds_of(window["p"]) or holds_of(window["p_largest"])]
    lanes = {lane for window in windows for lane in range(window["first"], window["first"] + window["bits"])}
    return [
        *([f"differences of words {ranges(lags)} apart"] if lags else []),
        *([f"parities of lanes {ranges(sorted(lanes))}"] if lanes else []),
    ]


def short_stream_faults(row):
    """Faults in the hits of the CPU's short streams. They are reported but do not affect the verdict."""
    return failed(dispersion_tests(row)) + [f"hits {lag} apart" for lag in correlated_lags(row)]


def correlated_lags(row):
    """The distances at which hits of a stream correlate."""
    lags = row.get("lags")
    if not lags:
        return []
    distances = [abs(correlation) / lags["sd"] for correlation in lags["correlation"]]
    return [lag for lag, distance in enumerate(distances, 1) if distance > FAR]


def gpu_row(row, document):
    """The GPU's row of the same source and words, or None."""
    gpu = document["gpu"] or {"rows": []}
    same = ("source", "words_sha256")
    return next((other for other in gpu["rows"] if all(other[name] == row[name] for name in same)), None)


def linear_faults(row):
    used = [bit for bit in linear_bits(row) if row["bit_planes"] or bit >= LOWER_BITS]
    return [f"linear bits {ranges(used)}"] if used else []


def linear_bits(row):
    return row["linear"]["linear_bits"] if row["linear"] else []


def ranges(numbers):
    """Rising numbers as text: '0 to 3, 7, 8'."""
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
    """The tests of a generator without a result, one text each."""
    return [
        *missing_of_dieharder(row, document),
        *missing_of_batteries(row, document),
        *missing_of_suite(row),
        *missing_on_gpu(row, document),
    ]


def missing_of_dieharder(row, document):
    words = next((other for other in document["rows"] if other["source"] == row["words_of"]), None)
    if words is None:
        return [f"the words of {row['words_of']}"]
    found = {batteries.run_of(record): record for record in streams_of(row, document)}
    unfinished = {
        run: dieharder.unfinished_tests(found.get(run, {"results": []}))
        for run in batteries.dieharder_runs(words, batteries.STANDARD)
    }
    return [
        f"dieharder: {len(tests)} of {len(dieharder.TESTS)} tests ({batteries.text_of(run)})"
        for run, tests in unfinished.items()
        if tests
    ]


def missing_of_batteries(row, document):
    settled = {batteries.run_of(record) for record in battery_records(row, document) if batteries.is_settled(record)}
    runs = batteries.battery_runs(row, batteries.STANDARD)
    of_battery = records.grouped((run.battery, run in settled) for run in runs)
    return [f"{name}: {done.count(False)} of {len(done)} runs" for name, done in of_battery.items() if not all(done)]


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
        return ["the tests of these words on the GPU"]
    return [f"{title} (GPU)" for title in without_result([*pair_tests(gpu), *dispersion_tests(gpu)])]


def without_result(tests):
    return [title for title, p in tests if is_absent(p)]


def is_absent(p):
    return p is None


# Verdicts


def is_specimen(row):
    """Whether it is a generator with known faults. No version uses those."""
    return not row["versions"]


def with_verdicts(document):
    """The document with a verdict in the row of each source of the ladder."""
    rows = [row | {"verdict": None if is_specimen(row) else verdict(row, document)} for row in document["rows"]]
    return document | {"rows": rows}


def verdict(row, document):
    """The verdict on a generator, by the rule above."""
    if faults(row, document) or is_short(row):
        return DEMONSTRATION
    if missing(row, document):
        return NOT_TESTED
    if row["bit_planes"]:
        return IN_BIT_PLANES
    if row["source"] in KNOWN_PARITIES:
        return BUT_PARITY
    return IN_24_BITS if linear_bits(row) else SOUND


def is_short(row):
    """Whether a launch or two use up the cycle. Lagged generators have so many cycles that threads never share one."""
    return not row["lagged"] and row["cycle_samples"] < CYCLE_SAMPLES


def complaints(document):
    """Everything that is not as expected, one line each."""
    return [
        *(f"{row['source']}: no test found its fault" for row in unfound_specimens(document)),
        *unfound_controls(document),
        *wrong_declarations(document),
        *reference_failures(document),
        *wrong_dispersions(document),
    ]


def unfound_specimens(document):
    """Generators with known faults in which the tests found no fault."""
    return [row for row in document["rows"] if is_specimen(row) and not faults(row, document)]


def unfound_controls(document):
    """The runs of batteries on known faults that found nothing, one line each."""
    rows = {row["source"]: row for row in document["rows"]}
    return [
        f"{run.source}: {run.battery} found nothing in {batteries.text_of(run)}"
        for run in batteries.CONTROLS
        for record in (battery_records(rows[run.source], document) if run.source in rows else ())
        if batteries.run_of(record) == run and batteries.is_settled(record) and not batteries.failures(record)
    ]


def wrong_declarations(document):
    """Verdicts that differ from what the source declares, except "not tested" (see untested)."""
    return [
        f"{row['source']} is declared '{row['soundness']}', the verdict is '{row['verdict']}'"
        for row in document["rows"]
        if not is_specimen(row) and row["verdict"] not in (row["soundness"], NOT_TESTED)
    ]


def untested(document):
    """The generators without a possible verdict yet, with the missing results, one line each."""
    return [
        f"{row['source']} is not tested, missing: {'; '.join(missing(row, document))}"
        for row in document["rows"]
        if row["verdict"] == NOT_TESTED
    ]


def reference_failures(document):
    """The tests that the reference did not pass, with any seed."""
    row = next((row for row in document["rows"] if row["source"] == REFERENCE), None)
    if row is None:
        return [f"{REFERENCE} was not tested"]
    return [
        f"{REFERENCE}, seed {record['seed']}, {batteries.text_of(batteries.run_of(record))}: {result['test']} {result['ntuple']}"
        f" {result['assessment']}"
        for record in [*streams_of(row, document), *reference_records(document)]
        for result in record["results"]
        if result["assessment"] in (dieharder.FAILED, dieharder.NO_RESULT)
    ]


def reference_records(document):
    """dieharder on the reference with other seeds."""
    return [record for record in document["runs"] if record["battery"] == DIEHARDER and record["seed"] != SEED]


def wrong_dispersions(document):
    """Sources whose dispersion on the GPU does not show the expected fault."""
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
    """The battery in a folder with its verdicts, or None."""
    document = quality.DOCUMENT.stored_in(folder)
    return document and with_verdicts(document)
