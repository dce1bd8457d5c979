"""The question on which "Estimate" opens: what there is to count. Five cards, one for each way of estimating."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.estimate.own_files import use_again
from pages.estimate.settings import COUNTS, DRAWN, LABELLED_PART, OWN, WATCHED
from pages.frame.layout import whole_card
from pages.frame.page_frame import first_viewport, headline
from pages.frame.presets import says_of_settings
from pages.settings.address import mark_address_incomplete


@dataclass(frozen=True)
class _Card:
    """What a way needs and gives, and its picture: an SVG of 120 by 48, in the colours of the text around it."""

    text: str
    picture: str


def _rows(x: int, filled: int) -> str:
    """A sheet of five rows, of which the first ones hold a label."""
    rows = [
        f'<rect x="{x + 5}" y="{8 + 7 * i}" width="14" height="3"/>'
        + (f'<circle class="marked" cx="{x + 28}" cy="{9.5 + 7 * i}" r="2.5"/>' if i < filled else "")
        for i in range(5)
    ]
    return f'<rect class="sheet" x="{x}" y="2" width="36" height="44" rx="3"/>{"".join(rows)}'


def _interval(x: int, low: int, high: int) -> str:
    """An upright interval with its estimate in the middle."""
    middle = (low + high) / 2
    return f'<path d="M{x} {low}V{high}"/><circle class="marked" cx="{x}" cy="{middle}" r="3.5"/>'


_CARDS = {
    DRAWN: _Card(
        "See how it works first: a sample is drawn from a data set, and the truth is known.",
        '<path d="M8 24H112M8 20V28M112 20V28"/><path class="wide" d="M38 24H78"/>'
        '<circle class="marked" cx="58" cy="24" r="5"/><path class="dotted" d="M66 6V42"/>',
    ),
    OWN: _Card(
        "Instances whose class is known, and instances to be counted: tables, scores, texts. By team or month: did it change?",
        f"{_rows(10, 5)}{_rows(58, 0)}{_interval(110, 10, 38)}",
    ),
    LABELLED_PART: _Card(
        "A prediction in every row, such as a model's verdict, and a label in some, drawn at random.",
        f"{_rows(24, 2)}{_interval(84, 14, 34)}",
    ),
    COUNTS: _Card(
        "No file: how many are positive, and how good the test or the model is. Two samples compared, too.",
        '<rect class="sheet" x="24" y="4" width="32" height="18"/><rect class="sheet" x="60" y="4" width="32" height="18"/>'
        '<rect class="sheet" x="24" y="26" width="32" height="18"/><rect class="sheet" x="60" y="26" width="32" height="18"/>'
        '<text x="40" y="17">66</text><text x="76" y="17">18</text><text x="40" y="39">14</text><text x="76" y="39">102</text>',
    ),
    WATCHED: _Card(
        "Batch after batch: has the share moved, although somebody looks every week?",
        '<path d="M8 34L22 30L36 35L50 29L64 33L78 24L92 14L108 10"/>'
        + "".join(
            f'<circle class="marked" cx="{x}" cy="{y}" r="2.5"/>'
            for x, y in ((8, 34), (22, 30), (36, 35), (50, 29), (64, 33), (78, 24), (92, 14), (108, 10))
        ),
    ),
}
_CSS = """
.st-key-ways button { text-align: start; justify-content: start; }
.way-picture { display: block; fill: none; stroke: currentColor; stroke-width: 1.5; width: 120px; height: 48px; }
.way-picture rect:not(.sheet), .way-picture text { fill: currentColor; stroke: none; opacity: 0.7; }
.way-picture text { font: 13px sans-serif; text-anchor: middle; opacity: 1; }
.way-picture .marked { fill: var(--st-primary-color); stroke: none; }
.way-picture .wide { stroke: var(--st-primary-color); stroke-width: 5; }
.way-picture .dotted { stroke-dasharray: 2 3; }
"""
_picture = st.components.v2.component(
    "way_picture",
    html='<svg class="way-picture" viewBox="0 0 120 48" aria-hidden="true"></svg>',
    css=_CSS,
    js="""export default function ({ data, parentElement }) {
      const picture = parentElement.querySelector("svg");
      picture.innerHTML = data;
      picture.dataset.drawn = "";
    }""",
    isolate_styles=False,
)


def what_do_you_have() -> None:
    """Draw the question and a card for each answer."""
    with first_viewport("estimate") as parts:
        with parts.headline:
            headline("What do you have?")
        says_of_settings("")
        with parts.hero, st.container(key="ways", gap="small"):
            for number, (way, card) in enumerate(_CARDS.items()):
                with whole_card(f"way-{number}"), st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                    _picture(key=f"picture of way {number}", data=card.picture, width=120, height=48)
                    with st.container(width="stretch", gap="xsmall"):
                        st.button(f"**{way}**", key=f"take {way}", on_click=partial(_take, way), type="tertiary")
                        st.write(card.text)


def _take(way: str) -> None:
    st.session_state["way"] = way
    mark_address_incomplete()
    if way == OWN:
        use_again()
