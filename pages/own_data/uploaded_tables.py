"""The table in an uploaded file."""

from __future__ import annotations

import pandas as pd

from pages.work.answers import shared
from pages.work.heavy import computed
from pages.work.job import Work
from pages.work.limits import check_within
from qcore.datasets.limited_reading import read_table_within_limits
from qcore.datasets.table_reader import is_light

_BYTES_PER_SECOND = 5_000_000


@shared
def _light(digest: str, file_name: str, owner: str, _content: bytes) -> bool:
    """Whether an uploaded file is read in a moment: a packed one is unpacked to know, once and not with each run of a page."""
    return is_light(_content, file_name)


def uploaded_frame(digest: str, file_name: str, owner: str, content: bytes, *, labelled: bool = True) -> pd.DataFrame:
    """The table in an uploaded file; `owner` keeps it from other sessions. Raises InvalidInput."""
    answer: pd.DataFrame = computed(
        ("uploaded table", digest, file_name, owner, labelled),
        lambda: Work(read_table_within_limits, (content, file_name), {"labelled": labelled}, tells=False),
        "Reading the file",
        # What may be large is read in a process of its own, however few bytes it has.
        len(content) / _BYTES_PER_SECOND + (0.0 if _light(digest, file_name, owner, content) else 1.0),
    )
    check_within("ROWS", f"the rows of {file_name}", len(answer), "Draw some of them at random, and upload these.")
    return answer
