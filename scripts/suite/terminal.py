"""The terminal: a line that is rewritten in place, and a colour."""

import os
import sys


def is_screen(stream):
    """Whether a stream is a terminal that can rewrite a line and show a colour."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class StatusLine:
    """A line on standard output that is rewritten in place. Where that is no terminal, nothing."""

    def show(self, text):
        self._write(f"\r\033[K{text}")

    def clear(self):
        self._write("\r\033[K")

    def _write(self, text):
        if is_screen(sys.stdout):
            print(text, end="", flush=True)


def red_on_stderr(text):
    """Text for stderr in red; as it is where that is no terminal, and for a user who sets NO_COLOR."""
    return f"\033[31m{text}\033[0m" if is_screen(sys.stderr) and not os.environ.get("NO_COLOR") else text
