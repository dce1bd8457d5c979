"""Whether others can reach this app, and at which address."""

import os
import socket
from urllib.parse import urlsplit

import streamlit as st

from pages.settings.component import base_path
from pages.work.limits import PREFIX

LISTENS_AT = f"{PREFIX}LISTENS_AT"
"""The variable by which several processes know where the proxy before them listens."""
_LOCAL = ("localhost", "127.0.0.1", "::1")
_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - only looked for


def address_for_others() -> str:
    """Where others reach the app, such as http://192.168.1.7:8501; empty where it listens only on this machine."""
    here = urlsplit(str(st.context.url or ""))
    if here.hostname not in (*_LOCAL, *_EVERYWHERE):
        return f"{here.scheme}://{here.netloc}{base_path()}"
    listens = str(os.environ.get(LISTENS_AT) or st.get_option("server.address") or "")
    if listens in _LOCAL:
        return ""
    host = _own_address() if listens in _EVERYWHERE else listens
    port = f":{here.port}" if here.port else ""
    return f"{here.scheme}://{host}{port}{base_path()}" if host else ""


def address_here() -> str:
    """Where this browser reaches the app."""
    here = urlsplit(str(st.context.url or ""))
    return f"{here.scheme}://{here.netloc}{base_path()}"


def _own_address() -> str:
    """The machine's address in its network; empty if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses the address that it would send from.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
