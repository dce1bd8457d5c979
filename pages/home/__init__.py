"""Everything of the page "Home"."""

from typing import Final

QUESTION: Final = "How many, not which."
"""What the page answers."""
