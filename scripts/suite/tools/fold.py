"""Folding C++ sources: what one file needs of the headers that it includes."""

import itertools
import re
from typing import NamedTuple

COMMENT, TEXT = re.compile(r"//.*"), re.compile(r'"(?:\\.|[^"\\])*"')
TEMPLATE = re.compile(r"\A(?:template <(?:[^<>]|<[^<>]*>)*> )+")
NAMED = re.compile(r"(?:enum class|class|struct|using) (?:\w+::)*(\w+)|.*?\boperator\W+\((?:const )?(\w+)")
INCLUDE = re.compile(r'#include "([^"]+)"')


class Declaration(NamedTuple):
    """A declaration with its comment, and the namespace that it is in."""

    text: str
    namespace: str

    @property
    def words(self):
        """The identifiers in it."""
        return set(re.findall(r"\b[A-Za-z_]\w*", code_of(self.text)))

    @property
    def names(self):
        """What it declares. An operator goes by the type of its first operand."""
        code = TEMPLATE.sub("", " ".join(code_of(self.text).split()))
        if found := NAMED.match(code):
            return {found[1] or found[2]}
        return set(re.findall(r"\w+", re.match(r"[^({=;\[]*", code)[0])[-1:])


def code_of(text):
    """Text without comments and without what is between quotation marks."""
    return TEXT.sub('""', COMMENT.sub("", text))


def declarations(text):
    """The declarations of a source file, in order. Preprocessor lines between them are among them, but no #include."""
    found, namespace, lines, depth = [], "", [], 0
    for line in text.splitlines():
        code = code_of(line).strip()
        opened = re.fullmatch(r"namespace ?([\w:]*) \{", code)
        ends = code.endswith((";", "}")) or code.startswith("#")
        if depth == 0 and (opened or code == "}" or code.startswith(("#include", "#pragma once"))):
            namespace = opened[1] if opened else "" if code == "}" else namespace
            lines = []
        elif depth == 0 and not line and lines and not code_of("".join(lines)).strip():
            lines = [""]
        else:
            lines.append(line)
            depth += sum(code.count(char) for char in "({") - sum(code.count(char) for char in ")}")
            if depth == 0 and ends:
                found.append(Declaration("\n".join(lines), namespace))
                lines = []
    return found


def files_of(root, path, left_out, known):
    """The paths of a file's headers, those first that others include, and then its own; none that is known, or left out."""
    known.add(path)
    for included in INCLUDE.findall((root / path).read_text()):
        if included not in known and included not in left_out:
            yield from files_of(root, included, left_out, known)
    yield path


def needed(roots, others):
    """Those of the other declarations that the roots need, and what these need, in order."""
    kept, words = set(), set().union(*(root.words for root in roots))
    while more := {own for own in others if own not in kept and own.names & words}:
        kept |= more
        words |= set().union(*(own.words for own in more))
    return [own for own in others if own in kept]


def without_comments(own):
    """A declaration without the lines that are comments."""
    return own._replace(text=re.sub(r"^ *//.*\n", "", own.text, flags=re.MULTILINE))


def joined(found):
    """Declarations as text, with namespaces around them."""
    parts = []
    for namespace, group in itertools.groupby(found, key=lambda own: own.namespace):
        text = "\n".join(own.text for own in group)
        parts.append(f"namespace {namespace} {{\n\n{text}\n\n}}  // namespace {namespace}" if namespace else text)
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(parts)).strip("\n") + "\n"
