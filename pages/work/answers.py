"""Answers that all sessions share: each is computed once, and kept by its settings while there is room for its bytes."""

from __future__ import annotations

import contextlib
import inspect
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

import numpy as np
import pandas as pd
from cachetools import LRUCache, cached

from pages.work.limits import limit
from qcore import DatasetReference
from qcore.protocols import Samples

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


def size_in_bytes(value: object) -> int:
    """About how much memory a value takes: its arrays and tables, and those of its attributes and items."""
    seen: set[int] = set()

    def size(one: object) -> int:
        if id(one) in seen:
            return 0
        seen.add(id(one))
        if isinstance(one, Samples):
            # The indices that it keeps are drawn later.
            return one.most_bytes
        if isinstance(one, np.ndarray):
            # A view keeps all of its base.
            return size(one.base) if isinstance(one.base, np.ndarray) else int(one.nbytes) + 100
        if isinstance(one, pd.DataFrame | pd.Series):
            usage = one.memory_usage(index=True)
            return int(usage.sum() if isinstance(usage, pd.Series) else usage) + 1000
        parts: Iterable[object] = ()
        if isinstance(one, Mapping):
            parts = (*one.keys(), *one.values())
        elif isinstance(one, list | tuple | set | frozenset):
            parts = one
        elif hasattr(one, "__dict__") and not isinstance(one, type) and not callable(one):
            parts = vars(one).values()
        return sys.getsizeof(one, 100) + sum(map(size, parts))

    return size(value)


_ANSWERS: Final[LRUCache[Hashable, Any]] = LRUCache(limit("ANSWERS_MEGABYTES") * 1_000_000, getsizeof=size_in_bytes)
_CONDITION: Final = threading.Condition()
_IN_PROGRESS: Final[set[Hashable]] = set()
_KEYS: Final = (str, int, float, bool, type(None))


def shared(function: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Compute `function` once for the same arguments; who asks meanwhile waits for the answer. Nobody may change an answer.

    Arguments whose names start with an underscore are no part of the key: what they are, the others say.
    """
    signature = inspect.signature(function)
    name = f"{function.__module__}.{function.__qualname__}"

    def key(*args: Any, **kwargs: Any) -> Hashable:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return (name, *(_key(value) for word, value in bound.arguments.items() if not word.startswith("_")))

    made = cached(_ANSWERS, key=key, condition=_CONDITION)(function)
    return cast("Callable[_Arguments, _Answer]", wraps(function)(made))


def _key(value: object) -> Hashable:
    """A value as part of a key. The type too: 1 and 1.0 and True are equal, and may be different settings."""
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    # The owner of a private data set is never written out, so a reference stands for itself.
    return (type(value), value) if isinstance(value, (*_KEYS, DatasetReference)) else repr(value)


def known(key: Hashable) -> Any:
    """The answer kept under a key, or None."""
    with _CONDITION:
        return _ANSWERS.get(key)


def keep(key: Hashable, answer: _Answer) -> _Answer:
    """Keep an answer under a key, if there is room for it at all; the answer."""
    # One that is larger than all that may be kept is computed again when somebody asks again.
    with _CONDITION, contextlib.suppress(ValueError):
        _ANSWERS[key] = answer
    return answer


@contextlib.contextmanager
def one_at_a_time(key: Hashable) -> Iterator[None]:
    """Let nobody else in for the same key: who waited finds the answer of who went before."""
    with _CONDITION:
        _CONDITION.wait_for(lambda: key not in _IN_PROGRESS)
        _IN_PROGRESS.add(key)
    try:
        yield
    finally:
        with _CONDITION:
            _IN_PROGRESS.discard(key)
            _CONDITION.notify_all()


def bytes_kept() -> int:
    """How many bytes of answers are kept."""
    return int(_ANSWERS.currsize)


def forget() -> None:
    """Let go of all answers, as tests do."""
    with _CONDITION:
        _ANSWERS.clear()
