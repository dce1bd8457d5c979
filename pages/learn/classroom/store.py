"""Classrooms on disk, in SQLite, and what each is shown: several processes share them, and a restart loses nothing.

What is kept of the user is a random word, and what they answered; both are deleted with the classroom. Its age is counted in
seconds since the machine's start, which no setting of the clock moves; what is over stays over.
"""

import hashlib
import hmac
import json
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from pages.learn.settings import CODE_LENGTH, CODE_LETTERS
from pages.work.limits import limit, pieces_folder
from qcore import InvalidInput
from qcore.base import check_owner

OWN_QUESTION = "asked"
"""The name of the lesson whose only step is a question or a view of the teacher's own."""


@dataclass(frozen=True)
class Shown:
    """What a classroom is shown.

    Attributes
    ----------
    lesson, language, step : the step of a lesson; no lesson (empty) as long as nothing is shown. The language is the teacher's.
    text : a question of the teacher's own, written as a lesson of one step; empty for a step of a lesson.
    kind : "choice", "number", "find" or "draw"; empty for a step without a question.
    n_options : of a choice.
    round : counts how often its question was asked: people answer anew after they have talked about it.
    is_open : whether answers are taken.
    is_revealed : whether what the step hides is shown to all.
    """

    lesson: str = ""
    language: str = ""
    step: int = 1
    text: str = ""
    kind: str = ""
    n_options: int = 0
    round: int = 1
    is_open: bool = True
    is_revealed: bool = False

    @property
    def place(self) -> str:
        """What is shown, whatever has been answered: the step of a lesson, or the text of one's own."""
        name = hashlib.sha256(self.text.encode()).hexdigest()[:8] if self.text else self.lesson
        return f"{name} {self.step}"

    @property
    def question(self) -> str:
        """The key under which answers are kept."""
        return f"{self.place} {self.round}"

    @property
    def look(self) -> str:
        """What a page that shows it depends on: it is drawn anew when this changes."""
        return f"{self.question} {self.language} {self.is_revealed}"

    @property
    def takes_answers(self) -> bool:
        """Whether answers to its question are taken."""
        return bool(self.kind) and self.is_open and not self.is_revealed

    def to_json(self) -> str:
        """The text that is stored."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Shown":
        """What was stored."""
        known = {one.name for one in fields(cls)}
        # Another version, which shares the folder, may keep more.
        return cls(**{name: value for name, value in json.loads(text).items() if name in known})


_LOGGER = logging.getLogger(__name__)
LASTS = 12 * 3600.0
"""Seconds after which a classroom ends by itself."""
EMPTY_LASTS = 900.0
"""Seconds after which a classroom ends in which nobody is and nothing was answered."""
_PRESENT = 30.0
_HOLDS_PLACE = 90.0
"""Seconds for which a place is kept for somebody who is not heard of: a browser asks for a hidden page once a minute."""
LONGEST_WORD = 64
"""Characters of the longest word, of the user or a teacher, that is looked up."""
_VERSION = 2
_TABLES = """
CREATE TABLE classrooms (code TEXT PRIMARY KEY, secret TEXT, begun REAL, used REAL, boot TEXT, clock REAL, version INTEGER,
  shown TEXT);
CREATE TABLE shown_before (code TEXT, place TEXT, shown TEXT, PRIMARY KEY (code, place));
CREATE TABLE members (code TEXT, member TEXT, seen REAL, PRIMARY KEY (code, member));
CREATE TABLE answers (code TEXT, question TEXT, member TEXT, value TEXT, time REAL, PRIMARY KEY (code, question, member));
CREATE TABLE ended (code TEXT PRIMARY KEY, time REAL);
"""
_NO_ANSWER = "NOT EXISTS (SELECT 1 FROM answers WHERE answers.code = classrooms.code)"
_IS_OVER = f"(begun < :now - {LASTS} OR (used < :now - {EMPTY_LASTS} AND {_NO_ANSWER}))"
_PASSING = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""Errors after which the file can still be read: on a full disk, one that is closed could not be opened again."""


@dataclass(frozen=True)
class Response:
    """An answer: to which question, by whom (a random word), its value as JSON has it, and when (seconds since 1970)."""

    question: str
    member: str
    value: Any
    time: float


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _now() -> float:
    """Seconds since the start of the machine, which all its processes count alike."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@cache
def _boot() -> str:
    """What tells this start of the machine from others; empty where it is not known."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


