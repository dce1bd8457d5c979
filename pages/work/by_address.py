"""What one address may take: how an address is called, and how often it has asked lately, which the library `limits` counts.

A lecture room shares one address, so every number here is one that two hundred people do not reach.
"""

import ipaddress
from typing import Final

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

_PREFIX_LENGTH: Final = 64
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

    def has_room(self, address: str) -> bool:
        """Whether an address may ask for one more; nothing is counted."""
        return self._counts.test(self._item, self._what, address)
