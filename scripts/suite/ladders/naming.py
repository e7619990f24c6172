"""What versions are called: steps v1, v2 … or a0, a1 …, their ablations v7_volatile, and CPU rows cpu_serial."""

import re

_STEP = re.compile(r"[a-z](0|[1-9]\d*)(t?)")
_VERSION = re.compile(r"cpu_\w+|[a-z](0|[1-9]\d*)t?(_\w+)?")


def is_version(name):
    """Whether a version may have this name."""
    return isinstance(name, str) and _VERSION.fullmatch(name) is not None


def is_step(run):
    """Whether a run is a step of its ladder: v7, but not cpu_serial, and not the ablation v7_volatile."""
    return place(run["version"]) is not None


def place(version):
    """The place of a step in its ladder, v16t between v16 and v17. None for other versions."""
    match = _STEP.fullmatch(version)
    return (int(match[1]), match[2]) if match else None


def order(version):
    """The place of a version among all: CPU rows first, then steps by number, each before its ablations."""
    step, _, ablation = version.partition("_")
    return place(step) or (-1, ""), ablation if place(step) else ""


def program(ladder, version):
    """The name of the program that runs a version: pi_v8; options_n3 for n3_store, which is its option --store."""
    return f"{ladder.PREFIX}_{base(ladder, version)}"


def base(ladder, version):
    """The version that is the same program without options: n3 of n3_store."""
    return ladder.WITH_OPTIONS.get(version, (version,))[0]


def options(ladder, version):
    """The options with which its program runs a version: none for most."""
    return ladder.WITH_OPTIONS.get(version, (version,))[1:]


def is_own(ladder, version):
    """Whether a ladder may have a step or ablation of this name. Ladders may share a prefix, but not a letter then."""
    return is_version(version) and version.startswith(ladder.LETTER)


def is_second(ladder, version):
    """Whether a version is a step with the option whose rate stands beside the step's: n3_store."""
    return ladder.SECOND_RATE is not None and version == second(ladder, version.partition("_")[0])


def second(ladder, step):
    """The version whose rate stands beside that of a step, if the ladder has such."""
    return f"{step}_{ladder.SECOND_RATE[0]}"


def is_beside(ladder, version):
    """Whether a version is no ablation, but a program with options whose rate stands beside that of the program: n3_store, v8_sp1."""
    return is_second(ladder, version) or hasattr(ladder, "SYSTEMS") and version in ladder.WITH_OPTIONS


def is_faulty(ladder, version):
    """Whether the verdict on a version must fail."""
    return base(ladder, version) in ladder.FAULTY


def is_cpu(run):
    return run["version"].startswith("cpu_")


def is_ablation(run):
    return not is_step(run) and not is_cpu(run)
