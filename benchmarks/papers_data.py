"""Data sets that are read from a folder of CSV files: a header row, the class last."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from qcore import Dataset
from qcore.datasets.dataset import as_labels

POSITIVES: Mapping[str, tuple[str, ...]] = {
    "spambase": ("1",),
    "htru2": ("1",),
    "winetype": ("red",),
    "occupancy": ("1",),
    "letter": ("A", "E", "I", "O", "U"),
    "anuran_family2": ("Hylidae",),
    "mozilla4": ("2",),
    "nomao": ("1",),
    "bng_breast_w": ("2",),
}
"""Data set -> positive classes: the ones that the paper names, else the smaller class."""


def table_of(folder: Path, key: str) -> pd.DataFrame:
    """The file `key` with its classes as text. Ends the program when it is not there."""
    path = next((path for path in (folder / f"{key}.csv", folder / f"{key}.csv.gz") if path.exists()), None)
    if path is None:
        raise SystemExit(f"{key}.csv or {key}.csv.gz is not in {folder}. Name the folder that has it: --data FOLDER.")
    return pd.read_csv(path, dtype={"class": str})


def read(folder: Path, key: str) -> Dataset:
    """The binary problem `key`; its classes are called positive and negative. Ends the program when the file is not there."""
    table = table_of(folder, key)
    positive = table["class"].isin(POSITIVES[key])
    return Dataset(
        key=key,
        name=key,
        features=table.drop(columns="class").astype(float),
        labels=as_labels(positive.map({True: "positive", False: "negative"})),
        description="",
        source=str(folder),
        citation="",
        roles={key: "positive"},
        default_positive="positive",
    )
