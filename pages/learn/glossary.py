"""The glossary: every term of the field, of the registries and of the controls, and its list."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from pages.charts.figure import json_text
from pages.frame.page_frame import lead_to_section
from pages.frame.view import request_view, view_of_link
from pages.learn.settings import ENGLISH
from pages.settings.component import component
from pages.settings.number_text import capitalised
from pages.settings.page_declaration import PAGES
from pages.settings.shared import quantifiers_key
from pages.settings.terms import headed_texts, terms
from qcore import CLASSIFIERS, LOSSES, MEASURES, PROTOCOLS, QUANTIFIERS
from qcore.intervals import INTERVALS
from qcore.losses import ORDERED_LOSSES, PROPERTIES
from qcore.scoring import CALIBRATIONS

_FOLDER = Path(__file__).parent
_CONTROLS = (
    "share",
    "prior",
    "size",
    "grid",
    "repeats",
    "sizes",
    "seed",
    "draw",
    "p",
    "ratio",
    "level",
    "trained",
    "day",
)
"""Controls whose help says what a term means, by the keys of their settings."""
_IN_SECTIONS = {"day": "Over time", "trained": "Over time", "ratio": "Costs"}
"""Control -> the section of its page that it is in, for controls that are not beside the page's first picture."""


@dataclass(frozen=True)
class GlossaryEntry:
    """A term in a group, what it is in one sentence, the link of a view that shows it, and its names in other places."""

    group: str
    name: str
    sentence: str
    link: str
    also_called: tuple[str, ...] = ()


def _page(name: str, **settings: str) -> str:
    return f"/{PAGES[name].path}?{urlencode(settings)}".removesuffix("?")


def _sentence(text: str) -> str:
    """A registry's idea as a sentence."""
    return f"{capitalised(text).rstrip('.')}."


def _terms() -> Iterator[GlossaryEntry]:
    for one in terms().values():
        yield GlossaryEntry("Terms", one.name, one.sentence, one.link)


def _quantifiers() -> Iterator[GlossaryEntry]:
    for key, one in QUANTIFIERS.items():
        named = "" if one.name == key else f"{one.name}: "
        link = _page("error_by_prevalence", **{quantifiers_key(one.family): key})
        yield GlossaryEntry("Quantifiers", key, f"{named}{_sentence(one.idea)}", link, one.also_called)


def _losses() -> Iterator[GlossaryEntry]:
    for key, one in LOSSES.items():
        yield GlossaryEntry(
            "Losses", key, f"{one.name}: {_sentence(one.idea)}", _page("losses", shown_losses=key), one.also_called
        )
    for key, one in ORDERED_LOSSES.items():
        view = _page("more_than_two_classes", **PAGES["more_than_two_classes"].opens("Ordered classes"))
        yield GlossaryEntry("Losses", key, f"{one.name}: {_sentence(one.idea)}", view)
    for key, text in PROPERTIES.items():
        yield GlossaryEntry("Losses", key, _sentence(text), _page("losses", **PAGES["losses"].opens("Properties")))


def _measures() -> Iterator[GlossaryEntry]:
    drawn = PAGES["search_space"].settings["measure"].options
    for key, measure in MEASURES.items():
        # An error is seen as the accuracy that it leaves.
        link = _page("search_space", measure=key if key in drawn else "accuracy")
        yield GlossaryEntry("Measures", key, _sentence(measure.idea), link)


def _classifiers() -> Iterator[GlossaryEntry]:
    for key, one in CLASSIFIERS.items():
        yield GlossaryEntry("Classifiers", key, _sentence(one.idea), _page("error_by_prevalence", classifier=key))
    for key, calibration in CALIBRATIONS.items():
        if key != "none":
            link = _page("classifier", **PAGES["classifier"].opens("Calibration"))
            yield GlossaryEntry("Classifiers", f"{key} calibration", _sentence(calibration.idea), link)


def _samples_and_intervals() -> Iterator[GlossaryEntry]:
    for key, protocol in PROTOCOLS.items():
        link = _page("compare", **PAGES["compare"].opens("Protocols"))
        yield GlossaryEntry("Protocols", key, f"{protocol.name}: {_sentence(protocol.idea)}", link)
    for key, interval in INTERVALS.items():
        link = _page("estimate", **PAGES["estimate"].opens("Intervals compared"))
        yield GlossaryEntry("Intervals", f"{key} interval", _sentence(interval.idea), link)


def _controls() -> Iterator[GlossaryEntry]:
    for key in _CONTROLS:
        page, setting = next((name, one.settings[key]) for name, one in PAGES.items() if key in one.settings)
        within = PAGES[page].opens(_IN_SECTIONS[key]) if key in _IN_SECTIONS else {}
        yield GlossaryEntry("Controls", setting.label, str(setting.help), _page(page, **within))


_SOURCES: Final[tuple[Callable[[], Iterator[GlossaryEntry]], ...]] = (
    _terms,
    _quantifiers,
    _losses,
    _measures,
    _classifiers,
    _samples_and_intervals,
    _controls,
)


@cache
def glossary(language: str = ENGLISH) -> tuple[GlossaryEntry, ...]:
    """All terms, group by group. In another language, names stay as in the interface, and untranslated sentences in English."""
    entries = tuple(entry for source in _SOURCES for entry in source())
    if language == ENGLISH:
        return entries
    translated = translations(language)
    return tuple(replace(entry, sentence=translated.get((entry.group, entry.name), entry.sentence)) for entry in entries)


@cache
def translations(language: str) -> dict[tuple[str, str], str]:
    """Group and name -> the sentence in a language; the file has a heading "# Group", and below it "## Name" for each."""
    text = (_FOLDER / f"glossary_{language}.md").read_text(encoding="utf-8")
    groups = headed_texts(text, "#")
    return {(group, name): sentence for group, part in groups.items() for name, sentence in headed_texts(part).items()}


_KEY = "glossary"
_mount = component(
    "glossary",
    '<div class="glossary"><input type="search"><dl tabindex="0"></dl></div>',
    (_FOLDER / "glossary_list.css").read_text(),
    js=(_FOLDER / "glossary_list.js").read_text(),
)


def glossary_list(entries: Sequence[GlossaryEntry], labels: Mapping[str, str]) -> None:
    """Draw all terms in alphabetical order."""

    def seen() -> None:
        link = st.session_state[_KEY].see
        if link:
            view = view_of_link(str(link))
            request_view(view)
            if view.section:
                lead_to_section()

    listed = [
        {"name": one.name, "sentence": _listed_sentence(one, labels["also_called"]), "link": one.link}
        for one in sorted(entries, key=lambda one: one.name.lower())
    ]
    data = {"entries": json_text(listed), "labels": {name: labels[name] for name in ("search", "see", "none")}}
    _mount(key=_KEY, data=data, on_see_change=seen, height="content")


def _listed_sentence(entry: GlossaryEntry, also_called: str) -> str:
    """What the term is, and by which names readers may know it."""
    names = also_called.format(names=", ".join(entry.also_called)) if entry.also_called else ""
    return f"{entry.sentence} {names}".rstrip()
