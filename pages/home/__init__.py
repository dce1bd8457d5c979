"""Everything of the page "Home"."""

from typing import Final

QUESTION: Final = "How many, not which."
"""The question that stands beside the title."""
