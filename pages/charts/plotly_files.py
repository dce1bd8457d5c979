"""Our own bundles of plotly.js: each holds only the parts that pages draw."""

from pathlib import Path
from typing import Final

from pages.settings.component import base_path

_PLOTLY: Final = Path(__file__).parent / "plotly_js"
CARTESIAN: Final = next(_PLOTLY.glob("plotly-cartesian-*.min.js.gz"))
"""Plotly's lines, bars and heatmaps."""

SURFACES: Final = next(_PLOTLY.glob("plotly-surfaces-*.min.js.gz"))
"""Plotly's surfaces, points in space, lines and heatmaps."""


def plotly_url(*, in_space: bool = False) -> str:
    """Where the browser finds plotly.js: on this server, under a name that changes with its version."""
    return f"{base_path()}/vendor/{(SURFACES if in_space else CARTESIAN).name.removesuffix('.gz')}"
