"""What the user should know of how the file of a table was read: the sentences travel with the table."""

from typing import Final

import pandas as pd

from qcore.datasets.missing_header import missing_header_sentence

_NOTES: Final = "notes on reading"


def note(frame: pd.DataFrame, *sentences: str) -> None:
    """Keep sentences on how a table was read with it, each in one line; empty ones are no sentences."""
    in_lines = (" ".join(sentence.split()) for sentence in sentences)
    frame.attrs[_NOTES] = [*frame.attrs.get(_NOTES, ()), *filter(None, in_lines)]


def sentences_on_reading(frame: pd.DataFrame) -> list[str]:
    """Which sheet was read, that a header is missing, which rows are part of the header, and what was read as which number."""
    return [*frame.attrs.get(_NOTES, ()), *filter(None, [missing_header_sentence(frame)])]
