"""The compiler and the disassemblers: finding them, and compiling a kernel as the build does."""

import functools
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from suite.analyse import listings
from suite.command import REPOSITORY
from suite.ladders import naming
from suite.processes import ProgramError

DEFAULT_ARCHITECTURE = "90"  # if neither the user nor the build names one


class Build(NamedTuple):
    """The build's flags for a kernel, without architectures, and its architectures."""

    flags: list
    architectures: list


class Tools(NamedTuple):
    """The paths of the tools, or None."""

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
            return f"SASS of kernels compiled again, {version_of(self.nvdisasm)}"
        return "PTX: the compiler's output, not the code that runs"


def find_tools(folder, ptx):
    """The compiler of the build in `folder`, and the disassemblers on the PATH or in its folder; with ptx the compiler only."""
    nvcc = shutil.which(cached(folder, "CMAKE_CUDA_COMPILER") or "")
    if ptx:
        return Tools(None, None, nvcc)
    if nvcc:
        # cuobjdump looks for nvdisasm on the PATH.
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), os.path.dirname(nvcc)])
    nvdisasm = shutil.which("nvdisasm")
    return Tools(shutil.which("cuobjdump") if nvdisasm else None, nvdisasm, nvcc)


@functools.cache


def version_of(tool):
    """'cuobjdump 13.0.85'."""
    try:
        match = re.search(r"V(\d[\d.]*)", run(tool, "--version"))
    except ProgramError:
        match = None
    return f"{Path(tool).name} {match[1]}" if match else Path(tool).name


def read_build(folder, version):
    """How the build in `folder` compiles a version, from its makefiles."""
    makefile = folder / "kernels" / "pi" / "CMakeFiles" / f"kernel_pi_{version}.dir" / "flags.make"
    try:
        match = re.search(r"^CUDA_FLAGS = (.*)$", makefile.read_text(), re.MULTILINE)
    except OSError:
        match = None
    if not match:
        raise ProgramError(f"{folder} was not built with Unix Makefiles: the compiler flags are unknown")
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


def compiled(version, architecture, build, tools):
    """The functions of a version's kernel, compiled for an architecture with the flags of a build folder."""
    if not tools.nvcc:
        raise ProgramError(f"not built for sm_{architecture}, and no nvcc to compile it")
    flags = read_build(build, version).flags
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "kernel"
        to_output = (*flags, f"-I{REPOSITORY}", "-o", output, source_of(version))
        if tools.level == "ptx":
            run(tools.nvcc, "-ptx", f"-arch=compute_{architecture}", *to_output)
            return listings.parse_ptx(output.read_text(errors="replace"))
        run(tools.nvcc, "-cubin", f"-arch=sm_{architecture}", *to_output)
        return listings.parse_sass(run(tools.nvdisasm, "-c", output))


def source_of(version):
    """The kernel file of a version: kernels/pi/v08_*.cu for v8."""
    number, variant = naming.place(version)
    pattern = f"v{number:02}{variant}_*.cu"
    found = list((REPOSITORY / "kernels" / "pi").glob(pattern))
    if len(found) != 1:
        raise ProgramError(f"kernels/pi holds {len(found)} files {pattern}")
    return found[0]


def run(*command):
    """The stdout of a command. Raises ProgramError with one line if it fails."""
    arguments = [str(part) for part in command]
    try:
        process = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise ProgramError(f"{arguments[0]}: {error.strerror}") from None
    if process.returncode != 0:
        raise ProgramError(f"{Path(arguments[0]).name} failed: {reason(process)}")
    return process.stdout


def reason(process):
    """The line of stderr with the reason for a failure."""
    lines = [line.strip() for line in process.stderr.splitlines() if line.strip()]
    telling = [line for line in lines if re.search("fatal|error", line, re.IGNORECASE)]
    return (telling or lines or [f"exit code {process.returncode}"])[0]
