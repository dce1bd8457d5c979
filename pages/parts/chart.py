"""A Plotly chart that keeps zoom, legend choices and camera over updates, and follows the theme as it is switched.

Streamlit's own chart is built anew at each change of its data. This one hands the new figure to Plotly.react. It can also
follow values while they are dragged, without the server: see dragged.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pages.parts.server import plotly_url
from qcore.figures.following import Following
from qcore.figures.panels import Panels

_HTML = '<figure class="kept-chart" role="figure"><p class="kept-said" hidden></p><div class="kept-plot"></div></figure>'
_CSS = """
.kept-chart { margin: 0; width: 100%; } .kept-plot { width: 100%; }
.kept-said { margin: 0 0 0.25rem; line-height: 1.45; }
.kept-drags .nsewdrag { cursor: ew-resize !important; }
"""
NEAREST_JS = """
const nearest = (values, value) => {
  const off = values.map((one) => Math.abs(one - value));
  return off.indexOf(Math.min(...off));
};
"""
"""Which of some values is nearest to one: its place."""

_JS = NEAREST_JS + (Path(__file__).parent / "kept_chart.js").read_text()

_mount = st.components.v2.component("kept_chart", html=_HTML, css=_CSS, js=_JS, isolate_styles=False)


@dataclass(frozen=True)
class Followed:
    """What a chart follows: the value's name in the settings, the figure's frames, and a sentence for each frame."""

    name: str
    frames: Following
    place: int
    said: Sequence[str]

    def to_data(self) -> dict[str, Any]:
        """As the browser reads it, but for the place: that is all that changes while a person drags."""
        return {"name": self.name, "values": self.frames.values, "frames": self.frames.frames, "said": self.said}


def chart(
    figure: go.Figure | Panels,
    *,
    key: str,
    alt: str,
    follows: Sequence[Followed] = (),
    drags: bool = False,
    on_click: Callable[[Any, Any, Any], None] | None = None,
    enlarges: str = "",
    one_camera: bool = False,
    room: float = 7.25,
    waits: bool = False,
) -> None:
    """Draw `figure`. `key` names it in the page and in what is saved of it; `alt` says in words what it shows.

    `follows`: values that it follows while they are dragged; `drags`: whether the threshold can be dragged in it;
    `on_click`: told the trace's name, x and y of a mark that is clicked, before the page runs again; `enlarges` names the
    chart that shows it, which is then brought into view; `one_camera`: turning one of its surfaces turns all; `room`: for
    the sentence above it, in its font size, so that nothing jumps while a value is dragged; `waits`: drawn only when it comes
    into view.
    """
    narrow = None
    if isinstance(figure, Panels):
        narrow, figure = json.dumps(figure.narrow), figure.figure

    def take() -> None:
        point = st.session_state[key].clicked
        if on_click and isinstance(point, dict):
            on_click(point.get("name"), point.get("x"), point.get("y"))

    # As text: the browser parses it faster than Streamlit would walk it.
    spec = figure.to_json()
    frames = json.dumps([followed.to_data() for followed in follows])
    stamp = hashlib.sha256((spec + frames + (narrow or "")).encode()).hexdigest()[:16]
    _mount(
        key=key,
        data={
            "figure": spec,
            "narrow": narrow,
            "clicks": on_click is not None,
            "enlarges": enlarges,
            "alt": alt,
            "url": plotly_url(),
            "name": key.replace("_", "-"),
            "stamp": stamp,
            "follows": frames,
            "places": [followed.place for followed in follows],
            "drags": drags,
            "oneCamera": one_camera,
            "room": room,
            "waits": waits,
        },
        # The sentence above a chart that follows something takes its own room; panels take theirs by the width.
        height="content" if follows or narrow else figure.layout.height,
        on_clicked_change=take,
    )
