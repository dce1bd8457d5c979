"""Where results come from: the versions with which a process computes, and the content of the data sets that it uses."""

import hashlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec

import pandas as pd

import qcore
from qcore._base.stored_pieces import digest_of_sources
from qcore.datasets import Dataset, DatasetReference, sample_folder
from qcore.datasets.folder import content_digest
from qcore.evaluation.experiment.settings import ExperimentSettings

SOURCES = "sources of qcore"
"""The name under which a hash of qcore's own files stands beside the versions: a copy that was changed has the same version."""

_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "pyarrow")
_MODULES = {"scikit-learn": "sklearn"}


def versions() -> dict[str, str]:
    """The versions of all on which the numbers and files of a cell depend, in this process."""
    return {
        "python": platform.python_version(),
        "qcore": qcore.__version__,
        SOURCES: digest_of_sources()[:12],
        **{name: version(name) for name in _PACKAGES if find_spec(_MODULES.get(name, name))},
    }


def differences(found: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """What of `found` differs from `wanted`, as text for a message; empty if nothing does. What only one has does not count."""
    both = [name for name in wanted if name in found and found[name] != wanted[name]]
    return ", ".join(f"{name} {found[name] or 'missing'} instead of {wanted[name] or 'missing'}" for name in both)


def folder_digests(words: Iterable[str]) -> dict[str, str]:
    """Word -> the hash of the file of the data folder that it names on this machine, empty where it is missing."""
    references = {word: DatasetReference.parse(word) for word in words}
    of_folder = ("folder", sample_folder.SOURCE)
    return {word: _digest(one) for word, one in references.items() if one.source in of_folder}


def _digest(reference: DatasetReference) -> str:
    if reference.source == sample_folder.SOURCE:
        return sample_folder.sample_folder(reference.name).digest if reference.name in sample_folder.names() else ""
    return content_digest(reference)


def describe_worker(words: Sequence[str]) -> tuple[str, dict[str, str], dict[str, str]]:
    """(name of the machine, versions, hashes of the files that `words` name) of the process that is asked."""
    return platform.node(), versions(), folder_digests(words)


def data_digest(word: str, data: Dataset) -> str:
    """The hash of a data set's content: of the file of the data folder, or else of the table."""
    return _digest(DatasetReference.parse(word)) or digest_of_table(data)


def data_hashes(settings: ExperimentSettings, data_sets: Mapping[str, Dataset], *, elsewhere: bool = False) -> dict[str, str]:
    """Word of each data set of the user's -> the hash of its content: of a table in `data_sets`, or a file of the folder.

    With `elsewhere`, files are left out, since a cluster may have others; so are files that are missing.
    """
    words = dict.fromkeys(problem.data for problem in settings.problems)
    files = {} if elsewhere else folder_digests(word for word in words if word not in data_sets)
    tables = {word: digest_of_table(data_sets[word]) for word in words if word in data_sets}
    return {word: content for word in words if (content := tables.get(word) or files.get(word, ""))}


def digest_of_table(data: Dataset) -> str:
    """The hash of a table with its labels, its nominal columns and its default positive class."""
    columns = [pd.util.hash_pandas_object(data.features, index=False), pd.util.hash_pandas_object(pd.Series(data.labels))]
    names = repr([*data.features.columns, *data.nominal, data.default_positive]).encode()
    return hashlib.sha256(b"".join([names, *(column.to_numpy().tobytes() for column in columns)])).hexdigest()
