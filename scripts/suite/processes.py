"""Processes: running programs, and this process's standard output."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from typing import NamedTuple


# Exit codes of the suite's programs.
NO_VERDICT = 1  # the result is wrong
NO_GPU = 3  # no usable GPU, or it or the machine lacks what a step needs
INTERRUPTED = (129, 130, 143)  # by SIGHUP, SIGINT, SIGTERM
CANNOT_RUN = 126  # as in a shell: found, but cannot be executed


class ProgramError(Exception):
    """A program cannot be run, or failed; the message is one line for the user."""


class Lacking(ProgramError):
    """A program found that the GPU or the machine lacks what it needs, or no GPU any more: records.is_failure tells which."""


class Outcome(NamedTuple):
    """Exit code, stdout and stderr of a process."""

    code: int
    output: str
    errors: str


def is_program(path):
    """Whether there is a file at path that can be executed."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def execute(*command, errors=subprocess.PIPE):
    """Run a command to its end; returns its Outcome. Raises ProgramError if it cannot be run.

    The command never outlives this process. With errors=None its stderr passes through, and the Outcome has none.
    """
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": errors}
    with child_of_ours(command, text=True, errors="replace", **pipes) as child:
        output, complaints = child.communicate()
    # The dynamic loader ends a program with that code too, where a library is too old for it, and OpenMP where it has no threads.
    if child.returncode == NO_VERDICT and re.search("(?m)version `.*' not found \\(|^libgomp: ", complaints or ""):
        raise ProgramError(last_line(complaints))
    return Outcome(child.returncode, output, complaints or "")


@contextlib.contextmanager
def child_of_ours(command, **options):
    """A process, started with Popen's options. If the block ends early, the process is stopped.

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
    """Defer interrupts that are not ignored until the block ends or calls the given function, so that every started process is known."""
    numbers = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    handlers = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
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
    """Run a program of the suite as execute does; returns its Outcome.

    Raises ProgramError if it cannot be run, and KeyboardInterrupt if the program was interrupted.
    """
    outcome = execute(*map(str, command), errors=errors)
    if outcome.code in INTERRUPTED:
        raise KeyboardInterrupt
    return outcome


def shell_code(code):
    """The exit code as a shell reports it: 128 plus the number of the signal that ended the program."""
    return code if code >= 0 else 128 - code


def exit_text(code):
    """In words, how a program ended that printed no message; code is that of a shell."""
    if code > 128:
        return f"ended by {signal_name(code - 128)}, without a message"
    return f"exit code {code}, without a message"


def signal_name(number):
    """The name of a signal: SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def gpu_of(path):
    """The PCI address of a CUDA program's GPU, because nvidia-smi numbers GPUs in another order; and why it cannot run here. Or ""."""
    probe = run_program(path, "--list-devices")
    found = re.search(r"^0  .*, PCI (\S+)$", probe.output, re.MULTILINE)
    reason = last_line(probe.errors) or "no usable GPU" if probe.code == NO_GPU else ""
    return found[1] if found else "", reason


def stop(child):
    """Interrupt a process, and kill it if it does not end."""
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # in a background job of a shell; children inherit it
    child.send_signal(signal.SIGTERM if ignored else signal.SIGINT)
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()


def last_line(text):
    """The last line that is not blank, or ""."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def abandon_stdout():
    """Redirect a broken standard output to /dev/null, so that the flush at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
