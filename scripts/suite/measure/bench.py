"""Run the CPU baseline and every CUDA version of each ladder, and merge their records into one result file per ladder.

The programs of a ladder are <prefix>_<step> in the --bin folder, such as pi_v8 or
options_n3, and its CPU programs, such as pi_cpu. The result goes to <out>/<device>/<ladder>.json
if every program succeeds. Stored rows of other versions stay if they are of the
same build and machine. If not, nothing is replaced, and the result goes to
<bin>/results/<device>/. A version that lacks a library of this machine is no
failure, nor is one with a fault that its verdict must find: its row says so. If the result was stored, the ablations run, each
<prefix>_<step>_<name> or a step with an option, and their result goes to <ladder>-ablations.json in the same
folder. With VERSIONs only these steps run, each with its ablations and options; cpu
stands for the CPU programs. For a ladder that moves arrays, suite_limits measures how
fast the machine moves bytes; its result goes to limits.json. Without a usable GPU only
CPU programs run, and their results go to <bin>/results/cpu/.
"""

import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from suite import ladders, numerals, processes
from suite.command import DONE, FAILED, SET_ASIDE, UNTOUCHED, USAGE, Command, Stop, add_folders, add_suite, require_folder
from suite.documents import checks, kinds, limits, result, storing
from suite.ladders import naming
from suite.measure.programs import commands, steps_in, versions_in
from suite.processes import ProgramError, child_of_ours, execute, is_program, last_line

