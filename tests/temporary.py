"""Temporary folders of tests."""

import tempfile
from pathlib import Path


def temporary_folder(add_cleanup):
    """A folder that is there until its owner cleans up: pass a test's addCleanup, a class's addClassCleanup, or that of a module."""
    folder = tempfile.TemporaryDirectory()
    add_cleanup(folder.cleanup)
    return Path(folder.name)
