"""Runs TestU01 and PractRand on streams of random words, and records their results."""

import os
import shutil

from suite.analyse import batteries, streams
from suite.analyse.batteries import LANES, PRACTRAND, UPPER_24
from suite.tools import practrand, reading, testu01
from suite.tools.pipelines import Job, run_side_by_side
from suite.processes import is_program

CPU_SECONDS = {batteries.STANDARD: 900, batteries.FULL: 8 * 3600}  # several times what a run needs


def absent(folder):
    """The names of the packages that are not installed, with what is not found of them."""
    found = {
        f"TestU01 ({testu01.PROGRAM} is not built)": is_program(folder / testu01.PROGRAM),
        f"PractRand ({practrand.PROGRAM} is not on the PATH)": shutil.which(practrand.PROGRAM),
    }
    return [name for name, is_there in found.items() if not is_there]


def can_run(run, folder):
    """Whether the battery of a run is installed."""
    return bool(shutil.which(practrand.PROGRAM)) if run.battery == PRACTRAND else is_program(folder / testu01.PROGRAM)


def tested(runs, amount, folder, progress):
    """Do the runs, one per core at a time; yields the record of each when it ends. One that ran out of time may be empty."""
    hashes = {source: reading.fingerprint(streams.of_many_threads(source), folder) for source in {run.source for run in runs}}
    jobs = [
        Job(run, words_command(run, folder), reader_command(run, amount, folder), CPU_SECONDS[amount]) for run in runs
    ]
    progress.start(len(jobs))
    for ended in run_side_by_side(jobs, os.cpu_count() or 1):
        run = ended.job.key
        reading.require_success(ended)
        parse = practrand.parse if run.battery == PRACTRAND else testu01.parse
        found = parse(ended.reader.output)
        reading.require_p_values(ended, found["count"])
        progress.advance()
        yield {**run._asdict(), "words_sha256": hashes[run.source], **found}


def words_command(run, folder):
    """The command that writes the words of a run."""
    form = {LANES: ["--lanes"], UPPER_24: ["--upper-24"]}.get(run.form, [])
    return [reading.program(folder), run.source, "--streams", str(run.streams), *form, "--seed", str(streams.SEED)]


def reader_command(run, amount, folder):
    """The command that tests the words of a run."""
    if run.battery == PRACTRAND:
        return practrand.command(run.form, amount.log2_bytes)
    return testu01.command(folder, run.battery, run.form)
