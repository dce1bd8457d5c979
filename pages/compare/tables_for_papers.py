"""Tables of a comparison, in LaTeX and in Markdown."""

from typing import Final

import pandas as pd

from pages.compare.critical_difference_tikz import escaped_latex
from pages.settings.control import escaped
from qcore.base import TIE

_SMALL: Final = 0.001
"""Mean losses below this value are written with more decimals."""


def ranks_table(mean_ranks: pd.Series) -> pd.DataFrame:
    """Mean ranks, best first, as a table: columns method and mean rank."""
    return mean_ranks.rename("mean rank").rename_axis("method").reset_index()


def as_latex(table: pd.DataFrame) -> str:
    """A table in LaTeX, numbers with two decimals."""
    texts = {name: table[name].map(_latex_cell) for name in table.columns}
    return str(table.assign(**texts).rename(columns=_latex_cell).to_latex(index=False, escape=False, float_format="%.2f"))


def losses_as_latex(losses: pd.DataFrame) -> str:
    """A table in LaTeX of the mean loss of each method (columns) on each data set (rows), the lowest of a row in bold."""
    means = losses.pivot_table("loss", "data", "method", aggfunc="mean", sort=False)
    cells = pd.DataFrame(
        [[_bold(value, value <= row.min() + TIE) for value in row] for _, row in means.iterrows()],
        index=[escaped_latex(str(name)) for name in means.index],
        columns=[escaped_latex(str(name)) for name in means.columns],
    )
    return str(cells.to_latex(escape=False, column_format=f"l{'r' * means.shape[1]}"))


def _latex_cell(cell: object) -> object:
    return escaped_latex(cell) if isinstance(cell, str) else cell


def _markdown_cell(cell: object) -> str:
    return f"{cell:.2f}" if isinstance(cell, float) else " ".join(escaped(str(cell)).split())


def _bold(value: float, is_best: bool) -> str:
    text = f"{value:.3f}" if value >= _SMALL else f"{value:.5f}"
    return rf"\textbf{{{text}}}" if is_best else text


def as_markdown(table: pd.DataFrame) -> str:
    """A table in Markdown, numbers with two decimals."""
    names, *rows = [[_markdown_cell(cell) for cell in row] for row in [table.columns.tolist(), *table.to_numpy().tolist()]]
    lines = [names, ["---"] * table.shape[1], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
