"""The estimated prevalence of each class, with its interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.utils.validation import _num_samples

from qcore._base.validation import InvalidInput, check_fraction, check_kind, in_a_line
from qcore.displays.plotly_display import NEUTRAL, TRUTH, PlotlyDisplay, figure_for, line, next_colour
from qcore.estimator.checked_input import numbers_of_known_classes
from qcore.estimator.quantification_scorer import innermost, method_name


@dataclass
class PrevalenceIntervalDisplay(PlotlyDisplay):
    """Estimates as marks and intervals as lines, a row for each class or method; the truth as a tick, where it is known.

    `from_estimator` and `from_table` make one, and draw it.

    Attributes
    ----------
    table : a row for each line: label, estimate, low, high.
    level : level of the intervals.
    truth : label -> true prevalence, where it is known.
    name : in the legend.
    figure_ : plotly.graph_objects.Figure.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from qcore import QuantifierCV
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> cancer = QuantifierCV(GaussianNB(), "AC").fit(X[::2], y[::2].map({0: "malignant", 1: "benign"}))
    >>> display = PrevalenceIntervalDisplay.from_estimator(cancer, X[1::2])
    >>> display.table.round(1).to_dict("records")[0]
    {'label': 'benign', 'estimate': 0.6, 'low': 0.6, 'high': 0.7}
    """

    table: pd.DataFrame
    level: float
    truth: Mapping[str, float] | None = None
    name: str = "estimate"

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, level: float = 0.95, name: str | None = None, figure: Any = None
    ) -> Self:
        """The estimate of a fitted QuantifierCV, also at the end of a Pipeline or a search, for the sample X, (n, n_features).

        `y` are the sample's labels, (n,), where they are known: they show the truth. `name` is shown in the legend, by default
        that of the quantifier, such as AC; `figure` is a Plotly figure to draw into. Raises InvalidInput without Plotly.
        """
        last, prepared = (estimator, X) if isinstance(estimator, type) else innermost(estimator, X)
        if isinstance(last, type) or not hasattr(last, "predict_interval"):
            hint = "Pass a fitted QuantifierCV, or a Pipeline that ends with one."
            raise InvalidInput("estimator", "have predict_interval", in_a_line(estimator)[:60], hint)
        low, high = np.asarray(last.predict_interval(prepared, level=level)).T
        labels = [str(one) for one in last.classes_]
        table = pd.DataFrame({"label": labels, "estimate": last.predict(prepared), "low": low, "high": high})
        truth = None
        if y is not None:
            numbers = numbers_of_known_classes(y, np.asarray(last.classes_), _num_samples(X))
            shares = np.bincount(numbers, minlength=len(labels)) / len(numbers)
            truth = dict(zip(labels, shares.tolist(), strict=True))
        return cls(table, level, truth, name or method_name(estimator)).plot(figure=figure)

    @classmethod
    def from_table(
        cls, table: pd.DataFrame, *, level: float = 0.95, truth: float | None = None, name: str = "estimate"
    ) -> Self:
        """The rows of `estimate_sample(...).table`: a line for each method, or for each method and class.

        `truth` is the prevalence of the positive class, where it is known. Raises InvalidInput if a column is missing.
        """
        check_kind("table", table, pd.DataFrame, "Pass the table of estimate_sample.")
        if missing := {"method", "estimate", "low", "high"} - set(table.columns):
            hint = "Pass the table of estimate_sample."
            rule = "have the columns method, estimate, low and high"
            raise InvalidInput("table", rule, f"a table without {sorted(missing)}", hint)
        if truth is not None:
            check_fraction("truth", truth)
        labels = table["method"].astype(str)
        if "class" in table:
            labels = table["class"].astype(str) + ", " + labels
        rows = pd.DataFrame({"label": labels, **{column: table[column] for column in ("estimate", "low", "high")}})
        return cls(rows.reset_index(drop=True), level, None if truth is None else dict.fromkeys(labels, truth), name).plot()

    def plot(self, *, figure: Any = None) -> Self:
        """Draw the intervals, into a Plotly figure if one is given. Returns the display itself."""
        labels = self.table["label"].tolist()
        layout = {
            "xaxis": {"title": {"text": f"prevalence, with intervals of {self.level:.0%}"}, "tickformat": ".0%"},
            "yaxis": {"type": "category", "categoryorder": "array", "categoryarray": labels[::-1]},
            "scattermode": "group",
            "height": 150 + 50 * len(labels),
        }
        self.figure_ = figure_for(layout, figure)
        colour = next_colour(self.figure_)
        estimates, low, high = (self.table[column].to_numpy(dtype=np.float64) for column in ("estimate", "low", "high"))
        ends = {"array": (high - estimates).clip(min=0).tolist(), "arrayminus": (estimates - low).clip(min=0).tolist()}
        whiskers = {"type": "data", "symmetric": False, "thickness": 4, "width": 0, **ends}
        hover = "%{y}: %{x:.1%}<extra>" + self.name + "</extra>"
        look = {"mode": "markers", "marker": {"size": 11, "color": colour}, "hovertemplate": hover, "showlegend": True}
        self.figure_.add_trace(line(self.name, estimates.tolist(), labels, colour, error_x=whiskers, orientation="h", **look))
        if self.truth and all(trace.name != TRUTH for trace in self.figure_.data):
            tick = {"size": 24, "symbol": "line-ns", "line": {"width": 3, "color": NEUTRAL}}
            shares = [self.truth[label] for label in labels]
            self.figure_.add_trace(line(TRUTH, shares, labels, NEUTRAL, mode="markers", marker=tick, showlegend=True))
        return self
