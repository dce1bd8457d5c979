"""A folder of given samples, in the format of the LeQua challenges: a training table, a file for each sample, the true shares.

    training_data.txt        a row for each labelled instance: its label, then its features (or its scores)
    dev_samples/0.txt, ...   a row for each instance of a sample: the same columns without the label
    dev_prevalences.txt      a row for each sample: id, then the share of each class, by the names of the classes

`test_samples` stands with `test_prevalences`, `samples` with `prevalences`; all may end in .csv, too.
Source: Esuli et al. 2022.
"""

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, in_a_line
from qcore.datasets.dataset import Dataset
from qcore.datasets.folder import VARIABLE, data_folder, read_dataset, read_file

SOURCE = "samples"
"""The source of such folders in references, such as samples:T1A."""
PARTS = ("test", "dev", "")
"""Which samples are taken if none are named: the first of these that are there."""
_ENDINGS = (".txt", ".csv")
_BYTES_AT_ONCE = 2**25
"""Files are read together, since a table of many rows is read several times faster than as many small ones."""
_ROUNDED = 1e-3
"""By how much the shares of a sample may miss a sum of 1, as rounded ones do."""


def _file(folder: Path, *names: str) -> Path | None:
    """The first file of these names, with any of the endings."""
    return next((path for name in names for end in _ENDINGS if (path := folder / f"{name}{end}").is_file()), None)


def _title(part: str, what: str) -> str:
    return f"{part}_{what}" if part else what


@dataclass(frozen=True)
class SampleFolder:
    """The folder, of which files are read only as they are asked for.

    Attributes
    ----------
    path : the folder.
    part : "dev" for dev_samples with dev_prevalences, "test", or "" for samples with prevalences; None for the first of test,
        dev and "" that is there.

    Raises InvalidInput for a folder that lacks one of the files, and for tables that do not go together.
    """

    path: Path
    part: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        there = parts_of(self.path)
        if not there or _file(self.path, "training_data", "training") is None:
            rule = "hold training_data.txt, dev_samples and dev_prevalences.txt, or others named like them"
            got = "no such folder" if not self.path.is_dir() else "a folder without one of them"
            raise InvalidInput(f"folder {self.path.name!r}", rule, got, "docs/experiments.md shows the format.")
        if self.part is None:
            object.__setattr__(self, "part", there[0])
        check_choice("part of the samples", self.part, there)

    @cached_property
    def training(self) -> Dataset:
        """The training table."""
        file = _file(self.path, "training_data", "training")
        assert file is not None
        return read_dataset(file, key=f"{SOURCE}:{self.path.name}")

    @cached_property
    def _table(self) -> pd.DataFrame:
        file = _file(self.path, _title(self.part or "", "prevalences"))
        assert file is not None
        # The file is read as text, so that the class 1 is not 1.0.
        table = read_file(file, labelled=False).rename(columns=str)
        if len(table.columns) < 2 or not len(table):
            rule = "have a column of ids and one for each class"
            raise InvalidInput(f"file {file.name!r}", rule, ", ".join(table.columns) or "none", "Begin it with id,0,1.")
        return table.set_index(table.columns[0])

    @property
    def names(self) -> list[str]:
        """The name of each sample."""
        return [str(name) for name in self._table.index]

    @cached_property
    def prevalences(self) -> FloatArray:
        """The true share of each class in each sample, (n_samples, n_classes), classes in the order of the training table."""
        classes, table = self.training.classes, self._table
        if len(table.columns) == 1 and len(classes) == 2:
            table = pd.DataFrame({classes[0]: 1.0 - table.iloc[:, 0], classes[1]: table.iloc[:, 0]})
        if set(table.columns) != set(classes):
            got, hint = ", ".join(table.columns[:10]), "Name its columns as the classes of the training table."
            raise InvalidInput("the table of prevalences", f"have the classes {', '.join(classes)}", in_a_line(got)[:80], hint)
        values = table[list(classes)].apply(pd.to_numeric, errors="coerce").to_numpy(dtype=np.float64)
        wrong = ~((values >= 0.0).all(axis=1) & (np.abs(values.sum(axis=1) - 1.0) <= _ROUNDED))
        if wrong.any():
            name = self.names[int(wrong.argmax())]
            got = f"{values[wrong.argmax()].tolist()} of sample {name}"
            raise InvalidInput("the table of prevalences", "hold shares that sum to 1", got[:80], "Correct that row.")
        return values / values.sum(axis=1, keepdims=True)

    @cached_property
    def files(self) -> list[Path]:
        """The file of each sample. Raises InvalidInput for a missing one."""
        folder = self.path / _title(self.part or "", "samples")
        there = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in _ENDINGS}
        if missing := [name for name in self.names if name not in there]:
            hint = "Put its file there, or leave it out of the table of prevalences."
            raise InvalidInput(f"folder {folder.name!r}", "hold a file for each sample", f"none of sample {missing[0]}", hint)
        return [there[name] for name in self.names]

    @cached_property
    def sizes(self) -> IntArray:
        """Number of instances of each sample, (n_samples,)."""
        return np.array([self._content(path)[2] for path in self.files])

    @property
    def digest(self) -> str:
        """A hash of the names, sizes and times of all files: reading gigabytes to hash them would take longer than scoring."""
        everything = sorted(path for path in self.path.rglob("*") if path.is_file())
        known = [(path.relative_to(self.path).as_posix(), path.stat().st_size, path.stat().st_mtime_ns) for path in everything]
        return hashlib.sha256(repr(known).encode()).hexdigest()

    def tables(self) -> Iterator[pd.DataFrame]:
        """The instances of all samples, one below the other, some tens of megabytes at a time. Raises InvalidInput."""
        waiting, header, n_bytes = list[tuple[Path, bytes, int]](), b"", 0
        for path in self.files:
            begins, rows, n_rows = self._content(path)
            if waiting and (begins != header or n_bytes > _BYTES_AT_ONCE):
                yield _read(header, waiting)
                waiting, n_bytes = [], 0
            header, n_bytes = begins, n_bytes + len(rows)
            waiting.append((path, rows, n_rows))
        yield _read(header, waiting)

    @staticmethod
    def _content(path: Path) -> tuple[bytes, bytes, int]:
        """The header of a file, its rows, and how many these are. Raises InvalidInput for a file without any."""
        header, _, rows = path.read_bytes().strip().partition(b"\n")
        if not rows:
            hint = "Write a row of names, then a row for each instance."
            raise InvalidInput(f"sample {path.name!r}", "hold a header and an instance", "fewer rows", hint)
        return header.strip(), rows, rows.count(b"\n") + 1


