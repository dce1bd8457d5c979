"""The command quantification-lab: starts the app as it is installed; its other commands are those of `python -m qcore`."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from qcore import __version__
from qcore.__main__ import main as core
from qcore.base import say_stopped, usual_from_here
from qcore.datasets.folder import VARIABLE

_NAME = "quantification-lab"
_APP = Path(__file__).parents[1] / "app.py"


def main(words: Sequence[str] | None = None) -> int:
    """Start the app until it is stopped, or run a command of qcore. Returns the exit status, 2 for invalid input."""
    usual_from_here()
    given = list(sys.argv[1:] if words is None else words)
    if given and not given[0].startswith("-"):
        return core(given, program=_NAME)
    chosen = _parser().parse_args(given)
    if chosen.data is not None:
        if not chosen.data.is_dir():
            print(f"--data must be a folder, got {str(chosen.data)!r}. Name one with tables in it.", file=sys.stderr)
            return 2
        os.environ[VARIABLE] = str(chosen.data.resolve())
    if find_spec("streamlit") is None:
        print(f'The app needs packages that are not installed. Install them: pip install "{_NAME}[app]".', file=sys.stderr)
        return 2
    # Streamlit adds the folder of app.py to the path, too, but only later; an installed app has its pages there.
    sys.path.insert(0, str(_APP.parent))
    try:
        return _serve(chosen)
    except KeyboardInterrupt:
        return say_stopped()


def _serve(chosen: argparse.Namespace) -> int:
    # These imports take a second, in which Ctrl-C is to be answered already.
    from click import Abort
    from streamlit.web import cli

    from pages.server.environment import why_not

    if reason := why_not(chosen.address, chosen.port):
        print(reason, file=sys.stderr)
        return 2
    options = {"port": chosen.port, "address": chosen.address, "headless": str(chosen.no_browser).lower()}
    started = [word for name, value in options.items() for word in (f"--server.{name}", str(value))]
    try:
        cli.main(["run", str(_APP), *started], standalone_mode=False)
    except Abort:
        return say_stopped()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_NAME,
        description="See quantification at work: an app in the browser.",
        epilog="quantification-lab estimate TRAIN SAMPLE: the share of a class in a table, with its interval. "
        "quantification-lab watch FILE: a share over time. "
        "quantification-lab experiment SETTINGS: quantifiers over many data sets. "
        "quantification-lab keel: downloads KEEL's data sets, once. --help after each says more.",
    )
    parser.add_argument("--port", type=int, default=8501, help="port of the app (default 8501)")
    parser.add_argument("--address", default="localhost", help="address it listens on (default: only this machine)")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="a folder of tables, added to the data sets")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
