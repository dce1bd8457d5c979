"""Hostile visitors of classrooms: invented members, guesses, pages of other sites, rooms taken, a full disk, a wrong clock."""

import asyncio
import contextlib
import resource
import sqlite3
import stat
import time
from collections import Counter

import pytest

from pages.learn.classroom import entrance, membership, store
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import TEACHER_COOKIE
from pages.learn.classroom.routes import classroom_url, teachers_path
from pages.learn.classroom.store import EMPTY_LASTS, LASTS, Classrooms, classrooms
from pages.work.by_address import Rate
from pages.work.limits import LIMITS
from qcore import InvalidInput
from tests.pages.app import components, fine, run, warnings
from tests.pages.learn.test_classroom import CHOICE, LEARN, answered, as_who, ask, asked, open_room, rooms
from tests.pages.server import run_asynchronously
from tests.thorough import mostly_thorough

__all__ = ["as_who", "open_room", "rooms"]
ATTACKER = "192.0.2.1"
KINDS = ("shown", "answer", "answers", "keep")
ANSWER = {"member": "invented", "question": CHOICE.question, "value": 1, "role": "member", "word": "invented"}


def all_at_once(requests):
    """Statuses and JSON of requests of which none waits for another."""
    found = []

    async def work():
        found.extend(await asyncio.gather(*requests))

    run_asynchronously(work())
    return [one[:2] for one in found]


@pytest.fixture
def led(rooms):
    """Code and secret of a classroom that is asked a question."""
    code, secret = rooms.begin()
    rooms.show(code, CHOICE)
    return code, secret


class TestMembers:
    def test_510_invented_members_take_no_place(self, rooms, led):
        code, _ = led
        names = [{"member": f"invented-{number:04}", "since": "x"} for number in range(510)]
        found = all_at_once([ask(classroom_url(code, "shown"), name, host=ATTACKER) for name in names])
        assert not [state for _, state in found if "question" in state]
        assert rooms.n_present(code) == 0
        assert answered(code, 1, member=rooms.join(code), host=ATTACKER) == (200, {"kept": True})

    def test_one_client_casts_one_vote(self, rooms, led):
        code, _ = led
        votes = [{**ANSWER, "member": f"invented-{number:04}"} for number in range(100)]
        found = all_at_once([ask(classroom_url(code, "answer"), vote, host=ATTACKER) for vote in votes])
        assert Counter(status for status, _ in found) == {404: 100}
        member = rooms.join(code)
        assert all_at_once([ask(classroom_url(code, "answer"), {**ANSWER, "member": member}) for _ in range(100)])
        assert len(rooms.answers(code)) == 1

    def test_a_word_of_one_classroom_is_none_of_another(self, rooms, led):
        other, _ = rooms.begin("192.0.2.7")
        assert answered(led[0], 1, member=rooms.join(other))[0] == 404

    def test_one_address_leaves_places_for_others_in_a_classroom(self, open_room, monkeypatch):
        code, _ = open_room
        newcomers = Rate(2, 3600, "newcomers")
        monkeypatch.setattr(membership, "_newcomers", lambda: newcomers)
        for _ in range(2):
            assert components(fine(run(LEARN, classroom=code)), "classroom_member")
        refused = run(LEARN, classroom=code)
        assert warnings(refused) == CLASSROOM_LABELS["en"]["crowd"]
        assert classrooms().n_present(code) == 2

    def test_a_lecture_room_of_300_behind_one_address_comes_in_at_once(self, rooms, led):
        newcomers = membership._newcomers.__wrapped__()
        assert all(newcomers.takes(f"{ATTACKER} {led[0]}") and rooms.join(led[0]) for _ in range(300))
        assert newcomers.n < LIMITS["CLASSROOM_MEMBERS"].default

    def test_a_place_is_held_by_those_who_are_there(self, rooms, led, monkeypatch):
        monkeypatch.setattr(store, "limit", {"CLASSROOMS": 50, "CLASSROOM_MEMBERS": 2}.__getitem__)
        code, now = led[0], store._now()
        stays, goes = rooms.join(code), rooms.join(code)
        assert not rooms.join(code)
        monkeypatch.setattr(store, "_now", lambda: now + 60)
        assert rooms.seen(code, stays)
        monkeypatch.setattr(store, "_now", lambda: now + 100)
        assert rooms.join(code)
        assert [rooms.seen(code, one) for one in (stays, goes)] == [True, False]
        assert answered(code, 1, member=goes) == (503, {"reason": "full"})

    def test_who_finds_it_full_is_told_so_at_the_door(self, open_room, monkeypatch):
        monkeypatch.setattr(store, "limit", {"CLASSROOMS": 50, "CLASSROOM_MEMBERS": 0}.__getitem__)
        assert warnings(run(LEARN, classroom=open_room[0])) == CLASSROOM_LABELS["en"]["full"]


