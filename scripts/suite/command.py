"""The frame of every command in scripts/: options, --help, error lines and exit codes."""

import argparse
import fcntl
import functools
import os
import re
import signal
import socket
import sys
import textwrap
from pathlib import Path

from suite.documents import files
from suite.documents.schema import ResultError
from suite.processes import ProgramError, abandon_stdout, gpu_of, is_program

DONE, FAILED, USAGE, UNWRITTEN, INTERRUPTED = 0, 1, 2, 5, 130
SCRIPTS = Path(__file__).resolve().parents[1]
REPOSITORY = SCRIPTS.parent
FOLDERS = {"--bin": ("build", "programs"), "--out": ("results", "results")}

UNTOUCHED = "nothing was written"
SET_ASIDE = "; also: rows of another build are stored, so the result went to <bin>/results/"  # goes on after FAILED
STORED_ROWS = """Stored rows of other versions stay if they are of the same build and machine. If not,
nothing is replaced, and the result goes to <bin>/results/ in place of <out>. While a command stores results
there, another one ends with exit code 2.

"""  # explains SET_ASIDE in --help


class Stop(Exception):
    """Ends the command with an exit code and lines on stderr."""

    def __init__(self, code, *lines):
        super().__init__(*lines)
        self.code, self.lines = code, lines


class Halt(Stop):
    """Ends the command, whatever else it has to do."""


class Help(argparse.HelpFormatter):
    """Help as wide as the terminal: paragraphs are filled, and a row of a list goes on where its text begins."""

    def _fill_text(self, text, width, indent):
        rows = [("", 0)]
        for line in text.splitlines():
            margin, title = re.match(r"( *)(\S.*? {2,})?", line).groups("")
            if line and rows[-1][0] and not title and len(margin) == rows[-1][1]:
                rows[-1] = f"{rows[-1][0]} {line.strip()}", len(margin)
            else:
                rows.append((line, len(margin + title)))
        fill = functools.partial(textwrap.fill, width=width, break_on_hyphens=False)
        return "\n".join(fill(line, subsequent_indent=" " * hanging) for line, hanging in rows[1:])


class Command:
    """A command: its name, its --help, its error lines and its exit codes.

    exit_codes maps a code to its text, of one or more lines. Codes common to all commands may be left out. unfinished
    says what happens to the result on an interrupt, "" if there is no result. broken is the exit code for a faulty
    result or program.
    """

    def __init__(self, name, about, exit_codes, explanation="", unfinished=UNTOUCHED, broken=FAILED):
        self.name, self.about, self.unfinished, self.broken = name, about, unfinished, broken
        known = {DONE: "done", USAGE: "bad usage", UNWRITTEN: "the result could not be written"}
        known[INTERRUPTED] = "; ".join(filter(None, ["interrupted", unfinished]))
        self.epilog = explanation + exit_code_text(known | exit_codes)

    def parser(self):
        """A parser whose errors end the command with one line."""
        parser = argparse.ArgumentParser(
            prog=self.name, description=self.about, epilog=self.epilog, formatter_class=Help, allow_abbrev=False
        )
        parser.error = fail_usage
        return parser

    def exit(self, main):
        """Call main, and end this process."""
        sys.exit(self.run(main))

    def run(self, main):
        """Call main, and return its exit code or the code of the error that ended it."""
        if sys.stdout is None:
            return self.complain(UNWRITTEN, "standard output is closed")
        for number in (signal.SIGTERM, signal.SIGHUP):  # of batch systems, and of a lost connection
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        sys.stdout.reconfigure(errors="backslashreplace")  # as on stderr: no unusual character fails the command
        try:
            try:
                return main()
            finally:
                sys.stdout.flush()  # also after --help, which leaves main by SystemExit
        except Stop as end:
            return self.complain(end.code, *end.lines)
        except KeyboardInterrupt:
            return self.complain(INTERRUPTED, ", ".join(filter(None, ["interrupted", self.unfinished])))
        except (ProgramError, ResultError) as error:
            return self.complain(self.broken, f"{error}; {UNTOUCHED}" if self.unfinished else error)
        except OSError as error:
            abandon_stdout()
            words = filter(None, [error.filename, error.strerror or error])
            return self.complain(UNWRITTEN, f"stopped: {': '.join(map(str, words))}")

    def attempt(self, action, outcome):
        """Do a part of what the command does; returns its exit code.

        A failure is reported and does not keep the other parts from being done; outcome says in words what is then not
        written.
        """
        try:
            return action()
        except Halt:
            raise
        except Stop as end:
            return self.complain(end.code, *end.lines)
        except (ProgramError, ResultError) as error:
            return self.complain(FAILED, f"{error}; {outcome}")
        except KeyboardInterrupt:
            raise Halt(INTERRUPTED, f"interrupted, {outcome}") from None

    def complain(self, code, *lines):
        """Print lines on stderr; returns the exit code."""
        for line in lines:
            print(f"{self.name}: {one_line(line)}", file=sys.stderr, flush=True)
        return code


