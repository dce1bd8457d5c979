"""The control of the candidates that the recommender chooses from."""

from __future__ import annotations

import streamlit as st

from qcore import QUANTIFIERS
from qcore.recommender.metatable import CANDIDATES


def candidates_control() -> tuple[str, ...]:
    """Draw the control; the candidates in the order of the registry."""
    chosen: list[str] = st.pills(
        "Candidates",
        list(QUANTIFIERS),
        selection_mode="multi",
        default=list(CANDIDATES),
        key="candidates",
        bind="query-params",
        help="The quantifiers to choose from, two at least. The paper's three: MS for small samples, DyS-PS for large ones, "
        "SORD over all sizes.",
    )
    return tuple(method for method in QUANTIFIERS if method in chosen)
