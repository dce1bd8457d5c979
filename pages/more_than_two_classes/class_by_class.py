"""Errors class by class, all at once beside one against all, and the matrix that is inverted: tabs of the page."""

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import csv_button
from pages.frame.texts import texts_of
from pages.more_than_two_classes.computations import both_ways, matrix
from pages.more_than_two_classes.hero import (
    ClassesView,
    class_errors_figure,
    matrix_figure,
    matrix_sentence,
    native_figure,
    native_sentence,
    truth_figure,
)
from pages.more_than_two_classes.settings import SETTINGS
from pages.settings import control
from pages.settings.number_text import enumerated
from qcore import QUANTIFIERS

TEXTS = texts_of("more_than_two_classes")

_NATIVE = (
    Column("method", "Quantifier"),
    Column("native", "All classes at once", ".4f"),
    Column("one_vs_all", "One against all", ".4f"),
    Column("difference", "Difference", "+.4f"),
    Column("standard_error", "Standard error", ".4f"),
)


def _text(name: str) -> None:
    st.markdown(TEXTS[name])


def how_it_works(shown: ClassesView | None) -> None:
    """Draw how shares of several classes are estimated, and the matrix that a quantifier inverts."""
    at_once = enumerated([key for key, entry in QUANTIFIERS.items() if entry.takes_all_classes])
    with st.expander("Scores, samples, quantifiers"):
        st.markdown(TEXTS["how"].format(at_once=at_once))
    if shown is not None:
        _matrix(shown)


def class_by_class(shown: ClassesView) -> None:
    """Draw the estimates of one quantifier beside the truth, and the error of each quantifier, class by class."""
    _text("truth")
    figure = truth_figure(shown.errors.by_class(shown.request.mapped), shown.request.mapped)
    chart(figure, key="truth", alt=f"Estimates of {shown.request.mapped} beside the truth, class by class.")
    _errors(shown)


def _matrix(shown: ClassesView) -> None:
    _text("matrix")
    method = str(control.segments(SETTINGS["matrix"]))
    result, classes = matrix(shown.scores, method), shown.errors.classes
    st.markdown(f"- {control.escaped(matrix_sentence(result, classes, method))}")
    chart(matrix_figure(result.rates, classes, f"What {method} inverts"), key="inverted_matrix", alt=f"The matrix of {method}.")


def at_once_or_not(shown: ClassesView) -> None:
    """Draw the errors of all classes at once beside those of one against all."""
    _text("native")
    request = shown.request
    table = both_ways(shown.scores, shown.sidebar_choice.methods, request.sampling)
    st.markdown(f"- {native_sentence(table)}")
    if len(table):
        chart(native_figure(table, request.loss), key="native", alt="Mean loss of all classes at once and of one against all.")
        small_table(table, _NATIVE, label="All classes at once, and one against all")
        csv_button("Both ways as CSV", lambda: table, "native-and-one-against-all")


def _errors(shown: ClassesView) -> None:
    _text("classes")
    table = shown.errors.class_errors()
    chart(class_errors_figure(table), key="errors_by_class", alt="Mean absolute error of each class by method.")
    csv_button("Errors by class as CSV", lambda: table, "errors-by-class")
