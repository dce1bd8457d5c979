"""The results of an experiment: a folder with its settings, a Parquet file for each finished cell, and reasons for failures.

A file is written under a temporary name and then renamed, so that it is never partial; a killed run can be continued.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

import qcore
from qcore._base.stored_pieces import PARTS, whole_file
from qcore._base.validation import InvalidInput, check_choice
from qcore.datasets import Dataset, DatasetReference
from qcore.datasets.folder import content_digest
from qcore.evaluation.experiment.cell import COLUMNS, Cell, cells
from qcore.evaluation.experiment.settings import ExperimentSettings
from qcore.losses import LOSSES, ORDERED_LOSSES, Smoothing

FORMAT = 1
COMPARED = {key: loss for key, loss in {**LOSSES, **ORDERED_LOSSES}.items() if not loss.signed}
UNSIGNED = tuple(COMPARED)
"""Losses by which methods can be ranked; for a signed loss, the lowest value is not the best."""
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")
_SETTINGS, _FORMAT, _CELLS, _ALL = "experiment.toml", "format.json", "cells", "estimates.parquet"
_DATA = "data.json"


@dataclass(frozen=True)
class ExperimentFolder:
    """The folder of one experiment."""

    path: Path
    settings: ExperimentSettings

    @classmethod
    def create(cls, path: str | Path, settings: ExperimentSettings) -> ExperimentFolder:
        """Create the folder, or open it if its settings are the same. Raises InvalidInput for other settings or versions."""
        folder, text = Path(path), settings.to_toml()
        if (folder / _SETTINGS).exists():
            known = cls.open(folder)
            now = ExperimentSettings.from_toml(text)
            if known.settings != now:
                differs = [one.name for one in fields(now) if getattr(now, one.name) != getattr(known.settings, one.name)]
                hint = "Name another folder, or run the settings that are in it."
                got = f"one with other {', '.join(differs)}"
                raise InvalidInput(f"folder {folder.name!r}", "have the same settings", got, hint)
            return known
        if folder.exists() and not folder.is_dir():
            raise InvalidInput(f"{folder.name!r}", "be a folder", "a file", "Name another one.")
        # A run that was killed while creating the folder leaves a part of it.
        if folder.is_dir() and not {one.name for one in folder.iterdir() if not one.match(PARTS)} <= {_CELLS, _FORMAT}:
            raise InvalidInput(f"folder {folder.name!r}", "be empty or hold an experiment", "other files", "Name another one.")
        try:
            (folder / _CELLS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"folder {folder.name!r}", "be one that can be created", str(error.strerror), "Name another."
            ) from error
        made = cls(folder, settings)
        made._write_format()
        _write(folder / _SETTINGS, text.encode())
        return made

    def clear(self) -> None:
        """Remove the partial files of killed runs."""
        for path in (*self.path.glob(PARTS), *(self.path / _CELLS).glob(PARTS)):
            path.unlink(missing_ok=True)

    @classmethod
    def open(cls, path: str | Path) -> ExperimentFolder:
        """Open the folder of an experiment. Raises InvalidInput if it is not one, or is of another version."""
        folder = Path(path)
        if not (folder / _SETTINGS).is_file():
            hint = "Name the folder that python -m qcore experiment wrote."
            raise InvalidInput(f"folder {folder.name!r}", f"hold {_SETTINGS}", "no such file", hint)
        try:
            version = json.loads((folder / _FORMAT).read_text())["format"]
        except (OSError, ValueError, KeyError, TypeError):
            version = "none"
        if version != FORMAT:
            raise InvalidInput(f"folder {folder.name!r}", f"have version {FORMAT}", f"{version}", "Use another folder.")
        return cls(folder, ExperimentSettings.from_toml((folder / _SETTINGS).read_text()))

    def _file(self, cell: Cell) -> Path:
        return self.path / _CELLS / f"{cell.name}.parquet"

    def missing(self) -> list[Cell]:
        """Cells that are not finished; failed cells are among them, and are tried again."""
        if (self.path / _ALL).exists():
            return []
        return [cell for cell in cells(self.settings) if not self._file(cell).exists()]

    def write(self, cell: Cell, table: pd.DataFrame) -> None:
        """Keep the result of a cell."""
        _write_table(self._file(cell), table)
        self._failure(cell).unlink(missing_ok=True)

    def note_version(self) -> None:
        """Store this version of qcore, which computes the cells from here on.

        Raises InvalidInput if cells were finished by another one, which may give other numbers.
        """
        versions, now = json.loads((self.path / _FORMAT).read_text()).get("versions"), qcore.__version__
        before = versions.get("qcore") if isinstance(versions, dict) else None
        if before == now:
            return
        if any((self.path / _CELLS).glob("*.parquet")):
            by = f"version {before}" if before else "an earlier version, which is not noted"
            install = f"Install version {before}" if before else "Install the version that began it"
            hint = f"{install}, or name another folder for a new run; this one can still be read."
            raise InvalidInput(
                f"folder {self.path.name!r}", f"be continued by the qcore that began it, {by}", f"version {now}", hint
            )
        self._write_format()

    def _write_format(self) -> None:
        _write(self.path / _FORMAT, json.dumps({"format": FORMAT, "versions": _versions()}, indent=1).encode())

    def data_hashes(self) -> dict[str, str]:
        """Word of each of the user's data sets that finished cells have used -> the hash of its content."""
        path = self.path / _DATA
        if not path.exists():
            return {}
        try:
            known = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            known = str(error)[:60]
        if not isinstance(known, dict) or not all(isinstance(text, str) for text in known.values()):
            hint = "Delete it; later changes of data sets then go unnoticed."
            raise InvalidInput(f"file {path.name!r}", "hold hashes of data sets by their words", repr(known)[:60], hint)
        return known

    def check_data(self, now: Mapping[str, str]) -> None:
        """Raise InvalidInput if a data set of the user's has changed since cells were finished with it."""
        before = self.data_hashes()
        if others := [word for word in before if word in now and before[word] != now[word]]:
            rule, hint = f"be run with the same data set {others[0]!r}", "Name another folder, or delete this one."
            raise InvalidInput(f"folder {self.path.name!r}", rule, "another one than in its finished cells", hint)

    def note_data(self, word: str, content: str) -> None:
        """Store the hash of a data set's content, which a finished cell has used."""
        known = self.data_hashes()
        if word not in known:
            _write(self.path / _DATA, json.dumps({word: content, **known}, indent=1).encode())

    def _failure(self, cell: Cell) -> Path:
        return self.path / _CELLS / f"{cell.name}.failed.json"

    def fail(self, cell: Cell, reason: str) -> None:
        """Record why a cell has no result."""
        _write(self._failure(cell), json.dumps({"data": self.settings.problems[cell.problem].name, "reason": reason}).encode())

    def failures(self) -> dict[str, str]:
        """Name of each failed cell, with its data set -> why it has no result."""
        result = {}
        for path in sorted((self.path / _CELLS).glob("*.failed.json")):
            if path.with_name(path.name.replace(".failed.json", ".parquet")).exists():
                # The run was killed after it wrote the result.
                continue
            record = json.loads(path.read_text())
            result[f"{path.name.partition('.')[0]} ({record['data']})"] = str(record["reason"])
        return result

    def read(self) -> pd.DataFrame:
        """All finished cells in order. Raises InvalidInput for a damaged file, or where nothing is finished."""
        whole = self.path / _ALL
        files = [whole] if whole.exists() else sorted((self.path / _CELLS).glob("*.parquet"))
        if not files:
            raise InvalidInput(f"folder {self.path.name!r}", "hold a finished cell", "none", "Run the experiment first.")
        return pd.concat([_read_table(path) for path in files], ignore_index=True)

    def combine(self) -> None:
        """Combine all cells into one file, for archiving a run. Raises InvalidInput while cells are missing."""
        missing = self.missing()
        if missing:
            rule, hint = "have all its cells", "Run the experiment to its end first."
            raise InvalidInput(f"folder {self.path.name!r}", rule, f"{len(missing)} missing", hint)
        table = self.read()
        _write_table(self.path / _ALL, table)
        for path in (self.path / _CELLS).glob("*.parquet"):
            path.unlink()


