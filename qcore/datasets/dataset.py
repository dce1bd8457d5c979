"""A data set: its frozen record, the reference by which it is loaded, and the order of its classes."""

import copy
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.validation import (
    BoolArray,
    FloatArray,
    IntArray,
    InvalidInput,
    check_choice,
    check_kind,
    check_several,
    is_one_of,
)
from qcore.datasets.preparation import MISSING_VALUE, prepared

NO_ORDER = "none"
"""What the user types for classes without an order."""


def guessed_order(classes: Sequence[str]) -> tuple[str, ...]:
    """The classes by value if they are three whole numbers or more; else they have no order that could be guessed, ().

    Examples
    --------
    >>> guessed_order(["3", "10", "4"]), guessed_order(["low", "mid", "high"])
    (('3', '4', '10'), ())
    """
    if len(classes) < 3 or not all(re.fullmatch(r"[+-]?[0-9]{1,15}", name) for name in classes):
        return ()
    return tuple(sorted(classes, key=int))


def check_order(order: Sequence[str], classes: Sequence[str]) -> tuple[str, ...]:
    """Return the order, or raise InvalidInput unless it is an empty list or one that names each class once."""
    names = check_several("the order of the classes", order)
    if names and sorted(names, key=str) != sorted(classes):
        got = " < ".join(one if isinstance(one, str) else repr(one) for one in names)[:100]
        rule = f"name each of {', '.join(classes[:12])}{', ...' if len(classes) > 12 else ''} once"
        raise InvalidInput("the order of the classes", rule, got, f"Write for example: {' < '.join(classes[:12])}")
    return tuple(names)


def typed_order(text: str, classes: Sequence[str]) -> tuple[str, ...]:
    """The order in a text such as "low < mid < high", or with commas; () for "none". Raises InvalidInput.

    Examples
    --------
    >>> typed_order("low < mid < high", ["high", "low", "mid"]), typed_order("none", ["high", "low", "mid"])
    (('low', 'mid', 'high'), ())
    """
    if text.strip().lower() == NO_ORDER and NO_ORDER not in classes:
        return ()
    separator = "<" if "<" in text else ","
    return check_order([word.strip() for word in text.split(separator) if word.strip()] or [text.strip()], classes)


BUNDLED = "bundled"


@dataclass(frozen=True)
class DatasetReference:
    """A data set by its source and its name there; as a string, it is the word used in links and by `load_dataset`.

    Attributes
    ----------
    source : "bundled", or a key of SOURCES, such as "keel".
    name : such as "waveform", "magic", "letter.csv.gz".
    owner : the owner of a private data set, who alone can load it; never written out.

    Examples
    --------
    >>> str(DatasetReference("bundled", "iris")), str(DatasetReference.parse("keel:magic"))
    ('iris', 'keel:magic')
    """

    source: str
    name: str
    owner: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.name if self.source == BUNDLED else f"{self.source}:{self.name}"

    @classmethod
    def parse(cls, word: str) -> "DatasetReference":
        """The reference that a word spells. Raises InvalidInput if `word` is not a string, is empty or ends after the colon."""
        check_kind("data set", word, str, "Write for example 'iris', or 'keel:magic'.")
        source, colon, name = word.partition(":")
        if not word or (colon and not name):
            raise InvalidInput(
                "data set", "be a name, or a source and a name there", repr(word), "Write for example iris, or keel:magic."
            )
        return cls(source, name) if colon else cls(BUNDLED, word)


