"""Which quantifiers share a panel where one chart can't hold them all: those of a family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qcore.quantifiers import FAMILIES, QUANTIFIERS

MAX_LINES: Final = 8
"""Methods up to which one chart can hold their lines."""


def family_panels(methods: Sequence[str], max_lines: int = MAX_LINES) -> dict[str, list[str]] | None:
    """Title -> methods of each small multiple; None where one chart can hold them all, up to `max_lines`."""
    if len(methods) <= max_lines:
        return None
    members = {family.capitalize(): [m for m in methods if QUANTIFIERS[m].family == family] for family in FAMILIES}
    return {title: keys for title, keys in members.items() if keys}
