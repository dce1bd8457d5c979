"""The stage (a page as shown in a lecture hall) and a page in a frame of another site: both leave out menus and sidebar."""

from pathlib import Path

import streamlit as st

from pages.frame import talk
from pages.frame.layout import LEADING_JS, add_style
from pages.frame.words import said
from pages.settings import control
from pages.settings.component import component
from pages.settings.page_declaration import PAGES
from pages.settings.setting import section_key
from qcore import InvalidInput

PRESENT = "present"
TALK = "talk"
VIEW = "view"
"""Parameters of the address: whether the page is on the stage, the views of the talk, and the number of the present one."""
_ON = "on the stage"
_AT = "number of the view on the stage"
_SEEN = "words of the stage in the address"
_SECTION = "the view on the stage opens a section"
_FOLDER = Path(__file__).parent
_HTML = (
    '<div class="stage-place" hidden><button type="button" aria-label="View before">←</button><span></span>'
    '<button type="button" aria-label="Next view">→</button><button type="button">Leave (Esc)</button></div>'
    '<dialog class="talk-saving"><p id="talk-saving"></p><progress aria-labelledby="talk-saving"></progress>'
    '<button type="button"></button></dialog>'
)
_CSS = """
:is(.stage-place, .talk-saving) button { font: inherit; color: var(--st-text-color); background: var(--st-background-color);
  cursor: pointer; border: 1px solid var(--st-border-color); border-radius: 0.5rem; padding: 0.1rem 0.6rem; }
.stage-place button:disabled { opacity: 0.4; cursor: default; }
.talk-saving { width: min(26rem, 90vw); box-sizing: border-box; padding: 1rem 1.25rem; border-radius: 0.5rem;
  color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color); }
.talk-saving p { margin: 0; }
.talk-saving progress { width: 100%; margin: 0.6rem 0; accent-color: var(--st-primary-color); }
"""
_STAGE = (_FOLDER / "stage.css").read_text()
_EMBEDDED = (_FOLDER / "embedded.css").read_text()
_mount = component("stage", _HTML, _CSS, js=LEADING_JS + (_FOLDER / "stage.js").read_text())
_KEY = "stage"


def is_on() -> bool:
    """Whether the page is on the stage."""
    return bool(st.session_state.get(_ON))


def present(on: bool, number: int = 0) -> None:
    """Enter the stage, with a view of the talk or, for 0, with the view in front of the person; or leave it: for callbacks."""
    st.session_state[_ON] = on
    st.session_state[_AT] = number
    if number:
        _show(number)
    elif on:
        # The browser sees whether the person looks at a section.
        st.session_state[_SECTION] = None


def _show(number: int) -> None:
    talk.show(number)
    st.session_state[_SECTION] = talk.has_section(number)


def _words_of_address() -> dict[str, str]:
    return {key: st.query_params[key] for key in (PRESENT, TALK, VIEW) if key in st.query_params}


def _take_from_address() -> None:
    """Take new parameters of the address into the session; missing ones change nothing, as on the way to another page."""
    state, seen = st.session_state, st.session_state.setdefault(_SEEN, {})
    words = _words_of_address()
    new = {key: word for key, word in words.items() if seen.get(key) != word}
    seen.update(words)
    if PRESENT in new:
        state[_ON] = new[PRESENT] in ("1", "true")
        state[_SECTION] = any(key.endswith(section_key("")) for key in st.query_params)
    if TALK in new:
        try:
            talk.take(talk.read(new[TALK]), own=new[TALK] == talk.to_keep())
        except InvalidInput as error:
            control.note(str(error))
            return
        state[_AT] = 1
    if VIEW in new:
        number = int(new[VIEW]) if new[VIEW].isdecimal() and len(new[VIEW]) < 4 else 0
        state[_AT] = number if number <= len(talk.talk()) else 0
        if state[_AT]:
            state[_SECTION] = talk.has_section(number)


def _stay() -> None:
    """Show the session's present view again: a key that was pressed on the former page would otherwise bring that back.

    In such a run the component has no value any more, and the address is still that of the former page.
    """
    st.session_state[_SEEN] = _words_of_address()
    if number := int(st.session_state.get(_AT, 0)):
        _show(number)


def keep_address() -> None:
    """Write the state of the stage into the address, so that a reload shows the same. Call it when the page is known."""
    at = int(st.session_state.get(_AT, 0)) if is_on() else 0
    words = {
        PRESENT: "1" if is_on() else None,
        TALK: talk.spelt(talk.talk()) if at else None,
        VIEW: str(at) if at else None,
    }
    for key, word in words.items():
        if word is None and key in st.query_params:
            del st.query_params[key]
        elif word is not None and st.query_params.get(key) != word:
            st.query_params[key] = word
    st.session_state[_SEEN] = words


def stage() -> None:
    """Adapt the page to the stage, or to a frame of another site, if it is shown there. Call it before anything is drawn."""
    _take_from_address()
    embedded = bool(st.context.is_embedded)
    if is_on() and not embedded:
        add_style(_STAGE)
    if embedded:
        add_style(_EMBEDDED)
    at, total = int(st.session_state.get(_AT, 0)), len(talk.talk())

    def moved() -> None:
        asked = st.session_state.get(_KEY)
        if asked is None:
            _stay()
        elif asked.present is not None:
            present(bool(asked.present))
        elif asked.go is not None and 1 <= at + int(asked.go) <= total:
            present(True, at + int(asked.go))

    saving = talk.saving()
    data = {
        "on": is_on() and not embedded,
        "embedded": embedded,
        "at": at,
        "total": total if at else 0,
        "section": st.session_state.get(_SECTION),
        "keep": talk.to_keep(),
        "awaits": talk.is_awaited() and not embedded,
        "saving": None if saving is None else _said_of(saving),
    }
    heard = {"on_present_change": moved, "on_go_change": moved, "on_kept_change": _kept, "on_stopped_change": _stopped}
    _mount(key=_KEY, data=data, height=1, **heard)


def _kept() -> None:
    if (word := st.session_state[_KEY].kept) is not None:
        talk.take_kept(str(word))


def _stopped() -> None:
    # On the way to another page the component has no value any more.
    if (asked := st.session_state.get(_KEY)) is None or asked.stopped:
        talk.stop_saving()


def _said_of(saving: talk.Saving) -> dict[str, str | int]:
    number, total = saving.number, len(saving.views)
    text = said("The talk is being saved: view {number} of {total}, {title}")
    title = said(PAGES[saving.view.page].title)
    words = text.format(number=number, total=total, title=title)
    return {"text": words, "stop": said("Stop"), "done": number - 1, "total": total}
