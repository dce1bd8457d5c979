"""Columns of a user's table: which one probably holds the classes, which number the rows, and which are left out."""

import re
from collections.abc import Collection, Sequence

import pandas as pd

from qcore._base.validation import InvalidInput, check_several, is_one_of
from qcore.datasets.preparation import MAX_CLASSES, as_labels, is_free_text, is_labelled, n_values

_FEW = 30
_MOST_FOUND = 8
_ENOUGH_ROWS = 10
_MANY_ROWS, _DENSE = 100, 5
"""At least `_MANY_ROWS` distinct whole numbers in a range less than `_DENSE` times as wide probably number the rows: measured
values would be distinct with a probability of at most exp(-10)."""

NAMELESS = "Unnamed: "
"""How pandas calls a column without a name."""
_MOSTLY = 0.9
_IDENTIFIERS = ("id", "ids", "index", "key", "nr", "no", "number", "row", "rownames", "uuid")
LABEL_NAMES = ("class", "label", "target", "y", "outcome")
"""Usual names of a column of classes."""
_TRUTHS = ("y_true", "truth", "true", "actual", "gold")
"""Usual names of a column of true classes beside predictions; the column must have few values."""
_DATE = r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2}))(?:[ T]\d{1,2}:\d{2}.*)?"
"""A day in digits, with or without a time."""
BATCH_NAMES = ("batch", "date", "day", "week", "month", "year", "time", "timestamp", "period", "fecha", "quarter")
"""Usual names of a column that tells samples apart; the likeliest first."""
_PREDICTED = re.compile(r"(y[_ ]?)?(pred(icted|ictions?)?|prob(a|ability|abilities)?|scores?|hat)([_ \d].*)?")
"""Names of columns of a classifier's predictions or scores."""


def chosen_columns(frame: pd.DataFrame, leave_out: Sequence[str], as_text: Sequence[str]) -> pd.DataFrame:
    """A table without some columns, and with some as text. Raises InvalidInput for a missing column or a string for a list."""
    leave_out, as_text = check_several("leave_out", leave_out), check_several("as_text", as_text)
    known = ", ".join(map(str, frame.columns[:10]))
    for column in (*leave_out, *as_text):
        if not is_one_of(column, frame.columns):
            raise InvalidInput("column", "be a column of the table", repr(column), f"Choose one of: {known}.")
    kept = frame.drop(columns=leave_out)
    return kept.assign(**{column: as_text_column(kept[column]) for column in as_text if column in kept})


def as_text_column(column: pd.Series) -> pd.Series:
    """A column of numbers as text: 1.0 becomes "1"; missing values stay missing."""
    return pd.Series(as_labels(column), index=column.index, dtype=object).where(column.notna())


def likely_label(frame: pd.DataFrame) -> str:
    """The column that probably holds the classes: one with a usual name, else the last with few values, else the last.

    A column of dates, or one named like a classifier's predictions or scores, is chosen only if no other column will do.
    """
    named = {column.lower(): column for column in frame.columns}
    if usual := _usual_label(frame):
        return usual
    columns = sorted(frame.columns, key=lambda column: not (_is_said(str(column), frame) or _holds_dates(frame[str(column)])))
    first = [*(named[name] for name in _TRUTHS if name in named), *reversed(columns)]
    return next((column for column in first if 2 <= n_values(frame[column]) <= _FEW), columns[-1])


def _usual_label(frame: pd.DataFrame) -> str:
    """The column with a usual name for classes; empty if there is none."""
    named = {column.lower(): column for column in frame.columns}
    return next((named[name] for name in LABEL_NAMES if name in named), "")


def _is_said(name: str, frame: pd.DataFrame) -> bool:
    """Whether a column's name says that it is a classifier's output; "score" with whole numbers above 1 may be a class."""
    if not _PREDICTED.fullmatch(name.strip().lower()):
        return False
    return not ("score" in name.lower() and pd.api.types.is_integer_dtype(frame[name]) and frame[name].max() > 1)


