"""Everything of the page "Data sets"."""

from typing import Final

QUESTION: Final = "What is here, and how do I bring my own table?"
"""The question that stands beside the title."""

HAS_FILE: Final = False
"""Whether the page can be saved as an HTML file: here, a file would hold neither the data sets nor a way to upload one."""
