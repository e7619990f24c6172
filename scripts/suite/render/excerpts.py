"""Lines of the sources in a story, between <!-- code:FILE:PLACE --> and <!-- /code -->.

PLACE is text of the first line; "class A::add" is that of the first line with "add" after one with "class A". The excerpt ends
where the braces that it opens are closed, or with the line that has END in "PLACE...END".
"""

import textwrap

from suite.documents import files, step_files
from suite.documents.schema import ResultError
from suite.render import blocks

MOST_LINES = 12


def filled(root, path, text):
    """The text of the story at path with its excerpts anew."""
    return blocks.with_blocks(path, text, "code", lambda key: excerpt(root, path, key), of="file:place")


def excerpt(root, path, key):
    """The lines as a block of code. Raises ResultError for a place that is not there, and for too long a piece."""
    file, _, place = key.partition(":")
    lines = step_files.MARK.sub("", files.read_text(root / file)).splitlines() if (root / file).is_file() else []
    found = piece(lines, *place.split("..."))
    if not 0 < len(found) <= MOST_LINES:
        raise ResultError(
            f"{path}: code:{key}: {f'{len(found)} lines, of at most {MOST_LINES}' if found else 'no such lines'}"
        )
    return "\n".join(["```cpp", textwrap.dedent("\n".join(found)), "```"])


def piece(lines, place, end=None):
    """The lines from a place to its end, without directives, which stand at the margin; none without the place."""
    first = -1
    for part in place.split("::"):
        first = next((number for number in range(first + 1, len(lines)) if part in lines[number]), len(lines))
    found = []
    for line in lines[first:]:
        if not line.startswith("#"):
            found.append(line)
        text = "".join(found)
        if end in line if end else text.count("{") == text.count("}") > 0:
            return found
    return []
