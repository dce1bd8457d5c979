"""What is said of an answer: whether it is right, or why not, and the numbers that the sentence tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.learn.lesson import RIGHT
from pages.settings.setting import Value


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


@dataclass(frozen=True)
class Verdict:
    """Why an answer is right or wrong: RIGHT or another reason, and the values that the sentence of that reason may name."""

    reason: str
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        """Whether the answer is accepted."""
        return self.reason == RIGHT