class Classrooms:
    """The classrooms in a file.

    Examples
    --------
    >>> import tempfile
    >>> rooms = Classrooms(Path(tempfile.mkdtemp()) / "classrooms.sqlite")
    >>> code, secret = rooms.begin()
    >>> rooms.is_teacher(code, secret), rooms.is_teacher(code, "guess")
    (True, False)
    >>> shown = Shown("counting", "en", 2, kind="number")
    >>> rooms.show(code, shown) == shown
    True
    >>> rooms.answer(code, shown.question, "somebody", 0.3)
    True
    >>> [given.value for given in rooms.answers(code, shown.question)]
    [0.3]
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._base: sqlite3.Connection | None = None
        # By whom each classroom was opened: not on disk, where nothing tells of the user.
        self._opened_by: dict[str, str] = {}

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """The one connection of this process, inside a transaction. Raises InvalidInput where the file cannot be used.

        A connection of its own for each question takes ten times as long. A file that somebody has removed is made again.
        """
        with self._lock:
            try:
                if self._base is None or not self._path.exists():
                    self._base = self._opened()
                with self._base:
                    yield self._base
            except (OSError, sqlite3.Error) as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _PASSING:
                    self._base = None
                # A visitor is not told where the folder lies; the log is.
                _LOGGER.warning("The folder of classrooms cannot be used: %s", error)
                reason = str(error) if isinstance(error, sqlite3.Error) else error.strerror or type(error).__name__
                hint = "QUANTIFICATION_LAB_PIECES names another folder."
                raise InvalidInput("the folder of classrooms", "be one that can be written", reason, hint) from error

    def _opened(self) -> sqlite3.Connection:
        check_owner(self._path.parent)
        # SQLite gives the files beside it the same rights.
        os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        self._path.chmod(0o600)
        base = sqlite3.connect(self._path, timeout=5.0, check_same_thread=False)
        # Those who read never wait for one who writes; what is deleted is overwritten.
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            base.execute(f"PRAGMA {setting}")
        with base:
            _make_tables(base)
            _count_from_this_start(base)
        return base

    def begin(self, address: str = "", language: str = "") -> tuple[str, str]:
        """Begin a classroom; returns (code, teacher's secret). Raises InvalidInput for too many, of all or of one address."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        secret, most = secrets.token_urlsafe(18), max(1, limit("CLASSROOMS") // 5)
        with self._connected() as base:
            _delete_old(base)
            there = {known for (known,) in base.execute("SELECT code FROM classrooms")}
            if len(there) >= limit("CLASSROOMS"):
                hint = "End one that is over, or wait: each ends by itself after 12 hours."
                rule = f"be at most {limit('CLASSROOMS')}"
                raise InvalidInput("the classrooms on this server", rule, str(len(there)), hint)
            self._opened_by = {known: opener for known, opener in self._opened_by.items() if known in there}
            if list(self._opened_by.values()).count(address) >= most:
                hint = "End one of them, or wait: one in which nobody is and nothing was answered ends after 15 minutes."
                raise InvalidInput("classrooms opened from one address", f"be at most {most} at once", str(most + 1), hint)
            row = (code, _hashed(secret), _now(), _now(), _boot(), time.time(), 0, Shown(language=language).to_json())
            base.execute("INSERT INTO classrooms VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._opened_by[code] = address
        return code, secret

    def shown(self, code: str) -> tuple[int, Shown] | None:
        """(version, what is shown) of a classroom; the version grows with each change. None if there is no such classroom."""
        with self._connected() as base:
            query = f"SELECT version, shown FROM classrooms WHERE code = :code AND NOT {_IS_OVER}"  # noqa: S608 - our own words
            row = base.execute(query, {"code": code, "now": _now()}).fetchone()
        return None if row is None else (row[0], Shown.from_json(row[1]))

    def is_teacher(self, code: str, secret: str) -> bool:
        """Whether that is the secret of a classroom; it takes the same time whether there is one of that code."""
        if len(secret) > LONGEST_WORD:
            return False
        hashed = _hashed(secret)
        with self._connected() as base:
            query = f"SELECT secret FROM classrooms WHERE code = :code AND NOT {_IS_OVER}"  # noqa: S608 - our own words
            (known,) = base.execute(query, {"code": code, "now": _now()}).fetchone() or (_hashed(""),)
        return bool(secret) and hmac.compare_digest(known, hashed)

    def note_teacher(self, code: str) -> None:
        """Note that the teacher is there."""
        with self._connected() as base:
            _note_use(base, code)

    def show(self, code: str, shown: Shown) -> Shown:
        """Show a step or a view: for the teacher. What was shown before comes back as it was left, with its answers."""
        with self._connected() as base:
            base.execute("BEGIN IMMEDIATE")
            row = base.execute("SELECT shown FROM shown_before WHERE code = ? AND place = ?", (code, shown.place)).fetchone()
            known = None if row is None else Shown.from_json(row[0])
            flags = {} if known is None else {name: getattr(known, name) for name in ("round", "is_open", "is_revealed")}
            now = replace(shown, **flags)
            _set_shown(base, code, now)
        return now

    def change(self, code: str, question: str, **flags: Any) -> Shown | None:
        """Change flags of what is shown, if that is still the question which the teacher has seen; returns what is shown."""
        with self._connected() as base:
            base.execute("BEGIN IMMEDIATE")
            row = base.execute("SELECT shown FROM classrooms WHERE code = ?", (code,)).fetchone()
            shown = None if row is None else Shown.from_json(row[0])
            if shown is not None and shown.question == question:
                shown = replace(shown, **flags)
                _set_shown(base, code, shown)
        return shown

    def end(self, code: str) -> None:
        """Delete a classroom with all that was answered."""
        with self._connected() as base:
            _delete(base, code)

    def delete_old(self) -> None:
        """Delete the classrooms whose time is over, with all that was answered."""
        if self._path.exists():
            with self._connected() as base:
                _delete_old(base)
            with self._connected() as base:
                # SQLite's write-ahead log may still hold what was deleted: empty it, or if it is being read, the next time.
                for statement in ("busy_timeout=0", "wal_checkpoint(TRUNCATE)", "busy_timeout=5000"):
                    base.execute(f"PRAGMA {statement}").fetchall()

    def answer(self, code: str, question: str, member: str, value: Any) -> bool:
        """Keep an answer in place of the member's earlier one; returns whether the question was still open for it."""
        with self._connected() as base:
            base.execute("BEGIN IMMEDIATE")
            row = base.execute("SELECT shown FROM classrooms WHERE code = ?", (code,)).fetchone()
            shown = None if row is None else Shown.from_json(row[0])
            if shown is None or not shown.takes_answers or shown.question != question:
                return False
            base.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)",
                (code, question, member, json.dumps(value), time.time()),
            )
        return True

    def answers(self, code: str, question: str | None = None) -> list[Response]:
        """The answers to a question, or to all, by time."""
        query = "SELECT question, member, value, time FROM answers WHERE code = ?"
        words = (code,) if question is None else (code, question)
        query += "" if question is None else " AND question = ?"
        with self._connected() as base:
            rows = base.execute(f"{query} ORDER BY time", words).fetchall()
        return [Response(asked, member, json.loads(value), at) for asked, member, value, at in rows]

    def answer_of(self, code: str, question: str, member: str) -> Any:
        """What a member has answered; None if nothing."""
        with self._connected() as base:
            query = "SELECT value FROM answers WHERE code = ? AND question = ? AND member = ?"
            row = base.execute(query, (code, question, member)).fetchone()
        return None if row is None else json.loads(row[0])

    def state_of_answers(self, code: str, question: str) -> tuple[int, float]:
        """How many answers there are, and when the last one came (0 if none did)."""
        with self._connected() as base:
            query = "SELECT COUNT(*), COALESCE(MAX(time), 0) FROM answers WHERE code = ? AND question = ?"
            number, last = base.execute(query, (code, question)).fetchone()
        return number, last

    def join(self, code: str) -> str:
        """Let somebody in; returns the word by which the classroom knows them from then on, empty if it is full."""
        member = secrets.token_urlsafe(12)
        with self._connected() as base:
            base.execute("BEGIN IMMEDIATE")
            if _n_members(base, code, _HOLDS_PLACE) >= limit("CLASSROOM_MEMBERS"):
                return ""
            base.execute("INSERT INTO members VALUES (?, ?, ?)", (code, member, _now()))
            _note_use(base, code)
        return member

    def seen(self, code: str, member: str) -> bool:
        """Note that a member is there; returns whether they have a place, which who was away may have lost to others."""
        now = _now()
        with self._connected() as base:
            base.execute("BEGIN IMMEDIATE")
            row = base.execute("SELECT seen FROM members WHERE code = ? AND member = ?", (code, member)).fetchone()
            if row is None:
                return False
            has_place = now - _HOLDS_PLACE < row[0] <= now
            if not has_place and _n_members(base, code, _HOLDS_PLACE) >= limit("CLASSROOM_MEMBERS"):
                return False
            base.execute("UPDATE members SET seen = ? WHERE code = ? AND member = ?", (now, code, member))
            _note_use(base, code)
        return True

    def knows(self, code: str, member: str) -> bool:
        """Whether a classroom has let in somebody of that word."""
        with self._connected() as base:
            query = "SELECT 1 FROM members JOIN classrooms USING (code) "
            query += f"WHERE code = :code AND member = :member AND NOT {_IS_OVER}"
            row = base.execute(query, {"code": code, "member": member, "now": _now()}).fetchone()
        return row is not None

    def has_ended(self, code: str) -> bool:
        """Whether there was a classroom of that code a short while ago."""
        with self._connected() as base:
            return base.execute("SELECT 1 FROM ended WHERE code = ?", (code,)).fetchone() is not None

    def shown_at(self, code: str, place: str) -> Shown | None:
        """What was shown at a place (`Shown.place`), with which the keys of its answers begin."""
        with self._connected() as base:
            query = "SELECT shown FROM shown_before WHERE code = ? AND place = ?"
            row = base.execute(query, (code, place)).fetchone()
        return None if row is None else Shown.from_json(row[0])

    def n_present(self, code: str) -> int:
        """How many members were there a moment ago."""
        with self._connected() as base:
            return _n_members(base, code, _PRESENT)


