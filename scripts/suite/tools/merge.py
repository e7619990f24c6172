"""Add stored runs, the files of --checkpoint, whose launches are parts of one run, and judge their sum by their own program."""

import json
from pathlib import Path

from suite.command import FAILED, USAGE, Command, fail_usage, parse_with_folders
from suite.processes import is_program, run_program

ENDS = {
    FAILED: "the sum fails its verdict",
    USAGE: "bad usage, a file that is damaged, or launches of another run or of two files",
}
COMMAND = Command("merge", __doc__, ENDS)


def main():
    """Run the program on the files; returns its exit code."""
    parser = COMMAND.parser()
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="stored runs")
    parser.add_argument("--json", metavar="FILE", help="write the sum, to which more can be added")
    options = parse_with_folders(parser, "--bin")
    program, own = program_of(options.files[0], options.bin)
    outcome = run_program(
        program, *own, "--judge", *options.files, *(["--json", options.json] if options.json else []), errors=None
    )
    print(outcome.output, end="")
    return outcome.code


def program_of(path, folder):
    """The program that left a stored run, and its own options then."""
    try:
        tally = json.loads(path.read_bytes())["runs"][0]["tally"]
        own = [part for name, value in tally["options"].items() for part in (f"--{name}", value) if part]
        words = tally["program"].split("_")
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        fail_usage(f"{path}: not a run as this version stores it, or damaged")
    # What the options add ends the name of a run.
    programs = [folder / "_".join(words[:n]) for n in range(len(words), 0, -1)]
    return next(filter(is_program, programs), programs[0]), own
