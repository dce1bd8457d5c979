"""Runs a module of this folder in a separate process with limits on memory and time.

Run as a program, with a module's name and words, this file is that process: it calls the module's `main` with the words. It
imports modules of qcore without what the package itself imports, of which the classifiers alone take a second.
"""

import contextlib
import importlib
import os
import sys
import threading
from pathlib import Path
from types import ModuleType


def command(module: str, *words: str) -> list[str]:
    """The command that runs `main` of a module of this folder with these words."""
    # -P keeps this folder out of the import path.
    return [sys.executable, "-P", __file__, module, *words]


def limit_memory_and_time(n_bytes: int, seconds: float) -> None:
    """Limit the memory that this process takes from here on, and end it after `seconds`."""
    clock = threading.Timer(seconds, os._exit, [1])
    clock.daemon = True
    clock.start()
    # Windows and macOS have no limit of memory; the limit of time still holds.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = pages * resource.getpagesize() + n_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main(module: str, *words: str) -> int:
    """Call a module's `main`; returns what it returns, the exit code of the process."""
    root = Path(__file__).parents[1]
    for name, folder in ((root.name, root), (f"{root.name}.datasets", root / "datasets")):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    code: int = importlib.import_module(f"{root.name}.datasets.{module}").main(*words)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
