"""The commands of qcore: python -m qcore estimate, experiment, watch; --help after each says more."""

import argparse
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from qcore._base.freed_memory import keep_freed_memory
from qcore._base.validation import InvalidInput
from qcore.evaluation.experiment.command import add_experiment
from qcore.intervals.estimate_command import add_estimate
from qcore.watching.watch_command import add_watch

COMMANDS: Final[Mapping[str, Callable[[Any], None]]] = {
    "estimate": add_estimate,
    "experiment": add_experiment,
    "watch": add_watch,
}
"""The name of each command -> what adds it to the parser."""
_FAILED: Final = 3
_CLOSED: Final = 141
"""As a shell says of a process that was ended by a closed pipe."""


def main(words: Sequence[str] | None = None) -> int:
    """Run a command. Returns its exit status: 0, or what it says of itself.

    2 for invalid input (and a sentence says why); 3 for a fault of the program, which no command says of itself;
    141 if the output was closed.
    """
    parser = argparse.ArgumentParser(prog="python -m qcore")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS.values():
        add(commands)
    chosen = parser.parse_args(words)
    keep_freed_memory()
    try:
        code: int = chosen.run(chosen)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Who reads the output has read enough; 0 would say of `watch` that nothing has moved.
        sys.stdout = None
        return _CLOSED
    except Exception:
        traceback.print_exc()
        return _FAILED
    return code


if __name__ == "__main__":
    sys.exit(main())
