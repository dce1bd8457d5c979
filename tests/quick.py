"""The types and the tests that a change needs: python -m tests.quick [--since REVISION] [--seconds 40], or make quick

Changed are the files that differ from a revision (default: the last commit; if nothing does, the one before it). Needed are
tests that have changed, those of the same folder, and those that import what has changed, directly or not, the nearest first;
tests in a browser are left to `make test`.
"""

import argparse
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("qcore", "pages", "tests")
EVERY_CHANGE = ("tests/test_architecture.py",)
"""Tests of the sources as they stand, which any change may break, and which take seconds."""


def changed_files(since: str | None) -> list[Path]:
    """The files, relative to the repository, that differ from a revision, with those that are new."""

    def names(*command: str) -> list[str]:
        return subprocess.run(("git", *command), cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()

    found = [*names("diff", "--name-only", since or "HEAD"), *names("ls-files", "--others", "--exclude-standard")]
    if not found and since is None:
        found = names("diff", "--name-only", "HEAD~1", "HEAD")
    return [Path(name) for name in dict.fromkeys(found)]


def distances(graph: grimp.ImportGraph, modules: Iterable[str]) -> dict[str, int]:
    """Module -> how many imports lead from it to the nearest of `modules`, for all that need one of them."""
    known = dict.fromkeys((module for module in modules if module in graph.modules), 0)
    outer = list(known)
    while outer:
        importers = {name for module in outer for name in graph.find_modules_that_directly_import(module)} - known.keys()
        known |= dict.fromkeys(importers, known[outer[0]] + 1)
        outer = sorted(importers)
    return known


def dotted(path: Path) -> str:
    """The name of a module."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def tests_of(changed: Sequence[Path]) -> list[str]:
    """Files of tests that a change needs, the nearest first."""
    python = [path for path in changed if path.suffix == ".py"]
    far = distances(grimp.build_graph(*PACKAGES), map(dotted, python))
    # A page is imported by its name as it is opened, which no import tells: the tests of its folder are near.
    beside = {ROOT / "tests" / path.parent for path in changed if path.parts[0] in ("qcore", "pages")}
    ranks: dict[Path, int] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        near = far.get(dotted(path.relative_to(ROOT)), sys.maxsize)
        ranks[path] = min(near, 2) if path.parent in beside else near
    needed = [path for path, rank in sorted(ranks.items(), key=lambda item: item[1]) if rank < sys.maxsize]
    inside = [str(path.relative_to(ROOT)) for path in needed if "browser" not in path.parts]
    examples = [str(path) for path in python if path.parts[0] == "qcore" and path.exists()]
    return [*dict.fromkeys([*EVERY_CHANGE, *examples, *inside])]


def run(files: Sequence[str], seconds: float) -> int:
    """Run tests for so many seconds; returns pytest's exit code, or 0 if the time was over before any test failed."""
    command = [sys.executable, "-m", "pytest", "-n", "2", "--maxfail", "5", "-m", "not browser", *files]
    # A session of its own, so that Ctrl-C comes once, from here, and ends pytest's processes in order.
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as tests:
        try:
            return tests.wait(seconds)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            tests.send_signal(signal.SIGINT)
            code = tests.wait()
    print(f"The tests nearest to the change ran for {seconds:g} s; `make test` runs all.")
    return 0 if code == pytest.ExitCode.INTERRUPTED else code


def main() -> int:
    """Check the types beside the tests; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", help="revision that the change is compared with")
    parser.add_argument("--seconds", type=float, default=40.0, help="how long tests may run (default: 40)")
    chosen = parser.parse_args()
    changed = changed_files(chosen.since)
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]
    typed = [path for path in changed if any(path.is_relative_to(one) for one in checked) and "gallery" not in path.parts]
    python = [str(path) for path in typed if path.suffix == ".py" and (ROOT / path).exists()]
    types = subprocess.Popen([sys.executable, "-m", "mypy", *python], cwd=ROOT) if python else None
    code = run(tests_of(changed), chosen.seconds)
    return code or (types.wait() if types else 0)


if __name__ == "__main__":
    sys.exit(main())
