"""What browsers in a classroom ask for without a run of a page: whether something has changed, and the keeping of an answer.

Two hundred people who answer at once would otherwise have two hundred pages drawn. Each request is a POST of JSON with a header
that no page of another site can send, and the classroom must know who sends it: to all others one that exists looks like none.
"""

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from pages.learn.classroom import membership
from pages.learn.classroom.membership import MEMBER_COOKIE, TEACHER_COOKIE
from pages.learn.classroom.store import LASTS, LONGEST_WORD, Shown, classrooms
from pages.learn.drawing import N_POINTS
from pages.settings.component import base_path
from pages.work.by_address import network_of_client
from qcore import InvalidInput

_Found = TypeVar("_Found")
_Given = Mapping[str, Any]
_Handler = Callable[[str, _Given, Request], Awaitable[Response]]
_WAITS = 8.0
"""Seconds that a request waits for a change; short, so that a server that is to end need not wait long."""
_LOOKS_EVERY = 0.2
_LONGEST_BODY = 8000
_TYPED = re.compile(r"[-+0-9.,%eE \u2212]{1,12}")
_LARGEST = 1e9
_NO_STORE = {"cache-control": "no-store"}
OWN_HEADER = "x-classroom"
_FOLDER = "classroom-state"
ASKING_JS = Path(__file__).with_name("asking.js").read_text()
"""The script that asks a route of a classroom, and has it keep who somebody is."""
_WAY_IN = Path(__file__).with_name("teachers_link.html").read_text()
_looked: dict[tuple[Any, ...], tuple[float, "Future[Any]"]] = {}
# A database that is locked or slow holds these threads, and neither the event loop nor the threads of other requests.
_STORE = ThreadPoolExecutor(2, "classrooms")


def classroom_url(code: str, what: str) -> str:
    """The address of a classroom's route; `what` is "shown", "answer", "answers" or "keep"."""
    return f"{base_path()}/{_FOLDER}/{code}/{what}"


def teachers_path(code: str, secret: str) -> str:
    """The path of a teacher's link. What follows the # is sent to no server and no proxy; a script takes it away."""
    return f"/{_FOLDER}/teacher#teacher={code}.{secret}"


def classroom_routes() -> list[Route]:
    """The routes of classrooms. None of them changes anything by GET."""
    handlers = {"shown": _shown, "answer": _answer, "answers": _answers, "keep": _keep}
    asked = [Route(classroom_url("{code}", what), _own(handler), methods=["POST"]) for what, handler in handlers.items()]
    return [Route(f"{base_path()}/{_FOLDER}/teacher", _way_in), *asked]


async def _way_in(_request: Request) -> HTMLResponse:
    """The page of a teacher's link."""
    return HTMLResponse(_WAY_IN.replace("BASE", base_path()).replace("ASKING", ASKING_JS), headers=_NO_STORE)


