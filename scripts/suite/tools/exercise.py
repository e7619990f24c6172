"""Write a step's file with its idea left out, into <bin>/exercise/<program>/: what
to do, why, a hint, and the rate to beat.

With --check it is compiled in place of the step's own file. Rehearsal and
verdict judge the step's program with it, and its rate is compared with that of
the step on the same GPU. make clean keeps what you wrote.

example: scripts/exercise v8, then scripts/exercise --check v8
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

from suite import ladders, naming, numerals
from suite.command import FAILED, REPOSITORY, USAGE, Command, Stop, claim_gpu, fail_usage, write_file
from suite.documents import records, step_files, stored
from suite.processes import NO_GPU, execute
from suite.tools import chosen
from suite.tools.programs import Bench

ENDS = {
    FAILED: "with --check: your file does not compile, or counts other hits",
    USAGE: "bad usage, no such exercise, or its file is there already",
    NO_GPU: "with --check: your file compiles, and there is no usable GPU",
}
COMMAND = Command("exercise", __doc__, ENDS, unfinished="")
MARKED = re.compile(r"^( *)// exercise (\w+): ([^\n]*)\n.*?^ *// end of exercise \2\n", re.MULTILINE | re.DOTALL)
# The header of a step's file, and the first line of a generated one.
HEADER = re.compile(r"\A// (?:Step .*\n(?://.*\n)*|Generated .*\n)")


class Exercise(NamedTuple):
    """A step, and the file with its idea, which is marked."""

    ladder: object
    version: str
    file: str
    marked: re.Match

    @property
    def program(self):
        return self.ladder.program(self.version)


def main():
    """Write the file, or check it; returns the exit code."""
    parser = COMMAND.parser()
    parser.add_argument("step", metavar="STEP", help="a step, such as v8 or pi_v8")
    parser.add_argument("--check", action="store_true", help="build and judge what you wrote")
    parser.add_argument("--bin", type=Path, default=REPOSITORY / "build", metavar="DIR", help="default: build")
    options = parser.parse_args()
    exercise, folder = exercise_named(options.step), options.bin.absolute()
    own = folder / "exercise" / exercise.program
    return check(exercise, folder, own) if options.check else write(exercise, own / exercise.file)


def exercise_named(name):
    """The exercise of a step, of whose program the prefix may be left out."""
    every = sorted(exercises(), key=lambda own: naming.order(own.version))
    return chosen.one_named(name, {(own.version, own.program): own for own in every}, "exercise")


def exercises():
    """What is marked in kernels/."""
    for path in sorted((REPOSITORY / "kernels").rglob("*.cu*")):
        for marked in MARKED.finditer(path.read_text()):
            file = path.relative_to(REPOSITORY)
            ladder = next(own for own in ladders.every_ladder() if own.prefix == file.parts[1] and own.has(marked[2]))
            yield Exercise(ladder, marked[2], str(file), marked)


# Writing


def write(exercise, path):
    if path.exists():
        fail_usage(f"{os.path.relpath(path)} is there already; delete it to begin anew")
    write_file(path, text_of(exercise))
    print(f"{os.path.relpath(path)}: fill it in, then make check STEP={exercise.version}")
    return 0


def text_of(exercise):
    """The text of the file: what the header says of the step's idea, the rate to beat, and the code without what is marked."""
    header = step_files.path_of(REPOSITORY, exercise.program).read_text().partition("\n// Cost:")[0]
    marked, text = exercise.marked, exercise.marked.string
    code = f"{text[: marked.start()]}{marked[1]}// Hint: {marked[3]}\n{marked[1]}// Your code.\n{text[marked.end() :]}"
    task = f'// Exercise: write what "Your code" below stands for, then make check STEP={exercise.version}'
    return "\n".join([task, header, f"// Beat:   {rate_to_beat(exercise)}", HEADER.sub("", code)])


def rate_to_beat(exercise):
    """The stored rate of the step, in words."""
    device = stored.load_device(REPOSITORY / "results" / stored.BASE, exercise.ladder)
    run = next((run for run in records.succeeded(device.result["runs"]) if run["version"] == exercise.version), None)
    return f"{numerals.median_text(run['per_ns'])} {exercise.ladder.unit}s/ns on an {device.name}" if run else "nothing"


# Checking


def check(exercise, folder, own):
    """Build the step's program with the file and without it, and compare what they do."""
    if not own.is_dir():
        fail_usage(f"make exercise STEP={exercise.version} comes first")
    targets = ("--target", f"exercise_{exercise.program}", exercise.program)
    for command in (["cmake", folder], ["cmake", "--build", folder, "--parallel", os.cpu_count(), *targets]):
        if execute(*map(str, command), errors=None).code != 0:
            raise Stop(FAILED, f"{exercise.program} does not compile with your file")
    if reason := claim_gpu(own / exercise.program):
        raise Stop(NO_GPU, f"your file compiles; to judge it a GPU is needed: {reason}")
    yours, its = (Bench().run(path / exercise.program)["per_ns"] for path in (own, folder))
    rates = f"Yours {numerals.median_text(yours)}, {exercise.version} {numerals.median_text(its)} {exercise.ladder.unit}s/ns"
    share = f"{100 * yours['median'] / its['median']:.0f} %"
    print(f"Right: rehearsal and verdict found no fault. {rates} on this GPU: {share}")
    return 0
