"""Print the lines of a step's file that decide in the diff with the step that it builds on, ten at most.

Header comments and the lines that all steps have are left out. Where the idea stands in an include, a line names it: where
what the new lines use is defined, if the older step does not use it.
"""

from suite.analyse import decisive
from suite.command import FAILED, REPOSITORY, USAGE, Command, Stop, fail_usage
from suite.documents import step_files

ENDS = {FAILED: "the step builds on none, or a file is missing", USAGE: "bad usage, or no such step"}
COMMAND = Command("story_diff", __doc__, ENDS, unfinished="")


def main():
    """Print the lines; returns the exit code."""
    parser = COMMAND.parser()
    parser.add_argument("step", metavar="STEP", help="a program, such as pi_v8 or options_a5")
    program = parser.parse_args().step
    newer = step_files.path_of(REPOSITORY, program)
    if newer is None:
        fail_usage(f"{program}: no such step; name a program, such as pi_v8")
    base = step_files.after(newer.read_text())
    if base is None:
        raise Stop(FAILED, f"{program} builds on no step")
    older = step_files.path_of(REPOSITORY, f"{program.partition('_')[0]}_{base}")
    if older is None:
        raise Stop(FAILED, f"no file of {base}, which {program} builds on")
    show(older, newer)
    return 0


def show(older, newer):
    """Print the files, the lines that decide, and the includes in which what is new is defined."""
    names = [str(file.relative_to(REPOSITORY)) for file in (older, newer)]
    lines = decisive.lines(older, newer)
    print(f"--- {names[0]}\n+++ {names[1]}")
    print("\n".join(lines or [f"{names[1]} has the lines of {names[0]}."]))
    for include, new in decisive.defining(REPOSITORY, older, newer, lines).items():
        print(f"In {include}: {', '.join(new)}")
