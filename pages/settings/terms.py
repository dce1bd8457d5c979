"""The terms of the interface, each in one sentence: what hovers say, and what the glossary lists."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pages.settings.headed_text import headed_texts

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
    found = {}
    for name, text in headed_texts(_FILE.read_text(encoding="utf-8")).items():
        sentence, _, link = text.partition("\nSee: ")
        found[name] = Term(name, sentence, link)
    return MappingProxyType(found)


def term(name: str) -> str:
    """What a term is, in one sentence."""
    return terms()[name].sentence
