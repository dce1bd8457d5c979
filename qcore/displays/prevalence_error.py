"""An estimator's loss at each true prevalence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import (
    FloatArray,
    InvalidInput,
    check_choice,
    check_distributions,
    check_kind,
    check_prevalences,
    in_a_line,
)
from qcore.displays.plotly_display import NEUTRAL, PlotlyDisplay, Trace, figure_for, line, next_colour, tinted
from qcore.estimator.quantification_scorer import innermost, method_name, sampled_estimates
from qcore.evaluation.summaries import BAND
from qcore.losses import LOSSES
from qcore.protocols import SamplingProtocol

_TRUE = "true prevalence of the positive class"
_SHIFT = "mean absolute difference from the training prevalences"
_BINS = 10
_NO_LOSS = re.compile(r"method|size|repeat|(target|true|estimate)(_\d+)?")
"""The columns of a report that hold no loss."""
_WAY_OUT = "Pass what evaluation_report gives."


@dataclass
class PrevalenceErrorDisplay(PlotlyDisplay):
    """A loss by true prevalence: the mean as a line, the range of 80% of the samples as a band.

    With more than two classes the axis is the mean absolute difference between a sample's prevalences and those of the training
    part, in ten bins. `from_estimator`, `from_report` and `from_predictions` make one, and draw it.

    Attributes
    ----------
    curves : a row for each method and place on the axis: method, x, mean, lower, upper.
    loss : key of LOSSES.
    axis : the title of the axis.
    figure_ : plotly.graph_objects.Figure.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from qcore import QuantifierCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> counted = QuantifierCV(GaussianNB(), "CC").fit(X[::2], y[::2])
    >>> display = PrevalenceErrorDisplay.from_estimator(counted, X[1::2], y[1::2], name="CC")
    >>> corrected = QuantifierCV(GaussianNB(), "AC").fit(X[::2], y[::2])
    >>> both = PrevalenceErrorDisplay.from_estimator(corrected, X[1::2], y[1::2], name="AC", figure=display.figure_)
    >>> [trace.name for trace in both.figure_.data if trace.showlegend is not False]
    ['CC', 'AC']
    """

    curves: pd.DataFrame
    loss: str
    axis: str = _TRUE

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        loss: str = "AE",
        protocol: SamplingProtocol | None = None,
        seed: int = 0,
        name: str | None = None,
        figure: Any = None,
    ) -> Self:
        """The loss of a fitted estimator on samples of labelled instances.

        Parameters
        ----------
        estimator : a QuantifierCV, a Pipeline that ends with one, or another whose `predict` gives the shares of `classes_`.
        X, y : instances that it has not seen, (n, n_features), and their labels, (n,).
        loss : key of LOSSES.
        protocol : draws the samples; by default as `make_quantification_scorer`.
        seed : seed of the draws.
        name : in the legend; by default that of the quantifier, such as AC.
        figure : a Plotly figure to draw into, such as that of another display; None for a new one.

        Raises InvalidInput for an unknown loss, a class without instances, or if Plotly is not installed.
        """
        check_choice("loss", loss, LOSSES)
        called = name or method_name(estimator)
        estimates = sampled_estimates(estimator, X, y, protocol, seed=seed, name=called)
        true, values = estimates.samples.prevalences, estimates.losses(loss).by_method[called]
        reference = _training_prevalences(estimator, estimates.samples.pool_labels) if true.ndim == 2 else None
        return cls._of([called] * len(values), values, true, loss, reference).plot(figure=figure)

    @classmethod
    def from_report(cls, report: pd.DataFrame, loss: str = "AE", *, training_prevalences: ArrayLike | None = None) -> Self:
        """The losses of all methods of an `evaluation_report`, which has the column `loss`.

        Of more than two classes `training_prevalences`, (n_classes,), are needed. Raises InvalidInput if either is missing.
        """
        check_kind("report", report, pd.DataFrame, _WAY_OUT)
        losses = [name for name in report.select_dtypes("number").columns if not _NO_LOSS.fullmatch(str(name))]
        check_choice("loss", loss, losses, "be a column of losses in the report")
        if report.empty:
            raise InvalidInput("report", "have a row for each sample and method", "no row", _WAY_OUT)
        columns = [name for name in report.columns if str(name) == "true" or str(name).startswith("true_")]
        if not columns or "method" not in report.columns:
            raise InvalidInput("report", "have the columns method and true", in_a_line(list(report.columns)), _WAY_OUT)
        true, methods = report[columns].to_numpy(dtype=np.float64), report["method"].astype(str).tolist()
        places = true[:, 0] if columns == ["true"] else true
        return cls._of(methods, report[loss].to_numpy(), places, loss, training_prevalences).plot()

    @classmethod
    def from_predictions(
        cls,
        true: ArrayLike,
        estimated: ArrayLike,
        *,
        loss: str = "AE",
        sample_size: int | None = None,
        training_prevalences: ArrayLike | None = None,
        name: str = "estimator",
        figure: Any = None,
    ) -> Self:
        """The loss of prevalences that any program has estimated: true and estimated, (n_samples, n_classes) each.

        The last of two classes is the positive one; of two, its shares will do, (n_samples,) each. A loss that smooths needs
        `sample_size`, more than two classes need `training_prevalences`, (n_classes,). Raises InvalidInput for invalid
        prevalences, or if one of these two is missing.
        """
        check_choice("loss", loss, LOSSES)
        if np.ndim(true) == np.ndim(estimated) == 1:
            positive = check_prevalences("true", true), check_prevalences("estimated", estimated)
            true, estimated = (np.stack([1.0 - one, one], axis=1) for one in positive)
        shares = np.atleast_2d(check_distributions("true", true))
        if not len(shares):
            raise InvalidInput("true", "have a row for each sample", "no row", "Pass at least one sample.")
        values = np.atleast_1d(LOSSES[loss](shares, estimated, sample_size=sample_size))
        shares = np.broadcast_to(shares, (len(values), shares.shape[1]))
        places = shares[:, 1] if shares.shape[-1] == 2 else shares
        return cls._of([name] * len(values), values, places, loss, training_prevalences).plot(figure=figure)

    @classmethod
    def _of(cls, methods: Sequence[str], values: FloatArray, true: FloatArray, loss: str, reference: ArrayLike | None) -> Self:
        """The display of losses, (n,), by method, (n,), and true prevalence, (n,) or (n, n_classes)."""
        if true.ndim == 1:
            return cls(_curves(methods, true, values), loss)
        if reference is None:
            hint = "Pass training_prevalences=[...]."
            raise InvalidInput("training_prevalences", "be given for more than two classes", "None", hint)
        trained = check_distributions("training_prevalences", reference)
        if trained.shape != true.shape[1:]:
            rule = f"be the shares of the {true.shape[1]} classes"
            raise InvalidInput("training_prevalences", rule, f"shape {trained.shape}", "Pass one for each class.")
        return cls(_curves(methods, _bin_middles(np.abs(true - trained).mean(axis=1)), values), loss, _SHIFT)

    def plot(self, *, figure: Any = None) -> Self:
        """Draw the curves, into a Plotly figure if one is given. Returns the display itself."""
        layout = {
            "xaxis": {"title": {"text": self.axis}, **({"range": [-0.02, 1.02]} if self.axis == _TRUE else {})},
            "yaxis": {"title": {"text": f"mean {self.loss}"}, "rangemode": "tozero"},
        }
        self.figure_ = figure_for(layout, figure)
        for method, rows in self.curves.groupby("method", sort=False):
            self.figure_.add_traces(_line_and_band(str(method), rows, next_colour(self.figure_)))
        return self


def _training_prevalences(estimator: Any, labels: np.ndarray) -> FloatArray:
    """The training prevalences of a QuantifierCV, alone, in a search or at the end of a Pipeline; else those of `labels`."""
    known = getattr(innermost(estimator)[0], "training_prevalences_", None)
    return np.bincount(labels) / len(labels) if known is None else np.asarray(known)


def _bin_middles(values: FloatArray) -> FloatArray:
    edges = np.linspace(values.min(), values.max(), _BINS + 1)
    return ((edges[:-1] + edges[1:]) / 2)[np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BINS - 1)]


def _curves(methods: Sequence[str], places: FloatArray, values: FloatArray) -> pd.DataFrame:
    """Mean and band of each method's losses at each place."""
    samples = pd.DataFrame({"method": methods, "x": np.round(places, 10), "loss": values})
    frames = []
    for method, own in samples.groupby("method", sort=False):
        losses = own.groupby("x")["loss"]
        parts = {"mean": losses.mean(), "lower": losses.quantile(BAND[0]), "upper": losses.quantile(BAND[1])}
        frames.append(pd.DataFrame(parts).reset_index().assign(method=method)[["method", "x", *parts]])
    return pd.concat(frames, ignore_index=True)


def _line_and_band(method: str, rows: pd.DataFrame, colour: str) -> list[Trace]:
    x, mean, lower, upper = (rows[name].tolist() for name in ("x", "mean", "lower", "upper"))
    band: Trace = {"fill": "toself", "fillcolor": tinted(colour, 0.15), "line": {"width": 0}, "hoverinfo": "skip"}
    around, bounds = [*x, *x[::-1]], [*upper, *lower[::-1]]
    return [
        line(f"{method}, 80% of the samples", around, bounds, NEUTRAL, legendgroup=method, **band),
        line(method, x, mean, colour, legendgroup=method, mode="lines+markers", showlegend=True),
    ]
