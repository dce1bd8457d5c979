"""UCI and OpenML: their data sets on this machine, and any other by its number, fetched by a separate process.

The user waits at most ten seconds; a longer download continues meanwhile. The file of a data set is a Parquet table whose
`attrs` hold its name, its targets (the columns of classes, the default first), a description and a citation.
"""

import atexit
import json
import os
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pandas as pd
from platformdirs import user_cache_path

from qcore._base.validation import InvalidInput
from qcore.datasets.dataset import Dataset
from qcore.datasets.limited_process import command
from qcore.datasets.table_limits import LARGEST_FILE, MAX_CELLS, MAX_ROWS


def cache_folder() -> Path:
    """The folder that QUANTIFICATION_LAB_CACHE names, or quantification-lab in the user's cache folder."""
    named = os.environ.get("QUANTIFICATION_LAB_CACHE")
    return Path(named).expanduser() if named else user_cache_path("quantification-lab", appauthor=False)


THESIS = "Barranquero 2013, table 5.2"
SIZE_PAPER = "Maletzke et al. 2020, table 2"


@dataclass(frozen=True)
class KnownSet:
    """A data set: its name, size, share of the rarest class, positive classes, where it was used, and its numbers.

    `rarest` is None if the paper does not state it; `uci` and `openml` are 0 if the repository cannot give the data set to a
    program. `label` is the column of the classes, if there are several.
    """

    name: str
    rows: int
    features: int
    classes: int
    rarest: float | None
    positive: str
    used: str
    uci: int = 0
    openml: int = 0
    label: str = ""

    @property
    def word(self) -> str:
        """The data set's reference as a word; empty if neither repository has it."""
        word = f"uci:{self.uci}" if self.uci else f"openml:{self.openml}" if self.openml else ""
        return f"{word}/{self.label}" if self.label else word


KNOWN_SETS = (
    KnownSet("Acute inflammations (bladder; nephritis)", 120, 6, 2, 50 / 120, "yes", THESIS, uci=184),
    KnownSet("Balance scale", 625, 4, 3, 49 / 625, "L; B; R", THESIS, uci=12),
    KnownSet("Contraceptive method choice (cmc)", 1473, 9, 3, 333 / 1473, "1; 2; 3", THESIS, uci=30),
    KnownSet("Cardiotocography (ctg)", 2126, 21, 3, 176 / 2126, "1; 2; 3", THESIS, uci=193, label="NSP"),
    KnownSet("Haberman's survival", 306, 3, 2, 81 / 306, "2", THESIS, uci=43),
    KnownSet("Ionosphere", 351, 34, 2, 126 / 351, "b", THESIS, uci=52),
    KnownSet("Iris", 150, 4, 3, 50 / 150, "setosa; versicolor; virginica", THESIS, uci=53),
    KnownSet("Connectionist bench (sonar)", 208, 60, 2, 97 / 208, "R", THESIS, uci=151),
    KnownSet("SPECTF heart", 267, 44, 2, 55 / 267, "0", THESIS, uci=96),
    KnownSet("Tic-tac-toe endgame", 958, 9, 2, 332 / 958, "negative", THESIS, uci=101),
    KnownSet("Blood transfusion service center", 748, 4, 2, 178 / 748, "1", THESIS, uci=176),
    KnownSet("Breast cancer Wisconsin (diagnostic, wdbc)", 569, 30, 2, 212 / 569, "M", THESIS, uci=17),
    KnownSet("Wine", 178, 13, 3, 48 / 178, "1; 2; 3", THESIS, uci=109),
    KnownSet("AedesSex", 24_000, 27, 2, None, "sex", SIZE_PAPER),
    KnownSet("Anuran calls", 7195, 22, 4, 68 / 7195, "Hylidae, of the two largest families", SIZE_PAPER),
    KnownSet("Arabic digit", 8800, 27, 2, None, "sex of the speaker", SIZE_PAPER),
    KnownSet("BNG (breast-w), there BNG (vote)", 39_366, 9, 2, 13_546 / 39_366, "malignant", SIZE_PAPER, openml=251),
    KnownSet("Spambase", 4601, 57, 2, 1813 / 4601, "1", SIZE_PAPER, uci=94),
    KnownSet("Handwritten-QG", 4014, 63, 2, None, "", SIZE_PAPER),
    KnownSet("Wine quality, and wine type", 6497, 12, 7, 5 / 6497, "quality above 5; red", SIZE_PAPER, uci=186),
    KnownSet("HTRU2", 17_898, 8, 2, 1639 / 17_898, "1", SIZE_PAPER, uci=372),
    KnownSet("Letter recognition", 20_000, 16, 26, 734 / 20_000, "vowels: A, E, I, O, U", SIZE_PAPER, uci=59),
    KnownSet("Mozilla4", 15_545, 5, 2, 5108 / 15_545, "state 0", SIZE_PAPER, openml=1046),
    KnownSet("Nomao", 34_465, 118, 2, 9844 / 34_465, "UCI's -1", SIZE_PAPER, openml=1486),
    KnownSet("Occupancy detection", 20_560, 5, 2, 4750 / 20_560, "1", SIZE_PAPER, uci=357),
)
"""The data sets of two papers, searched before any is loaded; counts are those of the files.

The 24 problems of THESIS come from 13 data sets of UCI; of the 13 data sets of SIZE_PAPER, four cannot be fetched.
"""


