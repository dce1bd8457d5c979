"""A repository of data sets: those already on this machine, and any other by its number.

The file of a data set is a Parquet table whose `attrs` hold its name, its targets (the columns of classes, the default first),
a description and a citation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets.cache_folder import cache_folder
from qcore.datasets.dataset import Dataset
from qcore.datasets.repositories.download import LONGEST, PATIENCE, download

_LARGEST_NUMBER: Final = 10**6
_LONGEST_LABEL: Final = 100


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
            features, label, key=f"{self.key}:{name}", name=frame.attrs["name"], description=frame.attrs["description"],
            source=f"{self.title}, data set {number}, label column {label!r}{others}", citation=frame.attrs["citation"],
        )  # fmt: skip

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


UCI: Final = Repository("uci", "UCI")
OPENML: Final = Repository("openml", "OpenML")
REPOSITORIES: Final[Mapping[str, Repository]] = MappingProxyType({one.key: one for one in (UCI, OPENML)})
