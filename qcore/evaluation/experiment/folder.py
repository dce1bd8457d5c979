"""The folder of an experiment: its settings, a Parquet file for each finished cell, where each comes from, and failures.

A file is written under a temporary name and then renamed, so that it is never partial; a killed run can be continued. A line of
a journal holds its checksum, so that a file that was damaged later is noticed, and computed again.
"""

import contextlib
import hashlib
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import pandas as pd

from qcore._base.stored_pieces import PARTS, whole_file
from qcore._base.validation import InvalidInput, optional_package
from qcore.evaluation.experiment.cell import COLUMNS, Cell, cells
from qcore.evaluation.experiment.lock import LOCK, folder_lock
from qcore.evaluation.experiment.provenance import differences, versions
from qcore.evaluation.experiment.settings import ExperimentSettings

FORMAT = 2
_CUT_BY_DRAWS = 1
"""The format before cells were cut by classifier and training size: it can be read, and not be continued."""
SETTINGS_FILE, FORMAT_FILE, DATA = "experiment.toml", "format.json", "data.json"
_CELLS, _ALL, _JOURNAL = "cells", "estimates.parquet", "journal.jsonl"


@dataclass(frozen=True)
class Failure:
    """Why a method, or a whole cell, has no result: a sentence, and the traceback if there is one."""

    reason: str
    traceback: str = ""


@dataclass(frozen=True)
class Origin:
    """Where a result comes from: machine, worker (an address, or the number of a process), versions, hash of the data set."""

    host: str
    worker: str
    versions: Mapping[str, str] = field(default_factory=dict)
    data: str = ""