class TestPagesOfOtherSites:
    def test_pictures_are_refused_and_count_as_no_guess(self, rooms, led):
        code, _ = led
        for what in KINDS:
            assert asked(classroom_url(code, what), method="GET", host=ATTACKER)[0] == 405
        for number in range(320):
            refused = asked(classroom_url(f"AAAA{number:04}", KINDS[number % 4]), ANSWER, own=False, host=ATTACKER)
            assert refused == (403, {"reason": "site"})
        assert membership.WRONG.takes(ATTACKER)
        assert answered(code, 1, member=rooms.join(code), host=ATTACKER)[0] == 200

    def test_who_joins_with_a_right_code_is_not_locked_out(self, open_room, monkeypatch):
        code, _ = open_room
        wrong, waited = Rate(1, 600, "wrong"), []
        monkeypatch.setattr(membership, "WRONG", wrong)
        monkeypatch.setattr(membership.time, "sleep", waited.append)
        said = [warnings(run(LEARN, classroom="AAAAAAAA")) for _ in range(2)]
        english = CLASSROOM_LABELS["en"]
        assert said == [english["no_classroom"].format(code="AAAAAAAA"), english["tries"]]
        assert waited.count(membership._SLOWED) == 1, "each further wrong code takes longer"
        assert components(fine(run(LEARN, classroom=code)), "classroom_member")
        assert waited.count(membership._SLOWED) == 1


class TestGuessing:
    @pytest.mark.parametrize("what", mostly_thorough(KINDS, 1))
    def test_of_1500_words_at_once_300_are_answered_and_members_always(self, rooms, led, what):
        addresses = [f"2001:db8::{number + 1:x}" for number in range(1500)]
        guesses = [ask(classroom_url(f"AAAA{n:04}", what), ANSWER, host=one) for n, one in enumerate(addresses)]
        found = Counter(status for status, _ in all_at_once(guesses))
        assert found.pop(429) == 1200
        assert sum(found.values()) == 300, "one /64 is one address"
        code, secret = led
        member = rooms.join(code)
        assert asked(classroom_url(code, "shown"), {"member": member, "since": "x"}, host=addresses[0])[0] == 200
        assert asked(classroom_url(code, "answers"), {"since": "x"}, host=addresses[0], x_teacher=secret)[0] == 200
        assert asked(classroom_url("AAAAAAAA", what), ANSWER, host="2001:db8:0:1::1")[0] != 429

    @pytest.mark.parametrize("what", KINDS)
    def test_a_classroom_looks_like_none_to_those_whom_it_does_not_know(self, led, what):
        assert asked(classroom_url(led[0], what), ANSWER) == asked(classroom_url("AAAAAAAA", what), ANSWER)

    def test_a_secret_is_hashed_before_the_code_is_looked_up_and_a_long_one_never(self, rooms, led, monkeypatch):
        hashed, known = [], store._hashed
        monkeypatch.setattr(store, "_hashed", lambda secret: hashed.append(secret) or known(secret))
        for code in (led[0], "AAAAAAAA"):
            assert not rooms.is_teacher(code, "guess")
            assert hashed[0] == "guess"
            hashed.clear()
            assert asked(classroom_url(code, "answers"), x_teacher="x" * 3_000_000) == (403, {"reason": "secret"})
            assert hashed == []
        assert not rooms.is_teacher("AAAAAAAA", "")

    def test_a_code_has_so_many_letters_that_trying_does_not_find_it(self):
        a_thousand_a_second = 1000 * LASTS
        assert a_thousand_a_second / len(store.CODE_LETTERS) ** store.CODE_LENGTH < 1e-4


