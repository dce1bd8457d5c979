"""Answers that all sessions share: each is computed once, and kept under its settings while there is memory for it."""

import contextlib
import copy
import inspect
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial, wraps
from pathlib import PurePath
from typing import Any, Final, ParamSpec, TypeVar, cast

import numpy as np
import pandas as pd
from cachetools import LRUCache, cached

from pages.work.limits import limit
from qcore import Dataset, DatasetReference, Estimates, Scores
from qcore.protocols import Samples
from qcore.scoring.sample_scores import SampleScores
from qcore.studies.more_than_two_classes import MulticlassErrors

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


def size_in_bytes(value: object) -> int:
    """About how many bytes a value takes: its arrays and tables, also those in its attributes and items."""
    seen: set[int] = set()

    def size(one: object) -> int:
        if id(one) in seen:
            return 0
        seen.add(id(one))
        if isinstance(one, Samples):
            # Samples keep indices that are drawn only later: the most that these can take is counted.
            return one.most_bytes
        if isinstance(one, np.ndarray):
            # A view keeps its whole base array in memory.
            return size(one.base) if isinstance(one.base, np.ndarray) else int(one.nbytes) + 100
        if isinstance(one, pd.DataFrame | pd.Series):
            return _table_bytes(one) + 1000
        parts: Iterable[object] = ()
        if isinstance(one, Mapping):
            parts = (*one.keys(), *one.values())
        elif isinstance(one, list | tuple | set | frozenset):
            parts = one
        elif hasattr(one, "__dict__") and not isinstance(one, type) and not callable(one):
            parts = vars(one).values()
        return sys.getsizeof(one, 100) + sum(map(size, parts))

    return size(value)


def _table_bytes(table: pd.DataFrame | pd.Series) -> int:
    kinds = table.dtypes if isinstance(table, pd.DataFrame) else [table.dtype]
    if all(isinstance(kind, np.dtype) and kind.kind in "biuf" for kind in kinds):
        # A tenth of the time that pandas' own answer takes.
        return 8 * (table.size + len(table))
    usage = table.memory_usage(index=True)
    return int(usage.sum() if isinstance(usage, pd.Series) else usage)


_ANSWERS: Final[LRUCache[Hashable, Any]] = LRUCache(limit("ANSWERS_MEGABYTES") * 1_000_000, getsizeof=size_in_bytes)
_CONDITION = threading.Condition()
_IN_PROGRESS: Final[set[Hashable]] = set()
_KEYS = (str, int, float, bool, type(None), PurePath)


_CARRIERS = (Scores, SampleScores, Samples, Estimates, MulticlassErrors)
"""Answers that may be arguments of others: each carries the key under which it is kept."""


def with_cache_key(value: _Answer, key: Hashable) -> _Answer:
    """A copy that carries its key, of a value that may be an argument of other answers; any other value as it is.

    `dataclasses.replace` leaves the key out: a changed value is made from something else.
    """
    if not isinstance(value, _CARRIERS):
        return value
    known = copy.copy(value)
    vars(known)["cache_key"] = key
    return cast("_Answer", known)


def cache_key_of(value: object) -> Hashable:
    """The key that a value carries, or None."""
    return getattr(value, "cache_key", None)


def shared(function: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Compute `function` once for the same arguments; callers that ask meanwhile wait. Nobody may change an answer.

    An answer that may be an argument itself carries its key.
    """

    def answer(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
        return with_cache_key(function(*args, **kwargs), key_of(function, *args, **kwargs))

    held = cached(_ANSWERS, key=partial(key_of, function), condition=_CONDITION)(answer)
    return cast("Callable[_Arguments, _Answer]", wraps(function)(held))


def key_of(function: Callable[..., object], *args: Any, **kwargs: Any) -> Hashable:
    """The key of what a function answers: its name, and its arguments. Raises TypeError for one that no key can be made of."""
    return named_key(f"{function.__module__}.{function.__qualname__}", *arguments_of(function, *args, **kwargs))


def arguments_of(function: Callable[..., object], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """All arguments of a call by position, those with defaults too."""
    bound = _signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def named_key(name: str, *arguments: object) -> Hashable:
    """The key of an answer by a name of its own, from what determines it. Raises TypeError as `key_of`."""
    return (name, *map(_key, arguments))


_signature: Final = cache(inspect.signature)


def _key(value: object) -> Hashable:
    """A value as part of a key. The type too: 1 and 1.0 and True are equal, and may be different settings."""
    if isinstance(value, tuple | list):
        return tuple(map(_key, value))
    if isinstance(value, Mapping):
        return tuple((_key(name), _key(one)) for name, one in value.items())
    if (known := cache_key_of(value)) is not None:
        return (type(value).__name__, known)
    if isinstance(value, _CARRIERS):
        raise TypeError(f"{type(value).__name__} does not know what it was made from: no answer can be kept for it")
    value = value.item() if isinstance(value, np.generic) else value
    # A reference itself is part of the key, because its text never shows the owner of a private data set.
    if isinstance(value, (*_KEYS, DatasetReference)):
        return type(value), value
    if is_dataclass(value) and not isinstance(value, Dataset):
        return (type(value), *(_key(getattr(value, field.name)) for field in fields(value) if field.init))
    raise TypeError(f"{type(value).__name__} is no part of a key: pass what it was made from")


def known(key: Hashable) -> Any:
    """The answer kept under a key, or None."""
    with _CONDITION:
        return _ANSWERS.get(key)


def keep(key: Hashable, answer: _Answer) -> _Answer:
    """Keep an answer under a key, and return it; one that may be an argument of others carries its key."""
    answer = with_cache_key(answer, key)
    # An answer that is larger than the whole cache is not kept, and is computed again when somebody asks for it.
    with _CONDITION, contextlib.suppress(ValueError):
        _ANSWERS[key] = answer
    return answer


@contextlib.contextmanager
def one_at_a_time(key: Hashable) -> Iterator[None]:
    """Admit one thread at a time for a key: the threads that waited then find the first one's answer."""
    with _CONDITION:
        _CONDITION.wait_for(lambda: key not in _IN_PROGRESS)
        _IN_PROGRESS.add(key)
    try:
        yield
    finally:
        with _CONDITION:
            _IN_PROGRESS.discard(key)
            _CONDITION.notify_all()
