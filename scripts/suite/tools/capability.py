"""Compile every step, or the given ones (v8 v11 …), for each compute capability, and store what its main kernel needs there:
registers, spills, shared memory. Stored rows of the others stay, and name their commit.

ptxas tells them, and NVIDIA's occupancy calculator the resident warps. Threads of a block and dynamic shared memory are those of
the stored runs of an H200. It needs nvcc, no GPU, and no programs: DIR of --bin may be a folder that CMake has only configured.
After an interrupt the next run of the same commit goes on from there: steps that are done are in <bin>/results/.

With --check nothing is stored: every kernel file, ablations too, is compiled for each major architecture that the build is not for.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from suite import ladders, naming
from suite.command import DONE, FAILED, REPOSITORY, SET_ASIDE, Command, fail_usage, hold, parse_with_folders
from suite.documents import files, kinds, records, storing, stored
from suite.documents.records import MOST_WARPS
from suite.processes import ProgramError, execute, last_line
from suite.tools import chosen
from suite.tools.progress import Progress

ENDS = {FAILED: "nvcc refused a file with --check, or cannot be run, or a stored result is broken" + SET_ASIDE}
COMMAND = Command(
    "capability",
    __doc__,
    ENDS,
    unfinished="the steps that are done are in <bin>/results/, and the next run leaves them out",
)

# By compute capability, KiB of shared memory of a multiprocessor, and KiB that a block may have. The source is that of MOST_WARPS.
LIMITS = {
    "7.5": (64, 64),
    "8.0": (164, 163),
    "8.6": (100, 99),
    "8.9": (100, 99),
    "9.0": (228, 227),
    "10.0": (228, 227),
    "12.0": (100, 99),
}
MEASURED = "9.0"  # that of the stored runs
EXPECTED_SECONDS = 5  # of a step

LIBRARY = re.compile(r"/kernel_([a-z]+)_(\w+)\.dir/")  # of CMake, for a ladder and a version
OF_THE_BUILD = re.compile(r"--generate-code=|-Xptxas=-warn-spills")
NO_FLAGS = ("-forward-unknown-to-host-compiler", "--options-file", "-c", "-o", "-x", "cu")
MAIN_KERNEL = re.compile(r"\.kernel = reinterpret_cast<const void\*>\((\w+)")  # in the record of a step
ENTRY = re.compile(
    r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads\n[^\n]*Used (\d+) registers([^\n]*)",
    re.DOTALL,
)


class KernelFile(NamedTuple):
    """How the build compiles the file of a version."""

    suite: str
    version: str
    file: str
    folder: str  # in which nvcc runs
    command: list


class Usage(NamedTuple):
    """What a kernel needs on an architecture."""

    registers: int
    spill_stores: int
    spill_loads: int
    shared_bytes: int  # static


def main():
    """Compile, and store or check; returns the exit code."""
    parser = COMMAND.parser()
    parser.add_argument("--check", action="store_true", help="store nothing, say which files nvcc refuses")
    chosen.add_versions(parser, "compile", ladders.every_ladder())
    options = parse_with_folders(parser)
    every = [own for own in kernel_files(options.bin) if options.check or naming.is_step({"version": own.version})]
    suites, versions = options.suite or [own.suite for own in every], options.versions or [own.version for own in every]
    found = [own for own in every if own.suite in suites and own.version in versions]
    missing = ", ".join(sorted({*options.versions} - {own.version for own in found}))
    if missing or not found:
        fail_usage(f"{options.bin} holds no commands that compile {missing or 'steps'}: run cmake --preset release")
    return check(found) if options.check else store(found, context_of(every), options)


def kernel_files(folder):
    """The kernel files that a build folder compiles, by ladder and version. Ends the command if it does not say."""
    path, found = folder / "compile_commands.json", []
    try:
        entries = json.loads(files.read_text(path)) if path.exists() else []
    except ValueError:
        fail_usage(f"{path}: not JSON")
    for entry in entries:
        if (library := LIBRARY.search(entry["command"])) and entry["file"].endswith(".cu"):
            found.append(
                KernelFile(*library.groups(), entry["file"], entry["directory"], shlex.split(entry["command"]))
            )
    return sorted(found, key=lambda own: (ladders.ladder_named(own.suite).place, naming.order(own.version)))


# Compiling


def check(found):
    """Compile every file for the major architectures that the build is not for, and keep nothing; returns the exit code."""
    known = re.findall(r"compute_(\d+)", execute(found[0].command[0], "--list-gpu-arch").output)
    major = [number for number in known if number == "75" or number.endswith("0")]
    cases = [(own, number) for own in found for number in major if f"compute_{number}," not in " ".join(own.command)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = pool.map(lambda case: nvcc(*case), cases)
        failed = [(own.file, number, end.stderr) for (own, number), end in zip(cases, ends) if end.returncode != 0]
    for _, _, said in failed:
        print(said, file=sys.stderr, end="")
    print(
        f"{len(found)} files of steps, refused: {', '.join(f'{file} for {number}' for file, number, _ in failed) or 'none'}"
    )
    return FAILED if failed else DONE


def nvcc(own, number):
    """Compile a file for one architecture, and let ptxas tell what its kernels need; returns the process that has ended."""
    flags = [word for word in own.command[: own.command.index("-c")] if not OF_THE_BUILD.match(word)]
    target = [f"--generate-code=arch=compute_{number},code=[sm_{number}]", "-Xptxas=-v", "-cubin", "-o", os.devnull]
    command = [*flags, *target, own.file]
    return subprocess.run(command, cwd=own.folder, stdin=subprocess.DEVNULL, capture_output=True, errors="replace")


def usages(text):
    """What ptxas -v said of each kernel, by its name in the machine code."""
    shared = lambda rest: int((re.search(r"(\d+) bytes smem", rest) or [0, 0])[1])
    return {
        name: Usage(int(registers), int(stores), int(loads), shared(rest))
        for name, stores, loads, registers, rest in ENTRY.findall(text)
    }


# Rows


def rows_of(own, runs, calculator):
    """A row for each of the runs of a step: its kernel, and what that needs on each compute capability."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(LIMITS, pool.map(lambda capability: attempt(own, capability), LIMITS)))
    name = MAIN_KERNEL.search(files.read_text(own.file))
    return [row_of(own, name and name[1], run, found, calculator) for run in runs]


