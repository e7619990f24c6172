"""The terminal: a line that is rewritten in place, and a colour."""

import os
import sys


class StatusLine:
    """A line on standard output that is rewritten in place. Where that is no terminal, nothing."""

    def show(self, text):
        self._write(f"\r\033[K{text}")

    def clear(self):
        self._write("\r\033[K")

    def _write(self, text):
        if sys.stdout.isatty():
            print(text, end="", flush=True)


def red(text):
    """Text in red; on no terminal, and for a user who sets NO_COLOR, as it is."""
    return f"\033[31m{text}\033[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text
