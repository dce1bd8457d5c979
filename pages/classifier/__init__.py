"""Everything of the page "Classifier"."""

from typing import Final

QUESTION: Final = "How well does it rank, what does it do at a threshold?"
"""What the page answers."""