def attempt(own, capability):
    """What the kernels of a file need on a compute capability, or a text: why it is not compiled."""
    end = nvcc(own, capability.replace(".", ""))
    if end.returncode == 0:
        return usages(end.stderr)
    first = next((line for line in end.stderr.splitlines() if "error" in line), last_line(end.stderr))
    return first.replace(f"{REPOSITORY}{os.sep}", "")


def row_of(own, name, run, found, calculator):
    """The row of a run: that of its kernel of this name; without a name the kernels are a library's, or several."""
    entry = main_entry(name, run, found[MEASURED])
    usage = {
        capability: kernels if isinstance(kernels, str) else kernels.get(entry) for capability, kernels in found.items()
    }
    there = usage[MEASURED] if isinstance(usage[MEASURED], Usage) else None
    dynamic = run["shared_bytes"] - there.shared_bytes if there and run.get("shared_bytes") is not None else None
    cells = [cell(capability, own, run.get("threads"), dynamic, calculator) for capability, own in usage.items()]
    return {
        "suite": own.suite,
        "version": run["version"],
        "kernel": name,
        "threads": run.get("threads"),
        "capabilities": cells,
    }


def main_entry(name, run, kernels):
    """The machine code's name of a kernel; of several from one template, the one with the run's registers, or with most."""
    if name is None or isinstance(kernels, str):
        return None
    own = [entry for entry in kernels if re.search(f"{len(name)}{name}[EI]", entry)]
    if not own:
        raise ProgramError(f"{run['version']} has no kernel {name}")
    return max(own, key=lambda entry: (kernels[entry].registers == run.get("registers"), kernels[entry].registers))


def cell(capability, usage, threads, dynamic, calculator):
    """What a kernel needs on a compute capability, or why that is not known."""
    if isinstance(usage, str):
        return {"capability": capability, "error": usage}
    if usage is None:
        return {"capability": capability}
    is_known = threads is not None and dynamic is not None
    needs = usage._asdict() | {"shared_bytes": usage.shared_bytes + dynamic if is_known else None}
    return {
        "capability": capability,
        **needs,
        "warps": resident_warps(calculator, capability, usage, threads, dynamic) if is_known else None,
    }


