"""Fetches a data set with the repository's own client, in a separate process, see `limited_process`.

A process, unlike a library call, can have limits: on seconds, bytes of an answer, rows, cells and memory. It writes the table,
with the repository's description, as Parquet, or prints why there is none.
"""

import http.client
import json
import os
import re
import socket
import sys
import urllib.error
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pandas as pd

from qcore.datasets.limited_process import limit_memory_and_time
from qcore.datasets.table_limits import MISSING

SECONDS_OF_SILENCE = 10.0
_MEMORY = 4 * 2**30
_HOSTS = {"uci": r"archive\.ics\.uci\.edu", "openml": r"(?:[a-z0-9-]+\.)?openml\.org"}


class AnswerTooLongError(Exception):
    """An answer has more bytes than are allowed."""


class ForeignAddressError(Exception):
    """The repository has named an address that is not its own."""


class LimitedResponse(http.client.HTTPResponse):
    """An answer that is read up to a limit; it raises an error if it is longer than that, or is cut off."""

    limit = 0
    taken = 0

    def read(self, amt: int | None = None) -> bytes:
        """Like `HTTPResponse.read`, within the limit."""
        if amt is not None:
            return self._counted(super().read(amt))
        parts = list(iter(lambda: self._counted(super(LimitedResponse, self).read(2**20)), b""))
        if self.length:
            raise http.client.IncompleteRead(b"", self.length)
        return b"".join(parts)

    def _counted(self, part: bytes) -> bytes:
        self.taken += len(part)
        if self.taken > self.limit:
            raise AnswerTooLongError
        return part


def _mirror(source: str) -> str:
    """The address of the repository's mirror that is asked in its place; empty for none."""
    return os.environ.get(f"QUANTIFICATION_LAB_{source.upper()}", "").rstrip("/")


def is_of(source: str, address: str) -> bool:
    """Whether an address is the repository's own: https on its hosts, or on the mirror's host and port as it is given."""
    own = re.escape(_mirror(source)) or rf"https://{_HOSTS[source]}(?::443)?"
    return re.match(rf"{own}(?:[/?#]|\Z)", address, re.IGNORECASE) is not None


def _check(source: str, address: str) -> None:
    if not is_of(source, address):
        raise ForeignAddressError(address)


def _stay_at(source: str) -> None:
    """Refuse all addresses but the repository's from now on, those of redirects, too, whichever client asks urllib for them."""
    sys.addaudithook(lambda event, arguments: _check(source, arguments[0]) if event == "urllib.Request" else None)


def fetch_uci(number: int) -> pd.DataFrame:
    """The data set of that number in UCI's repository, with `attrs` as described in `repositories`."""
    from ucimlrepo import fetch, fetch_ucirepo

    address = _mirror("uci")
    if address:
        fetch.API_BASE_URL = f"{address}/api/dataset"
    read_csv = pd.read_csv

    def read_of_repository(address: str) -> pd.DataFrame:
        # pandas would also read a file of this machine, by its path or by a protocol that urllib does not know.
        _check("uci", address)
        return read_csv(address)

    fetch.pd.read_csv = read_of_repository
    result = fetch_ucirepo(id=number)
    if result.data.targets is None or result.data.features is None:
        raise LookupError("a data set without a column of classes")
    features, targets = cleaned(result.data.features), result.data.targets.replace(list(MISSING), None)
    table = pd.concat([features, targets], axis=1)
    about = result.metadata
    table.attrs = {
        "name": str(about.name),
        "targets": list(result.data.targets.columns),
        "description": str(about.abstract or ""),
        "citation": f"UCI Machine Learning Repository, data set {number}. DOI {about.dataset_doi or 'not given'}.",
    }
    return table


def fetch_openml(number: int) -> pd.DataFrame:
    """The data set of that number at OpenML, with `attrs` as described in `repositories`."""
    from sklearn.datasets import _openml

    address = _mirror("openml")
    if address:
        for name in ("_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
            setattr(_openml, name, getattr(_openml, name).replace("https://www.openml.org", address))
    # The faster parser, "pandas", fails where the values of a nominal column are numbers (scikit-learn 1.9).
    result = _openml.fetch_openml(data_id=number, as_frame=True, cache=False, parser="liac-arff", n_retries=1)
    if not result.target_names:
        raise LookupError("a data set without a column of classes")
    table = pd.DataFrame(result.frame)
    table.attrs = {
        "name": str(result.details["name"]),
        "targets": list(result.target_names),
        "description": str(result.DESCR)[:2000],
        "citation": f"OpenML, data set {number}. Vanschoren, J. et al. (2013). OpenML: networked science in machine learning. "
        "SIGKDD Explorations 15, 49-60.",
    }
    return table


FETCHERS: Final[dict[str, Callable[[int], pd.DataFrame]]] = {"uci": fetch_uci, "openml": fetch_openml}


_REASONS: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...]] = (
    ((AnswerTooLongError, MemoryError), "more than this app reads"),
    (ForeignAddressError, "an address that is not the repository's"),
    ((http.client.IncompleteRead, EOFError), "an answer that was cut off"),
    (KeyError, "a table without the columns that it names"),
    (urllib.error.HTTPError, "an error in place of an answer"),
    ((OSError, http.client.HTTPException), "no answer"),
)


def reason(error: Exception) -> str:
    """Why there is no data set, in words."""
    if isinstance(error, ImportError):
        return f"no package {error.name} in this installation (pip install {error.name})"
    if "md5" in str(error):
        return "a file that differs from its checksum"
    if type(error).__name__ in ("LookupError", "DatasetNotFoundError", "OpenMLError"):
        return " ".join(str(error).split())[:160]
    return next((words for kind, words in _REASONS if isinstance(error, kind)), "an answer that is not a data set")


def _limit(n_bytes: int, seconds: float) -> None:
    socket.setdefaulttimeout(SECONDS_OF_SILENCE)
    LimitedResponse.limit = n_bytes
    http.client.HTTPConnection.response_class = LimitedResponse
    limit_memory_and_time(_MEMORY, seconds)


def cleaned(table: pd.DataFrame) -> pd.DataFrame:
    """The table with UCI's question marks as missing values, and with columns of numbers and few words turned into numbers."""
    columns = {}
    for name in table.columns:
        column = table[name].replace(list(MISSING), None) if not pd.api.types.is_numeric_dtype(table[name]) else table[name]
        numbers = pd.to_numeric(column, errors="coerce")
        columns[name] = numbers if numbers.notna().sum() >= 0.95 * max(column.notna().sum(), 1) else column
    return pd.DataFrame(columns)


def _write(table: pd.DataFrame, target: Path) -> None:
    # Parquet has no columns of mixed types.
    mixed = table.select_dtypes("object").columns
    table = table.assign(**{name: table[name].map(str).where(table[name].notna()) for name in mixed})
    part = target.with_suffix(f".{os.getpid()}.part")
    table.to_parquet(part, index=False)
    part.replace(target)


def main(source: str, number: str, target: str, *limits: str) -> int:
    """Fetch a data set and write it, within limits of bytes, rows, cells and seconds. Returns 0 on success."""
    n_bytes, n_rows, n_cells, seconds = map(float, limits)
    warnings.simplefilter("ignore")
    try:
        _limit(int(n_bytes), seconds)
        _stay_at(source)
        table = FETCHERS[source](int(number))
        if len(table) > n_rows or table.size > n_cells:
            raise AnswerTooLongError
        _write(table, Path(target))
    except Exception as error:
        # Whatever error a client raises, the user gets a sentence.
        print(json.dumps({"reason": reason(error), "error": repr(error)[:500]}))
        return 1
    return 0
