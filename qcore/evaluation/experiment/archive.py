"""An experiment as one file, to be kept, sent and gone on with: a ZIP of its settings, versions and finished cells.

    experiment.toml   the settings
    format.json       the versions with which the cells were computed
    data.json         the hashes of the data sets
    estimates.csv     a row for each method and sample, with the cell that it is of

Cells are text, and not Parquet: nothing of a file that anybody may send is read by more than a reader of text.
"""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from qcore._base.validation import InvalidInput, in_a_line
from qcore.evaluation.experiment.cell import COLUMNS, cells, ordered_columns
from qcore.evaluation.experiment.folder import DATA, FORMAT_FILE, SETTINGS_FILE, ExperimentFolder, Origin, parquet_of
from qcore.evaluation.experiment.settings import ExperimentSettings

_ESTIMATES = "estimates.csv"
_LARGEST = 2**28
"""Bytes of the unpacked file, which a small one could claim to be many times as large."""
_WAY_OUT = "Choose a file that this page, or `archived`, has written."


def archived(folder: ExperimentFolder) -> bytes:
    """The settings and finished cells of an experiment as the bytes of a ZIP file. Raises InvalidInput for a damaged cell.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> path = tempfile.mkdtemp()
    >>> summary = run_experiment(settings, path, n_jobs=1)
    >>> archived(ExperimentFolder.open(path))[:2]
    b'PK'
    """
    parts = [table.assign(cell=cell.name) for cell, table in folder.finished()]
    estimates = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*COLUMNS, "cell"])
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for name in (SETTINGS_FILE, FORMAT_FILE, DATA):
            if (folder.path / name).is_file():
                file.writestr(name, (folder.path / name).read_bytes())
        file.writestr(_ESTIMATES, estimates.to_csv(index=False))
    return written.getvalue()


def unpacked(content: bytes, path: str | Path) -> ExperimentFolder:
    """The experiment of such a file in a new folder, where a run can continue it.

    Raises InvalidInput for any other file, for settings with user-defined Python classes, which would be imported, and for
    estimates that the settings do not have.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> path = tempfile.mkdtemp()
    >>> summary = run_experiment(settings, path, n_jobs=1)
    >>> copy = unpacked(archived(ExperimentFolder.open(path)), tempfile.mkdtemp() + "/copy")
    >>> copy.settings == settings
    True
    """
    parts = _parts(content)
    settings = ExperimentSettings.from_toml(_text(parts[SETTINGS_FILE]))
    settings.check_no_user_class()
    estimates = _checked(parts[_ESTIMATES], settings)
    folder = ExperimentFolder.create(path, settings)
    for name in (FORMAT_FILE, DATA):
        if name in parts:
            known = _object(name, parts[name])
            (folder.path / name).write_text(json.dumps(known, indent=1))
    by_name = {cell.name: cell for cell in cells(settings)}
    for cell, rows in estimates.groupby("cell", sort=False):
        kept = rows.drop(columns="cell").dropna(axis=1, how="all")
        table = kept.reindex(columns=ordered_columns(kept)).reset_index(drop=True)
        folder.write(by_name[str(cell)], parquet_of(table), Origin("an uploaded file", ""))
    return folder


def _parts(content: bytes) -> dict[str, bytes]:
    """The files inside by their names. Raises InvalidInput for a file that is no such ZIP, or unpacks to too much."""
    wanted, parts, left = (SETTINGS_FILE, FORMAT_FILE, DATA, _ESTIMATES), dict[str, bytes](), _LARGEST
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            for name in wanted:
                if name in file.namelist():
                    with file.open(name) as part:
                        parts[name] = part.read(left + 1)
                    left -= len(parts[name])
                    if left < 0:
                        got = f"more than {_LARGEST // 2**20} MB"
                        raise InvalidInput("the experiment", "be smaller unpacked", got, "Use the command for it.")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput("the experiment", "be a ZIP file", in_a_line(error)[:60], _WAY_OUT) from error
    for name in (SETTINGS_FILE, _ESTIMATES):
        if name not in parts:
            raise InvalidInput("the experiment", f"hold {name}", ", ".join(parts) or "another ZIP file", _WAY_OUT)
    return parts


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("the settings", "be text in UTF-8", str(error)[:60], _WAY_OUT) from error


def _object(name: str, content: bytes) -> dict[str, object]:
    try:
        known = json.loads(content)
    except ValueError as error:
        raise InvalidInput(name, "be JSON", in_a_line(error)[:60], _WAY_OUT) from error
    if not isinstance(known, dict):
        raise InvalidInput(name, "hold names and values", repr(known)[:40], _WAY_OUT)
    return known


def _checked(content: bytes, settings: ExperimentSettings) -> pd.DataFrame:
    """The estimates, with the types that a run writes. Raises InvalidInput for others than the settings have."""
    texts = {"data": str, "method": str, "cell": str}
    try:
        table = pd.read_csv(io.BytesIO(content), dtype=texts, keep_default_na=False, na_values=[""])
    except ValueError as error:
        raise InvalidInput(_ESTIMATES, "be a table", in_a_line(error)[:60], _WAY_OUT) from error
    if lacking := [name for name in (*COLUMNS, "cell") if name not in table]:
        raise InvalidInput(_ESTIMATES, f"have the columns {', '.join(COLUMNS)}", f"none called {lacking[0]}", _WAY_OUT)
    known = {
        "data": settings.problem_names,
        "method": settings.methods,
        "cell": [cell.name for cell in cells(settings)],
    }
    for name, values in known.items():
        if len(others := table.loc[~table[name].isin(values), name]):
            raise InvalidInput(f"{name} of {_ESTIMATES}", "be of the settings", repr(others.iloc[0])[:60], _WAY_OUT)
    numbers = table.drop(columns=[*texts])
    shares = [str(name) for name in numbers if str(name).startswith(("target", "prevalence", "estimate"))]
    wrong = [name for name in numbers if not pd.api.types.is_numeric_dtype(numbers[name]) and len(numbers)]
    wrong += [name for name in shares if name not in wrong and not numbers[name].dropna().between(0.0, 1.0).all()]
    whole = ("draw", "training_size", "size", "repeat")
    wrong += [name for name in whole if name not in wrong and not pd.api.types.is_integer_dtype(numbers[name]) and len(numbers)]
    if wrong:
        rule = "hold shares from 0 to 1 and whole numbers"
        raise InvalidInput(f"{wrong[0]} of {_ESTIMATES}", rule, "others", _WAY_OUT)
    return table.astype(dict.fromkeys(shares, np.float64))
