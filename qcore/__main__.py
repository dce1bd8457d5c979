"""The commands of qcore: python -m qcore estimate, experiment, watch, keel; --help after each says more."""

import argparse
import errno
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from qcore import __version__
from qcore._base.interrupted import say_stopped, usual_from_here
from qcore._base.threads import keep_freed_memory
from qcore._base.validation import InvalidInput
from qcore.datasets.keel import add_keel
from qcore.evaluation.experiment.command import add_experiment
from qcore.intervals.estimate_command import add_estimate
from qcore.watching.watch_command import add_watch

COMMANDS: Final[Mapping[str, Callable[[Any], None]]] = {
    "estimate": add_estimate,
    "experiment": add_experiment,
    "watch": add_watch,
    "keel": add_keel,
}
"""The name of each command -> what adds it to the parser."""
_FAILED = 3
_FULL = (errno.ENOSPC, errno.EDQUOT)
_CLOSED = 141
"""128 + 13 (SIGPIPE): the status that a shell reports for a process ended by a closed pipe."""


def main(words: Sequence[str] | None = None, program: str = f"python -m {__package__}") -> int:
    """Run a command of `program` and return its exit status: 0, or another status that the command defines.

    2 stands for invalid input, with a sentence on standard error that says why; 3 for an error of the program or the machine;
    130 after Ctrl-C; 141 for a closed output pipe.
    """
    usual_from_here()
    try:
        return _answered(words, program)
    except KeyboardInterrupt:
        return say_stopped()


def _answered(words: Sequence[str] | None, program: str) -> int:
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument("--version", action="version", version=f"qcore {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS.values():
        add(commands)
    chosen = parser.parse_args(words)
    keep_freed_memory()
    try:
        code: int = chosen.run(chosen)
        # What is still to be written may find the disk full, or the pipe closed.
        sys.stdout.flush()
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has closed the pipe. Status 0 would be wrong: for `watch` it means that nothing has moved.
        sys.stdout = None
        return _CLOSED
    except OSError as error:
        if error.errno not in _FULL:
            traceback.print_exc()
            return _FAILED
        # Python would try to write the rest once more as it ends.
        sys.stdout = None
        print(f"The answer could not be written: {os.strerror(error.errno)}.", file=sys.stderr)
        return _FAILED
    except Exception:
        traceback.print_exc()
        return _FAILED
    return code


if __name__ == "__main__":
    sys.exit(main())
