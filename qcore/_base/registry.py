"""Registries, and the keys of caches.

The origin of a value: the key under which a cache holds the value, and also the results computed from it.

Such a value is a frozen dataclass with the field `cache_key`, None until a cache sets it. `dataclasses.replace` leaves it out:
a changed value is made from something else.
"""

import copy
from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeVar


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_Keyed)


def registry(*entries: _Entry) -> Mapping[str, _Entry]:
    """A read-only mapping from `key` to entry. Raises ValueError for a repeated key, which would hide an entry."""
    result = {entry.key: entry for entry in entries}
    if len(result) < len(entries):
        raise ValueError(f"a key is registered twice among {[entry.key for entry in entries]}")
    return MappingProxyType(result)


_Value = TypeVar("_Value")


def cache_key(value: _Value, key: Hashable) -> _Value:
    """A value that has the field `cache_key`, with the field set; any other value as it is."""
    if "cache_key" not in getattr(type(value), "__dataclass_fields__", {}):
        return value
    known = copy.copy(value)
    object.__setattr__(known, "cache_key", key)
    return known
