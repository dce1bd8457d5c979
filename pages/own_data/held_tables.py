"""How much memory the tables and files take that open pages keep in use, up to the server's limits."""

import streamlit as st

from pages.work.by_address import Held, Holding, TooMuch, network_of
from pages.work.limits import limit
from pages.work.turns import visitor
from qcore import InvalidInput

_MEGABYTE = 2**20
_HELD = Held(limit("TABLES_MEGABYTES") * _MEGABYTE, limit("TABLES_MEGABYTES_OF_ONE_SESSION") * _MEGABYTE)
_SHARES = "memory of tables"
"""Where a session keeps its holdings: they end with it."""
_WHOSE = {
    "session": (
        "the tables and files of this page",
        "TABLES_MEGABYTES_OF_ONE_SESSION",
        "Remove one, or reload the page.",
    ),
    "address": ("the tables and files of all pages from your network address", "TABLES_MEGABYTES", "Try again later."),
    "all": ("the tables and files of all open pages", "TABLES_MEGABYTES", "Try again when others have closed theirs."),
}


def hold(session: str, name: str, n_bytes: int) -> None:
    """Count what a session keeps under a name, instead of what it kept there; 0 if it keeps nothing. Raises InvalidInput."""
    shares: dict[str, Holding] = st.session_state.setdefault(_SHARES, {})
    _HELD.give_back(shares.pop(name, None))
    if n_bytes:
        try:
            shares[name] = _HELD.take(n_bytes, network_of(visitor()), session)
        except TooMuch as error:
            whose, key, hint = _WHOSE[error.of]
            most = _HELD.of_one_address // _MEGABYTE if error.of == "address" else limit(key)
            rule = f"take at most {most:,} MB on this server"
            raise InvalidInput(whose, rule, f"{n_bytes / _MEGABYTE:,.0f} MB more", hint) from error
