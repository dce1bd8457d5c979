"""A text that changes with a Python object: with its values, and with how its class and its functions are written."""

import hashlib
import sys
import sysconfig
import types
from functools import partial, singledispatch
from typing import Any, Final

import joblib
import numpy as np
import pandas as pd

_PLAIN: Final = (str, bytes, int, float, complex, bool, type(None))
_PLACES: Final = (types.GetSetDescriptorType, types.MemberDescriptorType)
_INSTALLED: Final = ("site-packages", "dist-packages", sysconfig.get_paths()["stdlib"])


def digest(value: object) -> str:
    """The digest of an object, the same in each process.

    A class or function of an installed package, or of qcore, counts by its name. Comments and docstrings do not count, nor what
    a function calls. Raises whatever an object raises when its attributes are read.
    """
    return hashlib.sha256(repr(_parts(value, ())).encode()).hexdigest()


def _parts(value: Any, around: tuple[int, ...]) -> object:
    """Nested tuples of plain values; `around` are the objects in which this one lies, which it may refer to."""
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if id(value) in around:
        return "around it", around.index(id(value))
    return _inside(value, (*around, id(value)))


@singledispatch
def _inside(value: Any, around: tuple[int, ...]) -> object:
    return _parts(type(value), around), _parts(_attributes(value), around)


@_inside.register(np.ndarray)
@_inside.register(np.generic)
@_inside.register(pd.DataFrame)
@_inside.register(pd.Series)
@_inside.register(pd.Index)
def _(value: Any, _around: tuple[int, ...]) -> object:
    return joblib.hash(value)


@_inside.register
def _(value: dict, around: tuple[int, ...]) -> object:
    return "dict", sorted((repr(_parts(key, around)), repr(_parts(one, around))) for key, one in value.items())


@_inside.register(set)
@_inside.register(frozenset)
def _(value: Any, around: tuple[int, ...]) -> object:
    return "set", sorted(repr(_parts(one, around)) for one in value)


@_inside.register(list)
@_inside.register(tuple)
def _(value: Any, around: tuple[int, ...]) -> object:
    return type(value).__name__, [_parts(one, around) for one in value]


@_inside.register
def _(value: partial, around: tuple[int, ...]) -> object:
    return "partial", _parts((value.func, value.args, value.keywords), around)


@_inside.register
def _(value: types.MethodType, around: tuple[int, ...]) -> object:
    return "method", _parts(value.__func__, around), _parts(value.__self__, around)


@_inside.register(staticmethod)
@_inside.register(classmethod)
def _(value: Any, around: tuple[int, ...]) -> object:
    return type(value).__name__, _parts(value.__func__, around)


@_inside.register
def _(value: property, around: tuple[int, ...]) -> object:
    return "property", _parts((value.fget, value.fset), around)


@_inside.register
def _(value: type, around: tuple[int, ...]) -> object:
    return "class", [_of_class(kind, around) for kind in value.__mro__ if kind is not object]


def _attributes(value: Any) -> dict[str, object]:
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})


def _is_elsewhere(value: Any) -> bool:
    """Whether a class or function is not the user's own."""
    module = sys.modules.get(value.__module__ or "")
    file = getattr(module, "__file__", None)
    if value.__module__ in ("__main__", "__mp_main__"):
        return False
    return file is None or value.__module__.partition(".")[0] == "qcore" or any(folder in file for folder in _INSTALLED)


def _of_class(kind: type, around: tuple[int, ...]) -> object:
    if _is_elsewhere(kind):
        return kind.__module__, kind.__qualname__
    written = []
    for name, value in sorted(vars(kind).items()):
        is_code = isinstance(value, types.FunctionType | staticmethod | classmethod | property)
        # Attributes that Python itself adds to a class, some of them only when the class is used.
        is_note = name.startswith("__") or name == "_abc_impl" or type(value) in _PLACES
        if is_code or not is_note:
            written.append((name, _parts(value, around)))
    return kind.__name__, written


@_inside.register
def _(value: types.FunctionType, around: tuple[int, ...]) -> object:
    if _is_elsewhere(value):
        return value.__module__, value.__qualname__
    # The class itself, which `super()` needs, is already in `around`.
    held = [cell.cell_contents for cell in value.__closure__ or () if not isinstance(cell.cell_contents, type)]
    return _of_code(value.__code__, value.__doc__), _parts((value.__defaults__, value.__kwdefaults__, held), around)


def _of_code(code: types.CodeType, docstring: str | None = None) -> object:
    # A docstring is the first constant.
    constants = code.co_consts[1:] if docstring is not None and code.co_consts[:1] == (docstring,) else code.co_consts
    nested = [_of_code(one) if isinstance(one, types.CodeType) else _parts(one, ()) for one in constants]
    return code.co_code.hex(), code.co_names, code.co_varnames, nested
