"""Everything of the page "Learn": the lessons, the strip that accompanies a person through them, and the glossary."""

from typing import Final

QUESTION: Final = "How does one learn quantification?"
"""The question that stands beside the title."""

HAS_PICTURE: Final = False
"""Whether the page draws a picture of its own: its lessons show those of other pages."""

HAS_FILE: Final = False
"""Whether the page can be saved as a file: it would hold none of the lessons, which lead over other pages."""
