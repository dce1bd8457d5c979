"""Everything of the page "Corrections"."""

from typing import Final

QUESTION: Final = "What does the correction do, and when does it explode?"
"""What the page answers."""
MAIN_PICTURE: Final = "correction"
"""The chart that the menu Share saves first."""
