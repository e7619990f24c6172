"""JSON files: read and check them, format and write them."""

import json
import math
import os
import secrets
import stat
from pathlib import Path

from suite.documents.schema import ResultError


# Reading


def parse(text, origin, check):
    """Turn text into a checked document; origin names it in errors, and check refuses it by a ResultError."""
    document = parse_json(text, origin)
    try:
        check(document)
    except ResultError as error:
        raise ResultError(f"{origin}: {error}") from None
    return document


def parse_json(text, origin, parse_float=None):
    """Turn text into the object it holds, or say in one line why it holds none."""
    try:
        document = json.loads(text, parse_float=parse_float or _finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise ResultError(f"{origin}: {_syntax_fault(text, error)}") from None
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{origin}: not JSON that a result can hold: {error}") from None
    if not isinstance(document, dict):
        raise ResultError(f"{origin}: not a JSON object")
    return document


def _finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a number")
    return value


def _syntax_fault(text, error):
    body = text.strip()
    if not body:
        return "empty"
    at = f"line {error.lineno}, column {error.colno}"
    reached_end = error.pos >= len(text.rstrip())
    if body.startswith("{") and (reached_end or not body.endswith("}")):
        return f"cut short: the JSON breaks off ({at})"
    return f"not JSON: {error.msg} ({at})"


def read_text(path):
    """The text of a file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ResultError(f"{path}: not text") from None
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None


# Formatting


def to_text(document):
    """The document as JSON: a line for each of its fields, and for each row of a list of records."""
    return "{\n" + ",\n".join(f"{_line(name)}:{_field(value)}" for name, value in document.items()) + "\n}\n"


def _field(value):
    is_rows = isinstance(value, list) and value and isinstance(value[0], dict)
    return "[\n" + ",\n".join(map(_line, value)) + "\n]" if is_rows else _line(value)


def _line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# Writing


def write_text(path, text):
    """Replace the file at path by text in one step, or leave it as it was.

    Symbolic links are followed. What exists and is no regular file, such as
    /dev/null or a pipe, is written straight into. Raises OSError.
    """
    data = text.encode("utf-8", errors="replace")
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            file.write(data)
    else:
        _replace_file(os.path.realpath(path), data, mode)


def _mode_of(path):
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _replace_file(target, data, mode):
    folder, name = os.path.split(target)
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(6)}.tmp")
    # Not tempfile: its files are private, these are to have the permissions of any new file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
