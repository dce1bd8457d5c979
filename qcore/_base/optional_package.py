"""Packages that only some tasks need."""

import importlib
from types import ModuleType

from qcore._base.validation import InvalidInput


def optional_package(name: str, task: str) -> ModuleType:
    """The package of that name. Raises InvalidInput, with the task that needs it, if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        package = name.replace("_", "-")
        raise InvalidInput(
            f"the package {package}", f"be installed to {task}", "none", f"Install it: pip install {package}."
        ) from missing
