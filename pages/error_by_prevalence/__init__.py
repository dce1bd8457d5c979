"""Everything of the page "Error by prevalence"."""

from typing import Final

QUESTION: Final = "How wrong is each quantifier when the share of positives has moved?"
"""The question that stands beside the title."""
