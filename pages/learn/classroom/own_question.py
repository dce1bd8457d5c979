"""A view of the teacher's own for the classroom, perhaps with a question: what is typed becomes a lesson of one step."""

from typing import Final

import streamlit as st

from pages.frame.navigation import listed_page
from pages.learn.checks import CHECKS
from pages.learn.classroom.membership import Membership
from pages.learn.classroom.showing import show_own
from pages.learn.curves import CURVES
from pages.learn.hidden import PARTS
from pages.learn.lesson import CLOSE, OTHER_SHAPE, RIGHT, TOO_HIGH, TOO_LOW
from pages.learn.place import language
from pages.settings.current import current_settings
from pages.settings.links import link_query
from pages.settings.pages import settings_of

NO_QUESTION: Final = "no question"
_REFUSED: Final = "why a question of one's own was not shown"
_KINDS: Final = {NO_QUESTION: "", "choice": "choice", "number": "number", "find": "find", "draw": "draw"}


def own_question(room: Membership, page: str) -> None:
    """Draw the popover in which a teacher shows the view in front of them to the classroom, with a question or without."""
    kinds = [kind for kind in _KINDS if kind not in ("find", "draw") or _subjects(kind, page)]
    with st.popover("Ask about this view", key="classroom-ask"):
        kind = st.segmented_control("Question", kinds, default=NO_QUESTION, required=True, key="own-kind")
        prompt = st.text_area("What you say or ask", key="own-prompt", height=80, max_chars=600)
        if kind == "choice":
            st.text_area("Answers, one on each line; a * before the right one", key="own-options", height=110, max_chars=1500)
        if kind == "number":
            st.text_input("Answer, and how far one may be off", key="own-answer", placeholder="30% ± 5%", max_chars=60)
        if kind in ("find", "draw"):
            st.selectbox(
                "What is to be found" if kind == "find" else "Which curve", _subjects(kind, page), key=f"own-{kind}",
                format_func=lambda key: (CHECKS if kind == "find" else CURVES)[key].what,
            )  # fmt: skip
            st.text_input("What it is about, where it needs that, such as CC", key="own-argument", max_chars=60)
        if kind != NO_QUESTION:
            st.pills("Hidden until you show the answer", list(PARTS), selection_mode="multi", key="own-hidden")
        st.button(
            "Show the classroom this view", key="own-show", type="primary", on_click=_show, args=(room, page, kind, prompt)
        )
        if refused := st.session_state.pop(_REFUSED, None):
            st.error(refused)


def _subjects(kind: str, page: str) -> list[str]:
    return [key for key, one in (CHECKS if kind == "find" else CURVES).items() if one.page == page]


def _show(room: Membership, page: str, kind: str, prompt: str) -> None:
    """Show it, or say what is missing."""
    typed = {name: st.session_state.get(f"own-{name}") for name in ("options", "answer", "find", "draw", "argument", "hidden")}
    view = f"/{listed_page(page).path}?{link_query(current_settings(settings_of(page)))}"
    try:
        show_own(room, text_of_question(view, _KINDS[kind], prompt, typed), language())
    except ValueError as error:
        # The line of a text that the person has not written would help nobody.
        st.session_state[_REFUSED] = str(error)


def text_of_question(view: str, kind: str, prompt: str, typed: dict[str, object]) -> str:
    """A lesson of one step in the form of its files. Raises ValueError for answers of which not exactly one is right."""
    said = [line for line in prompt.splitlines() if not line.startswith("#")]
    lines = ["# Your teacher asks" if kind else "# Your teacher shows", "", "Aim: -", "", "## -", f"View: {view}"]
    if not kind:
        return "\n".join([*lines, "", *said])
    hidden = typed.get("hidden")
    if isinstance(hidden, list) and hidden:
        lines.append(f"Hide: {', '.join(map(str, hidden))}")
    lines += ["", f"Question: {kind}", *(said or ["?"])]
    readers = {"choice": _choice, "number": _number, "find": _find, "draw": _draw}
    return "\n".join([*lines, *readers[kind](typed)])


def _choice(typed: dict[str, object]) -> list[str]:
    options = [line.strip() for line in str(typed.get("options") or "").splitlines() if line.strip()]
    texts = [(option.lstrip("* "), option.startswith("*")) for option in options]
    if len(texts) < 2 or sum(right for _, right in texts) != 1:
        raise ValueError("A choice has two answers or more, each on a line, and a * before the right one.")
    (best,) = [text for text, right in texts if right]
    return [line for text, right in texts for line in (f"- [{'x' if right else ' '}] {text}", f"  It is: {best}")]


def _number(typed: dict[str, object]) -> list[str]:
    answer = str(typed.get("answer") or "").strip()
    if not answer:
        raise ValueError("Type the answer and how far one may be off, such as 30% ± 5%.")
    return [f"Answer: {answer}", *_replies((RIGHT, "That is it."), (TOO_LOW, "It is more."), (TOO_HIGH, "It is less."))]


def _find(typed: dict[str, object]) -> list[str]:
    key = str(typed.get("find") or "")
    return [
        _named("Check", key, typed),
        *_replies((RIGHT, "That is it."), *((one, "Not there.") for one in CHECKS[key].reasons)),
    ]


def _draw(typed: dict[str, object]) -> list[str]:
    replies = _replies(
        (CLOSE, "That is it, within {distance}."), (TOO_LOW, "Too low."), (TOO_HIGH, "Too high."),
        (OTHER_SHAPE, "Another shape."),
    )  # fmt: skip
    return [_named("Curve", str(typed.get("draw") or ""), typed), *replies]


def _named(word: str, key: str, typed: dict[str, object]) -> str:
    return f"{word}: {key} {str(typed.get('argument') or '').strip()}".rstrip()


def _replies(*sentences: tuple[str, str]) -> list[str]:
    return [f"{reason}: {sentence}" for reason, sentence in sentences]
