"""The terminal: a line that is rewritten in place, and a colour."""

import os
import sys


def is_screen(stream):
    """Whether a stream is a terminal that can rewrite a line and show a colour."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def rewrite_line(text):
    """Replace the last line on standard output. Where that is no terminal, nothing."""
    if is_screen(sys.stdout):
        print(f"\r\033[K{text}", end="", flush=True)


def red_on_stderr(text):
    """Text for stderr in red; as it is where that is no terminal, and for a user who sets NO_COLOR."""
    return f"\033[31m{text}\033[0m" if is_screen(sys.stderr) and not os.environ.get("NO_COLOR") else text
