"""Count the instructions per sample of every sampling loop, and the least time that they take.

Disassembles the programs pi_v<number> of the --bin folder. An architecture
that a program lacks is compiled from the kernel's source with the build's
flags. Without a disassembler it counts PTX, which the compiler makes and the
GPU does not run as it is; then there is no limit.

The limit is the unit that is full first: issue slots or a pipe. Beside it are
the most samples that it allows, per cycle and multiprocessor, and per
nanosecond on the GPU present or on one with --sms multiprocessors at --clock.
Waiting for memory, atomics or results is not included.
"""

import functools
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from suite.analyse import instructions
from suite.command import FAILED, REPOSITORY, UNWRITTEN, USAGE, Command, Stop, require_folder
from suite.documents import files
from suite.ladders import naming, pi

NO_TOOLS = 3

COMMAND = Command("sass", __doc__, {
    FAILED: "a version could not be read; the others are shown",
    USAGE: "bad usage, or no such programs in the folder",
    NO_TOOLS: "neither a disassembler nor nvcc was found",
}, unfinished="")
complain = COMMAND.complain

SCHEMA = 1
DEFAULT_ARCHITECTURE = "90"  # compiled for where neither the user nor the build names one

HEADINGS = {
    "integer_multiply": "multiply", "logic_shift": "logic", "integer_add": "add", "conversion": "convert",
    "float": "float", "compare_select": "compare", "memory_global": "global", "memory_shared": "shared",
    "memory_local": "local", "memory_atomic": "atomic", "control": "control", "move_other": "other",
}  # fmt: skip


class ToolError(Exception):
    """A tool is missing or failed; the message is one line for the user."""


class Device(NamedTuple):
    """A GPU; it runs programs of `architecture`, or is imagined for all (None)."""

    multiprocessors: int
    clock_mhz: float
    architecture: str | None = None


class Build(NamedTuple):
    """The flags that the build compiles a kernel with, architectures apart."""

    flags: list
    architectures: list


class Tools(NamedTuple):
    """What there is to look with: paths, or None."""

    cuobjdump: str | None
    nvdisasm: str | None
    nvcc: str | None

    @property
    def level(self):
        return "sass" if self.nvdisasm else "ptx"

    @property
    def text(self):
        if self.cuobjdump:
            return f"SASS, {version_of(self.cuobjdump)}"
        if self.nvdisasm:
            return f"SASS of kernels compiled anew, {version_of(self.nvdisasm)}"
        return "PTX: what the compiler made, not what runs"


def main():
    """Count and show; returns the exit code."""
    options = parse_arguments()
    programs = find_programs(options.bin, options.versions)
    if not programs:
        raise Stop(USAGE, f"{options.bin} holds no pi_v<number>")
    tools = find_tools(options)
    if not tools.nvdisasm and not tools.nvcc:
        raise Stop(NO_TOOLS, f"no cuobjdump, no nvdisasm, and no nvcc by which {options.bin} was built")
    if not tools.nvdisasm and not options.ptx:
        complain(0, "no nvdisasm on the PATH, so this is PTX")
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
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="v8", help="versions to look at (default: all)")
    add = parser.add_argument
    add("--bin", type=Path, default=REPOSITORY / "build", metavar="DIR", help="folder of the programs (default: build)")
    add("--arch", default="", metavar="LIST", help="such as '75;80;90' (default: the architectures in the programs)")
    add("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    add("--clock", type=float, metavar="MHZ", help="clock to give samples/ns for, with --sms")
    add("--sms", type=int, metavar="N", help="multiprocessors to give samples/ns for, with --clock")
    add("--ptx", action="store_true", help="count PTX even where there is a disassembler")
    options = parser.parse_args()
    require_folder(options.bin)
    for version in options.versions:
        if not naming.place(version):
            parser.error(f"{version}: not a version, such as v8")
    options.architectures = parse_architectures(options.arch, parser)
    options.device = parse_device(options, parser)
    return options


def parse_architectures(text, parser):
    """'75;sm_80,90' as ['75', '80', '90']."""
    names = [name.removeprefix("sm_") for name in re.split(r"[;,\s]+", text) if name]
    for name in names:
        if not re.fullmatch(r"\d{2,3}[a-z]?", name):
            parser.error(f"--arch {text}: {name} is no architecture, such as 90")
    return list(dict.fromkeys(names))


def parse_device(options, parser):
    if (options.clock is None) != (options.sms is None):
        parser.error("--clock and --sms go together")
    if options.clock is None:
        return None
    if not (0 < options.clock < float("inf") and options.sms > 0):
        parser.error("--clock and --sms are positive")
    return Device(options.sms, options.clock)


# What there is


def find_programs(folder, versions):
    """The programs by version, in order of number: all, or those asked for. A missing one leaves with an error."""
    found = {}
    for path in folder.glob("pi_v*"):
        if naming.place(path.name.removeprefix("pi_")) and os.path.isfile(path):
            found[path.name.removeprefix("pi_")] = path
    for version in versions:
        if version not in found:
            raise Stop(USAGE, f"{folder} holds no pi_{version}")
    return {version: found[version] for version in sorted(versions or found, key=naming.place)}


def find_tools(options):
    """The build's compiler, and the disassemblers on the PATH or beside it."""
    nvcc = shutil.which(cached(options.bin, "CMAKE_CUDA_COMPILER") or "")
    if options.ptx:
        return Tools(None, None, nvcc)
    if nvcc:
        # In the environment, because cuobjdump looks for nvdisasm there.
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), os.path.dirname(nvcc)])
    nvdisasm = shutil.which("nvdisasm")
    return Tools(shutil.which("cuobjdump") if nvdisasm else None, nvdisasm, nvcc)


