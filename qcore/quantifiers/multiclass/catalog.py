"""The registry of quantifiers for any number of classes: every key of QUANTIFIERS, natively or one class against all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.quantifiers.fitting import fit_methods
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
"""The registered classes, which take the scores of a block as a ClassBatch; a quantifier of one's own takes a plain array."""


def make_multiclass_quantifiers(
    methods: Iterable[str] | Mapping[str, Any], scores: FloatArray, labels: IntArray
) -> dict[str, MulticlassQuantifier]:
    """Quantifiers fitted on out-of-fold class scores, (n_training, n_classes), by name.

    `methods`: keys of MULTICLASS; or a mapping from a name to a key or to a quantifier of one's own, fitted or not.
    Raises InvalidInput for an unknown key.

    Examples
    --------
    >>> import numpy as np
    >>> scores, labels = np.eye(3)[[0, 0, 1, 1, 2, 2]], np.array([0, 0, 1, 1, 2, 2])
    >>> ac = make_multiclass_quantifiers(["AC"], scores, labels)["AC"]
    >>> ac.predict(scores[[0, 0, 1, 2]]).round(3).tolist()
    [0.75, 0.25, 0.0]
    """
    return fit_methods(methods, MULTICLASS, scores, labels)
