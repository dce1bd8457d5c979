"""A measure with its parameters: one of MEASURES, or Q_beta of two of them, at a value of beta."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from qcore._base.validation import FloatArray, check_choice
from qcore.measures.catalog import MEASURES, SCORE_KEYS
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.measure import CombinedMeasure, Measure, MeasureOnCounts
from qcore.measures.q_measure import check_beta, q_value

Q_BETA: Final = "Q_beta"
"""The key of the Q-measure, which is made of two others."""


@dataclass(frozen=True)
class ParametricMeasure:
    """A measure and its parameters.

    Parameters
    ----------
    key : one of MEASURES that is best at 1, or "Q_beta".
    beta : weight of qperf in Q_beta, or of recall in F_beta; from 0 to inf.
    cperf, qperf : keys of the two measures that Q_beta combines.

    Raises InvalidInput for an unknown key or a negative beta.

    Examples
    --------
    >>> table = ContingencyTable.from_errors(fp=5, fn=5, positives=10, negatives=90)
    >>> float(ParametricMeasure("NAS").of(table)), round(float(ParametricMeasure("Q_beta", 2.0).of(table)), 3)
    (1.0, 0.833)

    Source: Barranquero 2013, 6.2.
    """

    key: str = Q_BETA
    beta: float = 2.0
    cperf: str = "recall"
    qperf: str = "NAS"
    _parts: tuple[Measure, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_choice("measure", self.key, [*SCORE_KEYS, Q_BETA])
        check_beta(self.beta)
        keys = (self.key,) if self.key != Q_BETA else (self.cperf, self.qperf)
        for name, key in zip(("cperf", "qperf"), keys, strict=False):
            check_choice(name, key, SCORE_KEYS)
        object.__setattr__(self, "_parts", tuple(MEASURES[key] for key in keys))

    @property
    def name(self) -> str:
        """The name to show, such as NAS, F_2 or Q_0.5."""
        beta = "∞" if np.isinf(self.beta) else f"{self.beta:g}"
        return self.key.replace("beta", beta)

    def on_counts(self, positives: int, negatives: int) -> MeasureOnCounts:
        """The measure on the tables with these numbers of positives and negatives. Raises InvalidInput for an empty class."""
        beta = self.beta if self.key != Q_BETA else 1.0
        measures = [part.on_counts(positives, negatives, beta) for part in self._parts]
        return CombinedMeasure(measures[0], measures[1], self.beta) if self.key == Q_BETA else measures[0]

    def of(self, table: ContingencyTable) -> FloatArray:
        """The value of tables, (...); counts need not be whole."""
        values = [part.of(table, self.beta if self.key != Q_BETA else 1.0) for part in self._parts]
        return q_value(values[0], values[1], self.beta) if self.key == Q_BETA else values[0]