def exit_code_text(exit_codes):
    return "\n".join(["exit codes:", *(f"  {code:<3}  {one_line(text)}" for code, text in sorted(exit_codes.items()))])


def one_line(text):
    """Text without line breaks and control characters."""
    return "".join(char if char.isprintable() else "?" for char in " ".join(str(text).split()))


def fail_usage(message):
    raise Stop(USAGE, message)


def write_file(path, text):
    """Replace the file at path by text, or end the command."""
    try:
        files.write_text(path, text)
    except OSError as error:
        raise Stop(UNWRITTEN, f"{path} could not be written: {error.strerror or error}") from None


def generate(command, path, made, source):
    """Write what made() gives to the file at path, or with --check compare it; source says what that comes from. Returns the exit code."""
    parser = command.parser()
    parser.add_argument("--check", action="store_true", help="compare with the header, write nothing")
    check, text = parser.parse_args().check, made()
    if check and path.read_text() != text:
        raise Stop(FAILED, f"{path.name} differs from what {source}")
    if not check:
        write_file(path, text)
    return DONE


# Options and checks that most commands share


def parse_with_folders(parser, *names):
    """Parse the options, and these of FOLDERS, by default all. Ends the command unless the folder of the programs is there."""
    for name in names or FOLDERS:
        folder, what = FOLDERS[name]
        parser.add_argument(name, type=Path, default=os.path.join(os.path.relpath(REPOSITORY), folder), metavar="DIR",
                            help=f"the folder of the {what} (default: %(default)s)")  # fmt: skip
    options = parser.parse_args()
    if not os.path.isdir(options.bin):
        fail_usage(f"--bin {options.bin}: not a folder")
    return options


@functools.cache
def hold(folder):
    """Keep a folder of results, if it is there, from other commands until this process ends. Ends the command if one has it, or
    if nothing can be written there."""
    path = Path(folder).absolute()
    nearest = next(filter(os.path.exists, (path, *path.parents)))
    if not (os.path.isdir(nearest) and os.access(nearest, os.W_OK | os.X_OK)):
        raise Halt(UNWRITTEN, f"{folder}: nothing can be written there")
    if nearest != path:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Halt(USAGE, f"{folder}: in use by another command, which stores results there") from None
    except OSError:  # the file system has no locks
        pass
    return descriptor


@functools.cache
def hold_gpu(address):
    """Keep the GPU at a PCI address from other commands that measure until this process ends. Ends the command if one has it."""
    with socket.socket(socket.AF_UNIX) as lock:
        try:
            lock.bind(f"\0measuring on {address}")
        except OSError:
            raise Halt(USAGE, f"the GPU at {address} is in use by another command, which measures on it") from None
        return lock.detach()


def claim_gpu(path):
    """Why the CUDA program at path cannot run here. Or None, and other commands that measure are kept from its GPU."""
    address, reason = gpu_of(path)
    if address and not reason:
        hold_gpu(address)
    return reason


def add_suite(parser, known, default):
    """The option --suite, the names of some of these ladders; default says in words what is done without it."""
    names = [ladder.suite for ladder in known]
    text = f"only this ladder: {', '.join(names)} (default: {default}; may be given several times)"
    parser.add_argument("--suite", choices=names, action="append", metavar="NAME", help=text)


def require_programs(folder, *names):
    """End the command unless all of these programs are there."""
    for name in names:
        if not is_program(folder / name):
            fail_usage(f"{folder} holds no {name}")


def require_gpu(path):
    """End the command, without a failure, if the CUDA program at path cannot run."""
    if reason := claim_gpu(path):
        raise Stop(DONE, f"nothing measured: {reason}")
