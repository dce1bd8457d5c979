"""A setting: its name in the URL, its default, and how the words of a URL become its value; and examples of settings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pages.settings.number_text import typed_percentage

LONGEST_TEXT = 200

Value = str | int | float | bool | list[str]


@dataclass(frozen=True)
class Setting:
    """One setting, and how its control looks.

    Attributes
    ----------
    key : its name in the URL and of its control.
    name : its name in sentences.
    default : None if it depends on another setting.
    parse : the words of a URL, one or several -> the value. Raises ValueError.
    rule : what a value must be, in words.
    options : what there is to choose from; a setting with several values is written in this order.
    limits, step : of a number, the least and the greatest value, and by how much its control moves it.
    most : of a setting with several values, how many at most; None for all.
    label, help : of its control.
    is_percentage : whether the user reads and types it as a percentage; the URL and scripts hold a number.
    is_view : whether it is a way of looking, such as a threshold or a loss: presets leave it as it is.
    """

    key: str
    name: str
    default: Value | None
    parse: Callable[[list[str]], Value]
    rule: str
    options: tuple[Any, ...] = ()
    limits: tuple[float, float] | None = None
    step: float | None = None
    most: int | None = None
    label: str = ""
    help: str | None = None
    is_percentage: bool = False
    is_view: bool = False

    def with_label(self, label: str, *, step: float | None = None, help: str | None = None) -> "Setting":
        """The setting with the label of its control, and what else there is to say of it."""
        return replace(self, label=label, step=self.step if step is None else step, help=help)

    def canonical(self, value: Value) -> Value:
        """A value as links and presets write it: a list in the order of the options, not of the clicks; others come last."""
        if not isinstance(value, list):
            return value
        return [*(option for option in self.options if option in value), *(one for one in value if one not in self.options)]


@dataclass(frozen=True)
class Preset:
    """Settings of a page that differ from the defaults, and why they are interesting.

    A preset that `keeps_sidebar` needs no particular data set: the choices of the sidebar, such as an uploaded table, stay.
    """

    name: str
    why: str
    settings: Mapping[str, Value]
    keeps_sidebar: bool = False


def view(setting: Setting) -> Setting:
    """The setting, marked as a view setting (`is_view`)."""
    return replace(setting, is_view=True)


def single(words: list[str]) -> str:
    """The only word of a list. Raises ValueError for several words."""
    if len(words) != 1:
        raise ValueError(words)
    return words[0]


def numeral(words: list[str]) -> str:
    """The one word. Raises ValueError for several, and for notations of numbers that only Python knows."""
    word = single(words)
    if not word.isascii() or "_" in word:
        raise ValueError(words)
    return word


def choice(
    key: str, name: str, default: str, options: Sequence[str], former: Mapping[str, str] = MappingProxyType({})
) -> Setting:
    """A setting that is one of several words; `former` words, which older links have, are read as those of today.

    The default may be empty: then nothing is chosen until the user chooses.
    """

    def parse(words: list[str]) -> Value:
        word = former.get(single(words), words[0])
        if word not in options and word != default:
            raise ValueError(words)
        return word

    return Setting(key, name, default, parse, f"one of {', '.join(options)}", tuple(options))


def several(
    key: str, name: str, default: Sequence[str], options: Sequence[str], *, most: int | None = None, rule: str = ""
) -> Setting:
    """A setting that is any number of several words, or at most `most` of them."""

    def parse(words: list[str]) -> Value:
        chosen = [word for word in words if word]
        if not set(chosen) <= set(options) or len(chosen) > (most or len(chosen)):
            raise ValueError(words)
        return chosen

    words = rule or f"some of {', '.join(options)}"
    return Setting(key, name, list(default), parse, words, tuple(options), most=most)


def number(
    key: str, name: str, default: float, limits: tuple[float, float], kind: type[int] | type[float] = float, *, rule: str = ""
) -> Setting:
    """A setting that is a number between two limits."""
    low, high = limits

    def parse(words: list[str]) -> Value:
        value = kind(numeral(words))
        if not low <= value <= high:
            raise ValueError(words)
        return value

    what, form = ("a whole number", "") if kind is int else ("a number", "g")
    words = rule or f"{what} from {low:{form}} to {high:{form}}"
    return Setting(key, name, default, parse, words, limits=limits, step=1 if kind is int else 0.01)


def whole(key: str, name: str, default: int, limits: tuple[int, int]) -> Setting:
    """A setting that is a whole number between two limits."""
    return number(key, name, default, limits, int)


def fraction(key: str, name: str, default: float, limits: tuple[float, float] = (0.0, 1.0)) -> Setting:
    """A setting that is a number from 0 to 1, or between other limits."""
    return number(key, name, default, limits)


def percent(key: str, name: str, default: float, limits: tuple[float, float] = (0.0, 1.0)) -> Setting:
    """A setting that is a share, a number from 0 to 1 or between other limits, and shown as a percentage.

    A URL holds the number; a percentage, which the user may write into one, is read, too.
    """
    known = fraction(key, name, default, limits)

    def parse(words: list[str]) -> Value:
        word = single(words)
        return typed_percentage(word, *limits) if word.endswith("%") else known.parse(words)

    return replace(known, parse=parse, is_percentage=True)


def percent_choice(key: str, name: str, default: str, options: Sequence[str], *, rule: str) -> Setting:
    """A setting that is one of several percentages, or another of its options; older links hold a number, such as 0.95."""

    def parse(words: list[str]) -> Value:
        word = single(words)
        option = word if word in options else f"{100 * float(numeral(words)):g}%"
        if option not in options:
            raise ValueError(words)
        return option

    return Setting(key, name, default, parse, rule, tuple(options))


def number_among(key: str, name: str, default: int, options: Sequence[int], rule: str) -> Setting:
    """A setting that is one of several whole numbers."""

    def parse(words: list[str]) -> Value:
        if int(numeral(words)) not in options:
            raise ValueError(words)
        return int(words[0])

    return Setting(key, name, default, parse, rule, tuple(options))


def section_key(page: str) -> str:
    """The setting that holds the open section of a page."""
    return f"{page}_section"


def section(key: str, name: str, titles: Sequence[str], former: Mapping[str, str] = MappingProxyType({})) -> Setting:
    """A setting that is the open section; `former` titles, which older links have, are read as those of today."""
    return view(choice(key, name, titles[0], titles, former))


def text(key: str, name: str, default: str) -> Setting:
    """A setting that is short text."""

    def parse(words: list[str]) -> Value:
        if len(single(words)) > LONGEST_TEXT:
            raise ValueError(words)
        return words[0]

    return Setting(key, name, default, parse, f"of up to {LONGEST_TEXT} characters")


def toggle(key: str, name: str) -> Setting:
    """A setting that is on or off, off by default."""

    def parse(words: list[str]) -> Value:
        word = single(words).lower()
        if word not in ("true", "false"):
            raise ValueError(words)
        return word == "true"

    return Setting(key, name, False, parse, "true or false")
