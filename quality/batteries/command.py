"""Test the random numbers of every version, and of generators with known faults, which the tests must find.

First suite_quality runs the suite's own tests. Then dieharder reads the words of
every generator from suite_stream: from a single stream, and from 1024 interleaved
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

--gpu repeats suite_quality's tests on the GPU at full size. --batteries runs only
TestU01 and PractRand. --full runs Crush of TestU01, PractRand on 16 GiB, all tests
of dieharder at full size, and then the long runs: BigCrush and PractRand on 256 GiB
with another seed, on the generators of the fastest steps and on Philox, for many
hours. Each replaces only its part of the stored result. TestU01, PractRand and a
full run store each stream as soon as it is complete, and each test of BigCrush.

--take stores long runs that quality/long_runs did elsewhere, finished or not.

--words reads up to 10^15 words of each generator on the GPU, and of generators
with known faults (quality/batteries/words.py says how many). It stores the sums
in <out>/words.json after each run, and goes on where it stopped.
"""

import datetime
import shutil
from pathlib import Path

from batteries import dieharder, long_runs, words
from batteries import runs as battery_runs
from suite import processes
from suite.analyse import batteries, verdicts
from suite.analyse.batteries import DIEHARDER, DIEHARDER_FULL, FULL, LONG, STANDARD
from suite.analyse.dieharder import FAILED as A_FAILURE
from suite.analyse.dieharder import NO_RESULT, WEAK
from suite.command import DONE, FAILED, USAGE, Command, Stop, hold, parse_with_folders, require_programs
from suite.documents import quality, storing
from suite.documents.schema import ResultError
from suite.processes import ProgramError, run_program

COMMAND = Command(
    "quality",
    __doc__,
    {
        DONE: "done; with --gpu or --words also without a GPU",
        FAILED: "a program failed, or a result is not as expected",
        USAGE: "bad usage, or a program is missing",
    },
    unfinished="nothing incomplete was written",
)
complain = COMMAND.complain

SAMPLE_FIELDS = ("dispersion", "serial", "lags")  # tests of suite_quality that take minutes
SAMPLE_SIZES = ("streams", "iters", "pairs")
GPU_FIELDS = ("source", "words_sha256", "dispersion", "serial", "overlap")


