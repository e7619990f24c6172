"""The files of steps in kernels/: where that of a step is, and what its header says."""

import re

from suite import ladders, naming

AFTER = re.compile(r'\.after = "(\w+)"')
MARK = re.compile(r"^ *// (?:end of )?exercise .*\n", re.MULTILINE)  # of the lines that are an exercise
NEXT = re.compile(r"\bNext: (.*?\.)(?=\s|$)")


def path_of(root, program):
    """The file of a step or ablation, by the name of its program, in the repository at root; None if there is none."""
    prefix, _, version = program.partition("_")
    match = re.fullmatch(r"([a-z])(\d+)(t?)(_\w+)?", version)
    if not match or prefix not in {ladder.prefix for ladder in ladders.every_ladder()}:
        return None
    letter, number, tensor, ablation = match.groups()
    name = f"{letter}{int(number):02}{tensor}{ablation or '_*'}.c*"  # .cu, and .cpp for a step on the host
    folder = root / "kernels" / prefix
    files = [
        file
        for file in sorted(folder.rglob(name))
        if (file.parent.name == "ablations") == bool(ablation) and file.suffix in (".cu", ".cpp")
    ]
    return files[0] if files else None


def kernels_of(root, ladder):
    """The steps of a ladder that run on a GPU, in order."""
    names = (path.name for path in (root / "kernels" / ladder.prefix).rglob(f"{ladder.letter}[0-9][0-9]*_*.cu"))
    found = (re.match(r"(.)0?(\d+t?)_", name) for name in names)
    return sorted({match[1] + match[2] for match in found}, key=naming.order)


def after(text):
    """The version that a step builds on, as its record names it; None for a first one."""
    found = AFTER.search(text)
    return found and found[1]


# Headers


def part_of(text, title):
    """The text of a part of a header, in one line; "" without it."""
    match = re.search(rf"^// {title}: (.*\n(?://   .*\n)*)", text, re.MULTILINE)
    return re.sub(r"\s*\n(?://)?\s*", " ", match[1]).strip() if match else ""


def limit_of(text, variant="", system=""):
    """What a Limit says of a run: of the step itself, "", on a ladder's first system, or of one on a system or with an option."""
    clauses = [clause.partition(": ") for clause in re.split(r"; |\. ", text)]
    own = [rest for name, colon, rest in clauses if colon and name in (variant or system, f"--{variant}")]
    return own[0] if own else "" if variant else re.split(r"; |\. ", text)[0]


def next_of(text):
    """What a Limit says that comes next, "" if nothing."""
    found = NEXT.search(text)
    return found[1] if found else ""