PATIENCE = 10.0
"""Seconds that the user waits for a download."""

LONGEST = 600.0
"""Seconds after which a download is given up."""

MOST_AT_ONCE = 3
MOST_KEPT = 200
"""Largest number of data sets of a repository that are kept; a public server fetches no more."""

_LOCK = threading.Lock()


@dataclass
class _Download:
    """A download that several callers may wait for; the client's reason for a failure is read once and shared."""

    process: subprocess.Popen[bytes]

    @cached_property
    def reason(self) -> str:
        """Why the download failed; available once the process has ended."""
        text, _ = self.process.communicate()
        try:
            return str(json.loads(text)["reason"])
        except ValueError:
            return "nothing: the download broke off"


_RUNNING: Final[dict[Path, _Download]] = {}


def download(source: str, number: int, target: Path, patience: float = PATIENCE) -> None:
    """Fetch a data set into the file `target`, unless it exists; callers who want the same data set share one download.

    Raises InvalidInput if there is no data set after `patience` seconds; the message says why, or that it is still on its way.
    """
    if target.exists():
        return
    with _LOCK:
        _forget_finished()
        running = _RUNNING.get(target) or _start(source, number, target)
    try:
        running.process.wait(patience)
    except subprocess.TimeoutExpired:
        raise _refused(
            source, number, f"no data set after {patience:.0f} s", "The download continues: try again in a while."
        ) from None
    with _LOCK:
        if _RUNNING.get(target) is running:
            del _RUNNING[target]
        reason = running.reason
    if not target.exists():
        raise _refused(source, number, reason, "Use a data set that is already on this machine, or upload a file.")


def _forget_finished() -> None:
    """Forget downloads that ended after everybody stopped waiting, so that the next caller starts a new one."""
    for path, running in list(_RUNNING.items()):
        if running.process.poll() is not None:
            _ = running.reason
            del _RUNNING[path]


def _start(source: str, number: int, target: Path) -> _Download:
    if len(_RUNNING) >= MOST_AT_ONCE:
        raise _refused(source, number, f"{MOST_AT_ONCE} other downloads running", "Try again in a while.")
    target.parent.mkdir(parents=True, exist_ok=True)
    if len(list(target.parent.glob("*.parquet"))) >= MOST_KEPT:
        raise _refused(
            source, number, f"{MOST_KEPT} others already kept", f"Delete some in {target.parent.name} of the cache folder."
        )
    for path in target.parent.glob(f"{target.stem}.*.part"):
        path.unlink(missing_ok=True)
    limits = map(str, (LARGEST_FILE, MAX_ROWS, MAX_CELLS, LONGEST))
    words, quiet = command("repository_client", source, str(number), str(target), *limits), subprocess.DEVNULL
    _RUNNING[target] = _Download(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=quiet, stdin=quiet))
    return _RUNNING[target]


