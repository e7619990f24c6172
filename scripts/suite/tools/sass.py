"""Print the hot loop of each kernel: how many instructions of each class a trip executes, and with VERSIONs its listing.

The hot loop is the longest of those that compute with floats or count bits and hold no other such; in a kernel without any,
of all. How many samples a trip takes only the source says; what is executed for each sample is in the profile.
"""

import os
import re
import shutil
from collections import Counter, namedtuple

from suite import ladders
from suite.command import DONE, FAILED, USAGE, Command, Stop, parse_with_folders
from suite.processes import ProgramError, execute, last_line
from suite.tools import chosen

ENDS = {
    FAILED: "a program could not be disassembled, or cuobjdump or nvdisasm is missing",
    USAGE: "bad usage, or no such programs in the folder",
}
COMMAND = Command("sass", __doc__, ENDS, unfinished="")

# What opcodes do. IMAD also shifts, adds and, with .MOV, copies.
CLASSES = {
    "multiply": "IMAD IMUL IDP",
    "add": "IADD IADD3 VIADD ISCADD IABS VIADDMNMX IMAD.IADD IMAD.X",
    "logic": "LOP LOP3 SHF SHL SHR LEA PRMT BMSK SGXT BREV POPC FLO IMAD.SHL",
    "convert": "I2F I2FP F2I F2F F2FP I2I I2IP FRND",
    "float": "FADD FMUL FFMA HADD2 HMUL2 HFMA2 FADD2 FMUL2 FFMA2 DADD DMUL DFMA FCHK",
    "XU": "MUFU", "tensor": "HMMA IMMA DMMA",
    "compare": "ISETP FSETP FSET DSETP HSET2 HSETP2 PLOP3 SEL FSEL IMNMX FMNMX VIMNMX VIMNMX3 FMNMX3",
    "memory": "LD LDG LDS LDL LDC LDSM ST STG STS STL STSM ATOM ATOMG ATOMS RED REDG CCTL",
    "control": "BRA BRX JMP BSSY BSYNC BREAK CALL RET EXIT WARPSYNC YIELD BAR NOP MEMBAR DEPBAR NANOSLEEP",
    "uniform": "", "other": "IMAD.MOV",  # uniform are those that begin with U
}  # fmt: skip
CLASS_OF = {opcode: name for name, opcodes in CLASSES.items() for opcode in opcodes.split()}

# A line of cuobjdump: an architecture, a function, or the address, the text and the opcode of an instruction.
LINE = re.compile(
    r"\s*code for (sm_\w+)|\s*Function : (\S+)|\s*/\*([0-9a-f]{4,})\*/\s+((?:@!?\w+\s+)?([A-Z][\w.]*).*?)\s*(?:;|$)"
)
BRANCH = re.compile(r"\b(?:BRA|JMP)\b.*\b0x([0-9a-f]+)")
Kernel = namedtuple("Kernel", "name architecture instructions")  # an instruction is an address, an opcode and a text


def main():
    """Disassemble and print; returns the exit code."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "list", ladders.every_ladder())
    options = parse_with_folders(parser, "--bin")
    programs = [(version, path) for _, paths in chosen.programs(options) for version, path in paths.items()]
    os.environ["PATH"] += f":/usr/local/cuda/bin:{options.bin}/cuda/nvidia/cu13/bin"  # where the tools are, by default
    if missing := [tool for tool in ("cuobjdump", "nvdisasm") if not shutil.which(tool)]:
        raise Stop(FAILED, f"{' and '.join(missing)} not found on the PATH: make sass gets them")
    code = DONE
    for version, path in programs:
        try:
            for kernel in kernels(path):
                show(version, kernel, options.versions)
        except ProgramError as error:
            code = COMMAND.complain(FAILED, f"{version}: {error}")
    return code


def kernels(program):
    """The kernels of a program for its newest architecture. Raises ProgramError without any."""
    outcome = execute("cuobjdump", "-sass", str(program))
    found = [kernel for kernel in parse(outcome.output) if "N5bench" not in kernel.name]  # the harness has kernels, too
    newest = max((own.architecture for own in found), key=lambda name: int(re.search(r"\d+", name)[0]), default=None)
    if outcome.code != 0 or not newest:
        raise ProgramError(last_line(outcome.errors) or f"{program} has no kernel")
    return [kernel for kernel in found if kernel.architecture == newest]


def parse(text):
    """The kernels in what cuobjdump -sass prints."""
    found, architecture = [], ""
    for match in filter(None, map(LINE.match, text.splitlines())):
        named, function, address, instruction, opcode = match.groups()
        architecture = named or architecture
        if function:
            found.append(Kernel(function, architecture, []))
        if address and found:
            found[-1].instructions.append((int(address, 16), opcode, instruction))
    return found


def hot_loop(kernel):
    """The instructions of the longest loop that computes with floats or counts bits and holds no other such; or of any; or none."""
    ends = {}  # the last branch back to each address
    for address, _, text in kernel.instructions:
        target = BRANCH.search(text)
        if target and int(target[1], 16) < address:  # a branch to itself is what fills the end of a kernel
            ends[int(target[1], 16)] = address
    loops = [[line for line in kernel.instructions if first <= line[0] <= last] for first, last in ends.items()]
    decides = lambda opcode: class_of(opcode) in ("float", "tensor") or opcode.startswith("POPC")
    deciding = [loop for loop in loops if any(decides(opcode) for _, opcode, _ in loop)] or loops
    holds = lambda loop, other: loop != other and loop[0] <= other[0] and other[-1] <= loop[-1]
    return max((loop for loop in deciding if not any(holds(loop, other) for other in deciding)), key=len, default=[])


def class_of(opcode):
    root, _, modifiers = opcode.partition(".")
    special = CLASS_OF.get(f"{root}.{modifiers.partition('.')[0]}")
    return special or CLASS_OF.get(root) or ("uniform" if root.startswith("U") else "other")


def show(version, kernel, with_listing):
    """A line with the counts of a kernel's hot loop, and the loop itself. The kernel is named as in its source, if c++filt is there."""
    loop = hot_loop(kernel)
    whole = execute("c++filt", "-p", kernel.name).output.strip() if shutil.which("c++filt") else kernel.name
    plain, opening, arguments = whole.partition("<")
    short = plain.rpartition("::")[2] + (opening + arguments if len(arguments) < 30 else "")
    counts = Counter(class_of(opcode) for _, opcode, _ in loop)
    told = (
        f"{len(loop)} instructions: " + ", ".join(f"{counts[name]} {name}" for name in CLASSES if counts[name])
        if loop
        else "no loop"
    )
    print(f"{version} {kernel.architecture} {short}: {told}", flush=True)
    for address, opcode, text in loop if with_listing else ():
        print(f"    {address:04x}  {class_of(opcode):<8}  {text}", flush=True)
