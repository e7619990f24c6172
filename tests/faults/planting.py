"""Builds programs with a fault in one file, beside a build of the programs without it, which is left as it is.

The file with the fault lies in a folder of its own, which is searched for includes before the sources. Every object of a
program that depends on the file is compiled anew, or those of one library alone, and the program is linked with these objects in
place of its own. The commands are those of the build (Unix Makefiles).
"""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

from suite.command import REPOSITORY
from suite.processes import CANNOT_RUN, Outcome, ProgramError, shell_code

TIMED_OUT = 124  # as of the command timeout


class Build:
    """A folder in which CMake has built the programs."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self._compilations = {}  # the folder and the words of the command that makes an object
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            made = normal(Path(entry["directory"]) / words[words.index("-o") + 1])
            self._compilations[made] = entry["directory"], words
        self._links = {
            path.parent.name.removesuffix(".dir"): path for path in self.folder.rglob("CMakeFiles/*.dir/link.txt")
        }

    def program(self, name):
        """The path of a program without a fault."""
        folder, words = self._link(name)
        return normal(folder / words[words.index("-o") + 1])

    def _link(self, name):
        """The folder in which a program is linked, and the words of the command."""
        if name not in self._links:
            raise ProgramError(f"{self.folder} builds no {name}")
        path = self._links[name]
        return path.parents[2], shlex.split(path.read_text())

    def plant(self, fault, folder):
        """Build the fault's programs with the fault into a folder; returns their paths by name.

        Raises ProgramError if one cannot be built, or does not depend on the file, and ValueError if the old text is not
        found exactly once.
        """
        source = REPOSITORY / fault.file
        copy = folder / "source" / fault.file
        copy.parent.mkdir(parents=True)
        copy.write_text(fault.planted(source.read_text()))
        return {name: self._planted_program(name, source, copy, folder, fault.library) for name in fault.programs}

    def _planted_program(self, name, source, copy, folder, library):
        at, words = self._link(name)
        place = f"/{library}.dir/" if library else "/"
        objects = [path for path in self._objects(at, words) if place in str(path) and self._depends(path, source)]
        words[words.index("-o") + 1] = str(folder / name)
        anew = {path: self._compiled(path, source, copy, folder) for path in objects}
        if not anew:
            raise ProgramError(f"{name} does not depend on {source}")
        replaced = [str(anew.pop(normal(at / word), word)) for word in words]
        # The rest belongs to libraries. A library gives no object whose symbols another has defined before.
        place = next(i for i, word in enumerate(replaced) if word.endswith(".o"))
        build_with(replaced[:place] + list(map(str, anew.values())) + replaced[place:], at)
        return folder / name

    def _objects(self, at, words):
        """The objects of a program, and of its libraries in this build."""
        for word in words:
            path = normal(at / word)
            if word.endswith(".o"):
                yield path
            elif word.endswith(".a") and self.folder in path.parents:
                folder, parts = self._link(path.stem.removeprefix("lib"))
                made = (normal(folder / part) for part in parts if part.endswith(".o"))
                yield from (path for path in made if path in self._compilations)

    def _depends(self, made, source):
        """Whether an object depends on a source."""
        at, _ = self._compilations[made]
        named = re.findall(rf"\S+/{re.escape(source.name)}(?!\S)", Path(f"{made}.d").read_text())
        return any(os.path.realpath(os.path.join(at, name)) == str(source) for name in named)

    def _compiled(self, made, source, copy, folder):
        """Compile an object anew, with the file that has the fault; returns its path."""
        at, words = self._compilations[made]
        target = folder / made.relative_to(self.folder)
        if not target.exists():  # else another program has it, too
            target.parent.mkdir(parents=True, exist_ok=True)
            words = [str(copy) if os.path.realpath(word) == str(source) else word for word in words]
            words[words.index("-o") + 1] = str(target)
            quick = ["-O0"] if made.suffixes[-2] == ".cpp" else []  # tests take longer to compile than to run
            build_with(
                [words[0], f"-I{folder / 'source'}", *words[1:], *quick, "-w"], at
            )  # a fault may leave something unused
        return target


def normal(path):
    """A path without '..'."""
    return Path(os.path.normpath(path))


def execute(command, folder=None, seconds=None):
    """Run a command to its end, or for so long; returns its Outcome. Unlike that of suite.processes, for threads."""
    pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    try:
        done = subprocess.run(list(map(str, command)), cwd=folder, timeout=seconds, **pipes)
        return Outcome(shell_code(done.returncode), done.stdout, done.stderr)
    except subprocess.TimeoutExpired:
        return Outcome(TIMED_OUT, "", f"{Path(command[0]).name}: stopped after {seconds} s")
    except OSError as error:
        return Outcome(CANNOT_RUN, "", f"{command[0]}: {error.strerror}")


def build_with(command, folder):
    """Run a command of the build in a folder. Raises ProgramError with its first error."""
    outcome = execute(command, folder)
    if outcome.code:
        lines = (outcome.errors + outcome.output).splitlines()
        raise ProgramError(next((line for line in lines if "error" in line), f"{command[0]} failed"))
