"""The registry of data sets: key -> function that makes the data set. To add one, write its function and one line here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from qcore.datasets import bundled, enumerated, generated
from qcore.datasets.dataset import Dataset

DATASETS: Final[Mapping[str, Callable[[], Dataset]]] = MappingProxyType(
    {
        "wdbc": bundled.wdbc,
        "iris": bundled.iris,
        "wine": bundled.wine,
        "digits": bundled.digits,
        "balance": enumerated.balance,
        "tictactoe": enumerated.tictactoe,
        "monks-1": enumerated.monks_1,
        "monks-2": enumerated.monks_2,
        "monks-3": enumerated.monks_3,
        "waveform": generated.waveform,
    }
)
