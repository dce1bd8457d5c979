"""How the user's labelled table is read, where they have not said it: the one guess of the pages and the command."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import pandas as pd

from qcore.datasets.dataset import Dataset
from qcore.datasets.given_scores import likely_score, scores_dataset
from qcore.datasets.table_columns import (
    chosen_columns,
    column_of_one_class,
    left_out_sentences,
    likely_label,
    likely_left_out,
)


@dataclass(frozen=True)
class TableReading:
    """The column of the classes, that of scores if there are any, columns left out, and columns whose numbers are names.

    A word is empty if there is no such column. Where there are scores, nothing else is a feature.
    """

    label: str
    score: str = ""
    left_out: tuple[str, ...] = ()
    as_text: tuple[str, ...] = ()


def guessed_reading(frame: pd.DataFrame, *, label: str = "", score: str = "", keep: Collection[str] = ()) -> TableReading:
    """How a table is probably read. `label` and `score` are known columns; those to `keep` are features in any case.

    Examples
    --------
    >>> table = pd.DataFrame({"id": range(20), "size": [1.5, 2.5] * 10, "y": ["no", "yes"] * 10})
    >>> guessed_reading(table), guessed_reading(table, keep=["id"]).left_out
    (TableReading(label='y', score='', left_out=('id',), as_text=()), ())
    """
    if not label:
        rest = frame.drop(columns=[score], errors="ignore")
        label = "" if rest.empty or column_of_one_class(rest) else likely_label(rest)
    if not score and (likely := likely_score(frame, label)) not in keep:
        score = likely
    left_out = tuple(name for name in likely_left_out(frame) if name not in {label, score, *keep})
    return TableReading(label, score, left_out)


def dataset_of_table(
    frame: pd.DataFrame,
    reading: TableReading,
    *,
    pool: pd.DataFrame | None = None,
    key: str = "",
    name: str = "table",
    **more: Any,
) -> Dataset:
    """The data set of a table that is read so; its notes say what was left out and why. `more` as in `Dataset.from_frame`.

    Raises InvalidInput as `Dataset.from_frame` and `scores_dataset`.
    """
    if reading.score:
        return scores_dataset(frame, reading.label, reading.score, pool=pool, key=key, name=name)
    table = chosen_columns(frame, reading.left_out, reading.as_text)
    notes = left_out_sentences(frame, reading.left_out)
    return Dataset.from_frame(table, reading.label, key=key, name=name, notes=notes, **more)
