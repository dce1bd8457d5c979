"""Everything of the page "Test size"."""

from typing import Final

QUESTION: Final = "Which quantifier is best for samples of which size?"
"""What the page answers."""
