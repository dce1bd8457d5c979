"""Batches of a share over time: as they are read, ordered and named, and as they are simulated."""

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import IntArray, InvalidInput, check_choice, check_fraction, check_integer
from qcore.datasets.preparation import check_distinct_columns, over_distinct
from qcore.datasets.table_columns import BATCH_NAMES
from qcore.datasets.time_order import batch_order
from qcore.intervals.labelled_sample import PREDICTION_NAMES, check_spelling, named_positive, usual_positive
from qcore.watching.watched_share import compared_with_baseline

_OF_A_YEAR = ("week", "month", "quarter")
"""Columns that may need a column of the year beside them."""
_POSITIVES = ("positives", "predicted positives", "predicted_positives", "count", "x")
_TOTAL = (
    r"(?:(?:grand |sub-?)?totals?|total general|totales|suma?(?: total)?|(?:gesamt)?summe|gesamt|insgesamt|overall|all)\s*:?"
)
"""Names of a row with the totals of the other rows."""
_SIZES = ("size", "instances", "total", "n", "m")


@dataclass(frozen=True)
class Batches:
    """Names (n,), in the order of time, predicted positives (n,) and sizes (n,); `positive` is the class that is counted.

    `in_time` is False where names tell no order: then batches stand as in the table. `classes` are the predicted classes; empty
    for a table of counts. `notes`: sentences on batches and rows that are left out, and on predictions of a third kind.

    Examples
    --------
    >>> Batches(np.array(["may", "june"]), np.array([30, 45]), np.array([100, 100])).positives.tolist()
    [30, 45]
    """

    names: np.ndarray
    positives: IntArray
    sizes: IntArray
    positive: str = "positive"
    in_time: bool = True
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_batches(
    table: pd.DataFrame, *, batch: str = "", prediction: str = "", positive: str = "", leave_out: Collection[str] = ()
) -> Batches:
    """The batches of a table, in the order of their numbers or dates, else as they stand, which `in_time` says.

    Parameters
    ----------
    batch : the column of dates or numbers of batches; by default one with a usual name, or a year with its week, month
        or quarter. Dates with a time count by day.
    prediction : the column of predicted classes, one row per instance; by default columns "positives" and "size", one row per
        batch, are looked for, then a column called "prediction".
    positive : the class whose share is watched; by default that called 1, true, yes, positive, right or correct, or the rarest.
    leave_out : predictions whose rows are left out, such as unsure; so are batches without an instance (see `Batches.notes`).

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
            hint = "Leave it out, or name the column of predictions, too."
            raise InvalidInput("the positive class", "be named for predictions, not for counts", repr(positive), hint)
        sums = _counts(table, positives, sizes).groupby(order, sort=True).sum()
        empty = [str(name) for name in sums.index[sums[sizes] == 0]]
        sums = sums[sums[sizes] > 0]
        counts = [np.asarray(sums[name], dtype=np.intp) for name in (positives, sizes)]
        return Batches(sums.index.to_numpy(), counts[0], counts[1], in_time=in_time, notes=_on_empty(empty))
    words = _predictions(table, prediction or called or names.get("class", ""))
    kept, notes = _kept(words, leave_out)
    words, order = words[kept], order[kept]
    counted = _positive(words, positive)
    grouped = (words == counted).groupby(order, sort=True, observed=True)
    found, totals = grouped.sum(), grouped.size()
    counts = [np.asarray(one, dtype=np.intp) for one in (found, totals)]
    classes = tuple(sorted(words.unique()))
    if len(classes) > 2:
        others = ", ".join(name for name in classes if name != counted)
        notes += (f"Predictions other than {counted!r} count as not {counted!r}: {others}. --leave-out takes such rows out.",)
    return Batches(found.index.to_numpy(), counts[0], counts[1], counted, in_time, classes, notes)


def _on_empty(names: list[str]) -> tuple[str, ...]:
    """A sentence on batches without an instance, if there are any."""
    if not names:
        return ()
    which = f"Batch {names[0]} is" if len(names) == 1 else f"Batches {', '.join(names)} are"
    return (f"{which} empty so far, and left out.",)


def _kept(words: pd.Series, leave_out: Collection[str]) -> tuple[pd.Series, tuple[str, ...]]:
    """(which rows stay, a sentence on those that do not). Raises InvalidInput for a prediction that there is none of."""
    for name in leave_out:
        check_choice("a prediction to leave out", name, sorted(words.unique()), "be one of the predictions")
    kept = ~words.isin(list(leave_out))
    named, n = ", ".join(map(repr, leave_out)), int((~kept).sum())
    return kept, (f"{n:,} rows predicted as {named} are left out: the share is that of the others.",) if n else ()


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
        hint = "Decide at your threshold: 1 for scores of at least that, else 0."
        raise InvalidInput(f"the column {column}", "hold predicted classes, not scores", f"{fractions.iloc[0]:g}", hint)
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


_WAY_OUT = "Write for example: 31/100 28/100, or 31 28 of 100."
_NUMERAL = re.compile(r"[0-9]{1,9}")


def typed_batches(text: str) -> Batches:
    """The batches in a text, in the order of time, named 1, 2, ...

    Raises InvalidInput for anything but whole numbers, and for fewer than two batches.

    Examples
    --------
    >>> typed_batches("31/100, 28/100").positives.tolist(), typed_batches("31 28 of 90").sizes.tolist()
    ([31, 28], [90, 90])
    """
    listed, separator, size = text.partition("of")
    entries = [word for word in re.split(r"[\s,;]+", listed) if word]
    pairs = [(word, size.strip()) if separator else tuple(word.split("/")) for word in entries]
    for word, pair in zip(entries, pairs, strict=True):
        if len(pair) != 2 or not all(_NUMERAL.fullmatch(one) for one in pair):
            raise InvalidInput("each batch", "be its positives and its size", repr(word[:20]), _WAY_OUT)
    if len(pairs) < 2:
        raise InvalidInput("batches", "be two or more", f"{len(pairs)}", _WAY_OUT)
    positives, sizes = np.array(pairs).T.astype(np.intp)
    return Batches(np.arange(1, len(pairs) + 1), positives, sizes)


def as_typed(batches: Batches) -> str:
    """The shortest text that `typed_batches` reads as these.

    Examples
    --------
    >>> as_typed(typed_batches("31/100, 28/100")), as_typed(typed_batches("31/100, 28/90"))
    ('31 28 of 100', '31/100 28/90')
    """
    pairs = list(zip(batches.positives.tolist(), batches.sizes.tolist(), strict=True))
    if len(set(batches.sizes.tolist())) == 1:
        return f"{' '.join(str(found) for found, _ in pairs)} of {pairs[0][1]}"
    return " ".join(f"{found}/{size}" for found, size in pairs)


def simulated_batches(
    shares: tuple[float, float], *, size: int = 100, n_batches: int = 50, moves_after: int = 25, seed: int = 0, draw: int = 0
) -> Batches:
    """Batches of `size` instances: the share of positives is the first of `shares`, and the second after `moves_after` batches.

    Raises InvalidInput.

    Examples
    --------
    >>> simulated_batches((0.3, 0.4), n_batches=4, moves_after=2).positives.tolist()
    [26, 23, 45, 41]
    """
    first, second = (check_fraction("a share", share) for share in shares)
    check_integer("the size of a batch", size, low=1)
    check_integer("the number of batches", n_batches, low=2)
    rng = random_stream(seed, RandomStream.SIMULATED_BATCHES, draw)
    numbers = np.arange(1, n_batches + 1)
    positives = rng.binomial(size, np.where(numbers <= moves_after, first, second))
    return Batches(numbers, positives, np.full(n_batches, size))


def batches_until_seen(
    shares: tuple[float, float], *, moves_after: int = 25, baseline: int = 20, level: float = 0.95, **more: int
) -> float:
    """After how many batches a move of a simulated share is seen: 0 if an alert is given before it, infinity if none is.

    `more` are size, n_batches, seed and draw of `simulated_batches`. Raises InvalidInput.

    Examples
    --------
    >>> batches_until_seen((0.3, 0.5)), batches_until_seen((0.3, 0.3))
    (6.0, inf)
    """
    batches = simulated_batches(shares, moves_after=moves_after, **more)
    moved = compared_with_baseline(batches.positives, batches.sizes, baseline, level)[-1]
    return max(0.0, float(batches.names[moved.argmax()]) - moves_after) if moved.any() else float("inf")


def looks_that_miss(share: float, low: np.ndarray, high: np.ndarray) -> int:
    """At how many looks an interval, (n,) `low` and `high`, leaves out a share.

    Examples
    --------
    >>> looks_that_miss(0.3, np.array([0.2, 0.35]), np.array([0.4, 0.5]))
    1
    """
    return int(((low > share) | (high < share)).sum())
