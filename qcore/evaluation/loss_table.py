"""Losses that were measured elsewhere: a table of either of two forms becomes the one that `compare` takes."""

import pandas as pd

from qcore._base.argument_kinds import check_kind
from qcore._base.validation import InvalidInput

_LONG = ("data", "method", "loss")
_WAY_OUT = "Write a row for each data set and a column for each method, after a first column with the names of the data sets."


def losses_of_table(table: pd.DataFrame, *, highest_is_best: bool = False) -> pd.DataFrame:
    """The losses of a table as `compare` takes them: columns data, prevalence, method and loss.

    Parameters
    ----------
    table : a row for each data set and a column for each method, after a first column with the names of the data sets; or a row
        for each loss, with columns data, method and loss, and prevalence and size if there are several.
    highest_is_best : whether values are scores, such as accuracies, which are best where they are highest: their signs change.

    Raises
    ------
    InvalidInput
        The table has fewer than two methods, or a column of a method that holds no numbers.

    Examples
    --------
    >>> table = pd.DataFrame({"data set": ["iris", "wine"], "CC": [0.12, 0.08], "AC": [0.05, 0.06]})
    >>> losses_of_table(table).values.tolist()
    [['iris', 0.0, 'CC', 0.12], ['wine', 0.0, 'CC', 0.08], ['iris', 0.0, 'AC', 0.05], ['wine', 0.0, 'AC', 0.06]]
    """
    check_kind("table", table, pd.DataFrame, "Write pandas.DataFrame(losses).")
    losses = table if set(_LONG) <= set(table.columns) else _of_wide(table)
    if not pd.api.types.is_numeric_dtype(losses["loss"]):
        raise InvalidInput("the column loss", "hold numbers", _first_text(losses["loss"]), "Leave out rows without a number.")
    if "prevalence" not in losses:
        losses = losses.assign(prevalence=0.0)
    if highest_is_best:
        losses = losses.assign(loss=-losses["loss"])
    return losses[[name for name in ("data", "prevalence", "size", "method", "loss") if name in losses]]


def _of_wide(table: pd.DataFrame) -> pd.DataFrame:
    if table.shape[1] < 3:
        named = ", ".join(map(str, table.columns)) or "none"
        raise InvalidInput("table", "have a column of data sets and two methods or more", f"the columns {named}", _WAY_OUT)
    data, *methods = table.columns
    for name in methods:
        if not pd.api.types.is_numeric_dtype(table[name]):
            raise InvalidInput(f"the column {name}", "hold numbers, one for each data set", _first_text(table[name]), _WAY_OUT)
    names = table[data].astype(str)
    return table[methods].assign(data=names).melt("data", var_name="method", value_name="loss")


def _first_text(column: pd.Series) -> str:
    """The first value that is no number."""
    texts = column.dropna()
    wrong = texts[pd.to_numeric(texts, errors="coerce").isna()]
    return repr(str(wrong.iloc[0] if len(wrong) else texts.iloc[0])) if len(texts) else "no value"
