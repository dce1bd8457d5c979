"""The tolerance within which two numbers count as equal, and with how many decimals an estimate is written."""

from typing import Final

TIE: Final = 1e-12
"""Values this close count as equal: criteria of thresholds, rates, slopes, halves of a weight, borders of [0, 1]."""
_NONE: Final = 1e-9
"""Intervals that are shorter than this have no width."""


def percentage_decimals(low: float, high: float) -> int:
    """With how many decimals an estimate and its interval are written as percentages: one, or more if the interval is short.

    The same wherever the estimate stands: in a sentence, a picture, a table or a terminal.

    Examples
    --------
    >>> percentage_decimals(0.31, 0.45), percentage_decimals(0.0020, 0.0039)
    (1, 2)
    """
    width = high - low
    return next((decimals for decimals, enough in ((1, 0.002), (2, 0.0002)) if width > enough), 3) if width > _NONE else 1
