"""Test the random numbers of every version, and of generators with known faults, which the tests must find.

First pi_quality runs the suite's own tests. Then dieharder reads the words of
every generator from pi_stream: from a single stream, and from 1024 interleaved
streams; bit planes as words, and lane by lane. The reference, Philox, is tested
with ten more seeds. Seeds are fixed: the same programs give the same p-values.
scripts/suite/analyse/dieharder.py lists the tests and their sizes.

Last, SmallCrush of TestU01 and PractRand's RNG_test read the words of every
generator that is declared sound, from 1, 1,024 and 65,536 streams, and of some
with known faults (scripts/suite/analyse/batteries.py). If one of the two is not
installed, a line says so, and its stored results are kept.

Words with stored results are tested again only with --redo. A longer stored run
of TestU01 or PractRand is kept even then, unless the new one fails.

Each version gets a verdict, by the rule in scripts/suite/analyse/verdicts.py.
The result goes to <out>/quality.json if everything is as expected: every known
fault is found, Philox fails nowhere, and every verdict is the one that the
version declares. Otherwise it goes to <bin>/results/quality.json. A generator
without all results, such as those of --gpu, is "not tested".

--gpu repeats pi_quality's tests on the GPU at full size. --batteries runs only
TestU01 and PractRand. --full runs Crush of TestU01, PractRand on 16 GiB, and then
all tests of dieharder at full size, for hours. Each replaces only its part of the
stored result. TestU01, PractRand and a full run store each stream as soon as it
is complete.
"""

import datetime
import shutil
import signal

from suite import processes
from suite.analyse import batteries, dieharder, streams, verdicts
from suite.command import DONE, FAILED, UNWRITTEN, USAGE, Command, Stop, add_folders, require_programs
from suite.documents import files, quality
from suite.documents.schema import ResultError
from suite.tools import batteries as battery_runs
from suite.tools import reading
from suite.processes import ProgramError, run_program
from suite.terminal import StatusLine

COMMAND = Command("quality", __doc__, {
    DONE: "done; with --gpu also without a GPU",
    FAILED: "a program failed, or a result is not as expected",
    USAGE: "bad usage, or a program is missing",
}, unfinished="nothing incomplete was written")
complain = COMMAND.complain

SAMPLE_FIELDS = ("dispersion", "serial", "lags")  # tests of pi_quality that take minutes
SAMPLE_SIZES = ("streams", "iters", "pairs")
GPU_FIELDS = ("source", "words_sha256", "dispersion", "serial", "overlap")
NO_DIEHARDER = "dieharder is not on the PATH: apt-get install dieharder"


