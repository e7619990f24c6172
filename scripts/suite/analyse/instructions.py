"""The instruction mix of a sampling loop, and the least time that it takes."""

import itertools
from collections import Counter
from typing import NamedTuple

# Classes: what an instruction does, whichever pipe runs it.


CLASSES = (
    "integer_multiply", "logic_shift", "integer_add", "conversion", "float", "compare_select",
    "memory_global", "memory_shared", "memory_local", "memory_atomic", "control", "move_other",
)  # fmt: skip

_SASS_CLASSES = {
    "integer_multiply": "IMAD IMUL IDP XMAD",
    "logic_shift": "LOP LOP3 SHF SHL SHR LEA PRMT BMSK SGXT BREV POPC FLO PLOP3",
    "integer_add": "IADD IADD3 VIADD ISCADD IABS VIADDMNMX",
    "conversion": "I2F I2FP F2I F2F F2FP I2I FRND",
    "float": "FADD FMUL FFMA MUFU HADD2 HMUL2 HFMA2 FADD2 FMUL2 FFMA2 FCHK HMMA",
    "compare_select": "ISETP FSETP FSET HSET2 HSETP2 SEL FSEL IMNMX FMNMX VIMNMX VIMNMX3 FMNMX3",
    "memory_global": "LDG STG LD ST",
    "memory_shared": "LDS STS LDSM STSM",
    "memory_local": "LDL STL",
    "memory_atomic": "ATOM ATOMG ATOMS RED REDG",
    "control": "BRA BRX JMP BSSY BSYNC BREAK BMOV CALL RET EXIT WARPSYNC YIELD BAR NOP MEMBAR ERRBAR DEPBAR NANOSLEEP",
    "move_other": "MOV CS2R S2R S2UR R2UR P2R R2P UP2UR UR2UP LDC LDCU SHFL VOTE CCTL",
}
_CLASS_OF = {root: name for name, roots in _SASS_CLASSES.items() for root in roots.split()}
# IMAD also shifts and adds, to relieve the other pipe. With zero factors it copies.
_CLASS_OF_IMAD = {"SHL": "logic_shift", "IADD": "integer_add", "X": "integer_add"}
_ZEROS = (("RZ", "RZ"), ("-RZ", "RZ"))