class TestRoomsThatAreTaken:
    def test_three_addresses_do_not_take_all_and_empty_ones_go(self, rooms, monkeypatch):
        taken = []
        for number in range(60):
            with contextlib.suppress(InvalidInput):
                taken.append(rooms.begin(f"192.0.2.{number % 3}"))
        assert len(taken) == 30
        with pytest.raises(InvalidInput, match="one address must be at most 10 at once"):
            rooms.begin("192.0.2.0")
        others, _ = rooms.begin("198.51.100.7")
        (answers, _), (visited, _), (taught, _), (empty, secret) = taken[:4]
        rooms.show(answers, CHOICE)
        rooms.answer(answers, CHOICE.question, "somebody", 1)
        member, now = rooms.join(visited), store._now()
        monkeypatch.setattr(store, "_now", lambda: now + EMPTY_LASTS - 1)
        rooms.seen(visited, member)
        rooms.note_teacher(taught)
        monkeypatch.setattr(store, "_now", lambda: now + EMPTY_LASTS + 1)
        assert [rooms.shown(one) is not None for one in (answers, visited, taught, empty, others)] == [True] * 3 + [False] * 2
        rooms.note_teacher(empty)
        assert not rooms.is_teacher(empty, secret), "what is over stays over"
        rooms.begin("192.0.2.0")
        assert rooms.has_ended(empty)
        assert not rooms.has_ended(answers)

    def test_one_64_of_ipv6_addresses_is_one_address(self, monkeypatch):
        asked = []

        def begin(_rooms, address, _language):
            asked.append(address)
            raise InvalidInput("classrooms", "be few", "many", "Wait.")

        monkeypatch.setattr(Classrooms, "begin", begin)
        for number in (1, 2):
            monkeypatch.setattr(entrance, "visitor", lambda number=number: f"2001:db8::{number}")
            app = run(LEARN).button(key="classroom-begin").click().run()
            assert "must be few" in warnings(app)
        assert asked == ["2001:db8::/64"] * 2


class TestTheTeachersLink:
    def test_a_cookie_that_no_script_reads_is_set_by_a_post_of_our_own(self, rooms, led):
        code, secret = led
        for role, word in (("teacher", secret), ("member", rooms.join(code))):
            status, _, headers = _one(ask(classroom_url(code, "keep"), {"role": role, "word": word}, origin="https://lab"))
            cookie = headers[b"set-cookie"].decode()
            assert status == 200
            assert f"{code}.{word}" in cookie
            assert all(word in cookie for word in ("HttpOnly", "Secure", "SameSite=lax", f"Max-Age={LASTS:.0f}"))
            assert b"set-cookie" not in _one(ask(classroom_url(code, "keep"), {"role": role, "word": "guess"}))[2]
        forgets = _one(ask(classroom_url(code, "keep"), {"role": "teacher", "word": ""}))[2][b"set-cookie"].decode()
        assert f'{TEACHER_COOKIE}=""; HttpOnly; Max-Age=0' in forgets

    def test_the_secret_is_in_a_part_that_no_server_is_sent_and_in_no_script(self, open_room, as_who):
        code, secret = open_room
        before, _, after = teachers_path(code, secret).partition("#")
        assert secret not in before
        assert after == f"teacher={code}.{secret}"
        as_who(code, secret)
        teacher = run(LEARN, classroom=code)
        assert fine(teacher)
        assert components(teacher, "classroom_leaving")[0]["to"] == "/learn", "a way to leave on a computer of others"

    def test_a_former_link_gives_no_rights_and_leaves_the_address(self, open_room):
        code, secret = open_room
        app = run(LEARN, teacher=f"{code}.{secret}")
        assert warnings(app) == CLASSROOM_LABELS["en"]["no_teachers_link"]
        assert not components(app, "classroom_teacher")
        assert "teacher" not in app.query_params


def _one(request):
    found = []

    async def work():
        found.append(await request)

    run_asynchronously(work())
    return found[0]


