"""Forman's theorem for rates that a person chooses, without data."""

import numpy as np
import streamlit as st

from pages.charts.chart import DraggedValue, chart
from pages.charts.drag_bar import drag_bar
from pages.corrections.findings import theorem_sentence
from pages.corrections.forman_theorem_figure import chosen_rates_figure
from pages.corrections.settings import SETTINGS
from pages.settings import control
from qcore.studies.threshold_adjustment import rates_table

_RATES = [step / 100 for step in range(101)]


def chosen_rates_chart() -> None:
    """Draw the theorem with chosen rates: a bar for each rate moves the chart, and the other rate stays."""
    rates = {key: _chosen_rate(key) for key in ("tpr", "fpr")}
    follows = []
    for key in rates:
        table = rates_table(**{name: np.array(_RATES) if name == key else rate for name, rate in rates.items()})
        index = round(100 * rates[key])
        dragged = chosen_rates_figure(table, _RATES, index)
        sentences = [theorem_sentence(*row) for row in table[["tpr", "fpr", "p_star"]].itertuples(index=False)]
        follows.append(DraggedValue(key, dragged, index, sentences))
    chart(dragged.figure, key="chosen_rates", alt="Expected count by true prevalence with the chosen rates.", follows=follows)


def _chosen_rate(key: str) -> float:
    kept = f"{key} kept"
    if key not in st.session_state and kept in st.session_state:
        # Streamlit forgets the value of a control while it is not drawn.
        st.session_state[key] = st.session_state[kept]
    bar, typed = st.columns([3, 1], vertical_alignment="center")
    with typed:
        value = control.box(SETTINGS[key])
    st.session_state[kept] = value = round(float(value), 2)
    with bar:
        drag_bar(key, key, _RATES, value)
    return value