@dataclass(frozen=True)
class ExperimentFolder:
    """The folder of one experiment.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> folder = tempfile.mkdtemp()
    >>> summary = run_experiment(settings, folder, n_jobs=1)
    >>> kept = ExperimentFolder.open(folder)
    >>> kept.settings == settings, kept.missing()
    (True, [])
    """

    path: Path
    settings: ExperimentSettings

    @classmethod
    def create(cls, path: str | Path, settings: ExperimentSettings) -> "ExperimentFolder":
        """Create the folder, or open it if its settings are the same. Raises InvalidInput for other settings or versions."""
        folder, text = Path(path), settings.to_toml()
        if (folder / SETTINGS_FILE).exists():
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
        begun = {_CELLS, FORMAT_FILE, LOCK}
        if folder.is_dir() and not {one.name for one in folder.iterdir() if not one.match(PARTS)} <= begun:
            raise InvalidInput(f"folder {folder.name!r}", "be empty or hold an experiment", "other files", "Name another one.")
        try:
            (folder / _CELLS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"folder {folder.name!r}", "be one that can be created", str(error.strerror), "Name another."
            ) from error
        made = cls(folder, settings)
        made._write_format()
        _write(folder / SETTINGS_FILE, text.encode())
        return made

    @classmethod
    def open(cls, path: str | Path) -> "ExperimentFolder":
        """Open the folder of an experiment. Raises InvalidInput if it is not one, or is of another version."""
        folder = Path(path)
        if not (folder / SETTINGS_FILE).is_file():
            hint = "Name the folder that python -m qcore experiment wrote."
            raise InvalidInput(f"folder {folder.name!r}", f"hold {SETTINGS_FILE}", "no such file", hint)
        known = _format_in(folder).get("format", "none")
        if known not in (_CUT_BY_DRAWS, FORMAT):
            raise InvalidInput(f"folder {folder.name!r}", f"have version {FORMAT}", f"{known}", "Use another folder.")
        return cls(folder, ExperimentSettings.from_toml((folder / SETTINGS_FILE).read_text()))

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps others from working on the folder. Raises InvalidInput, which says who does."""
        with folder_lock(self.path):
            # What killed runs have left: nobody else writes now.
            for path in (*self.path.glob(PARTS), *(self.path / _CELLS).glob(PARTS)):
                path.unlink(missing_ok=True)
            yield

    def _file(self, cell: Cell) -> Path:
        return self.path / _CELLS / f"{cell.name}.parquet"

    def missing(self) -> list[Cell]:
        """Cells that are not finished; those of which a method failed are among them, and are tried again."""
        if (self.path / _ALL).exists():
            return []
        there = {path.name for path in (self.path / _CELLS).iterdir()}
        is_old = _format_in(self.path).get("format") == _CUT_BY_DRAWS
        every = [(cell, f"{cell.problem:03d}-{cell.draw:03d}" if is_old else cell.name) for cell in cells(self.settings)]
        return [cell for cell, name in every if f"{name}.parquet" not in there or f"{name}.failed.json" in there]

    def finished(self) -> Iterator[tuple[Cell, pd.DataFrame]]:
        """Each finished cell with its estimates. Raises InvalidInput for a damaged file, and where all are combined."""
        if (self.path / _ALL).exists():
            hint = "Send the folder itself."
            raise InvalidInput(f"folder {self.path.name!r}", "hold its cells one by one", "all in one file", hint)
        journal = self.journal()
        for cell in cells(self.settings):
            if (path := self._file(cell)).exists():
                yield cell, _read_table(path, journal.get(path.stem))

    def write(self, cell: Cell, content: bytes, origin: Origin) -> None:
        """Keep the result of a cell, a Parquet file, and where it comes from. Raises InvalidInput if it cannot be written."""
        _write(self._file(cell), content)
        self._note(cell.name, content, origin)

    def _note(self, name: str, content: bytes, origin: Origin | None) -> None:
        line = {"file": name, "sha256": hashlib.sha256(content).hexdigest(), **(asdict(origin) if origin else {})}
        with _said(self.path), (self.path / _JOURNAL).open("a+b") as file:
            # The last line of a run that was killed may be a part of one.
            file.seek(max(file.seek(0, os.SEEK_END) - 1, 0))
            file.write((b"" if file.read() in (b"", b"\n") else b"\n") + json.dumps(line).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def journal(self) -> dict[str, dict[str, Any]]:
        """Name of each file -> its checksum and origin, as written last; files of earlier versions have none."""
        result = dict[str, dict[str, Any]]()
        path = self.path / _JOURNAL
        for line in path.read_bytes().splitlines() if path.exists() else ():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                result[entry["file"]] = entry
        return result

    def damaged(self) -> list[Path]:
        """Files of finished cells that are not as they were written."""
        journal = self.journal()
        return [path for path in sorted((self.path / _CELLS).glob("*.parquet")) if _fault(path, journal.get(path.stem))]

    def mixture(self) -> str:
        """How many cells each machine computed with other versions than those of the folder; empty if none did."""
        wanted = _format_in(self.path).get("versions")
        known = wanted if isinstance(wanted, dict) else {}
        found = Counter((one.get("host"), differences(one.get("versions", {}), known)) for one in self.journal().values())
        return "; ".join(f"{others} ({count} on {host})" for (host, others), count in found.items() if others)

    def note_version(self, *, allow_others: bool = False) -> None:
        """Store these versions of qcore and the libraries, with which the cells are computed from here on.

        Raises InvalidInput if cells were finished with others, which may give other numbers, unless others are allowed.
        """
        known, now = _format_in(self.path), versions()
        noted = known.get("versions")
        before = noted if isinstance(noted, dict) else {}
        others, is_old = differences(now, before), known.get("format") == _CUT_BY_DRAWS
        is_same_qcore = before.get("qcore") == now["qcore"] and not is_old
        if not (is_same_qcore and not others) and any((self.path / _CELLS).glob("*.parquet")) and (is_old or not allow_others):
            named = f"version {before['qcore']}" if "qcore" in before else "an earlier version, which is not noted"
            rule, got = f"be continued by the qcore that began it, {named}", f"version {now['qcore']}"
            got += ", which cuts cells otherwise" if before.get("qcore") == now["qcore"] else ""
            if is_same_qcore:
                rule, got = "be continued with the versions that began it", others
            install = "Install those" if is_same_qcore else "Install the version that began it"
            hint = f"{install}, or name another folder for a new run; this one can still be read."
            option = "" if is_old else " --allow-other-versions continues it all the same."
            raise InvalidInput(f"folder {self.path.name!r}", rule, got, hint + option)
        if before != now or is_old:
            self._write_format()

    def _write_format(self) -> None:
        _write(self.path / FORMAT_FILE, json.dumps({"format": FORMAT, "versions": versions()}, indent=1).encode())

    def data_hashes(self) -> dict[str, str]:
        """Word of each data set that finished cells have used -> the hash of its content."""
        path = self.path / DATA
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

    def check_data(self, now: Mapping[str, str], *, on: str = "") -> None:
        """Raise InvalidInput if a data set has changed since cells were finished with it; `on` names the worker that has it."""
        before = self.data_hashes()
        if others := [word for word in before if word in now and before[word] != now[word]]:
            rule = f"be run with the same data set {others[0]!r}"
            hint = "Name another folder, or delete this one." if not on else "Give all workers the same file, and go on."
            got = f"another one {on}".strip() + " than in its finished cells"
            raise InvalidInput(f"folder {self.path.name!r}", rule, got, hint)

    def note_data(self, word: str, content: str) -> None:
        """Store the hash of a data set's content, which a finished cell has used."""
        known = self.data_hashes()
        if word not in known:
            _write(self.path / DATA, json.dumps({word: content, **known}, indent=1).encode())

    def _failure(self, cell: Cell) -> Path:
        return self.path / _CELLS / f"{cell.name}.failed.json"

    def fail(self, cell: Cell, failures: Mapping[str, Failure], origin: Origin) -> None:
        """Record why methods of a cell have no result, by their names; no names: the cell has none of its methods."""
        of_cell = {"data": self.settings.problems[cell.problem].name, "host": origin.host, "worker": origin.worker}
        methods = {name: asdict(one) for name, one in failures.items()}
        _write(self._failure(cell), json.dumps({**of_cell, "methods": methods}, indent=1).encode())

    def forget_failure(self, cell: Cell) -> None:
        """Remove the record of a failure: the cell is finished."""
        self._failure(cell).unlink(missing_ok=True)

    def failed_cells(self) -> list[str]:
        """The names of the cells that have no result of a method."""
        return [path.name.partition(".")[0] for path in sorted((self.path / _CELLS).glob("*.failed.json"))]

    def failures(self) -> dict[str, str]:
        """Name of each failed cell, with its data set and method -> why it has no result."""
        result = {}
        for name in self.failed_cells():
            record = json.loads((self.path / _CELLS / f"{name}.failed.json").read_text())
            for method, failure in record.get("methods", {"": record}).items():
                result[f"{name} ({', '.join(filter(None, (record['data'], method)))})"] = str(failure["reason"])
        return result

    def tables(self) -> Iterator[pd.DataFrame]:
        """The finished cells, those of one problem after those of the other, in order: memory holds only one problem.

        Raises InvalidInput for a damaged file, or where nothing is finished.
        """
        whole, journal, found = self.path / _ALL, self.journal(), False
        if whole.exists() and (fault := _fault(whole, journal.get(whole.stem))):
            raise _damage(whole, fault, "Take it from a copy, or delete it and run the experiment again.")
        for number, name in enumerate(self.settings.problem_names):
            if whole.exists():
                parts = [_readable(_parquet().read_table(whole, filters=[("data", "==", name)]), whole)]
            else:
                paths = sorted((self.path / _CELLS).glob(f"{number:03d}-*.parquet"))
                parts = [_read_table(path, journal.get(path.stem)) for path in paths]
            if parts := [part for part in parts if len(part)]:
                found = True
                yield pd.concat(parts, ignore_index=True)
        if not found:
            raise InvalidInput(f"folder {self.path.name!r}", "hold a finished cell", "none", "Run the experiment first.")

    def read(self) -> pd.DataFrame:
        """All finished cells in order. Raises InvalidInput for a damaged file, or where nothing is finished."""
        return pd.concat(list(self.tables()), ignore_index=True)

    def combine(self) -> None:
        """Combine all cells into one file, for archiving a run. Raises InvalidInput while cells are missing."""
        missing = self.missing()
        if missing:
            rule, hint = "have all its cells", "Run the experiment to its end first."
            raise InvalidInput(f"folder {self.path.name!r}", rule, f"{len(missing)} missing", hint)
        if (self.path / _ALL).exists():
            return
        with self.locked():
            schemas = [_parquet().read_schema(path) for path in sorted((self.path / _CELLS).glob("*.parquet"))]
            columns = list(dict.fromkeys(name for schema in schemas for name in schema.names))
            _combine((table.reindex(columns=columns) for table in self.tables()), self.path / _ALL)
            self._note((self.path / _ALL).stem, (self.path / _ALL).read_bytes(), None)
            for path in (self.path / _CELLS).glob("*.parquet"):
                path.unlink()


