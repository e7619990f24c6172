"""Runs several pairs of programs at the same time. In each pair, one program reads what the other writes without end."""

import collections
import resource
import signal
import subprocess
import tempfile
import time
from typing import NamedTuple

from suite.processes import Outcome, interrupts_held, start, stop

POLL_SECONDS = 0.005


class Job(NamedTuple):
    """A pair of programs to run. The reader may use cpu_seconds of CPU time; the key is for the caller."""

    key: object
    writer: list
    reader: list
    cpu_seconds: int


class Ended(NamedTuple):
    """A job that has ended: the Outcome of its reader, whether the reader ran out of time, the Outcome of its writer."""

    job: Job
    reader: Outcome
    out_of_time: bool
    writer: Outcome


def run_side_by_side(jobs, at_once):
    """Run the jobs, at_once at a time; yields an Ended for each as it ends. No program outlives the caller.

    Raises ProgramError if a program cannot be run.
    """
    waiting, running = collections.deque(jobs), []
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                with interrupts_held():
                    running.append(Pipeline(waiting.popleft()))
            over = [pipeline for pipeline in running if pipeline.is_over()]
            for pipeline in over:
                running.remove(pipeline)
                yield pipeline.ended()
            if not over:
                time.sleep(POLL_SECONDS)
    finally:
        for pipeline in running:
            pipeline.abandon()


class Pipeline:
    """A running job. Its programs print into files, so their output needs no reader."""

    def __init__(self, job):
        self._job = job
        self._files = {name: tempfile.TemporaryFile() for name in ("output", "reader's errors", "writer's errors")}
        self._children = []
        try:
            self._start()
        except BaseException:
            self.abandon()
            raise

    def _start(self):
        files = self._files
        writer = start(
            self._job.writer, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=files["writer's errors"]
        )
        self._children.append(writer)
        with writer.stdout as words:  # closed here, so that the writer notices when the reader ends
            reader = start(self._job.reader, stdin=words, stdout=files["output"], stderr=files["reader's errors"])
        self._children.append(reader)
        limit_cpu_time(reader.pid, self._job.cpu_seconds)

    def is_over(self):
        return self._children[-1].poll() is not None

    def ended(self):
        writer, reader = (child.wait() for child in self._children)
        output, reader_errors, writer_errors = map(text_of, self._files.values())
        return Ended(
            self._job,
            Outcome(reader, output, reader_errors),
            reader == -signal.SIGXCPU,
            Outcome(0 if writer == -signal.SIGPIPE else writer, "", writer_errors),
        )

    def abandon(self):
        """Stop both programs."""
        for child in reversed(self._children):
            stop(child)
        for file in self._files.values():
            file.close()


def limit_cpu_time(pid, seconds):
    """Make a process end with SIGXCPU after this much CPU time. The load of the machine does not matter."""
    resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
    resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


def text_of(file):
    with file:
        file.seek(0)
        return file.read().decode(errors="replace")
