"""What a setting is: its name in the URL, its default, and how the URL's words become its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LONGEST_TEXT: Final = 200

Value = str | int | float | bool | list[str]


@dataclass(frozen=True)
class Setting:
    """One setting: `parse` turns the URL's words (one or several) into a value, or raises ValueError; `rule` says what fits.

    A default of None means that it depends on another setting.
    """

    key: str
    name: str
    default: Value | None
    parse: Callable[[list[str]], Value]
    rule: str


def single(words: list[str]) -> str:
    """The one word. Raises ValueError for several."""
    if len(words) != 1:
        raise ValueError(words)
    return words[0]


def one_of(options: list[str]) -> Callable[[list[str]], Value]:
    """A parser for one of some words."""

    def parse(words: list[str]) -> Value:
        if single(words) not in options:
            raise ValueError(words)
        return words[0]

    return parse


def some_of(options: list[str], most: int | None = None) -> Callable[[list[str]], Value]:
    """A parser for any number of some words, or at most so many."""

    def parse(words: list[str]) -> Value:
        chosen = [word for word in words if word]
        if not set(chosen) <= set(options) or len(chosen) > (most or len(chosen)):
            raise ValueError(words)
        return chosen

    return parse


def numeral(words: list[str]) -> str:
    """The one word. Raises ValueError for several, and for ways to write a number that only Python knows."""
    word = single(words)
    if not word.isascii() or "_" in word:
        raise ValueError(words)
    return word


def number(low: float, high: float, kind: type[int] | type[float]) -> Callable[[list[str]], Value]:
    """A parser for a number from `low` to `high`."""

    def parse(words: list[str]) -> Value:
        value = kind(numeral(words))
        if not low <= value <= high:
            raise ValueError(words)
        return value

    return parse


def number_among(options: tuple[int, ...]) -> Callable[[list[str]], Value]:
    """A parser for one of some whole numbers."""

    def parse(words: list[str]) -> Value:
        if int(numeral(words)) not in options:
            raise ValueError(words)
        return int(words[0])

    return parse


def short(words: list[str]) -> Value:
    """Parse any short text."""
    if len(single(words)) > LONGEST_TEXT:
        raise ValueError(words)
    return words[0]


def switch(words: list[str]) -> Value:
    """Parse true or false."""
    word = single(words).lower()
    if word not in ("true", "false"):
        raise ValueError(words)
    return word == "true"


def choice(key: str, name: str, default: str, options: list[str]) -> Setting:
    """A setting that is one of some words."""
    return Setting(key, name, default, one_of(options), f"one of {', '.join(options)}")


def whole(key: str, name: str, default: int, ends: tuple[int, int]) -> Setting:
    """A setting that is a whole number between two ends."""
    return Setting(key, name, default, number(*ends, int), "a whole number from {} to {}".format(*ends))


def fraction(key: str, name: str, default: float, ends: tuple[float, float] = (0.0, 1.0)) -> Setting:
    """A setting that is a number between two ends."""
    return Setting(key, name, default, number(*ends, float), "a number from {:g} to {:g}".format(*ends))


def text(key: str, name: str, default: str) -> Setting:
    """A setting that is short text."""
    return Setting(key, name, default, short, f"of up to {LONGEST_TEXT} characters")


def toggle(key: str, name: str) -> Setting:
    """A setting that is on or off, off by default."""
    return Setting(key, name, False, switch, "true or false")
