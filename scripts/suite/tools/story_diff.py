"""Print what a step changes in the step that it builds on: the lines of its idea.

Header comments, records and namespaces are left out. Where the idea stands in an include, a line names it: where
what the new lines use is defined, if the older step does not use it.
"""

import difflib
import re

from suite import ladders
from suite.command import FAILED, REPOSITORY, USAGE, Command, Stop, fail_usage

ENDS = {FAILED: "the step builds on none, or a file is missing", USAGE: "bad usage, or no such step"}
COMMAND = Command("story_diff", __doc__, ENDS, unfinished="")

CONTEXT = 2  # lines around a change
INCLUDE = re.compile(r'^#include "(kernels/[^"]+)"', re.MULTILINE)
AFTER = re.compile(r'\.after = "(\w+)"')
HEADER = re.compile(r"\A(?://.*\n)+")
RECORD = re.compile(r"^(?:template <[^\n]*>\n)?(?:extern )?(?:const )?bench::Step \w+.*", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\b[A-Za-z_]\w{2,}\b")


def main():
    """Print the difference; returns the exit code."""
    parser = COMMAND.parser()
    parser.add_argument("step", metavar="STEP", help="a program, such as pi_v8 or options_a5")
    program = parser.parse_args().step
    source = source_of(program)
    if source is None:
        fail_usage(f"{program}: no such step; name a program, such as pi_v8")
    base = AFTER.search(source.read_text())
    if base is None:
        raise Stop(FAILED, f"{program} builds on no step")
    older = source_of(f"{program.partition('_')[0]}_{base[1]}")
    if older is None:
        raise Stop(FAILED, f"no file of {base[1]}, which {program} builds on")
    show(older, source)
    return 0


def source_of(program):
    """The file of a step or ablation, by the name of its program; None if there is none."""
    prefix, _, version = program.partition("_")
    match = re.fullmatch(r"([a-z])(\d+)(t?)(_\w+)?", version)
    if not match or prefix not in {ladder.prefix for ladder in ladders.every_ladder()}:
        return None
    letter, number, tensor, ablation = match.groups()
    name = f"{letter}{int(number):02}{tensor}{ablation or '_*'}.c*"  # .cu, and .cpp for a step on the host
    files = [file for file in sorted((REPOSITORY / "kernels" / prefix).rglob(name)) if (file.parent.name == "ablations") == bool(ablation)]
    return files[0] if files else None


def show(older, newer):
    """Print the changed lines, and the includes in which what is new is defined."""
    before, after = essence(older), essence(newer)
    names = [str(file.relative_to(REPOSITORY)) for file in (older, newer)]
    changes = [line.rstrip() for line in difflib.unified_diff(before, after, *names, n=CONTEXT, lineterm="")]
    print("\n".join(changes or [f"{names[1]} has the lines of {names[0]}."]))
    added = " ".join(line[1:] for line in changes if line.startswith("+") and not line.startswith("+++"))
    for include, new in defining(newer, set(NAME.findall(added)) - set(NAME.findall(" ".join(before)))).items():
        print(f"In {include}: {', '.join(new)}")


def essence(file):
    """The lines between header and record, without blank ones at their ends, and with no name of a namespace of steps."""
    text = RECORD.sub("", HEADER.sub("", file.read_text()))
    text = re.sub(r"^(namespace \w+)::\w+ \{", r"\1::step {", text, flags=re.MULTILINE)
    return text.strip().splitlines()


def defining(file, names):
    """The includes of a file, of whatever depth, that define some of these names, and which."""
    found, left = {}, set(names)
    for include in includes_of(file):
        text = (REPOSITORY / include).read_text()
        own = sorted(name for name in left if defines(text, name))
        if own:
            found[include] = own
            left -= set(own)
    return found


def defines(text, name):
    """Whether a text defines a type, a constant or a function of this name: not merely uses it."""
    kinds = rf"(?:struct|class|using|enum class|constexpr [\w:<>]+|__device__[^;(]*|inline[^;(]*)\s+{name}\b"
    return re.search(kinds, text) is not None


def includes_of(file):
    """The files of kernels/ that a file includes, nearest first."""
    found, next_ones = {}, INCLUDE.findall(file.read_text())
    while next_ones:
        new = [include for include in dict.fromkeys(next_ones) if include not in found and (REPOSITORY / include).is_file()]
        found |= dict.fromkeys(new)
        next_ones = [deeper for include in new for deeper in INCLUDE.findall((REPOSITORY / include).read_text())]
    return found
