"""Processes of the scripts: programs that they run, and their own standard output."""

import contextlib
import os
import signal
import subprocess
import sys
from typing import NamedTuple


# What the suite's programs exit with, besides 0.
NO_GPU = 3  # there is none that they could use
INTERRUPTED = (129, 130, 143)  # by SIGHUP, by SIGINT, by SIGTERM


class ProgramError(Exception):
    """A program cannot be run, or failed; the message is one line for the user."""


class Outcome(NamedTuple):
    """What a process ended with."""

    code: int
    output: str
    errors: str


def is_program(path):
    """Whether there is a file at path that can be executed."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def execute(*command, errors=subprocess.PIPE):
    """Run a command to its end; returns its Outcome. It does not outlive us. Raises ProgramError if it cannot be run.

    errors is where its stderr goes: None is ours, and then the Outcome has none.
    """
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": errors}
    with child_of_ours(command, text=True, errors="replace", **pipes) as child:
        output, complaints = child.communicate()
    return Outcome(child.returncode, output, complaints or "")


@contextlib.contextmanager
def child_of_ours(command, **options):
    """A process with Popen's options that does not outlive the block: what ends the block early stops it.

    Raises ProgramError if it cannot be run.
    """
    with interrupts_held() as release, start(command, **options) as child:
        try:
            release()
            yield child
        except BaseException:
            stop(child)
            raise


def start(command, **options):
    """A new process, with Popen's options. Raises ProgramError if it cannot be run."""
    try:
        return subprocess.Popen(command, **options)
    except OSError as error:
        raise ProgramError(f"{command[0]}: {error.strerror}") from None


@contextlib.contextmanager
def interrupts_held():
    """Hold interrupts back, so that no process is started and not known; until the end, or until the given function is called."""
    # Only ours: an ignored signal is ignored by children too, and one without a handler ends us here as anywhere.
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    held = []

    def release():
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if held:
            number, frame = held.pop()
            handlers[number](number, frame)

    for number in handlers:
        signal.signal(number, lambda *arguments: held.append(arguments))
    try:
        yield release
    finally:
        release()


def run_program(*command, errors=subprocess.PIPE):
    """Run a program of the suite to its end, as execute does; returns its Outcome.

    Raises ProgramError if it cannot be run, and KeyboardInterrupt if it was interrupted: then so are we.
    """
    outcome = execute(*map(str, command), errors=errors)
    if outcome.code in INTERRUPTED:
        raise KeyboardInterrupt
    return outcome


def why_no_gpu(path):
    """Why a CUDA program cannot run here, or None."""
    probe = run_program(path, "--list-devices")
    return last_line(probe.errors) or "no usable GPU" if probe.code == NO_GPU else None


def stop(child):
    """Interrupt a process; kill it if it does not heed."""
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # in a shell's background job, and so by our child
    child.send_signal(signal.SIGTERM if ignored else signal.SIGINT)
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()


def last_line(text):
    """The last line that is not blank, "" if there is none."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def abandon_stdout():
    """Let a broken standard output be: the last flush at exit would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
