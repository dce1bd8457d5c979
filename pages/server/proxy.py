"""HAProxy before several processes of the app: each person stays with one of them, and goes to another when it ends."""

import os
import shutil
from collections.abc import Sequence

from pages.work.limits import of_one_address

ADVICE = (
    "Several processes need HAProxy before them, and no `haproxy` is on the PATH. Install it (Debian, Ubuntu: apt-get install "
    "haproxy; macOS: brew install haproxy), use `docker compose up`, or run one process: make run."
)

_CONNECTIONS = 4000
_CONFIGURATION = """\
global
    maxconn {connections}

defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout http-request 10s
    timeout tunnel 1h
    retries 3
    option redispatch 1

frontend quantification_lab
    bind {address}:{port}
{by_address}
    # The app's queue serves addresses in turn: visitors must not be able to choose the address in this header.
    {forwarded}
    default_backend workers

backend workers
    balance leastconn
    # If a process ends before it has answered, another one does: only for GET, as other requests may have changed something.
    retry-on conn-failure empty-response
    http-request disable-l7-retry unless METH_GET
    cookie WORKER insert indirect nocache httponly {cookie}
    option httpchk
    http-check send meth GET uri /_stcore/health ver HTTP/1.1 hdr Host localhost
    http-check expect status 200
    timeout check 3s
    # A process that refuses a connection is gone; one that is slow to answer is only busy.
    default-server check inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions
    default-server observe layer4 error-limit 1 on-error mark-down
{servers}
"""


_OF_ONE_ADDRESS = """\
    # One visitor cannot have all connections: not even those that are waiting for the rest of a request. A /64 of IPv6 is one.
    stick-table type ipv6 size 100k expire 1m store conn_cur
    tcp-request connection track-sc0 src,ipmask(32,64)
    tcp-request connection reject if {{ sc0_conn_cur gt {most} }}"""


def haproxy() -> str | None:
    """Path of the program HAProxy, or None."""
    # Debian installs it in a folder that is only on root's path.
    return shutil.which("haproxy", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"]))


def configuration(
    address: str, port: int, workers: Sequence[str], *, trust_forwarded: bool = False, embedded: bool = False
) -> str:
    """The configuration for a proxy that listens at an address.

    Parameters
    ----------
    workers : host:port of each process.
    trust_forwarded : whether another proxy stands in front of this one and is trusted to report a visitor's address. All
        connections are that proxy's then, so that they have no limit by address.
    embedded : whether pages of other sites may show the app: a browser then sends the cookie over TLS alone.
    """
    servers = "\n".join(f"    server worker{number} {at} cookie worker{number}" for number, at in enumerate(workers, start=1))
    said_before = "option forwardfor if-none"
    forwarded = said_before if trust_forwarded else "http-request del-header X-Forwarded-For\n    option forwardfor"
    cookie = "secure attr SameSite=None attr Partitioned" if embedded else "attr SameSite=Lax"
    by_address = "" if trust_forwarded else _OF_ONE_ADDRESS.format(most=of_one_address(_CONNECTIONS))
    return _CONFIGURATION.format(
        address=address,
        port=port,
        servers=servers,
        forwarded=forwarded,
        cookie=cookie,
        connections=_CONNECTIONS,
        by_address=by_address,
    )
