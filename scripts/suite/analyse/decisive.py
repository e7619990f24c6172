"""What a step changes in the step that it builds on: the few lines that decide, and the includes that hold the idea.

Headers, records, includes and namespaces are left out, and so is what differs only in a comment or in the namespace of an
older step, and what the host makes ready for a kernel. The statements that are left count by the names in them that the
older file lacks, and by the loops around them. A step that changes its record alone is shown by that.
"""

import difflib
import re
from typing import NamedTuple

MOST, MOST_OLD = 10, 4  # lines in all, and of the older file
FEW = 5  # lines that are shown whatever they are worth
DEEPEST = 2  # loops that count

INCLUDE = re.compile(r'^#include "(kernels/[^"]+)"', re.MULTILINE)
HEADER = re.compile(r"\A(?://.*\n)+")
RECORD = re.compile(r"^(?:template <[^\n]*>\n)?(?:extern )?(?:const |constexpr )*(?:bench::Step|Design) \w+.*", re.MULTILINE | re.DOTALL)
DESCRIBING = re.compile(
    r"^ +\.(name|after|title|technique|lesson|replay|check|for_steps|instead|generator|default_\w+|accepted_threads|kernel|scratch_bytes) = |^[^.]*$"
)
COMMENT = re.compile(r"//.*")
OWN_NAMESPACE = re.compile(r"\b[a-z]\d+t?::")
# Lines that every step has, and that say nothing of its idea.
FRAME = re.compile(
    r"#|using (namespace |[\w:]+;)|namespace |static_assert|template <|(public|private):|return cuda(GetLastError\(\)|Success);"
    r"|cudaError_t (launch\(|\w+\(const Launch& l\) \{$)|std::size_t \w+\(bench::Shape|l\.phase_clock->|\W*$"
)
CALLING = re.compile(r"<<<|__global__")  # names what the body of a kernel uses
# What the host makes ready for a kernel. In a step without a kernel it may be the idea.
EQUIPPING = re.compile(r"\bstd::(unique_ptr|make_unique)<|\bequipment\b|\bclear_\w+")
LOOP = re.compile(r"\b(for|while) \(")
NAME = re.compile(r"\b[A-Za-z_]\w*\b")
USED = re.compile(r"(?<![.>\w])([A-Za-z_]\w{2,})\b(?!\.|->)")  # no member, and no object
WORDS = set(
    "auto bool break case class const constexpr continue default do double else enum explicit extern false float for if inline int"
    " long namespace new nullptr operator override private public return short signed sizeof static static_cast struct switch template"
    " this true typename unsigned using void volatile while char std size_t uint32_t uint64_t uint16_t uint8_t reinterpret_cast"
    " __device__ __global__ __forceinline__ __host__ __launch_bounds__ __restrict__".split()
)


class Statement(NamedTuple):
    """Changed lines that belong together."""

    sign: str  # "-" or "+"
    lines: tuple
    names: frozenset  # that the other file lacks
    depth: int  # of loops around it

    @property
    def worth(self):
        if CALLING.search("\n".join(self.lines)):
            return 0
        return len(self.names) + min(self.depth, DEEPEST) - (self.sign == "-")


def lines(older, newer):
    """At most ten lines in the order of a diff, each behind its sign, of the files of two steps."""
    before, after = (text_of(file, other) for file, other in ((older, newer), (newer, older)))
    found = statements(essence(before), essence(after))
    if CALLING.search(after):
        found = [statement for statement in found if not EQUIPPING.search("\n".join(statement.lines))]
    if not any(statement.sign == "+" for statement in found):
        found += statements(record(before), record(after))
    return [statement.sign + line for statement in chosen(found) for line in statement.lines]


def chosen(found):
    """The statements of most worth, in the order of the file, none twice."""
    places, seen, left = set(), set(), {"+": MOST, "-": MOST_OLD}
    for place, statement in sorted(enumerate(found), key=lambda item: -item[1].worth):
        said, size = (statement.sign, *map(bared, statement.lines)), len(statement.lines)
        if said not in seen and size <= left[statement.sign] and (statement.worth > 0 or left["+"] > MOST - FEW):
            places.add(place)
            seen.add(said)
            left["+"] -= size
            left["-"] = min(left["-"] - (size if statement.sign == "-" else 0), left["+"])
    return [statement for place, statement in enumerate(found) if place in places]


