"""What all displays have in common: a figure, which a notebook shows, and Plotly, which is imported where a figure is made."""

from collections.abc import Mapping, Sequence
from typing import Any

from qcore._base.validation import InvalidInput, in_a_line, optional_package

PALETTE = ("#2584C4", "#D86105", "#0C9E71", "#C25C9C", "#B38C15", "#AB704C", "#8073D1", "#5F8D33")
"""Near Okabe and Ito's hues: each has a contrast of 3 or more with a white page, and of 4.5 or more with a dark one."""

NEUTRAL = "#808080"
"""The colour of marks that belong to no method, such as the truth; visible on both themes."""

TRUTH = "truth"
"""The name of the marks of true prevalences."""

Trace = dict[str, Any]


class PlotlyDisplay:
    """A display: `plot` draws it, and a notebook shows what was drawn.

    Attributes
    ----------
    figure_ : plotly.graph_objects.Figure, once drawn.
    """

    figure_: Any

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        return self.figure_._repr_mimebundle_(*args, **options)

    def _repr_html_(self) -> str:
        return str(self.figure_._repr_html_())


def new_figure(layout: Mapping[str, Any]) -> Any:
    """A Plotly figure without traces. Raises InvalidInput if Plotly is not installed."""
    plotly = optional_package("plotly.graph_objects", "draw a display", '"quantification-lab[displays]"')
    common = {"template": "plotly_white", "hovermode": "closest", "colorway": PALETTE, "margin": {"t": 30}}
    return plotly.Figure(layout={**common, **layout})


def figure_for(layout: Mapping[str, Any], figure: Any = None) -> Any:
    """The Plotly figure to draw into: a new one with this layout if none is given. Raises InvalidInput for another object."""
    if figure is None:
        return new_figure(layout)
    if isinstance(figure, type) or not (hasattr(figure, "add_traces") and hasattr(figure, "data")):
        raise InvalidInput("figure", "be a Plotly figure", in_a_line(figure)[:60], "Pass that of a display: display.figure_.")
    return figure


def next_colour(figure: Any) -> str:
    """The first colour that no method in a figure has, so that several displays are told apart in one figure."""
    return PALETTE[sum(trace.showlegend is not False and trace.name != TRUTH for trace in figure.data) % len(PALETTE)]


def tinted(colour: str, opacity: float) -> str:
    """A colour #rrggbb as rgba with `opacity`."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def line(name: str, x: Sequence[Any], y: Sequence[Any], colour: str, **more: Any) -> Trace:
    """A line without an entry in the legend, unless asked for."""
    trace = {"type": "scatter", "mode": "lines", "name": name, "x": list(x), "y": list(y), "showlegend": False}
    return {**trace, "line": {"color": colour, **more.pop("line", {})}, **more}
