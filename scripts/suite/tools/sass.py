"""Print the hot loop of each kernel: how many instructions of each class a trip executes, and with VERSIONs its listing.

Disassembles the programs of the --bin folder with cuobjdump and nvdisasm of the CUDA Toolkit. The
hot loop is the longest of those that compute with floats or count bits and hold no other such; in a
kernel without any, of all. How many samples a trip takes only the source says; what is executed for
each sample is in the profile (scripts/profile).
"""

import os
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from suite import ladders
from suite.command import DONE, FAILED, REPOSITORY, USAGE, Command, Stop, fail_usage, require_folder
from suite.tools import chosen
from suite.processes import ProgramError, execute, last_line

COMMAND = Command("sass", __doc__, {
    FAILED: "a program could not be disassembled, or cuobjdump or nvdisasm is missing",
    USAGE: "bad usage, or no such programs in the folder",
}, unfinished="")  # fmt: skip

TOOLS = ("cuobjdump", "nvdisasm")
CLASSES = {
    "multiply": "IMAD IMUL IDP",
    "add": "IADD IADD3 VIADD ISCADD IABS VIADDMNMX IMAD.IADD IMAD.X",
    "logic": "LOP LOP3 SHF SHL SHR LEA PRMT BMSK SGXT BREV POPC FLO IMAD.SHL",
    "convert": "I2F I2FP F2I F2F F2FP I2I I2IP FRND",
    "float": "FADD FMUL FFMA HADD2 HMUL2 HFMA2 FADD2 FMUL2 FFMA2 DADD DMUL DFMA FCHK",
    "XU": "MUFU",
    "tensor": "HMMA IMMA DMMA",
    "compare": "ISETP FSETP FSET DSETP HSET2 HSETP2 PLOP3 SEL FSEL IMNMX FMNMX VIMNMX VIMNMX3 FMNMX3",
    "memory": "LD LDG LDS LDL LDC LDSM ST STG STS STL STSM ATOM ATOMG ATOMS RED REDG CCTL",
    "control": "BRA BRX JMP BSSY BSYNC BREAK CALL RET EXIT WARPSYNC YIELD BAR NOP MEMBAR DEPBAR NANOSLEEP",
}
CLASS_OF = {opcode: name for name, opcodes in CLASSES.items() for opcode in opcodes.split()}
OTHER = ("uniform", "other")

ARCHITECTURE = re.compile(r"\s*code for (sm_\w+)")
FUNCTION = re.compile(r"\s*Function : (\S+)")
INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+((?:@!?\w+\s+)?([A-Z][\w.]*).*?)\s*(?:;|$)")
BRANCH = re.compile(r"\b(?:BRA|JMP)\b.*\b0x([0-9a-f]+)")


class Kernel(NamedTuple):
    """A kernel: its name, its architecture, and its instructions, each an address, an opcode and a text."""

    name: str
    architecture: str
    instructions: list


def main():
    """Disassemble and print; returns the exit code."""
    options = parse_arguments()
    programs = [(version, path) for _, paths in chosen.programs(options) for version, path in paths.items()]
    os.environ["PATH"] += ":/usr/local/cuda/bin"  # where the tools are, by default
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        raise Stop(FAILED, f"{' and '.join(missing)} not found on the PATH: install the CUDA Toolkit")
    code = DONE
    for version, path in programs:
        try:
            for kernel in kernels(path, options.arch):
                show(version, kernel, options.versions)
        except ProgramError as error:
            code = COMMAND.complain(FAILED, f"{version}: {error}")
    return code


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "list", ladders.every_ladder())
    build = Path(os.path.relpath(REPOSITORY / "build"))
    parser.add_argument("--bin", type=Path, default=build, metavar="DIR", help="the folder of the programs (default: build)")
    parser.add_argument("--arch", metavar="N", help="the architecture, such as 90 (default: the newest in a program)")
    options = parser.parse_args()
    if options.arch and not re.fullmatch(r"\d{2,3}[a-z]?", options.arch):
        fail_usage(f"--arch {options.arch}: not an architecture such as 90")
    require_folder(options.bin)
    return options


