"""Builds what is published, and installs it into environments where nothing else is."""

import os
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECTS = {"quantification_lab": ROOT, "quantification_lab_core": ROOT / "qcore"}
"""Name of a distribution -> where its pyproject.toml is."""


def build(folder: Path) -> Path:
    """Build wheels and source distributions into a folder; returns it."""
    for project in PROJECTS.values():
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
        subprocess.run(command, cwd=project, check=True, capture_output=True)
    return folder


def clean() -> dict[str, str]:
    """The environment variables without those that lead Python to other modules."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def environment(folder: Path, distributions: Iterable[Path]) -> tuple[Path, Path]:
    """(its Python, its packages) of a new environment with these distributions.

    What they need is borrowed from the environment of the tests: to install it again would take a minute.
    """
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(site)]
    subprocess.run([*install, *map(str, distributions)], check=True, capture_output=True, env=clean())
    (borrowed,) = {path for path in sys.path if path.endswith("site-packages")}
    (site / "borrowed.pth").write_text(f"{borrowed}\n")
    return folder / "bin" / "python", site
