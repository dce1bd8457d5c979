"""The caches of the page "Data sets"."""

from __future__ import annotations

import pandas as pd

from pages.parts.cached.answers import shared
from pages.parts.cached.heavy import computed
from pages.parts.cached.scores import dataset
from pages.parts.jobs import Work
from pages.parts.limits import check_within
from qcore import DatasetReference, InvalidInput
from qcore.datasets.limited_reading import read_table_within_limits
from qcore.datasets.table_reader import is_light
from qcore.studies import projection as projections

_BYTES_PER_SECOND = 5_000_000


@shared
def facts(data: DatasetReference) -> dict[str, object]:
    """Name, numbers of rows, features and classes, and the share of the rarest class; none for what holds no data set."""
    try:
        loaded = dataset(data)
    except InvalidInput:
        # A file of the folder that holds no data set, such as a list of the others.
        return {}
    rarest = min(loaded.class_counts.values()) / len(loaded.labels)
    n_rows, n_features = loaded.features.shape
    return {"name": loaded.name, "rows": n_rows, "features": n_features, "classes": len(loaded.classes), "rarest": rarest}


@shared
def projection(data: DatasetReference, seed: int) -> tuple[pd.DataFrame, float]:
    """The data set in two dimensions, and the share of the variance that they hold."""
    return projections.projection(dataset(data), seed)


@shared
def feature_table(data: DatasetReference) -> pd.DataFrame:
    """What its features are."""
    return projections.feature_table(dataset(data))


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
