"""How near two numbers are the same, so that rounding decides nothing."""

from typing import Final

TIE: Final = 1e-12
"""Values this close are tied: thresholds' criteria, rates, slopes, halves of a weight, borders of [0, 1]."""
