"""The registry of quantifiers for any number of classes: every key of QUANTIFIERS, natively or one against all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from qcore.multiclass.adjustment import MulticlassAdjustedCount, MulticlassProbabilisticAdjustedCount
from qcore.multiclass.base import MulticlassQuantifier
from qcore.multiclass.counting import (
    MulticlassBaseline,
    MulticlassClassifyAndCount,
    MulticlassProbabilisticClassifyAndCount,
)
from qcore.multiclass.likelihood import MulticlassEMQ
from qcore.multiclass.one_vs_all import OneVsAll
from qcore.quantifiers import QUANTIFIERS
from qcore.validation import FloatArray, IntArray, check_choice, check_several

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
"""Quantifiers that know all classes at once; the others take each class against all others."""

MULTICLASS: Final[Mapping[str, Callable[[], MulticlassQuantifier]]] = MappingProxyType(
    {key: NATIVE.get(key, partial(OneVsAll, entry.make)) for key, entry in QUANTIFIERS.items()}
)


def make_multiclass_quantifiers(keys: Iterable[str], scores: FloatArray, labels: IntArray) -> dict[str, MulticlassQuantifier]:
    """The quantifiers registered as `keys`, fitted on out-of-fold class scores. Raises InvalidInput for an unknown key."""
    fitted = {}
    for key in check_several("methods", keys):
        check_choice("quantifier", key, MULTICLASS)
        fitted[key] = MULTICLASS[key]().fit(scores, labels)
    return fitted
