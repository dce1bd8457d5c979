"""What posteriors say of a sample, as they are and adjusted: the share, their reliability and the classifier's measures."""

from typing import Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, PALETTE, Style, figure
from pages.charts.traces import UNIT, axis, diagonal, markers, styled_line, vertical_mark
from pages.classifier.calibration_figure import reliability_line
from pages.settings.number_text import percentage
from qcore.measures.estimated import CLASSIFIER_MEASURES
from qcore.studies.posterior_tasks import POSTERIORS, TRUTH, PosteriorTasks

_STYLES: Final = {
    POSTERIORS[0]: Style(PALETTE[0], "dash", "circle"),
    POSTERIORS[1]: Style(PALETTE[1], "solid", "square"),
    TRUTH: Style(NEUTRAL, "dot", "diamond"),
}
_NAMES: Final = {POSTERIORS[0]: "scores as they are", POSTERIORS[1]: "adjusted", TRUTH: TRUTH}
_HEIGHT: Final = 360


def share_figure(table: pd.DataFrame, true: float) -> Figure:
    """The mean posterior by true prevalence, with a mark at the shown one; the table of `posterior_tasks`."""
    lines = [
        styled_line(_NAMES[name], _STYLES[name], rows.true, rows.prevalence, hover="%{y:.1%}", size=5)
        for name in POSTERIORS
        for rows in [table[table.by == name]]
    ]
    return figure(
        [diagonal(TRUTH), *lines],
        title="How many are positive?",
        height=_HEIGHT,
        shapes=[vertical_mark(true)],
        xaxis=axis("true prevalence of the sample", (-0.02, 1.02), tickformat=".0%"),
        yaxis=axis("mean of the posteriors", (-0.02, 1.02), tickformat=".0%"),
    )


def sample_reliability_figure(table: pd.DataFrame, true: float) -> Figure:
    """Share of positives by mean posterior at the shown prevalence; the reliability of `posterior_tasks`."""
    shown = table[table.true == true]
    lines = [reliability_line(_NAMES[name], _STYLES[name], shown[shown.by == name]) for name in POSTERIORS]
    return figure(
        [diagonal("a probability"), *lines],
        title="Does 0.7 mean 70% here?",
        height=_HEIGHT,
        hovermode="closest",
        xaxis=axis("mean posterior in the bin", UNIT),
        yaxis=axis("share of positives in the bin", UNIT),
    )


def classifier_measures_figure(result: PosteriorTasks, true: float) -> Figure:
    """How far expected accuracy, F1 and AUC of the classifier are from the true ones at the shown prevalence."""
    errors, truth = result.errors(), result.table[(result.table.by == TRUTH) & (result.table.true == true)].iloc[0]
    places = [f"{name}<br>in truth {percentage(float(truth[name]))}" for name in CLASSIFIER_MEASURES]
    most = 1.1 * float(errors[list(CLASSIFIER_MEASURES)].abs().max().max())
    dots = [
        markers(
            _NAMES[name],
            errors[(errors.by == name) & (errors.true == true)].iloc[0][list(CLASSIFIER_MEASURES)].tolist(),
            places,
            colour=_STYLES[name].colour,
            symbol=_STYLES[name].symbol,
            size=13,
            hover="%{x:+.1%}",
        )
        for name in POSTERIORS
    ]
    return figure(
        dots,
        title="How good is the classifier here?",
        height=_HEIGHT,
        hovermode="closest",
        shapes=[vertical_mark(0.0, line={"color": NEUTRAL, "width": 1.5})],
        xaxis=axis("expected without labels, minus true", (-most, most), tickformat="+.0%"),
        yaxis={"type": "category", "autorange": "reversed", "title": {"text": ""}},
    )
