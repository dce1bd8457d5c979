"""Registries: read-only mappings from a key to an entry."""

from collections.abc import Mapping
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
