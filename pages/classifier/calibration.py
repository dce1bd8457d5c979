"""Calibration: the tab and its figure."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import Figure, Style, figure, numbered_style
from pages.charts.small_table import Column, small_table
from pages.charts.traces import UNIT, Trace, axis, diagonal, method_markers, styled_line
from pages.classifier import computations
from pages.classifier.findings import calibration_sentences
from pages.classifier.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import ArtificialPrevalence, InvalidInput, ScoringSettings
from qcore.measures.probability import probability_table, reliability
from qcore.scoring.calibration import CALIBRATIONS
from qcore.studies.classifier_evaluation import PROBABILISTIC_QUANTIFIERS


def _style(calibration: str) -> Style:
    return numbered_style(list(CALIBRATIONS).index(calibration), ("circle", "square", "diamond", "cross"))


def _name(calibration: str) -> str:
    return "uncalibrated" if calibration == "none" else calibration


def reliability_figure(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Share of positives by mean score, a line for each calibration; tables of `reliability`.

    The size of a marker grows with the number of instances in its bin.
    """
    lines = [reliability_line(_name(key), _style(key), table) for key, table in tables.items()]
    return figure(
        [diagonal("a probability"), *lines],
        title="Does a score of 0.7 mean 70%?",
        height=480,
        hovermode="closest",
        xaxis=axis("mean score in the bin", UNIT),
        yaxis=axis("share of positives in the bin", UNIT),
    )


def reliability_line(name: str, style: Style, table: pd.DataFrame) -> Trace:
    """Share of positives by mean score, of a table of `reliability`; a marker grows with the instances in its bin."""
    hover = "mean score %{x:.2f}, positives %{y:.2f}, %{customdata:,} instances"
    trace = styled_line(name, style, table.score, table.share, hover=hover, customdata=table.n.tolist())
    sizes = (5.0 + 13.0 * (table.n / table.n.sum()) ** 0.5).tolist()
    return trace | {"marker": {**trace["marker"], "size": sizes}}


def effects_figure(errors: Mapping[str, pd.DataFrame]) -> Figure:
    """Mean AE of each quantifier for each calibration, side by side; tables of `mean_errors`."""
    names = [_name(key) for key in errors]
    methods = next(iter(errors.values())).method.tolist()
    lines = [
        method_markers(
            method,
            names,
            [float(table.set_index("method").AE[method]) for table in errors.values()],
            size=13,
            hover="%{y:.4f}",
        )
        for method in methods
    ]
    return figure(
        lines,
        title="What does calibration do to quantifiers?",
        height=480,
        xaxis={"type": "category"},
        yaxis=axis("AE (mean)", rangemode="tozero"),
    )


TEXTS = texts_of("classifier")

_SIZE, _GRID, _REPEATS = 100, 21, 50


@fragment
def calibration_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw all calibrations side by side, or a sentence that says why there are none."""
    st.markdown(TEXTS["calibration"])
    keys = control.several(SETTINGS["calibrations"])
    shown = [key for key in CALIBRATIONS if key in {"none", *keys}]
    answer = st.container()
    with answer:
        try:
            _answer(sidebar_choice, settings, shown)
        except InvalidInput as error:
            show_invalid_input(error)


def _answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, shown: list[str]) -> None:
    scores = pipeline.scores(sidebar_choice.data, settings)
    calibrated = {key: computations.calibrated(scores, key) for key in shown}
    pool_counts = pipeline.plan(sidebar_choice.data, settings).pool_counts
    protocol = ArtificialPrevalence(_GRID, _SIZE, _REPEATS).at_most(*pool_counts)
    errors = {key: computations.calibrated_errors(one, protocol) for key, one in calibrated.items()}
    pool = {key: (one.pool_scores, one.pool_labels) for key, one in calibrated.items()}
    measures = probability_table(pool)
    check = computations.pool_calibration(scores)
    by_chance = check.error <= check.limit
    draw_sentences(calibration_sentences(measures, errors, len(scores.training_labels), by_chance=by_chance))
    left, right = wide_row("calibration", [1, 1], align="top")
    with left:
        figure = reliability_figure({key: reliability(*part) for key, part in pool.items()})
        chart(figure, key="reliability", alt="Share of positives by mean score in ten bins of the pool's scores.")
    with right:
        figure = effects_figure(errors)
        chart(figure, key="effects", alt=f"Mean AE of {', '.join(PROBABILISTIC_QUANTIFIERS)} for each calibration.")
    columns = (
        Column("calibration_method", "Calibration"),
        Column("brier", "Brier score", ".4f", "Mean of (truth - score)²; 0 is best."),
        Column(
            "calibration",
            "Calibration part",
            ".4f",
            "0: the scores are probabilities. Too large where instances are few: it then includes chance.",
        ),
        Column("refinement", "Refinement part", ".4f", "What the best probabilities in the same order would get."),
        Column("log_loss", "Log loss, bits", ".3f", "Mean of -log2 of the probability given to the true class."),
    )
    small_table(measures, columns, label="Calibrations")
    st.caption(
        f"Judged on the pool of {len(scores.pool_labels):,}; AE is a mean over {_GRID * _REPEATS:,} samples of "
        f"{protocol.sample_size}. A log loss of infinity: a score of 0 or 1 was wrong."
    )
    csv_button("Calibration as CSV", lambda: measures, f"{sidebar_choice.data_name}-calibration")
