"""How far a command is that runs one program after another, and how much time is left."""

import contextlib
import sys
import time

from suite.terminal import is_screen, red_on_stderr, rewrite_line


class Progress:
    """Counts runs. Says one line about each; on a terminal a line below says what runs now, and how much time is left."""

    def __init__(self, total, seconds):
        """Say how many runs there will be, each of which will take about this many seconds."""
        self._total, self._seconds, self._done = total, seconds, 0
        self._spent, self._measured = 0.0, 0  # seconds in finished runs, and their number
        self._name, self._status, self._started = "", "", 0.0
        if total:
            print(f"{total} run{'' if total == 1 else 's'}, about {duration_text(total * seconds)}", flush=True)

    @contextlib.contextmanager
    def running(self, name):
        """Say what runs as long as the block does."""
        self._name, self._started = f"[{self._done + 1}/{self._total}] {name}", time.monotonic()
        self._status = f"{self._name} … {self._left()}"
        rewrite_line(self._status)
        try:
            yield
        finally:
            rewrite_line("")

    def pass_on(self, text):
        """Print what the program that runs says, on stderr."""
        rewrite_line("")
        print(text, file=sys.stderr, flush=True)
        rewrite_line(self._status)

    def end(self, text, is_failure=False):
        """Say what came of the run that has ended, of a failure on stderr."""
        self._spent, self._measured = self._spent + time.monotonic() - self._started, self._measured + 1
        self._done += 1
        line = f"{self._name:<34}  {text}"
        if is_failure:
            print(red_on_stderr(line), file=sys.stderr, flush=True)
        else:
            left = "" if is_screen(sys.stdout) or self._done == self._total else f"; {self._left()}"
            print(f"{line}{left}", flush=True)

    @contextlib.contextmanager
    def part(self, runs):
        """Count as many runs as done after the block, whatever it did."""
        end = self._done + runs
        try:
            yield
        finally:
            self._done = end

    def _left(self):
        each = self._spent / self._measured if self._measured else self._seconds
        return f"{duration_text((self._total - self._done) * each)} left"


def duration_text(seconds):
    """A time in whole minutes, or in seconds if it is short."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
