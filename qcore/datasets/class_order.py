"""Ordered classes, such as one to five stars: which order a data set's classes have, and an order that the user types."""

import re
from collections.abc import Sequence

from qcore._base.validation import InvalidInput, check_several

NO_ORDER = "none"
"""What the user types for classes without an order."""


def guessed_order(classes: Sequence[str]) -> tuple[str, ...]:
    """The classes by value if they are three whole numbers or more; else they have no order that could be guessed, ().

    Examples
    --------
    >>> guessed_order(["3", "10", "4"]), guessed_order(["low", "mid", "high"])
    (('3', '4', '10'), ())
    """
    if len(classes) < 3 or not all(re.fullmatch(r"[+-]?[0-9]{1,15}", name) for name in classes):
        return ()
    return tuple(sorted(classes, key=int))


def check_order(order: Sequence[str], classes: Sequence[str]) -> tuple[str, ...]:
    """Return the order, or raise InvalidInput unless it is an empty list or one that names each class once."""
    names = check_several("the order of the classes", order)
    if names and sorted(names, key=str) != sorted(classes):
        got = " < ".join(one if isinstance(one, str) else repr(one) for one in names)[:100]
        rule = f"name each of {', '.join(classes[:12])}{', ...' if len(classes) > 12 else ''} once"
        raise InvalidInput("the order of the classes", rule, got, f"Write for example: {' < '.join(classes[:12])}")
    return tuple(names)


def typed_order(text: str, classes: Sequence[str]) -> tuple[str, ...]:
    """The order in a text such as "low < mid < high", or with commas; () for "none". Raises InvalidInput.

    Examples
    --------
    >>> typed_order("low < mid < high", ["high", "low", "mid"]), typed_order("none", ["high", "low", "mid"])
    (('low', 'mid', 'high'), ())
    """
    if text.strip().lower() == NO_ORDER and NO_ORDER not in classes:
        return ()
    separator = "<" if "<" in text else ","
    return check_order([word.strip() for word in text.split(separator) if word.strip()] or [text.strip()], classes)
