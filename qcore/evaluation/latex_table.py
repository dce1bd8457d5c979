"""A table of losses for a paper, in LaTeX: a row for each data set, a column for each method, ready for booktabs."""

import numpy as np
import pandas as pd

from qcore._base.validation import TIE, BoolArray, FloatArray, InvalidInput, check_kind
from qcore.evaluation.signed_ranks import wilcoxon_p
from qcore.evaluation.significance import check_alpha, compare

_ESCAPES = {
    "\\": r"\textbackslash{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_SMALL = 0.001
"""Mean losses below this value are written with more decimals."""


def escaped_latex(text: str) -> str:
    """A text that LaTeX sets as it is."""
    return "".join(_ESCAPES.get(mark, mark) for mark in text)


def losses_as_latex(losses: pd.DataFrame, loss: str = "loss", *, deviations: bool = False, alpha: float = 0.05) -> str:
    r"""Mean losses as a `tabular` with the rules of the package booktabs, and a row with the means over the data sets.

    The lowest mean of a row is bold; a dagger marks methods that Wilcoxon's signed-rank test does not find worse than it: on a
    data set over its cases, in the row of means over the data sets. A case is what all columns but method and loss tell apart,
    such as prevalences, or single samples; cases of one data set are not independent of each other, so that a dagger in its
    row speaks of this data set alone. With fewer than six pairs the test can never reject at 5%.

    Parameters
    ----------
    losses : columns data, method and the loss, such as from `compared_losses`; every method in every case.
    loss : name of the column with the loss.
    deviations : whether standard deviations over the cases stand beside the means; in the row of means, over the data sets.
    alpha : level of the tests.

    Raises
    ------
    InvalidInput
        A column or a method's case is missing, or there are fewer than two methods.

    Examples
    --------
    >>> rows = [(d, n, m, loss + n / 100) for d in "ab" for n in range(6) for m, loss in (("CC", 0.2), ("AC", 0.1))]
    >>> print(losses_as_latex(pd.DataFrame(rows, columns=["data", "sample", "method", "loss"])))
    % \usepackage{booktabs}; bold: the lowest mean; $\dagger$: not significantly worse (Wilcoxon's test, 5\%)
    \begin{tabular}{lrr}
    \toprule
     & CC & AC \\
    \midrule
    a & 0.225 & \textbf{0.125} \\
    b & 0.225 & \textbf{0.125} \\
    \midrule
    mean & 0.225$^\dagger$ & \textbf{0.125} \\
    mean rank & 2.00 & \textbf{1.00} \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    table = _by_case(losses, loss)
    check_alpha(alpha)
    methods = [str(name) for name in table.columns]
    lines = []
    for name, rows in table.groupby(level=0, sort=False):
        lines.append(_line(str(name), rows.to_numpy(), alpha, deviations=deviations))
    means = table.groupby(level=0, sort=False).mean()
    test = rf"Wilcoxon's test, {100 * alpha:g}\%"
    note = rf"% \usepackage{{booktabs}}; bold: the lowest mean; $\dagger$: not significantly worse ({test})"
    whole = [_line("mean", means.to_numpy(), alpha, deviations=deviations)]
    if len(means) > 1:
        ranked = losses if {"prevalence", "target"} & set(losses) else losses.assign(prevalence=0.0)
        ranks = compare(ranked, loss).mean_ranks[table.columns].to_numpy()
        whole.append(_row("mean rank", [_bold(f"{rank:.2f}", is_best=rank <= ranks.min() + TIE) for rank in ranks]))
    return "\n".join(
        [
            note,
            rf"\begin{{tabular}}{{l{'r' * len(methods)}}}",
            r"\toprule",
            _row("", [escaped_latex(name) for name in methods]),
            r"\midrule",
            *lines,
            *([r"\midrule", *whole] if len(means) > 1 else []),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _by_case(losses: pd.DataFrame, loss: str) -> pd.DataFrame:
    """The loss of each method, a column, in each case, a row, with the data set first in the index."""
    check_kind("losses", losses, pd.DataFrame, "Write pandas.DataFrame(losses).")
    for name in ("data", "method", loss):
        if name not in losses:
            has = f"the columns {', '.join(map(str, losses))}"
            raise InvalidInput("losses", f"have a column {name!r}", has, f"Rename one of them to {name!r}.")
    keys = ["data", *(name for name in losses if name not in ("data", "method", loss))]
    table = losses.pivot_table(loss, keys, "method", sort=False)
    if table.shape[1] < 2 or table.isna().to_numpy().any():
        rule = "have two methods or more, each in every case"
        lacking = ", ".join(map(str, table.columns[table.isna().any()])) or f"only {', '.join(map(str, table.columns))}"
        raise InvalidInput("losses", rule, lacking, "Leave out what is not complete.")
    return table


def _line(name: str, values: FloatArray, alpha: float, *, deviations: bool) -> str:
    """The row of a data set, or of all: values of the cases, (n_cases, n_methods)."""
    means = values.mean(axis=0)
    best, level = means <= means.min() + TIE, _not_worse(values, alpha)
    spread = values.std(axis=0, ddof=1) if deviations and len(values) > 1 else np.full(len(means), np.nan)
    cells = []
    for mean, deviation, is_best, is_level in zip(means, spread, best, level, strict=True):
        digits = 3 if mean >= _SMALL else 5
        beside = "" if np.isnan(deviation) else rf" $\pm$ {deviation:.{digits}f}"
        cells.append(
            _bold(f"{mean:.{digits}f}", is_best=is_best) + (r"$^\dagger$" if is_level and not is_best else "") + beside
        )
    return _row(escaped_latex(name), cells)


def _not_worse(values: FloatArray, alpha: float) -> BoolArray:
    """Whether the test finds no difference from the method with the lowest mean, (n_cases, n_methods) -> (n_methods,).

    A single case cannot be tested: no method is marked.
    """
    if len(values) < 2:
        return np.zeros(values.shape[1], dtype=bool)
    best = values[:, values.mean(axis=0).argmin()]
    return np.array([wilcoxon_p(column, best) > alpha for column in values.T])


def _bold(text: str, *, is_best: bool) -> str:
    return rf"\textbf{{{text}}}" if is_best else text


def _row(name: str, cells: list[str]) -> str:
    return rf"{' & '.join([name, *cells])} \\"