def _format_in(folder: Path) -> dict[str, object]:
    """The file of versions; empty if there is none that can be read."""
    with contextlib.suppress(OSError, ValueError):
        known = json.loads((folder / FORMAT_FILE).read_text())
        return known if isinstance(known, dict) else {}
    return {}


@contextlib.contextmanager
def _said(folder: Path) -> Iterator[None]:
    """Raise InvalidInput, which says how to go on, where something cannot be written: the disk is full, or has gone."""
    try:
        yield
    except OSError as error:
        hint = "Make room or correct that, and give the same command again: it continues after the finished cells."
        raise InvalidInput(f"folder {folder.name!r}", "be one that can be written to", f"{error.strerror}", hint) from error


def _write(path: Path, content: bytes) -> None:
    # Only its owner can read a temporary file; results are for everybody who may read the folder.
    with _said(path.parent), whole_file(path, mode=0o644) as file:
        file.write(content)


def parquet_of(table: pd.DataFrame) -> bytes:
    """A table as a Parquet file, which is the same, byte for byte, however pandas keeps texts in this process."""
    kinds = {
        name: pd.StringDtype("pyarrow", na_value=kind.na_value)
        for name, kind in table.dtypes.items()
        if isinstance(kind, pd.StringDtype)
    }
    return bytes(table.astype(kinds).to_parquet(None, engine="pyarrow", index=False, compression="zstd"))


