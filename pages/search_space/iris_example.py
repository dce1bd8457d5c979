"""The iris example: the tab and its figure."""

import numpy as np
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import NEGATIVES, POSITIVES, SERIES, Figure, figure
from pages.charts.traces import Trace, axis, diagonal, line, markers, vertical_mark
from pages.frame.layout import wide_row
from pages.frame.texts import draw_sentences, texts_of
from pages.search_space.hero import iris_example_sentences
from qcore import ParametricMeasure
from qcore.base import FloatArray
from qcore.studies.search_space import FEATURES, POSITIVE, Hypothesis, IrisExample

_STYLES = (("dash", SERIES[1]), ("solid", SERIES[2]))
_SYMBOLS = ("square-open", "diamond-open")


def hypotheses_figure(example: IrisExample) -> Figure:
    """The irises by petal length and width, with both lines."""
    x, y = (example.table[feature].to_numpy(float) for feature in FEATURES)
    classes = example.table["class"].to_numpy(str)
    others = [name for name in dict.fromkeys(classes.tolist()) if name != POSITIVE]
    points = [
        _irises(f"{name} (negative)", x[classes == name], y[classes == name], NEGATIVES, symbol)
        for name, symbol in zip(others, _SYMBOLS, strict=True)
    ]
    points.append(_irises(f"{POSITIVE} (positive)", x[classes == POSITIVE], y[classes == POSITIVE], POSITIVES, "circle"))
    limits = np.array([x.min() - 0.3, x.max() + 0.3]), np.array([y.min() - 0.2, y.max() + 0.2])
    lines = [_line(hypothesis, style, limits) for hypothesis, style in zip(example.hypotheses, _STYLES, strict=True)]
    return figure(
        [*points, *lines],
        title="Which side is class 3?",
        height=420,
        hovermode="closest",
        xaxis=axis(FEATURES[0], limits[0].tolist(), showgrid=False),
        yaxis=axis(FEATURES[1], limits[1].tolist(), showgrid=False),
    )


def expected_count_figure(example: IrisExample) -> Figure:
    """The expected count of each hypothesis by the true prevalence of class 3."""
    prevalences = np.linspace(0, 1, 21)
    prevalence = example.positives / (example.positives + example.negatives)
    lines = [
        line(
            one.name, prevalences, example.expected_count(one, prevalences), colour=colour, dash=dash, width=3, hover="%{y:.2f}"
        )
        for one, (dash, colour) in zip(example.hypotheses, _STYLES, strict=True)
    ]
    return figure(
        [diagonal(), *lines],
        title="What each counts, by prevalence",
        height=420,
        shapes=[vertical_mark(prevalence)],
        xaxis=axis("true prevalence of class 3", (0, 1)),
        yaxis=axis("counted prevalence", (-0.02, 1.02)),
    )


def _irises(name: str, x: FloatArray, y: FloatArray, colour: str, symbol: str) -> Trace:
    hover = f"{name}<br>%{{x}} cm x %{{y}} cm<extra></extra>"
    return markers(name, x, y, colour=colour, symbol=symbol, size=8, hover=hover, opacity=0.85)


def _line(hypothesis: Hypothesis, style: tuple[str, str], limits: tuple[FloatArray, FloatArray]) -> Trace:
    """The part of the line inside the frame."""
    (length, width), (across, up) = hypothesis.normal, limits
    # Where it crosses the lower and the upper edge, cut off at the left and the right one.
    x = np.clip((hypothesis.offset - width * up) / length, across[0], across[1])
    y = (hypothesis.offset - length * x) / width
    side = "above" if width > 0 else "below"
    name = f"{hypothesis.name}: counts what lies {side}"
    return line(name, x, y, dash=style[0], colour=style[1], width=3) | {"hoverinfo": "name"}


TEXTS = texts_of("search_space")

_MEASURES = (
    ParametricMeasure("NAS"),
    ParametricMeasure("Q_beta", 2.0),
    ParametricMeasure("Q_beta", 1.0),
    ParametricMeasure("recall"),
)


def iris_example_section(example: IrisExample) -> None:
    """Draw the lines of both quantifiers, their values, and their expected counts."""
    st.markdown(TEXTS["iris_example"])
    draw_sentences(iris_example_sentences(example, _MEASURES))
    left, right = wide_row("iris example", [1, 1], align="top")
    with left:
        chart(hypotheses_figure(example), key="hypotheses", alt="Irises by petal length and width, with the lines w1 and w2.")
    with right:
        chart(
            expected_count_figure(example), key="expected_count", alt="What w1 and w2 count, by the true prevalence of class 3."
        )