def main():
    """Test and store; returns the exit code."""
    options = parse_arguments()
    hold(options.out)
    if options.gpu:
        return test_on_gpu(options)
    if options.words:
        return words.test(options, COMMAND)
    if options.batteries is not None:
        return test_by_batteries(options)
    if options.full is not None:
        return test_in_full(options)
    if options.take:
        return take(options)
    return test_everything(options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--gpu", action="store_true", help="run the suite's own tests on the GPU")
    parts.add_argument("--words", action="store_true", help="read as many words as steps draw, on the GPU")
    for name, what, usual in (("--batteries", "TestU01 and PractRand", "all that are declared sound"),
                              ("--full", "Crush, a longer PractRand and all of dieharder", "all")):  # fmt: skip
        parts.add_argument(
            name, nargs="*", metavar="NAME", help=f"run {what}, on these generators or versions (default: {usual})"
        )
    parts.add_argument("--take", type=Path, metavar="FOLDER", help="store the results in a folder of quality/long_runs")
    parser.add_argument("--redo", action="store_true", help="also test streams with stored results")
    options = parse_with_folders(parser)
    if options.redo and options.gpu:
        parser.error("--redo has no effect with --gpu")
    if options.words:
        require_programs(options.bin, words.PROGRAM)
        return options
    needs_own = (options.full, options.batteries, options.take) == (None, None, None)
    require_programs(options.bin, *(["suite_quality"] if needs_own else []), "suite_stream")
    if not options.gpu and options.batteries is None and not options.take and not shutil.which(dieharder.PROGRAM):
        parser.error("dieharder is not on the PATH: apt-get install dieharder")
    options.hashes = {}
    return options


# The suite's own tests and dieharder


def test_everything(options):
    """Run the suite's own tests and all batteries."""
    old = quality.DOCUMENT.stored_in(options.out)
    measured = measured_anew(old, options) if old and not options.redo else run_suite_quality(options)
    rows = [row | {"words_sha256": hash_of(row["words_of"], options)} for row in measured["rows"]]
    document = measured | {"rows": rows, "runs": [], "gpu": None}
    planned = [
        run for row in rows if row["words_of"] == row["source"] for run in batteries.dieharder_runs(row, STANDARD)
    ]
    planned += batteries.reference_runs()
    document = with_what_holds(old, planned, document) if old else document
    for record in tested(what_is_missing(planned, STANDARD, document, options), STANDARD, options):
        document = with_run(document, record)
    if code := store(document, options):
        return code
    return test_by_batteries(options)


def measured_anew(old, options):
    """The document of suite_quality. It reuses stored tests of samples of the same words and the same sizes."""
    document = run_suite_quality(options, "--words-only", kind=quality.OF_WORDS)
    same_sizes = all(old["sizes"].get(name) == document["sizes"].get(name) for name in SAMPLE_SIZES)
    before = {row["source"]: row for row in old["rows"]} if same_sizes else {}
    known = {
        row["source"]: before[row["source"]]
        for row in document["rows"]
        if has_samples_of(before.get(row["source"]), row, options)
    }
    if unknown := [row["source"] for row in document["rows"] if row["source"] not in known]:
        known |= {row["source"]: row for row in run_suite_quality(options, *unknown)["rows"]}
    rows = [row | {name: known[row["source"]].get(name) for name in SAMPLE_FIELDS} for row in document["rows"]]
    return document | {"rows": rows}


def has_samples_of(before, row, options):
    """Whether a stored row has the same words and hit rule as a row measured now."""
    same = before and all(before.get(name) == row.get(name) for name in ("words_of", "bit_planes", "expected"))
    return same and before["words_sha256"] == hash_of(row["words_of"], options)


def run_suite_quality(options, *arguments, kind=quality.MEASURED):
    """The document that suite_quality prints. Its stderr passes through."""
    program = str((options.bin / "suite_quality").absolute())
    outcome = run_program(program, *arguments, "--json", "-", errors=None)
    if outcome.code == processes.NO_GPU:
        raise Stop(DONE, "nothing measured: no usable GPU")
    if outcome.code != 0:
        raise ProgramError(f"suite_quality failed (exit {outcome.code})")
    return kind.parse(outcome.output, "suite_quality") | {"schema": quality.DOCUMENT.made(None, [])["schema"]}


def with_what_holds(old, planned, document):
    """The document with what holds of an old one: runs and tests on the GPU of present sources that draw the same words."""
    words = {(row["source"], row["words_sha256"]) for row in document["rows"]}
    runs = [record for record in old["runs"] if (record["source"], record["words_sha256"]) in words
            and (record["battery"] != DIEHARDER or batteries.run_of(record) in planned)]  # fmt: skip
    rows = old["gpu"] and [row for row in old["gpu"]["rows"] if (row["source"], row["words_sha256"]) in words]
    return document | {"runs": runs, "gpu": old["gpu"] and old["gpu"] | {"rows": rows}}


def hash_of(source, options):
    """The hash of the words that a source's threads draw in these programs."""
    if source not in options.hashes:
        options.hashes[source] = battery_runs.fingerprint(source, options.bin)
    return options.hashes[source]


# Runs of batteries


def what_is_missing(runs, amount, document, options):
    """Those of the runs that have no final result of the words that are drawn now; with --redo all."""
    return [run for run in runs if options.redo or not is_stored(run, amount, document, options)]


def is_stored(run, amount, document, options):
    now = hash_of(run.source, options)
    return any(
        batteries.run_of(record) == run and batteries.is_settled(record, amount) and record["words_sha256"] == now
        and (run.battery != DIEHARDER or record["version"] == dieharder.version())
        for record in document["runs"]
    )  # fmt: skip


def tested(runs, amount, options, stored=None):
    """Do runs; yields and prints each record when it is complete. Of BigCrush it has the tests that a stored one lacks."""
    for record in battery_runs.tested(runs, amount, options.bin, stored) if runs else ():
        print(summary(record), flush=True)
        yield record


def summary(record):
    """A record in one line."""
    run, of_dieharder = batteries.run_of(record), record["battery"] in (DIEHARDER, DIEHARDER_FULL)
    seed = "" if run.seed == batteries.SEED else f", seed {run.seed}"
    start = f"{f'{run.source}, {batteries.text_of(run)}{seed}':<46}  {'' if of_dieharder else f'{run.battery}: '}"
    if not record["count"]:
        return f"{start}no result, as it ran out of time"
    missing = batteries.count([record], NO_RESULT)
    counts = [f"{batteries.count([record], kind)} {kind}" for kind in (A_FAILURE, WEAK)]
    counts += [f"{missing} without a result"] if missing else []
    amount = "p-values" if of_dieharder else f"results, {record['bytes'] / 2**20:,.0f} MiB"
    return f"{start}{', '.join(counts)}, of {record['count']} {amount}"


def with_runs(document, planned, options):
    """The document with what is missing of the planned runs of each amount. Each is stored when it is complete."""
    if absent := battery_runs.absent(options.bin):
        print(f"not installed, so not used: {', '.join(absent)}", flush=True)
    usable = {
        amount: [run for run in runs if battery_runs.can_run(run, options.bin)] for amount, runs in planned.items()
    }
    missing = {amount: what_is_missing(runs, amount, document, options) for amount, runs in usable.items()}
    if not any(run.battery not in battery_runs.TESTS for runs in missing.values() for run in runs) and not absent:
        print("nothing to do for TestU01 and PractRand", flush=True)
    for amount, runs in missing.items():
        for record in tested(runs, amount, options, current_by_run(document, options)):
            if record["count"]:
                document = verdicts.with_verdicts(with_run(document, dated(record)))
                storing.put(options.out, document, quality.DOCUMENT)
    return document


def current_by_run(document, options):
    """The stored records of words that are drawn now, by run; none with --redo."""
    if options.redo:
        return {}
    current = [record for record in document["runs"] if record["words_sha256"] == hash_of(record["source"], options)]
    return {batteries.run_of(record): record for record in current}


def dated(record):
    """A record with the time, if it took hours."""
    if record["battery"] not in (DIEHARDER_FULL, batteries.BIG_CRUSH) and record["seed"] != batteries.LONG_SEED:
        return record
    return record | {"date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}"}


def with_run(document, record):
    """The document with a run. It replaces an older one, unless that one is longer and the new one found nothing; tests of BigCrush
    join those of the same words.
    """
    run, record = batteries.run_of(record), batteries.thinned(record)
    older = [other for other in document["runs"] if batteries.run_of(other) == run]
    if run.battery == batteries.BIG_CRUSH:
        same = [other for other in older if other["words_sha256"] == record["words_sha256"]]
        record = batteries.joined(same[0], record) if same else record
    elif any(is_longer(other, record) for other in older) and not batteries.failures(record):
        return document
    kept = [other for other in document["runs"] if other not in older]
    return document | {"runs": sorted([*kept, record], key=batteries.place_of)}


def is_longer(other, record):
    """Whether another run read more of the same words."""
    return other["words_sha256"] == record["words_sha256"] and other.get("bytes", 0) > record.get("bytes", 0)


def test_by_batteries(options):
    """Run TestU01 and PractRand on the chosen generators, and store every run when it is complete."""
    document = stored(options)
    runs = runs_on(named_rows(document, options.batteries), STANDARD)
    if not options.batteries:
        runs += [
            run
            for run in batteries.CONTROLS
            if any(row["source"] == run.source for row in document["rows"]) and run not in runs
        ]
    document = with_runs(document, {STANDARD: runs}, options)
    code = judge(document, f"the result is in {stored_path(options)}")
    for line in verdicts.untested(document):
        print(line, flush=True)
    return code


def test_in_full(options):
    """Run Crush, a longer PractRand, all tests of dieharder at full size and the long runs. Stores each when it is complete."""
    document = stored(options)
    named = named_rows(document, options.full)
    words = {row["words_of"] for row in named}
    runs = [run for row in document["rows"] if row["source"] in words for run in batteries.dieharder_runs(row, FULL)]
    long = [run for row in document["rows"] if row["source"] in words for run in batteries.long_runs(row)]
    document = with_runs(document, {FULL: runs_on(named, FULL) + runs, LONG: long}, options)
    return judge(document, f"the result is in {stored_path(options)}")


def take(options):
    """Store long runs that were done elsewhere. Refuses those of words that are not drawn now."""
    document = stored(options)
    for record in long_runs.records_in(options.take):
        if record["words_sha256"] != hash_of(record["source"], options):
            raise ResultError(f"{options.take} has a run of other words of {record['source']} than are drawn now")
        document = with_run(document, record)
    document = verdicts.with_verdicts(document)
    for run in (run for row in document["rows"] for run in batteries.long_runs(row)):
        for record in (other for other in document["runs"] if batteries.run_of(other) == run):
            print(summary(record), flush=True)
    path = storing.put(options.out, document, quality.DOCUMENT)
    return judge(document, f"the result is in {path}")


def runs_on(rows, amount):
    """The runs of TestU01 and PractRand on the words of those of the rows that are declared sound, each once."""
    sound = [row for row in rows if row["soundness"] in verdicts.CALLED_SOUND]
    return list(dict.fromkeys(run for row in sound for run in batteries.battery_runs(row, amount)))


def named_rows(document, names):
    """The rows of these generators or versions; of all the ladder if there are no names."""
    ladder = [row for row in document["rows"] if not verdicts.is_specimen(row)]
    known = {name for row in ladder for name in (row["source"], *row["versions"])}
    if unknown := [name for name in names or [] if name not in known]:
        raise ResultError(f"the stored battery has no {', '.join(unknown)}")
    return [row for row in ladder if set(names or known) & {row["source"], *row["versions"]}]


# The part --gpu


def test_on_gpu(options):
    """Run the suite's own tests on the GPU."""
    document = stored(options)
    measured = run_suite_quality(options, "--gpu")
    rows = [row | {"words_sha256": hash_of(row["words_of"], options)} for row in measured["rows"]]
    rows = [{name: row.get(name) for name in GPU_FIELDS} for row in rows]
    part = {"context": measured["context"], "sizes": measured["sizes"], "rows": rows}
    return store(document | {"gpu": part}, options)


# Storing


def stored_path(options):
    return quality.DOCUMENT.path_in(options.out)


def stored(options):
    """The stored battery, checked."""
    document = quality.DOCUMENT.stored_in(options.out)
    if not document:
        raise ResultError(f"{stored_path(options)} does not exist yet: run make quality first")
    return document


def store(document, options):
    """Write the document to its place, or aside if there are complaints; returns the exit code."""
    document = verdicts.with_verdicts(document)
    target = stored_path(options)
    if verdicts.complaints(document):
        aside = write(options.bin / "results", document)
        return judge(document, f"{target} is not replaced, the result is in {aside}")
    write(options.out, document)
    return 0


def judge(document, outcome):
    """Print the complaints and the outcome; returns the exit code."""
    complaints = verdicts.complaints(document)
    for complaint in complaints:
        complain(FAILED, complaint)
    return complain(FAILED, outcome) if complaints else 0


def write(folder, document):
    """Write the document into a folder, and print its path; returns that."""
    path = storing.put(folder, document, quality.DOCUMENT)
    print(f"wrote {path}", flush=True)
    return path
