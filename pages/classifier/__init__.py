"""Everything of the page "Classifier"."""

from typing import Final

QUESTION: Final = "How well does it rank, what does it do at a threshold?"
"""The question that stands beside the title."""
