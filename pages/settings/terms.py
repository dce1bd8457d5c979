"""The terms of the interface, each in one sentence: what hovers say, and what the glossary lists."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

_FILE: Final = Path(__file__).with_suffix(".md")


@dataclass(frozen=True)
class Term:
    """A term: its name, what it is in one sentence, and the link of a view that shows it."""

    name: str
    sentence: str
    link: str


@cache
def terms() -> Mapping[str, Term]:
    """All terms by name, in their order."""
    parts = re.split(r"^## (.+)$", _FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        sentence, _, link = text.strip().partition("\nSee: ")
        found[name] = Term(name, sentence, link)
    return MappingProxyType(found)


def term(name: str) -> str:
    """What a term is, in one sentence."""
    return terms()[name].sentence
