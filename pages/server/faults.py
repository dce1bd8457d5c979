"""What goes wrong is one line of the log: errors of the app or machine, browsers that leave, malformed messages and values."""

import logging
import traceback

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qcore import InvalidInput

_LOGGER = logging.getLogger(__name__)
_IN_ALL_CASES = ("uvicorn.error", "asyncio", "streamlit.web.server.starlette.starlette_websocket")
"""Loggers that write a traceback of what a browser has sent, or of a socket."""
_OF_PAGES = "streamlit.error_util"
_OF_THE_MACHINE = (OSError, MemoryError)
"""Errors of a page that are not the fault of its code: a full disk, a folder that is gone."""
_LONGEST = 300


def in_one_line(error: BaseException) -> str:
    """What went wrong, and where: the error's class, its text, and the file and line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:_LONGEST]}{where}"


class OneLine(logging.Filter):
    """Puts an error of these classes in the line of the message, in place of its traceback."""

    def __init__(self, *kinds: type[BaseException]) -> None:
        super().__init__()
        self._kinds = kinds

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record of such an error; returns True for every record, so that all are logged."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if isinstance(error, self._kinds):
            record.msg, record.args = f"{record.getMessage().strip()}: {in_one_line(error)}", ()
            record.exc_info, record.exc_text = None, None
        return True


def shorten_faults() -> None:
    """Have the loggers of the server write a line for each."""
    for name in _IN_ALL_CASES:
        logging.getLogger(name).addFilter(OneLine(BaseException))
    logging.getLogger(_OF_PAGES).addFilter(OneLine(*_OF_THE_MACHINE))


class Faults:
    """ASGI middleware: answers for what fails. Its log names no address, and no path but its first part."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        has_begun = False

        async def note(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, note)
        except Exception as error:
            answer = self._answer(error, scope)
            if scope["type"] == "http" and not has_begun:
                await answer(scope, receive, send)

    @staticmethod
    def _answer(error: Exception, scope: Scope) -> PlainTextResponse:
        if isinstance(error, ClientDisconnect):
            _LOGGER.info("A browser has gone, or made a pause, before all was sent.")
            return PlainTextResponse("not everything was sent in time\n", 408, {"connection": "close"})
        if isinstance(error, InvalidInput):
            # Whoever raised it has logged what the sentence does not say.
            return PlainTextResponse("not possible on this server at this moment\n", 503)
        first = scope.get("path", "").strip("/").partition("/")[0][:20]
        _LOGGER.error("A request for /%s failed: %s", first, in_one_line(error))
        return PlainTextResponse("something went wrong\n", 500)


_LOGGERS = ("streamlit.error_util", "streamlit.components.v2.bidi_component.serialization")
_STATE = "streamlit/runtime/state/session_state.py"
_READS = ("__getitem__", "get_serialized")
_OURS = ("/pages/", "/qcore/", "app.py")


class WrongValues(logging.Filter):
    """Shortens the record of an error that Streamlit met while it read the value of a control from a browser.

    Anyone can send values of any type by Streamlit's protocol; a traceback for each would fill the log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record of such an error; returns True for every record, so that all are logged."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and (is_of_a_wrong_value(error) or "deserialize" in str(record.msg)):
            record.msg = f"A value of a wrong type was sent for a control, and not used ({type(error).__name__})."
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


def is_of_a_wrong_value(error: BaseException) -> bool:
    """Whether an error arose while Streamlit read the value of a control, and in no code of ours that it called."""
    frames = traceback.extract_tb(error.__traceback__)
    reads = [i for i, frame in enumerate(frames) if frame.filename.endswith(_STATE) and frame.name in _READS]
    if not reads or isinstance(error, KeyError):
        # A KeyError comes from code that asks for missing state.
        return False
    return not any(_is_ours(frame.filename) for frame in frames[reads[-1] :])


def _is_ours(path: str) -> bool:
    return "site-packages" not in path and any(part in path for part in _OURS)


def shorten_wrong_values() -> None:
    """Have Streamlit's loggers write one line for each such error."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(WrongValues())
