"""A curve that is drawn before the page shows it: the curves that can be asked for, and the drawing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.figure import json_text
from pages.learn.check import COUNTED_OR_CORRECTED, LOSS, QUANTIFIER, Argument, NotComputed, Situation, Verdict
from pages.learn.labels import AXES, LABELS
from pages.learn.lesson import CLOSE, OTHER_SHAPE, TOO_HIGH, TOO_LOW
from pages.settings.component import component
from pages.settings.number_text import digits
from qcore.base import FloatArray, registry
from qcore.evaluation.loss_grid import LossGrid
from qcore.evaluation.summaries import curves

SAMPLE_SIZE = "sample size"
"""The label of an axis of whole numbers."""
N_POINTS = 41
"""Points at equal distances along the x axis at which a drawn curve is known."""
_TYPED = slice(None, None, (N_POINTS - 1) // 4)
"""The five of them at which a curve can be typed."""
_SAME = 1e-3
"""Curves this close everywhere, as a share of the frame's height, are the same but for rounding."""
_ALONG = np.linspace(0.0, 1.0, N_POINTS)
_ROOMY = 0.25
"""A frame that ends above this has no room above the curve."""
NEARLY_NOTHING = 0.01
"""A share as small as this may be typed as a percentage below 1."""
_MUCH_MORE = 0.05
"""If the mean of a curve of shares is above this, nobody draws it below `NEARLY_NOTHING` on purpose."""
_ONE_SIDED = 0.75
"""If this share of the mean distance is on one side, a drawn curve is too low or too high."""


def _bends() -> FloatArray:
    """The parts of a curve that are polynomials of the degrees 2 to 5 alone, (4, N_POINTS), each with the mean square 1."""
    orthogonal, _ = np.linalg.qr(np.vander(_ALONG - 0.5, 6, increasing=True))
    return np.asarray(orthogonal[:, 2:].T / np.sqrt(N_POINTS))


_BENDS = _bends()
"""What finds the bend of a curve: the norm of `_BENDS @ curve` is the root mean square of what no straight line explains."""


@dataclass(frozen=True)
class Curve:
    """A curve to draw.

    Attributes
    ----------
    key : what a lesson calls it; `page` shows it.
    what : what it is, for teachers who write a lesson.
    x_label, y_label : of its axes; `x_share`, `y_share`: whether their numbers are shares, written as percentages.
    points_in : situation -> (x, y), x increasing. Raises NotComputed.
    argument : what else it needs, or None.
    close : the mean distance, as a share of the y axis, up to which a drawn curve is close.
    bend : how differently a close one may bend, as a share of the y axis (see `compare`); little if the real one is straight.
    highest_shown : how many times its least value the frame shows, of a curve that grows without bound.
    headroom : the height of a low frame as a multiple of the highest value: a closer frame can give the answer away.
    """

    key: str
    page: str
    what: str
    x_label: str
    y_label: str
    points_in: Callable[[Situation], tuple[FloatArray, FloatArray]]
    argument: Argument | None = None
    x_share: bool = True
    y_share: bool = True
    close: float = 0.1
    bend: float = 0.022
    highest_shown: float = inf
    headroom: float = 1.1

    def values(self, now: Situation) -> tuple[FloatArray, FloatArray]:
        """(x, y) of the curve, x increasing, as far as it is finite. Raises NotComputed if that is not a curve."""
        x, y = self.points_in(now)
        known = np.isfinite(x) & np.isfinite(y)
        if known.sum() < 2:
            raise NotComputed(self.key)
        return x[known], y[known]

    def highest(self, y: FloatArray) -> float:
        """The highest value that the frame shows."""
        least, most = float(y.min()), float(y.max())
        return min(most, self.highest_shown * least) if least > 0.0 else most

    def y_end(self, y: FloatArray) -> float:
        """The end of the y axis, which begins at 0: 1 for a share that needs it, else a round number above all values."""
        most = max(1.1 * self.highest(y), min(self.headroom * self.highest(y), _ROOMY))
        if most <= 0.0:
            return 1.0
        if self.y_share and most > 0.6:
            return 1.0
        power = 10.0 ** np.floor(np.log10(most))
        return float(next(step * power for step in (1.0, 2.0, 2.5, 4.0, 5.0, 10.0) if step * power >= most))


