"""Everything of the page "Search space"."""

from typing import Final

QUESTION: Final = "What does a measure reward, and where do learners go?"
"""The question that stands beside the title."""

IN_SPACE: Final = True
"""Whether the page's charts are three-dimensional."""
