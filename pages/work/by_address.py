"""What one address may take: how an address is called, how often it has asked lately, which the library `limits` counts, and
how much of something it holds now.

A lecture room shares one address, so every number here is one that two hundred people do not reach.
"""

import ipaddress
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from pages.work.limits import of_one_address

_PREFIX_LENGTH = 64
"""Bits of an IPv6 address that name its network: whoever has one such network may choose among its addresses at will."""


def network_of(address: str | None) -> str:
    """The network that counts as one: an IPv4 address, or the /64 of an IPv6 address; empty for this machine or none."""
    try:
        known = ipaddress.ip_address(address or "")
    except ValueError:
        return ""
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is None:
            return "" if known.is_loopback else str(ipaddress.ip_network((int(known), _PREFIX_LENGTH), strict=False))
        known = known.ipv4_mapped
    return "" if known.is_loopback else str(known)


def network_of_client(client: Sequence[Any] | None) -> str:
    """The network of whoever sends a request or opens a connection: `client` is (host, port) as ASGI and uvicorn give it."""
    return network_of(client[0] if client else None)


class Rate:
    """At most `n` of something from one address within any `seconds`, counted in this process.

    Asking and counting are one step, so that of many requests at once no more than `n` are let through.
    """

    def __init__(self, n: int, seconds: int, what: str) -> None:
        self.n, self._what = n, what
        self._item = RateLimitItemPerSecond(n, seconds)
        self._counts = MovingWindowRateLimiter(MemoryStorage())

    def takes(self, address: str) -> bool:
        """Count one more from an address, if that is not too many; returns whether it was counted."""
        return self._counts.hit(self._item, self._what, address)


@dataclass(eq=False)
class Holding:
    """How much somebody holds of something: it counts until it is given back, or until nothing refers to it any more."""

    n: int
    address: str
    session: str


class TooMuch(Exception):
    """Raised for what is over a limit of `Held`; `of` says whose: "session", "address" or "all"."""

    def __init__(self, of: str) -> None:
        super().__init__(of)
        self.of = of


class Held:
    """How much of something is held now, in all, by one address and by one session; nothing is taken over these limits.

    An address has its share of the whole (`of_one_address`). This machine, "", may have all of it: a proxy that stands on it
    and does not say who visits would otherwise shut out everybody.

    Examples
    --------
    >>> held = Held(10)
    >>> mine = held.take(8, "192.0.2.1")
    >>> held.why_not(1, "192.0.2.1"), held.why_not(2, "192.0.2.2"), held.why_not(3, "192.0.2.2")
    ('address', '', 'all')
    >>> held.give_back(mine)
    >>> held.n()
    0
    """

    def __init__(self, in_all: int, of_one_session: int | None = None) -> None:
        self.in_all, self.of_one_address, self.of_one_session = in_all, of_one_address(in_all), of_one_session
        self._holdings = WeakSet[Holding]()
        self._lock = threading.RLock()

    def n(self, address: str | None = None, session: str | None = None) -> int:
        """How much is held, in all, or by an address or a session."""
        with self._lock:
            return sum(one.n for one in self._holdings if address in (None, one.address) and session in (None, one.session))

    def why_not(self, n: int, address: str, session: str = "") -> str:
        """Whose limit `n` more would exceed: "session", "address" or "all"; empty if none."""
        if self.of_one_session is not None and self.n(session=session) + n > self.of_one_session:
            return "session"
        if address and self.n(address) + n > self.of_one_address:
            return "address"
        return "all" if self.n() + n > self.in_all else ""

    def take(self, n: int, address: str, session: str = "") -> Holding:
        """Take `n` of it, in one step with asking whether there is room. Raises TooMuch."""
        with self._lock:
            if of := self.why_not(n, address, session):
                raise TooMuch(of)
            self._holdings.add(holding := Holding(n, address, session))
            return holding

    def give_back(self, holding: Holding | None) -> None:
        """Let it no longer count."""
        with self._lock:
            if holding is not None:
                self._holdings.discard(holding)
