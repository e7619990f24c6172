"""Drawings of charts: draw them, and tell whether a stored one shows the current data.

A chart carries three hashes in its last line: of the data that it shows, of the
program charts/, which drew it, and of the drawing. They tell a chart that is out of
date or was edited without matplotlib, and do not depend on its version.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

DRAWER = Path(__file__).resolve().parent / "charts"
PYTHONS = (sys.executable, "/usr/bin/python3")  # apt's matplotlib belongs to the latter
NO_MATPLOTLIB = "matplotlib is missing: apt-get install python3-matplotlib, or pip install matplotlib"
STAMP = re.compile(r"<!-- data sha256:(\w+) renderer sha256:(\w+) drawing sha256:(\w+) -->\n\Z")


class DrawingError(Exception):
    """A chart could not be drawn; the message says in one line why."""


def is_current(text, chart):
    """Whether the text of an SVG is a drawing of this, by this program, and unchanged since."""
    stamp = STAMP.search(text or "")
    return bool(stamp) and stamped(text[: stamp.start()], chart) == text


def is_drawn(text):
    """Whether the text of an SVG is a drawing of this program, whatever it shows."""
    return bool(STAMP.search(text))


def stamped(drawing, chart):
    """The drawing with its last line."""
    data = json.dumps(chart, sort_keys=True, ensure_ascii=False)
    program = b"".join(path.read_bytes() for path in sorted(DRAWER.glob("*.py")))
    hashes = [hashlib.sha256(part).hexdigest() for part in (data.encode(), program, drawing.encode())]
    return f"{drawing}<!-- data sha256:{hashes[0]} renderer sha256:{hashes[1]} drawing sha256:{hashes[2]} -->\n"


def draw(charts):
    """The SVG texts of charts."""
    python = next((python for python in PYTHONS if has_matplotlib(python)), None)
    if python is None:
        raise DrawingError(NO_MATPLOTLIB)
    process = run_python([python, "-B", DRAWER], input=json.dumps(charts), cwd=DRAWER)
    if process.returncode != 0:
        raise DrawingError((process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1])
    return [stamped(drawing, chart) for drawing, chart in zip(json.loads(process.stdout), charts)]


def has_matplotlib(python):
    try:
        return run_python([python, "-c", "import matplotlib"], input="").returncode == 0
    except OSError:
        return False


def run_python(command, **options):
    """Run matplotlib's Python without a notebook's backend and a user's settings; returns the process that has ended."""
    own = os.environ | {"MPLBACKEND": "svg", "MATPLOTLIBRC": os.devnull}
    return subprocess.run(command, env=own, capture_output=True, text=True, **options)
