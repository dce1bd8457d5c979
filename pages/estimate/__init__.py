"""Everything of the page "Estimate"."""

from typing import Final

QUESTION: Final = "What share of my sample is positive, and how sure is that?"
"""The question that stands beside the title."""
