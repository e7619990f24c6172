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


def is_cpu(run):
    return run["version"].startswith("cpu_")


def is_ablation(run):
    return not is_step(run) and not is_cpu(run)
