"""The ladders, a module each, and what their versions are called (naming.py).

The module of a ladder says what is its own: its names and units, its programs, and what its pages show. arrays.py is the
shortest.
"""

import importlib
import pkgutil


def every_ladder():
    """The modules of the ladders, in their order."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return sorted((module for module in modules if hasattr(module, "SUITE")), key=lambda ladder: ladder.PLACE)


def ladder_named(suite):
    """The ladder of this name, or None."""
    return next((ladder for ladder in every_ladder() if ladder.SUITE == suite), None)
