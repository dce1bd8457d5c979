"""Everything of the page "Recommender"."""

from typing import Final

QUESTION: Final = "Can the quantifier be chosen for each sample, and does that pay?"
"""The question that stands beside the title."""