def resident_warps(calculator, capability, usage, threads, dynamic):
    """The most warps of a kernel on a multiprocessor: 0 if it cannot run there."""
    of_all, of_block = LIMITS[capability]
    if usage.shared_bytes + dynamic > of_block << 10:
        return 0
    has = [*capability.split("."), MOST_WARPS[capability], of_all << 10, of_block << 10]
    needs = [usage.registers, usage.shared_bytes, threads, dynamic]
    end = execute(str(calculator), *map(str, has + needs))
    if end.code != 0:
        raise ProgramError(f"cuda_occupancy.h does not know compute capability {capability}")
    return int(end.output) * -(-threads // 32)


def runs_of(device, ladder, step):
    """The run of a step, and of its runs with options the one that needs most shared memory, if that is more."""
    own = [run for run in records.succeeded(device.runs) if ladder.base(run["version"]) == step]
    first = next((run for run in own if run["version"] == step), {"version": step})
    most = max(own, key=lambda run: run["shared_bytes"] or 0, default=first)
    needs_more = (most.get("shared_bytes") or 0) > (first.get("shared_bytes") or 0)
    return [first, most] if needs_more else [first]


# Storing


def store(steps, context, options):
    """Compile steps, keep what was found after each one, and replace the stored document, or join it if only some steps were
    chosen; returns the exit code."""
    aside = options.bin / "results"
    hold(options.out)
    base = options.out / stored.BASE
    devices = {name: stored.load_device(base, ladders.ladder_named(name)) for name in {own.suite for own in steps}}
    rows = storing.rows_of_build(kinds.CAPABILITY, aside, context)  # of an interrupted run
    done = {(row["suite"], row["version"]) for row in rows}
    left = [own for own in steps if (own.suite, own.version) not in done]
    progress = Progress(len(left), EXPECTED_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        calculator = built_calculator(steps[0], Path(folder))
        for own in left:
            with progress.running(f"{own.suite} {own.version}"):
                runs = runs_of(devices[own.suite], ladders.ladder_named(own.suite), own.version)
                rows += rows_of(own, runs, calculator)
                storing.put(aside, document_of(context, rows), kinds.CAPABILITY)
            progress.end(f"compiled for {len(LIMITS)} architectures")
    document, replaces = document_of(context, rows), not (options.versions or options.suite)
    print(f"wrote {storing.store(document, kinds.CAPABILITY, options.out, aside, replaces=replaces)}", flush=True)
    kinds.CAPABILITY.path_in(aside).unlink()
    return DONE


def document_of(context, rows):
    limits = [{"capability": name, "warps": MOST_WARPS[name], "shared_per_multiprocessor": of_all << 10, "shared_per_block": of_block << 10}
              for name, (of_all, of_block) in LIMITS.items()]  # fmt: skip
    return kinds.CAPABILITY.made(context, rows, limits=limits)


def built_calculator(own, folder):
    """The program of occupancy.cpp. Raises ProgramError if nvcc cannot build it."""
    program = folder / "occupancy"
    end = execute(own.command[0], "-o", str(program), str(Path(__file__).with_name("occupancy.cpp")))
    if end.code != 0:
        raise ProgramError(f"occupancy.cpp: {last_line(end.errors)}")
    return program


def context_of(steps):
    """What the rows depend on: the commit, by the rule of the programs, the compiler, and the flags that all steps have."""
    with tempfile.TemporaryDirectory() as folder:
        header = Path(folder, "commit.hpp")
        execute(
            "cmake", f"-DSOURCE={REPOSITORY}", f"-DOUTPUT={header}", "-P", str(REPOSITORY / "bench" / "commit.cmake")
        )
        commit, dirty = re.search(r'COMMIT "(\w+)"\n.*COMMIT_DIRTY (\w+)', files.read_text(header)).groups()
    version = re.search(r"V([\d.]+)", execute(steps[0].command[0], "--version").output)
    shared = [word for word in steps[0].command[1:] if all(word in own.command for own in steps)]
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": None if commit == "unknown" else commit,
        "dirty": dirty == "true",
        "compiler": f"nvcc {version[1]}",
        "flags": " ".join(word for word in shared if not OF_THE_BUILD.match(word) and word not in NO_FLAGS),
    }
