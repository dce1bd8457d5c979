"""Sentences of the page "More than two classes"."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.settings.number_text import digits, digits_apart, enumerated, listed, percentage
from qcore.base import TIE, FloatArray
from qcore.evaluation.significance import is_clear
from qcore.studies.more_than_two_classes import AdjustmentMatrix


def methods_headline(table: pd.DataFrame, n_classes: int, loss: str) -> str:
    """Which method errs least on all classes together, and which are level with it."""
    best = table.iloc[0]
    if len(table) < 2:
        return f"On {n_classes} classes {best.method} has a mean {loss} of {digits(best['mean'])}."
    last = table.iloc[-1]
    texts = digits_apart(float(best["mean"]), float(last["mean"]))
    level = table.method[1:][table.level.to_numpy(dtype=bool)[1:]].tolist()
    if table.level.all():
        between = texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"
        return f"On {n_classes} classes {listed(table.method.tolist(), most=3, first=3)} are level: mean {loss} {between}."
    beside = f", level with {listed(level, most=3, first=3)}" if level else ""
    return f"On {n_classes} classes {best.method} errs least{beside}: mean {loss} {texts[0]}; {last.method} most, {texts[1]}."


def corners_sentence(table: pd.DataFrame, classes: Sequence[str], method: str, loss: str) -> str:
    """Where on the simplex a method is worst and best."""
    worst, best = table.iloc[int(table.loss.argmax())], table.iloc[int(table.loss.argmin())]
    if worst.loss - best.loss <= TIE:
        return f"{method} errs alike everywhere: mean {loss} {digits(float(best.loss))}."

    def place(row: pd.Series) -> str:
        there = [name for name in classes if row[name] >= 0.005]
        if len(there) == 1:
            return f"all are class {there[0]}"
        shares = [f"{percentage(row[name])} are class {name}" for name in there]
        return f"{enumerated(shares)}{'' if len(there) == len(classes) else ' and none of another'}"

    def others(row: pd.Series) -> str:
        alike = int((np.abs(table.loss - row.loss) <= TIE).sum()) - 1
        return f", as at {alike} other place{'' if alike == 1 else 's'}" if alike else ""

    return (
        f"{method} is worst where {place(worst)} (mean {loss} {digits(float(worst.loss))}{others(worst)}), best where "
        f"{place(best)} ({digits(float(best.loss))}{others(best)})."
    )


def matrix_sentence(matrix: AdjustmentMatrix, classes: Sequence[str], method: str) -> str:
    """How well the matrix can be inverted, and which classes are taken for which."""
    rates: FloatArray = matrix.rates.copy()
    np.fill_diagonal(rates, -1.0)
    i, j = divmod(int(rates.argmax()), len(classes))
    well = "well" if matrix.condition < 3 else "roughly" if matrix.condition < 10 else "badly"
    confused = f"Most confused: {percentage(rates[i, j])} of class {classes[j]} count as {classes[i]}."
    if rates[i, j] <= TIE:
        confused = "No class is taken for another."
    return f"The condition number of {method}'s matrix is {digits(matrix.condition)}: it can be inverted {well}. {confused}"


def native_sentence(table: pd.DataFrame) -> str:
    """Whether methods on all classes at once err less than one against all."""
    if not len(table):
        return "None of the chosen quantifiers can estimate more than two classes at once."
    clear = table[is_clear(table.difference, table.standard_error)]
    better, worse = clear[clear.difference > 0].method.tolist(), clear[clear.difference < 0].method.tolist()
    parts = [f"all classes at once are better for {', '.join(better)}"] if better else []
    parts += [f"one against all is better for {', '.join(worse)}"] if worse else []
    text = "; ".join(parts) if parts else "no method gains or loses by more than two standard errors"
    return f"{text[0].upper()}{text[1:]}."
