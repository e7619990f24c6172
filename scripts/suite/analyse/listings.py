"""Compiler listings: parsing SASS and PTX, and finding the sampling loop.

Reads SASS as `cuobjdump -sass` and `nvdisasm -c` print it, and PTX as nvcc
writes it. The sampling loop is the loop with the most hit tests: comparisons of
a float with 1. An iteration takes as many samples as it has such tests. Kernels
without such comparisons have other marks (samples_marked).
"""

import re
from typing import NamedTuple


class ListingError(Exception):
    """A listing is not as expected; the message is one line for the user."""


class Instruction(NamedTuple):
    """An instruction: FSETP.GTU.FTZ.AND, ('P1', 'PT', 'R11', '1', 'PT')."""

    opcode: str
    operands: tuple = ()

    @property
    def root(self):
        """The opcode without its modifiers."""
        return self.opcode.partition(".")[0]

    @property
    def modifiers(self):
        return self.opcode.split(".")[1:]


class Function(NamedTuple):
    """A function: its instructions, and the positions of its branch targets (addresses or labels)."""

    name: str
    architecture: str
    instructions: list
    places: dict


class Loop(NamedTuple):
    """The positions of a loop's first and last instruction."""

    first: int
    last: int

    def holds(self, other):
        return self != other and self.first <= other.first and other.last <= self.last


# Parsing


_SASS_ARCHITECTURE = re.compile(r"\s*(?:\.target\s+|code for )sm_(\w+)")
_SASS_FUNCTION = re.compile(r"\s*(?:Function : |\.section\s+\.text\.)([^\s,]+)")
_SASS_LABEL = re.compile(r"(\.L\w+):")
# Address, predicate, opcode, operands, then the end of the instruction or, on sm_120, scheduling hints.
_SASS_INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?\w+\s+)?([A-Z][\w.]*)(.*?)\s*(?:;|\s[&?]\w|$)")

_PTX_ARCHITECTURE = re.compile(r"\.target\s+sm_(\w+)")
_PTX_FUNCTION = re.compile(r"(?:\.\w+\s+)*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")
_PTX_LABEL = re.compile(r"(\$\w+):")
_PTX_INSTRUCTION = re.compile(r"\s*(?:\{\s*)?(?:@!?%\w+\s+)?([a-z]\w*(?:\.[\w:]+)*)(?:\s+(.*?))?\s*;")


def parse_sass(text):
    """The functions in a disassembly, in its order."""
    functions, architecture, current = [], "", None
    for line in text.splitlines():
        if match := _SASS_INSTRUCTION.match(line):
            if current:
                current.places[f"0x{int(match[1], 16):x}"] = len(current.instructions)
                current.instructions.append(Instruction(match[2], _operands(match[3])))
        elif match := _SASS_LABEL.match(line):
            if current:
                current.places[match[1]] = len(current.instructions)
        elif match := _SASS_ARCHITECTURE.match(line):
            architecture = match[1]
        elif match := _SASS_FUNCTION.match(line):
            current = Function(match[1], architecture, [], {})
            functions.append(current)
    return functions


def parse_ptx(text):
    """The functions in a PTX module, in its order."""
    functions, architecture, current = [], "", None
    for line in text.splitlines():
        if match := _PTX_FUNCTION.match(line):
            current = Function(match[1], architecture, [], {})
            functions.append(current)
        elif match := _PTX_ARCHITECTURE.match(line):
            architecture = match[1]
        elif match := _PTX_LABEL.match(line):
            current.places[match[1]] = len(current.instructions)
        elif (match := _PTX_INSTRUCTION.match(line)) and current:
            current.instructions.append(Instruction(match[1], _operands(match[2] or "")))
    return functions


def _operands(text):
    return tuple(operand.strip() for operand in text.split(",") if operand.strip())


# Loops


def loops(function):
    """All loops. A loop goes from the target of a backward branch to the last branch back to it."""
    last = {}
    for position, instruction in enumerate(function.instructions):
        first = function.places.get(_target(instruction))
        if first is not None and first <= position:
            last[first] = position
    return [Loop(*ends) for ends in last.items()]


def _target(instruction):
    """The address or label that a branch goes to; None if the instruction is no branch."""
    if instruction.root not in ("BRA", "JMP", "bra") or not instruction.operands:
        return None
    return instruction.operands[-1].strip("`()")


def is_hit_test(instruction):
    """Whether this is a comparison of a float with 1."""
    if instruction.root in ("FSETP", "FSET"):
        return "1" in instruction.operands
    return instruction.root == "setp" and "f32" in instruction.modifiers and "0f3F800000" in instruction.operands


def samples_marked(instruction):
    """The samples that an instruction stands for in kernels without comparisons with 1.

    0.5: a conversion of a word to a float (v13, v14, v17). 2: a comparison of packed halves (v16), or a matrix product,
    because two of them test 128 samples of a warp (v16t). 16: a count of bits, because two counts (samples inside,
    samples outside) decide 32 samples (v15, v18 and v19, at their first level).
    """
    if instruction.root == "I2FP" or instruction.opcode == "cvt.rn.f32.u32":
        return 0.5
    if instruction.root in ("HSET2", "HMMA", "mma") or (instruction.root == "set" and "f16x2" in instruction.modifiers):
        return 2
    return 16 if instruction.root in ("POPC", "popc") else 0


class SamplingLoop(NamedTuple):
    """An iteration of the sampling loop: its instructions, how many of them are in inner loops, and its samples."""

    function: str
    architecture: str
    instructions: list
    inner: int
    samples: int


def sampling_loop(functions):
    """The loop with the most hit tests; of several, the innermost."""
    for samples_of in (is_hit_test, samples_marked):
        samples, function, loop = _loop_of_most(functions, samples_of)
        if samples > 0:
            break
    else:
        raise ListingError("no loop tests for a hit")
    inside = {at for inner in loops(function) if loop.holds(inner) for at in range(inner.first, inner.last + 1)}
    return SamplingLoop(function.name, function.architecture, _body(function, loop), len(inside), samples)


def _loop_of_most(functions, samples_of):
    """The largest number of samples of a loop, the function, and the loop; of several loops, the shortest."""
    found = [
        (sum(map(samples_of, _body(function, loop))), loop.first - loop.last, function, loop)
        for function in functions
        for loop in loops(function)
    ]
    samples, _, function, loop = max(found, key=lambda entry: entry[:2], default=(0, 0, None, None))
    return samples, function, loop


def _body(function, loop):
    return function.instructions[loop.first : loop.last + 1]
