"""Which methods differ over many data sets: the critical-difference diagram of Demšar (2006)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

from qcore._base.validation import check_kind
from qcore.displays.plotly_display import NEUTRAL, PALETTE, PlotlyDisplay, Trace, line, new_figure
from qcore.evaluation.critical_difference import Bar, MethodLabel, critical_difference_layout
from qcore.evaluation.significance import Comparison, compare

_TOP = 1.6


@dataclass
class CriticalDifferenceDisplay(PlotlyDisplay):
    """Mean ranks on an axis, the best on the left, and bars over methods that do not differ by Nemenyi's test.

    `from_losses` and `from_comparison` make one, and draw it. Source: Demšar 2006; Barranquero 2013, 4.2.4.

    Attributes
    ----------
    mean_ranks : method -> mean rank, best first.
    groups : the largest sets of methods that do not differ.
    distance : the critical difference of two mean ranks.
    figure_ : plotly.graph_objects.Figure.

    Examples
    --------
    >>> rows = [(d, 0.5, m, loss) for d in "abcdefgh" for m, loss in (("CC", 0.3), ("AC", 0.2), ("EMQ", 0.1))]
    >>> losses = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    >>> display = CriticalDifferenceDisplay.from_losses(losses)
    >>> display.mean_ranks.to_dict(), display.groups
    ({'EMQ': 1.0, 'AC': 2.0, 'CC': 3.0}, [('EMQ', 'AC'), ('AC', 'CC')])
    """

    mean_ranks: pd.Series
    groups: Sequence[Sequence[str]]
    distance: float

    @classmethod
    def from_losses(cls, losses: pd.DataFrame, loss: str = "loss", *, alpha: float = 0.05) -> Self:
        """The diagram of losses over data sets: columns data, prevalence, method and the loss, as `compare` takes them.

        Raises InvalidInput for fewer than two methods or data sets, or if a method lacks a data set.
        """
        return cls.from_comparison(compare(losses, loss), alpha=alpha)

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, alpha: float = 0.05) -> Self:
        """The diagram of a comparison, as `compare` gives it, at level `alpha`. Raises InvalidInput for an invalid level."""
        check_kind("comparison", comparison, Comparison, "Pass what compare gives, or a table of losses to from_losses.")
        return cls(comparison.mean_ranks, comparison.groups(alpha), comparison.nemenyi_distance(alpha)).plot()

    def plot(self) -> Self:
        """Draw the diagram. Returns the display itself."""
        layout = critical_difference_layout(self.mean_ranks, self.groups, self.distance)
        n = len(layout.labels)
        room = 0.04 * (n - 1)
        hidden = {"visible": False, "fixedrange": True}
        # With few data sets the critical difference can be longer than the axis of ranks.
        arrangement = {
            "height": int(70 + 24 * (_TOP + 1 - layout.bottom)),
            "margin": {"l": 120, "r": 120, "t": 10, "b": 10},
            "xaxis": {**hidden, "range": [1 - room, max(n, 1 + self.distance) + room]},
            "yaxis": {**hidden, "range": [layout.bottom, _TOP + 1]},
            "shapes": [_tick(rank) for rank in layout.ticks],
            "annotations": [
                *(_text(rank, 0.25, str(rank), yanchor="bottom") for rank in layout.ticks),
                _text(1, _TOP, f"critical difference {self.distance:.2f}", xanchor="left", yanchor="bottom", yshift=3),
                *(_name(label, n, room) for label in layout.labels),
            ],
        }
        scale = [1.0, 1.0 + self.distance]
        self.figure_ = new_figure(arrangement).add_traces(
            [
                line("axis", [1, n], [0, 0], NEUTRAL, hoverinfo="skip"),
                line("critical difference", scale, [_TOP, _TOP], PALETTE[1], line={"width": 5}),
                *(_stem(label, n, room) for label in layout.labels),
                *(_bar(number, bar) for number, bar in enumerate(layout.bars, 1)),
            ]
        )
        return self


def _stem(label: MethodLabel, n: int, room: float) -> Trace:
    """The line from a method's rank on the axis down to its name."""
    hover = f"{label.name}: mean rank {label.rank:.2f}<extra></extra>"
    xs, ys = [label.rank, label.rank, 1 - room if label.on_left else n + room], [0, label.y, label.y]
    return line(label.name, xs, ys, NEUTRAL, line={"width": 1.5}, hovertemplate=hover)


def _name(label: MethodLabel, n: int, room: float) -> Trace:
    x, anchor, shift = (1 - room, "right", -4) if label.on_left else (n + room, "left", 4)
    return _text(x, label.y, label.text, xanchor=anchor, xshift=shift)


def _bar(number: int, bar: Bar) -> Trace:
    """The bar over methods that do not differ."""
    hover = f"no significant difference: {', '.join(map(str, bar.methods))}<extra></extra>"
    return line(f"group {number}", [bar.low, bar.high], [bar.y, bar.y], PALETTE[0], line={"width": 6}, hovertemplate=hover)


def _tick(rank: int) -> Trace:
    return {"type": "line", "x0": rank, "x1": rank, "y0": 0, "y1": 0.2, "line": {"color": NEUTRAL}}


def _text(x: float, y: float, text: str, **more: Any) -> Trace:
    return {"x": x, "y": y, "text": text, "showarrow": False, **more}
