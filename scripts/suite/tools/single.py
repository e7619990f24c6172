"""Write a step as one file, build/single/pi_v11.cu. nvcc compiles it without this
repository, by the command in its first line.

Its program prints the estimate and the samples per nanosecond, and ends with 1
if the estimate is more than 5 standard deviations from what is expected. Its
launches are those of the step's own program: with the same seed, which it takes
as its argument, both count the same hits. v15 and the steps from v18 on have
more than 400 lines: their networks and tables alone have 200 and more.

example: scripts/single v11
"""

import itertools
import os
import re
from pathlib import Path

from suite import ladders
from suite.command import FAILED, REPOSITORY, USAGE, Command, Stop, write_file
from suite.documents import step_files
from suite.ladder import HITS
from suite.tools import chosen, fold

COMMAND = Command(
    "single", __doc__, {FAILED: "the probability of a hit was not found", USAGE: "bad usage, or no such step"}
)
COMPILE = "nvcc -O3 --use_fast_math -arch=native {}"
PROGRAM = "kernels/single/program.cuh"
STANDS_FOR = "bench/step.hpp"
EXPECTATIONS, SOURCES = "kernels/pi/shared/expectations.hpp", "kernels/pi/shared/sources.cu"
# What only records need, and what only replays need in place of curand_kernel.h.
LEFT_OUT = ("bench/estimands/hits/source.hpp", "kernels/pi/shared/sources.hpp", "kernels/random/curand.cuh")
MOST_LINES = 400  # of a file in which the headers keep their comments
# Headers of CUDA and of the C++ library, and what is used of them.
HEADERS = {
    "cooperative_groups.h": "cooperative_groups", "cuda_fp16.h": "__half2", "curand_kernel.h": "curand_init", "climits": "UINT_MAX",
    "cmath": "fabs", "cstddef": "size_t", "cstdint": "uint64_t", "cstdio": "printf", "cstdlib": "exit", "limits": "numeric_limits",
    "type_traits": "conditional_t", "vector": "vector",
}  # fmt: skip


def main():
    """Write the file; returns the exit code."""
    parser = COMMAND.parser()
    parser.add_argument("step", metavar="STEP", help="a step, such as v11 or pi_v11")
    parser.add_argument(
        "--out", type=Path, default=REPOSITORY / "build" / "single", metavar="DIR", help="default: build/single"
    )
    options = parser.parse_args()
    ladder, version = step_named(options.step)
    path = options.out / f"{ladder.program(version)}.cu"
    lines = lines_of(ladder, version, path.name)
    write_file(path, "\n".join([*lines, ""]))
    command = f"cd {os.path.relpath(options.out)} && {lines[0].removeprefix('// ')} && ./a.out"
    print(f"{os.path.relpath(path)}: {len(lines)} lines; to compile and run it: {command}")
    return 0


def step_named(name):
    """The ladder and the version of a step, of which the ladder's prefix may be left out."""
    every = {
        (version, ladder.program(version)): (ladder, version)
        for ladder in ladders.every_ladder()
        if ladder.outcome == HITS and not ladder.phases
        for version in step_files.kernels_of(REPOSITORY, ladder)
    }
    return chosen.one_named(name, every, "step")


def lines_of(ladder, version, name):
    """The lines of the file of this name."""
    path = step_files.path_of(REPOSITORY, ladder.program(version))
    source, (stand_ins, main_function) = step_files.MARK.sub("", path.read_text()), stand_ins_and_main()
    record = next(own for own in stand_ins if own.names == {"Step"})
    known = fold.Declaration(known_of(source, f"{ladder.suite}::{version}"), "")
    rest = [*of_step(source, fields=record.words), known, *main_function]
    headers = fold.needed(rest, headers_of(str(path.relative_to(REPOSITORY)), stand_ins))
    about = itertools.takewhile(lambda line: line.startswith("//"), source.splitlines())
    first = [f"// {COMPILE.format(name)}", *about]
    lines = first + with_includes([*headers, *rest])
    if len(lines) > MOST_LINES:
        lines = first + with_includes([*map(fold.without_comments, headers), *rest])
    return lines


def with_includes(found):
    """The lines of declarations, after those that include what they use of CUDA and of C++'s library."""
    code = fold.joined(found)
    included = [f"#include <{file}>" for file, used in HEADERS.items() if re.search(rf"\b{used}", code)]
    return [*included, "", *code.splitlines()]


def declarations_in(path):
    return fold.declarations(step_files.MARK.sub("", (REPOSITORY / path).read_text()))


def stand_ins_and_main():
    """What stands for parts of bench/, and what follows the step."""
    found = declarations_in(PROGRAM)
    return [own for own in found if own.namespace], [own for own in found if not own.namespace]


def headers_of(step, stand_ins):
    """The declarations of what a step's file includes, and of the expectations, with the stand-ins."""
    found, known, replaced = [], set(), set().union(*(own.names for own in stand_ins))
    for root in (step, EXPECTATIONS):
        for path in fold.files_of(REPOSITORY, root, LEFT_OUT, known):
            if path == STANDS_FOR:
                found += [own for own in declarations_in(path) if not own.names & replaced] + stand_ins
            elif path != step:
                found += declarations_in(path)
    return found


def of_step(text, fields):
    """The declarations of a step's file. Its record keeps these fields."""
    *others, record = fold.declarations(text.replace("extern const bench::Step step;\n", ""))
    first, *rest = re.split(r"^(?=    \.)", record.text.removesuffix("};"), flags=re.MULTILINE)
    kept = [field for field in rest if re.match(r" *\.(\w+)", field)[1] in fields]
    return [*others, record._replace(text="".join([first, *kept, "};"]))]


def known_of(text, namespace):
    """What the main knows of the step: its record, the probability of a hit, and the variance of hits over the binomial one."""
    source, ratio = re.search(r"sources::(\w+)", text)[1], re.search(r"\.variance_ratio = (\w+)", text)
    return f"""
using {namespace}::step;
constexpr bench::Expectation expected = pi::{expectation_of(source)};
const double variance_ratio = {f"pi::{ratio[1]}(step.default_iters)" if ratio else "1"};"""


def expectation_of(source):
    """The name of the probability of a hit: what the definition of the source names, or nearest to it what that calls."""
    known = set().union(*(own.names for own in declarations_in(EXPECTATIONS) if "Expectation" in own.words))
    defined, words, seen = declarations_in(SOURCES), {source}, set()
    while words and not words & known:
        seen |= words
        words = {word for own in defined if own.names & words for word in own.words} - seen
    if len(words & known) != 1:
        raise Stop(FAILED, f"{source}: {SOURCES} names no expectation of it")
    return min(words & known)