def _make_tables(base: sqlite3.Connection) -> None:
    """Make the tables of a new file, or in place of those of another version, whose classrooms end."""
    is_this = "PRAGMA user_version"
    if base.execute(is_this).fetchone()[0] == _VERSION:
        return
    base.execute("BEGIN IMMEDIATE")
    # Another process may have made them meanwhile.
    if base.execute(is_this).fetchone()[0] != _VERSION:
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            base.execute(f"DROP TABLE {name}")
        for statement in _TABLES.split(";"):
            base.execute(statement)
        base.execute(f"PRAGMA user_version = {_VERSION}")


def _count_from_this_start(base: sqlite3.Connection) -> None:
    """Give classrooms from before the machine was started anew the age that its clock says, but no lower one."""
    now = _now()
    base.execute(
        "UPDATE classrooms SET begun = ? - MAX(? - clock, used - begun), used = ?, boot = ? WHERE boot != ? OR begun > ?",
        (now, time.time(), now, _boot(), _boot(), now),
    )


def _set_shown(base: sqlite3.Connection, code: str, shown: Shown) -> None:
    base.execute("UPDATE classrooms SET shown = ?, version = version + 1 WHERE code = ?", (shown.to_json(), code))
    base.execute("INSERT OR REPLACE INTO shown_before VALUES (?, ?, ?)", (code, shown.place, shown.to_json()))


