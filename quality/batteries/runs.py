"""Runs dieharder, TestU01 and PractRand on streams of random words, and records their results."""

import hashlib
import os
import shutil
import subprocess

from batteries import dieharder, practrand, testu01
from batteries.pipelines import Job, run_side_by_side
from suite.analyse import dieharder as tests
from suite.analyse.batteries import (
    BIG_CRUSH,
    BIG_CRUSH_TESTS,
    DIEHARDER,
    DIEHARDER_FULL,
    LANES,
    MANY,
    PRACTRAND,
    REVERSED,
)
from suite.analyse.batteries import STANDARD, UPPER_24, WORDS, Run, done_of
from suite.processes import ProgramError, is_program, last_line
from suite.terminal import rewrite_line

FINGERPRINT_WORDS = 65_536
TESTS = {DIEHARDER: tests.TESTS, DIEHARDER_FULL: tests.FULL_TESTS}
# Several times what a test of dieharder needs; all of them at full size together take about an hour.
CPU_SECONDS = {DIEHARDER: tests.CPU_SECONDS, DIEHARDER_FULL: 3600}
USUAL_SECONDS, LARGE_SECONDS = 900, 8 * 3600  # the same of TestU01 and PractRand


def absent(folder):
    """The names of the packages that are not installed, with what is not found of them."""
    found = {
        f"TestU01 ({testu01.PROGRAM} is not built)": is_program(folder / testu01.PROGRAM),
        f"PractRand ({practrand.PROGRAM} is not on the PATH)": shutil.which(practrand.PROGRAM),
    }
    return [name for name, is_there in found.items() if not is_there]


def can_run(run, folder):
    """Whether the battery of a run is installed."""
    if run.battery in TESTS:
        return True
    return bool(shutil.which(practrand.PROGRAM)) if run.battery == PRACTRAND else is_program(folder / testu01.PROGRAM)


# Words


def words_command(run, folder, test=None):
    """The command that writes the words of a run, or of a test of it."""
    form = {LANES: ["--lanes"], UPPER_24: ["--upper-24"]}.get(run.form, [])
    by_thread = ["--order", "thread", "--iters", str(run.iters)] if run.iters else []
    launch = ["--launch", str(test)] if run.battery == BIG_CRUSH else []
    # Absolute, because a bare name would be searched on the PATH.
    program = str((folder / "suite_stream").absolute())
    return [program, run.source, "--streams", str(run.streams), *form, *by_thread, "--seed", str(run.seed), *launch]


def fingerprint(source, folder):
    """A hash of the first words of a source. If it changes, stored results of the source no longer hold."""
    command = [*words_command(Run(DIEHARDER, source, WORDS, MANY), folder), "--words", str(FINGERPRINT_WORDS)]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    if process.returncode != 0:
        raise ProgramError(failure(command, process.returncode, process.stderr.decode(errors="replace")))
    return hashlib.sha256(process.stdout).hexdigest()


def failure(command, code, errors):
    name, *arguments = command
    return f"{' '.join([os.path.basename(name), *arguments])} failed (exit {code}): {last_line(errors)}"


# Runs


def tested(runs, amount, folder, stored=None):
    """Do the runs, one program per core at a time; yields the record of each when it ends. One that ran out of time may be empty.

    Of BigCrush a record for each test, except those in the stored record of the run. A line on the terminal counts the
    programs that have ended.
    """
    hashes = {source: fingerprint(source, folder) for source in {run.source for run in runs}}
    jobs = [job for run in runs for job in jobs_of(run, amount, folder, (stored or {}).get(run))]
    found = {run: {} for run in runs}
    of_all = f"of {len(jobs)} tests"
    rewrite_line(f"0 {of_all}")
    for done, ended in enumerate(run_side_by_side(jobs, os.cpu_count() or 1), start=1):
        run, test = ended.job.key
        require_success(ended)
        found[run][test] = facts_of(ended)
        rewrite_line(f"{done} {of_all}")
        parts = (test,) if run.battery == BIG_CRUSH else parts_of(run)
        if len(found[run]) == len(parts):
            rewrite_line("")
            yield record(run, hashes[run.source], found[run], parts)
            found[run] = {}


def parts_of(run):
    """What a run starts a program for each of: the tests of dieharder or BigCrush, or all at once."""
    return BIG_CRUSH_TESTS if run.battery == BIG_CRUSH else TESTS.get(run.battery, (None,))


def jobs_of(run, amount, folder, stored):
    """The jobs of a run; of BigCrush those that a stored record lacks."""
    seconds = CPU_SECONDS.get(run.battery, USUAL_SECONDS if amount == STANDARD else LARGE_SECONDS)
    done = done_of(stored) if stored and run.battery == BIG_CRUSH else ()
    return [
        Job((run, test), words_command(run, folder, test), reader_command(run, test, amount, folder), seconds)
        for test in parts_of(run)
        if test not in done
    ]


def reader_command(run, test, amount, folder):
    """The command that tests the words of a run."""
    if run.battery in TESTS:
        return dieharder.command(test)
    if run.battery == PRACTRAND:
        return practrand.command(run.form == UPPER_24, amount.log2_bytes)
    return testu01.command(folder, run.battery, run.form == REVERSED, test)


def facts_of(ended):
    """What the reader of a job printed. Raises ProgramError if it ended in time but printed no p-value."""
    run, test = ended.job.key
    of_dieharder = run.battery in TESTS
    if of_dieharder:
        results = dieharder.parse(ended.reader.output)
        facts = {"version": dieharder.version(), "count": len(results), "results": results}
    else:
        facts = printed(run.battery, test, ended.reader.output)
    if not facts["count"] and not ended.out_of_time:
        raise ProgramError(failure(ended.job.reader, 0, ended.reader.errors or "it printed no p-value"))
    return facts | {
        "results": facts["results"] + ([dieharder.unfinished(test)] if of_dieharder and ended.out_of_time else [])
    }


def printed(battery, test, text):
    """The facts that PractRand or TestU01 printed; those of a test of BigCrush have its number."""
    facts = (practrand if battery == PRACTRAND else testu01).parse(text)
    number = {"number": test} if battery == BIG_CRUSH else {}
    return facts | {"results": [result | number for result in facts["results"]]}


def require_success(ended):
    """Raise ProgramError unless both programs of a job did what they should, or the reader ran out of time."""
    if ended.writer.code != 0:
        raise ProgramError(failure(ended.job.writer, ended.writer.code, ended.writer.errors))
    if ended.reader.code != 0 and not ended.out_of_time:
        raise ProgramError(failure(ended.job.reader, ended.reader.code, ended.reader.errors))


def record(run, words_sha256, found, parts):
    """The stored record of these parts of a run, such as the tests of dieharder, in this order."""
    parts = [found[part] for part in parts]
    results = [result for part in parts for result in part["results"]]
    number = len(results) if run.battery in TESTS else parts[0]["count"]
    return {**run._asdict(), "words_sha256": words_sha256, **parts[0], "count": number, "results": results}
