"""Reads data sets from a folder of CSV files with a header row and the class in the last column."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from qcore import Dataset
from qcore.datasets.preparation import as_labels

POSITIVES: Mapping[str, tuple[str, ...]] = {
    "spambase": ("1",),
    "htru2": ("1",),
    "winetype": ("red",),
    "occupancy": ("1",),
    "winequality": ("6", "7", "8", "9"),
    "letter": ("A", "E", "I", "O", "U"),
    "anuran_family2": ("Hylidae",),
    "mozilla4": ("2",),
    "nomao": ("1",),
    "bng_breast_w": ("2",),
    "aedes_sex": ("1",),
    "arabic_digit": ("1",),
    "handwritten_qg": ("2",),
}
"""Data set -> positive classes: the ones that the paper names, else the smaller class; of wine, a quality above 5."""

NAMES: Mapping[str, str] = {
    "spambase": "Spambase",
    "htru2": "HTRU2",
    "winetype": "Wine Type",
    "occupancy": "Occupancy Detection",
    "winequality": "Wine Quality",
    "letter": "Letter Recognition",
    "anuran_family2": "Anuran Calls",
    "mozilla4": "Mozilla4",
    "nomao": "Nomao",
    "bng_breast_w": "BNG",
    "aedes_sex": "AedesSex",
    "arabic_digit": "ArabicDigit",
    "handwritten_qg": "Handwritten-QG",
}
"""Data set -> its name in Table 2 of the paper; its BNG(vote) is BNG(breast-w)."""

PARTS: Mapping[str, tuple[str, ...]] = {"winequality": ("winequality_red", "winequality_white")}
"""Data set -> its files, for data sets that are not a single file of the same name."""


def _file(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / f"{name}.csv", folder / f"{name}.csv.gz") if path.exists()), None)


def names_in(folder: Path) -> list[str]:
    """The data sets whose files are all in the folder."""
    return [key for key in POSITIVES if all(_file(folder, part) for part in PARTS.get(key, (key,)))]


def table_of(folder: Path, key: str) -> pd.DataFrame:
    """The data set `key` with its classes as text. Ends the program when a file is not there."""
    if key in PARTS:
        return pd.concat([table_of(folder, part) for part in PARTS[key]], ignore_index=True)
    path = _file(folder, key)
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
        source=str(folder),
        default_positive="positive",
    )
