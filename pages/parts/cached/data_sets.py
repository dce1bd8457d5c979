"""The caches of the page "Data sets"."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.cached.scores import dataset
from qcore import DatasetReference, InvalidInput
from qcore.datasets.table_reader import read_table
from qcore.studies import projection as projections


@st.cache_resource(show_spinner=False, max_entries=500)
def facts(data: DatasetReference) -> dict[str, object]:
    """Name, numbers of rows, features and classes, and the share of the rarest class; none for what holds no data set."""
    try:
        loaded = dataset(data)
    except InvalidInput:
        # A file of the folder that holds no data set, such as a list of the others.
        return {}
    rarest = min(loaded.class_counts.values()) / len(loaded.labels)
    n_rows, n_features = loaded.features.shape
    return {"name": loaded.name, "rows": n_rows, "features": n_features, "classes": len(loaded.classes), "rarest": rarest}


@st.cache_resource(show_spinner=False, max_entries=30)
def projection(data: DatasetReference, seed: int) -> tuple[pd.DataFrame, float]:
    """The data set in two dimensions, and the share of the variance that they hold."""
    return projections.projection(dataset(data), seed)


@st.cache_resource(show_spinner=False, max_entries=30)
def feature_table(data: DatasetReference) -> pd.DataFrame:
    """What its features are."""
    return projections.feature_table(dataset(data))


@st.cache_resource(show_spinner="Reading the file", max_entries=3)
def uploaded_frame(digest: str, file_name: str, owner: str, _content: bytes, *, labelled: bool = True) -> pd.DataFrame:
    """The table in an uploaded file; `owner` keeps it from other sessions. Raises InvalidInput."""
    return read_table(_content, file_name, labelled=labelled)
