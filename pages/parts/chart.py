"""A Plotly chart that keeps zoom, legend choices and camera over updates, and follows the theme as it is switched.

Streamlit's own chart is built anew at each change of its data. This one hands the new figure to Plotly.react.
"""

from __future__ import annotations

import hashlib

import plotly.graph_objects as go
import streamlit as st

from pages.parts.server import plotly_url

_HTML = '<figure class="kept-chart" role="figure"><div class="kept-plot"></div></figure>'
_CSS = ".kept-chart { margin: 0; width: 100%; } .kept-plot { width: 100%; }"
_JS = """
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

export default function ({ data, parentElement }) {
  const figure = parentElement.querySelector(".kept-chart"), plot = parentElement.querySelector(".kept-plot");
  figure.setAttribute("aria-label", data.alt);
  plot.dataset.name = data.name;
  plot.style.height = data.height + "px";
  const drawing = JSON.parse(data.figure);
  // A trace is known by its name, so that a hidden one stays hidden when others come and go; plotly.py drops uid. Plotly makes
  // a selector of it, which a space would break.
  drawing.data.forEach((trace) => { trace.uid = trace.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"); });
  const axes = Object.keys(drawing.layout).filter((key) => /^[xy]axis/.test(key)).sort().join(" ");
  const version = plot.keptVersion = (plot.keptVersion ?? 0) + 1;
  load(data.url).then((Plotly) => {
    if (plot.keptVersion !== version) return;
    // Axes that come by an update have no range to go back to: with other axes it is another plot.
    if ((plot.keptAxes ?? axes) !== axes) Plotly.purge(plot);
    plot.keptAxes = axes;
    // One and the same config for the life of the plot: Plotly draws anew, view lost, when it sees another.
    plot.keptConfig ??= config(Plotly);
    const draw = () => Plotly.react(plot, drawing.data, themed(parentElement, drawing.layout), plot.keptConfig);
    // An update that fails leaves half a plot behind; without it the same figure is drawn.
    return Promise.resolve().then(draw).catch((failure) => { console.error(failure); Plotly.purge(plot); return draw(); });
  }, (failure) => {
    plot.textContent = "The chart library could not be loaded from this server; reload the page.";
    throw failure;
  }).then(() => { plot.dataset.drawn = data.stamp; });
}
"""

_mount = st.components.v2.component("kept_chart", html=_HTML, css=_CSS, js=_JS, isolate_styles=False)


def chart(figure: go.Figure, *, key: str, alt: str) -> None:
    """Draw `figure`. `key` names it in the page and in what is saved of it; `alt` says in words what it shows."""
    # As text: the browser parses it faster than Streamlit would walk it.
    spec = figure.to_json()
    stamp = hashlib.sha256(spec.encode()).hexdigest()[:16]
    _mount(
        key=key,
        data={
            "figure": spec,
            "height": figure.layout.height,
            "alt": alt,
            "url": plotly_url(),
            "name": key.replace("_", "-"),
            "stamp": stamp,
        },
        height=figure.layout.height,
    )
