"""Everything of the page "Search space"."""

from typing import Final

QUESTION: Final = "What does a measure reward, and where do learners go?"
"""What the page answers."""

IN_SPACE: Final = True
"""Its charts are in three dimensions."""
