"""What the tests of pages share."""

import plotly.graph_objects as go
import pytest

import pages.listed  # noqa: F401  the pages, as app.py lists them, whichever tests run


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    """The figures that a script shows, which opens no browser."""
    figures = []
    monkeypatch.setattr(go.Figure, "show", lambda figure, *_: figures.append(figure))
    return figures
