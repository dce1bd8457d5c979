"""Builds what is published, and installs it into environments where nothing else is."""

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
_OTHER = {
    "qcore/__init__.py": "from qcore.caching import cached\n",
    "qcore/caching.py": "cached = 'theirs'\n",
    "qcore/losses.py": "",
    "qcore-1.11.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: qcore\nVersion: 1.11.1\n",
    "qcore-1.11.1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "qcore-1.11.1.dist-info/RECORD": "",
}
"""A distribution with a folder of the name, such as an index has."""


def build(folder: Path, **variables: str) -> Path:
    """Build the wheel and the source distribution into a folder; returns it."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env={**os.environ, **variables})
    return folder


def clean() -> dict[str, str]:
    """The environment variables without those that lead Python to other modules."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def environment(folder: Path, distributions: Iterable[Path], *options: str) -> tuple[Path, Path]:
    """(its Python, its packages) of a new environment with these distributions; `options` are those of pip.

    What they need is borrowed from the environment of the tests: to install it again would take a minute.
    """
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    install = [*pip, "install", "--quiet", "--no-deps", "--no-build-isolation", *options]
    (borrowed,) = {path for path in sys.path if path.endswith("site-packages")}
    (site / "borrowed.pth").write_text(f"{borrowed}\n")
    subprocess.run([*install, *map(str, distributions)], check=True, capture_output=True, env=clean())
    return folder / "bin" / "python", site


def another_with_a_folder_qcore(folder: Path) -> Path:
    """The wheel of another distribution that has a folder `qcore`, made in a folder."""
    wheel = folder / "qcore-1.11.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in _OTHER.items():
            archive.writestr(name, text)
    return wheel
