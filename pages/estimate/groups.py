"""The section "By group" of "Estimate": an estimate for each value of a column."""

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.small_table import SHARE, Column, small_table
from pages.estimate.estimate_view import EstimateView
from pages.estimate.intervals_figure import groups_figure
from pages.frame.downloads import csv_button
from pages.frame.texts import texts_of
from pages.settings.control import escaped
from pages.settings.number_text import counted, listed
from qcore.datasets.preparation import n_values
from qcore.intervals import estimate_groups
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.watching.batches import groups_in_time

_MOST_GROUPS = 60
_GROUPS = (
    Column("group", "Group"),
    Column("size", "Instances", ",d"),
    Column("estimate", "Estimate", SHARE),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
)


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
