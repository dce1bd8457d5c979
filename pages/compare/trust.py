"""The section "Can the test be trusted" of "Compare": simulated studies."""

from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.compare import computations
from pages.compare.findings import trust_sentence
from pages.compare.settings import SETTINGS
from pages.compare.training import trust_figure
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.studies.significance_trust import ADVANTAGES

TEXTS: Final = texts_of("compare")


@fragment
def trust_section() -> None:
    """Draw how often the test finds a difference in simulated studies, as one method's advantage grows."""
    st.markdown(TEXTS["trust"])
    first, second, third, fourth = narrow_row("trust", 4)
    with first:
        methods = int(control.slider(SETTINGS["simulated_methods"]))
    with second:
        sets = int(control.slider(SETTINGS["simulated_sets"]))
    with third:
        cases = int(control.slider(SETTINGS["simulated_cases"]))
    with fourth:
        spread = float(control.slider(SETTINGS["simulated_spread"]))
    try:
        result = computations.simulated_trust(methods, sets, cases, spread, 0)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(f"- {trust_sentence(result[0], sets, cases)}")
    table = pd.DataFrame(
        [
            {"advantage": advantage, "counts": counts, "share": share}
            for counts, name in (("data sets", "of_data_sets"), ("test cases (the mistake)", "of_test_cases"))
            for advantage, one in zip(ADVANTAGES, result, strict=True)
            for share in [getattr(one, name)]
        ]
    )
    chart(trust_figure(table), key="trust", alt="How often the test finds a difference, by the advantage of one method.")
