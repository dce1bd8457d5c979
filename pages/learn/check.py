"""A check: where on a page a value of one control has to be for a question to be answered; what it needs, what it answers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.frame.view import View, values_of
from pages.learn.lesson import CLOSE, RIGHT, TOO_HIGH, TOO_LOW
from pages.settings.setting import Value
from pages.settings.shared import QUANTIFIERS_OF_FAMILIES
from qcore.base import TIE, FloatArray


@dataclass(frozen=True)
class Argument:
    """A kind of argument: what it is, in words for teachers, and whether a text is such an argument for a view."""

    what: str
    fits: Callable[[str, View], bool]


def _number(text: str) -> float:
    """The number that a text says; NaN if it says none."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _chosen(view: View) -> set[str]:
    """The quantifiers that are chosen in a view."""
    values = values_of(view)
    return {method for key in QUANTIFIERS_OF_FAMILIES for method in _texts(values.get(key))}


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _losses(text: str, view: View) -> set[str]:
    """The words of a text, if all of them are losses that the view shows."""
    words = set(text.split())
    return words if words <= set(_texts(values_of(view).get("shown_losses"))) else set()


FACTOR = Argument("a number above 1, such as 3", lambda text, _view: 1.0 < _number(text) < 1000.0)
BATCHES = Argument("a number of batches, such as 10", lambda text, _view: 1.0 <= _number(text) < 1000.0)
WIDTH = Argument("a width between 0 and 1, such as 0.2", lambda text, _view: 0.0 < _number(text) < 1.0)
SHARE = Argument("a share from 0 to 1, such as 0.5", lambda text, _view: 0.0 <= _number(text) <= 1.0)
COUNTED_OR_CORRECTED = Argument("CC or AC", lambda text, _view: text in ("CC", "AC"))
QUANTIFIER = Argument("a quantifier that the view shows", lambda text, view: text in _chosen(view))
BESIDE_CC = Argument(
    "a quantifier that the view shows beside CC", lambda text, view: text != "CC" and {text, "CC"} <= _chosen(view)
)
LOSS = Argument("a loss that the view shows", lambda text, view: len(_losses(text, view)) == 1)
LOSSES = Argument("two or more losses that the view shows", lambda text, view: len(_losses(text, view)) > 1)


class NotComputed(Exception):
    """The page has not computed what a question is about: its tab is closed, its quantifier not chosen, or it is at work."""


@dataclass(frozen=True)
class Situation:
    """What an answer is checked against.

    Attributes
    ----------
    results : what the page has computed, as it records it.
    settings : the values of the page's settings.
    argument : what the question is about besides, such as a quantifier; may be empty.
    """

    results: Mapping[str, Any]
    settings: Mapping[str, Value]
    argument: str = ""

    def result(self, name: str) -> Any:
        """A result of the page. Raises NotComputed if there is none of that name."""
        if name not in self.results:
            raise NotComputed(name)
        return self.results[name]

    def number(self, key: str) -> float:
        """The value of a setting that is a number."""
        return float(str(self.settings[key]))

    def nearest(self, values: ArrayLike, key: str) -> int:
        """The index of the value that is nearest to a setting."""
        return int(np.abs(np.asarray(values, dtype=float) - self.number(key)).argmin())


def filled(sentence: str, values: Mapping[str, str]) -> str:
    """A sentence with the values that it names in braces; what has no value, such as a formula's braces, stays."""
    return re.sub(r"\{([a-z_]+)\}", lambda match: values.get(match[1], match[0]), sentence)


@dataclass(frozen=True)
class Verdict:
    """Why an answer is right or wrong, and the values that the sentence of that reason may name."""

    reason: str
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        """Whether the answer is accepted."""
        return self.reason in (RIGHT, CLOSE)


NOT_THERE = "Not there"
"""The reason why an answer is wrong, for checks in which "too low" and "too high" mean nothing."""


@dataclass(frozen=True)
class Target:
    """Values of a control, and which of them answer the question; `best` of them is what "Show me" chooses.

    `told` are the numbers that sentences may name, at the value that the control has.
    """

    values: FloatArray
    right: np.ndarray
    best: int
    told: Mapping[str, str]


@dataclass(frozen=True)
class Check:
    """What is to be found.

    Attributes
    ----------
    key : what a lesson calls it.
    page, setting : where it is looked for, and the control that finds it.
    what : what is to be found, for teachers who write a lesson.
    target : where it is, in a situation. Raises NotComputed.
    names : the numbers that sentences may name.
    argument : what else it needs, or None.
    reasons : why an answer may be wrong; the first one also where no value is right.
    """

    key: str
    page: str
    setting: str
    what: str
    target: Callable[[Situation], Target]
    names: tuple[str, ...] = ()
    argument: Argument | None = None
    reasons: tuple[str, ...] = (TOO_LOW, TOO_HIGH)

    def judge(self, now: Situation) -> Verdict:
        """The verdict on the value that the control has now. Raises NotComputed."""
        target = self.target(now)
        value = now.number(self.setting)
        if target.right[np.abs(target.values - value).argmin()]:
            return Verdict(RIGHT, target.told)
        if NOT_THERE in self.reasons or not target.right.any():
            return Verdict(self.reasons[0], target.told)
        return Verdict(TOO_LOW if value < target.values[target.best] else TOO_HIGH, target.told)

    def judge_at(self, now: Situation, moved: Mapping[str, Value]) -> Verdict:
        """The verdict if settings were moved to other values, such as to those of `answer`. Raises NotComputed."""
        return self.judge(replace(now, settings={**now.settings, **moved}))

    def answer(self, now: Situation) -> dict[str, Value]:
        """The setting with a value that is right. Raises NotComputed."""
        target = self.target(now)
        best = float(target.values[target.best])
        if isinstance(now.settings[self.setting], int):
            return {self.setting: round(best)}
        # With few decimals if that is a value that is right, too: what lies between two values, the page has not computed.
        rounded = round(best, 2)
        nearest = np.abs(target.values - rounded).argmin()
        return {self.setting: rounded if target.right[nearest] and abs(target.values[nearest] - rounded) <= TIE else best}


def as_read(values: ArrayLike, text: Callable[[float], str]) -> FloatArray:
    """The numbers that the user reads where values are written as `text` does."""
    return np.array([float(text(float(value)).rstrip("%")) for value in np.asarray(values)])


def read_as_best(quality: FloatArray, read: FloatArray) -> np.ndarray:
    """Which values answer a question for the lowest `quality`: those at which the user reads no more than where it is.

    So the value with the best quality always is right, and values that look the same are judged the same. Where `read` is NaN
    a value is wrong.
    """
    right: np.ndarray = read <= np.nanmax(read[quality <= np.nanmin(quality) + TIE])
    return right
