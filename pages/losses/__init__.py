"""Everything of the page "Losses"."""

from typing import Final

QUESTION: Final = "What does a loss say of an estimate?"
"""The question that stands beside the title."""
