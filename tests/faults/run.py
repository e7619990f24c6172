#!/usr/bin/env python3
"""Plant faults in copies of source files, one at a time, and say which of them the suite finds.

A fault is caught if each of its checks, a command line, ends as its list says; first all must end well without it. What only
the audit can find, which is of launches chosen by chance, is run several times, and most runs must find it. The lists
are tests/faults/host.py, which needs no GPU, and gpu.py. What --gpu finds goes to <out>/faults.json; that of some faults
joins what is stored there, if it is of the same machine and compiler.
"""

import fnmatch
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

sys.dont_write_bytecode = True  # a run leaves the checkout clean
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import gpu
import host
from fault import caught, last_words, passed
from planting import Build, execute

from suite.command import DONE, FAILED, Command, Stop, fail_usage, hold, parse_with_folders
from suite.documents import faults as documents
from suite.documents import kinds, storing
from suite.tools.launchers import ROOT_MAY, why_no_mpi
from suite.tools.programs import Bench
from suite.processes import NO_GPU, ProgramError, gpu_of
from suite.terminal import red_on_stderr

COMMAND = Command("faults", __doc__, {
    DONE: "every fault was caught",
    FAILED: "a fault was missed or could not be planted, or a command line fails without one",
    NO_GPU: "no usable GPU",
}, unfinished="")  # fmt: skip

LONGEST = 120  # seconds of a command line: with a fault it may never end
AT_ONCE = 2  # programs on the GPU: a rehearsal needs many cores


def main():
    """Plant the chosen faults; returns the exit code."""
    options = parse_arguments()
    chosen = choose(gpu.FAULTS if options.gpu else host.FAULTS, options.names)
    if options.list:
        print("\n".join(f"{fault.name} ({fault.file})" for fault in chosen))
        return DONE
    if options.gpu:
        hold(options.out)
    os.environ["PATH"] += ":/usr/local/cuda/bin"  # where the race checker is, by default
    os.environ.update(ROOT_MAY)
    workshop = Workshop(options, chosen)
    workshop.run_without_faults()
    rows = workshop.run_with_each_fault()
    if options.gpu:
        store(rows, workshop.context(), options)
    missed = documents.missed(rows)
    print(f"{len(chosen)} faults, {len(rows)} checks: {len(missed)} missed", flush=True)
    return FAILED if missed else DONE


