"""The section "Your own table" of "Compare": the diagram and the tests of losses that were measured elsewhere."""

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.compare.critical_difference import (
    critical_difference_figure,
    critical_difference_tikz,
    for_narrow_screens,
    ranks_table,
)
from pages.compare.findings import tests_sentence, verdict
from pages.compare.hero import ComparisonRequest
from pages.compare.settings import HIGHEST, LOWEST, PLACE, SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.own_data.table_choices import say_how_it_was_read
from pages.own_data.uploaded_tables import file_place, kept_file, uploaded_frame
from pages.settings import control
from pages.settings.address import current
from pages.settings.control import escaped
from pages.settings.number_text import enumerated
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.evaluation.latex_table import losses_as_latex
from qcore.evaluation.significance import Comparison, compare
from qcore.evaluation.summaries import joined_losses, losses_of_table

TEXTS = texts_of("compare")


def own_table_section(request: ComparisonRequest | None) -> None:
    """Draw the place of a file, and the comparison of the methods in it, among themselves or beside those of the experiment."""
    st.markdown(TEXTS["own_table"])
    file_place(PLACE, "own losses")
    file = kept_file(PLACE)
    if file is None:
        return
    (part,) = narrow_row("best value", 1)
    with part:
        best = control.segments(SETTINGS["best_value"])
    try:
        frame = uploaded_frame(file)
        say_how_it_was_read(frame)
        losses = losses_of_table(frame, highest_is_best=best == HIGHEST, fewest=1)
        if best == LOWEST and request is not None and _is_joined(losses, request):
            losses = joined_losses(request.ranking, losses)
        result = compare(losses)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    _comparison(losses, result, float(str(current(SETTINGS["test_level"]))))


def _is_joined(losses: pd.DataFrame, request: ComparisonRequest) -> bool:
    """Draw the switch that adds the methods of the table to those of the experiment that is shown."""
    methods = [str(name) for name in dict.fromkeys(losses["method"])]
    are = f"Only {methods[0]} is in this file" if len(methods) == 1 else f"{enumerated(methods)} are in this file"
    joined = control.toggle(SETTINGS["joined_table"])
    what = f"by {request.loss}, on the data sets that both have, by their names there"
    st.caption(escaped(f"{are}: add {'it' if len(methods) == 1 else 'them'} to the experiment “{request.run}”, {what}?"))
    return joined


def _comparison(losses: pd.DataFrame, result: Comparison, alpha: float) -> None:
    groups, distance = result.groups(alpha), result.nemenyi_distance(alpha)
    st.markdown(f"**{escaped(verdict(result, alpha))}**")
    title = f"Mean ranks on {result.n_sets} data sets: 1 is best"
    figure = critical_difference_figure(result.mean_ranks, groups, distance, title=title)
    chart(for_narrow_screens(figure), key="own_ranks", alt="Mean rank of each method; bars join those that do not differ.")
    st.markdown(f"- {tests_sentence(result, alpha)}")
    ranks = ranks_table(result.mean_ranks)
    with st.container(horizontal=True, gap="small"):
        csv_button("Ranks as CSV", lambda: ranks, "ranks-of-own-table")
        csv_button("Tests as CSV", result.pairs, "tests-of-own-table")
        csv_button("Losses as CSV", lambda: losses, "losses-beside-own-table")
        st.download_button(
            "Losses as LaTeX",
            lambda: losses_as_latex(losses, alpha=alpha),
            "losses.tex",
            "text/x-tex",
            key="latex of own table",
            on_click="ignore",
        )
        st.download_button(
            "Diagram as TikZ",
            lambda: critical_difference_tikz(result.mean_ranks, groups, distance),
            "critical-difference.tex",
            "text/x-tex",
            key="tikz of own table",
            on_click="ignore",
        )
