"""The losses that the multivariate SVM can minimise: any that a contingency table determines, as 1 minus a score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from qcore.contingency import ContingencyTable
from qcore.losses import LOSSES
from qcore.registry import registry
from qcore.table_measures import Measured, OnTables, TableMeasure
from qcore.validation import FloatArray


@dataclass(frozen=True)
class TableLoss:
    """A loss of a contingency table, 0 is best; `score(beta)` is what it is 1 minus, `beta` that of Q_beta or F_beta."""

    key: str
    score: Callable[[float], Measured | TableMeasure]
    formula: str

    def on(self, positives: int, negatives: int, beta: float) -> OnTables:
        """1 minus the loss on the tables of so many positives and negatives. Raises InvalidInput."""
        return self.score(beta).on(positives, negatives)


def _divergence(key: str, table: ContingencyTable) -> FloatArray:
    size = table.tp + table.fp + table.fn + table.tn
    true, estimate = (table.tp + table.fn) / size, (table.tp + table.fp) / size
    return 1.0 - LOSSES[key].binary(true, estimate, sample_size=int(np.rint(np.max(size))), smoothing="half_count")


def _of_divergence(key: str) -> TableLoss:
    """KLD and NKLD as they are: a score is cropped at 0, a loss need not be."""
    score = TableMeasure(key, lambda table, beta: _divergence(key, table), True, "", "", "")
    return TableLoss(key, lambda beta: score, rf"\mathrm{{{key}}}")


def _of_score(key: str, measure: str, formula: str) -> TableLoss:
    return TableLoss(key, lambda beta: Measured(measure, beta), formula)


TABLE_LOSSES: Final = registry(
    _of_score("Q", "Q_beta", r"1 - Q_\beta"),
    _of_score("NAS", "NAS", r"1 - \mathrm{NAS}"),
    _of_score("NSS", "NSS", r"1 - \mathrm{NSS}"),
    _of_divergence("KLD"),
    _of_divergence("NKLD"),
    _of_score("AE", "1 - AE", r"\mathrm{AE}"),
    _of_score("F", "F_beta", r"1 - F_\beta"),
    _of_score("GM", "GM", r"1 - \mathrm{GM}"),
    _of_score("recall", "recall", r"1 - recall"),
    _of_score("error", "accuracy", r"\mathrm{error}"),
)
"""Names as the thesis uses them: NAS stands for 1 - NAS, Q with beta = 2 for 1 - Q_2."""