def _parquet() -> Any:
    return optional_package("pyarrow.parquet", "keep the results of experiments", '"quantification-lab[experiments]"')


def _combine(tables: Iterator[pd.DataFrame], path: Path) -> None:
    """Write one file with a row group for each problem, so that one can be read without the others."""
    with _said(path.parent), whole_file(path, mode=0o644) as file:
        writer = None
        for table in tables:
            part = _parquet().read_table(io.BytesIO(parquet_of(table)))
            writer = writer or _parquet().ParquetWriter(file, part.schema, compression="zstd")
            writer.write_table(part)
        if writer:
            writer.close()


def _fault(path: Path, entry: Mapping[str, object] | None) -> str:
    """What is wrong with a file, by its checksum or, if none was noted, by reading it; empty if nothing is."""
    try:
        if entry is None:
            _parquet().read_table(path)
            return ""
        with path.open("rb") as file:
            return "" if hashlib.file_digest(file, "sha256").hexdigest() == entry.get("sha256") else "another checksum"
    except (OSError, ValueError) as error:
        return str(error)[:60]


def _damage(path: Path, fault: str, hint: str) -> InvalidInput:
    return InvalidInput(f"file {path.name!r}", "be a whole Parquet file, as it was written", fault, hint)


def _read_table(path: Path, entry: Mapping[str, object] | None) -> pd.DataFrame:
    if fault := _fault(path, entry):
        raise _damage(path, fault, "Run the experiment again: only this cell is computed again.")
    return _readable(_parquet().read_table(path), path)


def _readable(table: Any, path: Path) -> pd.DataFrame:
    """The table of a file as pandas has it. Raises InvalidInput if it lacks a column."""
    if lacking := [name for name in COLUMNS if name not in table.column_names]:
        rule, hint = f"have the columns {', '.join(COLUMNS)}", "Delete it and run the experiment again."
        raise InvalidInput(f"file {path.name!r}", rule, f"none called {lacking[0]}", hint)
    return table.to_pandas()