def compare(curve: Curve, x: FloatArray, y: FloatArray, drawn: FloatArray) -> Verdict:
    """How far a drawn curve, (N_POINTS,), is from the real one, and whether it has its shape.

    It is close if its mean distance from the real one is at most `close` of the frame's height, and it bends as that does: of
    their difference, the root mean square of what polynomials of the degrees 2 to 5 explain is at most `bend` of the height. A
    wrong level or slope is no bend, and a hand's wobble, in waves shorter than a fifth of the axis, hardly is one; an S that
    leaves a line by 6% of the height, a U in place of a V, or a dip in a rising curve is one. Straight lines through five typed
    values are compared with those through the real values there.
    """
    end = curve.y_end(y)
    is_typed = bool(np.abs(drawn - _through_typed(drawn)).max() < _SAME * end)
    differences = drawn - _reals_in_frame(curve, x, y)[is_typed]
    distance = float(np.abs(differences).mean())
    told = {"distance": _points(100.0 * distance) if curve.y_share else digits(distance)}
    if distance <= curve.close * end:
        return Verdict(CLOSE if np.linalg.norm(_BENDS @ differences) <= curve.bend * end else OTHER_SHAPE, told)
    if abs(differences.mean()) < _ONE_SIDED * distance:
        return Verdict(OTHER_SHAPE, told)
    return Verdict(TOO_HIGH if differences.mean() > 0.0 else TOO_LOW, told)


