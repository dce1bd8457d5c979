"""A table over time -> batches: one row per instance with its prediction, or one row per batch with its counts."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore._base.validation import IntArray, InvalidInput, check_choice
from qcore.datasets.distinct_values import over_distinct
from qcore.datasets.preparation import check_distinct_columns
from qcore.datasets.table_columns import BATCH_NAMES
from qcore.intervals.labelled_sample_table import PREDICTION_NAMES, check_spelling, named_positive, usual_positive
from qcore.watching.batch_order import batch_order

_OF_A_YEAR: Final = ("week", "month", "quarter")
"""Columns that may need a column of the year beside them."""
_POSITIVES: Final = ("positives", "predicted positives", "predicted_positives", "count", "x")
_TOTAL: Final = (
    r"(?:(?:grand |sub-?)?totals?|total general|totales|suma?(?: total)?|(?:gesamt)?summe|gesamt|insgesamt|overall|all)\s*:?"
)
"""Names of a row with the totals of the other rows."""
_SIZES: Final = ("size", "instances", "total", "n", "m")


@dataclass(frozen=True)
class Batches:
    """Names (n,), in the order of time, predicted positives (n,) and sizes (n,); `positive` is the class that is counted.

    `in_time` is False where names tell no order: then batches stand as in the table. `classes` are the predicted classes; empty
    for a table of counts.
    """

    names: np.ndarray
    positives: IntArray
    sizes: IntArray
    positive: str = "positive"
    in_time: bool = True
    classes: tuple[str, ...] = ()


def read_batches(table: pd.DataFrame, *, batch: str = "", prediction: str = "", positive: str = "") -> Batches:
    """The batches of a table, in the order of their numbers or dates, else as they stand, which `in_time` says.

    Parameters
    ----------
    batch : the column of dates or numbers of batches; by default one with a usual name, or a year with its week, month
        or quarter. Dates with a time count by day.
    prediction : the column of predicted classes, one row per instance; by default columns "positives" and "size", one row per
        batch, are looked for, then a column called "prediction".
    positive : the class whose share is watched; by default that called 1, true, yes, positive, right or correct, or the rarest.

    Raises
    ------
    InvalidInput
        Missing or repeated columns; a row without a batch or a prediction, or with a total; scores instead of
        predicted classes; an unknown class, or one in several spellings; a count below 0, or above its size; dates that cannot
        be read, or that can be read in two ways.

    Examples
    --------
    >>> weeks = pd.DataFrame({"week": [1, 1, 1, 2, 2], "prediction": ["yes", "no", "no", "yes", "yes"]})
    >>> read_batches(weeks).positives.tolist(), read_batches(weeks).sizes.tolist()
    ([1, 2], [3, 2])
    """
    names = {str(name).strip().lower(): str(name) for name in table.columns}
    table = table.set_axis([str(name) for name in table.columns], axis=1)
    check_distinct_columns(table)
    usual = next((word for word in BATCH_NAMES if word in names), "")
    part = next((word for word in _OF_A_YEAR if word in names), "")
    if not batch and part and "year" in names and usual in (*_OF_A_YEAR, "year"):
        table, batch = _with_year(table, names["year"], names[part])
    order, in_time = _order(table, batch or names.get(usual, ""))
    positives, sizes = (next((names[word] for word in words if word in names), "") for words in (_POSITIVES, _SIZES))
    called = next((names[word] for word in PREDICTION_NAMES if word in names), "")
    counted_in_letters = max(len(positives), len(sizes)) == 1
    if not prediction and positives and sizes and not (called and counted_in_letters):
        if positive:
            way_out = "Leave it out, or name the column of predictions, too."
            raise InvalidInput("the positive class", "be named for predictions, not for counts", repr(positive), way_out)
        sums = _counts(table, positives, sizes).groupby(order, sort=True).sum()
        counts = [np.asarray(sums[name], dtype=np.intp) for name in (positives, sizes)]
        return Batches(sums.index.to_numpy(), counts[0], counts[1], in_time=in_time)
    words = _predictions(table, prediction or called or names.get("class", ""))
    counted = _positive(words, positive)
    grouped = (words == counted).groupby(order, sort=True)
    found, totals = grouped.sum(), grouped.size()
    counts = [np.asarray(one, dtype=np.intp) for one in (found, totals)]
    return Batches(found.index.to_numpy(), counts[0], counts[1], counted, in_time, tuple(sorted(words.unique())))


def _with_year(table: pd.DataFrame, year: str, part: str) -> tuple[pd.DataFrame, str]:
    """(the table, its column of batches): with a column of both if the part of a year does not name its year, else the part.

    Both are 2024-03 of a month, 2024-W03 of a week, 2024-Q3 of a quarter; a month in words stands before its year.
    """
    kind = part.strip().lower()
    years = pd.to_numeric(table[year], errors="coerce")
    words = table[part].map(lambda value: f"{value:g}" if isinstance(value, float) else str(value).strip())
    if years.isna().any() or (years % 1 != 0).any() or table[part].isna().any() or words.str.contains(r"\d{4}").any():
        return table, part
    written, name = years.astype(np.intp).astype(str), f"year and {kind}"
    numbers = words.str.extract(r"^(?:k?w|week|month|q|quarter)?\s*(\d{1,2})$", flags=re.IGNORECASE)[0]
    if numbers.isna().any():
        return table.assign(**{name: words + " " + written}), name
    mark, width = {"week": ("W", 2), "month": ("", 2), "quarter": ("Q", 1)}[kind]
    return table.assign(**{name: written + f"-{mark}" + numbers.str.lstrip("0").str.zfill(width)}), name


def _predictions(table: pd.DataFrame, column: str) -> pd.Series:
    """The predicted class of each row."""
    if not column:
        rule = 'have a column of predicted classes, called "prediction", or the columns "positives" and "size"'
        raise InvalidInput("a table", rule, "none", "Rename the column, or say which one it is.")
    check_choice("the column of the prediction", column, list(table.columns), "be a column of the table")
    values = _without_gaps(table, column, "a prediction")
    if pd.api.types.is_float_dtype(values) and (fractions := values[values % 1 != 0]).size:
        way_out = "Decide at your threshold: 1 for scores of at least that, else 0."
        raise InvalidInput(f"the column {column}", "hold predicted classes, not scores", f"{fractions.iloc[0]:g}", way_out)
    return over_distinct(values, lambda words: words.astype(str).str.strip())


def _without_gaps(table: pd.DataFrame, column: str, what: str) -> pd.Series:
    values = table[column]
    if values.isna().any():
        row = int(values.isna().to_numpy().argmax()) + 1
        raise InvalidInput(f"the column {column}", f"have {what} in every row", f"none in row {row}", "Leave the row out.")
    return values


def _order(table: pd.DataFrame, column: str) -> tuple[pd.Series, bool]:
    """The batch of each row, and whether its order in time is known."""
    if not column:
        rule = 'have a column of batches, called "batch", "date" or "week"'
        raise InvalidInput("a table", rule, "none", "Rename the column, or say which one it is.")
    check_choice("the column of batches", column, list(table.columns), "be a column of the table")
    batches = _without_gaps(table, column, "a batch")
    added = over_distinct(batches, lambda names: names.astype(str).str.strip().str.fullmatch(_TOTAL, case=False))
    if added.any() and not added.all():
        row = int(added.to_numpy().argmax())
        got = f"{batches.iloc[row]} in row {row + 1}"
        raise InvalidInput(f"the column {column}", "hold batches, not their sum", got, "Leave the row out.")
    return batch_order(batches, column)


def _whole(table: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    numbers = table[columns].apply(pd.to_numeric, errors="coerce")
    for column in columns:
        wrong = numbers[column].isna() | (numbers[column] % 1 != 0)
        if wrong.any():
            at = int(wrong.to_numpy().argmax())
            got = f"{table[column].iloc[at]} in row {at + 1}"
            raise InvalidInput(f"the column {column}", "hold whole numbers", got, "Correct it, or leave the row out.")
    return numbers.astype(np.intp)


def _counts(table: pd.DataFrame, positives: str, sizes: str) -> pd.DataFrame:
    """The counts of each row, which are checked before rows of one batch are added up."""
    numbers = _whole(table, [positives, sizes])
    wrong = (numbers[positives] < 0) | (numbers[positives] > numbers[sizes])
    if wrong.any():
        at = int(wrong.to_numpy().argmax())
        got = f"{numbers[positives].iloc[at]} of {numbers[sizes].iloc[at]} in row {at + 1}"
        raise InvalidInput(f"the column {positives}", f"lie between 0 and {sizes}", got, "Correct it, or leave the row out.")
    return numbers


def _positive(words: pd.Series, positive: str) -> str:
    classes = sorted(words.unique())
    counted = named_positive(classes, positive) if positive else usual_positive(classes, words.to_numpy())
    if positive != counted:
        check_spelling(classes, counted)
    return counted
