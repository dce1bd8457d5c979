"""The lines of a lesson's file: those that begin with a key, and those that would be shown as text though they are none."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from pages.learn.hidden import names_parts

_KEY: Final = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?)\s*:\s*(.*)")
OF_STEPS: Final = ("View", "Look", "Hide", "Without")
"""The keys of a step."""
_ALIKE: Final = 0.8
"""How alike a word must be to a key to be taken for a misspelt one, from 0 to 1."""


class Line(NamedTuple):
    """A line and its number in the file."""

    number: int
    text: str


class Fault(Exception):
    """A mistake in a line; the message is the rule."""

    def __init__(self, line: int, rule: str) -> None:
        super().__init__(rule)
        self.line = line


def _split(line: Line) -> tuple[str, str]:
    """(key, value) of a line "Key: value"; an empty key where it is no such line."""
    match = _KEY.fullmatch(line.text)
    return (match[1], match[2].strip()) if match else ("", "")


def is_key(line: Line, allowed: Sequence[str]) -> bool:
    """Whether a line begins with one of these keys."""
    return _split(line)[0] in allowed


def keys_of(lines: Sequence[Line], allowed: Sequence[str]) -> dict[str, Line]:
    """The lines "Key: value", by key."""
    found: dict[str, Line] = {}
    for line in lines:
        key, value = _split(line)
        if key in allowed:
            if key in found:
                raise Fault(line.number, f'"{key}:" is written twice.')
            found[key] = Line(line.number, value)
    return found


def joined(lines: Sequence[Line]) -> str:
    """The text in lines."""
    return "\n".join(line.text for line in lines).strip()


def check_places(lines: Sequence[Line], asked: int) -> None:
    """Find lines that are no text but would be shown as text: `lines` of a step, its question from the line `asked` on."""
    for line in lines[1:]:
        if re.match(r"##[^#\s]", line.text):
            raise Fault(line.number, 'a heading has a blank after its signs, "## Title of the step".')
    for line in lines[asked + 1 :]:
        if is_key(line, ("Question",)) or _sets_the_step(line):
            rule = 'a step has one question, and what it opens and hides stands above that; another step begins with "## ".'
            raise Fault(line.number, rule)
    for line in lines[1:asked]:
        key, _ = _split(line)
        if key not in OF_STEPS and (meant := get_close_matches(key, OF_STEPS, 1, _ALIKE)):
            raise Fault(line.number, f"{key!r} is not known: is {meant[0]!r} meant?")


def _sets_the_step(line: Line) -> bool:
    """Whether a line opens a view, or hides parts of it, and is no sentence that only begins so."""
    key, value = _split(line)
    if key == "View":
        return value.startswith(("/", "http"))
    return key in OF_STEPS and names_parts(value)