@contextlib.contextmanager
def full_disk(rooms):
    """No file grows: what SQLite appends to its log fails, as on a disk without room."""
    log = rooms._path.with_name(f"{rooms._path.name}-wal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class TestFaults:
    def test_on_a_full_disk_people_read_and_all_else_says_one_sentence(self, rooms, led):
        code, secret = led
        member = rooms.join(code)
        with full_disk(rooms):
            shown = asked(classroom_url(code, "shown"), {"member": member, "since": "x"})
            answers = asked(classroom_url(code, "answers"), {"since": "x", "question": CHOICE.question}, x_teacher=secret)
            answer = answered(code, 1, member=member)
            said = []
            for write in (rooms.begin, lambda: rooms.change(code, CHOICE.question, is_open=False), lambda: rooms.end(code)):
                with pytest.raises(InvalidInput) as refused:
                    write()
                said.append(str(refused.value))
        assert (shown[0], shown[1]["question"]) == (200, CHOICE.question)
        assert (answers[0], answers[1]["values"]) == (200, [])
        assert answer == (507, {"reason": "store", "said": said[0]})
        assert len(set(said)) == 1
        assert "QUANTIFICATION_LAB_PIECES names another folder" in said[0]
        assert answered(code, 1, member=member)[0] == 200

    def test_a_teacher_who_closes_is_told_so_in_place_of_an_error(self, open_room, as_who, monkeypatch):
        code, secret = open_room
        classrooms().show(code, CHOICE)
        as_who(code, secret)
        teacher = fine(run("home", classroom=code))

        def full(*_args, **_flags):
            raise InvalidInput("the folder of classrooms", "be one that can be written", "full", "Way out.")

        with monkeypatch.context() as patch:
            for name in ("change", "show"):
                patch.setattr(Classrooms, name, full)
            teacher.button(key="classroom-close").click().run()
            assert "must be one that can be written" in warnings(fine(teacher))
            teacher.session_state["step"] = 2
            assert "must be one that can be written" in warnings(fine(teacher.run()))

    def test_a_database_that_is_locked_does_not_stop_the_event_loop(self, rooms, led):
        code, _ = led
        member, reads, found = rooms.join(code), rooms.join(code), []
        other = sqlite3.connect(rooms._path, check_same_thread=False)

        async def work():
            other.execute("BEGIN IMMEDIATE")
            try:
                answering = asyncio.create_task(ask(classroom_url(code, "answer"), {**ANSWER, "member": member}))
                while not rooms._lock.locked() and not answering.done():
                    await asyncio.sleep(0.001)
                # A request that comes meanwhile waits in a thread: the loop goes on, and ends the lock that both wait for.
                reading = asyncio.create_task(ask(classroom_url(code, "shown"), {"member": reads, "since": "x"}))
                started = time.monotonic()
                for _ in range(20):
                    await asyncio.sleep(0.005)
                found.append(time.monotonic() - started)
            finally:
                other.rollback()
            found.extend([(await answering)[0], (await reading)[0]])

        run_asynchronously(work())
        # A stopped loop would go on when SQLite has given up, after five seconds.
        assert found[1:] == [200, 200]
        assert found[0] < 4

    def test_the_files_are_readable_by_their_owner_alone_in_any_folder(self, tmp_path):
        tmp_path.chmod(0o755)
        for name in ("new.sqlite", "there.sqlite"):
            if name == "there.sqlite":
                (tmp_path / name).touch(0o644)
            made = Classrooms(tmp_path / name)
            made.begin()
            files = list(tmp_path.glob(f"{name}*"))
            assert len(files) == 3
            assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}

    def test_a_clock_that_jumps_deletes_nothing(self, rooms, led, monkeypatch):
        code, _ = led
        rooms.answer(code, CHOICE.question, "somebody", 1)
        monkeypatch.setattr(store.time, "time", lambda real=time.time: real() + 13 * 3600)
        rooms.delete_old()
        assert rooms.shown(code) == (1, CHOICE)
        assert len(rooms.answers(code)) == 1

    def test_after_a_restart_of_the_machine_the_clock_says_the_age_and_nothing_gets_younger(self, rooms, led, monkeypatch):
        code, _ = led
        rooms.answer(code, CHOICE.question, "somebody", 1)
        now, clock = store._now(), time.time()

        def restarted(later, n_seconds_up):
            monkeypatch.setattr(store, "_boot", lambda: f"boot {later}")
            monkeypatch.setattr(store, "_now", lambda: n_seconds_up)
            monkeypatch.setattr(store.time, "time", lambda: clock + later)
            return Classrooms(rooms._path)

        monkeypatch.setattr(store, "_now", lambda: now + LASTS - 60)
        rooms.note_teacher(code)
        after = restarted(-3600, 5.0)
        assert after.shown(code) is not None
        monkeypatch.setattr(store, "_now", lambda: 5.0 + 61)
        assert after.shown(code) is None, "a clock that is set back gives no new time"
        after.delete_old()
        assert restarted(-7200, 5.0).shown(code) is None, "what is deleted does not come back"
        assert after.answers(code) == []

    def test_another_versions_classrooms_end_with_the_update(self, tmp_path):
        former = sqlite3.connect(tmp_path / "classrooms.sqlite")
        former.execute("CREATE TABLE answers (code TEXT, value TEXT)")
        former.execute("CREATE TABLE tries (address TEXT, time REAL)")
        former.commit()
        former.close()
        made = Classrooms(tmp_path / "classrooms.sqlite")
        code, _ = made.begin()
        tables = {name for (name,) in made._base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert tables == {"answers", "classrooms", "ended", "members", "shown_before"}
        assert made.answers(code) == []
