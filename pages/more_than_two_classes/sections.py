"""The sections of "More than two classes", as tabs below the picture."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import csv_button
from pages.frame.page_frame import if_there, tabs
from pages.frame.texts import texts_of
from pages.more_than_two_classes.computations import both_ways, matrix
from pages.more_than_two_classes.figure import class_errors_figure, matrix_figure, native_figure, truth_figure
from pages.more_than_two_classes.findings import matrix_sentence, native_sentence
from pages.more_than_two_classes.hero import ClassesView
from pages.more_than_two_classes.ordered import ordered_section
from pages.more_than_two_classes.settings import SECTIONS, SETTINGS
from pages.settings import control
from pages.settings.number_text import enumerated
from qcore import QUANTIFIERS

TEXTS: Final = texts_of("more_than_two_classes")

_NATIVE: Final = (
    Column("method", "Quantifier"),
    Column("native", "All classes at once", ".4f"),
    Column("one_vs_all", "One against all", ".4f"),
    Column("difference", "Difference", "+.4f"),
    Column("standard_error", "Standard error", ".4f"),
)


def sections(shown: ClassesView | None) -> None:
    """Draw the tabs below the picture; tabs on estimates say without them that there is nothing to show."""
    drawn = (
        if_there(shown, _truth),
        if_there(shown, _matrix),
        if_there(shown, _native),
        if_there(shown, _classes),
        lambda: ordered_section(shown),
        _how,
    )
    tabs("more_than_two_classes", dict(zip(SECTIONS, drawn, strict=True)))


def _text(name: str) -> None:
    st.markdown(TEXTS[name])


def _how() -> None:
    at_once = enumerated([key for key, entry in QUANTIFIERS.items() if entry.takes_all_classes])
    st.markdown(TEXTS["how"].format(at_once=at_once))


def _truth(shown: ClassesView) -> None:
    _text("truth")
    figure = truth_figure(shown.errors.by_class(shown.request.mapped), shown.request.mapped)
    chart(figure, key="truth", alt=f"Estimates of {shown.request.mapped} beside the truth, class by class.")


def _matrix(shown: ClassesView) -> None:
    _text("matrix")
    method = str(control.segments(SETTINGS["matrix"]))
    result, classes = matrix(shown.scores, method), shown.errors.classes
    st.markdown(f"- {control.escaped(matrix_sentence(result, classes, method))}")
    chart(matrix_figure(result.rates, classes, f"What {method} inverts"), key="inverted_matrix", alt=f"The matrix of {method}.")


def _native(shown: ClassesView) -> None:
    _text("native")
    request = shown.request
    table = both_ways(shown.scores, shown.sidebar_choice.methods, request.sampling)
    st.markdown(f"- {native_sentence(table)}")
    if len(table):
        chart(native_figure(table, request.loss), key="native", alt="Mean loss of all classes at once and of one against all.")
        small_table(table, _NATIVE, label="All classes at once, and one against all")
        csv_button("Both ways as CSV", lambda: table, "native-and-one-against-all")


def _classes(shown: ClassesView) -> None:
    _text("classes")
    table = shown.errors.class_errors()
    chart(class_errors_figure(table), key="errors_by_class", alt="Mean absolute error of each class by method.")
    csv_button("Errors by class as CSV", lambda: table, "errors-by-class")
