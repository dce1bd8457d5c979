"""A check: where on a page a value of one control has to be for the question of a lesson to be answered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from pages.learn.argument import Argument
from pages.learn.lesson import RIGHT, TOO_HIGH, TOO_LOW
from pages.learn.verdict import Situation, Verdict
from pages.settings.setting import Value
from qcore.base import TIE, FloatArray

NOT_THERE: Final = "Not there"
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
    """The numbers that a person reads where values are written as `text` does."""
    return np.array([float(text(float(value)).rstrip("%")) for value in np.asarray(values)])


def read_as_best(quality: FloatArray, read: FloatArray) -> np.ndarray:
    """Which values answer a question for the lowest `quality`: those at which a person reads no more than where it is.

    So the value with the best quality always is right, and values that look the same are judged the same. Where `read` is NaN
    a value is wrong.
    """
    right: np.ndarray = read <= np.nanmax(read[quality <= np.nanmin(quality) + TIE])
    return right
