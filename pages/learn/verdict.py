"""What an answer is checked against, and what is said of it: whether it is right, or why not, and the numbers to be told."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.learn.lesson import CLOSE, RIGHT
from pages.settings.setting import Value


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
