"""How many files and sockets this process may open, and how many are left."""

import contextlib
import os

_MOST_FILES = 65_536


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
