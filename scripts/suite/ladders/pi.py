"""The ladder pi: what its versions are called, and in which order they stand."""

import re

SUITE = "pi"
UNIT = "sample"  # of work, that rates count
_STEP = re.compile(r"v([1-9]\d*)(t?)")
_VERSION = re.compile(r"cpu_\w+|v[1-9]\d*t?(_\w+)?")


def is_version(name):
    """Whether this is what a version may be called."""
    return isinstance(name, str) and _VERSION.fullmatch(name) is not None


def is_step(run):
    """Whether a run is a step of the ladder: v7, but not cpu_serial, and not the ablation v7_volatile."""
    return place(run["version"]) is not None


def place(version):
    """Where a step stands in the ladder, v16t between v16 and v17; None for what is no step."""
    match = _STEP.fullmatch(version)
    return (int(match[1]), match[2]) if match else None


def order(version):
    """Where a version stands among all: CPU rows first, then steps by number, each before its ablations."""
    step, _, ablation = version.partition("_")
    return place(step) or (0, ""), ablation if place(step) else ""


def is_cpu(run):
    return run["version"].startswith("cpu_")


def is_ablation(run):
    return not is_step(run) and not is_cpu(run)
