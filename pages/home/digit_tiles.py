"""A hundred handwritten digits as tiles, which change while the share of positives is dragged; counted ones are framed."""

import numpy as np

from pages.charts.chart import FRAMES_JS
from pages.charts.json_text import json_text
from pages.settings.component import component
from qcore.base import FloatArray
from qcore.studies.tiles import Tiles

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
    alt = "A hundred handwritten digits: {positives} are 3s, {counted} are taken for 3s."
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
