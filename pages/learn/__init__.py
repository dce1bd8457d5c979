"""Everything of the page "Learn": the lessons, the strip that accompanies a person through them, and the glossary."""

from typing import Final

QUESTION: Final = "How does one learn quantification?"
"""The question that stands beside the title."""

HAS_PICTURE: Final = False
"""Its lessons show the pictures of other pages."""

HAS_FILE: Final = False
"""A file would hold none of its lessons; each has a handout."""
