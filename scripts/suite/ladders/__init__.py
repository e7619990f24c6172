"""The ladders, a module each, which makes the ladder LADDER (suite/ladder.py)."""

import functools
import importlib
import pkgutil


@functools.cache
def every_ladder():
    """The ladders, in their order."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return sorted((module.LADDER for module in modules), key=lambda ladder: ladder.place)


def having(study):
    """The ladders that a study measures: those that say what it needs."""
    return [ladder for ladder in every_ladder() if getattr(ladder, study)]


def ladder_named(suite):
    """The ladder of this name, or None."""
    return next((ladder for ladder in every_ladder() if ladder.suite == suite), None)
