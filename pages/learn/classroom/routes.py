"""What browsers in a classroom ask for without a run of a page: whether something has changed, and the keeping of an answer.

Two hundred people who answer at once would otherwise have two hundred pages drawn.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.learn.classroom.membership import WORD
from pages.learn.classroom.shown import Shown
from pages.learn.classroom.store import classrooms
from pages.learn.curves import N_POINTS
from pages.settings.component import base_path

_WAITS: Final = 8.0
"""Seconds that a request waits for a change; short, so that a server that is to end need not wait long."""
_LOOKS_EVERY: Final = 0.2
_LONGEST_BODY: Final = 8000
_TYPED: Final = re.compile(r"[-+0-9.,%eE \u2212]{1,12}")
_LARGEST: Final = 1e9
_NO_STORE: Final = {"cache-control": "no-store"}
_looked: dict[tuple[Any, ...], tuple[float, Any]] = {}


def classroom_url(code: str, what: str) -> str:
    """The address of a classroom's route; `what` is "shown", "answer" or "answers"."""
    return f"{base_path()}/classroom-state/{code}/{what}"


def classroom_routes() -> list[Route]:
    """The routes of classrooms."""
    return [
        Route(classroom_url("{code}", "shown"), _shown),
        Route(classroom_url("{code}", "answer"), _answer, methods=["POST"]),
        Route(classroom_url("{code}", "answers"), _answers),
    ]


def _now_and_then(key: tuple[Any, ...], look: Callable[[], Any]) -> Any:
    """What `look` finds, looked up at most every fifth of a second for all who wait."""
    now = time.monotonic()
    known = _looked.get(key)
    if known is None or now - known[0] > _LOOKS_EVERY:
        if len(_looked) > 1000:
            _looked.clear()
        known = _looked[key] = (now, look())
    return known[1]


async def _changed(request: Request, look: Callable[[], Any], is_new: Callable[[Any], bool]) -> Any:
    """What `look` finds, as soon as it is new or _WAITS seconds are over."""
    until = time.monotonic() + _WAITS
    while True:
        found = look()
        if is_new(found) or time.monotonic() > until or await request.is_disconnected():
            return found
        await asyncio.sleep(_LOOKS_EVERY)


def _address(request: Request) -> str:
    """Where a request comes from, as runs of pages know it: empty for this machine."""
    host = request.client.host if request.client else ""
    return "" if host in ("127.0.0.1", "::1") else host


def _refused(reason: str, status: int) -> JSONResponse:
    return JSONResponse({"reason": reason}, status, headers=_NO_STORE)


def _state(there: tuple[int, Shown] | None) -> dict[str, Any]:
    if there is None:
        return {"version": -1, "ended": True}
    version, shown = there
    return {"version": version, "look": shown.look, "question": shown.question, "open": shown.takes_answers}


async def _guess(request: Request, member: str) -> JSONResponse | None:
    """The refusal of a request with an unknown code, or from an address with many wrong guesses; None for any other."""
    code = request.path_params["code"]
    if not classrooms().knows(code, member) and not classrooms().may_try(_address(request)):
        return _refused("tries", 429)
    if classrooms().shown(code) is None:
        await run_in_threadpool(classrooms().wrong_try, _address(request), code)
        return JSONResponse(_state(None), headers=_NO_STORE)
    return None


async def _shown(request: Request) -> JSONResponse:
    """The state of a classroom when it differs from version `since`; tells the classroom that `member` is there."""
    code, member = request.path_params["code"], request.query_params.get("member", "")
    if refused := await _guess(request, member):
        return refused
    if WORD.fullmatch(member):
        await run_in_threadpool(classrooms().seen, code, member)
    since = request.query_params.get("since", "")

    def look() -> Any:
        return _now_and_then(("shown", code), lambda: classrooms().shown(code))

    found = await _changed(request, look, lambda there: str(_state(there)["version"]) != since)
    return JSONResponse(_state(found), headers=_NO_STORE)


def _is_answer(shown: Shown, value: Any) -> bool:
    """Whether a value is an answer to the question of a classroom."""
    if shown.kind == "choice":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < shown.n_options
    if shown.kind == "number":
        return isinstance(value, str) and bool(_TYPED.fullmatch(value))
    if shown.kind == "draw":
        numbers = isinstance(value, list) and len(value) == N_POINTS
        return numbers and all(isinstance(one, int | float) and abs(one) < _LARGEST for one in value)
    return False


async def _answer(request: Request) -> JSONResponse:
    """Keep an answer, JSON with member, question and value. Another site cannot send JSON without asking first."""
    given = await _given(request)
    if given is None:
        return _refused("form", 400)
    member, question, value = given
    if refused := await _guess(request, member):
        return refused if refused.status_code != 200 else _refused("ended", 404)
    there = classrooms().shown(request.path_params["code"])
    if there is None or question != there[1].question:
        return _refused("closed", 409)
    if not _is_answer(there[1], value):
        return _refused("form", 400)
    return await run_in_threadpool(_keep, request.path_params["code"], question, member, value)


async def _given(request: Request) -> tuple[str, str, Any] | None:
    """The member, the question and the value that a request sends; None if it is not of that form."""
    is_json = request.headers.get("content-type", "").partition(";")[0] == "application/json"
    if not is_json or int(request.headers.get("content-length", _LONGEST_BODY + 1)) > _LONGEST_BODY:
        return None
    try:
        given = json.loads(await request.body())
        member, question, value = (given[key] for key in ("member", "question", "value"))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return (member, str(question), value) if isinstance(member, str) and WORD.fullmatch(member) else None


def _keep(code: str, question: str, member: str, value: Any) -> JSONResponse:
    if not classrooms().seen(code, member):
        return _refused("full", 503)
    if not classrooms().answer(code, question, member, value):
        return _refused("closed", 409)
    return JSONResponse({"kept": True}, headers=_NO_STORE)


async def _answers(request: Request) -> JSONResponse:
    """For the teacher, whose secret is in a header: all answers to `question`, as soon as their state differs from `since`."""
    code, question = request.path_params["code"], request.query_params.get("question", "")
    if not classrooms().is_teacher(code, request.headers.get("x-teacher", "")):
        return _refused("secret", 403)
    since = request.query_params.get("since", "")

    def look() -> tuple[str, int]:
        answers = _now_and_then(("answers", code, question), lambda: classrooms().state_of_answers(code, question))
        present = _now_and_then(("present", code), lambda: classrooms().n_present(code))
        version = _now_and_then(("shown", code), lambda: classrooms().shown(code))
        return " ".join(map(str, (*answers, present, _state(version)["version"]))), present

    stamp, present = await _changed(request, look, lambda state: state[0] != since)
    values = [given.value for given in await run_in_threadpool(classrooms().answers, code, question)]
    state = _state(classrooms().shown(code))
    return JSONResponse({"stamp": stamp, "present": present, "values": values, **state}, headers=_NO_STORE)