def rivals_of_label(frame: pd.DataFrame, label: str) -> list[str]:
    """Other columns of words with few values, which may hold the classes as well; none where the label has a usual name.

    Examples
    --------
    >>> table = pd.DataFrame({"size": ["s", "m", "s"], "income": [1, 2, 3], "region": ["n", "s", "n"]})
    >>> likely_label(table), rivals_of_label(table, "region"), rivals_of_label(table.assign(y=[0, 1, 0]), "y")
    ('region', ['size'], [])
    """
    if label.lower() in LABEL_NAMES:
        return []
    words = [name for name in frame.columns if name != label and not pd.api.types.is_numeric_dtype(frame[name])]
    return [name for name in words if 2 <= n_values(frame[name]) <= _FEW and not _holds_dates(frame[name])]


def column_of_one_class(frame: pd.DataFrame) -> str:
    """The column that seems to hold the classes but holds only one: by its usual name, else the last; empty if none does."""
    column = likely_label(frame) if any(str(name).lower() in LABEL_NAMES for name in frame.columns) else frame.columns[-1]
    return str(column) if n_values(frame[column]) == 1 else ""


def why_no_classes(frame: pd.DataFrame, name: str) -> str:
    """A sentence on a table called `name`, none of whose columns looks like classes, or whose classes are one; else empty.

    Examples
    --------
    >>> table = pd.DataFrame({"ticket_id": range(1000, 1040), "score": [i / 40 for i in range(40)]})
    >>> why_no_classes(table, "labelled.csv")
    'No column of labelled.csv looks like classes (found: ticket_id, score).'
    """
    if column := column_of_one_class(frame):
        return f"The column {column} of {name} holds only one class, {as_labels(frame[column].dropna())[0][:40]!r}."
    column = likely_label(frame)
    named = column.lower() in LABEL_NAMES
    found = n_values(frame[column])
    if 2 <= found <= (MAX_CLASSES if named else _FEW):
        return ""
    if named and found:
        return f"The column {column} of {name} holds {found:,} values, too many for classes."
    columns = [column_name(str(one)) for one in frame.columns]
    more = f" and {len(columns) - _MOST_FOUND} more" if len(columns) > _MOST_FOUND else ""
    return f"No column of {name} looks like classes (found: {', '.join(columns[:_MOST_FOUND])}{more})."


def free_texts(frame: pd.DataFrame) -> list[str]:
    """Columns of sentences: words with more distinct values than a nominal feature may have, mostly of several words each.

    Examples
    --------
    >>> said = [f"the parcel number {i} came late" for i in range(80)]
    >>> free_texts(pd.DataFrame({"comment": said, "id": [f"A-{i}" for i in range(80)], "kind": ["a", "b"] * 40}))
    ['comment']
    """
    return [str(name) for name in frame.columns if is_free_text(frame[name])]


def are_exchanged(labelled: pd.DataFrame, counted: pd.DataFrame) -> bool:
    """Whether two tables seem to be exchanged: `counted` has all columns of `labelled`, and others, one with the classes.

    Or only `counted` has a column with a usual name for classes, whatever else is in `labelled`, such as a team and a week.

    They are not if the column of `labelled` that may hold classes is empty, constant or filled only in part in `counted`, or if
    the additional column is a time: then `counted` is indeed the table to be counted.
    """
    more = [column for column in counted.columns if column not in labelled.columns]
    if not _usual_label(labelled) and may_hold_classes(counted) == (usual := _usual_label(counted)) != "":
        return bool(is_labelled(counted[usual]).all())
    if len(labelled.columns) + len(more) != len(counted.columns) or may_hold_classes(counted) not in more:
        return False
    column = may_hold_classes(labelled)
    if not column:
        return True
    # A column such as month tells samples apart; and a table with labels in some rows only is the one to be counted.
    tells_apart = may_hold_classes(counted).lower() in BATCH_NAMES
    labelled_in_part = counted[column].isna().any() and not labelled[column].isna().any()
    return n_values(counted[column]) > 1 and not tells_apart and not labelled_in_part


