"""The control of the threshold, the same on the pages whose charts follow it: a box to type it, and a bar to drag."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import controls
from pages.parts.chart import Followed, chart
from pages.parts.dragged import dragged
from qcore import QUANTIFIERS
from qcore.figures.following import Following
from qcore.operating import OperatingPoint
from qcore.validation import FloatArray


def typed_threshold(pinned: DeltaGenerator) -> tuple[float, DeltaGenerator]:
    """Draw the box into a pinned container; return what it says, and where the bar goes once its values are known."""
    with pinned:
        where, typed = st.columns([4, 1], vertical_alignment="center")
    with typed:
        threshold = controls.box("threshold", "Threshold, typed", 0.0, 1.0, 0.01, format="%.4f")
    return float(threshold), where


def threshold_bar(
    where: DeltaGenerator, thresholds: FloatArray, threshold: float, points: Mapping[str, OperatingPoint]
) -> None:
    """Draw the bar, with a button for each policy's threshold."""
    stands = {key: (point.threshold, QUANTIFIERS[key].idea) for key, point in points.items()}
    with where:
        dragged("threshold", "Threshold", thresholds.tolist(), threshold, stands)


def follow_threshold(following: Following, said: list[str], *, key: str, alt: str, drags: bool = False) -> None:
    """Draw a figure that follows the threshold, with a sentence for each of its values.

    `drags`: whether it can be dragged in the figure too.
    """
    asked = float(st.session_state["threshold"])
    place = min(range(len(following.values)), key=lambda i: abs(following.values[i] - asked))
    chart(following.figure, key=key, alt=alt, follows=[Followed("threshold", following, place, said)], drags=drags)
