"""What Home shows of today: the picture, the digits, and the finding in words."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from pages.charts.chart import FRAMES_JS
from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.figure import NEUTRAL, json_text, method_style
from pages.charts.traces import Trace, axis, band, diagonal, line, markers, method_line, method_markers, vertical_mark
from pages.frame.recording import RIGHT_COUNT
from pages.settings.component import component
from pages.settings.number_text import percentage
from qcore.base import FloatArray
from qcore.studies.shown_instances import Tiles

_METHODS = ("CC", "AC")
_LIMITS = (-0.02, 1.02)


def today_figure(
    curves: pd.DataFrame, values: Sequence[float], index: int, *, training_share: float, counting_is_right: float | None
) -> DraggedFigure:
    """Mean and band of CC and AC by true share, named beside their lines; `index` of the share that the figure itself shows.

    `curves` of `evaluation.summaries.curves`. The share of training is marked, and that at which counting is right, if given.
    """
    rows = {method: curves[curves.method == method] for method in _METHODS}
    still = [
        *(band(method, of.true, of.p10, of.p90, opacity=0.14) for method, of in rows.items()),
        diagonal("Truth", width=1.5, showlegend=False, hoverinfo="skip"),
        *(
            method_line(method, of.true, of["mean"], width=3, showlegend=False) | {"mode": "lines", "hoverinfo": "skip"}
            for method, of in rows.items()
        ),
    ]
    if counting_is_right is not None:
        there = [counting_is_right]
        still.append(markers(RIGHT_COUNT, there, there, symbol="circle-open", size=20, edge={"width": 2.5}, showlegend=False))
    means = {method: np.interp(values, of.true, of["mean"]).tolist() for method, of in rows.items()}

    def at(i: int) -> list[Trace]:
        today = values[i]
        return [
            line("today", (today, today), _LIMITS, width=3, opacity=0.5, showlegend=False),
            markers("truth today", [today], [today], size=10, showlegend=False),
            *(
                method_markers(method, [today], [mean[i]], name=f"{method} today", size=14, showlegend=False)
                for method, mean in means.items()
            ),
        ]

    return dragged_figure(
        at,
        values,
        index,
        still=still,
        title="",
        height=430,
        hovermode=False,
        dragmode=False,
        annotations=_labels(curves, training_share, counting_is_right),
        shapes=[vertical_mark(training_share)],
        margin={"l": 68, "r": 24, "t": 16, "b": 56},
        xaxis=axis("true share of 8s", _LIMITS, tickformat=".0%"),
        yaxis=axis("estimated share", _LIMITS, tickformat=".0%"),
    )


def _labels(curves: pd.DataFrame, training_share: float, counting_is_right: float | None) -> list[dict[str, object]]:
    """Annotations with the name of each line, placed where the lines are far apart, and of what is marked."""

    def mean(method: str, share: float) -> float:
        rows = curves[curves.method == method]
        return float(np.interp(share, rows.true, rows["mean"]))

    named = (
        ("Counted", 0.85, mean("CC", 0.85), method_style("CC").colour, "left", -20),
        ("Corrected", 0.72, mean("AC", 0.72), method_style("AC").colour, "right", 18),
        # Below the tools in the upper right corner, also in a low window.
        ("Truth", 0.86, 0.86, NEUTRAL, "right", 18),
    )
    marked = [(f"in training: {percentage(training_share)}", training_share, 0.02, "left", 6)]
    if counting_is_right is not None:
        marked.append((RIGHT_COUNT, counting_is_right, counting_is_right + 0.1, "right", -4))
    noted: list[dict[str, object]] = [
        {"text": text, "x": x, "y": y, "xanchor": side, "xshift": shift, "showarrow": False}
        for text, x, y, side, shift in marked
    ]
    return noted + [
        {
            "text": f"<b>{name}</b>",
            "x": x,
            "y": y,
            "xanchor": side,
            "yshift": shift,
            "font": {"color": colour},
            "showarrow": False,
        }
        for name, x, y, colour, side, shift in named
    ]


_HTML = '<canvas class="digit-tiles" role="img" width="400" height="400"></canvas>'
_CSS = ".digit-tiles { width: 100%; max-width: 400px; display: block; margin: 0 auto; }"
_JS = (
    FRAMES_JS
    + """
