"""Everything of the page "Compare"."""

from typing import Final

QUESTION: Final = "Which quantifier is better over many data sets, and may one claim it?"
"""The question that stands beside the title."""