def _refused(source: str, number: int, found: str, hint: str) -> InvalidInput:
    return InvalidInput(f"data set {source}:{number}", "be fetched from its repository over the network", found, hint)


@atexit.register
def stop() -> None:
    """End all downloads."""
    with _LOCK:
        for running in _RUNNING.values():
            running.process.kill()
            running.process.communicate()
        _RUNNING.clear()


_LARGEST_NUMBER = 10**6
_LONGEST_LABEL = 100


@dataclass(frozen=True)
class Repository:
    """A repository: its key in references, and its name.

    Examples
    --------
    >>> UCI.parse("53"), UCI.parse("184/nephritis")
    ((53, ''), (184, 'nephritis'))
    """

    key: str
    title: str

    def names(self) -> list[str]:
        """Numbers of the data sets that are on this machine."""
        folder = cache_folder() / self.key
        return sorted((path.stem for path in folder.glob("*.parquet") if path.stem.isdigit()), key=int)

    def parse(self, name: str) -> tuple[int, str]:
        """(number, label column or empty) from a name such as 53 or 184/nephritis. Raises InvalidInput."""
        number, _, label = name.partition("/")
        # `int` refuses a text of thousands of digits.
        is_number = number.isascii() and number.isdigit() and len(number) <= len(str(_LARGEST_NUMBER))
        if not is_number or not 0 < int(number) <= _LARGEST_NUMBER:
            raise InvalidInput(
                f"data set of {self.title}",
                f"be a number from 1 to {_LARGEST_NUMBER:,}",
                repr(name[:40]),
                f"Take the number in the address of its page, such as {self.key}:53.",
            )
        if len(label) > _LONGEST_LABEL:
            raise InvalidInput("label column", f"have at most {_LONGEST_LABEL} characters", f"{len(label)}", "Choose another.")
        return int(number), label

    def is_there(self, name: str) -> bool:
        """Whether the data set of that name is on this machine."""
        return self._path(self.parse(name)[0]).exists()

    def fetch(self, name: str, patience: float = PATIENCE) -> None:
        """Fetch the data set. Raises InvalidInput, with the reason, if it is not on this machine after `patience` seconds."""
        number = self.parse(name)[0]
        download(self.key, number, self._path(number), patience)

    def forget(self, name: str) -> None:
        """Delete a data set from this machine."""
        self._path(self.parse(name)[0]).unlink(missing_ok=True)

    def load(self, name: str) -> Dataset:
        """The data set of that name, fetched if it is not on this machine. Raises InvalidInput if it can't be fetched."""
        number, label = self.parse(name)
        self.fetch(name, patience=LONGEST)
        frame = self._read(number)
        targets: list[str] = frame.attrs["targets"]
        label = label or targets[0]
        features = frame.drop(columns=[column for column in targets if column != label])
        others = f"; other label columns: {', '.join(targets)}" if len(targets) > 1 else ""
        return Dataset.from_frame(
            features,
            label,
            key=f"{self.key}:{name}",
            name=frame.attrs["name"],
            description=frame.attrs["description"],
            source=f"{self.title}, data set {number}, label column {label!r}{others}",
            citation=frame.attrs["citation"],
        )

    def _path(self, number: int) -> Path:
        return cache_folder() / self.key / f"{number}.parquet"

    def _read(self, number: int) -> pd.DataFrame:
        path = self._path(number)
        try:
            frame = pd.read_parquet(path)
            _ = frame.attrs["targets"][0], frame.attrs["name"], frame.attrs["description"], frame.attrs["citation"]
        except (OSError, ValueError, KeyError, IndexError) as error:
            # The file is damaged: without it, the data set is fetched again.
            path.unlink(missing_ok=True)
            raise InvalidInput(
                f"data set {self.key}:{number}", "be a table", "a damaged file", "It is deleted: load the data set again."
            ) from error
        return frame


UCI = Repository("uci", "UCI")
OPENML = Repository("openml", "OpenML")
REPOSITORIES: Final[Mapping[str, Repository]] = MappingProxyType({one.key: one for one in (UCI, OPENML)})