@functools.cache


def version_of(tool):
    """'cuobjdump 13.0.85'."""
    try:
        match = re.search(r"V(\d[\d.]*)", run(tool, "--version"))
    except ToolError:
        match = None
    return f"{Path(tool).name} {match[1]}" if match else Path(tool).name


def present_device(program):
    """The first GPU, as a program lists it, or None."""
    try:
        line = run(str(program.absolute()), "--list-devices")
    except ToolError:
        return None
    match = re.search(r"compute capability (\d+)\.(\d+), (\d+) multiprocessors, (\d+) MHz", line)
    return Device(int(match[3]), float(match[4]), match[1] + match[2]) if match else None


def read_build(folder, version):
    """How the build in `folder` compiles a version: from its makefiles."""
    makefile = folder / "kernels" / "pi" / "CMakeFiles" / f"kernel_{version}.dir" / "flags.make"
    try:
        match = re.search(r"^CUDA_FLAGS = (.*)$", makefile.read_text(), re.MULTILINE)
    except OSError:
        match = None
    if not match:
        raise ToolError(f"{folder} was not built here by Unix Makefiles: no flags to compile the kernel with")
    flags, architectures = [], []
    for flag in shlex.split(match[1]):
        if flag.startswith(("--generate-code", "-gencode", "-arch")):
            architectures += re.findall(r"sm_(\w+)", flag)
        else:
            flags.append(flag)
    return Build(flags, list(dict.fromkeys(architectures)))


def built_for(folder, version):
    return read_build(folder, version).architectures or [DEFAULT_ARCHITECTURE]


def cached(folder, name):
    """An entry of CMake's cache, or None."""
    try:
        match = re.search(rf"^{name}:\w+=(.+)$", (folder / "CMakeCache.txt").read_text(), re.MULTILINE)
    except OSError:
        return None
    return match[1] if match else None


# Reading


