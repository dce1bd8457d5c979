"""Classrooms on disk, in SQLite: several processes share them, and a restart loses nothing.

What is kept of a person is a random word, and what they answered; both are deleted with the classroom.
"""

import hashlib
import hmac
import json
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from pages.learn.classroom.shown import Shown
from pages.learn.settings import CODE_LENGTH, CODE_LETTERS
from pages.work.limits import limit, pieces_folder
from qcore import InvalidInput
from qcore._base.stored_pieces import check_owner

_LOGGER: Final = logging.getLogger(__name__)
LASTS: Final = 12 * 3600.0
"""Seconds after which a classroom ends by itself."""
_WRONG_TRIES: Final = 300
"""Wrong codes that an address may name in ten minutes: enough for a class that mistypes, too few to guess a code."""
_TRIES_WITHIN: Final = 600.0
_MOST_BEGUN: Final = 20
_PRESENT: Final = 30.0
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS classrooms (code TEXT PRIMARY KEY, secret TEXT, begun REAL, version INTEGER, shown TEXT);
CREATE TABLE IF NOT EXISTS shown_before (code TEXT, place TEXT, shown TEXT, PRIMARY KEY (code, place));
CREATE TABLE IF NOT EXISTS members (code TEXT, member TEXT, seen REAL, PRIMARY KEY (code, member));
CREATE TABLE IF NOT EXISTS answers (code TEXT, question TEXT, member TEXT, value TEXT, time REAL,
  PRIMARY KEY (code, question, member));
