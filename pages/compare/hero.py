"""The main view of "Compare": the critical-difference diagram, and which method leads."""

import re
from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.compare.controls import ComparisonRequest
from pages.compare.critical_difference_figure import critical_difference_figure, for_narrow_screens
from pages.compare.critical_difference_tikz import critical_difference_tikz, escaped_latex
from pages.compare.findings import control_verdict, count_sentence, tests_sentence, verdict
from pages.compare.script import python_source
from pages.compare.settings import ALL
from pages.frame.page_frame import PageParts, headline
from qcore._base.rounding import TIE
from qcore.evaluation.significance import Comparison, compare

_SMALL: Final = 0.001
"""Mean losses below have more decimals."""


def hero(request: ComparisonRequest, parts: PageParts) -> Comparison:
    """Draw the diagram, the verdict above it and the tests below. Raises InvalidInput for too few methods or data sets."""
    rows = request.ranked
    result = compare(rows)
    distance = (result.bonferroni_dunn_distance if request.control else result.nemenyi_distance)(request.alpha)
    groups = [] if request.control else result.groups(request.alpha)
    at = "" if request.prevalence == ALL else f" at test prevalence {float(request.prevalence):.0%}"
    figure = critical_difference_figure(
        result.mean_ranks, groups, distance, title=f"Mean ranks by {request.loss}{at}: 1 is best", control=request.control
    )
    with parts.hero:
        chart(
            for_narrow_screens(figure),
            key="critical_difference",
            alt="Mean rank of each method; bars join those that do not differ.",
        )
    with parts.headline:
        text = control_verdict(result, request.control, request.alpha) if request.control else verdict(result, request.alpha)
        headline(text)
    with parts.notes:
        named = set(rows["data"])
        n_sources = len({problem.data for problem in request.settings.problems if problem.name in named})
        n_cases = request.at_prevalence[["data", "prevalence"]].drop_duplicates().shape[0]
        sentences = [tests_sentence(result, request.alpha), count_sentence(result.n_sets, n_sources, n_cases)]
        if request.data != ALL:
            of_one = "Box plots, Against a pivot and By data set"
            sentences.append(f"The diagram and the tests are of all data sets; {of_one} are of {request.data}.")
        st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    _take_away(request, result, parts)
    parts.take_away.file(
        "Diagram as TikZ",
        lambda: critical_difference_tikz(result.mean_ranks, groups, distance, control=request.control),
        "critical-difference.tex",
        "text/x-tex",
    )
    return result


def _take_away(request: ComparisonRequest, comparison: Comparison, parts: PageParts) -> None:
    name = re.sub(r"[^\w-]+", "-", request.run)
    ranks = comparison.mean_ranks.rename("mean rank").rename_axis("method").reset_index()
    offered, rows = parts.take_away, request.chosen
    offered.csv("Losses as CSV", lambda: rows, f"{name}-losses")
    offered.file("Losses as LaTeX", lambda: losses_as_latex(rows), f"{name}-losses.tex", "text/x-tex")
    offered.csv("Ranks as CSV", lambda: ranks, f"{name}-ranks")
    offered.file("Ranks as Markdown", lambda: as_markdown(ranks), f"{name}-ranks.md", "text/markdown")
    offered.file("Ranks as LaTeX", lambda: as_latex(ranks), f"{name}-ranks.tex", "text/x-tex")
    parquet = "application/vnd.apache.parquet"
    offered.file("Losses as Parquet", lambda: rows.to_parquet(None, index=False), f"{name}-losses.parquet", parquet)
    offered.source = python_source(request)


def as_latex(table: pd.DataFrame) -> str:
    """A table in LaTeX, numbers with two decimals."""
    return str(table.to_latex(index=False, float_format="%.2f"))


def losses_as_latex(losses: pd.DataFrame) -> str:
    """A table in LaTeX of the mean loss of each method (columns) on each data set (rows), the lowest of a row in bold."""
    means = losses.pivot_table("loss", "data", "method", aggfunc="mean", sort=False)
    cells = pd.DataFrame(
        [[_bold(value, value <= row.min() + TIE) for value in row] for _, row in means.iterrows()],
        index=[escaped_latex(str(name)) for name in means.index],
        columns=[escaped_latex(str(name)) for name in means.columns],
    )
    return str(cells.to_latex(escape=False, column_format=f"l{'r' * means.shape[1]}"))


def _bold(value: float, is_best: bool) -> str:
    text = f"{value:.3f}" if value >= _SMALL else f"{value:.5f}"
    return rf"\textbf{{{text}}}" if is_best else text


def as_markdown(table: pd.DataFrame) -> str:
    """A table in Markdown, numbers with two decimals."""
    rows = [[f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in table.to_numpy().tolist()]
    lines = [list(map(str, table.columns)), ["---"] * table.shape[1], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
