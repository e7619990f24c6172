"""The ladders, a module each, and what their versions are called (naming.py)."""

import importlib
import pkgutil


def every_ladder():
    """The modules of the ladders, by name."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return [module for module in modules if hasattr(module, "SUITE")]
