"""A chart in the browser: it is kept between runs, follows dragged values, and is saved as a file."""

import contextlib
import gzip
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pyarrow
import streamlit as st

from pages.charts import dragged_frames
from pages.charts.dragged_frames import DraggedFigure
from pages.charts.figure import Figure, as_named, figure_text, json_text
from pages.charts.panels import Panels
from pages.charts.traces import END_OF_LINE, POINTED_AT
from pages.own_data import uploads
from pages.settings.address import PAGE_SHOWN, current
from pages.settings.component import RETRYING_JS, base_path, component
from pages.settings.page_declaration import settings_of
from pages.settings.setting import Setting
from pages.streamlit_internals import drawn_controls

_PLOTLY = Path(__file__).parent / "plotly_js"
CARTESIAN = next(_PLOTLY.glob("plotly-cartesian-*.min.js.br"))
"""Plotly's lines, bars, boxes and heatmaps, packed by Brotli."""

SURFACES = next(_PLOTLY.glob("plotly-surfaces-*.min.js.br"))
"""Plotly's surfaces, points in space, lines and heatmaps, packed by Brotli."""


def plotly_url(*, in_space: bool = False) -> str:
    """Where the browser finds plotly.js: on this server, under a name that changes with its version."""
    return f"{base_path()}/vendor/{(SURFACES if in_space else CARTESIAN).stem}"


def unpacked(bundle: Path) -> bytes:
    """The script in one of the two files."""
    with pyarrow.CompressedInputStream(pyarrow.OSFile(str(bundle)), "brotli") as stream:
        return bytes(stream.read())


@cache
def gzipped(bundle: Path) -> bytes:
    """The script in one of the two files as gzip, which browsers can unpack in a file without a server, too."""
    return gzip.compress(unpacked(bundle), mtime=0)


FRAMES_JS = (Path(dragged_frames.__file__).with_suffix(".js")).read_text()
"""The script that reads frames in the browser."""

_HTML = '<figure class="kept-chart" role="figure"><p class="chart-sentence" hidden></p><div class="kept-plot"></div></figure>'
_CSS = """
.kept-chart { margin: 0; width: 100%; } .kept-plot { width: 100%; }
.chart-sentence { margin: 0 0 0.25rem; line-height: 1.45; }
.kept-drags .nsewdrag { cursor: ew-resize !important; }
.kept-plot .modebar-btn svg text { fill: var(--st-text-color); }
/* Plotly writes in dark grey on cells of a middling colour, which is hard to read. */
.kept-plot .heatmap-label text[style*="rgb(68, 68, 68)"] { fill: #000 !important; }
.kept-plot, .kept-plot .nsewdrag { touch-action: pan-y; }
.kept-unseen { opacity: 0 !important; } .kept-faint:not(.kept-unseen) { opacity: 0.3 !important; }
.kept-unseen, .kept-faint { transition: opacity 0.1s; }
.kept-chart { position: relative; }
.kept-chart:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.kept-chart:focus-within .modebar { opacity: 1 !important; }
.modebar-btn:focus-visible { outline: 2px solid var(--st-text-color); }
.kept-note { position: absolute; top: 2.2rem; right: 0.5rem; margin: 0; padding: 0.2rem 0.6rem; border-radius: 0.4rem;
  background: var(--st-secondary-background-color, #eee); }
.kept-chart:fullscreen { background: var(--st-background-color, #fff); }
.kept-hint { position: absolute; top: 2.4rem; left: 0.5rem; margin: 0; font-size: 0.8125rem; pointer-events: none; }
.kept-pages { position: fixed; width: 0; height: 0; border: 0; visibility: hidden; }
.kept-still .gl-container { pointer-events: none; }
.kept-aside .modebar { background: var(--st-background-color, #fff); }
.kept-aside .modebar:not(:hover) { opacity: 0 !important; }
@media (pointer: coarse) { .kept-plot .modebar { display: none; } }
"""
_FOLDER = Path(__file__).with_name("chart_js")
_PARTS = (
    "line_names",
    "saving",
    "vectors",
    "describing",
    "following",
    "pointing",
    "order",
    "margins",
    "printing",
    "looks",
    "sizes",
    "moved_lines",
    "drawing",
)
"""Files of that folder, in the order in which they are put together: the last one is the component."""
_JS = "\n".join(
    [
        f"const POINTED_AT = {json.dumps(POINTED_AT)}, END_OF_LINE = {json.dumps(END_OF_LINE)};",
        RETRYING_JS,
        FRAMES_JS,
        *((_FOLDER / f"{name}.js").read_text() for name in _PARTS),
    ]
)

