"""The frozen record that a data set is: features, labels, classes, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray, InvalidInput


@dataclass(frozen=True)
class Dataset:
    """A labelled data set.

    Attributes
    ----------
    features : DataFrame of shape (n, n_features); a nominal feature is a column of strings, listed in `nominal`.
    labels : object array, shape (n,): the class of each instance, as a string.
    roles : name of a binary problem -> its positive class, as the thesis sets them (Barranquero 2013, Table 5.2).
    default_positive : the positive class that a page starts with.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> iris = load_dataset("iris")
    >>> iris.features.shape, iris.classes, iris.default_positive
    ((150, 4), ('setosa', 'versicolor', 'virginica'), 'virginica')
    """

    key: str
    name: str
    features: pd.DataFrame = field(repr=False)
    labels: np.ndarray = field(repr=False)
    description: str
    source: str
    citation: str
    roles: Mapping[str, str]
    default_positive: str
    nominal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.features) != len(self.labels):
            raise InvalidInput(
                "labels", f"have {len(self.features)} entries", str(len(self.labels)), "One label for each instance."
            )
        if len(self.classes) < 2:
            raise InvalidInput("labels", "hold at least 2 classes", str(list(self.classes)), "Use another label column.")

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes, sorted (numbers by value)."""
        return tuple(sorted({str(label) for label in self.labels}, key=_natural_order))

    @cached_property
    def class_counts(self) -> Mapping[str, int]:
        """Class -> number of instances, in the order of `classes`."""
        return {name: int(np.sum(self.labels == name)) for name in self.classes}

    def binary_labels(self, positive: str) -> IntArray:
        """1 for `positive`, 0 for the rest, shape (n,). Raises InvalidInput for an unknown class."""
        if positive not in self.classes:
            raise InvalidInput(
                "positive", f"be a class of {self.name}", repr(positive), f"Choose one of: {', '.join(self.classes)}."
            )
        return (self.labels == positive).astype(np.intp)

    def subset(self, rows: IntArray) -> Dataset:
        """The data set of some of the rows, (n_rows,), in that order."""
        return replace(self, features=self.features.iloc[rows].reset_index(drop=True), labels=self.labels[rows])

    def numeric_features(self) -> FloatArray:
        """All features as numbers, (n, n_columns): nominal ones as a column of 0 and 1 for each of their values."""
        return pd.get_dummies(self.features, columns=list(self.nominal), dtype=float).to_numpy(dtype=np.float64)


def check_dataset(dataset: object) -> None:
    """Raise InvalidInput for anything but a Dataset, such as the key of one."""
    if not isinstance(dataset, Dataset):
        raise InvalidInput("dataset", "be a Dataset", repr(dataset)[:60], "For a registered one write load_dataset('wdbc').")


def _natural_order(label: str) -> tuple[int, float, str]:
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def as_labels(values: np.ndarray | pd.Series | list[object]) -> np.ndarray:
    """Any class labels (strings, {1, 2}, booleans) as an object array of strings, shape (n,)."""
    return np.array([str(value) for value in values], dtype=object)
