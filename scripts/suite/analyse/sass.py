"""Count the instructions per sample of every sampling loop, and the least time that they take.

Disassembles the programs pi_v<number> of the --bin folder. If a program lacks an
architecture, its kernel is compiled from source with the build's flags. Without
a disassembler the command counts PTX. The GPU does not run PTX directly, so there
is no limit then.

The limit is the unit that is full first: issue slots or a pipe. The next columns
are the samples that it allows per cycle and multiprocessor, and per nanosecond on
this machine's GPU or on a GPU with --sms multiprocessors at --clock. Time spent
waiting for memory, atomics or results is not included.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from suite.analyse import instructions, listings, toolchain
from suite.command import FAILED, REPOSITORY, UNWRITTEN, USAGE, Command, Stop, require_folder
from suite.documents import files
from suite.ladders import naming, pi
from suite.processes import ProgramError

NO_TOOLS = 3

COMMAND = Command("sass", __doc__, {
    FAILED: "a version could not be read; the others are shown",
    USAGE: "bad usage, or no such programs in the folder",
    NO_TOOLS: "no disassembler and no nvcc found",
}, unfinished="")
complain = COMMAND.complain

SCHEMA = 1
HEADINGS = {
    "integer_multiply": "multiply", "logic_shift": "logic", "integer_add": "add", "conversion": "convert",
    "float": "float", "compare_select": "compare", "memory_global": "global", "memory_shared": "shared",
    "memory_local": "local", "memory_atomic": "atomic", "control": "control", "move_other": "other",
}  # fmt: skip


class Device(NamedTuple):
    """A GPU of `architecture`, or a hypothetical GPU for all architectures (None)."""

    multiprocessors: int
    clock_mhz: float
    architecture: str | None = None


def main():
    """Count and show; returns the exit code."""
    options = parse_arguments()
    programs = find_programs(options.bin, options.versions)
    if not programs:
        raise Stop(USAGE, f"{options.bin} holds no pi_v<number>")
    tools = toolchain.find_tools(options.bin, options.ptx)
    if not tools.nvdisasm and not tools.nvcc:
        raise Stop(NO_TOOLS, f"no cuobjdump, no nvdisasm, and no nvcc in the build of {options.bin}")
    if not tools.nvdisasm and not options.ptx:
        complain(0, "no nvdisasm on the PATH: counting PTX")
    device = options.device or present_device(next(iter(programs.values())))
    rows, faults = read_all(programs, options, tools)
    for fault in faults:
        complain(0, fault)
    if not rows:
        return FAILED
    add_rates(rows, device)
    print(table(rows, tools), end="", flush=True)
    if options.json:
        write(document(rows, tools, device), options.json)
    return FAILED if faults else 0


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="v8", help="versions to count (default: all)")
    add = parser.add_argument
    add("--bin", type=Path, default=REPOSITORY / "build", metavar="DIR", help="folder of the programs (default: build)")
    add("--arch", default="", metavar="LIST", help="architectures, such as '75;80;90' (default: those of the programs)")
    add("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    add("--clock", type=float, metavar="MHZ", help="clock for samples/ns, with --sms")
    add("--sms", type=int, metavar="N", help="multiprocessors for samples/ns, with --clock")
    add("--ptx", action="store_true", help="count PTX even if a disassembler is available")
    options = parser.parse_args()
    require_folder(options.bin)
    for version in options.versions:
        if not naming.place(version):
            parser.error(f"{version}: not a version such as v8")
    options.architectures = parse_architectures(options.arch, parser)
    options.device = parse_device(options, parser)
    return options


def parse_architectures(text, parser):
    """'75;sm_80,90' as ['75', '80', '90']."""
    names = [name.removeprefix("sm_") for name in re.split(r"[;,\s]+", text) if name]
    for name in names:
        if not re.fullmatch(r"\d{2,3}[a-z]?", name):
            parser.error(f"--arch {text}: {name} is not an architecture such as 90")
    return list(dict.fromkeys(names))


def parse_device(options, parser):
    if (options.clock is None) != (options.sms is None):
        parser.error("--clock and --sms must be given together")
    if options.clock is None:
        return None
    if not (0 < options.clock < float("inf") and options.sms > 0):
        parser.error("--clock and --sms must be positive")
    return Device(options.sms, options.clock)


# Programs


def find_programs(folder, versions):
    """The programs by version, in order of number: all, or the given versions. Stops if one is missing."""
    found = {}
    for path in folder.glob("pi_v*"):
        if naming.place(path.name.removeprefix("pi_")) and os.path.isfile(path):
            found[path.name.removeprefix("pi_")] = path
    for version in versions:
        if version not in found:
            raise Stop(USAGE, f"{folder} holds no pi_{version}")
    return {version: found[version] for version in sorted(versions or found, key=naming.place)}


def present_device(program):
    """The first GPU, as a program lists it, or None."""
    try:
        line = toolchain.run(str(program.absolute()), "--list-devices")
    except ProgramError:
        return None
    match = re.search(r"compute capability (\d+)\.(\d+), (\d+) multiprocessors, (\d+) MHz", line)
    return Device(int(match[3]), float(match[4]), match[1] + match[2]) if match else None


# Reading


def read_all(programs, options, tools):
    """The rows of all versions, by architecture and number, and a line for each version that could not be read."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {version: pool.submit(read, version, path, options, tools) for version, path in programs.items()}
    rows, faults = [], []
    for version, future in futures.items():
        try:
            rows += future.result()
        except (ProgramError, listings.ListingError) as error:
            faults.append(f"{version}: {error}")
    return sorted(rows, key=by_architecture_and_number), faults