@dataclass(frozen=True)
class Dataset:
    """A labelled data set.

    Attributes
    ----------
    key : the key by which it is loaded; empty if it was made from a table.
    name : what it is called in sentences.
    features : DataFrame of shape (n, n_features); a nominal feature is a column of strings, listed in `nominal`. A missing
        number is NaN: a classifier gets the median of the training part instead.
    labels : object array, shape (n,): the class of each instance, as a string.
    description, source, citation : what the instances are, where they come from, and what to cite; each may be empty.
    default_positive : the positive class that a page starts with; the rarest if none is given.
    notes : sentences on what was left out on reading.
    are_scores : whether the features are scores by the user's own classifier: one feature of `default_positive`, or, of three
        classes or more, one of each class in the order of `classes`.
    in_training : shape (n,), which rows are the training part, if the data set defines it; the others are the pool.
    order : the classes in their order, lowest first; () if they have none; None to guess it (see `guessed_order`).
    text : the only feature, if it holds sentences, from whose words a classifier learns; else empty.
    reference : the reference by which it was loaded; None if it was made in another way, or is a part of a data set.

    Raises
    ------
    InvalidInput
        The features are not a DataFrame, the labels are not an array or not as many as the instances, there are fewer than two
        classes, or the order does not name each class once.

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
    description: str = ""
    source: str = ""
    citation: str = ""
    default_positive: str = ""
    nominal: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    are_scores: bool = False
    in_training: BoolArray | None = field(default=None, repr=False)
    order: tuple[str, ...] | None = None
    text: str = ""
    reference: DatasetReference | None = field(default=None, init=False, repr=False, compare=False)

    def loaded_by(self, reference: DatasetReference) -> "Dataset":
        """The same data set, with the reference by which it was loaded."""
        loaded = copy.copy(self)
        object.__setattr__(loaded, "reference", reference)
        return loaded

    def __post_init__(self) -> None:
        check_kind("features", self.features, pd.DataFrame, "Write pd.DataFrame(values, columns=names).")
        check_kind("labels", self.labels, np.ndarray, "Write Dataset.from_frame(table, label='y').")
        if len(self.features) != len(self.labels):
            raise InvalidInput(
                "labels", f"have {len(self.features)} entries", str(len(self.labels)), "Pass one label for each instance."
            )
        if len(self.classes) < 2:
            raise InvalidInput("labels", "hold at least 2 classes", str(list(self.classes)), "Use another label column.")
        if self.order is not None:
            object.__setattr__(self, "order", check_order(self.order, self.classes))
        if not self.default_positive:
            object.__setattr__(self, "default_positive", min(self.classes, key=lambda name: self.class_counts[name]))

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, label: str, **more: Any) -> "Dataset":
        """A data set from a table, whose column `label` holds the classes; `more` are other attributes, such as `name`.

        Numbers stay numbers, text with few values becomes nominal, and columns that are not features are left out (`notes`).
        Raises InvalidInput for an unknown column or positive class, invalid labels, or a table without features.

        Examples
        --------
        >>> import pandas as pd
        >>> table = pd.DataFrame({"x": [1, 2, 3, 4], "colour": ["r", "g", "r", "g"], "y": ["no", "no", "no", "yes"]})
        >>> data = Dataset.from_frame(table, label="y")
        >>> data.nominal, data.default_positive
        (('colour',), 'yes')
        """
        table = prepared(frame, label)
        given = {"key": "", "name": "table", **more}
        notes = (*table.notes, *given.pop("notes", ()))
        made = cls(features=table.features, labels=table.labels, nominal=table.nominal, notes=notes, **given)
        check_choice("default_positive", made.default_positive, made.classes, "be a class of the table, as text")
        return made

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes, sorted (numbers by value)."""
        return tuple(sorted({str(label) for label in self.labels}, key=natural_order))

    @property
    def class_order(self) -> tuple[str, ...]:
        """The classes in their order, lowest first, or () if they have none; guessed for whole numbers."""
        return guessed_order(self.classes) if self.order is None else self.order

    @cached_property
    def class_counts(self) -> Mapping[str, int]:
        """Class -> number of instances, in the order of `classes`."""
        counts = pd.Series(self.labels).value_counts()
        return {name: int(counts[name]) for name in self.classes}

    def binary_labels(self, positive: str) -> IntArray:
        """1 for `positive`, 0 for the rest, shape (n,). Raises InvalidInput for an unknown class."""
        if not is_one_of(positive, self.classes):
            got = repr(positive) if isinstance(positive, str) else f"the {type(positive).__name__} {positive!r}"
            raise InvalidInput("positive", f"be a class of {self.name}", got, f"Choose one of: {', '.join(self.classes)}.")
        return (self.labels == positive).astype(np.intp)

    def subset(self, rows: IntArray) -> "Dataset":
        """The data set with only these rows, (n_rows,), in this order; `in_training` and classes without a row are dropped."""
        features, labels = self.features.iloc[rows].reset_index(drop=True), self.labels[rows]
        order = None if self.order is None else tuple(name for name in self.order if name in set(labels))
        return replace(self, features=features, labels=labels, in_training=None, order=order)

    def numeric_features(self, sample: pd.DataFrame | None = None) -> FloatArray:
        """All features as numbers, (n, n_columns): nominal ones as a column of 0 and 1 for each of their values.

        Missing numbers are set to the median of their column. Given a `sample` with the same features, as from `aligned`,
        returns the sample's values in the same columns, (m, n_columns). Raises InvalidInput for sentences.
        """
        if self.text:
            hint = "Choose a table of features, or scores."
            raise InvalidInput("features", "be numbers or names", f"the sentences of {self.text}", hint)
        columns = _numeric(self.features, self.nominal)
        result = columns
        if sample is not None:
            result = _numeric(sample, self.nominal).reindex(columns=columns.columns)
            added = [name for name in columns.columns if name not in self.features.columns]
            result[added] = result[added].fillna(0.0)
        return result.fillna(columns.median()).to_numpy(dtype=np.float64)

    @property
    def trains_any_classifier(self) -> bool:
        """Whether any classifier can be trained on it: scores are given, and words have a classifier of their own."""
        return not self.are_scores and not self.text

    @cached_property
    def are_decisions(self) -> bool:
        """Whether the given scores are decisions: only 0 and 1."""
        return self.are_scores and bool(self.features.isin((0.0, 1.0)).to_numpy().all())

    @cached_property
    def n_columns(self) -> int:
        """Number of columns as classifiers see them: each value of a nominal feature has its own column."""
        return len(self.features.columns) + sum(self.features[name].nunique() - 1 for name in self.nominal)

    @cached_property
    def n_missing(self) -> int:
        """Number of missing values: numbers that are NaN, and nominal values equal to MISSING_VALUE."""
        nominal = self.features[list(self.nominal)]
        return int(self.features.isna().to_numpy().sum() + (nominal == MISSING_VALUE).to_numpy().sum())


def _numeric(features: pd.DataFrame, nominal: Sequence[str]) -> pd.DataFrame:
    # The separator is a character that no name contains: beside sex, with a value f, there may be a feature sex_f.
    return pd.get_dummies(features, columns=list(nominal), dtype=float, prefix_sep="\x1f")


def check_dataset(dataset: object) -> None:
    """Raise InvalidInput for anything but a Dataset, such as a data set's key.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> check_dataset(load_dataset("iris"))
    """
    check_kind("dataset", dataset, Dataset, "For a registered one write load_dataset('wdbc').")


def natural_order(label: str) -> tuple[int, float, str]:
    """What classes are sorted by: numbers by value, then words."""
    try:
        number = float(label)
    except ValueError:
        return (1, 0.0, label)
    return (1, 0.0, label) if math.isnan(number) else (0, number, label)
