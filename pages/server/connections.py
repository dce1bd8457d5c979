"""Connections before anybody has asked for anything: how many there may be, how long, and how many files may be open at all."""

import contextlib
import os
from asyncio import TimerHandle, Transport
from collections import Counter
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from pages.work.by_address import network_of_client
from pages.work.limits import limit

_ASKS_WITHIN: Final = 10.0
"""Seconds in which a connection has to send the whole head of a request, from its first byte on."""
_AT_LEAST: Final = 3.0
"""Seconds that every connection has: of many that come at the same moment, to a server that is busy, all may ask."""
_MOST_FILES: Final = 65_536
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n"
    b"This server has as many connections as it can hold. Please try again in some seconds.\n"
)


def raise_limit_of_files() -> None:
    """Let this process open as many files and sockets as the system allows: each open page takes four."""
    # Windows has no such limit.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def room_for_files() -> float:
    """The share of this process's files and sockets that is still free, from 0 to 1."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The system gives the lowest number that is free.
        number = os.open(os.devnull, os.O_RDONLY)
    except ImportError:
        return 1.0
    except OSError:
        return 0.0
    os.close(number)
    return 1.0 if most == resource.RLIM_INFINITY else 1.0 - number / most


class LimitedConnection(H11Protocol):
    """A connection that is closed unless it asks for something within some seconds.

    uvicorn waits for a request as long as it takes. Where more than HALF_OPEN are waited for, the address with the most of them
    loses its oldest: browsers open some connections ahead, and a lecture room hundreds at once.
    """

    _awaited: ClassVar[dict["LimitedConnection", tuple[str, float]]] = {}
    """The connections whose request is waited for, the oldest first -> their address, and since when."""
    _deadline: TimerHandle | None = None
    _is_websocket = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request; refuse it in words where files run out."""
        super().connection_made(transport)
        if room_for_files() < 1 / 16:
            transport.write(_FULL)
            transport.close()
        else:
            self._await()

    def data_received(self, data: bytes) -> None:
        """Wait no longer once a request has its head; begin again with the first part of a next one."""
        before = self.cycle
        super().data_received(data)
        if self._is_websocket or self.transport.is_closing():
            return
        if self.cycle is not before:
            self._await_no_longer()
        elif (before is None or before.response_complete) and self._deadline is None:
            self._await()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection on to the websocket's protocol."""
        self._await_no_longer()
        self._is_websocket = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._await_no_longer()
        super().connection_lost(exc)

    def _await(self) -> None:
        now = self.loop.time()
        self._awaited[self] = network_of_client(self.client), now
        self._deadline = self.loop.call_later(_ASKS_WITHIN, self._give_up)
        if (n_more := len(self._awaited) - limit("HALF_OPEN")) > 0:
            (most, _), *_ = Counter(address for address, _ in self._awaited.values()).most_common(1)
            old = [one for one, (address, since) in self._awaited.items() if address == most and now - since > _AT_LEAST]
            for one in old[:n_more]:
                one._give_up()

    def _await_no_longer(self) -> None:
        self._awaited.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._await_no_longer()
        self.transport.abort()


def limit_connections() -> None:
    """Have the server take connections as `LimitedConnection`s.

    uvicorn has chosen its class before it imports the app: so that class makes ours.
    """
    H11Protocol.__new__ = lambda *_, **__: object.__new__(LimitedConnection)  # type: ignore[method-assign, assignment]