def _note_use(base: sqlite3.Connection, code: str) -> None:
    query = f"UPDATE classrooms SET used = :now WHERE code = :code AND NOT {_IS_OVER}"  # noqa: S608 - our own words
    base.execute(query, {"code": code, "now": _now()})


def _delete_old(base: sqlite3.Connection) -> None:
    for (old,) in base.execute(f"SELECT code FROM classrooms WHERE {_IS_OVER}", {"now": _now()}).fetchall():  # noqa: S608
        _delete(base, old)


def _delete(base: sqlite3.Connection, code: str) -> None:
    for table in ("classrooms", "shown_before", "members", "answers"):
        base.execute(f"DELETE FROM {table} WHERE code = ?", (code,))  # noqa: S608 - names of our own tables
    now = time.time()
    base.execute("DELETE FROM ended WHERE time < ?", (now - 2 * LASTS,))
    base.execute("INSERT OR REPLACE INTO ended VALUES (?, ?)", (code, now))


def _n_members(base: sqlite3.Connection, code: str, within: float) -> int:
    query = "SELECT COUNT(*) FROM members WHERE code = ? AND seen > ? AND seen <= ?"
    (number,) = base.execute(query, (code, _now() - within, _now())).fetchone()
    return int(number)


@cache
def classrooms() -> Classrooms:
    """The classrooms of this server, in the folder of pieces."""
    return Classrooms(pieces_folder() / "classrooms.sqlite")
