"""Measures of quantification performance: NAS, NSS and 1 minus a loss, for the prevalence that a table counts.

The table's true prevalence is P / S, the estimate of classify and count P' / S.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from qcore._base.validation import FloatArray
from qcore.losses import LOSSES, Loss
from qcore.losses.formulas import normalised_absolute_score, normalised_squared_score
from qcore.measures.contingency_table import ContingencyTable

NAS: Final = Loss(
    key="NAS",
    name="Normalised absolute score",
    function=normalised_absolute_score,
    formula=r"\mathrm{NAS} = 1 - \frac{|\hat p - p|}{\max(p, n)}",
    idea="1 minus the normalised absolute error: 1 is best, 0 is worst.",
    source="Barranquero 2013, eq. 6.4",
    properties=frozenset({"MAX", "IMP"}),
    axis=(0.0, 1.0),
    best=1.0,
)

NSS: Final = Loss(
    key="NSS",
    name="Normalised squared score",
    function=normalised_squared_score,
    formula=r"\mathrm{NSS} = 1 - \left(\frac{|\hat p - p|}{\max(p, n)}\right)^2",
    idea="1 minus the square of the normalised absolute error: 1 is best, 0 is worst.",
    source="Barranquero 2013, eq. 6.5",
    properties=frozenset({"MAX", "IMP"}),
    axis=(0.0, 1.0),
    best=1.0,
)


def prevalences_of_table(table: ContingencyTable) -> tuple[FloatArray, FloatArray, int]:
    """(true prevalence, estimate of classify and count, number of instances) of tables, the first two (...)."""
    return (table.tp + table.fn) / table.size, (table.tp + table.fp) / table.size, int(np.rint(np.max(table.size, initial=1)))


@dataclass(frozen=True)
class PrevalenceScore:
    """A score of the counted prevalence: NAS, NSS, or 1 minus a loss, which is cut off at 0 unless `clipped` is False.

    A class and not a closure, so that learners that hold one can be pickled.
    """

    loss: Loss
    clipped: bool = True

    def __call__(self, table: ContingencyTable, _beta: float) -> FloatArray:
        """The score of tables, (...)."""
        true, estimate, size = prevalences_of_table(table)
        if self.loss.best == 1.0:
            return np.clip(self.loss.binary(true, estimate), 0.0, 1.0)
        value = 1.0 - self.loss.binary(true, estimate, sample_size=size, smoothing="half_count")
        return np.maximum(value, 0.0) if self.clipped else value


def one_minus(key: str, *, clipped: bool = True) -> PrevalenceScore:
    """1 minus a loss of LOSSES."""
    return PrevalenceScore(LOSSES[key], clipped)