def parse_arguments():
    """The options; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--host", action="store_true", help="the faults that need no GPU")
    which.add_argument("--gpu", action="store_true", help="the faults of what runs on a GPU")
    parser.add_argument("--list", action="store_true", help="only name the faults")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), metavar="N", help="faults at once (default: one for each core)"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these faults, such as 'pi_v8*'")
    return parse_with_folders(parser)


def choose(faults, patterns):
    """The faults with one of the names, or all. Ends the command if a name fits none."""
    for pattern in patterns:
        if not any(fnmatch.fnmatch(fault.name, pattern) for fault in faults):
            fail_usage(f"{pattern}: no such fault; --list names all")
    return [fault for fault in faults if not patterns or any(fnmatch.fnmatch(fault.name, one) for one in patterns)]


class Workshop:
    """A build, and what runs the programs of some faults."""

    def __init__(self, options, faults):
        self._faults, self._jobs = faults, options.jobs
        self._on_gpu = threading.Semaphore(AT_ONCE if options.gpu else options.jobs)
        programs = sorted({program for fault in faults for program in fault.programs})
        print(f"{len(faults)} faults; building {len(programs)} programs without them", flush=True)
        build = ["cmake", "--build", options.bin, "--parallel", str(options.jobs), "--target", *programs]
        if subprocess.run(build, stdout=None if options.gpu else subprocess.DEVNULL).returncode:
            raise Stop(FAILED, "the programs could not be built")
        self._build = Build(options.bin)
        self._skipped, self._unsound = {}, {}  # the reason of each check
        self._first = self._build.program(programs[0])
        if options.gpu and (reason := gpu_of(self._first)[1]):
            raise Stop(NO_GPU, reason)

    def context(self):
        """The machine and the build, as a program records them."""
        bench = Bench()
        bench.run(self._first, "--max-time", "0.1")
        return bench.document["context"]

    def run_without_faults(self):
        """Run every check without a fault. One that does not end well finds nothing, and one that cannot be run is skipped."""
        every = list(dict.fromkeys(sound(check) for fault in self._faults for check in fault.checks))
        self._skipped = {check: reason for check in every if (reason := self._why_not(check))}
        for reason in sorted(set(self._skipped.values())):
            print(f"skipped: {list(self._skipped.values()).count(reason)} command lines: {reason}", flush=True)
        every = [check for check in every if check not in self._skipped]
        for check, outcome in self._each(self._outcome, every):
            if not passed(check, outcome):
                self._unsound[check] = f"without the fault it ends with {outcome.code}: {last_words(check, outcome)}"
                COMMAND.complain(FAILED, f"{check.command}: {self._unsound[check]}")
        print(f"{len(every) - len(self._unsound)} of {len(every)} command lines end well without a fault", flush=True)

    def run_with_each_fault(self):
        """Plant every fault, and run its checks; returns a row for each of them."""
        rows, done = [], 0
        for fault, own in self._each(self._checked, self._faults):
            done += 1
            rows += own
            missed = documents.missed(own)
            for row in missed or sorted(own, key=lambda row: row["caught"] is None)[:1]:
                word = {True: "caught", False: "missed", None: "skipped"}[row["caught"]]
                line = f"[{done}/{len(self._faults)}] {word}  {fault.name}: {in_words(row)}"
                print(red_on_stderr(line) if missed else line, file=sys.stderr if missed else sys.stdout, flush=True)
        order = {fault.name: place for place, fault in enumerate(self._faults)}
        return sorted(rows, key=lambda row: order[row["name"]])

    def _each(self, work, items):
        """Work on several items at once; yields each with what came of it, as they are done."""
        pool = ThreadPoolExecutor(self._jobs)
        try:
            futures = {pool.submit(work, item): item for item in items}
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _checked(self, fault):
        """The rows of a fault's checks."""
        with tempfile.TemporaryDirectory(prefix="fault-") as folder:
            try:
                planted = self._build.plant(fault, Path(folder))
            except (ProgramError, ValueError) as error:
                return [row(fault, check, None, f"not planted: {error}", False) for check in fault.checks]
            return [self._result(fault, check, planted[check.program]) for check in fault.checks]

    def _result(self, fault, check, program):
        """The row of a check, made with the program at this path."""
        if reason := self._skipped.get(sound(check)):
            return row(fault, check, None, reason, None)
        if reason := self._unsound.get(sound(check)):
            return row(fault, check, None, reason, False)
        return judged(fault, check, [self._outcome(check, program) for _ in range(check.times)])

    def _why_not(self, check):
        """Why a check cannot be made on this machine, or None."""
        if "mpirun" in check.launcher:
            return why_no_mpi([self._build.program(check.program)])
        return next((f"{name} not found" for name in check.launcher[:1] if not shutil.which(name)), None)

    def _outcome(self, check, program=None):
        """How a check ends, with the program at this path, or with the sound one."""
        own = self._build.program(check.program)
        with tempfile.TemporaryDirectory(prefix="fault-") as folder, self._on_gpu:
            if check.before:
                execute_in(folder, own, *check.before)
            return execute_in(folder, *check.launcher, program or own, *check.arguments)


def judged(fault, check, outcomes):
    """The row of a check that ended so, as often as it was run."""
    finding = [outcome for outcome in outcomes if caught(check, outcome)]
    shown = (finding or outcomes)[0]
    return row(fault, check, shown.code, last_words(check, shown), len(finding) >= check.least, len(finding))


def row(fault, check, code, said, is_caught, found=None):
    """The row of a check; `found` is the number of its runs that found the fault, None if there was none."""
    return {
        "name": fault.name, "fault": fault.kind, "file": fault.file, "program": check.program, "mode": check.mode,
        "command": check.command, "caught": is_caught, "runs": check.times, "found": found, "code": code, "said": said[:300],
    }  # fmt: skip


def sound(check):
    """A check of a program without a fault, the same for all faults that are found by it."""
    return check._replace(says="", code=0, or_verdict=False, times=1, least=1)


def execute_in(folder, *command):
    """Run a command in whose words {folder} stands for a folder; returns its Outcome."""
    return execute([str(word).replace("{folder}", folder) for word in command], seconds=LONGEST)


def in_words(row):
    """How a check ended, in a line."""
    ended = "" if row["code"] is None else f"exit code {row['code']}, "
    found = f"found in {row['found']} of {row['runs']} runs, " if row["runs"] > 1 and row["found"] is not None else ""
    return f"{row['mode'] and row['mode'] + ': '}{found}{ended}{row['said'][:150]}"


def store(rows, context, options):
    """Store what was found: all of it anew, or what was chosen in place of its rows, if the others are of such a build."""
    document = kinds.FAULTS.made(context, rows)
    aside = options.bin / "results"
    path = storing.store(document, kinds.FAULTS, options.out, aside, replaces=not options.names)
    print(f"wrote {path}", flush=True)


if __name__ == "__main__":
    sys.exit(COMMAND.run(main))
