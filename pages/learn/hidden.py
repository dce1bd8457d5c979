"""What a step may hide of a page until its question is answered."""

import re
from collections.abc import Sequence
from typing import Final

from pages.frame.layout import add_style
from pages.frame.withheld import WITHHELD

PARTS: Final = {
    "headline": ".st-key-headline",
    "picture": ".st-key-hero",
    "notes": ".st-key-notes",
    "examples": ".st-key-examples",
    "section": '.stMain .stTabs [role="tabpanel"]',
}
"""What a lesson calls a part of a page -> where it is; the section is what the open tab shows. WITHHELD can be hidden, too."""
CHART: Final = "chart "
_A_CHART: Final = re.compile(rf"{CHART}\w+")
_COVER: Final = (
    "visibility: visible; position: absolute; inset: 0; z-index: 1; display: flex; align-items: flex-start; "
    "justify-content: center; text-align: center; padding: 0.1rem 1rem; "
    "border: 1px dashed currentColor; border-radius: 0.5rem; "
    "opacity: 0.75; min-height: 1.6rem;"
)


def hidden_parts(text: str) -> tuple[str, ...]:
    """The parts in a list such as "headline, chart cost". Raises ValueError for an unknown one."""
    parts = tuple(part.strip() for part in text.split(","))
    for part in parts:
        if part not in (*PARTS, *WITHHELD) and not _A_CHART.fullmatch(part):
            known = ", ".join((*PARTS, *WITHHELD))
            raise ValueError(f'what is hidden is one of {known}, or a chart by its name, "chart cost"; not {part!r}.')
    return parts


def places(parts: Sequence[str]) -> list[str]:
    """Where the parts are, as a style sheet selects them; what is withheld has no place."""
    return [PARTS.get(part) or f".st-key-{part.removeprefix(CHART)}" for part in parts if part not in WITHHELD]


def hide(parts: Sequence[str], why: str, *, folded: bool = False) -> None:
    """Hide these parts of the page, also from screen readers; in their places stands `why`, without quotation marks.

    `folded` parts are a line high.
    """
    found = places(parts)
    if found:
        low = "max-height: 2.4rem; overflow: hidden; " if folded else ""
        parts_of = (" *", "::before", " *::before")
        inside, before, before_inside = (", ".join(f"{place}{part}" for place in found) for part in parts_of)
        add_style(
            f"{', '.join(found)} {{ position: relative; {low}}} {inside} {{ visibility: hidden !important; }} "
            f"{before} {{ content: '{why}'; {_COVER} }} {before_inside} {{ visibility: hidden !important; }}"
        )
