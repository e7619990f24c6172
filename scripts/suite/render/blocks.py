"""Blocks between markers in a text: <!-- card:v8 --> … <!-- /card -->."""

import re

from suite.documents.schema import ResultError


def with_blocks(path, text, name, body, of="device"):
    """The text with each block of this name anew, whose markers name a device, or what of says."""
    blocks = re.compile(rf"^<!-- {name}:([^\n]+) -->\n(.*?)^<!-- /{name} -->$", re.MULTILINE | re.DOTALL)
    markers = re.findall(rf"^<!-- (?:{name}:.*|/{name}) -->$", text, re.MULTILINE)
    if len(markers) != 2 * len(blocks.findall(text)):
        raise ResultError(f"{path}: a '<!-- {name}:<{of}> -->' or '<!-- /{name} -->' lacks its other half")
    return blocks.sub(lambda match: f"<!-- {name}:{match[1]} -->\n{body(match[1])}\n<!-- /{name} -->", text)
