"""Everything of the page "Test size"."""

from typing import Final

QUESTION: Final = "Which quantifier is best for samples of which size?"
"""The question that stands beside the title."""
