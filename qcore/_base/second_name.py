"""A second name under which a package can be imported: the same modules, not copies of them."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from types import ModuleType


def make_known_as(name: str) -> None:
    """Make the package that this module is in, which is imported, importable as `name`, too, with all its modules."""
    real = __name__.partition(".")[0]
    sys.modules[name] = sys.modules[real]
    sys.meta_path.insert(0, _SecondName(name, real))


class _SecondName(MetaPathFinder, Loader):
    def __init__(self, name: str, real: str) -> None:
        self._name, self._real = name, real

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the import of a module by its second name finds."""
        if not fullname.startswith(f"{self._name}."):
            return None
        try:
            found = find_spec(self._real + fullname.removeprefix(self._name))
        except ModuleNotFoundError:
            # The module that it would be in is none of the package.
            return None
        return None if found is None else spec_from_loader(fullname, self, origin=found.origin)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Give the module itself."""
        module = import_module(self._real + spec.name.removeprefix(self._name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Take back what Python has written into the module."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state
