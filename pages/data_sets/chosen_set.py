"""The chosen data set: its finding, its picture, its features and where it comes from."""

from dataclasses import asdict

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, POSITIVES, Figure, figure, numbered_style
from pages.charts.small_table import Column, small_table
from pages.charts.traces import axis, markers
from pages.data_sets import computations
from pages.frame.downloads import SETUP, loading
from pages.frame.navigation import open_page, streamlit_page
from pages.frame.page_frame import PageParts, headline
from pages.frame.sidebar import SidebarChoice
from pages.own_data import uploads
from pages.own_data.table_choices import reading_notes
from pages.settings.control import escaped
from pages.settings.number_text import counted
from pages.settings.page_declaration import PAGES, settings_of
from pages.settings.shared import OWN_SAMPLE
from qcore import DatasetReference, ScoringSettings
from qcore.datasets.dataset import BUNDLED
from qcore.datasets.repositories import KNOWN_SETS

_MAX_COLOURED = 8
"""The largest number of classes that get a colour each."""


def projection_figure(table: pd.DataFrame, positive: str, variance: float) -> Figure:
    """Instances by their first two principal components; the table of `qcore.studies.shown_instances`.

    The most frequent class is drawn first, the positive one last. With many classes the positive one is coloured, and the
    others are grey.
    """
    classes = table.label.value_counts().index.tolist()
    groups = {name: name for name in classes} if len(classes) <= _MAX_COLOURED else dict.fromkeys(classes, "the others")
    groups[positive] = positive
    shown = table.assign(group=table.label.map(groups))
    traces = []
    for number, name in enumerate(sorted(dict.fromkeys(groups.values()), key=lambda group: group == positive)):
        rows = shown[shown.group == name]
        style = numbered_style(number)
        colour = POSITIVES if name == positive else NEUTRAL if name == "the others" else style.colour
        hover = f"{name}<extra></extra>"
        symbol = "circle" if name == positive else numbered_style(number + 1).symbol
        traces.append(
            markers(
                name,
                rows["first"].round(3),
                rows["second"].round(3),
                colour=colour,
                symbol=symbol,
                size=5,
                opacity=0.6,
                hover=hover,
            )
        )
    return figure(
        traces,
        title=f"Two principal components ({variance:.0%})",
        height=430,
        hovermode="closest",
        xaxis=axis("first component"),
        yaxis=axis("second component", scaleanchor="x"),
    )


_FEATURES = (
    Column("feature", "Feature"),
    Column("kind", "Kind"),
    Column("missing", "Missing", ",d"),
    Column("least", "Least", ".4g"),
    Column("mean", "Mean", ".4g"),
    Column("largest", "Largest", ".4g"),
    Column("values", "Values"),
)
_KNOWN = (
    Column("name", "Data set"),
    Column("rows", "Rows", ",d"),
    Column("features", "Features", ",d"),
    Column("classes", "Classes", "d"),
    Column("positive", "Positive class"),
    Column("used", "Used in"),
    Column("uci", "UCI", ".0f"),
    Column("openml", "OpenML", ".0f"),
)


def finding(sidebar_choice: SidebarChoice, settings: ScoringSettings, parts: PageParts) -> None:
    """Draw the headline: size, and how well the classifier ranks. Raises InvalidInput if it can't be trained."""
    data = pipeline.dataset(sidebar_choice.data)
    scores = pipeline.scores(sidebar_choice.data, settings)
    auc = pipeline.classifier_evaluation(scores, "pool", 0.5).auc
    with parts.headline:
        headline(
            f"{escaped(data.name)}: {len(data.labels):,} rows, {counted(data.features.shape[1], 'feature')}, "
            f"{len(data.classes)} classes. How hard? AUC {auc:.2f} on the pool."
        )


def what_is_left_out(data: DatasetReference) -> None:
    """Draw sentences on the parts of a table that are not used; nothing for a bundled data set."""
    if data.source != BUNDLED:
        for sentence in reading_notes(data) if data.source == uploads.SOURCE else pipeline.dataset(data).notes:
            st.markdown(f"- {escaped(sentence)}")


def go_on(data: DatasetReference) -> None:
    """Draw links to the pages that use the chosen data set: for the user's own table, Estimate comes first."""
    pages = [page for group in ("Explore", "Use") for page in PAGES.of_group(group) if "data" in settings_of(page.name)]
    own = uploads.is_own(data)
    with st.container(key="other-pages", horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown("Use it on:", width="content")
        for page in sorted(pages, key=lambda page: page.name != "estimate") if own else pages:
            if own and page.name == "estimate":
                open_page("estimate", "**Estimate the share in a sample**", {"way": OWN_SAMPLE})
            elif page.name != "data_sets":
                st.page_link(streamlit_page(page.name), label=page.title)


def picture_section(sidebar_choice: SidebarChoice) -> None:
    """Draw the instances by their first two principal components."""
    if pipeline.dataset(sidebar_choice.data).text:
        st.info("Texts have no numbers by which they could be placed in a picture.")
        return
    table, variance = computations.projection(sidebar_choice.data, sidebar_choice.seed)
    figure = projection_figure(table, sidebar_choice.positive, variance)
    chart(figure, key="projection", alt="Instances by their first two principal components, coloured by class.")
    st.caption(
        f"{len(table):,} instances, features standardised; the picture shows {variance:.0%} of their variance. Classes "
        "that lie apart here are easy; those that cover each other may still be told apart in other directions."
    )


def features_section(sidebar_choice: SidebarChoice) -> None:
    """Draw what the data set is, its classes, its source, and the table of features."""
    _origin(sidebar_choice)
    small_table(
        computations.feature_table(sidebar_choice.data), _FEATURES, label="Features", searches="Find a feature", height=500
    )


def _origin(sidebar_choice: SidebarChoice) -> None:
    data = pipeline.dataset(sidebar_choice.data)
    st.markdown(escaped(data.description))
    st.write("Classes: " + escaped(", ".join(f"{name} ({count:,})" for name, count in data.class_counts.items())))
    for note in data.notes:
        st.markdown(f"- {escaped(note)}")
    st.markdown(f"**Source.** {escaped(f'{data.source}. {data.citation}'.strip())}")


def of_the_papers() -> None:
    """Draw the list of the data sets of two papers."""
    st.markdown("The data sets of two papers, with the class that each takes as positive and the numbers to fetch them by.")
    small_table(
        pd.DataFrame([asdict(one) | {"uci": one.uci or None, "openml": one.openml or None} for one in KNOWN_SETS]),
        _KNOWN,
        label="Data sets of the papers",
        searches="Find in the papers",
        height=500,
    )


def python_source(sidebar_choice: SidebarChoice) -> str:
    """A script that loads the data set and draws its projection with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import load_dataset, read_dataset, read_scores, read_texts\n"
        "from qcore.studies.shown_instances import feature_table, projection\n\n"
        f"data = {loading(sidebar_choice.data)}\n"
        "print(feature_table(data))\n"
        f"table, variance = projection(data, {sidebar_choice.seed!r})\n"
        'px.scatter(table, x="first", y="second", color="label").show()\n'
    )
