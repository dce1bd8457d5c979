"""The families of quantifiers, in the order in which pages list them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "counting": "Counting: no correction",
        "adjustment": "Adjusted by tpr and fpr",
        "thresholds": "Adjusted at a chosen threshold",
        "likelihood": "Maximum likelihood",
        "matching": "Distribution matching",
        "baseline": "Baseline",
    }
)
