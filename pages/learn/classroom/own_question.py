"""A view of the teacher's own for the classroom, perhaps with a question: what is typed becomes a lesson of one step."""

from collections.abc import Mapping

import streamlit as st

from pages.frame.talk import link_of
from pages.learn.checks import CHECKS
from pages.learn.classroom.labels import CLASSROOM_LABELS, OWN_QUESTION_CHOICES, OWN_QUESTION_LABELS
from pages.learn.classroom.membership import Membership
from pages.learn.classroom.showing import show_own
from pages.learn.computed_numbers import COMPUTED_NUMBERS
from pages.learn.drawing import CURVES
from pages.learn.hidden import PARTS
from pages.learn.lesson import CLOSE, OTHER_SHAPE, RIGHT, TOO_HIGH, TOO_LOW
from pages.learn.lesson_file import EITHER_SIGN, NUMBER
from pages.learn.settings import language as language_code

NO_QUESTION = "no question"
_REFUSED = "why a question of one's own was not shown"
_FORM = "classroom-ask"
_KINDS = (NO_QUESTION, "choice", "number", "find", "draw")


def own_question(room: Membership, page: str) -> None:
    """Draw the popover in which a teacher shows the view in front of them to the classroom, with a question or without."""
    kinds = [kind for kind in _KINDS if kind not in ("find", "draw") or _subjects(kind, page)]
    labels, names = OWN_QUESTION_LABELS[language_code()], OWN_QUESTION_CHOICES[language_code()]

    def called(key: str) -> str:
        return names.get(key, key)

    with st.popover(CLASSROOM_LABELS[language_code()]["ask"], key=_FORM, on_change="rerun"):
        kind = st.segmented_control(
            labels["kind"], kinds, default=NO_QUESTION, required=True, key="own-kind", format_func=called
        )
        st.text_area(labels["prompt"], key="own-prompt", height=80, max_chars=600)
        if kind == "choice":
            st.text_area(labels["options"], key="own-options", height=110, max_chars=1500)
            # The hall sees what is typed here, but for what is right.
            st.text_input(labels["right"], key="own-right", type="password", width=220, max_chars=2)
        if kind == "number":
            st.text_input(labels["answer"], key="own-answer", type="password", placeholder="30% ± 5%", max_chars=60)
        if kind in ("find", "draw"):
            label = labels["check" if kind == "find" else "curve"]
            key = st.selectbox(label, _subjects(kind, page), key=f"own-{kind}", format_func=called)
            if argument := (CHECKS if kind == "find" else CURVES)[key].argument:
                st.text_input(labels["argument"].format(what=called(argument.what)), key="own-argument", max_chars=60)
        if kind != NO_QUESTION:
            st.pills(labels["hidden_parts"], list(PARTS), selection_mode="multi", key="own-hidden", format_func=called)
        st.button(labels["show"], key="own-show", type="primary", on_click=_show, args=(room, page))
        if refused := st.session_state.pop(_REFUSED, None):
            st.error(refused)


def _subjects(kind: str, page: str) -> list[str]:
    return [key for key, one in (CHECKS if kind == "find" else CURVES).items() if one.page == page]


def _show(room: Membership, page: str) -> None:
    """Show the classroom the view with the typed question; if something is missing, keep the reason for the popover."""
    names = ("kind", "prompt", "options", "right", "answer", "find", "draw", "argument", "hidden")
    typed = {name: st.session_state.get(f"own-{name}") for name in names}
    try:
        show_own(room, text_of_question(link_of(page), typed, language_code()), language_code())
    except ValueError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        # It would lie over the question in the hall.
        st.session_state[_FORM] = False


