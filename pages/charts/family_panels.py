"""Groups quantifiers by family into panels if there are too many lines for one chart."""

from collections.abc import Sequence
from typing import Final

from qcore.quantifiers import FAMILIES, QUANTIFIERS

MAX_LINES: Final = 8
"""The largest number of methods whose lines fit into one chart."""


def family_panels(methods: Sequence[str], max_lines: int = MAX_LINES) -> dict[str, list[str]] | None:
    """Title -> methods of each panel; None if there are at most `max_lines` methods, which fit into one chart."""
    if len(methods) <= max_lines:
        return None
    members = {family.capitalize(): [m for m in methods if QUANTIFIERS[m].family == family] for family in FAMILIES}
    return {title: keys for title, keys in members.items() if keys}