def _reals_in_frame(curve: Curve, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The real curve, (N_POINTS,), and straight lines through its values at the five places where one can type.

    Beyond the end of the y axis it ends there.
    """
    real = np.interp(x[0] + (x[-1] - x[0]) * _ALONG, x, np.clip(y, 0.0, curve.y_end(y)))
    return real, _through_typed(real)


def _through_typed(values: FloatArray) -> FloatArray:
    return np.interp(_ALONG, _ALONG[_TYPED], values[_TYPED])


def are_fractions(curve: Curve, y: FloatArray, drawn: FloatArray) -> bool:
    """Whether a curve of shares, (N_POINTS,), was typed as fractions, which the boxes take for percentages."""
    return 0.0 < float(drawn.max()) < _fractions_below(curve, y)


def _fractions_below(curve: Curve, y: FloatArray) -> float:
    """The height below which a drawn curve must have been typed as fractions; 0 if that cannot be told."""
    return NEARLY_NOTHING if curve.y_share and float(y.mean()) > _MUCH_MORE else 0.0


def _points(distance: float) -> str:
    """A number of percentage points; with a decimal where one of them matters."""
    return f"{distance:.1f}" if distance < 9.95 else f"{distance:.0f}"


def _of_method(table: pd.DataFrame, method: str) -> tuple[FloatArray, FloatArray]:
    rows = table[table.method == method]
    if rows.empty:
        raise NotComputed(method)
    return rows.true.to_numpy(dtype=float), rows["mean"].to_numpy(dtype=float)


def _count_at_home(now: Situation) -> tuple[FloatArray, FloatArray]:
    return _of_method(now.result("table"), now.argument)


def _loss_by_prevalence(now: Situation) -> tuple[FloatArray, FloatArray]:
    view = now.result("view")
    return _of_method(curves(view.losses.by_method, view.estimates.samples), now.argument)


def _estimate_by_prevalence(now: Situation) -> tuple[FloatArray, FloatArray]:
    estimates = now.result("view").estimates
    return _of_method(curves(estimates.by_method, estimates.samples), now.argument)


def _scatter_by_threshold(now: Situation) -> tuple[FloatArray, FloatArray]:
    deviations = now.result("adjustment").deviations.dropna(subset="measured")
    return deviations.threshold.to_numpy(dtype=float), deviations.measured.to_numpy(dtype=float)


def _loss_by_size(now: Situation) -> tuple[FloatArray, FloatArray]:
    grid: LossGrid = now.result("grid")
    return grid.sizes.astype(float), mean_loss_by_size(grid, now.argument)


def mean_loss_by_size(grid: LossGrid, method: str) -> FloatArray:
    """The mean loss of a method over all prevalences, (n_sizes,). Raises NotComputed if the grid has no such method."""
    if method not in grid.methods:
        raise NotComputed(method)
    means: FloatArray = grid.magnitudes[grid.methods.index(method)].mean(axis=1)
    return means


def _loss_by_estimate(now: Situation) -> tuple[FloatArray, FloatArray]:
    if now.argument not in now.result("shares"):
        raise NotComputed(now.argument)
    shares = now.result("shares")[now.argument]
    return np.linspace(0.0, 1.0, shares.shape[1]), shares[now.nearest(now.result("truths"), "true_p")]


def _accuracy_by_prevalence(now: Situation) -> tuple[FloatArray, FloatArray]:
    rates = now.result("evaluation").rates
    index = rates.nearest(now.number("threshold"))
    # A straight line.
    return np.array([0.0, 1.0]), np.array([1.0 - rates.fpr[index], rates.tpr[index]])


CURVES = registry(
    Curve(
        "mean-estimate-at-home",
        "home",
        "the mean estimate of CC or AC by the true share of 8s",
        "true share",
        "estimated share",
        _count_at_home,
        COUNTED_OR_CORRECTED,
        close=0.05,
    ),
    Curve(
        "estimate-by-prevalence",
        "error_by_prevalence",
        "a quantifier's mean estimate by true prevalence",
        "true prevalence",
        "estimate",
        _estimate_by_prevalence,
        QUANTIFIER,
        close=0.05,
    ),
    Curve(
        "loss-by-prevalence",
        "error_by_prevalence",
        "a quantifier's mean loss by true prevalence",
        "true prevalence",
        "loss",
        _loss_by_prevalence,
        QUANTIFIER,
        y_share=False,
        close=0.05,
        bend=0.04,
        headroom=6.0,
    ),
    Curve(
        "scatter-by-threshold",
        "corrections",
        "the scatter of the corrected estimate by threshold",
        "threshold",
        "scatter of the estimate",
        _scatter_by_threshold,
        x_share=False,
        bend=0.05,
        highest_shown=4.0,
    ),
    Curve(
        "loss-by-size",
        "test_size",
        "a quantifier's mean loss over all prevalences by sample size",
        SAMPLE_SIZE,
        "mean loss",
        _loss_by_size,
        QUANTIFIER,
        x_share=False,
        y_share=False,
    ),
    Curve(
        "loss-by-estimate",
        "losses",
        "a loss of each estimate at the true prevalence, as a share of the largest",
        "estimate",
        "share of the largest loss",
        _loss_by_estimate,
        LOSS,
        bend=0.05,
    ),
    Curve(
        "accuracy-by-prevalence",
        "classifier",
        "the accuracy at the threshold by the share of positives",
        "share of positives",
        "accuracy",
        _accuracy_by_prevalence,
    ),
)
"""Everything that a question can ask to draw."""


_FOLDER = Path(__file__).parent
SENDING_JS = "".join((_FOLDER / "classroom" / f"{name}.js").read_text() for name in ("asking", "sending"))
"""The script that sends an answer of a member of a classroom."""
_HTML = '<div class="drawing"></div>'
_mount = component(
    "drawing", _HTML, (_FOLDER / "drawing.css").read_text(), js=SENDING_JS + (_FOLDER / "drawing.js").read_text()
)
LABELS_OF_DRAWING = (
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
    """Draw the axes of a curve, what the user has drawn into them, and the real one, (x, y), if it may be seen.

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
