"""A Plotly figure on a page of the site, light or dark; pages with figures are one folder deep."""

from typing import Any

import plotly.io

PLOTLY = "../_static/plotly.min.js"


def figure_html(figure: Any) -> str:
    """The figure as HTML, which takes Plotly from the site itself; text and lines can be seen on both themes."""
    grid = {"gridcolor": "rgba(128, 128, 128, 0.25)", "linecolor": "#808080", "zerolinecolor": "rgba(128, 128, 128, 0.25)"}
    clear = {"paper_bgcolor": "rgba(0, 0, 0, 0)", "plot_bgcolor": "rgba(0, 0, 0, 0)", "font": {"color": "#808080"}}
    layout = {**figure["layout"], **clear}
    layout |= {axis: {**layout.get(axis, {}), **grid} for axis in ("xaxis", "yaxis")}
    shown = {"data": figure["data"], "layout": layout}
    return str(plotly.io.to_html(shown, full_html=False, include_plotlyjs=PLOTLY, config={"responsive": True}))
