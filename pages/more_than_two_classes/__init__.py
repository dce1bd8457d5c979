"""Everything of the page "More than two classes"."""

from typing import Final

QUESTION: Final = "How well are the shares of three classes or more estimated, and where?"
"""The question that stands beside the title."""