const SIDE = 40, PIXEL = 4, EDGE = 4;

export default function ({ data, parentElement }) {
  const canvas = parentElement.querySelector("canvas"), pen = canvas.getContext("2d"), tiles = JSON.parse(data.tiles);
  const css = getComputedStyle(parentElement), text = css.getPropertyValue("--st-text-color") || "#000";
  const frame = css.getPropertyValue("--st-primary-color") || "#06c", n = tiles.order.length;
  const rank = new Array(n);
  tiles.order.forEach((place, i) => { rank[place] = i; });

  const show = (share) => {
    const positives = Math.round(share * n);
    let counted = 0;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let place = 0; place < n; place++) {
      const positive = rank[place] < positives, kind = positive ? "positives" : "negatives";
      const left = (place % 10) * SIDE, top = Math.floor(place / 10) * SIDE, picture = tiles[kind][place];
      pen.fillStyle = text;
      for (let i = 0; i < 64; i++) {
        pen.globalAlpha = parseInt(picture[i], 17) / 16;
        const x = left + EDGE + (i % 8) * PIXEL, y = top + EDGE + Math.floor(i / 8) * PIXEL;
        if (picture[i] !== "0") pen.fillRect(x, y, PIXEL, PIXEL);
      }
      pen.globalAlpha = 1;
      if (tiles["counted_" + kind][place]) {
        counted++;
        pen.strokeStyle = frame;
        pen.lineWidth = 2.5;
        pen.setLineDash(positive ? [] : [4, 3]);
        pen.strokeRect(left + 2, top + 2, SIDE - 4, SIDE - 4);
      }
    }
    canvas.setAttribute("aria-label", data.alt.replace("{positives}", positives).replace("{counted}", counted));
    canvas.dataset.shown = positives + " " + counted;
  };
  hear(canvas, "dragged-value", ({ name, value }) => { if (name === data.follows) show(value); });
  show(window.draggedValues?.[data.follows] ?? data.value);
}
"""
)
_DIGITS = np.array(list("0123456789abcdefg"))
_mount = component("digit_tiles", _HTML, _CSS, js=_JS)


def digit_tiles(shown: Tiles, images: FloatArray, follows: str, value: float) -> None:
    """Draw the tiles. `images` of the pool's digits, (n_pool, 64), from 0 to 16; `follows`: the setting that is dragged."""
    tiles = {
        "positives": _pictures(images[shown.positives]),
        "negatives": _pictures(images[shown.negatives]),
        "counted_positives": shown.counted_positives.tolist(),
        "counted_negatives": shown.counted_negatives.tolist(),
        "order": shown.order.tolist(),
    }
    alt = "A hundred handwritten digits: {positives} are 8s, {counted} are taken for 8s."
    _mount(
        key="digit_tiles",
        data={"tiles": json_text(tiles), "follows": follows, "value": value, "alt": alt},
        height="content",
    )


def _pictures(images: FloatArray) -> list[str]:
    """Each image as text, a character for each pixel."""
    characters = _DIGITS[np.clip(np.rint(images), 0, 16).astype(int)]
    pictures: list[str] = characters.view(f"U{images.shape[1]}").ravel().tolist()
    return pictures


def today_headlines(shares: Sequence[float], means: Sequence[Mapping[str, float]]) -> list[str]:
    """For each true share: what counting and correcting say; `means` of `means_at`."""
    return [
        f"In truth {percentage(share)} are 8s. Counted: {percentage(mean['CC'])}. Corrected: {percentage(mean['AC'])}."
        for share, mean in zip(shares, means, strict=True)
    ]


def explanation(rates: tuple[float, float], training_share: float, n_training: int, count_at_zero: float) -> str:
    """Why counting errs away from the share of training, and what the correction does; `rates` are tpr and fpr, out of fold."""
    tpr, fpr = rates
    return (
        "*Quantification* estimates the share of each class in a sample without labels. This classifier learnt from "
        f"{n_training} digits. It finds {percentage(tpr)} of the 8s (its *tpr*) and takes {percentage(fpr)} of the others for "
        f"an 8 (its *fpr*). At {percentage(training_share)}, missed 8s and false alarms cancel out; among digits without an 8 "
        f"it still counts {percentage(count_at_zero)}. The correction subtracts the fpr and divides by tpr - fpr."
    )