_PTX_CLASSES = {
    "integer_multiply": "mul mad mul24 mad24 dp4a dp2a madc",
    "logic_shift": "and or xor not cnot shl shr shf lop3 bfi bfe prmt brev popc clz bfind fns szext bmsk",
    "integer_add": "add sub addc subc neg abs sad",
    "float": "fma mma div rcp sqrt rsqrt sin cos lg2 ex2 tanh",
    "compare_select": "setp set selp slct min max",
    "memory_atomic": "atom red",
    "control": "bra brx call ret exit bar barrier membar fence trap",
    "move_other": "mov cvta shfl vote activemask isspacep pragma",
}
_PTX_CLASS_OF = {root: name for name, roots in _PTX_CLASSES.items() for root in roots.split()}
_PTX_SPACES = {"shared": "memory_shared", "local": "memory_local", "param": "move_other", "const": "move_other"}
_PTX_FLOATS = {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"}


def class_of(instruction):
    """The class of an instruction, or None for an unknown opcode."""
    return _ptx_class(instruction) if _is_ptx(instruction) else _sass_class(instruction)


def _is_ptx(instruction):
    return instruction.opcode[0].islower()


def _sass_class(instruction):
    root = _without_uniform(instruction.root)
    if root == "IMAD":
        for modifier in instruction.modifiers:
            if modifier in _CLASS_OF_IMAD:
                return _CLASS_OF_IMAD[modifier]
    if root in ("IMAD", "HFMA2") and instruction.operands[1:3] in _ZEROS:
        return "move_other"
    return _CLASS_OF.get(root)


def _without_uniform(root):
    """The per-thread opcode of an instruction of the uniform datapath (one result per warp)."""
    return root[1:] if root not in _CLASS_OF and root.startswith("U") else root


def _ptx_class(instruction):
    root, kinds = instruction.root, instruction.modifiers
    floats = sum(kind in _PTX_FLOATS for kind in kinds)
    if root == "cvt":
        return "conversion" if floats else "move_other"
    if root in ("ld", "ldu", "st"):
        space = next((kind.partition(":")[0] for kind in kinds if kind.partition(":")[0] in _PTX_SPACES), None)
        return _PTX_SPACES.get(space, "memory_global")
    name = _PTX_CLASS_OF.get(root)
    return "float" if floats and name in ("integer_multiply", "integer_add") else name


# Pipes: which pipe runs an instruction, and how fast.
#
# Rates are instructions of threads per cycle and multiprocessor. Issue: four schedulers of 32 lanes. Arithmetic: CUDA
# C++ Best Practices Guide 13, "Throughput of Native Arithmetic Instructions" (CUDA C++ Programming Guide 12, "Arithmetic
# Instructions"): 64 for 32-bit integer shift, logic, add, compare and multiply-add; for float 64 on 7.5 and 8.0, and 128
# later; 16 for special functions. Pipes: Nsight Compute, "Pipelines". The ALU runs bit manipulation, logic and integer
# instructions except IMAD. FMA runs float and IMAD; from 8.6 on it has two halves, and only the heavy half runs IMAD. XU
# runs special functions and conversions, except I2FP, which the ALU runs.


ALU, FMA_HEAVY, FMA_LITE, XU = "ALU", "FMA heavy", "FMA lite", "XU"
ISSUE = "issue"


class Rates(NamedTuple):
    """Lanes per cycle and multiprocessor, and the turns of a multiplication with a 64-bit product."""

    issue: int
    pipes: dict
    wide_turns: int


# 9.0 is checked against the counters of an H200. There a 64-bit product takes two turns, which no document says. On
# other architectures it counts as one turn, so the floor stays a lower bound.
_ONE_FMA = Rates(128, {ALU: 64, FMA_HEAVY: 64, FMA_LITE: 0, XU: 16}, wide_turns=1)
_TWO_FMA = Rates(128, {ALU: 64, FMA_HEAVY: 64, FMA_LITE: 64, XU: 16}, wide_turns=1)
RATES = {
    "75": _ONE_FMA, "80": _ONE_FMA, "86": _TWO_FMA, "89": _TWO_FMA,
    "90": _TWO_FMA._replace(wide_turns=2), "100": _TWO_FMA, "120": _TWO_FMA,
}  # fmt: skip

_PIPES = {
    (ALU,): "LOP LOP3 SHF SHL SHR PRMT BMSK SGXT PLOP3 IADD IADD3 LEA ISCADD IABS I2FP F2FP ISETP FSETP FSET SEL FSEL"
    " IMNMX FMNMX VIMNMX MOV VOTE P2R R2P",
    (FMA_HEAVY,): "IMAD IMUL IDP XMAD",
    (FMA_HEAVY, FMA_LITE): "FADD FMUL FFMA HADD2 HMUL2 HFMA2 FADD2 FMUL2 FFMA2",
    (ALU, FMA_HEAVY): "VIADD",
    (XU,): "I2F F2I F2F FRND MUFU BREV POPC FLO",
}
_PIPES_OF = {root: pipes for pipes, roots in _PIPES.items() for root in roots.split()}
# Exceptions. 9.0: counted on an H200. 12.0: the guide gives 128 adds, comparisons and the like per cycle, but 64 shifts
# and logic operations, so a second pipe must run the former.
_PIPES_ON = {
    "90": {"VIADD": (FMA_HEAVY,)},
    "120": dict.fromkeys("IADD IADD3 IMNMX FMNMX VIMNMX ISETP FSETP FSET SEL FSEL MOV".split(), (ALU, FMA_HEAVY)),
}


def pipes_of(instruction, architecture):
    """The pipes that can run an instruction; none if only its issue slot counts."""
    return _PIPES_ON.get(architecture, {}).get(instruction.root) or _PIPES_OF.get(instruction.root, ())


def turns_of(instruction, architecture):
    """The number of turns that an instruction takes in its pipe."""
    wide = instruction.root in ("IMAD", "IMUL") and {"WIDE", "HI"} & set(instruction.modifiers)
    return RATES[architecture].wide_turns if wide else 1


# The mix


def mix(loop):
    """Instructions per sample, in all and by class, and the least time that they take, as a dictionary."""
    classes = Counter(class_of(instruction) or "move_other" for instruction in loop.instructions)
    return {
        "function": loop.function,
        "architecture": loop.architecture,
        "samples_per_trip": loop.samples,
        "instructions": len(loop.instructions) / loop.samples,
        "inner_loops": loop.inner / loop.samples,
        "classes": {name: classes[name] / loop.samples for name in CLASSES},
        "cycles": cycles(loop),
        "floor": floor(loop),
    }


def unknown_opcodes(loop):
    return {instruction.root for instruction in loop.instructions if class_of(instruction) is None}


def cycles(loop):
    """Cycles of a multiprocessor for which a sample keeps issue slots and each pipe busy; None without known rates."""
    if not _has_rates(loop):
        return None
    used = {pipes for pipes in _work(loop) if pipes} | {(pipe,) for pipe in RATES[loop.architecture].pipes}
    named = {_name(pipes, loop.architecture): _busy(loop, pipes) for pipes in used}
    return {ISSUE: _issue_cycles(loop)} | {name: named[name] for name in sorted(named) if named[name]}


def floor(loop):
    """The least cycles of a multiprocessor per sample, and the unit that is busy then; None without known rates.

    For any set of pipes, the instructions that only these pipes can run keep them busy for a certain time, whatever the
    schedulers do. The floor is the largest of these times.
    """
    if not _has_rates(loop):
        return None
    limit, least = ISSUE, _issue_cycles(loop)
    pipes = RATES[loop.architecture].pipes
    for size in range(1, len(pipes) + 1):
        for subset in itertools.combinations(pipes, size):
            busy = _busy(loop, subset)
            if busy > least:
                limit, least = _name(subset, loop.architecture), busy
    return {"limit": limit, "cycles": least}


def samples_per_ns(cycles_per_sample, multiprocessors, clock_mhz):
    """The rate of a device whose multiprocessors each take cycles_per_sample."""
    return multiprocessors * clock_mhz / 1000 / cycles_per_sample


def _has_rates(loop):
    return loop.architecture in RATES and not _is_ptx(loop.instructions[0])


def _issue_cycles(loop):
    return len(loop.instructions) / loop.samples / RATES[loop.architecture].issue


def _work(loop):
    """The turns of an iteration, by the set of pipes that can run them."""
    work = Counter()
    for instruction in loop.instructions:
        work[pipes_of(instruction, loop.architecture)] += turns_of(instruction, loop.architecture)
    return work


def _busy(loop, pipes):
    """Cycles for which a sample keeps `pipes` busy with instructions that only they can run."""
    lanes = sum(RATES[loop.architecture].pipes[pipe] for pipe in pipes)
    turns = sum(count for able, count in _work(loop).items() if able and set(able) <= set(pipes))
    return turns / loop.samples / lanes if lanes else 0.0


def _name(pipes, architecture):
    """The name of a set of pipes. Both halves of FMA together are FMA, and so is a single FMA pipe."""
    names = [pipe for pipe in pipes if pipe not in (FMA_HEAVY, FMA_LITE)]
    halves = [pipe for pipe in pipes if pipe in (FMA_HEAVY, FMA_LITE)]
    if len(halves) == 2 or halves and not RATES[architecture].pipes[FMA_LITE]:
        halves = ["FMA"]
    return " + ".join(names + halves)