def by_architecture_and_number(row):
    architecture = row["architecture"]
    return int(re.match(r"\d+", architecture)[0]), architecture, naming.place(row["version"])


def read(version, program, options, tools):
    """A row for each architecture of a version."""
    functions = listings.parse_sass(toolchain.run(tools.cuobjdump, "-sass", program)) if tools.cuobjdump else []
    held = list(dict.fromkeys(function.architecture for function in functions))
    wanted = options.architectures or held or toolchain.built_for(options.bin, version)
    rows = []
    for architecture in wanted:
        chosen = [function for function in functions if function.architecture == architecture]
        loop = listings.sampling_loop(chosen or toolchain.compiled(version, architecture, options.bin, tools))
        for opcode in sorted(instructions.unknown_opcodes(loop)):
            complain(0, f"warning: {version}, sm_{architecture}: unknown opcode {opcode}, counted as other")
        rows.append({"version": version} | instructions.mix(loop))
    return rows


# Showing


def add_rates(rows, device):
    """Add the floor's rate to rows with a floor, if the device runs their architecture."""
    for row in rows:
        if row["floor"]:
            row["floor"]["samples_per_ns"] = rate_of(row, device)


def rate_of(row, device):
    if not device or device.architecture not in (None, row["architecture"]):
        return None
    return instructions.samples_per_ns(row["floor"]["cycles"], device.multiprocessors, device.clock_mhz)


def table(rows, tools):
    """The rows as text: a table per architecture, without empty columns."""
    blocks = []
    for architecture in dict.fromkeys(row["architecture"] for row in rows):
        here = [row for row in rows if row["architecture"] == architecture]
        title = f"sm_{architecture}, instructions per sample of the sampling loop ({tools.text})\n"
        blocks.append(title + aligned(cells(here)))
    if any(row["inner_loops"] for row in rows):
        blocks.append("* contains inner loops, each counted once\n")
    return "\n".join(blocks)


def cells(rows):
    """The heading and rows of a table."""
    classes = [name for name in instructions.CLASSES if any(row["classes"][name] for row in rows)]
    floors = any(row["floor"] for row in rows)
    rated = any(row["floor"] and row["floor"]["samples_per_ns"] for row in rows)
    heading = ["", "all", *(HEADINGS[name] for name in classes)]
    heading += ["limit", "samples/cycle/SM"] * floors + ["samples/ns"] * rated
    return [heading] + [line(row, classes, floors, rated) for row in rows]


def line(row, classes, floors, rated):
    star = "*" if row["inner_loops"] else ""
    texts = [row["version"], figure(row["instructions"]) + star, *(figure(row["classes"][name]) for name in classes)]
    if floors:
        least = row["floor"]
        texts += [least["limit"], f"{1 / least['cycles']:.2f}"] if least else ["-", "-"]
    if rated:
        rate = row["floor"] and row["floor"]["samples_per_ns"]
        texts += [f"{rate:.4g}" if rate else "-"]
    return texts


def figure(number):
    """At most two decimals; a dot for zero."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number else "."


def aligned(lines):
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "".join("  ".join(map(str.rjust, texts, widths)).rstrip() + "\n" for texts in lines)


# Storing


def document(rows, tools, device):
    """The document for --json."""
    shown = device and {"multiprocessors": device.multiprocessors, "clock_mhz": device.clock_mhz}
    head = {"schema": SCHEMA, "suite": pi.SUITE, "level": tools.level, "tool": tools.text, "device": shown}
    return head | {"loops": rows}


def write(figures, path):
    try:
        files.write_text(path, files.to_text(figures))
    except OSError as error:
        raise Stop(UNWRITTEN, f"{path} could not be written: {error.strerror or error}") from None
