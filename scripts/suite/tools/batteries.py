"""Runs dieharder, TestU01 and PractRand on streams of random words, and records their results."""

import hashlib
import os
import shutil
import subprocess

from suite.analyse import dieharder as tests
from suite.analyse.batteries import DIEHARDER, DIEHARDER_FULL, FULL, LANES, MANY, PRACTRAND, REVERSED, UPPER_24, WORDS, Run
from suite.processes import ProgramError, is_program, last_line
from suite.terminal import StatusLine
from suite.tools import dieharder, practrand, testu01
from suite.tools.pipelines import Job, run_side_by_side

FINGERPRINT_WORDS = 65_536
TESTS = {DIEHARDER: tests.TESTS, DIEHARDER_FULL: tests.FULL_TESTS}
# Several times what a test of dieharder needs; all of them at full size together take about an hour.
CPU_SECONDS = {DIEHARDER: tests.CPU_SECONDS, DIEHARDER_FULL: 3600}
USUAL_SECONDS, FULL_SECONDS = 900, 8 * 3600  # the same of TestU01 and PractRand


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


def words_command(run, folder):
    """The command that writes the words of a run."""
    form = {LANES: ["--lanes"], UPPER_24: ["--upper-24"]}.get(run.form, [])
    by_thread = ["--order", "thread", "--iters", str(run.iters)] if run.iters else []
    # Absolute, because a bare name would be searched on the PATH.
    program = str((folder / "suite_stream").absolute())
    return [program, run.source, "--streams", str(run.streams), *form, *by_thread, "--seed", str(run.seed)]


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


def tested(runs, amount, folder):
    """Do the runs, one program per core at a time; yields the record of each when it ends. One that ran out of time may be empty.

    A line on the terminal counts the programs that have ended.
    """
    hashes = {source: fingerprint(source, folder) for source in {run.source for run in runs}}
    jobs = [job for run in runs for job in jobs_of(run, amount, folder)]
    found = {run: {} for run in runs}
    line, of_all = StatusLine(), f"of {len(jobs)} tests"
    line.show(f"0 {of_all}")
    for done, ended in enumerate(run_side_by_side(jobs, os.cpu_count() or 1), start=1):
        run, test = ended.job.key
        require_success(ended)
        found[run][test] = facts_of(ended)
        line.show(f"{done} {of_all}")
        if len(found[run]) == len(parts_of(run)):
            line.clear()
            yield record(run, hashes[run.source], found.pop(run))


def parts_of(run):
    """What a run starts a program for each of: the tests of dieharder, or all at once."""
    return TESTS.get(run.battery, (None,))


def jobs_of(run, amount, folder):
    seconds = CPU_SECONDS.get(run.battery, FULL_SECONDS if amount == FULL else USUAL_SECONDS)
    return [Job((run, test), words_command(run, folder), reader_command(run, test, amount, folder), seconds) for test in parts_of(run)]


def reader_command(run, test, amount, folder):
    """The command that tests the words of a run."""
    if test:
        return dieharder.command(test)
    if run.battery == PRACTRAND:
        return practrand.command(run.form == UPPER_24, amount.log2_bytes)
    return testu01.command(folder, run.battery, run.form == REVERSED)


def facts_of(ended):
    """What the reader of a job printed. Raises ProgramError if it ended in time but printed no p-value."""
    run, test = ended.job.key
    if test:
        results = dieharder.parse(ended.reader.output)
        facts = {"version": dieharder.version(), "count": len(results), "results": results}
    else:
        facts = (practrand if run.battery == PRACTRAND else testu01).parse(ended.reader.output)
    if not facts["count"] and not ended.out_of_time:
        raise ProgramError(failure(ended.job.reader, 0, ended.reader.errors or "it printed no p-value"))
    return facts | {"results": facts["results"] + ([dieharder.unfinished(test)] if test and ended.out_of_time else [])}


def require_success(ended):
    """Raise ProgramError unless both programs of a job did what they should, or the reader ran out of time."""
    if ended.writer.code != 0:
        raise ProgramError(failure(ended.job.writer, ended.writer.code, ended.writer.errors))
    if ended.reader.code != 0 and not ended.out_of_time:
        raise ProgramError(failure(ended.job.reader, ended.reader.code, ended.reader.errors))


def record(run, words_sha256, found):
    """The stored record of a run, with the tests of dieharder in their listed order."""
    parts = [found[part] for part in parts_of(run)]
    results = [result for part in parts for result in part["results"]]
    number = len(results) if run.battery in TESTS else parts[0]["count"]
    return {**run._asdict(), "words_sha256": words_sha256, **parts[0], "count": number, "results": results}