def data_hashes(settings: ExperimentSettings, data_sets: Mapping[str, Dataset], *, elsewhere: bool = False) -> dict[str, str]:
    """Word of each data set of the user's -> the hash of its content: of a table in `data_sets`, or a file of the folder.

    With `elsewhere`, files are left out, since a cluster may have others; so are files that are missing.
    """
    result = {}
    for word in dict.fromkeys(problem.data for problem in settings.problems):
        if word in data_sets:
            result[word] = _hash_of_table(data_sets[word])
        elif not elsewhere and (content := content_digest(DatasetReference.parse(word))):
            result[word] = content
    return result


def _hash_of_table(data: Dataset) -> str:
    columns = [pd.util.hash_pandas_object(data.features, index=False), pd.util.hash_pandas_object(pd.Series(data.labels))]
    names = repr([*data.features.columns, *data.nominal, data.default_positive]).encode()
    return hashlib.sha256(b"".join([names, *(column.to_numpy().tobytes() for column in columns)])).hexdigest()


def _versions() -> dict[str, str]:
    return {"qcore": qcore.__version__, "python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}


def _write(path: Path, content: bytes) -> None:
    # Only its owner can read a temporary file; results are for everybody who may read the folder.
    with whole_file(path, mode=0o644) as file:
        file.write(content)


def _write_table(path: Path, table: pd.DataFrame) -> None:
    # The file is the same, byte for byte, however pandas keeps texts in this process.
    kinds = {
        name: pd.StringDtype("pyarrow", na_value=kind.na_value)
        for name, kind in table.dtypes.items()
        if isinstance(kind, pd.StringDtype)
    }
    _write(path, table.astype(kinds).to_parquet(None, engine="pyarrow", index=False, compression="zstd"))


def _read_table(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError) as error:
        hint = "Delete it and run the experiment again: only this cell is computed again."
        raise InvalidInput(f"file {path.name!r}", "be a whole Parquet file", str(error)[:60], hint) from error
    if lacking := [name for name in COLUMNS if name not in table.columns]:
        rule, hint = f"have the columns {', '.join(COLUMNS)}", "Delete it and run the experiment again."
        raise InvalidInput(f"file {path.name!r}", rule, f"none called {lacking[0]}", hint)
    return table


def read_experiment(path: str | Path) -> tuple[ExperimentSettings, pd.DataFrame]:
    """Settings and estimates of a folder: a row for each method and sample, columns COLUMNS. Raises InvalidInput."""
    folder = ExperimentFolder.open(path)
    return folder.settings, folder.read()


def compared_losses(
    estimates: pd.DataFrame, settings: ExperimentSettings, loss: str = "AE", smoothing: Smoothing = "additive"
) -> pd.DataFrame:
    """The losses by which methods are ranked: `mean_losses`, but averaged over all samples if prevalences are random.

    Random prevalences are not equally frequent; if methods were ranked at each, rare ones would count as much as frequent ones.
    Where there are several sample sizes, `size` is one more column, and methods are ranked at each size: else the errors of the
    smallest samples, which are the largest, would decide. (Maletzke et al. 2020, Figure 6, combines ranks of all sizes, too,
    but ranks of mean errors over all prevalences, where `compare` ranks at each.)
    """
    sizes = ("size",) if settings.sampling.has_several_sizes else ()
    if settings.sampling.has_random_prevalences:
        estimates = estimates.assign(target=0.0)
    return mean_losses(estimates, settings, loss, smoothing, sizes)


def mean_losses(
    estimates: pd.DataFrame,
    settings: ExperimentSettings,
    loss: str = "AE",
    smoothing: Smoothing = "additive",
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """Mean loss of each method on each data set at each requested prevalence: data, method, prevalence, loss, and `by`.

    Requested prevalences that are drawn at random are rounded to tenths. `by` are further columns of the estimates, such
    as training_size. Source: Barranquero 2013, 4.1: losses are averaged over the folds.
    """
    check_choice("loss", loss, UNSIGNED)
    values = np.empty(len(estimates))
    sizes = estimates["size"].to_numpy()
    for size in np.unique(sizes):
        rows = sizes == size
        true, estimate = (estimates[name].to_numpy()[rows] for name in ("prevalence", "estimate"))
        values[rows] = COMPARED[loss].binary(true, estimate, sample_size=int(size), smoothing=smoothing)
    requested = estimates["target"].round(1 if settings.sampling.has_random_prevalences else 6)
    table = estimates[["data", "method", *by]].assign(prevalence=requested, loss=values)
    return table.groupby(["data", "method", *by, "prevalence"], sort=False)["loss"].mean().reset_index()
