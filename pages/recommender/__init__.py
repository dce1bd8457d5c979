"""Everything of the page "Recommender"."""

from typing import Final

QUESTION: Final = "Can the quantifier be chosen for each sample, and does that pay?"
"""What the page answers."""
