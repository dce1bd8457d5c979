"""The main view of "Compare": the critical-difference diagram, and which method leads."""

import re

import streamlit as st

from pages.charts.chart import chart
from pages.compare import computations
from pages.compare.controls import ComparisonRequest
from pages.compare.critical_difference_figure import critical_difference_figure, for_narrow_screens
from pages.compare.critical_difference_tikz import critical_difference_tikz
from pages.compare.findings import control_verdict, count_sentence, ranking_sentence, tests_sentence, verdict
from pages.compare.own_table import PLACE
from pages.compare.run_folders import OWN_NAME
from pages.compare.script import python_source
from pages.compare.settings import ALL
from pages.compare.tables_for_papers import as_latex, as_markdown, losses_as_latex, ranks_table
from pages.frame.page_frame import PageParts, headline
from pages.frame.presets import OWN_RESULTS, shows_own_data
from pages.own_data.uploaded_tables import kept_file
from pages.settings.control import escaped
from qcore.evaluation.significance import Comparison, compare


def hero(request: ComparisonRequest, parts: PageParts) -> Comparison:
    """Draw the diagram, the verdict above it and the tests below. Raises InvalidInput for too few methods or data sets."""
    if request.run == OWN_NAME:
        shows_own_data(OWN_RESULTS)
    rows = request.ranked
    result = compare(rows)
    distance = (result.bonferroni_dunn_distance if request.control else result.nemenyi_distance)(request.alpha)
    groups = [] if request.control else result.groups(request.alpha)
    at = "" if request.prevalence == ALL else f" at test prevalence {float(request.prevalence):.0%}"
    at += f", samples of {request.size}" if request.size else ""
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
        # The table of one's own has its verdict in its section; this one is of the experiment.
        text = escaped(text)
        headline(f"Of the experiment, not of your table: {text}" if kept_file(PLACE) is not None else text)
    with parts.notes:
        named = set(rows["data"])
        n_sources = len({problem.data for problem in request.settings.problems if problem.name in named})
        n_cases = request.at_prevalence[["data", "prevalence"]].drop_duplicates().shape[0]
        sentences = [
            tests_sentence(result, request.alpha),
            ranking_sentence(rows, request.loss),
            count_sentence(result.n_sets, n_sources, n_cases),
        ]
        n_missing, n_cells = computations.missing_cells(request.folder)
        if n_missing:
            lacking = f"**{n_missing} of {n_cells} cells of this experiment are missing**: all this is of the others."
            sentences.insert(0, lacking)
        if request.data != ALL:
            of_one = "Box plots, Against a pivot and By data set"
            sentences.append(f"The diagram and the tests are of all data sets; {of_one} are of {escaped(request.data)}.")
        st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    _take_away(request, result, parts)
    parts.downloads.file(
        "Diagram as TikZ",
        lambda: critical_difference_tikz(result.mean_ranks, groups, distance, control=request.control),
        f"{_file_name(request)}-critical-difference.tex",
        "text/x-tex",
    )
    return result


def _take_away(request: ComparisonRequest, comparison: Comparison, parts: PageParts) -> None:
    name = _file_name(request)
    ranks = ranks_table(comparison.mean_ranks)
    # Whoever downloads the losses of several sizes can rank at each, as the diagram does.
    offered, rows = parts.downloads, request.ranked if request.by_size and request.data == ALL else request.chosen
    offered.csv("Losses as CSV", lambda: rows, f"{name}-losses")
    offered.file("Losses as LaTeX", lambda: losses_as_latex(rows), f"{name}-losses.tex", "text/x-tex")
    offered.csv("Ranks as CSV", lambda: ranks, f"{name}-ranks")
    offered.file("Ranks as Markdown", lambda: as_markdown(ranks), f"{name}-ranks.md", "text/markdown")
    offered.file("Ranks as LaTeX", lambda: as_latex(ranks), f"{name}-ranks.tex", "text/x-tex")
    parquet = "application/vnd.apache.parquet"
    offered.file("Losses as Parquet", lambda: rows.to_parquet(None, index=False), f"{name}-losses.parquet", parquet)
    offered.source = python_source(request)


def _file_name(request: ComparisonRequest) -> str:
    """How the names of its files begin."""
    return re.sub(r"[^\w-]+", "-", request.run)
