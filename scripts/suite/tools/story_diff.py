"""Print the diff of a step's file with that of the step that it builds on."""

import difflib

from suite.command import FAILED, REPOSITORY, USAGE, Command, Stop, fail_usage
from suite.documents import step_files

ENDS = {FAILED: "the step builds on none, or a file is missing", USAGE: "bad usage, or no such step"}
COMMAND = Command("story_diff", __doc__, ENDS, unfinished="")


def main():
    """Print the diff; returns the exit code."""
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
    lines = [file.read_text().splitlines() for file in (older, newer)]
    names = [str(file.relative_to(REPOSITORY)) for file in (older, newer)]
    print("\n".join(difflib.unified_diff(*lines, *names, lineterm="")))
    return 0
