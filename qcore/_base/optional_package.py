"""Packages that only some tasks need."""

import importlib
from types import ModuleType

from qcore._base.validation import InvalidInput


def optional_package(module: str, task: str, install: str = "") -> ModuleType:
    """A module of a package. Raises InvalidInput, with the task that needs it, if the package is not installed.

    `install` is what pip installs, by default the package.
    """
    package = module.partition(".")[0].replace("_", "-")
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        way_out = f"Install it: pip install {install or package}."
        raise InvalidInput(f"the package {package}", f"be installed to {task}", "none", way_out) from missing
