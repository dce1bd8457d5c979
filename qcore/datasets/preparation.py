"""A raw table -> features and labels: which columns are numbers, which are nominal, and which are not features."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from qcore._base.validation import BoolArray, IntArray, InvalidInput, check_kind
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.written_numbers import is_code_for_no_label

_OF_ONE_KIND = frozenset(("string", "integer", "floating", "boolean", "categorical"))
"""What pandas calls values that are equal only where they are also written alike: 1 and True are equal, too."""


def at_distinct(values: np.ndarray | pd.Series | Iterable[object], function: Callable[[object], str]) -> np.ndarray:
    """The words that a function makes of values, as an object array, (n,).

    Examples
    --------
    >>> at_distinct(np.array(["b", "a", "b"], dtype=object), str.upper).tolist()
    ['B', 'A', 'B']
    """
    if isinstance(values, np.ndarray | pd.Series) and pd.api.types.infer_dtype(values, skipna=False) in _OF_ONE_KIND:
        codes, distinct = pd.factorize(values, use_na_sentinel=False)
        return np.array([function(value) for value in distinct], dtype=object)[codes]
    return np.array([function(value) for value in values], dtype=object)


def over_distinct(values: pd.Series, function: Callable[[pd.Series], pd.Series]) -> pd.Series:
    """An elementwise function of a column, computed only for its distinct values, (n,), with the column's index.

    Examples
    --------
    >>> over_distinct(pd.Series(["b ", "a", "b "]), lambda words: words.str.strip()).tolist()
    ['b', 'a', 'b']
    """
    codes, distinct = pd.factorize(values, use_na_sentinel=False)
    return function(pd.Series(distinct)).take(codes).set_axis(values.index)


MAX_CLASSES = 100
MAX_NOMINAL_VALUES = 50
"""A text column with more distinct values is not a nominal feature, but names, dates or free text."""

LARGEST_NUMBER = 1e150
"""Largest absolute value of a number: the sum of millions of squares of such numbers is still finite."""

_NUMBERS = ("integer", "floating", "mixed-integer-float")
"""What pandas calls objects that are numbers."""
_LOOKED_AT = 200
"""At most this many text columns are checked for columns that were meant to hold numbers."""
_MOST_NAMED = 3
_FEW_WORDS = 0.2
"""A text column was probably meant to hold numbers if a smaller share of its values are not numbers."""
_MOST_SHOWN = 5
_WORDS_OF_TEXT = 3
"""A value of this many words is a sentence, or a part of one."""
_FIRST = 500
MISSING_VALUE = "missing"
"""The value that a missing nominal value gets: it counts as a separate value."""


class PreparedTable(NamedTuple):
    """Features (nominal ones as strings), labels as strings, names of the nominal features, and what was left out."""

    features: pd.DataFrame
    labels: np.ndarray
    nominal: tuple[str, ...]
    notes: tuple[str, ...]


def prepared(frame: pd.DataFrame, label: str) -> PreparedTable:
    """Split a table into features and labels. Raises InvalidInput as `Dataset.from_frame`."""
    check_kind("table", frame, pd.DataFrame, "Write pd.DataFrame(values, columns=names).")
    frame, label = frame.rename(columns=str), str(label)
    check_distinct_columns(frame)
    if label not in frame.columns:
        known = ", ".join(str(column) for column in frame.columns[:10])
        raise InvalidInput("label", "be a column of the table", repr(label), f"Choose one of: {known}.")
    frame = frame.reset_index(drop=True)
    labelled = is_labelled(frame[label])
    columns, rows = frame.drop(columns=label)[labelled].reset_index(drop=True), np.flatnonzero(labelled)
    for name in [one for one in columns if columns[one].dtype == object]:
        columns[name] = _as_numbers(columns[name])
    labels = as_labels(frame[label][labelled])
    _check_labels(label, labels)
    notes = [*sentences_on_reading(frame), *without_label_sentence(int((~labelled).sum()))]
    notes += _spellings(labels) + _codes(labels)
    features, nominal, left_out = _features(columns, rows)
    notes += _hardly_words(columns[nominal + left_out], rows)
    if left_out:
        notes.append(
            f"Left out, not features (constant, text with more than {MAX_NOMINAL_VALUES} values, or neither numbers nor text): "
            f"{_named(columns[left_out])}."
        )
    if not features:
        if texts := [str(name) for name in left_out if is_free_text(columns[name])]:
            raise InvalidInput.sentence(
                f"The column {texts[0][:40]} is free text, and no other column is a feature: read the table as texts, to "
                "learn from their words, or bring the scores of your own classifier."
            )
        raise InvalidInput("table", "have a feature", "none", "A feature is a column of numbers, or of text with few values.")
    table = pd.DataFrame(features)
    n_infinite = sum(int(np.isinf(columns[name].astype(float)).sum()) for name in features if name not in nominal)
    if n_infinite:
        notes.append(f"{n_infinite:,} infinite values are taken as missing.")
    n_missing = int(columns[list(features)].isna().to_numpy().sum())
    if n_missing:
        lacks = "1 value is" if n_missing == 1 else f"{n_missing:,} values are"
        notes.append(f"{lacks} missing: numbers get the median of the training part, text a value of its own.")
    return PreparedTable(table, labels, tuple(nominal), tuple(notes))


def check_distinct_columns(frame: pd.DataFrame) -> None:
    """Raise InvalidInput for a table with two columns of the same name."""
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise InvalidInput("the columns of a table", "have distinct names", f"{twice!r} twice", "Rename one of them.")


def is_labelled(labels: pd.Series) -> BoolArray:
    """Which rows have a class, (n,)."""
    given: BoolArray = (labels.notna() & (labels.astype(str).str.strip() != "")).to_numpy(dtype=bool)
    return given


def as_labels(values: np.ndarray | pd.Series | list[object]) -> np.ndarray:
    """Any class labels (strings, {1, 2}, booleans) as an object array of strings, shape (n,); 1.0 becomes 1."""
    return at_distinct(values, _word)


def _word(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _check_labels(label: str, labels: np.ndarray) -> None:
    counts = pd.Series(labels).value_counts()
    if not 2 <= len(counts) <= MAX_CLASSES:
        hint = "Choose a column that says the class of each row."
        raise InvalidInput(f"label column {label!r}", f"hold 2 to {MAX_CLASSES} classes", f"{len(counts):,}", hint)


def _spellings(labels: np.ndarray) -> list[str]:
    """A sentence if classes differ only in capitals."""
    spelt: dict[str, str] = {}
    for name in sorted(set(labels)):
        if (other := spelt.setdefault(name.lower(), name)) != name:
            return [f"Classes differ only in capitals: {other} and {name}. If they are one, write them alike."]
    return []


def _codes(labels: np.ndarray) -> list[str]:
    """A sentence for each class that may be a code for no label, where there are two others."""
    counts = Counter(labels)
    return [
        f"The class {name!r} of {n:,} row{'s' if n > 1 else ''} may say that there is no label: if so, empty those cells."
        for name, n in sorted(counts.items())
        if len(counts) > 2 and is_code_for_no_label(name, counts)
    ]


def _hardly_words(columns: pd.DataFrame, rows: IntArray) -> list[str]:
    """A sentence for each of the first text columns whose values are numbers except for a few: how many, and an example."""
    notes = []
    for name in columns.columns[:_LOOKED_AT]:
        known = columns[name].notna()
        words = known & pd.to_numeric(columns[name].astype(str), errors="coerce").isna()
        if 0 < words.sum() < _FEW_WORDS * known.sum():
            at = int(words.to_numpy().argmax())
            notes.append(
                f"{str(name)[:40]} is taken as words: {words.sum():,} of its {known.sum():,} values are not numbers, such as "
                f"{str(columns[name].iloc[at])[:20]!r} in row {rows[at] + 1:,}."
            )
    return notes[:_MOST_NAMED]


def _features(columns: pd.DataFrame, rows: IntArray) -> tuple[dict[str, pd.Series], list[str], list[str]]:
    """(features, names of the nominal ones, names of the columns left out); `rows` are the row numbers in the whole table."""
    features: dict[str, pd.Series] = {}
    nominal, left_out = [], []
    for name in columns.columns:
        column = columns[name]
        if pd.api.types.is_bool_dtype(column) or pd.api.types.is_numeric_dtype(column):
            values = column.astype(float).replace([np.inf, -np.inf], np.nan)
            check_size(str(name), values, rows)
            if values.min() < values.max():
                features[str(name)] = values
                continue
        elif 1 < n_values(column) <= MAX_NOMINAL_VALUES:
            features[str(name)] = column.astype(object).where(column.notna(), MISSING_VALUE).map(str)
            nominal.append(str(name))
            continue
        left_out.append(str(name))
    return features, nominal, left_out


def _as_numbers(column: pd.Series) -> pd.Series:
    """A column of objects that are all numbers, as floats; any other column, such as truth values with gaps, as it is."""
    if column.dtype != object or pd.api.types.infer_dtype(column, skipna=True) not in _NUMBERS:
        return column
    try:
        return column.where(column.notna(), np.nan).astype(float)
    except OverflowError:
        return column


def check_size(name: str, values: pd.Series, rows: IntArray | None = None) -> None:
    """Raise InvalidInput for a column with a number too large to be squared: no classifier can use it.

    `rows` are the row numbers of the values in the table, if `values` are only a part of it.
    """
    sizes = values.abs()
    if sizes.max() > LARGEST_NUMBER:
        row = int(sizes.to_numpy(dtype=np.float64, na_value=0.0).argmax())
        result = f"{float(values.iloc[row])!r} in row {(row if rows is None else int(rows[row])) + 1:,}"
        hint = "Leave the column out; if the number marks a missing value, empty the field."
        raise InvalidInput(f"column {name!r}", f"hold numbers up to {LARGEST_NUMBER:g} in size", result, hint)


def is_free_text(column: pd.Series) -> bool:
    """Whether a column holds sentences: more distinct values than a nominal feature may have, mostly of several words each."""
    if pd.api.types.is_numeric_dtype(column) or n_values(column) <= min(MAX_NOMINAL_VALUES, len(column) // 2):
        return False
    several = [isinstance(one, str) and len(one.split()) >= _WORDS_OF_TEXT for one in column.dropna().head(_FIRST)]
    return len(several) > 0 and sum(several) > len(several) / 2


def n_values(column: pd.Series) -> int:
    """Number of distinct values; 0 for lists and the like, which cannot be values of a feature."""
    try:
        return int(column.nunique())
    except TypeError:
        return 0


def without_label_sentence(n_rows: int) -> list[str]:
    """A sentence on the rows without a label; none for no rows."""
    has = "rows have" if n_rows > 1 else "row has"
    return [f"{n_rows:,} {has} no label: nothing is learnt from {'them' if n_rows > 1 else 'it'}."] if n_rows else []


def _named(columns: pd.DataFrame) -> str:
    """The names of columns, the first ones of words with an example."""
    shown = []
    for name in columns.columns[:_MOST_SHOWN]:
        example = next((value for value in columns[name] if isinstance(value, str)), "")
        shown.append(f"{name[:40]} (such as {example[:20]!r})" if example else name[:40])
    more = columns.shape[1] - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
