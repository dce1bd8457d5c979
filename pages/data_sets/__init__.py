"""Everything of the page "Data sets"."""

from typing import Final

QUESTION: Final = "What is here, and how do I bring my own table?"
"""What the page answers."""
