"""Run the CPU baseline and every CUDA version, and merge their records into one result file.

The programs are pi_cpu and each pi_v<number> in the --bin folder. The result goes
to <out>/<device>/pi.json if every program succeeds. Stored rows of other versions
stay if they are of the same build and machine. If not, nothing is replaced, and
the result goes to <bin>/results/<device>/. Then the ablations run, each
pi_v<number>_<name>, and their result goes to ablations.json in the same folder.
Without a usable GPU only the CPU baseline runs, and its result goes to
<bin>/results/cpu/pi.json.
"""

import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from suite import numerals, processes
from suite.command import DONE, FAILED, SET_ASIDE, USAGE, Command, Stop, add_folders, require_folder
from suite.documents import checks, result, storing
from suite.measure.programs import steps_in, versions_in
from suite.processes import ProgramError, child_of_ours, execute, is_program, last_line

COMMAND = Command("bench", __doc__, {
    DONE: "done (also without a GPU)",
    FAILED: "a program failed, or the programs do not belong together" + SET_ASIDE,
    USAGE: "bad usage, or no programs in the folder",
})
complain = COMMAND.complain
CANNOT_RUN = 126  # as in a shell: found, but cannot be executed


class Program(NamedTuple):
    """A program to run, and the version for its row if it fails."""

    version: str
    command: tuple


def main():
    """Run everything and store the result; returns the exit code."""
    options = parse_arguments()
    cpu, gpu = cpu_programs(options.bin), gpu_programs(options.bin)
    if not cpu + gpu:
        raise Stop(USAGE, f"{options.bin} holds no pi_cpu and no pi_v<number>")
    reason = why_no_gpu(gpu)
    if reason:
        complain(0, f"CUDA versions skipped: {reason}")
        gpu = []
    idle_power = idle_power_w(gpu[0]) if gpu else None
    document = run_all(cpu + gpu)
    if not document or not document["context"]:
        raise Stop(FAILED, "no program succeeded, nothing was written")
    if idle_power is not None:
        document["context"]["idle_power_w"] = idle_power
    code = store(document, storing.RESULT, options)
    ablations = ablation_programs(options.bin) if gpu and code == 0 else []
    return store(run_ablations(ablations, document), storing.ABLATIONS, options) if ablations else code


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    add_folders(parser)
    parser.add_argument("--partial", action="store_true", help="store the result even if a program failed")
    options = parser.parse_args()
    require_folder(options.bin)
    return options


# Programs


def cpu_programs(folder):
    """The CPU baseline, on one core and on all."""
    path = folder / "pi_cpu"
    if not is_program(path):
        return []
    return [
        Program("cpu_serial", command(path, "--threads", "1", "--json", "-")),
        Program("cpu_openmp", command(path, "--json", "-")),
    ]


def gpu_programs(folder):
    """Every pi_v<number>, by number."""
    return [Program(version, command(path, "--json", "-")) for version, path in steps_in(folder).items()]


def ablation_programs(folder):
    """Every pi_v<number>_<name>, by number and name."""
    steps, versions = steps_in(folder), versions_in(folder)
    return [Program(version, command(path, "--json", "-")) for version, path in versions.items() if version not in steps]


def command(path, *arguments):
    # Absolute, because a bare name would be searched on the PATH.
    return (str(path.absolute()), *arguments)


def why_no_gpu(programs):
    """Why the CUDA versions cannot run here, or None."""
    if not programs:
        return "there are no pi_v<number> programs"
    try:
        return processes.why_no_gpu(programs[0].command[0])
    except ProgramError:
        return None  # its run will say so


# Running


def run_all(programs):
    """Run the programs one after another; returns their merged documents, or None without programs."""
    merged = None
    for program in programs:
        document = run(program)
        merged = result.merge(merged, document) if merged else document
        report(document["runs"][0])
    return merged


def run_ablations(programs, ladder):
    """Run the ablations; returns their merged documents. They must have the context of the ladder's run."""
    document = run_all(programs)
    result.merge(ladder, document)  # refuses another context
    document["context"] = ladder["context"]
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


def run(program):
    """Run a program; returns the document it printed, or one with its error."""
    code, output, complaint = execute_aloud(program.command)
    if code in processes.INTERRUPTED:
        raise KeyboardInterrupt
    if code != 0:
        return result.failed_run(program.version, complaint or exit_text(code), code)
    try:
        return result.DOCUMENT.parse(output, Path(program.command[0]).name)
    except checks.ResultError as error:
        return result.failed_run(program.version, str(error), code)


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


def report(run):
    """One line on stdout about a finished program."""
    if "error" in run:
        line = f"failed (exit {run['exit']}): {run['error']}"
    else:
        line = f"{numerals.rate_text(run['per_ns'])} samples/ns, {run['launches']} launches"
    print(f"{run['version']:<14}  {line}", flush=True)


# Storing


def store(document, kind, options):
    """Store the document and print where; returns the exit code."""
    failed = result.failures(document)
    device = document["context"]["device"]
    stored, aside = storing.folders(document["context"], options)
    is_kept = device and (options.partial or not failed)
    target = storing.store(document, kind, stored, aside) if is_kept else storing.put(aside, document, kind)
    if not failed:
        print(f"wrote {target}", flush=True)
        return 0
    return complain(FAILED, f"{', '.join(failed)} failed: {outcome(target, stored / target.name, device)}")


def outcome(target, stored, device):
    """Where the result with failures was written."""
    if target == stored:
        return f"{stored} has no new rate of it"
    if device:
        return f"{stored} is not replaced, the incomplete result is in {target}"
    return f"the incomplete result is in {target}"
