"""Whether scores are calibrated probabilities, with an allowance for the chance error of few labels."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, check_training_data

_BINS: Final = 10
_SIMULATIONS: Final = 200
_MOST_TOLERATED: Final = 0.03
_TOLERATED_SHARE: Final = 0.1
"""An error above the usual one by less than 0.03 and less than a tenth of the rarer class hardly matters for a prevalence."""


@dataclass(frozen=True)
class CalibrationCheck:
    """The calibration error of scores, beside what calibrated scores would show on as many labels.

    Attributes
    ----------
    error : mean absolute difference between score and share of positives over ten bins, weighted by instances, in [0, 1].
    usual, limit : median and 99th percentile of the error of calibrated scores.
    tolerated : by how much the error may exceed `usual`: a tenth of the rarer class's share, at most 0.03.
    """

    error: float
    usual: float
    limit: float
    tolerated: float

    @property
    def rejects(self) -> bool:
        """Whether the scores are not calibrated: by more than chance explains, and by more than is tolerated."""
        return self.error > max(self.limit, self.usual + self.tolerated)


def calibration_check(scores: ArrayLike, labels: ArrayLike, rng: np.random.Generator) -> CalibrationCheck:
    """Test whether scores are calibrated, by redrawing the labels with the scores as probabilities.

    Parameters
    ----------
    scores, labels : (n,) each, scores in [0, 1] and labels 0 and 1, both present.

    Raises InvalidInput. Source: Bröcker and Smith 2007 (consistency resampling).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.random(2000)
    >>> labels = rng.random(2000) < scores
    >>> calibration_check(scores, labels, rng).rejects, calibration_check(scores**3, labels, rng).rejects
    (False, True)
    """
    checked, truth = check_training_data(scores, labels)
    bins = np.minimum((checked * _BINS).astype(np.intp), _BINS - 1)
    redrawn = [_error(checked, (rng.random(len(checked)) < checked).astype(np.intp), bins) for _ in range(_SIMULATIONS)]
    usual, limit = np.quantile(redrawn, [0.5, 0.99])
    rarer = min(truth.mean(), 1.0 - truth.mean())
    tolerated = min(_MOST_TOLERATED, _TOLERATED_SHARE * float(rarer))
    return CalibrationCheck(_error(checked, truth, bins), float(usual), float(limit), tolerated)


def _error(scores: FloatArray, labels: IntArray, bins: IntArray) -> float:
    return float(np.abs(np.bincount(bins, labels - scores, _BINS)).sum() / len(scores))