CREATE TABLE IF NOT EXISTS tries (address TEXT, time REAL);
CREATE TABLE IF NOT EXISTS ended (code TEXT PRIMARY KEY, time REAL);
"""


@dataclass(frozen=True)
class Given:
    """An answer: to which question, by whom (a random word), its value as JSON has it, and when (seconds since 1970)."""

    question: str
    member: str
    value: Any
    time: float


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


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
                self._base = None
                # A visitor is not told where the folder lies; the log is.
                _LOGGER.warning("The folder of classrooms cannot be used: %s", error)
                reason = getattr(error, "strerror", "") or type(error).__name__
                way_out = "QUANTIFICATION_LAB_PIECES names another folder."
                raise InvalidInput("the folder of classrooms", "be one that can be written", reason, way_out) from error

    def _opened(self) -> sqlite3.Connection:
        check_owner(self._path.parent)
        base = sqlite3.connect(self._path, timeout=5.0, check_same_thread=False)
        # Those who read never wait for one who writes; what is deleted is overwritten.
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            base.execute(f"PRAGMA {setting}")
        base.executescript(_TABLES)
        return base

    def begin(self, address: str = "", language: str = "") -> tuple[str, str]:
        """Begin a classroom; returns (code, teacher's secret). Raises InvalidInput for too many, of all or of one address."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        secret = secrets.token_urlsafe(18)
        with self._connected() as base:
            _delete_old(base)
            _note_begun(base, address)
            (number,) = base.execute("SELECT COUNT(*) FROM classrooms").fetchone()
            if number >= limit("CLASSROOMS"):
                way_out = "End one that is over, or wait: each ends by itself after 12 hours."
                raise InvalidInput("the classrooms on this server", f"be at most {limit('CLASSROOMS')}", str(number), way_out)
            row = (code, _hashed(secret), time.time(), 0, Shown(language=language).to_json())
            base.execute("INSERT INTO classrooms VALUES (?, ?, ?, ?, ?)", row)
        return code, secret

    def shown(self, code: str) -> tuple[int, Shown] | None:
        """(version, what is shown) of a classroom; the version grows with each change. None if there is no such classroom."""
        with self._connected() as base:
            row = base.execute("SELECT version, shown, begun FROM classrooms WHERE code = ?", (code,)).fetchone()
            if row is not None and row[2] < time.time() - LASTS:
                _delete_old(base)
                return None
        return None if row is None else (row[0], Shown.from_json(row[1]))

    def is_teacher(self, code: str, secret: str) -> bool:
        """Whether that is the secret of a classroom."""
        with self._connected() as base:
            query = "SELECT secret FROM classrooms WHERE code = ? AND begun > ?"
            row = base.execute(query, (code, time.time() - LASTS)).fetchone()
        return row is not None and hmac.compare_digest(row[0], _hashed(secret))

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

    def answers(self, code: str, question: str | None = None) -> list[Given]:
        """The answers to a question, or to all, by time."""
        query = "SELECT question, member, value, time FROM answers WHERE code = ?"
        words = (code,) if question is None else (code, question)
        query += "" if question is None else " AND question = ?"
        with self._connected() as base:
            rows = base.execute(f"{query} ORDER BY time", words).fetchall()
        return [Given(asked, member, json.loads(value), at) for asked, member, value, at in rows]

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

    def seen(self, code: str, member: str) -> bool:
        """Note that a member is present; returns whether there is room for them."""
        with self._connected() as base:
            known = base.execute("SELECT 1 FROM members WHERE code = ? AND member = ?", (code, member)).fetchone()
            if known is None and _n_members(base, code, time.time() - 10 * _PRESENT) >= limit("CLASSROOM_MEMBERS"):
                return False
            base.execute("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", (code, member, time.time()))
        return True

    def knows(self, code: str, member: str) -> bool:
        """Whether a member has been in the classroom: they are let in even if their address has guessed too often."""
        with self._connected() as base:
            row = base.execute("SELECT 1 FROM members WHERE code = ? AND member = ?", (code, member)).fetchone()
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
            return _n_members(base, code, time.time() - _PRESENT)

    def may_try(self, address: str) -> bool:
        """Whether an address may name a code: not after many wrong ones, which would be guesses."""
        since = time.time() - _TRIES_WITHIN
        with self._connected() as base:
            (number,) = base.execute("SELECT COUNT(*) FROM tries WHERE address = ? AND time > ?", (address, since)).fetchone()
        return bool(number < _WRONG_TRIES)

    def wrong_try(self, address: str, code: str) -> None:
        """Note that an address has named an unknown code; the code of a classroom that has ended does not count."""
        now = time.time()
        with self._connected() as base:
            if base.execute("SELECT 1 FROM ended WHERE code = ?", (code,)).fetchone():
                return
            base.execute("DELETE FROM tries WHERE time < ?", (now - _TRIES_WITHIN,))
            base.execute("INSERT INTO tries VALUES (?, ?)", (address, now))


def _set_shown(base: sqlite3.Connection, code: str, shown: Shown) -> None:
    base.execute("UPDATE classrooms SET shown = ?, version = version + 1 WHERE code = ?", (shown.to_json(), code))
    base.execute("INSERT OR REPLACE INTO shown_before VALUES (?, ?, ?)", (code, shown.place, shown.to_json()))


def _note_begun(base: sqlite3.Connection, address: str) -> None:
    """Note that an address begins a classroom. Raises InvalidInput if it has begun many: others want some, too."""
    now, name = time.time(), f"begun by {address}"
    query = "SELECT COUNT(*) FROM tries WHERE address = ? AND time > ?"
    (number,) = base.execute(query, (name, now - _TRIES_WITHIN)).fetchone()
    if number >= _MOST_BEGUN:
        raise InvalidInput(
            "classrooms opened from one address", f"be at most {_MOST_BEGUN} in ten minutes", str(number + 1), "Wait a little."
        )
    base.execute("INSERT INTO tries VALUES (?, ?)", (name, now))


def _delete_old(base: sqlite3.Connection) -> None:
    for (old,) in base.execute("SELECT code FROM classrooms WHERE begun < ?", (time.time() - LASTS,)).fetchall():
        _delete(base, old)


def _delete(base: sqlite3.Connection, code: str) -> None:
    for table in ("classrooms", "shown_before", "members", "answers"):
        base.execute(f"DELETE FROM {table} WHERE code = ?", (code,))  # noqa: S608 - names of our own tables
    now = time.time()
    base.execute("DELETE FROM ended WHERE time < ?", (now - 2 * LASTS,))
    base.execute("INSERT OR REPLACE INTO ended VALUES (?, ?)", (code, now))


def _n_members(base: sqlite3.Connection, code: str, since: float) -> int:
    (number,) = base.execute("SELECT COUNT(*) FROM members WHERE code = ? AND seen > ?", (code, since)).fetchone()
    return int(number)


@cache
def classrooms() -> Classrooms:
    """The classrooms of this server, in the folder of pieces."""
    return Classrooms(pieces_folder() / "classrooms.sqlite")
