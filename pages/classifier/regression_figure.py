"""A figure of predicted numbers over actual numbers, with the cost of each prediction."""

from collections.abc import Sequence

from pages.charts.figure import Figure
from pages.charts.style import NEGATIVES, POSITIVES, figure
from pages.charts.traces import axis, line, markers
from qcore.measures.regression import asymmetric_loss


def predictions_figure(predicted: Sequence[float], actual: Sequence[float], alpha: float) -> Figure:
    """Predictions over the truth, below and above the diagonal; the size of a marker grows with its asymmetric loss."""
    losses = asymmetric_loss(predicted, actual, alpha)
    ends = (min(*predicted, *actual) - 10.0, max(*predicted, *actual) + 10.0)
    sides = (("below the truth", POSITIVES, -1.0), ("above the truth", NEGATIVES, 1.0))
    traces = [line("exact", ends, ends, width=1.5)]
    for name, colour, sign in sides:
        rows = [i for i in range(len(actual)) if sign * (predicted[i] - actual[i]) > 0]
        sizes = [6.0 + 5.0 * float(losses[i]) ** 0.5 for i in rows]
        trace = markers(
            name, [actual[i] for i in rows], [predicted[i] for i in rows], colour=colour, size=sizes, opacity=0.75,
            hover="predicted %{y}, actual %{x}: loss %{customdata:.1f}<extra></extra>",
            customdata=[float(losses[i]) for i in rows],
        )  # fmt: skip
        traces.append(trace)
    return figure(
        traces,
        title="How far off, and in which direction?",
        height=420,
        hovermode="closest",
        xaxis=axis("actual", ends),
        yaxis=axis("predicted", ends),
    )
