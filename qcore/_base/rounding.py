"""The tolerance within which two numbers count as equal, so that rounding errors do not decide results."""

from typing import Final

TIE: Final = 1e-12
"""Values this close count as equal: criteria of thresholds, rates, slopes, halves of a weight, borders of [0, 1]."""