def text_of_question(view: str, typed: Mapping[str, object], language: str) -> str:
    """A lesson of one step in the form of its files. Raises ValueError for a question of which something is missing."""
    kind, labels = str(typed.get("kind") or NO_QUESTION), CLASSROOM_LABELS[language]
    said = [line for line in str(typed.get("prompt") or "").splitlines() if not line.startswith("#")]
    title = labels["shows" if kind == NO_QUESTION else "asks"]
    lines = [f"# {title}", "", "Aim: -", "", "## -", f"View: {view}"]
    if kind == NO_QUESTION:
        return "\n".join([*lines, "", *said])
    if not any(line.strip() for line in said):
        raise ValueError(OWN_QUESTION_LABELS[language]["no_text"])
    hidden = typed.get("hidden")
    if isinstance(hidden, list) and hidden:
        lines.append(f"Hide: {', '.join(map(str, hidden))}")
    lines += ["", f"Question: {kind}", *said]
    readers = {"choice": _choice, "number": _number, "find": _find, "draw": _draw}
    return "\n".join([*lines, *readers[kind](typed, {**labels, **OWN_QUESTION_LABELS[language]})])


def _choice(typed: Mapping[str, object], labels: Mapping[str, str]) -> list[str]:
    options = [line.strip() for line in str(typed.get("options") or "").splitlines() if line.strip()]
    # What was prepared in a file may mark the right one by a star.
    starred = [str(number) for number, option in enumerate(options, 1) if option.startswith("*")]
    right = str(typed.get("right") or "").strip() or ", ".join(starred)
    if len(options) < 2 or right not in map(str, range(1, len(options) + 1)):
        raise ValueError(labels["no_options"])
    texts = [option.removeprefix("*").strip() for option in options]
    why = f"  {labels['right_is'].format(answer=texts[int(right) - 1].rstrip('.'))}"
    marks = (f"- [{'x' if str(number) == right else ' '}] {text}" for number, text in enumerate(texts, 1))
    return [line for mark in marks for line in (mark, why)]


def _number(typed: Mapping[str, object], labels: Mapping[str, str]) -> list[str]:
    parts = EITHER_SIGN.split(str(typed.get("answer") or "").replace(",", ".").replace("\u2212", "-").strip())
    if len(parts) == 1 and (alone := NUMBER.fullmatch(parts[0])):
        # A number alone is meant to its last digit.
        decimals = len(alone[1].partition(".")[2])
        parts.append(f"{0.5 * 10.0**-decimals:.{decimals + 1}f}")
    if len(parts) != 2:
        raise ValueError(labels["no_answer"])
    if any(part.endswith("%") for part in parts):
        # In 30 ± 5%, both numbers are percentages.
        parts = [f"{part.removesuffix('%').strip()}%" for part in parts]
    computed = parts[0].removesuffix("%").partition(" ")[0] in COMPUTED_NUMBERS
    if not NUMBER.fullmatch(parts[1]) or not (computed or NUMBER.fullmatch(parts[0])):
        raise ValueError(labels["no_answer"])
    replies = _replies((RIGHT, labels["that"]), (TOO_LOW, labels["is_more"]), (TOO_HIGH, labels["is_less"]))
    return [f"Answer: {parts[0]} ± {parts[1]}", *replies]


def _find(typed: Mapping[str, object], labels: Mapping[str, str]) -> list[str]:
    key = str(typed.get("find") or "")
    wrong = ((reason, labels["not_there"]) for reason in CHECKS[key].reasons)
    return [_named("Check", key, typed), *_replies((RIGHT, labels["that"]), *wrong)]


def _draw(typed: Mapping[str, object], labels: Mapping[str, str]) -> list[str]:
    reasons = {CLOSE: "within", TOO_LOW: "curve_low", TOO_HIGH: "curve_high", OTHER_SHAPE: "curve_other"}
    replies = _replies(*((reason, labels[name]) for reason, name in reasons.items()))
    return [_named("Curve", str(typed.get("draw") or ""), typed), *replies]


def _named(word: str, key: str, typed: Mapping[str, object]) -> str:
    return f"{word}: {key} {str(typed.get('argument') or '').strip()}".rstrip()


def _replies(*sentences: tuple[str, str]) -> list[str]:
    return [f"{reason}: {sentence}" for reason, sentence in sentences]
