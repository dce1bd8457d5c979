"""Batches of a share over time: as they are read, ordered and named, and as they are simulated."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import IntArray, InvalidInput, check_choice, check_fraction, check_integer
from qcore.datasets.preparation import check_distinct_columns, over_distinct
from qcore.datasets.table_columns import BATCH_NAMES
from qcore.intervals.labelled_sample import PREDICTION_NAMES, check_spelling, named_positive, usual_positive
from qcore.watching.watched_share import compared_with_baseline

_DATES = (
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d/%m/%Y",
    "%d/%m/%y",
    "%d-%m-%Y",
    "%m/%d/%Y",
    "%m/%d/%y",
    "%m-%d-%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %Y",
    "%B %Y",
    "%b %d",
    "%B %d",
    "%b-%Y",
    "%d-%b-%Y",
    "%b",
    "%B",
)
"""Ways of writing a date beside ISO 8601."""
_MONTHS_IN_WORDS = (
    "jan january ene enero januar jän janv janvier",
    "feb february febrero februar fév févr février",
    "mar march marzo mär märz mars",
    "apr april abr abril avr avril",
    "may mayo mai",
    "jun june junio juni juin",
    "jul july julio juli juil juillet",
    "aug august ago agosto août",
    "sep sept september septiembre set setiembre septembre",
    "oct october octubre okt oktober octobre",
    "nov november noviembre novembre",
    "dec december dic diciembre dez dezember déc décembre",
)
"""The names of each month in English, Spanish, German and French; all are read as the first one."""
_READ_AS = {word: words.split()[0] for words in _MONTHS_IN_WORDS for word in words.split()}
_OFFSET = r"([T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?)\s*(?:Z|[+-]\d{2}(?::?\d{2})?)$"
"""A time of day with its offset from UTC."""
_TIME = r"[ ,T]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?$"
"""A time of day after a date."""
_NO_YEAR = 1896
"""The year that a date without one is read with: a leap year, so that it may be the 29th of February."""
_DAYS, _WEEKS, _MONTHS, _QUARTERS = 366, 53, 12, 4
"""How many days, weeks, months and quarters a year has at most."""


def batch_order(values: pd.Series, column: str) -> tuple[pd.Series, bool]:
    """(values that sort by time, whether their order is known), (n,), of a column of batches without gaps.

    Dates become days such as 2024-03-10, in the local time in which they were written. Where the order is not known, a value
    sorts by its first row; so do dates, weeks and months without a year that run past its end, as week 52 before week 1.

    Raises
    ------
    InvalidInput
        Most values are dates of ISO 8601 and some are not; or their order depends on whether the day or the month is first.
    """
    if pd.api.types.is_numeric_dtype(values):
        if not _passes_new_year(values.drop_duplicates().to_numpy(dtype=float), _cycle(column)):
            return values, True
        return pd.Series(pd.Categorical(values, categories=values.unique(), ordered=True), values.index), False
    if (days := _iso_days(values, column)) is not None:
        return days, True
    words = over_distinct(values, lambda names: names.astype(str).str.strip())
    # A table of instances has few batches in many rows.
    distinct, readings = _readings(words)
    if not readings and distinct.str.contains(_TIME, regex=True).all():
        dates = words.str.replace(_TIME, "", regex=True)
        without_time, of_dates = _readings(dates)
        if of_dates:
            words, distinct, readings = dates, without_time, of_dates
    if readings and (days := _agreed(distinct, readings, column)) is not None:
        return words.map(dict(zip(distinct, days, strict=True))), True
    keys = readings[0] if readings else _numbers_in(distinct)
    if keys is not None and _passes_new_year(*_in_a_year(keys, f"{column} {distinct[0]}")):
        keys = None
    in_time = [word for _, word in sorted(zip(range(len(distinct)) if keys is None else keys, distinct, strict=True))]
    return pd.Series(pd.Categorical(words, categories=in_time, ordered=True), words.index), keys is not None


def _iso_days(values: pd.Series, column: str) -> pd.Series | None:
    days = over_distinct(values, _read_iso)
    wrong = days.isna()
    if wrong.mean() > 0.5:
        return None
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        got, hint = f"{values.iloc[row]} in row {row + 1}", "Correct it, or leave the row out."
        raise InvalidInput(f"the column {column}", "hold dates like 2024-03-10 in all rows", got, hint)
    return over_distinct(days, lambda dates: dates.dt.strftime("%Y-%m-%d"))


def _read_iso(values: pd.Series) -> pd.Series:
    if not pd.api.types.is_datetime64_any_dtype(values):
        # Summer and winter time have different offsets from UTC.
        values = values.astype(str).str.strip().str.replace(_OFFSET, r"\1", regex=True)
    return pd.to_datetime(values, errors="coerce", format="ISO8601")


def _readings(words: pd.Series) -> tuple[pd.Series, list[pd.Series]]:
    """The distinct words, and their days by each way of writing that fits all of them."""
    distinct = words.drop_duplicates().reset_index(drop=True)
    read = distinct.map(_with_short_months)
    return distinct, [days for way in _DATES if (days := _read(read, way)) is not None]


def _with_short_months(word: str) -> str:
    """A date with its month as English shortens it: "3 de marzo de 2024" is "3 mar 2024"."""
    parts = re.sub(r"(?<=\d)\.(?=\s)|\b(?:de|del)\b", " ", word.lower())
    return " ".join(re.sub(r"([^\W\d_]+)\.?", lambda found: _READ_AS.get(found[1], found[0]), parts).split())


def _read(words: pd.Series, way: str) -> pd.Series | None:
    if "%y" not in way.lower():
        words, way = words + f" {_NO_YEAR}", f"{way} %Y"
    days = pd.to_datetime(words, errors="coerce", format=way)
    return None if days.isna().any() else days


def _agreed(words: pd.Series, readings: list[pd.Series], column: str) -> pd.Series | None:
    """The days of the only reading; None where several give the same order, or where no year is known."""
    first = readings[0]
    other = next((days for days in readings if (days.rank() != first.rank()).any()), None)
    if other is not None:
        at = int((first != other).to_numpy().argmax())
        hint = f"Write {first.iloc[at]:%Y-%m-%d} or {other.iloc[at]:%Y-%m-%d}."
        raise InvalidInput(f"the column {column}", "hold dates that can be read in one way", f"{words.iloc[at]}", hint)
    is_known = first.dt.year.max() > _NO_YEAR and all(days.equals(first) for days in readings)
    return first.dt.strftime("%Y-%m-%d") if is_known else None


def _cycle(name: str) -> int:
    """How many weeks, months or quarters a year has, by which of these a name mentions; 0 if it mentions none of them."""
    if re.search(r"month|\bmes\b", name.lower()):
        return _MONTHS
    if re.search(r"quarter|trimestre|\bq\s*\d", name.lower()):
        return _QUARTERS
    return _WEEKS if re.search(r"week|semana|\bk?w\s*\d|\bk?w$", name.lower()) else 0


def _in_a_year(keys: pd.Series | list[tuple[int, ...]], name: str) -> tuple[np.ndarray, int]:
    """The place of each batch in a year, and how many places a year has; 0 if that is unknown, or the batches name the year."""
    if isinstance(keys, pd.Series):
        return keys.dt.day_of_year.to_numpy(dtype=float), _DAYS if keys.dt.year.max() == _NO_YEAR else 0
    return np.array([key[0] for key in keys], dtype=float), _cycle(name) if all(len(key) == 1 for key in keys) else 0


def _passes_new_year(places: np.ndarray, cycle: int) -> bool:
    """Whether places in a year rise in table order, except for one fall by over half a year, and end below the first."""
    falls = -np.diff(places)
    if not cycle or np.max(places) > cycle or int((falls > 0).sum()) != 1:
        return False
    # After a turn of the year all come before the first one; after a row that is merely late they do not.
    return bool(falls.max() > cycle / 2 and places[-1] < places[0])


def _numbers_in(words: pd.Series) -> list[tuple[int, ...]] | None:
    """The numbers in each word, such as 7 in "week 7" or 2024 and 7 in "2024-W07"; None unless they tell the order.

    They do if all words are equal except for their numbers, and there is one number, or the first one is a year, or the second
    of two is a year after its week, month or quarter.
    """
    if len(set(words.str.replace(r"\d+", "0", regex=True))) != 1:
        return None
    keys = [tuple(int(number) for number in re.findall(r"\d+", word)) for word in words]
    is_year_first = all(len(key) > 1 and 1000 <= key[0] <= 9999 for key in keys)
    if is_year_first or all(len(key) == 1 for key in keys):
        return keys
    is_year_last = all(len(key) == 2 and key[0] <= _WEEKS and 1900 <= key[1] <= 2100 for key in keys)
    return [(key[1], key[0]) for key in keys] if is_year_last else None


def groups_in_time(values: pd.Series, column: str) -> pd.Series:
    """The groups of a column so that they sort by time where their order is known, as that of dates, (n,); gaps stay gaps.

    They are called as they are written, but for days that are written in several ways, such as with the time of day.
    """
    known = values[values.notna()]
    if pd.api.types.is_numeric_dtype(known) and not pd.api.types.is_bool_dtype(known):
        whole = known.astype(np.intp) if (known % 1 == 0).all() else known
        return whole.astype(object).reindex(values.index)
    try:
        ordered, is_known = batch_order(known, column)
    except InvalidInput:
        return values
    return _as_written(known, ordered).reindex(values.index) if is_known else values


def _as_written(known: pd.Series, ordered: pd.Series) -> pd.Series:
    if pd.api.types.is_datetime64_any_dtype(known):
        return ordered
    written = over_distinct(known, lambda names: names.astype(str).str.strip())
    names = pd.DataFrame({"in_time": ordered, "written": written}).drop_duplicates().sort_values("in_time")
    if names.in_time.duplicated().any():
        return ordered
    return pd.Series(pd.Categorical(written, categories=names.written.tolist(), ordered=True), known.index)


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
            hint = "Leave it out, or name the column of predictions, too."
            raise InvalidInput("the positive class", "be named for predictions, not for counts", repr(positive), hint)
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
    """At how many looks an interval, (n,) `low` and `high`, leaves out a share."""
    return int(((low > share) | (high < share)).sum())
