"""The prose of a page: `texts.md` in its folder, Markdown with a heading for each text."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

_FOLDERS: Final = Path(__file__).parents[1]


@cache
def texts_of(page: str) -> Mapping[str, str]:
    """The texts of a page by heading."""
    parts = re.split(r"^## (.+)$", (_FOLDERS / page / "texts.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return MappingProxyType({name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)})
