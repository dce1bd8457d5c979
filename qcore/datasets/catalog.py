"""The registry of data sets, and the sources from which data sets come.

To add a data set, write its function in `bundled` and one line here; a source is one line, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from qcore._base.validation import InvalidInput, check_choice
from qcore.datasets import bundled, folder, keel, sample_folder
from qcore.datasets.dataset import BUNDLED, Dataset, DatasetReference
from qcore.datasets.repositories import REPOSITORIES

DATASETS: Final[Mapping[str, Callable[[], Dataset]]] = MappingProxyType(
    {
        "wdbc": bundled.wdbc,
        "iris": bundled.iris,
        "wine": bundled.wine,
        "digits": bundled.digits,
        "balance": bundled.balance,
        "tictactoe": bundled.tictactoe,
        "monks-1": bundled.monks_1,
        "monks-2": bundled.monks_2,
        "monks-3": bundled.monks_3,
        "waveform": bundled.waveform,
    }
)


@dataclass(frozen=True)
class Source:
    """A source: its key in references, its title, the names of its data sets, and a function that loads one."""

    key: str
    title: str
    names: Callable[[], list[str]]
    load: Callable[[str], Dataset]


def _bundled(name: str) -> Dataset:
    check_choice("data set", name, DATASETS)
    return DATASETS[name]()


SOURCES: Final[Mapping[str, Source]] = MappingProxyType(
    {
        source.key: source
        for source in (
            Source(BUNDLED, "bundled", lambda: list(DATASETS), _bundled),
            Source("keel", "KEEL, UCI", keel.names, keel.load),
            *(Source(one.key, one.title, one.names, one.load) for one in REPOSITORIES.values()),
            Source("folder", "your folder", folder.names, folder.load),
            Source(sample_folder.SOURCE, "given samples", sample_folder.names, sample_folder.load),
        )
    }
)


def available() -> list[DatasetReference]:
    """All data sets that can be loaded on this machine, source by source."""
    return [DatasetReference(source.key, name) for source in SOURCES.values() for name in source.names()]


def load_dataset(reference: str | DatasetReference) -> Dataset:
    """The data set of a reference, or of the word that spells it. Raises InvalidInput for an unknown data set.

    Examples
    --------
    >>> load_dataset("wine").classes
    ('1', '2', '3')
    """
    if isinstance(reference, str):
        reference = DatasetReference.parse(reference)
    if not isinstance(reference, DatasetReference):
        raise InvalidInput("data set", "be a word or a DatasetReference", repr(reference)[:60], "Write load_dataset('wine').")
    check_choice("source of the data set", reference.source, SOURCES)
    return SOURCES[reference.source].load(reference.name).loaded_by(reference)