# Statements


def statements(before, after):
    """What was changed, in the order of a diff."""
    known, depths = {"-": names_of(after), "+": names_of(before)}, {"-": depths_of(before), "+": depths_of(after)}
    found = []
    for tag, *span in difflib.SequenceMatcher(None, *([bared(line) for line in text] for text in (before, after)), autojunk=False).get_opcodes():
        if tag != "equal":
            for sign, text, first, end in (("-", before, *span[:2]), ("+", after, *span[2:])):
                for numbers in parts(text, first, end):
                    own = [text[number] for number in numbers]
                    found.append(Statement(sign, tuple(own), frozenset(names_of(own) - known[sign]), depths[sign][numbers[0]]))
    return found


def parts(text, first, end):
    """The numbers of the lines of each statement between two lines of a text."""
    part = []
    for number in range(first, end):
        line = bared(text[number])
        is_frame = FRAME.match(line)
        part += [] if is_frame else [number]
        if part and (is_frame or line.endswith((";", "{", "}", ":"))):
            yield part
            part = []
    if part:
        yield part


def depths_of(text):
    """In how many loops each line stands."""
    depths, open_braces = [], []
    for line in map(bared, text):
        depths.append(sum(open_braces))
        for place, mark in enumerate(line):
            if mark == "{":
                open_braces.append(bool(LOOP.search(line[:place])))
            elif mark == "}" and open_braces:
                open_braces.pop()
    return depths


def bared(line):
    """A line without its comment, its place and the namespaces of steps."""
    return OWN_NAMESPACE.sub("", COMMENT.sub("", line)).strip()


def names_of(text):
    return set(NAME.findall(" ".join(map(bared, text)))) - WORDS


# Files


def text_of(file, other):
    """The text of a step's file; before it that of its own include, v15_bit_sliced.cuh, unless the other step uses it as well."""
    own = file.with_suffix(".cuh")
    is_own = own.exists() and own.name not in other.read_text()
    return (HEADER.sub("", own.read_text()) if is_own else "") + HEADER.sub("", file.read_text())


def essence(text):
    """The lines before the record."""
    return RECORD.sub("", text).splitlines()


def record(text):
    """The lines of a record, without those that describe it."""
    found = RECORD.search(text)
    return [line for line in found[0].splitlines() if not DESCRIBING.search(line)] if found else []


def defining(root, older, newer, changed):
    """The includes of a step's file, nearest first, that define what the changed lines use anew, and which names."""
    own, text = newer.read_text(), " ".join(bared(line[1:]) for line in changed if line.startswith("+"))
    left = {name for name in USED.findall(text) if not declares(own, name)} - names_of(older.read_text().splitlines()) - WORDS
    found = {}
    for include in includes_of(root, newer):
        text = COMMENT.sub("", (root / include).read_text())
        if names := sorted(name for name in left if defines(text, name)):
            found[include] = names
            left -= set(names)
    return found


def declares(text, name):
    """Whether a text declares a variable, a function or an alias of this name."""
    return re.search(rf"(?<!return)[\w>&*] +[&*]*{name}\b *[=;,)({{\[]", COMMENT.sub("", text)) is not None


def defines(text, name):
    """Whether a text defines a type, a constant or a function of this name: not merely uses it."""
    kinds = (
        rf"^ *(?:template <.*> *)?(?:struct|class|enum class) {name}\b(?!;)",
        rf"\busing {name} =",
        rf"^(?:inline |static |__constant__ )*const(?:expr)? [\w:<>, ]*\b{name}\b *[=({{\[]",
        rf"^ *(?!return|else|delete)(?:[\w:<>,&*]+ +)+[&*]?{name}\(",
    )
    return re.search("|".join(kinds), text, re.MULTILINE) is not None


def includes_of(root, file):
    """The files of kernels/ that a file includes, nearest first."""
    found, next_ones = {}, INCLUDE.findall(file.read_text())
    while next_ones:
        new = [include for include in dict.fromkeys(next_ones) if include not in found and (root / include).is_file()]
        found |= dict.fromkeys(new)
        next_ones = [deeper for include in new for deeper in INCLUDE.findall((root / include).read_text())]
    return found
