"""A figure of the accuracy that a classifier with its tpr and fpr at a threshold has at each prevalence.

Source: Marufo 2023, Figure 1.3b.
"""

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.style import NEUTRAL, PALETTE
from pages.charts.traces import UNIT, Trace, axis, line, markers
from qcore.studies.classifier_evaluation import ClassifierEvaluation


def accuracy_figure(evaluation: ClassifierEvaluation, index: int) -> DraggedFigure:
    """Accuracy by prevalence: p tpr + (1 - p)(1 - fpr), a straight line; `index` as in `roc_figure`."""
    rates, prevalence = evaluation.rates, float(evaluation.labels.mean())
    majority = line("always the larger class", [0, 0.5, 1], [1, 0.5, 1], width=1.5, dash="dot", hover="%{y:.1%}")

    def at(i: int) -> list[Trace]:
        tpr, fpr = float(rates.tpr[i]), float(rates.fpr[i])
        here = prevalence * tpr + (1.0 - prevalence) * (1.0 - fpr)
        return [
            line("this classifier", [0, 1], [1.0 - fpr, tpr], colour=PALETTE[0], width=3, hover="%{y:.1%}"),
            markers("at the prevalence of these data", [prevalence], [here], symbol="square", size=10, colour=NEUTRAL),
        ]

    return dragged_figure(
        at,
        rates.thresholds.tolist(),
        index,
        still=[majority],
        title="How good, at which prevalence?",
        height=400,
        hovermode="closest",
        xaxis=axis("prevalence", UNIT, tickformat=".0%"),
        yaxis=axis("accuracy", UNIT, tickformat=".0%"),
    )
