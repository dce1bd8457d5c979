"""What browsers in a classroom ask for without a run of a page: whether something has changed, and the keeping of an answer.

Two hundred people who answer at once would otherwise have two hundred pages drawn.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable
from math import isfinite
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.learn.classroom.shown import Shown
from pages.learn.classroom.store import classrooms
from pages.learn.curves import N_POINTS
from pages.settings.component import base_path

_WAITS: Final = 8.0
"""Seconds that a request waits for a change; short, so that a server that is to end need not wait long."""
_LOOKS_EVERY: Final = 0.2
_LONGEST_BODY: Final = 8000
_WORD: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
_NO_STORE: Final = {"cache-control": "no-store"}
_looked: dict[tuple[Any, ...], tuple[float, Any]] = {}


def classroom_url(code: str, what: str) -> str:
    """Where a browser asks."""
    return f"{base_path()}/classroom-state/{code}/{what}"


def classroom_routes() -> list[Route]:
    """The routes of classrooms."""
    return [
        Route(classroom_url("{code}", "shown"), _shown),
        Route(classroom_url("{code}", "answer"), _answer, methods=["POST"]),
        Route(classroom_url("{code}", "answers"), _answers),
    ]


def _once(key: tuple[Any, ...], look: Callable[[], Any]) -> Any:
    """What `look` finds, looked up at most every fifth of a second for all who wait."""
    now = time.monotonic()
    known = _looked.get(key)
    if known is None or now - known[0] > _LOOKS_EVERY:
        if len(_looked) > 1000:
            _looked.clear()
        known = _looked[key] = (now, look())
    return known[1]


async def _changed(request: Request, look: Callable[[], Any], is_new: Callable[[Any], bool]) -> Any:
    """What `look` finds when it is new, or after a while."""
    until = time.monotonic() + _WAITS
    while True:
        found = look()
        if is_new(found) or time.monotonic() > until or await request.is_disconnected():
            return found
        await asyncio.sleep(_LOOKS_EVERY)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _refused(reason: str, status: int) -> JSONResponse:
    return JSONResponse({"reason": reason}, status, headers=_NO_STORE)


def _state(there: tuple[int, Shown] | None) -> dict[str, Any]:
    if there is None:
        return {"version": -1, "ended": True}
    version, shown = there
    return {"version": version, "page": shown.page, "question": shown.question, "open": shown.takes_answers}


async def _shown(request: Request) -> JSONResponse:
    """The state of a classroom when it differs from version `since`; tells the classroom that `member` is there."""
    code, member = request.path_params["code"], request.query_params.get("member", "")
    if not classrooms().may_try(_address(request)):
        return _refused("tries", 429)
    if classrooms().shown(code) is None:
        classrooms().wrong_try(_address(request), code)
    elif _WORD.fullmatch(member):
        await run_in_threadpool(classrooms().seen, code, member)
    since = request.query_params.get("since", "")

    def look() -> Any:
        return _once(("shown", code), lambda: classrooms().shown(code))

    found = await _changed(request, look, lambda there: str(_state(there)["version"]) != since)
    return JSONResponse(_state(found), headers=_NO_STORE)


def _is_answer(shown: Shown, value: Any) -> bool:
    """Whether a value is an answer to the question of a classroom."""
    if shown.kind == "choice":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < shown.n_options
    if shown.kind == "number":
        return isinstance(value, str) and 0 < len(value.strip()) <= 12
    if shown.kind == "draw":
        numbers = isinstance(value, list) and len(value) == N_POINTS
        return numbers and all(isinstance(one, int | float) and isfinite(one) for one in value)
    return False


async def _answer(request: Request) -> JSONResponse:
    """Keep an answer, JSON with member, question and value. Another site cannot send JSON without asking first."""
    code, address = request.path_params["code"], _address(request)
    given = await _given(request)
    if given is None:
        return _refused("form", 400)
    if not classrooms().may_try(address):
        return _refused("tries", 429)
    there = classrooms().shown(code)
    if there is None:
        classrooms().wrong_try(address, code)
        return _refused("ended", 404)
    member, question, value = given
    if not _is_answer(there[1], value):
        return _refused("form", 400)
    return await run_in_threadpool(_keep, code, question, member, value)


async def _given(request: Request) -> tuple[str, str, Any] | None:
    """The member, the question and the value that a request sends; None if it is not of that form."""
    is_json = request.headers.get("content-type", "").partition(";")[0] == "application/json"
    if not is_json or int(request.headers.get("content-length", _LONGEST_BODY + 1)) > _LONGEST_BODY:
        return None
    try:
        given = json.loads(await request.body())
        member, question, value = (given[key] for key in ("member", "question", "value"))
    except (ValueError, KeyError, TypeError):
        return None
    return (member, str(question), value) if isinstance(member, str) and _WORD.fullmatch(member) else None


def _keep(code: str, question: str, member: str, value: Any) -> JSONResponse:
    if not classrooms().seen(code, member):
        return _refused("full", 503)
    if not classrooms().answer(code, question, member, value):
        return _refused("closed", 409)
    return JSONResponse({"kept": True}, headers=_NO_STORE)


async def _answers(request: Request) -> JSONResponse:
    """For the teacher: all answers to `question`, when there are others than `since` says; the secret is in a header."""
    code, question = request.path_params["code"], request.query_params.get("question", "")
    if not classrooms().may_try(_address(request)):
        return _refused("tries", 429)
    if not classrooms().is_teacher(code, request.headers.get("x-teacher", "")):
        classrooms().wrong_try(_address(request), code)
        return _refused("secret", 403)
    since = request.query_params.get("since", "")

    def look() -> Any:
        state = _once(("answers", code, question), lambda: classrooms().state_of_answers(code, question))
        return (*state, _once(("present", code), lambda: classrooms().n_present(code)))

    found = await _changed(request, look, lambda state: _stamp(state) != since)
    values = [given.value for given in classrooms().answers(code, question)]
    return JSONResponse({"stamp": _stamp(found), "present": found[2], "values": values}, headers=_NO_STORE)


def _stamp(state: tuple[Any, ...]) -> str:
    return " ".join(str(one) for one in state)
