"""Classifiers as quantifiers: the mean loss of each with its correction, by true prevalence."""

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import classifier_style, figure
from pages.charts.traces import axis, styled_line, vertical_mark
from qcore.losses import Loss


def learners_figure(curves: pd.DataFrame, loss: Loss, names: dict[str, str], training_prevalence: float) -> Figure:
    """Mean loss by true prevalence, a line for each classifier.

    Parameters
    ----------
    curves : table of `summaries.curves`, its methods keys of CLASSIFIERS.
    names : key -> the classifier's name in the figure.
    training_prevalence : marked on the x axis.
    """
    lines = [
        styled_line(names[str(key)], classifier_style(str(key)), table["true"], table["mean"], width=2.5, hover="%{y:.4f}")
        for key, table in curves.groupby("method", sort=False)
    ]
    return figure(
        lines,
        title=f"Mean {loss.key} of each learner",
        shapes=[vertical_mark(training_prevalence)],
        xaxis=axis("true prevalence", (-0.02, 1.02)),
        yaxis=axis(f"mean {loss.key}", rangemode="tozero"),
    )