COMMAND = Command("bench", __doc__, {
    DONE: "done (also without a GPU, or without a library of CUDA)",
    FAILED: "a program failed, or the programs do not belong together" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
complain = COMMAND.complain
LIMITS_PROGRAM = "suite_limits"
CANNOT_RUN = 126  # as in a shell: found, but cannot be executed


class Program(NamedTuple):
    """A program to run, and the version for its row if it fails."""

    version: str
    command: tuple


class Programs(NamedTuple):
    """The programs of a ladder: those that need no GPU, its other steps, and its ablations."""

    ladder: ModuleType
    cpu: list
    gpu: list
    ablations: list


def main():
    """Run everything and store the results; returns the exit code."""
    options = parse_arguments()
    found = [own for own in (programs_in(options, ladder) for ladder in options.ladders) if own.cpu + own.gpu]
    if not found:
        names = ", ".join(ladder.SUITE for ladder in options.ladders)
        chosen = f" with the versions {', '.join(options.versions)}" if options.versions else ""
        raise Stop(USAGE, f"{options.bin} holds no programs of {names}{chosen}")
    reason = why_no_gpu([program for own in found for program in own.gpu])
    if reason:
        complain(0, f"CUDA versions skipped: {reason}")
        found = [own._replace(gpu=[], ablations=[]) for own in found]
    idle_power = next((idle_power_w(own.gpu[0]) for own in found if own.gpu), None)
    codes = []
    for own in found:
        outcome = f"no new result of {own.ladder.SUITE}" if codes else UNTOUCHED
        codes.append(COMMAND.attempt(lambda own=own: measure(own, idle_power, options), outcome))
    return next(filter(None, codes), DONE)


def measure(own, idle_power, options):
    """Run a ladder, its ablations and what else its pages need, and store the results; returns the exit code."""
    ladder = own.ladder
    if not own.cpu + own.gpu and not ladder.CPU:
        return DONE
    document = run_all(own.cpu + own.gpu, ladder)
    if not document or not document["context"]:
        raise Stop(FAILED, f"no program of {ladder.SUITE} succeeded, nothing was written")
    if idle_power is not None:
        document["context"]["idle_power_w"] = idle_power
    code, is_stored = store(document, kinds.RESULT, ladder, options)
    if not is_stored:
        return code
    codes = [code, *(COMMAND.attempt(action, f"no new {kind.name}.json") for kind, action in others(own, document, options))]
    return next(filter(None, codes), DONE)


def others(own, document, options):
    """What else is measured beside a ladder's result: the kind of each document, and what measures and stores it."""
    kind, ladder = kinds.ABLATIONS, own.ladder
    if own.ablations:
        yield kind.of(ladder), lambda: store(run_ablations(own.ablations, document, ladder), kind, ladder, options)[0]
    if own.gpu and own.ladder.NEEDS_LIMITS:
        yield kinds.LIMITS, lambda: store_limits(options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="a step to run, such as v8, or cpu (default: all)")
    add_folders(parser)
    parser.add_argument("--max-time", metavar="S", help="stop measuring each program after S seconds (default: its own)")
    parser.add_argument("--partial", action="store_true", help="store the result even if a program failed")
    known = ladders.every_ladder()
    add_suite(parser, known, "all")
    options = parser.parse_args()
    require_folder(options.bin)
    options.arguments = ["--json", "-", *(["--max-time", options.max_time] if options.max_time else [])]
    options.ladders = [ladder for ladder in known if options.suite in (None, ladder.SUITE)]
    return options


# Programs


def programs_in(options, ladder):
    """The programs of a ladder that the folder holds, in the order of their versions; of these steps, if any are given."""
    own = all_programs_in(options.bin, ladder, options.arguments)
    if not options.versions:
        return own
    kept = [[program for program in programs if program.version.partition("_")[0] in options.versions] for programs in own[1:]]
    return Programs(ladder, *kept)


def all_programs_in(folder, ladder, arguments):
    """Those of all versions."""
    paths = {version: folder / name for version, (name, *_) in ladder.CPU.items()}
    cpu = [
        Program(version, command(path, *ladder.CPU[version][1:], *arguments))
        for version, path in paths.items()
        if is_program(path)
    ]
    steps = steps_in(ladder, folder)
    others = {
        version: Program(version, command(*program, *arguments))
        for version, program in commands(ladder, versions_in(ladder, folder)).items()
        if version not in ladder.CPU
    }
    gpu = [program for version, program in others.items() if version in steps]
    return Programs(ladder, cpu, gpu, [program for program in others.values() if program not in gpu])


def command(path, *arguments):
    # Absolute, because a bare name would be searched on the PATH.
    return (str(path.absolute()), *arguments)


def why_no_gpu(programs):
    """Why the CUDA versions cannot run here, or None."""
    if not programs:
        return "there are none"
    try:
        return processes.why_no_gpu(programs[0].command[0])
    except ProgramError:
        return None  # its run will say so


# Running


def run_all(programs, ladder):
    """Run programs of a ladder one after another; returns their merged documents, or None without programs."""
    merged = None
    for program in programs:
        document = run(program, ladder)
        merged = result.merge(merged, document) if merged else document
        report(document["runs"][0], ladder)
    return merged


def run_ablations(programs, steps, ladder):
    """Run the ablations; returns their merged documents. They must have the context of the steps' document."""
    document = run_all(programs, ladder)
    result.merge(steps, document)  # refuses another context
    document["context"] = steps["context"]
    return document


def idle_power_w(program):
    """Idle power of the GPU in watts: the median of readings over a second.

    None without nvidia-smi, if the GPU is busy, and if the GPU is a slice of a board (MIG), because only the whole
    board has a meter.
    """
    fields = "mig.mode.current,power.draw,utilization.gpu"
    try:
        gpu = address_of_gpu(program)
        query = ["nvidia-smi", "-i", gpu, f"--query-gpu={fields}", "--format=csv,noheader,nounits"]
        readings = [reading(query) for _ in range(5)]
    except (ProgramError, OSError, ValueError, subprocess.SubprocessError):
        return None
    if any(busy for _, busy in readings):
        complain(0, "idle power not measured: the GPU is busy")
        return None
    return statistics.median(power for power, _ in readings)


def address_of_gpu(program):
    """The PCI address of a program's GPU, because nvidia-smi numbers GPUs in another order. ValueError if it lists none."""
    listed = execute(program.command[0], "--list-devices")
    found = re.search(r"^0  .*, PCI (\S+)$", listed.output, re.MULTILINE)
    if not found:
        raise ValueError("no GPU is listed")
    return found[1]


def reading(query):
    """Power in watts and utilisation in percent."""
    time.sleep(0.2)
    answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True).stdout
    mig, power, busy = answer.split(",")
    if mig.strip() == "Enabled":
        raise ValueError("the power of the whole board")
    return float(power), float(busy)


def run(program, ladder):
    """Run a program of a ladder; returns the document it printed, or one with its error."""
    code, output, complaint = execute_aloud(program.command)
    if code in processes.INTERRUPTED:
        raise KeyboardInterrupt
    if code != 0:
        return result.failed_run(ladder, program.version, complaint or exit_text(code), code)
    try:
        return result.DOCUMENT.of(ladder).parse(output, Path(program.command[0]).name)
    except checks.ResultError as error:
        return result.failed_run(ladder, program.version, str(error), code)


def execute_aloud(arguments):
    """Run a command and pass its stderr through; returns exit code, stdout and the last line of stderr."""
    with tempfile.TemporaryFile() as output:
        try:
            options = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.PIPE}
            with child_of_ours(arguments, **options) as child:
                complaint = pass_through(child.stderr)
        except ProgramError as error:
            return CANNOT_RUN, "", str(error)
        output.seek(0)
        return shell_code(child.returncode), output.read().decode(errors="replace"), complaint


