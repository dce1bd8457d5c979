"""The data set that a reference means, and what finished pieces of work on it are called."""

import math

from pages.own_data import uploads
from pages.work.answers import shared
from pages.work.jobs import SHORT_SECONDS
from pages.work.limits import check_within
from qcore import Dataset, DatasetReference, Scores, ScoringSettings, load_dataset


@shared
def _dataset(data: DatasetReference) -> Dataset:
    loaded = load_dataset(data)
    check_within("ROWS", f"the rows of {loaded.name}", len(loaded.labels), "Take a smaller data set, or a part of this one.")
    return loaded


def dataset(data: DatasetReference) -> Dataset:
    """The data set of a reference; an upload is found only in its own session. Raises InvalidInput."""
    return uploads.load(data) if data.source == uploads.SOURCE else _dataset(data)


def origin_of(scores: Scores) -> tuple[DatasetReference, ScoringSettings]:
    """The data set and the settings that scores were made of, or those that they were changed from.

    Raises TypeError for scores that no data set of this app was the origin of.
    """
    if scores.data is None or scores.settings is None:
        raise TypeError("these scores do not know what they were made of")
    return scores.data, scores.settings


def pieces_about(data: DatasetReference, seconds: float = math.inf) -> str | None:
    """The name under which pieces of work on a data set are kept on disk; None for an upload and for short work: not kept."""
    return None if data.source == uploads.SOURCE or seconds < SHORT_SECONDS else f"{data} {data.owner}"