def read_all(programs, options, tools):
    """Rows of all versions, by architecture and number, and one line for each that could not be read."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {version: pool.submit(read, version, path, options, tools) for version, path in programs.items()}
    rows, faults = [], []
    for version, future in futures.items():
        try:
            rows += future.result()
        except (ToolError, instructions.ListingError) as error:
            faults.append(f"{version}: {error}")
    return sorted(rows, key=by_architecture_and_number), faults


def by_architecture_and_number(row):
    architecture = row["architecture"]
    return int(re.match(r"\d+", architecture)[0]), architecture, naming.place(row["version"])


def read(version, program, options, tools):
    """A row for each architecture of a version."""
    functions = instructions.parse_sass(run(tools.cuobjdump, "-sass", program)) if tools.cuobjdump else []
    held = list(dict.fromkeys(function.architecture for function in functions))
    wanted = options.architectures or held or built_for(options.bin, version)
    rows = []
    for architecture in wanted:
        chosen = [function for function in functions if function.architecture == architecture]
        loop = instructions.sampling_loop(chosen or compiled(version, architecture, options, tools))
        for opcode in sorted(instructions.unknown_opcodes(loop)):
            complain(0, f"warning: {version}, sm_{architecture}: unknown opcode {opcode}, counted as other")
        rows.append({"version": version} | instructions.mix(loop))
    return rows


def compiled(version, architecture, options, tools):
    """The functions of a version's kernel, compiled for an architecture."""
    if not tools.nvcc:
        raise ToolError(f"not built for sm_{architecture}, and no nvcc to compile it with")
    flags = read_build(options.bin, version).flags
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "kernel"
        to_output = (*flags, f"-I{REPOSITORY}", "-o", output, source_of(version))
        if tools.level == "ptx":
            run(tools.nvcc, "-ptx", f"-arch=compute_{architecture}", *to_output)
            return instructions.parse_ptx(output.read_text(errors="replace"))
        run(tools.nvcc, "-cubin", f"-arch=sm_{architecture}", *to_output)
        return instructions.parse_sass(run(tools.nvdisasm, "-c", output))


def source_of(version):
    """The kernel file of a version: kernels/pi/v08_*.cu for v8."""
    number, variant = naming.place(version)
    pattern = f"v{number:02}{variant}_*.cu"
    found = list((REPOSITORY / "kernels" / "pi").glob(pattern))
    if len(found) != 1:
        raise ToolError(f"kernels/pi holds {len(found)} files {pattern}")
    return found[0]


def run(*command):
    """What a command prints on stdout; its failure is one line."""
    arguments = [str(part) for part in command]
    try:
        process = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise ToolError(f"{arguments[0]}: {error.strerror}") from None
    if process.returncode != 0:
        raise ToolError(f"{Path(arguments[0]).name} failed: {reason(process)}")
    return process.stdout


def reason(process):
    """The line of stderr that says why a process failed."""
    lines = [line.strip() for line in process.stderr.splitlines() if line.strip()]
    telling = [line for line in lines if re.search("fatal|error", line, re.IGNORECASE)]
    return (telling or lines or [f"exit code {process.returncode}"])[0]


# Showing


def add_rates(rows, device):
    """Put the floor's rate into rows that have a floor: on the device, if it runs their architecture."""
    for row in rows:
        if row["floor"]:
            row["floor"]["samples_per_ns"] = rate_of(row, device)


def rate_of(row, device):
    if not device or device.architecture not in (None, row["architecture"]):
        return None
    return instructions.samples_per_ns(row["floor"]["cycles"], device.multiprocessors, device.clock_mhz)


def table(rows, tools):
    """The rows as text: a table an architecture, with the columns that hold something."""
    blocks = []
    for architecture in dict.fromkeys(row["architecture"] for row in rows):
        here = [row for row in rows if row["architecture"] == architecture]
        title = f"sm_{architecture}, instructions per sample of the sampling loop ({tools.text})\n"
        blocks.append(title + aligned(cells(here)))
    if any(row["inner_loops"] for row in rows):
        blocks.append("* with loops inside, of which each is counted as gone round once\n")
    return "\n".join(blocks)


def cells(rows):
    """Heading and rows of a table."""
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
    """Two decimals at the most, a dot for nothing."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number else "."


def aligned(lines):
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "".join("  ".join(map(str.rjust, texts, widths)).rstrip() + "\n" for texts in lines)


# Storing


def document(rows, tools, device):
    """All of it, for --json."""
    shown = device and {"multiprocessors": device.multiprocessors, "clock_mhz": device.clock_mhz}
    head = {"schema": SCHEMA, "suite": pi.SUITE, "level": tools.level, "tool": tools.text, "device": shown}
    return head | {"loops": rows}


def write(figures, path):
    try:
        files.write_text(path, files.to_text(figures))
    except OSError as error:
        raise Stop(UNWRITTEN, f"{path} could not be written: {error.strerror or error}") from None
