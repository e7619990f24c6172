"""Runs the test programs on streams of random words and records their results."""

import hashlib
import os
import re
import subprocess
from typing import NamedTuple

from suite.analyse import dieharder
from suite.tools.pipelines import Job, run_side_by_side
from suite.processes import ProgramError, execute, last_line

FINGERPRINT_WORDS = 65_536


class Reader(NamedTuple):
    """A test of dieharder that reads a stream."""

    test: dieharder.Test
    command: list
    cpu_seconds: int


def is_settled(record):
    """Whether a stream's record is final: it has a result of every test, or a failure."""
    found = record["dieharder"]
    return not dieharder.unfinished_tests(found) or dieharder.count(found, dieharder.FAILED) > 0


# Readers


def readers():
    """The readers of every stream."""
    return [Reader(test, dieharder.command(test), dieharder.CPU_SECONDS) for test in dieharder.TESTS]


def full_readers():
    """The readers for all tests of dieharder at full size."""
    return [Reader(test, dieharder.command(test), dieharder.FULL_CPU_SECONDS) for test in dieharder.FULL_TESTS]


# Words


def words_command(stream, folder):
    """The command that writes the words of a stream."""
    lanes = ["--lanes"] if stream.lanes else []
    by_thread = ["--order", "thread", "--iters", str(stream.iters)] if stream.iters else []
    return [program(folder), stream.source, "--streams", str(stream.streams), *lanes, *by_thread, "--seed",
            str(stream.seed)]  # fmt: skip


def program(folder):
    # Absolute, because a bare name would be searched on the PATH.
    return str((folder / "pi_stream").absolute())


def fingerprint(stream, folder):
    """A hash of the first words of a stream. If it changes, stored results of the stream no longer hold."""
    command = [*words_command(stream, folder), "--words", str(FINGERPRINT_WORDS)]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    if process.returncode != 0:
        raise ProgramError(failure(command, process.returncode, process.stderr.decode(errors="replace")))
    return hashlib.sha256(process.stdout).hexdigest()


def failure(command, code, errors):
    name, *arguments = command
    return f"{' '.join([os.path.basename(name), *arguments])} failed (exit {code}): {last_line(errors)}"


# Tests


def tested(streams, readers, folder, progress):
    """Run the readers on the streams, one per core at a time; yields each stream's record when it is complete."""
    found = {stream: {} for stream in streams}
    jobs = [
        Job((stream, reader.test), words_command(stream, folder), reader.command, reader.cpu_seconds)
        for stream in streams
        for reader in readers
    ]
    progress.start(len(jobs))
    for ended in run_side_by_side(jobs, os.cpu_count() or 1):
        stream, test = ended.job.key
        found[stream][test] = outcome(ended)
        progress.advance()
        if len(found[stream]) == len(readers):
            yield record(stream, found.pop(stream), [reader.test for reader in readers], fingerprint(stream, folder))


def outcome(ended):
    """The records of dieharder's test."""
    require_success(ended)
    _, test = ended.job.key
    records = dieharder.parse(ended.reader.output)
    require_p_values(ended, len(records))
    return records + ([dieharder.unfinished(test)] if ended.out_of_time else [])


def require_success(ended):
    """Raise ProgramError unless both programs of a job did what they should, or the reader ran out of time."""
    if ended.writer.code != 0:
        raise ProgramError(failure(ended.job.writer, ended.writer.code, ended.writer.errors))
    if ended.reader.code != 0 and not ended.out_of_time:
        raise ProgramError(failure(ended.job.reader, ended.reader.code, ended.reader.errors))


def require_p_values(ended, count):
    """Raise ProgramError if the reader of a job ended in time but printed none."""
    if not count and not ended.out_of_time:
        raise ProgramError(failure(ended.job.reader, 0, ended.reader.errors or "it printed no p-value"))


def record(stream, found, tests, words_sha256):
    """The stored record of a stream, with its tests in their listed order."""
    return {
        **stream._asdict(),
        "words_sha256": words_sha256,
        "dieharder": [record for test in tests for record in found[test]],
    }


def dieharder_version():
    """The version in dieharder's help, or None."""
    help_text = execute("dieharder", "-h")
    match = re.search(r"dieharder version (\S+)", help_text.output + help_text.errors)
    return match and match[1]
