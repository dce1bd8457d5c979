"""The section "By group" of "Estimate": an estimate for each value of a column, and by how much they differ."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import Figure
from pages.charts.small_table import P_VALUE, SHARE, Column, small_table
from pages.charts.style import NEUTRAL, PALETTE, figure
from pages.charts.traces import axis, markers
from pages.estimate.estimate_view import EstimateView
from pages.estimate.intervals_figure import groups_figure
from pages.frame.downloads import csv_button
from pages.frame.texts import texts_of
from pages.settings.control import escaped
from pages.settings.number_text import counted, listed
from qcore.datasets.preparation import n_values
from qcore.intervals import Differences, estimate_groups, group_differences
from qcore.intervals.difference import OTHERS
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.scoring import SampleScores
from qcore.watching.batches import groups_in_time

_MOST_GROUPS = 60
_GROUPS = (
    Column("group", "Group"),
    Column("size", "Instances", ",d"),
    Column("estimate", "Estimate", SHARE),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
)
_DIFFERENCES = (
    Column("group", "Group"),
    Column("size", "Instances", ",d"),
    Column("share", "Share", SHARE),
    Column("difference", "Difference", "+.3f", "Of shares: 0.01 is a point of percent."),
    Column("low", "From", "+.3f"),
    Column("high", "To", "+.3f"),
    Column("p_adjusted", "p", P_VALUE, "Of the predictions, which needs no labels; adjusted by Holm for comparing several."),
)
_MOST_SENTENCES = 6


def groups_section(shown: EstimateView) -> None:
    """Draw the choice of a column, and the estimate and interval of each of its values."""
    st.markdown(texts_of("estimate")["groups"])
    own, scored = shown.request.own, shown.scored
    if own is None or scored is None:
        st.info("This tab needs a table of your own: choose *my sample* at *What is estimated?* above.")
        return
    columns = [name for name in own.frame.columns if 1 < n_values(own.frame[name]) <= _MOST_GROUPS]
    if not columns:
        st.info(f"No column of {own.name} has 2 to {_MOST_GROUPS} values.")
        return
    known = {str(name) for name in pipeline.dataset(shown.sidebar_choice.data).features.columns}
    # Columns that are not features come first: the user has added them to tell samples apart.
    columns.sort(key=lambda name: str(name) in known)
    index = None if str(columns[0]) in known else 0
    column = st.selectbox(
        "One estimate for each value of", columns, index=index, key=f"group {own.digest}", placeholder="Which?"
    )
    if column is None:
        st.caption(
            "All these columns are features of the classifier; a column that tells samples apart, such as a month, is not."
        )
        return
    if str(column) in known:
        st.warning(
            f"{escaped(str(column))} is a feature of the classifier: in its groups tpr and fpr are not those measured, so "
            "that neither the estimates nor their intervals hold."
        )
    groups = groups_in_time(own.frame[column], str(column))
    if n_without := int(groups.isna().sum()):
        rows = counted(n_without, "row")
        st.caption(f"{rows} without a value of {escaped(str(column))}: in no group, but in the estimate of all.")
    table = estimate_groups(scored.sample, groups, scored.training_scores, scored.training_labels, level=shown.request.level)
    chart(groups_figure(table, str(column)), key="groups", alt=f"Estimate and interval for each value of {column}.")
    small = table[table["size"] < FEWEST_INSTANCES]
    if len(small):
        names = listed([escaped(name) for name in small.group], most=10, first=9)
        st.caption(f"Fewer than {FEWEST_INSTANCES} instances: {names}. Little is known of them.")
    small_table(table, _GROUPS, label="Estimates by group")
    csv_button("Groups as CSV", lambda: table, "estimates-by-group")
    if len(table) > 1:
        _differences(shown, scored, groups, table.group.tolist())


def _differences(shown: EstimateView, scored: SampleScores, groups: pd.Series, names: list[str]) -> None:
    """Draw the choice of what each group is compared with, and which differ and by how much."""
    labelled = scored.training_scores, scored.training_labels
    against = st.selectbox(
        "Compared with",
        [*names, OTHERS],
        key=f"compared with {len(names)} {names[0]}",
        help=texts_of("estimate")["differences"],
    )
    result = group_differences(scored.sample, groups, *labelled, against=against, level=shown.request.level)
    share = f"The share of {shown.positive}"
    st.markdown("\n".join(f"- {escaped(sentence)}" for sentence in differences_sentences(result, share)))
    chart(
        differences_figure(result.table, result.against),
        key="differences",
        alt=f"By how many points each group differs from {result.against}, with intervals.",
    )
    rows = result.table
    small_table(rows, _DIFFERENCES, label="Differences of groups")
    csv_button("Differences as CSV", lambda: rows, "differences-of-groups")


def differences_sentences(result: Differences, share: str) -> list[str]:
    """Which groups differ and by how much, and whether all are alike."""
    most = result.sentences(share)
    shown = most[:_MOST_SENTENCES]
    if len(most) > len(shown):
        shown.append(f"And {len(most) - len(shown)} more, in the table.")
    if len(result.table) > 1:
        alike = "differ" if result.all_alike <= 1.0 - result.level else "do not clearly differ"
        shown.append(
            f"Over all groups together, the predictions {alike} (p-value {result.all_alike:.3g}, which needs no labels)."
        )
    return shown


def differences_figure(table: pd.DataFrame, against: str) -> Figure:
    """The difference of each group with its interval; the table of `Differences`."""
    marks = [
        markers(
            name,
            rows.group,
            100.0 * rows.difference,
            colour=colour,
            size=10,
            hover="%{x}: %{y:+.1f} points",
            error_y={
                "type": "data",
                "symmetric": False,
                "array": (100.0 * (rows.high - rows.difference)).tolist(),
                "arrayminus": (100.0 * (rows.difference - rows.low)).tolist(),
                "thickness": 4,
                "width": 0,
            },
        )
        for name, colour, rows in (
            ("differs", PALETTE[1], table[table.differs]),
            ("no clear difference", NEUTRAL, table[~table.differs]),
        )
        if len(rows)
    ]
    return figure(
        marks,
        title=f"Difference from {against}, in points",
        height=320,
        hovermode="closest",
        xaxis={**axis("", type="category"), "categoryorder": "array", "categoryarray": table.group.tolist()},
        yaxis={**axis("points"), "zeroline": True},
    )