def pass_through(stream):
    """Copy a program's stderr to ours until it ends; returns the last line."""
    complaint = ""
    for line in stream:
        text = line.decode(errors="replace")
        print(text, end="", file=sys.stderr, flush=True)
        complaint = last_line(text) or complaint
    return complaint


def shell_code(code):
    """The exit code as a shell reports it: 128 plus the number of the signal that ended the program."""
    return code if code >= 0 else 128 - code


def exit_text(code):
    if code > 128:
        return f"ended by {signal_name(code - 128)}, without a message"
    return f"exit code {code}, without a message"


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def report(run, ladder):
    """One line on stdout about a finished program."""
    if "error" in run:
        line = f"failed (exit {run['exit']}): {run['error']}"
    else:
        line = f"{numerals.rate_text(run['per_ns'])} {ladder.UNIT}s/ns, {run['launches']} launches"
    print(f"{run['version']:<14}  {line}", flush=True)


# Storing


def store(document, kind, ladder, options):
    """Store a ladder's document and print where; returns the exit code, and whether it is where results are kept."""
    kind, device = kind.of(ladder), document["context"]["device"]
    failed = [run for run in document["runs"] if checks.has_failed(run)]
    expected = [run for run in failed if lacks_library(run, device) or has_found_fault(run, ladder)]
    for run in expected:
        complain(0, f"no rate of {run['version']}: {run['error']}")
    failed = [run["version"] for run in failed if run not in expected]
    stored, aside = storing.folders(document["context"], options)
    is_kept = bool(device and (options.partial or not failed))
    target = storing.store(document, kind, stored, aside) if is_kept else storing.put(aside, document, kind)
    if not failed:
        print(f"wrote {target}", flush=True)
        return DONE, is_kept
    return complain(FAILED, f"{', '.join(failed)} failed: {outcome(target, stored / target.name, device)}"), is_kept


def lacks_library(run, device):
    """Whether a program found no GPU or library; where the GPU ran others, it is a library."""
    return bool(device) and run["exit"] == processes.NO_GPU


def has_found_fault(run, ladder):
    return naming.is_faulty(ladder, run["version"]) and run["exit"] == processes.NO_VERDICT


def outcome(target, stored, device):
    """Where the result with failures was written."""
    if target == stored:
        return f"{stored} has no new rate of it"
    if device:
        return f"{stored} is not replaced, the incomplete result is in {target}"
    return f"the incomplete result is in {target}"


# Limits


def store_limits(options):
    """Measure how fast the machine moves bytes, and store it. Raises Stop or ProgramError."""
    path = (options.bin / LIMITS_PROGRAM).absolute()
    if not is_program(path):
        return complain(0, f"limits not measured: {options.bin} holds no {path.name}")
    outcome = processes.run_program(path, "--json", "-")
    if outcome.code != 0:
        raise ProgramError(f"{path.name} failed (exit {outcome.code}): {last_line(outcome.errors)}")
    document = limits.DOCUMENT.parse(outcome.output, path.name)
    print(f"{'limits':<14}  {', '.join(f'{name} {gbps:.4g} GB/s' for name, gbps in limits.by_name(document).items())}", flush=True)
    return storing.keep(document, kinds.LIMITS, options)
