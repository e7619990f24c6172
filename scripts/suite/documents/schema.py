"""Checks against results/schema.json, the one published description of all documents (JSON Schema, draft 7)."""

import functools
import json
import re
from pathlib import Path

try:
    import jsonschema
except ModuleNotFoundError:  # measuring does not need it, as scripts/setup says
    jsonschema = None

PATH = Path(__file__).resolve().parents[3] / "results" / "schema.json"
TYPES = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false", "array": "a list",
    "object": "an object",
}  # fmt: skip
BOUNDS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}


class ResultError(Exception):
    """Something is wrong with a result; the message is one line for the user."""


@functools.cache
def definitions():
    """What the schema defines, by name."""
    return json.loads(PATH.read_text(encoding="utf-8"))["definitions"]


@functools.cache
def _validator(definition):
    return jsonschema.Draft7Validator({"$ref": f"#/definitions/{definition}", "definitions": definitions()})


def number_of(definition):
    """The number of the schema of a kind of document."""
    return _constant(definitions()[definition])


def _constant(schema):
    own = schema.get("properties", {}).get("schema", {}).get("const")
    referred = (definitions()[part["$ref"].rpartition("/")[2]] for part in schema.get("allOf", []) if "$ref" in part)
    return own or next(filter(None, map(_constant, referred)), None)


def check(value, definition, where=""):
    """Refuse a value that is not as a definition says, by a ResultError; where is its path, "" of a whole document."""
    error = jsonschema and next(_validator(definition).iter_errors(value), None)
    if error:
        raise ResultError(
            _refusal(error, ".".join(filter(None, [where, _path_text(value, list(error.absolute_path))])))
        )


def _path_text(document, path):
    """A path as text: runs[0].outcome.sd; a row that has a name is called by that."""
    if len(path) > 1 and type(path[1]) is int:
        name = row_name(document[path[0]][path[1]])
        if name:
            return "".join([name, *map(_step_text, path[2:])])
    return "".join(map(_step_text, path)).removeprefix(".")


def row_name(row):
    """The name by which messages call a row; None where it has none."""
    names = [row.get(field) for field in ("version", "name", "source")] if type(row) is dict else []
    return next((name for name in names if type(name) is str and re.fullmatch(r"\w+", name)), None)


def _step_text(step):
    return f"[{step}]" if type(step) is int else f".{step}"


def _refusal(error, where):
    """What is wrong at a place, in words that do not depend on the version of jsonschema."""
    kind, wanted, value = error.validator, error.validator_value, error.instance
    if kind == "required":
        missing = next(name for name in wanted if name not in value)
        return f"{where or 'the document'} lacks '{missing}'"
    if kind == "minItems" and not value:
        return f"{where} is empty"
    expected = {
        "type": lambda: " or ".join(TYPES.get(name, name) for name in ([wanted] if type(wanted) is str else wanted)),
        "enum": lambda: f"one of {', '.join(map(str, wanted))}",
        "const": lambda: _shown(wanted),
        "pattern": lambda: f"a name such as {wanted}",
        "contains": lambda: "a list with a run that did not fail",
    }
    text = expected[kind]() if kind in expected else f"{BOUNDS.get(kind, kind)} {_shown(wanted)}"
    return f"{where or 'the document'} is {_shown(value)}, not {text}"


def _shown(value):
    """A value in a message: what is long, only by its beginning."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:40]}…"
