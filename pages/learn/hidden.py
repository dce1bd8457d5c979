"""What a step may hide of a page until its question is answered."""

import re
from collections.abc import Sequence

from pages.frame.layout import add_style
from pages.frame.recording import WITHHELD
from pages.settings.page_declaration import PAGES

PARTS = {
    "headline": ".st-key-headline",
    "picture": ".st-key-hero",
    "notes": ".st-key-notes",
    "examples": ".st-key-examples",
    "section headline": ".st-key-section-headline",
    "section notes": ".st-key-section-notes",
    "section": '.stMain .stTabs [role="tabpanel"]',
}
"""What a lesson calls a part of a page -> where it is; the section is what the open tab shows. WITHHELD can be hidden, too."""
CHART = "chart "
_COVER = (
    "visibility: visible; position: absolute; inset: 0; z-index: 1; display: flex; align-items: flex-start; "
    "justify-content: center; text-align: center; padding: 0.1rem 1rem; "
    "border: 1px dashed currentColor; border-radius: 0.5rem; "
    "opacity: 0.75; min-height: 1.6rem; font-size: 0.9375rem; line-height: 1.4;"
)


def hidden_parts(text: str, page: str) -> tuple[str, ...]:
    """The parts of a page in a list such as "headline, chart cost". Raises ValueError for an unknown one."""
    parts = tuple(part.strip() for part in text.split(","))
    return tuple(part if part in (*PARTS, *WITHHELD) else _chart(part, page) for part in parts)


def names_parts(text: str) -> bool:
    """Whether a text is a list of parts, as far as can be said without the page."""
    return all(part.strip() in (*PARTS, *WITHHELD) or re.fullmatch(rf"{CHART}[\w-]+", part.strip()) for part in text.split(","))


def _chart(part: str, page: str) -> str:
    """A part that is a chart of the page, whose name may be written with hyphens, as the page's HTML does."""
    name = part.removeprefix(CHART).strip().replace("-", "_")
    if part.startswith(CHART) and name in PAGES[page].charts:
        return CHART + name
    charts, known = sorted(PAGES[page].charts), ", ".join((*PARTS, *WITHHELD))
    listed = ", ".join(f'"{CHART}{one}"' for one in charts)
    by_name = f"a chart of the page by its name, {listed}" if charts else "a chart, of which this page has none"
    raise ValueError(f"what is hidden is one of {known}, or {by_name}; not {part!r}.")


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
