"""The losses that the multivariate SVM can minimise: any that a contingency table determines, as 1 minus a score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from qcore.registry import registry
from qcore.table_measures import Estimated, Measured, OnTables, TableMeasure


@dataclass(frozen=True)
class TableLoss:
    """A loss of a contingency table, 0 is best; `score(beta)` is what it is 1 minus, `beta` that of Q_beta or F_beta."""

    key: str
    score: Callable[[float], Measured | TableMeasure]

    def on(self, positives: int, negatives: int, beta: float) -> OnTables:
        """1 minus the loss on the tables of so many positives and negatives. Raises InvalidInput."""
        return self.score(beta).on(positives, negatives)


def _of_divergence(key: str) -> TableLoss:
    """KLD and NKLD as they are: a score is cropped at 0, a loss need not be."""
    score = TableMeasure(key, Estimated(key, cropped=False), True, "", "", "")
    return TableLoss(key, lambda beta: score)


def _of_score(key: str, measure: str) -> TableLoss:
    return TableLoss(key, lambda beta: Measured(measure, beta))


TABLE_LOSSES: Final = registry(
    _of_score("Q", "Q_beta"),
    _of_score("NAS", "NAS"),
    _of_score("NSS", "NSS"),
    _of_divergence("KLD"),
    _of_divergence("NKLD"),
    _of_score("AE", "1 - AE"),
    _of_score("F", "F_beta"),
    _of_score("GM", "GM"),
    _of_score("recall", "recall"),
    _of_score("error", "accuracy"),
)
"""Names as the thesis uses them: NAS stands for 1 - NAS, Q with beta = 2 for 1 - Q_2."""
