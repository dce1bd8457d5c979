"""What a step may hide of a page until its question is answered."""

import re
from collections.abc import Sequence
from typing import Final

from pages.frame.layout import add_style

PARTS: Final = {
    "headline": ".st-key-headline",
    "picture": ".st-key-hero",
    "notes": ".st-key-notes",
    "examples": ".st-key-examples",
    "section": '[data-testid="stMain"] [data-testid="stTabs"] [role="tabpanel"]',
}
"""What a lesson calls a part of a page -> where it is; the section is what the open tab shows."""
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
        if part not in PARTS and not _A_CHART.fullmatch(part):
            known = ", ".join(PARTS)
            raise ValueError(f'what is hidden is one of {known}, or a chart by its name, "chart cost"; not {part!r}.')
    return parts


def places(parts: Sequence[str]) -> list[str]:
    """Where the parts are, as a style sheet selects them."""
    return [PARTS.get(part) or f".st-key-{part.removeprefix(CHART)}" for part in parts]


def hide(parts: Sequence[str], why: str) -> None:
    """Hide these parts of the page, also from screen readers; in their places stands `why`, without quotation marks."""
    found = places(parts)
    if found:
        inside, before = (", ".join(f"{place}{part}" for place in found) for part in (" *", "::before"))
        add_style(
            f"{', '.join(found)} {{ position: relative; }} {inside} {{ visibility: hidden !important; }} "
            f"{before} {{ content: '{why}'; {_COVER} }}"
        )
