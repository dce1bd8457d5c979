"""Empty axes into which a person draws the curve that they expect; then the real one appears over it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import streamlit as st

from pages.charts.figure import json_text
from pages.learn.curves import N_POINTS, SAMPLE_SIZE, Curve
from pages.learn.labels import AXES, LABELS
from pages.settings.component import component
from qcore.base import FloatArray

_FOLDER: Final = Path(__file__).parent
SENDING_JS: Final = "".join((_FOLDER / "classroom" / f"{name}.js").read_text() for name in ("asking", "sending"))
"""The script that sends an answer of a member of a classroom."""
_HTML: Final = '<div class="drawing"></div>'
_mount = component(
    "drawing", _HTML, (_FOLDER / "drawing.css").read_text(), js=SENDING_JS + (_FOLDER / "drawing.js").read_text()
)
LABELS_OF_DRAWING: Final = (
    "draw",
    "your_curve",
    "real_curve",
    "clear",
    "done",
    "at",
    "draw_more",
    "no_number",
    "no_percentage",
)


def axes_of(curve: Curve, x: FloatArray, y: FloatArray, language: str) -> dict[str, Any]:
    """The axes of a curve as the browser reads them: their labels in a language, their ends, and whether they show shares."""
    axes = AXES[language]
    return {
        "x": {
            "label": axes.get(curve.x_label, curve.x_label),
            "low": float(x[0]),
            "high": float(x[-1]),
            "share": curve.x_share,
            "whole": curve.x_label == SAMPLE_SIZE,
        },
        "y": {"label": axes.get(curve.y_label, curve.y_label), "low": 0.0, "high": curve.y_end(y), "share": curve.y_share},
    }


def drawing(
    key: str,
    curve: Curve,
    points: tuple[FloatArray, FloatArray],
    drawn: Sequence[float],
    language: str,
    *,
    real: bool,
    on_drawn: Callable[[list[float]], None] = lambda _: None,
    post: Mapping[str, Any] | None = None,
) -> None:
    """Draw the axes of a curve, what a person has drawn into them, and the real one, (x, y), if it may be seen.

    `on_drawn` gets the drawn curve at N_POINTS equal steps along the x axis when the person says that it is done; with `post`
    it is sent to a classroom instead.
    """
    labels = LABELS[language]
    x, y = points
    end = curve.y_end(y)

    def sent() -> None:
        sketch = st.session_state[key].drawn
        if sketch is not None:
            on_drawn([float(np.clip(one, 0.0, end)) for one in sketch])

    data = {
        "n": N_POINTS,
        **axes_of(curve, x, y, language),
        "drawn": list(drawn),
        "real": json_text({"x": x.tolist(), "y": np.clip(y, 0.0, 3.0 * end).tolist()}) if real else "",
        "labels": {name: labels[name] for name in LABELS_OF_DRAWING},
        "post": post,
    }
    _mount(key=key, data=data, on_drawn_change=sent, height="content")
