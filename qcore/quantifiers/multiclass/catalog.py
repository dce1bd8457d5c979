"""The registry of quantifiers for any number of classes: every key of QUANTIFIERS, natively or one class against all."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.quantifiers.multiclass.adjustment import MulticlassAdjustedCount, MulticlassProbabilisticAdjustedCount
from qcore.quantifiers.multiclass.base import MulticlassQuantifier
from qcore.quantifiers.multiclass.counting import (
    MulticlassBaseline,
    MulticlassClassifyAndCount,
    MulticlassProbabilisticClassifyAndCount,
)
from qcore.quantifiers.multiclass.expectation_maximisation import MulticlassEMQ
from qcore.quantifiers.multiclass.one_vs_all import OneVsAll

NATIVE: Final[Mapping[str, Callable[[], MulticlassQuantifier]]] = MappingProxyType(
    {
        "BL": MulticlassBaseline,
        "CC": MulticlassClassifyAndCount,
        "AC": MulticlassAdjustedCount,
        "PCC": MulticlassProbabilisticClassifyAndCount,
        "PACC": MulticlassProbabilisticAdjustedCount,
        "EMQ": MulticlassEMQ,
        "EMQ-5": partial(MulticlassEMQ, 5),
    }
)
"""Quantifiers that use all classes at once; the others take each class against all others."""

MULTICLASS: Final[Mapping[str, Callable[[], MulticlassQuantifier]]] = MappingProxyType(
    {key: NATIVE.get(key, partial(OneVsAll, entry.make)) for key, entry in QUANTIFIERS.items()}
)

BATCHED: Final = frozenset(type(make()) for make in MULTICLASS.values())
"""The registered classes, which take the scores of a block as a ClassBatch; a user's own quantifier gets a plain array."""
