"""A correction as a change of scale: the range between the values of both classes in training is stretched to [0, 1].

Source: Barranquero 2013, Figure 3.3, after Bella et al. 2010. Its caption moves 0.4, between 0.3 and 0.9, to 0.23; it is 0.17.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import check_one_sample
from qcore.quantifiers.adjustment import ProbabilisticAdjustedCount, adjust
from qcore.quantifiers.batch import positive_share
from qcore.quantifiers.inspection import Scaling


def scaled_count(fitted: Any, sample: ArrayLike) -> Scaling:
    """The count of one sample, (sample_size,), between the fpr and the tpr of a fitted threshold policy."""
    scores = check_one_sample("scores", sample)
    count = float(positive_share(scores, fitted.threshold_))
    estimate = float(adjust(np.asarray(count), fitted.tpr_, fitted.fpr_)) if fitted.corrects_ else count
    return Scaling(f"count at {fitted.threshold_:.2f}", count, fitted.fpr_, fitted.tpr_, ("fpr", "tpr"), estimate)


def scaled_mean(fitted: ProbabilisticAdjustedCount, sample: ArrayLike) -> Scaling:
    """The mean score of one sample, (sample_size,), between the mean scores of both classes."""
    scores = check_one_sample("scores", sample)
    mean, low, high = float(scores.mean()), fitted.negative_mean_, fitted.positive_mean_
    return Scaling(
        "mean score", mean, low, high, ("mean of negatives", "mean of positives"), float(adjust(np.asarray(mean), high, low))
    )
