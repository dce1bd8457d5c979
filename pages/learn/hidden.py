"""What a step may hide of a page until its question is answered."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

PARTS: Final = {
    "headline": ".st-key-headline",
    "picture": ".st-key-hero",
    "notes": ".st-key-notes",
    "examples": ".st-key-examples",
    "section": '[data-testid="stMain"] [data-testid="stTabs"] [role="tabpanel"]',
}
"""What a lesson calls a part of a page -> where it is; the section is what the open tab shows."""
CHART: Final = "chart "


def hidden_parts(text: str) -> tuple[str, ...]:
    """The parts in a list such as "headline, chart cost". Raises ValueError for an unknown one."""
    parts = tuple(part.strip() for part in text.split(","))
    for part in parts:
        if part not in PARTS and not part.startswith(CHART):
            raise ValueError(f'what is hidden is one of {", ".join(PARTS)}, or a chart by its name, "chart cost"; not {part!r}.')
    return parts


def places(parts: Sequence[str]) -> list[str]:
    """Where the parts are, as a style sheet selects them."""
    return [PARTS.get(part) or f".st-key-{part.removeprefix(CHART).strip()}" for part in parts]


def hide(parts: Sequence[str], why: str) -> None:
    """Hide these parts of the page, from readers of the screen, too; in their places stands why, which has no quotation marks."""
    keys = places(parts)
    if keys:
        st.html(
            f"<style>{', '.join(keys)} {{ position: relative; }} {', '.join(f'{key} *' for key in keys)} "
            "{ visibility: hidden !important; } "
            f"{', '.join(f'{key}::before' for key in keys)} {{ content: '{why}'; visibility: visible; position: absolute; "
            "inset: 0; z-index: 1; display: flex; align-items: center; justify-content: center; text-align: center; padding: 0 1rem; "
            "border: 1px dashed currentColor; border-radius: 0.5rem; opacity: 0.75; min-height: 1.6rem; }</style>"
        )
