"""Classrooms: what is stored, what browsers ask, who has a teacher's rights, and the pages of a teacher and a member."""

import asyncio
import json
import re
import threading
from dataclasses import replace

import pytest
import streamlit as st
from starlette.applications import Starlette
from streamlit.util import calc_hash

from pages.learn.checks import CHECKS
from pages.learn.classroom import membership, own_question, routes, store
from pages.learn.classroom.bar import answers_table
from pages.learn.classroom.labels import CLASSROOM_LABELS, OWN_QUESTION_CHOICES, OWN_QUESTION_LABELS
from pages.learn.classroom.membership import MEMBER_COOKIE, TEACHER_COOKIE
from pages.learn.classroom.own_question import text_of_question
from pages.learn.classroom.routes import classroom_routes, classroom_url
from pages.learn.classroom.showing import place_shown
from pages.learn.classroom.store import LASTS, OWN_QUESTION, Classrooms, Shown, classrooms
from pages.learn.drawing import CURVES, N_POINTS
from pages.learn.hidden import PARTS
from pages.learn.lesson_file import lesson_of_text
from pages.learn.settings import CLASSROOM
from pages.listed import PAGES
from pages.server import start
from pages.work.by_address import Rate
from qcore import InvalidInput
from tests.pages.app import components, fine, run, words
from tests.pages.server import run_asynchronously

CHOICE = Shown("counting", "en", 1, kind="choice", n_options=3)
LEARN = "learn"


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    made = Classrooms(tmp_path / "classrooms.sqlite")
    for module in (store, routes):
        monkeypatch.setattr(module, "classrooms", lambda: made)
    monkeypatch.setattr(routes, "_looked", {})
    monkeypatch.setattr(membership, "WRONG", Rate(300, 600, "wrong"))
    return made


@pytest.fixture
def open_room(monkeypatch, request):
    """Code and secret of an open classroom of the app."""
    # An AppTest comes from no address.
    monkeypatch.setattr(membership, "visitor", lambda: "")
    code, secret = classrooms().begin(request.node.nodeid)
    yield code, secret
    classrooms().end(code)


@pytest.fixture
def as_who(monkeypatch):
    """Gives the browser the cookie of a member or of the teacher of a classroom."""

    def give(code, word, cookie=TEACHER_COOKIE):
        monkeypatch.setattr(type(st.context), "cookies", {cookie: f"{code}.{word}"})

    return give


OWN = {"x_classroom": "1", "content_type": "application/json"}


async def ask(path, given=None, method="POST", body=None, host="127.0.0.1", *, own=True, **headers):
    """Status, JSON and headers of the answer to a request, which has the header of our own pages unless `own` is false."""
    sent, body = [], json.dumps(given or {}).encode() if body is None else body

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    headers = {"content-length": str(len(body)), **(OWN if own else {}), **headers}
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"", "root_path": "", "scheme": "http",
        "server": ("localhost", 80), "client": (host, 1), "http_version": "1.1",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    await Starlette(routes=classroom_routes())(scope, receive, send)
    is_json = sent[0]["status"] != 405 and sent[1]["body"].startswith(b"{")
    return sent[0]["status"], json.loads(sent[1]["body"]) if is_json else None, dict(sent[0]["headers"])


def asked(path, given=None, **how):
    """Status and JSON of the answer to a request."""
    found = []

    async def work():
        found.append(await ask(path, given, **how))

    # A thread of its own: browser tests of this process have a loop of events running.
    thread = threading.Thread(target=lambda: run_asynchronously(work()))
    thread.start()
    thread.join(20)
    return found[0][:2]


def answered(code, value, *, member, question=CHOICE.question, **more):
    return asked(classroom_url(code, "answer"), {"member": member, "question": question, "value": value}, **more)


