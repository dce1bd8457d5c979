"""The line above the strip of the user in a classroom: its code, who is there, and for the teacher the ways to lead it."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.frame.downloads import safe_csv
from pages.frame.share import qr_code
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import CODE_KEY, Membership, follow_teacher
from pages.learn.classroom.own_question import own_question
from pages.learn.classroom.routes import ASKING_JS, classroom_url, teachers_path
from pages.learn.classroom.showing import place_shown, written
from pages.learn.classroom.store import classrooms
from pages.learn.place import LessonStep, leave_room, rejoin
from pages.learn.settings import ENGLISH, language
from pages.settings.component import base_path, component
from pages.work.reach import address_for_others, address_here

_FOLDER = Path(__file__).parent
CSS = (_FOLDER / "classroom.css").read_text()
"""How the parts of a classroom look."""
LISTENING_JS = ASKING_JS + (_FOLDER / "bar.js").read_text()
"""The script that asks a server again and again for what has changed, and tells it who a reloaded page was."""
PLAIN_TEXT_JS = (_FOLDER / "plain_text.js").read_text()
"""The script that takes the marks out of a text in Markdown."""
_MEMBER_HTML = '<div class="classroom-member"><strong></strong><span role="status"></span></div>'
_TEACHER_HTML = (
    '<div class="classroom-teacher"><strong></strong><button type="button"></button>'
    "<dialog><h2></h2><img><p></p><small></small><button></button></dialog></div>"
)
_LEAVING_HTML = '<div class="classroom-teacher"><button type="button"></button><span role="status"></span></div>'
_member = component("classroom_member", _MEMBER_HTML, CSS, js=LISTENING_JS + (_FOLDER / "member.js").read_text())
_teacher = component("classroom_teacher", _TEACHER_HTML, CSS, js=LISTENING_JS + (_FOLDER / "teacher.js").read_text())
_leaving = component("classroom_leaving", _LEAVING_HTML, CSS, js=ASKING_JS + (_FOLDER / "leaving.js").read_text())


def classroom_bar(room: Membership, here: LessonStep | None, page: str) -> None:
    """Draw the line above the strip, for the teacher or for a member."""
    labels = CLASSROOM_LABELS[language() if here is None else here.lesson.language]
    with st.container(key="classroom", horizontal=True, vertical_alignment="center", gap="small"):
        if room.is_teacher:
            _teachers_bar(room, page, labels)
        else:
            _members_bar(room, labels)


def _members_bar(room: Membership, labels: Mapping[str, str]) -> None:
    data = {
        "code": room.code,
        "member": room.member,
        "url": classroom_url(room.code, "shown"),
        "version": room.version,
        "look": room.shown.look,
        "follows": room.follows,
        "keep": {"url": classroom_url(room.code, "keep"), "role": "member", "word": room.member},
        "labels": {name: labels[name] for name in ("classroom", "lost")},
    }
    _member(key="classroom-member", data=data, on_changed_change=lambda: None, height="content")
    key = "classroom-follow"
    st.session_state[key] = room.follows

    def switched() -> None:
        follow_teacher(bool(st.session_state[key]))
        rejoin()

    st.toggle(labels["follow"], key=key, on_change=switched)
    st.button(labels["leave_classroom"], key="classroom-leave", on_click=leave_room, type="tertiary")


def _teachers_bar(room: Membership, page: str, labels: Mapping[str, str]) -> None:
    in_language = "" if language() == ENGLISH else f"&language={language()}"
    for_others = address_for_others()
    address = f"{for_others or address_here()}/learn?{CODE_KEY}={room.code}{in_language}"
    data = {
        "code": room.code,
        "link": address.partition("://")[2],
        "picture": f"data:image/png;base64,{base64.b64encode(qr_code(address)).decode()}",
        "note": "" if for_others else labels["here_only"],
        "keep": {"url": classroom_url(room.code, "keep"), "role": "teacher", "word": room.secret},
        "labels": {name: labels[name] for name in ("classroom", "show_code", "hide_code")},
    }
    _teacher(key="classroom-teacher", data=data, height="content")
    if page != "learn":
        own_question(room, page)
    with st.popover(labels["more"], key="classroom-more"):
        st.download_button(
            labels["as_csv"],
            lambda: safe_csv(answers_table(room.code)),
            f"classroom-{room.code}.csv",
            "text/csv",
            key="classroom-csv",
            on_click="ignore",
        )
        st.caption(labels["own_link_is"])
        if st.toggle(labels["own_link"], key="classroom-own-link"):
            own = f"{for_others or address_here()}{teachers_path(room.code, room.secret)}"
            st.code(own, language=None, wrap_lines=True)
        st.caption(labels["leave_device_is"])
        leaving = {"url": classroom_url(room.code, "keep"), "to": f"{base_path()}/learn"}
        leaving |= {"label": labels["leave_device"], "failed": labels["failed_leaving"]}
        _leaving(key="classroom-leaving", data=leaving, height="content")
        st.caption(labels["end_is"])
        if st.toggle(labels["end"], key="classroom-end"):
            n_answers = len(classrooms().answers(room.code))
            st.button(labels["really_end"].format(n=n_answers), key="classroom-really-end", on_click=_end, args=(room,))


def _end(room: Membership) -> None:
    if written(classrooms().end, room.code):
        leave_room()


def answers_table(code: str) -> pd.DataFrame:
    """What was answered in a classroom: people as numbers in the order of their first answers, the time in UTC."""
    given = classrooms().answers(code)
    people = {member: number for number, member in enumerate(dict.fromkeys(one.member for one in given), 1)}
    asked = {key: _asked(code, key) for key in dict.fromkeys(one.question for one in given)}
    rows = [(*asked[one.question][:4], people[one.member], _written(one.value, asked[one.question][4])) for one in given]
    table = pd.DataFrame(rows, columns=["lesson", "step", "round", "question", "person", "answer"])
    table.insert(0, "time", pd.to_datetime([one.time for one in given], unit="s").strftime("%Y-%m-%d %H:%M:%S"))
    return table


def _asked(code: str, key: str) -> tuple[str, str, str, str, Sequence[str]]:
    """(lesson, step, round, question, options) of the key of a question."""
    place, _, times = key.rpartition(" ")
    shown = classrooms().shown_at(code, place)
    there = None if shown is None else place_shown(shown)
    name, _, step = place.rpartition(" ")
    if there is None:
        return name, step, times, "", ()
    lesson, number = there
    question = lesson.steps[number - 1].question
    if question is None:
        return lesson.title, step, times, "", ()
    return lesson.title, step, times, question.prompt, [option.text for option in question.options]


def _written(value: object, options: Sequence[str]) -> str:
    if isinstance(value, list):
        return " ".join(f"{float(one):.4g}" for one in value)
    if isinstance(value, dict):
        return f"{value['value']} ({'right' if value['right'] else 'not right'})"
    if isinstance(value, int):
        return options[value] if value < len(options) else str(value + 1)
    return str(value)
