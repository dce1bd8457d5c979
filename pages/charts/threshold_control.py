"""The control of the threshold, the same on the pages whose charts follow it: a box to type it, and a bar to drag."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts.chart import DraggedValue, chart
from pages.charts.dragged_frames import DraggedFigure
from pages.charts.dragged_slider import MethodValue, drag_bar, dragged_text
from pages.settings import control
from pages.settings.shared import THRESHOLD
from qcore import QUANTIFIERS
from qcore.base import FloatArray
from qcore.quantifiers.operating_points import OperatingPoint


def threshold_box(pinned: DeltaGenerator) -> tuple[float, DeltaGenerator]:
    """Draw the box into a pinned container; returns (threshold, container for the bar, which is drawn later)."""
    with pinned:
        bar_part, box_part = st.columns([4, 1], vertical_alignment="center")
    with box_part:
        threshold = control.box(THRESHOLD["threshold"], format="%.4g")
    return float(threshold), bar_part


def threshold_bar(
    bar_part: DeltaGenerator, thresholds: FloatArray, threshold: float, points: Mapping[str, OperatingPoint]
) -> None:
    """Draw the bar, with a button for each policy's threshold."""
    policies = {key: MethodValue(point.threshold, QUANTIFIERS[key].idea) for key, point in points.items()}
    with bar_part:
        drag_bar("threshold", "Threshold", thresholds.tolist(), threshold, policies)


def follow_threshold(dragged: DraggedFigure, *, key: str, alt: str, drags: bool = False) -> None:
    """Draw a figure that follows the threshold. `drags`: whether it can be dragged in the figure too."""
    threshold = float(st.session_state["threshold"])
    index = min(range(len(dragged.values)), key=lambda i: abs(dragged.values[i] - threshold))
    chart(
        dragged.figure,
        key=key,
        alt=alt,
        follows=[DraggedValue("threshold", dragged, index, [], "threshold")],
        drags=drags,
        sentence_height=0,
    )


def moving_threshold_text(name: str, thresholds: FloatArray, sentences: list[str], *, headline: bool = False) -> None:
    """Draw a sentence that follows the threshold; `sentences` has one for each of `thresholds`."""
    dragged_text(name, "threshold", thresholds.tolist(), sentences, float(st.session_state["threshold"]), headline=headline)
