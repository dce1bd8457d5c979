"""A Plotly chart that keeps zoom, legend choices and camera over updates, and follows the theme as it is switched.

Streamlit's own chart is built anew at each change of its data. This one hands the new figure to Plotly.react. It can also
follow values while they are dragged, without the server: see dragged.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pages.parts.server import plotly_url
from qcore.figures.following import Following

_HTML = '<figure class="kept-chart" role="figure"><p class="kept-said" hidden></p><div class="kept-plot"></div></figure>'
_CSS = """
.kept-chart { margin: 0; width: 100%; } .kept-plot { width: 100%; }
/* Room for the longest sentence, so that nothing jumps while a value is dragged. */
.kept-said { margin: 0 0 0.25rem; line-height: 1.45; min-height: 7.25em; }
.kept-drags .nsewdrag { cursor: ew-resize !important; }
"""
NEAREST_JS = """
const nearest = (values, value) => {
  const off = values.map((one) => Math.abs(one - value));
  return off.indexOf(Math.min(...off));
};
"""
"""Which of some values is nearest to one: its place."""

_JS = (
    NEAREST_JS
    + """
const load = (url) => window.keptPlotly ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = url;
  script.onload = () => done(window.Plotly);
  script.onerror = failed;
  document.head.append(script);
});

function themed(element, layout) {
  const css = getComputedStyle(element);
  const value = (name, other) => css.getPropertyValue(name).trim() || other;
  const text = value("--st-text-color", "#333"), page = value("--st-background-color", "#fff");
  const line = value("--st-border-color", "#ccc"), quiet = value("--st-border-color-light", line);
  const axis = { gridcolor: quiet, linecolor: line, tickcolor: line, zerolinecolor: line };
  const template = { layout: {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", xaxis: axis, yaxis: axis,
    font: { color: text, family: value("--st-font", "sans-serif"), size: 13 },
    hoverlabel: { bgcolor: page, bordercolor: line, font: { color: text } },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: text, activecolor: value("--st-primary-color", text) },
  } };
  // A box with all methods would hide the plot of a phone.
  const hovermode = element.clientWidth < 500 ? "closest" : layout.hovermode;
  return { ...layout, template, hovermode, autosize: true };
}

const icon = (word) => ({ svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 16" width="30" height="16">` +
  `<text x="15" y="12" text-anchor="middle" font-size="12" font-weight="700" font-family="sans-serif">${word}</text></svg>` });

function saveButton(Plotly, format) {
  const word = format.toUpperCase();
  return { name: "save-" + format, title: "Save as " + word, icon: icon(word),
    click: (plot) => Plotly.downloadImage(plot, { format, filename: plot.dataset.name, scale: format === "png" ? 2 : 1 }) };
}

const config = (Plotly) => ({ responsive: true, displaylogo: false, doubleClick: "reset", doubleClickDelay: 500,
  showSendToCloud: false, plotlyServerURL: "",
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
  modeBarButtonsToAdd: [saveButton(Plotly, "png"), saveButton(Plotly, "svg")] });

const bold = (sentence) => sentence.split("**").map((part, i) => {
  const element = document.createElement(i % 2 ? "strong" : "span");
  element.textContent = part;
  return element;
});

// Where each followed value stands now: what its bar says, before the bar is there what the server says.
const places = (follows) => follows.map(({ name, values, place }) => {
  const now = window.draggedValues?.[name];
  return now === undefined ? place : nearest(values, now);
});

function moved(drawing, follows, at) {
  const data = [...drawing.data];
  follows.forEach(({ frames }, i) => frames[at[i]].traces.forEach((trace, j) => {
    data[trace] = { ...data[trace], ...frames[at[i]].data[j] };
  }));
  return data;
}

// Only what moves is handed to Plotly, and only when the last move is drawn: a pointer can outrun it.
async function follow(plot, name) {
  const kept = plot.keptFollow;
  if (!plot.keptReady || !kept.follows.some((one) => one.name === name)) return;
  kept.waiting.add(name);
  if (kept.drawing) return;
  kept.drawing = true;
  try {
    while (kept.waiting.size) {
      const [next] = kept.waiting;
      kept.waiting.delete(next);
      await step(plot, next);
    }
  } finally { kept.drawing = false; }
}

async function step(plot, name) {
  const { follows } = plot.keptFollow, i = follows.findIndex((one) => one.name === name);
  if (i < 0) return;
  const at = places(follows), frame = follows[i].frames[at[i]], changes = {};
  if (at[i] === plot.keptAt[i]) return;
  say(plot, follows, at, i);
  if (frame.traces.some((trace) => !plot.data[trace])) return;
  frame.data.forEach((change, j) => Object.keys(change).forEach((key) => {
    (changes[key] ??= frame.traces.map((trace) => plot.data[trace][key]))[j] = change[key];
  }));
  await window.Plotly.restyle(plot, changes, frame.traces);
  plot.keptAt[i] = at[i];
  tell(plot, follows);
}

// What is drawn, for tests and benchmarks: the figure, and where it stands.
function tell(plot, follows) {
  plot.dataset.drawn = [plot.keptStamp, ...follows.map((one, i) => one.values[plot.keptAt[i]])].join(" ");
}

function say(plot, follows, at, i) {
  const said = plot.parentElement.querySelector(".kept-said");
  said.hidden = !follows[i]?.said.length;
  if (!said.hidden) said.replaceChildren(...bold(follows[i].said[at[i]]));
}

