"""Everything of the page "Corrections"."""

from typing import Final

QUESTION: Final = "What does the correction do, and when does it explode?"
"""The question that stands beside the title."""
MAIN_PICTURE: Final = "correction"
"""The chart that the menu Share saves first."""