def may_hold_classes(frame: pd.DataFrame) -> str:
    """The column that probably holds classes, of a table that need not have any; empty if none does.

    A column of numbers must have exactly two values unless it has a usual name: more values probably count something.
    """
    column = likely_label(frame)
    n_classes = n_values(frame[column])
    words = not pd.api.types.is_numeric_dtype(frame[column]) or column.lower() in LABEL_NAMES
    return column if 2 <= n_classes <= (_FEW if words else 2) else ""


def likely_identifiers(frame: pd.DataFrame) -> list[str]:
    """Columns that probably number or name the rows: distinct values, and a usual name, or evenly spaced or dense numbers.

    Examples
    --------
    >>> import numpy as np
    >>> customers = np.random.default_rng(0).permutation(300)[:200] + 5000
    >>> likely_identifiers(pd.DataFrame({"customer": customers, "income": customers**2}))
    ['customer']
    """
    return [str(name) for name in frame.columns if len(frame) >= _ENOUGH_ROWS and _identifies(str(name), frame[name])]


def _identifies(name: str, column: pd.Series) -> bool:
    if name.startswith(NAMELESS) and pd.api.types.is_integer_dtype(column) and bool((column.diff()[1:] == 1).mean() > _MOSTLY):
        # The index of tables that were put together begins anew with each.
        return True
    if pd.api.types.is_float_dtype(column) or n_values(column) < len(column):
        return False
    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    called_so = words[-1] in _IDENTIFIERS or name.lower().startswith("unnamed")
    if called_so or not pd.api.types.is_integer_dtype(column):
        return called_so
    steps = column.diff()[1:].to_numpy()
    are_dense = len(column) >= _MANY_ROWS and int(column.max()) - int(column.min()) < _DENSE * len(column)
    return are_dense or (len(steps) > 0 and bool((steps == steps[0]).all()))


def likely_dates(frame: pd.DataFrame) -> list[str]:
    """Columns of dates: as words they would be features, and most dates of a sample of another month were in no training data.

    Examples
    --------
    >>> likely_dates(pd.DataFrame({"sent": ["31.12.2024", None], "version": ["1.2.10", "1.3.0"], "day": ["2024-12-31", None]}))
    ['sent', 'day']
    """
    return [str(name) for name in frame.columns if _holds_dates(frame[name])]


def _holds_dates(column: pd.Series) -> bool:
    if pd.api.types.is_datetime64_any_dtype(column):
        return True
    # Lists and the like have no distinct values.
    if pd.api.types.is_numeric_dtype(column) or not n_values(column):
        return False
    known = pd.Series(column.dropna().unique())
    return bool(known.astype(str).str.strip().str.fullmatch(_DATE).all())


def likely_left_out(frame: pd.DataFrame) -> tuple[str, ...]:
    """Columns that are probably no features, in the table's order: those that number or name the rows, and those of dates."""
    named = {*likely_identifiers(frame), *likely_dates(frame)}
    return tuple(str(name) for name in frame.columns if str(name) in named)


def left_out_sentences(frame: pd.DataFrame, left_out: Collection[str]) -> tuple[str, ...]:
    """A sentence on the columns that are left out, each with what it seems to hold, if it does; none for no columns.

    Examples
    --------
    >>> left_out_sentences(pd.DataFrame({"id": range(20), "size": 1.5}), ["id", "size"])
    ('Left out: id (it seems to number or name the rows), size (by choice).',)
    """
    numbering, dates = likely_identifiers(frame), likely_dates(frame)
    named = [f"{column_name(name)} ({_why(name, numbering, dates)})" for name in left_out]
    return (f"Left out: {', '.join(named)}.",) if named else ()


def column_name(name: str) -> str:
    """A column's name in sentences."""
    return "a column without a name" if name.startswith(NAMELESS) else name[:40]


def _why(name: str, numbering: Collection[str], dates: Collection[str]) -> str:
    if name in numbering:
        return "it seems to number or name the rows"
    return "dates, which a later sample does not repeat" if name in dates else "by choice"