def kernels(program, architecture):
    """The kernels of a program for an architecture, by default the newest. Raises ProgramError without any."""
    outcome = execute("cuobjdump", "-sass", *(("-arch", f"sm_{architecture}") if architecture else ()), str(program))
    if outcome.code != 0:
        raise ProgramError(last_line(outcome.errors) or f"cuobjdump ended with exit code {outcome.code}")
    found = [kernel for kernel in parse(outcome.output) if "N5bench" not in kernel.name]  # the harness has kernels, too
    if not found:
        raise ProgramError(f"{program} has no kernel" + (f" for sm_{architecture}" if architecture else ""))
    newest = max((kernel.architecture for kernel in found), key=lambda name: int(re.search(r"\d+", name)[0]))
    return [kernel for kernel in found if kernel.architecture == newest]


def parse(text):
    """The kernels in what cuobjdump -sass prints."""
    found, architecture = [], ""
    for line in text.splitlines():
        if (match := INSTRUCTION.match(line)) and found:
            found[-1].instructions.append((int(match[1], 16), match[3], match[2]))
        elif match := ARCHITECTURE.match(line):
            architecture = match[1]
        elif match := FUNCTION.match(line):
            found.append(Kernel(match[1], architecture, []))
    return found


def hot_loop(kernel):
    """The instructions of the longest loop that decides samples and holds no other such; where none does, of any; or none."""
    loops = [[line for line in kernel.instructions if first <= line[0] <= last] for first, last in ends_of_loops(kernel)]
    deciding = [loop for loop in loops if any(decides(opcode) for _, opcode, _ in loop)] or loops
    holds = lambda loop, other: loop != other and loop[0] <= other[0] and other[-1] <= loop[-1]
    innermost = [loop for loop in deciding if not any(holds(loop, other) for other in deciding)]
    return max(innermost, key=len, default=[])


def decides(opcode):
    """Whether an instruction tells a loop of samples from one of set-up: it computes with floats, or counts bits of hits."""
    return class_of(opcode) in ("float", "tensor") or opcode.startswith("POPC")


def ends_of_loops(kernel):
    """The first and last address of each loop: the target of a branch back, and the last branch to it."""
    ends = {}
    for address, _, text in kernel.instructions:
        target = BRANCH.search(text)
        if target and int(target[1], 16) < address:  # a branch to itself is what fills the end of a kernel
            ends[int(target[1], 16)] = address
    return ends.items()


def class_of(opcode):
    """What an instruction does. IMAD also shifts, adds and, with .MOV, copies."""
    root, *modifiers = opcode.split(".")
    if root == "IMAD" and modifiers[:1] == ["MOV"]:
        return "other"
    special = CLASS_OF.get(".".join([root, *modifiers[:1]]))
    return special or CLASS_OF.get(root) or ("uniform" if root.startswith("U") else "other")


def show(version, kernel, with_listing):
    """A line with the counts of a kernel's hot loop, and the loop itself."""
    loop = hot_loop(kernel)
    counts = Counter(class_of(opcode) for _, opcode, _ in loop)
    parts = ", ".join(f"{counts[name]} {name}" for name in (*CLASSES, *OTHER) if counts[name])
    told = f"{len(loop)} instructions: {parts}" if loop else "no loop"
    print(f"{version} {kernel.architecture} {short(kernel.name)}: {told}", flush=True)
    if with_listing:
        print("".join(f"    {address:04x}  {class_of(opcode):<8}  {text}\n" for address, opcode, text in loop), end="", flush=True)


def short(name):
    """The name of a kernel as its source has it, without namespaces; as it is where binutils' c++filt is missing."""
    whole = execute("c++filt", "-p", name).output.strip() if shutil.which("c++filt") else name
    plain, opening, arguments = whole.partition("<")
    return plain.rpartition("::")[2] + (opening + arguments if len(arguments) < 30 else "")
