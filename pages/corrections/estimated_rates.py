"""The section on estimating rates: each way over repeats, beside the pool's rates, and the errors of AC with them."""

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.estimated_rates import estimated_rates_figure, rate_estimation_list, rates_sentences
from pages.corrections.settings import BY_FOLDS, SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.sidebar import SidebarChoice, nothing_to_train
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.number_text import digits
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.studies.threshold_adjustment import EstimatedRates, usable_rate_estimations

TEXTS = texts_of("corrections")
_AS_FAR = 0.005
"""Mean rates whose distances from the pool's differ by at most this are equally far."""


def many_folds_sentence(rates: EstimatedRates) -> str:
    """Whether many folds give more biased rates than ten here, as Barranquero 2013, 6.4.3, expects."""
    means = rates.table.groupby("estimation", sort=False)[["tpr", "fpr", "AE"]].mean()
    apart = (means[["tpr", "fpr"]] - [rates.pool["tpr"], rates.pool["fpr"]]).abs().max(axis=1)
    many = [name for name in ("50 folds", "leave-one-out") if name in means.index]
    if not many or "10 folds" not in means.index:
        return "Here there are too few instances for 50 folds: nothing can be said of the thesis's remark (6.4.3)."
    most = max(many, key=apart.__getitem__)
    more = apart[most] > apart["10 folds"] + _AS_FAR
    return (
        f"The thesis expects 50 folds and leave-one-out to be biased (6.4.3). Here their mean rates are at most "
        f"{digits(float(apart[most]))} from the pool's, those of 10 folds {digits(float(apart['10 folds']))}. "
        f"So they are {'' if more else 'not '}more biased; AC errs by {digits(float(means.AE[most]))} and "
        f"{digits(float(means.AE['10 folds']))}."
    )


@fragment
def estimated_rates_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section; its computations train a hundred models or more."""
    st.markdown(TEXTS["estimated_rates"])
    if nothing_to_train(sidebar_choice):
        return
    with st.container(horizontal=True):
        compared = control.segments(SETTINGS["rates_compared"])
        repeats = control.segments(SETTINGS["rate_repeats"])
    by_folds = compared == BY_FOLDS
    if by_folds:
        st.markdown(TEXTS["rates_by_folds"])
    with st.container():
        try:
            made = pipeline.rates_by_folds if by_folds else pipeline.estimated_rates
            rates = made(sidebar_choice.data, settings, int(repeats))
        except InvalidInput as error:
            show_invalid_input(error)
            return
        draw_sentences([*([many_folds_sentence(rates)] if by_folds else []), *rates_sentences(rates)])
        chart(
            estimated_rates_figure(rates, ("tpr", "fpr", "AE"), "Which estimate of the rates can you trust?"),
            key="estimated_rates_chart",
            alt="tpr, fpr and the mean error of AC for each way of estimating rates, a circle for each repeat.",
        )
        st.caption(
            f"{repeats} repeats, bars at their means. AE: a mean over {rates.n_samples:,} samples of {rates.sample_size}."
        )
        if not by_folds:
            rate_estimation_list(usable_rate_estimations(settings.classifier))
        csv_button("Rates as CSV", lambda: rates.table, f"{sidebar_choice.data_name}-estimated-rates")