// The threshold is dragged in the chart as well as on its bar.
function draggable(plot, name) {
  plot.addEventListener("pointerdown", (down) => {
    const area = plot.querySelector(".nsewdrag");
    const axis = plot._fullLayout?.xaxis;
    if (!area || !axis || down.button !== 0 || !plot.keptDrags) return;
    const box = area.getBoundingClientRect();
    if (down.clientX < box.left || down.clientX > box.right || !down.target.closest?.(".draglayer, .hoverlayer")) return;
    const before = window.draggedValues?.[name], ends = new AbortController(), { signal } = ends;
    const send = (value, done) => document.dispatchEvent(new CustomEvent("drag-value", { detail: { name, value, done } }));
    const under = (event) => axis.p2d(event.clientX - area.getBoundingClientRect().left);
    const same = (act) => (event) => { if (event.pointerId === down.pointerId) act(event); };
    send(under(down), false);
    addEventListener("pointermove", same((event) => send(under(event), false)), { signal });
    addEventListener("pointerup", same((event) => { ends.abort(); send(under(event), true); }), { signal });
    // A finger that scrolls the page was no drag.
    addEventListener("pointercancel", same(() => { ends.abort(); send(before, true); }), { signal });
  });
}

export default function ({ data, parentElement }) {
  const figure = parentElement.querySelector(".kept-chart"), plot = parentElement.querySelector(".kept-plot");
  figure.setAttribute("aria-label", data.alt);
  plot.dataset.name = data.name;
  plot.style.height = data.height + "px";
  const css = getComputedStyle(parentElement);
  const look = ["--st-text-color", "--st-background-color"].map((name) => css.getPropertyValue(name)).join();
  const mark = data.stamp + look + (parentElement.clientWidth < 500);
  if (plot.keptReady && plot.keptMark === mark) {
    // Nothing new but, it may be, where it stands.
    plot.keptFollow.follows.forEach((one, i) => { one.place = data.places[i]; follow(plot, one.name); });
    return;
  }
  const drawing = JSON.parse(data.figure);
  // A trace is known by its name, so that a hidden one stays hidden when others come and go; plotly.py drops uid. Plotly makes
  // a selector of it, which a space would break.
  drawing.data.forEach((trace) => { trace.uid = trace.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"); });
  const axes = Object.keys(drawing.layout).filter((key) => /^[xy]axis/.test(key)).sort().join(" ");
  const version = plot.keptVersion = (plot.keptVersion ?? 0) + 1;
  const follows = JSON.parse(data.follows).map((one, i) => ({ ...one, place: data.places[i] }));
  plot.keptStamp = data.stamp;
  plot.keptDrags = data.drags;
  plot.style.touchAction = data.drags ? "pan-y" : "";
  plot.classList.toggle("kept-drags", data.drags);
  if (plot.keptFollow) plot.keptFollow.follows = follows;
  else {
    plot.keptFollow = { follows, waiting: new Set() };
    draggable(plot, "threshold");
    const hear = ({ detail }) => {
      if (plot.isConnected) follow(plot, detail.name);
      else document.removeEventListener("dragged-value", hear);
    };
    document.addEventListener("dragged-value", hear);
  }
  say(plot, follows, places(follows), 0);
  load(data.url).then((Plotly) => {
    if (plot.keptVersion !== version) return;
    // Axes that come by an update have no range to go back to: with other axes it is another plot.
    if ((plot.keptAxes ?? axes) !== axes) Plotly.purge(plot);
    plot.keptAxes = axes;
    // One and the same config for the life of the plot: Plotly draws anew, view lost, when it sees another.
    plot.keptConfig ??= config(Plotly);
    const traces = () => moved(drawing, follows, plot.keptAt = places(follows));
    const draw = () => Plotly.react(plot, traces(), themed(parentElement, drawing.layout), plot.keptConfig);
    // An update that fails leaves half a plot behind; without it the same figure is drawn.
    return Promise.resolve().then(draw).catch((failure) => { console.error(failure); Plotly.purge(plot); return draw(); });
  }, (failure) => {
    plot.textContent = "The chart library could not be loaded from this server; reload the page.";
    throw failure;
  }).then(() => {
    if (plot.keptVersion !== version) return;
    plot.keptReady = true;
    plot.keptMark = mark;
    tell(plot, follows);
    // What was dragged on while this was drawn.
    follows.forEach((one) => follow(plot, one.name));
  });
}
"""
)

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


def chart(figure: go.Figure, *, key: str, alt: str, follows: Sequence[Followed] = (), drags: bool = False) -> None:
    """Draw `figure`. `key` names it in the page and in what is saved of it; `alt` says in words what it shows.

    `follows`: values that it follows while they are dragged; `drags`: whether the threshold can be dragged in it.
    """
    # As text: the browser parses it faster than Streamlit would walk it.
    spec = figure.to_json()
    frames = json.dumps([followed.to_data() for followed in follows])
    stamp = hashlib.sha256((spec + frames).encode()).hexdigest()[:16]
    _mount(
        key=key,
        data={
            "figure": spec,
            "height": figure.layout.height,
            "alt": alt,
            "url": plotly_url(),
            "name": key.replace("_", "-"),
            "stamp": stamp,
            "follows": frames,
            "places": [followed.place for followed in follows],
            "drags": drags,
        },
        # The sentence above a chart that follows something takes its own room.
        height="content" if follows else figure.layout.height,
    )