def main():
    """Test and store; returns the exit code."""
    signal.signal(signal.SIGTERM, interrupt)  # stops the children too
    options = parse_arguments()
    if options.gpu:
        return test_on_gpu(options)
    if options.batteries is not None:
        return test_by_batteries(options)
    if options.full is not None:
        return test_in_full(options)
    return test_everything(options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--gpu", action="store_true", help="run the suite's own tests on the GPU")
    parts.add_argument(
        "--batteries",
        nargs="*",
        metavar="NAME",
        help="run TestU01 and PractRand, on these generators or versions (default: all that are declared sound)",
    )
    parts.add_argument(
        "--full",
        nargs="*",
        metavar="NAME",
        help="run Crush, a longer PractRand and all of dieharder, on these generators or versions (default: all)",
    )
    parser.add_argument("--redo", action="store_true", help="also test streams with stored results")
    options = parser.parse_args()
    if options.redo and options.gpu:
        parser.error("--redo has no effect with --gpu")
    require_programs(options.bin, *programs_for(options))
    if not options.gpu and options.batteries is None and not shutil.which("dieharder"):
        parser.error(NO_DIEHARDER)
    return options


def programs_for(options):
    """The programs that the chosen tests need."""
    return ["pi_stream"] if (options.full, options.batteries) != (None, None) else ["pi_quality", "pi_stream"]


# The suite's own tests and dieharder


def test_everything(options):
    """Run the suite's own tests and all batteries."""
    old = stored(options) if stored_path(options).exists() else None
    measured = measured_anew(old, options) if old and not options.redo else run_pi_quality(options)
    planned = [*streams.streams_of_rows(measured["rows"]), *streams.reference_streams()]
    records = {} if options.redo or not old else known_records(old, planned, options)
    missing = [stream for stream in planned if stream not in records]
    records |= {streams.stream_of(record): record for record in tested(missing, reading.readers(), options)}
    document = assembled(measured, [records[stream] for stream in planned])
    if code := store(with_parts_of(old, document) if old else document, options):
        return code
    return test_by_batteries(options)


def measured_anew(old, options):
    """The document of pi_quality. It reuses stored tests of samples of the same words and the same sizes."""
    document = run_pi_quality(options, "--words-only", kind=quality.OF_WORDS)
    same_sizes = all(old["sizes"].get(name) == document["sizes"].get(name) for name in SAMPLE_SIZES)
    stored_rows = {row["source"]: row for row in old["rows"]} if same_sizes else {}
    known = {
        row["source"]: stored_rows[row["source"]]
        for row in document["rows"]
        if row["source"] in stored_rows and has_samples_of(stored_rows[row["source"]], old, row, options)
    }
    if unknown := [row["source"] for row in document["rows"] if row["source"] not in known]:
        known |= {row["source"]: row for row in run_pi_quality(options, *unknown)["rows"]}
    rows = [row | {name: known[row["source"]].get(name) for name in SAMPLE_FIELDS} for row in document["rows"]]
    return document | {"rows": rows}


def has_samples_of(stored_row, old, row, options):
    """Whether a stored row has the same words and hit rule as a row measured now."""
    same = all(stored_row.get(name) == row.get(name) for name in ("words_of", "bit_planes", "expected"))
    return same and verdicts.words_hash(stored_row, old) == hash_of_words(row["words_of"], options)


def run_pi_quality(options, *arguments, kind=quality.MEASURED):
    """The document that pi_quality prints. Its stderr passes through."""
    program = str((options.bin / "pi_quality").absolute())
    outcome = run_program(program, *arguments, "--json", "-", errors=None)
    if outcome.code == processes.NO_GPU:
        raise Stop(DONE, "nothing measured: no usable GPU")
    if outcome.code != 0:
        raise ProgramError(f"pi_quality failed (exit {outcome.code})")
    return kind.parse(outcome.output, "pi_quality")


def known_records(old, planned, options):
    """The stored records, by stream, that a new test would repeat."""
    if old["tools"]["dieharder"] != reading.dieharder_version():
        return {}
    stored_streams = [*(stream for row in old["rows"] for stream in row["streams"]), *old["philox_seeds"]]
    return {
        streams.stream_of(record): record
        for record in stored_streams
        if streams.stream_of(record) in planned and reading.is_settled(record)
        and record["words_sha256"] == reading.fingerprint(streams.stream_of(record), options.bin)
    }  # fmt: skip


def tested(planned, readers, options):
    """Test streams; yields and prints each record when it is complete."""
    if not planned:
        return
    progress = Progress()
    for record in reading.tested(planned, readers, options.bin, progress):
        progress.clear()
        print(summary(record), flush=True)
        yield record


def summary(record):
    """A record in one line."""
    found = record["dieharder"]
    seed = "" if record["seed"] == streams.SEED else f", seed {record['seed']}"
    counts = [f"{dieharder.count(found, kind)} {kind}" for kind in (dieharder.FAILED, dieharder.WEAK)]
    missing = dieharder.count(found, dieharder.NO_RESULT)
    without = [f"{missing} without a result"] if missing else []
    name = f"{record['source']}, {verdicts.stream_text(record)}{seed}"
    return f"{name:<46}  {', '.join([*counts, *without])}, of {len(found)} p-values"


def assembled(measured, records):
    """The document of a battery: pi_quality's measurements and the records of streams."""
    of_rows = [record for record in records if record["seed"] == streams.SEED]
    rows = [
        row | {"streams": [record for record in of_rows if record["source"] == row["source"]]}
        for row in measured["rows"]
    ]
    return measured | {
        "tools": {"dieharder": reading.dieharder_version()},
        "thresholds": verdicts.THRESHOLDS,
        "rows": rows,
        "philox_seeds": [record for record in records if record["seed"] != streams.SEED],
        "batteries": [],
        "gpu": None,
        "full": None,
    }


def with_parts_of(old, document):
    """The document with the parts of an old one that still hold: those of present sources and the same words."""
    words = {fingerprint_of(stream) for row in document["rows"] for stream in row["streams"]}
    gpu, full = old["gpu"], old["full"]
    runs = [record for record in old["batteries"] if fingerprint_of(record) in words]
    if gpu:
        rows = [verdicts.gpu_row(row, document | {"gpu": gpu}) for row in document["rows"]]
        gpu = gpu | {"rows": [row for row in rows if row]}
    if full:
        full = full | {"streams": [stream for stream in full["streams"] if fingerprint_of(stream) in words]}
    return document | {"batteries": runs, "gpu": gpu, "full": full}


def fingerprint_of(record):
    return record["source"], record["words_sha256"]


class Progress:
    """A progress line, on a terminal only."""

    def __init__(self):
        self._line = StatusLine()

    def start(self, total):
        self._done, self._total = 0, total
        self._show()

    def advance(self):
        self._done += 1
        self._show()

    def clear(self):
        self._line.clear()

    def _show(self):
        self._line.show(f"{self._done} of {self._total} tests")


# TestU01 and PractRand


def test_by_batteries(options):
    """Run the standard batteries on the chosen generators, and store every run when it is complete."""
    document = stored(options)
    runs = runs_on(named_rows(document, options.batteries), batteries.STANDARD)
    if not options.batteries:
        runs += [run for run in batteries.CONTROLS if any(row["source"] == run.source for row in document["rows"])]
    document = with_runs(document, runs, batteries.STANDARD, options)
    code = judge(document, f"the result is in {stored_path(options)}")
    for line in verdicts.untested(document):
        print(line, flush=True)
    return code


def runs_on(rows, amount):
    """The runs on the words of those of the rows that are declared sound, each once."""
    sound = [row for row in rows if row["soundness"] in verdicts.CALLED_SOUND]
    return list(dict.fromkeys(run for row in sound for run in batteries.runs_of(row, amount)))


def with_runs(document, runs, amount, options):
    """The document with these runs. Each is stored when it is complete; what is stored already is done again with --redo."""
    if absent := battery_runs.absent(options.bin):
        print(f"not installed, so not used: {', '.join(absent)}", flush=True)
    runs = [run for run in runs if battery_runs.can_run(run, options.bin)]
    runs = runs if options.redo else [run for run in runs if not is_stored(run, amount, document, options)]
    if not runs and not absent:
        print("nothing to do for TestU01 and PractRand", flush=True)
    progress = Progress()
    for record in battery_runs.tested(runs, amount, options.bin, progress):
        progress.clear()
        print(run_summary(record), flush=True)
        if record["count"]:
            document = verdicts.with_verdicts(with_run(document, record))
            save(stored_path(options), document)
    return document


def is_stored(run, amount, document, options):
    """Whether a final result of a run is stored, of the words that are drawn now."""
    of_run = [record for record in document["batteries"] if batteries.run_of(record) == run]
    return any(
        batteries.is_settled(record, amount) and record["words_sha256"] == hash_of_words(run.source, options)
        for record in of_run
    )


def with_run(document, record):
    """The document with a run. It replaces an older one, unless that one is longer and the new one found nothing."""
    run = batteries.run_of(record)
    older = [other for other in document["batteries"] if batteries.run_of(other) == run]
    if any(is_longer(other, record) for other in older) and not batteries.failures(record):
        return document
    kept = [other for other in document["batteries"] if other not in older]
    return document | {"batteries": sorted([*kept, record], key=batteries.run_of)}


def is_longer(other, record):
    """Whether another run read more of the same words."""
    return fingerprint_of(other) == fingerprint_of(record) and other["bytes"] > record["bytes"]


def run_summary(record):
    """A run in one line."""
    run = batteries.run_of(record)
    name = f"{run.source}, {batteries.text_of(run)}"
    if not record["count"]:
        return f"{name:<46}  {run.battery}: no result, as it ran out of time"
    kinds = [result["assessment"] for result in record["results"]]
    counts = [f"{kinds.count(kind)} {kind}" for kind in (dieharder.FAILED, dieharder.WEAK)]
    return f"{name:<46}  {run.battery}: {', '.join(counts)}, of {record['count']} results, {record['bytes'] / 2**20:,.0f} MiB"


# The parts --gpu and --full


def test_on_gpu(options):
    """Run the suite's own tests on the GPU."""
    document = stored(options)
    measured = run_pi_quality(options, "--gpu")
    hashes = {source: hash_of_words(source, options) for source in {row["words_of"] for row in measured["rows"]}}
    rows = [row | {"words_sha256": hashes[row["words_of"]]} for row in measured["rows"]]
    rows = [{name: row.get(name) for name in GPU_FIELDS} for row in rows]
    part = {"context": measured["context"], "sizes": measured["sizes"], "rows": rows}
    return store(document | {"gpu": part}, options)


def hash_of_words(source, options):
    """The hash of the words that a source's threads draw in these programs."""
    return reading.fingerprint(streams.of_many_threads(source), options.bin)


def test_in_full(options):
    """Run Crush, a longer PractRand and all tests of dieharder at full size. Stores each stream when it is complete."""
    document = stored(options)
    runs = runs_on(named_rows(document, options.full), batteries.FULL)
    document = with_runs(document, runs, batteries.FULL, options)
    planned = streams.streams_of_rows(rows_with_words(document, options.full))
    if not options.redo:
        planned = [stream for stream in planned if not is_known(stream, document, options)]
    for record in tested(planned, reading.full_readers(), options):
        document = verdicts.with_verdicts(with_full(document, record))
        save(stored_path(options), document)
    return judge(document, f"the result is in {stored_path(options)}")


def rows_with_words(document, names):
    """The rows whose words the named generators use."""
    words = {row["words_of"] for row in named_rows(document, names)}
    return [row for row in document["rows"] if row["source"] in words]


def named_rows(document, names):
    """The rows of these generators or versions; of all the ladder if there are no names."""
    ladder = [row for row in document["rows"] if not verdicts.is_specimen(row)]
    known = {name for row in ladder for name in (row["source"], *row["versions"])}
    if unknown := [name for name in names or [] if name not in known]:
        raise ResultError(f"the stored battery has no {', '.join(unknown)}")
    return [row for row in ladder if set(names or known) & {row["source"], *row["versions"]}]


def is_known(stream, document, options):
    """Whether a full test of these words is stored."""
    known = {fingerprint_of(record) for record in full_streams(document)}
    return (stream.source, reading.fingerprint(stream, options.bin)) in known


def full_streams(document):
    return document["full"]["streams"] if document["full"] else []


def with_full(document, record):
    """The document with the full test of a stream. It replaces an older one."""
    kept = [other for other in full_streams(document) if place_of(other) != place_of(record)]
    dated = record | {"date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}"}
    return document | {"full": {"streams": sorted([*kept, dated], key=place_of)}}


def place_of(record):
    return record["source"], record["lanes"], record["streams"]


# Storing


def stored_path(options):
    return options.out / "quality.json"


def stored(options):
    """The stored battery, checked."""
    path = stored_path(options)
    if not path.exists():
        raise ResultError(f"{path} does not exist yet: run make quality first")
    return quality.DOCUMENT.load(path)


def store(document, options):
    """Write the document to its place, or aside if there are complaints; returns the exit code."""
    document = verdicts.with_verdicts(document)
    target = stored_path(options)
    if verdicts.complaints(document):
        aside = options.bin / "results" / target.name
        write(aside, document)
        return judge(document, f"{target} is not replaced, the result is in {aside}")
    write(target, document)
    return 0


def judge(document, outcome):
    """Print the complaints and the outcome; returns the exit code."""
    complaints = verdicts.complaints(document)
    for complaint in complaints:
        complain(FAILED, complaint)
    return complain(FAILED, outcome) if complaints else 0


def write(path, document):
    """Write the document and print its path."""
    save(path, document)
    print(f"wrote {path}", flush=True)


def save(path, document):
    """Write the document."""
    try:
        files.write_text(path, files.to_compact_text(document))
    except OSError as error:
        raise Stop(UNWRITTEN, f"{path} could not be written: {error.strerror or error}") from None


def interrupt(*_):
    raise KeyboardInterrupt