def _read(header: bytes, files: list[tuple[Path, bytes, int]]) -> pd.DataFrame:
    """Files of one header as one table. Raises InvalidInput, which names the file, for one that is not a table."""
    how: dict[str, Any] = {"engine": "pyarrow"} if find_spec("pyarrow") else {}
    expected = sum(n_rows for _, _, n_rows in files)
    try:
        table = pd.read_csv(io.BytesIO(b"\n".join([header, *(rows for _, rows, _ in files)])), **how)
        if len(table) == expected:
            return table
        problem = f"{len(table)} of {expected} rows"
    except ValueError as error:
        problem = in_a_line(error)[:80]
    if len(files) > 1:
        for one in files:
            _read(header, [one])
    name = files[0][0].name
    raise InvalidInput(f"sample {name!r}", "be a table with commas, a row for each instance", problem, "Correct that file.")


def write_samples(
    path: str | Path, training: pd.DataFrame, samples: Sequence[pd.DataFrame], prevalences: pd.DataFrame, part: str = "dev"
) -> None:
    """Write a folder of samples, such as those of a study that others are to repeat.

    Parameters
    ----------
    path : the folder, which is made.
    training : a row for each labelled instance, with the column label.
    samples : a table for each sample, with the same columns without the label.
    prevalences : a row for each sample and a column for each class.
    part : "dev", "test" or "".
    """
    folder = Path(path) / _title(part, "samples")
    folder.mkdir(parents=True)
    training.to_csv(Path(path) / "training_data.txt", index=False)
    prevalences.to_csv(Path(path) / f"{_title(part, 'prevalences')}.txt", index_label="id")
    for name, sample in zip(prevalences.index, samples, strict=True):
        sample.to_csv(folder / f"{name}.txt", index=False)


def parts_of(path: Path) -> list[str]:
    """The parts of a folder that have both samples and prevalences, as in PARTS."""
    has_samples = (part for part in PARTS if (path / _title(part, "samples")).is_dir())
    return [part for part in has_samples if _file(path, _title(part, "prevalences"))]


def names() -> list[str]:
    """Names of the folders of samples inside the data folder, sorted."""
    folder = data_folder()
    if folder is None or not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and parts_of(path))


def sample_folder(name: str, part: str | None = None) -> SampleFolder:
    """The folder of that name inside the data folder. Raises InvalidInput if there is none."""
    folder = data_folder()
    if folder is None or name not in names():
        rule = f"be a folder of samples inside the folder that {VARIABLE} names"
        raise InvalidInput("data set", rule, repr(name), "Put it there; docs/experiments.md shows the format.")
    return SampleFolder(folder / name, part)


def load(name: str) -> Dataset:
    """The training table of the folder of that name. Raises InvalidInput as `sample_folder`."""
    return sample_folder(name).training
