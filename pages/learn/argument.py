"""What a question may be about besides its subject: a quantifier, a loss, a number; checked when a lesson is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pages.frame.view import View, values_of
from pages.settings.shared import QUANTIFIERS_OF_FAMILIES


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


FACTOR: Final = Argument("a number above 1, such as 3", lambda text, _view: 1.0 < _number(text) < 1000.0)
BATCHES: Final = Argument("a number of batches, such as 10", lambda text, _view: 1.0 <= _number(text) < 1000.0)
WIDTH: Final = Argument("a width between 0 and 1, such as 0.2", lambda text, _view: 0.0 < _number(text) < 1.0)
SHARE: Final = Argument("a share from 0 to 1, such as 0.5", lambda text, _view: 0.0 <= _number(text) <= 1.0)
COUNTED_OR_CORRECTED: Final = Argument("CC or AC", lambda text, _view: text in ("CC", "AC"))
QUANTIFIER: Final = Argument("a quantifier that the view shows", lambda text, view: text in _chosen(view))
BESIDE_CC: Final = Argument(
    "a quantifier that the view shows beside CC", lambda text, view: text != "CC" and {text, "CC"} <= _chosen(view)
)
LOSS: Final = Argument("a loss that the view shows", lambda text, view: len(_losses(text, view)) == 1)
LOSSES: Final = Argument("two or more losses that the view shows", lambda text, view: len(_losses(text, view)) > 1)
