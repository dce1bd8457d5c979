"""Ctrl-C ends a command with one line and status 130, from its first import on: importing this module arranges it.

It needs no other module than these, which Python has loaded already or loads at once: until it is there, Ctrl-C is a traceback.
"""

import os
import signal
import sys

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""
_COMMAND = "quantification-lab"


def _quiet_while_importing() -> None:
    """Let Ctrl-C end the program at once, with one line, if it is a command of this project that is still being imported.

    Python's own answer is the traceback of an import. While it looks for the module of `python -m`, `sys.argv[0]` is "-m";
    so another program, a notebook or a server, keeps its own way. `usual_from_here` ends this.
    """
    started = sys.argv[0] if sys.argv else ""
    is_command = started == "-m" or os.path.basename(started).partition(".")[0] == _COMMAND
    if is_command and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def usual_from_here() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again: what a command has opened is to be closed."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def say_stopped(sentence: str = "Stopped.") -> int:
    """Write a line on standard error, below the ^C of a terminal. Returns the exit status."""
    print("\n" * sys.stderr.isatty() + sentence, file=sys.stderr)
    return INTERRUPTED


def _end(_number: int, _frame: object) -> None:
    # An exception would be caught by an import that is tried, or end in its traceback.
    os.write(2, b"\nStopped.\n" if os.isatty(2) else b"Stopped.\n")
    os._exit(INTERRUPTED)


_quiet_while_importing()
