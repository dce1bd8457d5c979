"""The terms of the field in a sentence each, read from terms.md; and how a text with headings is read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType


def headed_texts(markdown: str, mark: str = "##") -> dict[str, str]:
    r"""Heading -> the text below it, without the empty lines around it; `mark` begins the headings.

    Examples
    --------
    >>> headed_texts("Before.\n## One\n\nText.\n\n## Two\nMore.\n")
    {'One': 'Text.', 'Two': 'More.'}
    """
    parts = re.split(rf"^{mark} (.+)$", markdown, flags=re.MULTILINE)[1:]
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}


_FILE = Path(__file__).with_suffix(".md")


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
