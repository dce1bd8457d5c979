"""The lines of a lesson's file: finds those that begin with a key, and those that would be shown as text by mistake."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from pages.learn.hidden import names_parts

_KEY: Final = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?)\s*:\s*(.*)")
_LIKE_A_KEY: Final = re.compile(r"\s*([^\W\d]+)\s*:(?:\s|$)")
OF_LESSONS: Final = ("Aim", "Minutes", "Order")
"""The keys of a lesson."""
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


class Faults(Exception):
    """The mistakes in a file, the first one of each of its parts."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(str(faults[0]))
        self.faults = tuple(faults)


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


def check_keys(lines: Sequence[Line], allowed: Sequence[str], *, lacks: bool) -> None:
    """Raise Fault for a line that is meant to begin with one of these keys, but does not.

    `lacks` says whether a necessary key is missing: then any other word in its place is taken for a misspelt key.
    """
    for line in lines:
        match = _LIKE_A_KEY.match(line.text)
        if match is None or is_key(line, allowed):
            continue
        meant = get_close_matches(match[1].capitalize(), allowed, 1, _ALIKE)
        if meant or lacks or names_parts(line.text[match.end() :].strip()):
            known = f"is {meant[0]!r} meant?" if meant else f"there are {', '.join(allowed)}."
            raise Fault(line.number, f"{match[0].strip().removesuffix(':').strip()!r} is not known: {known}")


def joined(lines: Sequence[Line]) -> str:
    """The text in lines."""
    return "\n".join(line.text for line in lines).strip()


def check_places(lines: Sequence[Line], asked: int) -> None:
    """Raise Fault for a line of a step that would be shown as text by mistake; the question begins at `lines[asked]`."""
    for line in lines[1:]:
        if re.match(r"##[^#\s]", line.text):
            raise Fault(line.number, 'a heading has a blank after its signs, "## Title of the step".')
    for line in lines[asked + 1 :]:
        if is_key(line, ("Question",)) or _sets_the_step(line):
            rule = 'a step has one question, and what it opens and hides stands above that; another step begins with "## ".'
            raise Fault(line.number, rule)
    # What stands right below the heading, without an empty line, is no text yet.
    above = next((i for i, line in enumerate(lines[:asked]) if i and not line.text), asked)
    check_keys(lines[1:above], OF_STEPS, lacks=not any(is_key(line, ("View",)) for line in lines[:asked]))
    for line in lines[above:asked]:
        known = (*OF_STEPS, "Question")
        meant = get_close_matches(_split(line)[0], OF_STEPS, 1, _ALIKE)
        key, value = _split(Line(line.number, line.text.strip().capitalize()))
        if _means(value):
            meant = get_close_matches(key, known, 1, _ALIKE)
        if meant and not is_key(line, known):
            raise Fault(line.number, f"{line.text.partition(':')[0].strip()!r} is not known: is {meant[0]!r} meant?")


def _sets_the_step(line: Line) -> bool:
    """Whether a line opens a view or hides parts of it, and is not a sentence that begins with the same word."""
    key, value = _split(line)
    return key in OF_STEPS and (value.startswith(("/", "http")) if key == "View" else names_parts(value))


def _means(value: str) -> bool:
    """Whether the words behind a key are a link, parts of a page, or a kind of question, not the rest of a sentence."""
    return value.startswith(("/", "http")) or names_parts(value) or value in ("choice", "number", "find", "draw")