def _own(handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
    """Serve a request that a page of the app has sent; a sentence says why the database cannot be used, as on a full disk."""

    async def serve(request: Request) -> Response:
        if OWN_HEADER not in request.headers:
            return _refused("site", 403)
        given = await _given(request)
        if given is None:
            return _refused("form", 400)
        try:
            return await handler(request.path_params["code"], given, request)
        except InvalidInput as error:
            return JSONResponse({"reason": "store", "said": str(error)}, 507, headers=_NO_STORE)

    return serve


async def _given(request: Request) -> _Given | None:
    """The values that a request sends; None if they are not of that form."""
    is_json = request.headers.get("content-type", "").partition(";")[0] == "application/json"
    if not is_json or int(request.headers.get("content-length", _LONGEST_BODY + 1)) > _LONGEST_BODY:
        return None
    try:
        given = json.loads(await request.body())
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None


async def _from_store(ask: Callable[..., _Found], *args: Any) -> _Found:
    """What the database answers; the event loop keeps running."""
    return await asyncio.wrap_future(_STORE.submit(ask, *args))


async def _now_and_then(key: tuple[Any, ...], ask: Callable[..., Any], *args: Any) -> Any:
    """What the database answers, asked at most every fifth of a second for all who wait."""
    now, known = time.monotonic(), _looked.get(key)
    if known is None or (known[1].done() and now - known[0] > _LOOKS_EVERY):
        if len(_looked) > 1000:
            _looked.clear()
        known = _looked[key] = (now, _STORE.submit(ask, *args))
    # One who goes away must not cancel what others wait for.
    return await asyncio.shield(asyncio.wrap_future(known[1]))


async def _changed(request: Request, look: Callable[[], Awaitable[Any]], is_new: Callable[[Any], bool]) -> Any:
    """What `look` finds, as soon as it is new or _WAITS seconds are over."""
    until = time.monotonic() + _WAITS
    while True:
        found = await look()
        if is_new(found) or time.monotonic() > until or await request.is_disconnected():
            return found
        await asyncio.sleep(_LOOKS_EVERY)


def _refused(reason: str, status: int) -> JSONResponse:
    return JSONResponse({"reason": reason}, status, headers=_NO_STORE)


def _state(there: tuple[int, Shown] | None) -> dict[str, Any]:
    if there is None:
        return {"version": -1, "ended": True}
    version, shown = there
    return {"version": version, "look": shown.look, "question": shown.question, "open": shown.takes_answers}


async def _stranger(code: str, request: Request, refusal: JSONResponse) -> JSONResponse:
    """The refusal of somebody whom the classroom does not know, be there one of that code or none, as long as they are few."""
    if await _from_store(classrooms().has_ended, code):
        return refusal
    is_counted = membership.WRONG.takes(network_of_client(request.client))
    return refusal if is_counted else _refused("tries", 429)


def _word(given: _Given, name: str) -> str:
    """A word of the user; empty for none and for what is longer than any."""
    word = given.get(name)
    return word if isinstance(word, str) and len(word) <= LONGEST_WORD else ""


async def _shown(code: str, given: _Given, request: Request) -> JSONResponse:
    """The state of a classroom when it differs from version `since`; tells the classroom that `member` is there."""
    member, since = _word(given, "member"), str(given.get("since", ""))
    if not await _from_store(classrooms().knows, code, member):
        return await _stranger(code, request, JSONResponse(_state(None), headers=_NO_STORE))
    # On a full disk nothing is noted, and people go on reading.
    with contextlib.suppress(InvalidInput):
        await _from_store(classrooms().seen, code, member)

    async def look() -> Any:
        return await _now_and_then(("shown", code), classrooms().shown, code)

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


async def _answer(code: str, given: _Given, request: Request) -> JSONResponse:
    """Keep the `value` that a `member` answers to a `question`."""
    if "question" not in given or "value" not in given:
        return _refused("form", 400)
    member, question, value = _word(given, "member"), str(given["question"]), given["value"]
    if not await _from_store(classrooms().knows, code, member):
        return await _stranger(code, request, _refused("ended", 404))
    there = await _from_store(classrooms().shown, code)
    if there is None or question != there[1].question:
        return _refused("closed", 409)
    if not _is_answer(there[1], value):
        return _refused("form", 400)
    return await _from_store(_keep_answer, code, question, member, value)


def _keep_answer(code: str, question: str, member: str, value: Any) -> JSONResponse:
    if not classrooms().seen(code, member):
        return _refused("full", 503)
    if not classrooms().answer(code, question, member, value):
        return _refused("closed", 409)
    return JSONResponse({"kept": True}, headers=_NO_STORE)


async def _answers(code: str, given: _Given, request: Request) -> JSONResponse:
    """For the teacher, whose secret is in a header: all answers to `question`, as soon as their state differs from `since`."""
    question, since = str(given.get("question", "")), given.get("since", "")
    if not await _from_store(classrooms().is_teacher, code, request.headers.get("x-teacher", "")):
        return await _stranger(code, request, _refused("secret", 403))
    with contextlib.suppress(InvalidInput):
        await _from_store(classrooms().note_teacher, code)

    async def look() -> tuple[str, int]:
        answers = await _now_and_then(("answers", code, question), classrooms().state_of_answers, code, question)
        present = await _now_and_then(("present", code), classrooms().n_present, code)
        version = await _now_and_then(("shown", code), classrooms().shown, code)
        return " ".join(map(str, (*answers, present, _state(version)["version"]))), present

    stamp, present = await _changed(request, look, lambda state: state[0] != since)
    values = [one.value for one in await _from_store(classrooms().answers, code, question)]
    state = _state(await _from_store(classrooms().shown, code))
    return JSONResponse({"stamp": stamp, "present": present, "values": values, **state}, headers=_NO_STORE)


async def _keep(code: str, given: _Given, request: Request) -> JSONResponse:
    """Have the browser keep who somebody is, in a cookie that no script reads; with an empty word, have it forget that.

    `role` is "member" or "teacher", and `word` what the classroom knows them by.
    """
    is_teacher, word = given.get("role") == "teacher", _word(given, "word")
    knows = classrooms().is_teacher if is_teacher else classrooms().knows
    if word and not await _from_store(knows, code, word):
        return await _stranger(code, request, _refused("secret", 403))
    answer = JSONResponse({"kept": bool(word)}, headers=_NO_STORE)
    answer.set_cookie(
        TEACHER_COOKIE if is_teacher else MEMBER_COOKIE,
        f"{code}.{word}" if word else "",
        int(LASTS) if word else 0,
        # The proxy that speaks TLS may not say so; the page's own origin does.
        secure=request.headers.get("origin", "").startswith("https:"),
        httponly=True,
        samesite="lax",
    )
    return answer