class TestTheStore:
    def test_a_restart_loses_nothing(self, rooms, tmp_path):
        code, secret = rooms.begin()
        rooms.show(code, CHOICE)
        rooms.answer(code, CHOICE.question, "somebody", 2)
        again = Classrooms(tmp_path / "classrooms.sqlite")
        assert again.shown(code) == (1, CHOICE)
        assert again.is_teacher(code, secret)
        assert again.answer_of(code, CHOICE.question, "somebody") == 2

    def test_secrets_are_not_stored(self, rooms, tmp_path):
        _, secret = rooms.begin()
        assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())

    def test_an_answer_counts_once_and_in_time(self, rooms):
        code, _ = rooms.begin()
        rooms.show(code, CHOICE)
        assert rooms.answer(code, CHOICE.question, "a", 0)
        assert rooms.answer(code, CHOICE.question, "a", 1)
        assert [given.value for given in rooms.answers(code, CHOICE.question)] == [1]
        rooms.change(code, CHOICE.question, is_open=False)
        assert not rooms.answer(code, CHOICE.question, "a", 2)
        again = rooms.change(code, CHOICE.question, is_open=True, round=2)
        assert not rooms.answer(code, CHOICE.question, "a", 2), "the former round is over"
        assert rooms.answer(code, again.question, "a", 2)
        rooms.change(code, again.question, is_revealed=True)
        assert not rooms.answer(code, again.question, "b", 2), "who has seen what is right answers no more"

    def test_the_end_deletes_all(self, rooms):
        code, secret = rooms.begin()
        rooms.show(code, CHOICE)
        rooms.answer(code, CHOICE.question, "a", 0)
        rooms.end(code)
        assert rooms.shown(code) is None
        assert rooms.answers(code) == []
        assert not rooms.is_teacher(code, secret)

    def test_it_ends_by_itself(self, rooms, monkeypatch):
        code, _ = rooms.begin()
        later = store._now() + LASTS + 1
        monkeypatch.setattr(store, "_now", lambda: later)
        assert rooms.shown(code) is None
        rooms.begin()
        monkeypatch.undo()
        assert rooms.shown(code) is None, "deleted, and not only hidden"

    def test_a_classroom_that_nobody_asks_for_is_deleted_with_its_answers(self, rooms, monkeypatch, tmp_path):
        store.Classrooms(tmp_path / "none.sqlite").delete_old()
        assert not (tmp_path / "none.sqlite").exists()
        old, _ = rooms.begin()
        rooms.show(old, CHOICE)
        assert rooms.answer(old, CHOICE.question, "a", "left behind")
        rooms.delete_old()
        assert len(rooms.answers(old)) == 1
        written = [tmp_path / f"classrooms.sqlite{end}" for end in ("", "-wal")]
        assert any(b"left behind" in file.read_bytes() for file in written)
        later = store._now() + LASTS + 1
        monkeypatch.setattr(store, "_now", lambda: later)
        rooms.delete_old()
        assert rooms.answers(old) == []
        assert not any(b"left behind" in file.read_bytes() for file in written), "overwritten, and not only unlinked"

    def test_the_server_deletes_them(self, monkeypatch):
        called = []

        def tidy():
            called.append(1)
            if len(called) == 2:
                raise PermissionError("the folder of another user")

        async def run_for_a_while():
            task = asyncio.create_task(start._now_and_then(tidy))
            while len(called) < 4:
                await asyncio.sleep(0.001)
            task.cancel()

        monkeypatch.setattr(start, "_TIDY_EVERY", 0.001)
        run_asynchronously(asyncio.wait_for(run_for_a_while(), 10.0))

    def test_a_step_comes_back_as_it_was_left(self, rooms):
        code, _ = rooms.begin()
        rooms.show(code, CHOICE)
        rooms.change(code, CHOICE.question, round=2, is_open=False, is_revealed=True)
        rooms.show(code, replace(CHOICE, step=2))
        assert rooms.show(code, CHOICE) == replace(CHOICE, round=2, is_open=False, is_revealed=True)

    def test_a_button_of_another_step_changes_nothing(self, rooms):
        code, _ = rooms.begin()
        rooms.show(code, replace(CHOICE, step=2))
        rooms.change(code, CHOICE.question, is_revealed=True)
        assert rooms.shown(code)[1] == replace(CHOICE, step=2)

    def test_a_file_that_is_removed_is_made_again(self, rooms, tmp_path):
        rooms.begin()
        for path in tmp_path.iterdir():
            path.unlink()
        code, _ = rooms.begin()
        assert rooms.shown(code) is not None

    def test_a_folder_that_cannot_be_used_is_one_sentence(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(InvalidInput, match="QUANTIFICATION_LAB_PIECES"):
            Classrooms(tmp_path / "file" / "classrooms.sqlite").begin()

    def test_another_version_may_keep_more(self):
        text = json.dumps({**json.loads(CHOICE.to_json()), "colour": "red"})
        assert Shown.from_json(text) == CHOICE

    def test_there_are_not_too_many(self, rooms, monkeypatch):
        monkeypatch.setattr(store, "limit", {"CLASSROOMS": 2, "CLASSROOM_MEMBERS": 2}.__getitem__)
        code, _ = rooms.begin()
        rooms.begin("192.0.2.1")
        with pytest.raises(InvalidInput, match="at most 2, got 2"):
            rooms.begin("192.0.2.2")
        first, second = rooms.join(code), rooms.join(code)
        assert not rooms.join(code)
        assert [rooms.seen(code, one) for one in (first, second, "invented")] == [True, True, False]
        assert rooms.n_present(code) == 2


class TestWhatBrowsersAsk:
    def test_a_change_is_told_at_once(self, rooms, monkeypatch):
        code, _ = rooms.begin()
        member = rooms.join(code)
        monkeypatch.setattr(routes, "_WAITS", 1e6)
        threading.Timer(0.3, rooms.show, (code, CHOICE)).start()
        status, state = asked(classroom_url(code, "shown"), {"since": 0, "member": member})
        assert (status, state) == (200, {"version": 1, "look": CHOICE.look, "question": CHOICE.question, "open": True})
        assert rooms.n_present(code) == 1

    def test_without_a_change_it_answers_after_a_while(self, rooms, monkeypatch):
        monkeypatch.setattr(routes, "_WAITS", 0.3)
        code, _ = rooms.begin()
        assert asked(classroom_url(code, "shown"), {"since": 0, "member": rooms.join(code)})[1]["version"] == 0

    def test_an_answer_is_kept(self, rooms):
        code, secret = rooms.begin()
        rooms.show(code, CHOICE)
        assert answered(code, 2, member=rooms.join(code)) == (200, {"kept": True})
        status, found = asked(classroom_url(code, "answers"), {"question": CHOICE.question, "since": ""}, x_teacher=secret)
        assert (status, found["values"], found["present"]) == (200, [2], 1)

    @pytest.mark.parametrize(
        ("shown", "value"),
        [
            (CHOICE, 3), (CHOICE, -1), (CHOICE, True), (CHOICE, "1"), (CHOICE, None), (CHOICE, [1]),
            (replace(CHOICE, kind="number"), 3), (replace(CHOICE, kind="number"), ""),
            (replace(CHOICE, kind="number"), "many"), (replace(CHOICE, kind="number"), "inf"),
            (replace(CHOICE, kind="number"), "\ud800"),
            (replace(CHOICE, kind="draw"), [10**400] * N_POINTS), (replace(CHOICE, kind="draw"), [float("nan")] * N_POINTS),
            (replace(CHOICE, kind="number"), "1" * 13),
            (replace(CHOICE, kind="draw"), [0.5] * (N_POINTS - 1)), (replace(CHOICE, kind="draw"), ["0.5"] * N_POINTS),
            (replace(CHOICE, kind="find"), {"value": 1, "right": True}),
        ],
    )  # fmt: skip
    def test_what_is_no_answer_is_refused(self, rooms, shown, value):
        code, _ = rooms.begin()
        rooms.show(code, shown)
        assert answered(code, value, member=rooms.join(code), question=shown.question) == (400, {"reason": "form"})
        assert rooms.answers(code) == []

    def test_a_drawing_and_a_number_are_answers(self, rooms):
        code, _ = rooms.begin()
        for kind, value in (("draw", [0.5] * N_POINTS), ("number", "12,5 %")):
            shown = replace(CHOICE, kind=kind)
            rooms.show(code, shown)
            assert answered(code, value, member=rooms.join(code), question=shown.question)[0] == 200

    def test_other_requests_are_refused(self, rooms):
        code, _ = rooms.begin()
        rooms.show(code, CHOICE)
        member = rooms.join(code)
        assert answered(code, 1, member=member, content_type="text/plain")[0] == 400
        assert answered(code, 1, member=["a", "list"])[0] == 404
        assert answered(code, 1, member=member, question="counting 2 1") == (409, {"reason": "closed"})
        for body in (b"{" * 100, b" " * 9000, b"[]", b"{}"):
            assert asked(classroom_url(code, "answer"), body=body)[0] == 400
        assert asked(classroom_url(code, "answers"), x_teacher="guess") == (403, {"reason": "secret"})

    def test_who_was_in_a_classroom_that_ended_has_guessed_nothing(self, rooms):
        code, _ = rooms.begin()
        rooms.end(code)
        for _ in range(400):
            assert asked(classroom_url(code, "shown")) == (200, {"version": -1, "ended": True})


VIEW = "/corrections?threshold=0.4"
TYPED = {
    "choice": {"options": "more\nless", "right": "2"},
    "number": {"answer": "30% ± 5%"},
    "find": {"find": next(key for key, one in CHECKS.items() if one.page == "corrections" and one.argument is None)},
    "draw": {"draw": "scatter-by-threshold"},
}


class TestOwnQuestions:
    @pytest.mark.parametrize("kind", TYPED)
    def test_what_is_typed_is_a_question(self, kind):
        typed = {**TYPED[kind], "kind": kind, "prompt": "Which?", "hidden": ["headline"]}
        lesson = lesson_of_text(OWN_QUESTION, "en", text_of_question(VIEW, typed, "es"))
        (step,) = lesson.steps
        assert step.question.kind == kind
        assert step.question.prompt == "Which?"
        assert step.hidden == ("headline",)
        assert step.view.settings == {"threshold": 0.4}
        shown = Shown(OWN_QUESTION, "en", 1, text_of_question(VIEW, typed, "es"))
        assert place_shown(shown)[0].steps[0].question.kind == kind

    def test_the_form_speaks_the_language_of_the_classroom(self):
        english, spanish = (OWN_QUESTION_LABELS[language] for language in ("en", "es"))
        assert english.keys() == spanish.keys()
        assert not english.keys() & CLASSROOM_LABELS["en"].keys()
        about = {one.argument.what for one in (*CHECKS.values(), *CURVES.values()) if one.argument}
        assert OWN_QUESTION_CHOICES["es"].keys() == {*own_question._KINDS, *PARTS, *CHECKS, *CURVES, *about}
        assert OWN_QUESTION_CHOICES["en"].keys() == {*CHECKS, *CURVES}
        with pytest.raises(ValueError, match="Una elección tiene dos respuestas"):
            text_of_question(VIEW, {"kind": "choice", "prompt": "¿Cuál?", "options": "una"}, "es")

    def test_a_view_alone(self):
        lesson = lesson_of_text(OWN_QUESTION, "en", text_of_question(VIEW, {"prompt": "Look.\n## no heading"}, "en"))
        assert lesson.steps[0].text == "Look."
        assert lesson.steps[0].question is None

    @pytest.mark.parametrize(
        ("kind", "typed"),
        [
            ("choice", {"options": "one"}),
            ("choice", {"options": "a\nb"}),
            ("choice", {"options": "a\nb", "right": "3"}),
            ("number", {}),
            ("number", {"answer": "x"}),
        ],
    )
    def test_what_is_missing_is_said(self, kind, typed):
        with pytest.raises(ValueError, match=r"\w"):
            lesson_of_text(OWN_QUESTION, "en", text_of_question(VIEW, {"kind": kind, "prompt": "Which?", **typed}, "en"))

    @pytest.mark.parametrize("answer", ["30 ± 5%", "30% +- 5", "30 % ± 5 %", "30,0% ± 5,0%"])
    def test_a_share_is_a_share_by_both_numbers(self, answer):
        text = text_of_question(VIEW, {"kind": "number", "prompt": "?", "answer": answer}, "en")
        question = lesson_of_text(OWN_QUESTION, "en", text).steps[0].question
        assert (question.answer, question.tolerance, question.is_share) == (0.3, 0.05, True)

    @pytest.mark.parametrize(("answer", "right"), [("40%", (0.4, 0.005)), ("3,14", (3.14, 0.005)), ("12", (12.0, 0.5))])
    def test_a_number_alone_is_meant_to_its_last_digit(self, answer, right):
        text = text_of_question(VIEW, {"kind": "number", "prompt": "?", "answer": answer}, "en")
        question = lesson_of_text(OWN_QUESTION, "en", text).steps[0].question
        assert (question.answer, question.tolerance) == pytest.approx(right)

    def test_what_is_right_is_told_apart_from_the_answers_or_by_a_star(self):
        typed = {"kind": "choice", "prompt": "Which?"}
        told = text_of_question(VIEW, {**typed, "options": "0.9\n0.8", "right": "1"}, "en")
        assert told == text_of_question(VIEW, {**typed, "options": "* 0.9\n0.8"}, "en")
        right, wrong = lesson_of_text(OWN_QUESTION, "en", told).steps[0].question.options
        assert (right.is_right, wrong.is_right) == (True, False)
        assert right.why == wrong.why == "The answer is 0.9."

    def test_a_text_of_another_version_shows_nothing(self):
        assert place_shown(Shown(OWN_QUESTION, "en", 1, "# What?")) is None


class TestPages:
    def test_a_member_sees_what_is_shown(self, open_room):
        code, _ = open_room
        member = fine(run(LEARN, classroom=code))
        assert "Your teacher shows nothing yet" in words(member)
        classrooms().show(code, CHOICE)
        member = fine(run("home", classroom=code.lower()))
        (bar,) = components(member, "classroom_member")
        assert (bar["code"], bar["version"], bar["follows"]) == (code, 1, True)
        (question,) = components(member, "member_question")
        assert question["options"][2] == "More than 10."
        assert question["post"]["open"]
        classrooms().answer(code, CHOICE.question, question["post"]["member"], 2)
        classrooms().show(code, CHOICE)
        classrooms().change(code, CHOICE.question, is_revealed=True)
        assert "Right." in " ".join(one.value for one in fine(member.run()).success)

    def test_a_person_who_comes_in_reads_the_language_of_the_teacher(self, open_room):
        code, _ = classrooms().begin(language="es")
        member = fine(run(LEARN, classroom=code))
        assert "Tu docente" in words(member)
        assert member.session_state["language"] == "Español"
        assert "Your teacher" in words(fine(run(LEARN, classroom=code, language="en")))

    def test_a_fraction_is_refused_before_it_is_sent_where_a_percentage_is_asked_for(self, open_room):
        code, _ = open_room
        classrooms().show(code, Shown("counting", "en", 2, kind="number"))
        (question,) = components(fine(run("home", classroom=code)), "member_question")
        assert re.search(question["unit"], "0.4 %")
        classrooms().show(code, Shown("small-samples", "en", 1, kind="number"))
        (question,) = components(fine(run("test_size", classroom=code)), "member_question")
        assert question["unit"] == "", "an answer in points"

    def test_a_fraction_is_refused_also_by_those_whom_the_teacher_leads_on(self, open_room):
        code, _ = open_room
        classrooms().show(code, CHOICE)
        member = fine(run("home", classroom=code))
        classrooms().show(code, Shown("counting", "en", 2, kind="number"))
        (question,) = components(fine(member.run()), "member_question")
        assert question["unit"], "the page of the step before has computed nothing for this one"

    def test_who_has_sent_a_fraction_is_told_what_is_right_when_all_are(self, open_room):
        code, _ = open_room
        asked = classrooms().show(code, Shown("counting", "en", 2, kind="number"))
        member = fine(run("home", classroom=code))
        (question,) = components(member, "member_question")
        classrooms().answer(code, asked.question, question["post"]["member"], "0.34")
        classrooms().change(code, asked.question, is_revealed=True)
        said = " ".join(one.value for one in fine(member.run()).info)
        assert "The box wants percent" in said
        assert "The answer is 10%." in said, "no more precise than the question"

    @pytest.mark.parametrize("is_teacher", [True, False])
    def test_what_is_right_is_said_also_after_a_reload(self, open_room, as_who, is_teacher):
        code, secret = open_room
        member = classrooms().join(code)
        asked = classrooms().show(code, Shown("counting", "en", 4, kind="find"))
        wrong = {"value": 0.2, "right": False, "reason": "Too low", "told": {"truth": "20%", "count": "47%"}}
        classrooms().answer(code, asked.question, member, wrong)
        classrooms().change(code, asked.question, is_revealed=True)
        as_who(code, *((secret, TEACHER_COOKIE) if is_teacher else (member, MEMBER_COOKIE)))
        app = fine(run("home", classroom=code))
        assert bool(app.warning) != is_teacher
        assert "At 39%" in " ".join(one.value for one in app.info)

    def test_who_has_not_answered_is_shown_what_is_right(self, open_room):
        code, _ = open_room
        classrooms().show(code, CHOICE)
        classrooms().change(code, CHOICE.question, is_revealed=True)
        member = fine(run("home", classroom=code))
        assert "Shown." in " ".join(one.value for one in member.info)

    def test_a_cookie_gives_a_teachers_rights(self, open_room, as_who):
        code, secret = open_room
        as_who(code, secret)
        teacher = fine(run(LEARN, classroom=code))
        assert components(teacher, "classroom_teacher")
        teacher.session_state["lesson"] = "counting"
        teacher.session_state["step"] = 2
        fine(teacher.run())
        version, shown = classrooms().shown(code)
        assert (shown.lesson, shown.step) == ("counting", 2)
        assert version == 1

    def test_a_second_device_of_the_teacher_finds_what_is_shown(self, open_room, as_who):
        code, secret = open_room
        as_who(code, secret)
        classrooms().show(code, CHOICE)
        revealed = classrooms().change(code, CHOICE.question, round=2, is_open=False, is_revealed=True)
        other = fine(run(LEARN, classroom=code))
        assert classrooms().shown(code)[1] == revealed, "to come in changes nothing"
        assert other.session_state["lesson"] == "counting"
        # An AppTest stays on the page that it began with; a browser says which one it is on.
        other._page_hash = calc_hash(PAGES["home"].path)
        # The first device goes on; the second one follows at its next run.
        classrooms().show(code, replace(CHOICE, step=3))
        fine(other.run())
        assert other.session_state["step"] == 3
        assert classrooms().shown(code)[1].step == 3
        other.session_state["step"] = 4
        fine(other.run())
        assert classrooms().shown(code)[1].step == 4

    def test_the_end_of_a_lesson_is_not_the_end_of_the_classroom(self, open_room, as_who):
        code, secret = open_room
        as_who(code, secret)
        teacher = run("home", classroom=code, lesson="counting", step="7")
        (end,) = [one for one in teacher.button if one.label == "End of the lesson"]
        end.click().run()
        assert teacher.session_state["classroom"] == code
        assert classrooms().shown(code)[1].lesson == ""

    def test_who_goes_their_own_way_is_not_led_by_a_question_of_the_teachers(self, open_room):
        code, _ = open_room
        member = fine(run(LEARN, classroom=code))
        member.toggle(key="classroom-follow").set_value(False).run()
        text = text_of_question(VIEW, {"prompt": "Look."}, "en")
        classrooms().show(code, Shown(OWN_QUESTION, "en", 1, text))
        fine(member.run())
        assert "You go your own way" in words(member)
        assert "Look." not in words(member)

    def test_what_a_teacher_has_answered_alone_is_not_on_the_projector(self, open_room, as_who):
        code, secret = open_room
        as_who(code, secret)
        teacher = fine(run("home", lesson="counting", step="1"))
        (show,) = [one for one in teacher.button if one.label == "Show me"]
        show.click().run()
        assert teacher.info
        teacher.query_params["classroom"] = code
        fine(teacher.run())
        assert "It says 47" not in " ".join(one.value for one in [*teacher.info, *teacher.success])

    def test_a_member_gets_no_secret(self, open_room):
        code, secret = open_room
        classrooms().show(code, CHOICE)
        member = run("home", classroom=code)
        sent = [(one.proto.bytes or one.proto.json.encode()).decode() for one in member.get("bidi_component")]
        assert code in "".join(sent)
        assert secret not in "".join(sent)

    def test_a_link_to_no_classroom_is_explained_in_the_language_of_the_browser(self, monkeypatch):
        monkeypatch.setattr(membership, "visitor", lambda: "")
        monkeypatch.setattr(type(st.context), "locale", "es-ES")
        said = [run(LEARN, **way).warning[0].value for way in ({"classroom": "AAAAAAAA"}, {"teacher": "AAAAAAAA.guess"})]
        assert said[0] == CLASSROOM_LABELS["es"]["no_classroom"].format(code="AAAAAAAA")
        assert said[1] == CLASSROOM_LABELS["es"]["no_teachers_link"]
        english = run(LEARN, classroom="AAAAAAAA", language="en").warning[0].value
        assert english == CLASSROOM_LABELS["en"]["no_classroom"].format(code="AAAAAAAA")

    def test_a_code_that_is_none_is_explained(self):
        app = fine(run(LEARN, classroom="what"))
        assert "is not the code of a classroom" in " ".join(one.value for one in app.warning)


def test_the_table_of_answers_names_nobody(open_room):
    code, _ = open_room
    classrooms().show(code, CHOICE)
    for member, value in (("first", 0), ("second", 2)):
        classrooms().answer(code, CHOICE.question, member, value)
    table = answers_table(code)
    assert table.person.tolist() == [1, 2]
    assert table.answer.tolist() == ["Fewer than 10.", "More than 10."]
    assert set(table.lesson) == {"Counting goes wrong"}
    assert table.question[0].startswith("The classifier counts")


def test_codes_are_read_as_people_write_them():
    assert CLASSROOM.parse(["k7mq 2xbd"]) == "K7MQ2XBD"


def test_both_languages_have_the_same_words():
    english, spanish = CLASSROOM_LABELS["en"], CLASSROOM_LABELS["es"]
    assert english.keys() == spanish.keys()