_TEXT_SIZE = 16
"""Pixels of an em."""

_IN_SPACE = {"surface", "scatter3d"}
"""Kinds of traces that need the bundle for surfaces; the bundle for lines can't draw them."""

_mount = component("kept_chart", _HTML, _CSS, js=_JS)


@dataclass(frozen=True)
class DraggedValue:
    """A value that a chart follows: its key in the settings, the figure with its frames, the index of the current frame, and a
    sentence for each frame, or no sentences. `called`: its name in saved pictures, where the charts of others do not say it.
    """

    name: str
    dragged: DraggedFigure
    index: int
    sentences: Sequence[str]
    called: str = ""

    def to_data(self) -> dict[str, Any]:
        """The value as the browser reads it. The index is sent beside it: a new index alone is not a reason to draw again."""
        return {
            "name": self.name,
            "values": self.dragged.values,
            "frames": orjson.Fragment(figure_text(self.dragged.frames)),
            "sentences": list(self.sentences),
            "called": self.called,
        }


def chart(
    figure: Figure | Panels,
    *,
    key: str,
    alt: str,
    follows: Sequence[DraggedValue] = (),
    drags: bool | str = False,
    on_click: Callable[[Any, Any, Any], None] | None = None,
    enlarges: str = "",
    one_camera: bool = False,
    camera: Setting | None = None,
    sentence_height: float = 7.25,
    waits: bool = False,
    made: str = "",
) -> None:
    """Draw `figure`. `key` is its name in the page and in saved pictures; `alt` says in words what it shows.

    Parameters
    ----------
    follows : values that it follows while they are dragged.
    drags : whether the threshold can be dragged in it, or the name of another value that can.
    on_click : called with the trace's name, x and y of a mark that is clicked, before the page runs again.
    enlarges : key of the chart that shows the clicked mark in detail; a click scrolls that chart into view.
    one_camera : whether turning one surface of the chart turns all of them.
    camera : the setting that holds where a surface is seen from; turning it sets it.
    sentence_height : height of the sentence above the chart, in em, reserved so that nothing jumps while a value is dragged.
    waits : whether the chart is drawn only when it is scrolled into view.
    made : what it was made of, for saved pictures, where the page's controls do not say so.
    """
    narrow = None
    if isinstance(figure, Panels):
        narrow, figure = figure_text(figure.narrow), figure.figure

    def on_clicked() -> None:
        point = st.session_state[key].clicked
        if on_click and isinstance(point, dict):
            on_click(*(as_named(point.get(part)) for part in ("name", "x", "y")))

    def on_turned() -> None:
        text = st.session_state[key].camera
        if camera is not None and isinstance(text, str):
            with contextlib.suppress(ValueError):
                st.session_state[camera.key] = camera.parse([text])

    spec = figure.to_json()
    frames = json_text([value.to_data() for value in follows])
    stamp = hashlib.sha256((spec + frames + (narrow or "")).encode()).hexdigest()[:16]
    _mount(
        key=key,
        data={
            "figure": spec,
            "narrow": narrow,
            "clicks": on_click is not None,
            "enlarges": enlarges.replace("_", "-"),
            "alt": alt,
            "url": plotly_url(in_space=any(trace["type"] in _IN_SPACE for trace in figure.traces)),
            "name": key.replace("_", "-"),
            "made": made or _made_of(),
            "stamp": stamp,
            "follows": frames,
            "indices": [value.index for value in follows],
            "drags": "threshold" if drags is True else drags or "",
            "oneCamera": one_camera,
            "camera": None if camera is None else str(current(camera)),
            "sentenceHeight": sentence_height,
            "waits": waits,
        },
        # The height that the chart has on a laptop is reserved until the browser has set its own.
        height=round(figure.arrangement["height"] + (_TEXT_SIZE * sentence_height if follows else 0)),
        on_clicked_change=on_clicked,
        on_camera_change=on_turned,
    )


_MADE_OF = {"run": "experiment {}", "data": "{}", "classifier": "{}", "size": "samples of {}"}
"""Settings that tell what a picture was made of, where the page has their controls -> how they are named."""


def _made_of() -> str:
    """What a saved picture was made of: the experiment; or the data set, the classifier and the sample size."""
    drawn = drawn_controls() & settings_of(str(st.session_state.get(PAGE_SHOWN, ""))).keys()
    known = {key: str(st.session_state[key]) for key in _MADE_OF if key in drawn and key in st.session_state}
    if "data" in known:
        if uploads.are_scores(known["data"]):
            known.pop("classifier", None)
        known["data"] = uploads.shown_name(known["data"])
    return ", ".join(_MADE_OF[key].format(value) for key, value in known.items())
