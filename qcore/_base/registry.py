"""Registries: read-only mappings from a key to an entry."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeVar


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What an entry of a registry says of itself; the class of each registry adds what its kind of thing needs.

    Attributes
    ----------
    key : its name in the registry, in links, tables and settings.
    idea, source : what it does, and where it is defined.
    name : its name in full; empty where that is the key.
    also_called : its names in other libraries and papers; whoever writes one is pointed to the key.
    """

    key: str
    idea: str
    source: str
    name: str = ""
    also_called: tuple[str, ...] = ()


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
