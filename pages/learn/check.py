"""A check: where on a page a value of one control has to be for the question of a lesson to be answered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pages.learn.argument import Argument
from pages.learn.lesson import RIGHT, TOO_HIGH, TOO_LOW
from pages.learn.verdict import Situation, Verdict
from pages.settings.setting import Value
from qcore._base.validation import FloatArray

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
        # With few decimals if they will do: a threshold may lie at 0.9999999.
        rounded = [round(best, decimals) for decimals in (2, 4, 6, 9)]
        good = (one for one in rounded if target.right[np.abs(target.values - one).argmin()])
        return {self.setting: next(good, best)}
