"""The prose of a page: `texts.md` in its folder, Markdown with a heading for each text."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pages.settings.headed_text import headed_texts

_FOLDERS: Final = Path(__file__).parents[1]


@cache
def texts_of(page: str) -> Mapping[str, str]:
    """The texts of a page by heading."""
    return MappingProxyType(headed_texts((_FOLDERS / page / "texts.md").read_text(encoding="utf-8")))
