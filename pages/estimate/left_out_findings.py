"""What of the user's files is not used, or not read as it is written, in one line beside the answer that follows from it."""

from collections.abc import Sequence
from typing import Final

_MOST: Final = 150
"""Characters of one line."""


def left_out_line(notes: Sequence[str]) -> str:
    """The notes on two files in one line, those on what was left out first; empty for none."""
    text = " ".join(sorted(notes, key=lambda note: "left out" not in note.lower()))
    if len(text) <= _MOST:
        return text
    return f"{text[:_MOST].rpartition(' ')[0]} ... (all of it below the picture)"
