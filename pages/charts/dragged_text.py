"""A sentence that follows a value while it is dragged, as charts do: in the browser only."""

from collections.abc import Sequence

from pages.charts.chart import FRAMES_JS
from pages.charts.figure import json_text
from pages.settings.component import component

_JS = (
    FRAMES_JS
    + """
export default function ({ data, parentElement }) {
  const paragraph = parentElement.querySelector("p"), values = JSON.parse(data.values), sentences = JSON.parse(data.sentences);
  Object.assign(paragraph.dataset, { name: data.name });
  takeOwnHeight(paragraph);
  paragraph.classList.toggle("dragged-headline", data.headline);
  const show = (value) => paragraph.replaceChildren(...withBold(sentences[nearest(values, value)]));
  hear(paragraph, "dragged-value", ({ name, value }) => { if (name === data.follows) show(value); });
  show(window.draggedValues?.[data.follows] ?? values[data.index]);
}
"""
)
_CSS = """
.dragged-text:not(.dragged-headline) { max-width: 75ch; }
.dragged-text { margin: 0; line-height: 1.45; min-height: 1.45em; }
.dragged-text.dragged-headline { font-size: 1.25rem; font-weight: 600; line-height: 1.35; min-height: 1.35em; }
@media (max-width: 640px) { .dragged-text.dragged-headline { font-size: 1rem; } }
"""
_LINE = 24
"""Pixels of a line."""

_mount = component("dragged_text", '<p class="dragged-text"></p>', _CSS, js=_JS)


def dragged_text(
    name: str, follows: str, values: Sequence[float], sentences: Sequence[str], value: float, *, headline: bool = False
) -> None:
    """Draw the sentence for the current `value` of the setting `follows`; one sentence for each of `values`.

    `name` is the name of this element in the page.
    """
    index = min(range(len(values)), key=lambda i: abs(values[i] - value))
    data = {
        "name": name.replace("_", "-"),
        "follows": follows,
        "values": json_text(list(values)),
        "sentences": json_text(list(sentences)),
        "index": index,
        "headline": headline,
    }
    _mount(key=f"text {name}", data=data, height=_LINE)
